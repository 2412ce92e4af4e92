"""A pack that would break in the middle of a run is refused at the start: all that is wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.core.models import ROLES
from plainloop.agent.core.spec import EntitySpec, FieldSpec, Interview, Pack, WorkerSpec
from plainloop.agent.core.state import END
from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.designs.default import build_orchestrator_nodes
from plainloop.agent.errors import ConfigError
from plainloop.agent.packs.checking import RESERVED_NAMES, list_problems
from plainloop.agent.packs.loading import load_packs
from plainloop.agent.packs.shapes import list_shape_problems
from tests.fixtures import TESTS_PACK
from tests.machine.notes_pack import NOTES, WRITER, add_note, make_pack
from tests.packs.interviewing import open_offline
from tests.packs.test_own_pack import own_pack

__all__ = ["own_pack"]

PACK = make_pack()
WRONG = """
from plainloop.agent.core.spec import Pack, WorkerSpec

def make_pack():
    worker = WorkerSpec("Writer", "", "", ("add",))
    return Pack("wrong", "Wrong", (worker,), "writer", ())
"""


async def list_missing(state: Any, ctx: Any) -> tuple[str, ...]:
    return ()


@tool("read")
async def bare(tool, query, limit: int = 5):
    return None


@tool("read")
def plain(tool: ToolContext) -> Any:
    """Never awaited."""


async def ask_twice(tool: ToolContext, text: str, again: str) -> str:
    return f"{text}, {again}?"


def make_entity(*fields: str, order: str) -> EntitySpec:
    specs = tuple(FieldSpec(name, name) for name in fields)
    return replace(NOTES, fields=specs, default_order=order)


@pytest.mark.parametrize(
    ("pack", "problems"),
    [
        (PACK, []),
        (replace(PACK, workers=()), []),
        (replace(PACK, tools=(*PACK.tools, add_note)), ["two tools are named 'add_note'"]),
        (
            replace(PACK, tools=(*PACK.tools, bare, plain)),
            [
                "the tool 'bare' has no docstring, which describes it to the model",
                "the parameter 'query' of the tool 'bare' has no type",
                "the tool 'plain' is not an async function",
            ],
        ),
        (
            replace(PACK, tools=(*PACK.tools, replace(add_note, name="note", ask=ask_twice))),
            ["the `ask` function of the tool 'note' does not accept the tool's arguments"],
        ),
        (replace(PACK, workers=(*PACK.workers, WRITER)), ["two workers are named 'note_writer'"]),
        (
            replace(PACK, workers=(replace(WRITER, name="fast_list"),), default_worker="fast_list"),
            ["the worker name 'fast_list' is a node of the engine: rename the worker"],
        ),
        (
            replace(PACK, onboarding=WorkerSpec("ask", "", "", (), rare=("add_note",))),
            ["the worker 'ask' lists the rare tool 'add_note', which is not in its `tools`"],
        ),
        (
            replace(PACK, onboarding=WorkerSpec("ask", "", "", ("add_notes",))),
            ["the worker 'ask' names the tool 'add_notes', which the pack does not have"],
        ),
        (
            replace(
                PACK,
                onboarding=WorkerSpec(
                    "ask", "", "", (), interview=Interview(list_missing, final_tool="add_note")
                ),
            ),
            ["the interview 'ask' ends with the tool 'add_note', which the worker does not have"],
        ),
        (
            replace(PACK, entities=(make_entity("text", "text", order="stars"),)),
            [
                "the entity 'notes' has two fields named 'text'",
                "the entity 'notes' is ordered by 'stars', which is not one of its fields",
            ],
        ),
    ],
)
def test_faults_of_a_pack_are_listed_together(pack: Pack, problems: list[str]):
    assert list_problems(pack) == problems


def test_worker_names_of_engine_nodes_and_roles_are_refused():
    nodes = build_orchestrator_nodes(replace(PACK, workers=())).nodes
    assert {*nodes, *ROLES, END} == RESERVED_NAMES


@pytest.fixture
def write_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(tmp_path)

    def write(module: str, source: str) -> None:
        folder = tmp_path.joinpath(*module.split("."))
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(source, encoding="utf-8")

    return write


def test_an_invalid_pack_gives_one_readable_error(write_pack):
    write_pack("checked_packs.wrong", WRONG)

    with pytest.raises(ConfigError) as caught:
        load_packs(["checked_packs.wrong"])
    assert caught.value.message == (
        "the pack 'checked_packs.wrong' is not consistent: "
        "the default worker 'writer' is not a worker of the pack; "
        "the worker name 'Writer' is not valid: use a-z, 0-9 and _; "
        "the worker 'Writer' names the tool 'add', which the pack does not have"
    )


def test_two_packs_of_one_name_cannot_be_served_together(write_pack):
    source = "from plainloop.agent.core.spec import Pack\ndef make_pack():\n"
    write_pack("twin_packs.tracker", f"{source}    return Pack('tracker', 'S', (), '', ())\n")

    with pytest.raises(ConfigError, match="two packs have the same name"):
        load_packs([TESTS_PACK, "twin_packs.tracker"])


TABLES = """
create table reading_shelves (
    tenant_id text not null, user_id text not null, name text, primary key (tenant_id, name)
);
create table reading_languages (code text primary key);
"""


async def test_mismatched_pack_tables_are_refused_at_the_start(own_pack: Path, settings: Settings):
    pytest.importorskip("plainloop_rules")
    folder = own_pack / "acme/reading_list"
    (folder / "migrations/0002_reading_more.sql").write_text(TABLES)
    source = (folder / "__init__.py").read_text()
    source = source.replace('"author", "author"', '"author", "autor"')
    (folder / "__init__.py").write_text(source.replace('"title", "title"', '"title", "headline"'))

    with pytest.raises(ConfigError) as caught:
        async with open_offline(settings, AGENT_PACKS="acme.reading_list"):
            raise AssertionError("it has started")
    assert (caught.value.code, caught.value.message) == (
        "PACK_TABLES",
        "the packs' tables do not match their entities: "
        "the table reading_languages has no column tenant_id: make it the first of its primary "
        "key, and add `select plainloop_protect('reading_languages');`; "
        "rows in the table reading_shelves are not separated by tenant: add "
        "`select plainloop_protect('reading_shelves');` to its migration; "
        "the entity 'books' reads the column 'headline', which the table reading_books does not "
        "have (it has tenant_id, book_id, user_id, title, author, status); "
        "the entity 'books' reads the column 'autor', which the table reading_books does not "
        "have (did you mean 'author'?)",
    )


async def test_an_entity_without_a_table_is_refused_at_the_start(
    own_pack: Path, settings: Settings
):
    pytest.importorskip("plainloop_rules")
    init = own_pack / "acme/reading_list/__init__.py"
    init.write_text(init.read_text().replace('table="reading_books"', 'table="books"'))

    with pytest.raises(
        ConfigError, match="'books' is read from the table books, which does not exist$"
    ):
        async with open_offline(settings, AGENT_PACKS="acme.reading_list"):
            raise AssertionError("it has started")


def test_the_pack_check_accepts_any_value_in_fields_of_type_any():
    @dataclass
    class Loose:
        name: str
        value: Any
        choice: Any | None

    assert list_shape_problems(Loose("a", 1, object())) == []
