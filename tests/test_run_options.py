"""What a client asks of one run goes from a door to the run's row as one value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from plainloop.agent.types import RunOptions
from tests.test_layers import parse_file

ROOT = Path(__file__).resolve().parent.parent
# Who hands a request on, or reads one: each file with one of these names, or with `x.options` of a
# run, a start or a request. A word in any other file is another matter (the tags of a thread, say).
CARRIERS = {"RunRequest", "RunOptions", "RunStart", "NO_OPTIONS"}
ASKED = {"run", "start", "request", "asked", "owner"}
FILES_AT_MOST = 4
OPTIONS = (*RunOptions.__dataclass_fields__, "design")
# A protocol may have a file of routes and one of shapes; the first is where its requests are made.
DOORS = (
    "server/routes/talking.py",
    "server/routes/onboarding.py",
    "server/ws/session.py",
    "packages/frontends/plainloop_frontends/openai/response_routes.py",
    "packages/frontends/plainloop_frontends/openai/routes.py",
    "agent/cli/talk/commands.py",
)


@cache
def read_service() -> dict[str, ast.Module]:
    """The files of the service and of OpenAI's protocol by their paths."""
    rooms = ("agent", "server", "packages/frontends/plainloop_frontends/openai")
    files = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    return {path.relative_to(ROOT).as_posix(): parse_file(path) for path in files}


def list_names(tree: ast.Module) -> Iterator[str]:
    """Every name in the file: variables, attributes, parameters, keywords, and text that is one."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.alias(name=name):
                yield name
            case ast.keyword(arg=str(name)) | ast.Constant(value=str(name)):
                yield name
            case ast.Attribute(attr="options", value=ast.Name(id=name) | ast.Attribute(attr=name)):
                yield "RunOptions" if name in ASKED else "options"
            case ast.Attribute(attr=name):
                yield name
            case _:
                pass


@cache
def list_carriers() -> dict[str, set[str]]:
    """The files that carry or read requests, with the names in each."""
    names = {path: set(list_names(tree)) for path, tree in read_service().items()}
    return {path: found for path, found in names.items() if CARRIERS & found}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("option", OPTIONS)
def test_a_run_option_is_named_in_at_most_four_files(option: str, door: str) -> None:
    way = {path for path, names in list_carriers().items() if option in names}
    outside = {path for path in way if path.startswith(("server/", "agent/cli/", "packages/"))}
    folder = door.rpartition("/")[0]
    own = {path for path in outside - {*DOORS} if path.rpartition("/")[0] == folder}
    passed = sorted((way - outside) | own | (way & {door}) | (way & {"server/http/endpoint.py"}))
    assert len(passed) <= FILES_AT_MOST, passed


@pytest.mark.parametrize("option", ["tells_reasoning", "client_tools"])
def test_functions_take_run_options_together_not_one_by_one(option: str) -> None:
    taking = [
        f"{path}:{node.lineno}"
        for path, tree in read_service().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.arg) and node.arg == option
    ]
    assert taking == []


def test_no_sql_statement_names_a_single_run_option() -> None:
    folder = ROOT / "agent/store/sql"
    for name in ("runs.sql", "queue.sql"):
        words = set((folder / name).read_text(encoding="utf-8").replace(",", " ").split())
        assert not words & {*RunOptions.__dataclass_fields__}, name
