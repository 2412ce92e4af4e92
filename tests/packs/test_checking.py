"""A pack that would break in the middle of a run is refused at the start: all that is wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.core.spec import EntitySpec, FieldSpec, Interview, Pack, WorkerSpec
from plainloop.agent.core.state import END
from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.designs.default import build_orchestrator_nodes
from plainloop.agent.errors import ConfigError
from plainloop.agent.packs.checking import TAKEN_NAMES, list_problems
from plainloop.agent.packs.loading import list_pack_names, load_packs
from plainloop.agent.service.service import ROLES
from tests.machine.notes_pack import NOTES, WRITER, add_note, make_pack

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
        (
            replace(PACK, tools=(*PACK.tools, add_note)),
            ["two tools are called 'add_note'"],
        ),
        (
            replace(PACK, tools=(*PACK.tools, bare, plain)),
            [
                "the tool 'bare' has no docstring to describe it",
                "the tool 'bare' does not say of which type 'query' is",
                "the tool 'plain' is no async function",
            ],
        ),
        (
            replace(PACK, tools=(*PACK.tools, replace(add_note, name="note", ask=ask_twice))),
            ["the tool 'note' asks by `ask`, which does not take its arguments"],
        ),
        (
            replace(PACK, workers=(*PACK.workers, WRITER)),
            ["two workers are called 'note_writer'"],
        ),
        (
            replace(PACK, default_worker="writer"),
            ["the default worker 'writer' is none of its workers"],
        ),
        (
            replace(PACK, workers=(replace(WRITER, name="fast_list"),), default_worker="fast_list"),
            ["the engine has a 'fast_list' of its own: rename the worker"],
        ),
        (
            replace(PACK, workers=(replace(WRITER, name="Writer"),), default_worker="Writer"),
            ["the worker 'Writer' is not named in lower case: a-z, 0-9, _"],
        ),
        (
            replace(PACK, onboarding=WorkerSpec("ask", "", "", ("add_notes",))),
            ["'ask' names the tool 'add_notes', which the pack does not have"],
        ),
        (
            replace(
                PACK,
                onboarding=WorkerSpec(
                    "ask", "", "", (), interview=Interview(list_missing, final_tool="add_note")
                ),
            ),
            ["the interview 'ask' ends with 'add_note', which it cannot call"],
        ),
        (
            replace(PACK, entities=(make_entity("text", "text", order="stars"),)),
            [
                "'notes' has two fields called 'text'",
                "'notes' is ordered by 'stars', which is none of its fields",
            ],
        ),
    ],
)
def test_what_is_wrong_with_a_pack_is_listed(pack: Pack, problems: list[str]):
    assert list_problems(pack) == problems


@pytest.mark.parametrize("name", list_pack_names())
def test_the_shipped_packs_fit_together(name: str):
    (pack,) = load_packs([name])
    assert list_problems(pack) == []


def test_no_worker_may_be_called_like_a_node_or_a_role_of_the_engine():
    nodes = build_orchestrator_nodes(replace(PACK, workers=())).nodes
    assert {*nodes, *ROLES, END} == TAKEN_NAMES


@pytest.fixture
def write_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(tmp_path)

    def write(module: str, source: str) -> None:
        folder = tmp_path.joinpath(*module.split("."))
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(source, encoding="utf-8")

    return write


def test_a_wrong_pack_is_one_clear_error(write_pack):
    write_pack("checked_packs.wrong", WRONG)

    with pytest.raises(ConfigError) as caught:
        load_packs(["checked_packs.wrong"])
    assert caught.value.message == (
        "pack 'checked_packs.wrong' does not fit together: "
        "the default worker 'writer' is none of its workers; "
        "the worker 'Writer' is not named in lower case: a-z, 0-9, _; "
        "'Writer' names the tool 'add', which the pack does not have"
    )


def test_two_packs_of_one_name_cannot_be_served_together(write_pack):
    source = "from plainloop.agent.core.spec import Pack\ndef make_pack():\n"
    write_pack(
        "twin_packs.staff_onboarding",
        f"{source}    return Pack('staff_onboarding', 'S', (), '', ())\n",
    )

    with pytest.raises(ConfigError, match="two packs have the same name"):
        load_packs(["staff_onboarding", "twin_packs.staff_onboarding"])
