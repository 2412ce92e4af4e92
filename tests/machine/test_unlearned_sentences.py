"""A turn that calls a tool reads little of the rules: its sentence is none of the grammar's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.machine.scripted import text, tools, triage

ROOT = Path(__file__).parents[2]
RULES = (str(ROOT / "agent" / "intents"), str(ROOT / "packages" / "rules"))
FUNCTIONS_AT_MOST = 30
ADD = ("c1", "add_note", {"text": "milk", "stars": 2})


@contextmanager
def traced_functions(folders: tuple[str, ...]) -> Iterator[set[CodeType]]:
    """Collect the functions below the folders that run inside the block."""
    seen: set[CodeType] = set()

    def see(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(folders):
            seen.add(frame.f_code)

    sys.setprofile(see)
    try:
        yield seen
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("sentence", ["Add a note: buy", "please write the note that I need"])
async def test_an_unlearned_sentence_costs_few_python_calls_in_the_rules(
    machine: Any, sentence: str
) -> None:
    turn = [triage("note_writer"), tools(ADD), text("Done.")]
    run = await machine(*turn, *turn, *turn)
    for thing in ("milk", "bread"):  # what is built once is no part of a turn
        await run.ask(f"{sentence} {thing}")
    with traced_functions(RULES) as seen:
        told = await run.ask(f"{sentence} honey")

    assert told.answer == "Done."
    assert seen, "nothing was traced"
    names = sorted(f"{Path(code.co_filename).stem}.{code.co_name}" for code in seen)
    assert len(names) <= FUNCTIONS_AT_MOST, names
