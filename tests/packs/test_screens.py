"""What packs' screens say of tools is of tools that are there."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

from plainloop.agent.packs.loading import list_pack_names, load_packs

memory = pytest.importorskip("plainloop_memory.tools")
knowledge = pytest.importorskip("plainloop_retrieval.knowledge")

SCREENS = sorted(Path(__file__).parents[2].glob("packages/*/plainloop_*/screens/screens.json"))
# Packs have tools of their own; these packages give theirs to the workers of the packs.
GIVEN = {
    "plainloop_memory": {memory.remember.name, memory.recall.name},
    "plainloop_retrieval": {
        it.default for it in fields(knowledge.Knowledge) if it.name == "tool_name"
    },
}


def list_tools() -> dict[str, set[str]]:
    """The tools of each package that has screens."""
    packs = [pack for pack in load_packs(list_pack_names()) if pack.screens]
    return GIVEN | {pack.screens.parent.name: {it.name for it in pack.tools} for pack in packs}


@pytest.mark.parametrize("path", SCREENS, ids=lambda path: path.parts[-3])
def test_every_tool_that_a_screens_file_names_exists(path: Path):
    named = set(json.loads(path.read_text(encoding="utf-8")).get("tools", {}))

    # A package without tools, whose pages a host brings, has none to name.
    assert named - list_tools().get(path.parts[-3], set()) == set()
