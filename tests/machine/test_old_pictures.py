"""Hazard: a picture that is sent again with every request costs more with each turn."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.base.shown.pictures import LEFT_OUT, leave_out_pictures, restore_pictures
from plainloop.agent.types import FilePart, Message, RunRequest
from tests.machine.running import TENANT, USER, Machine, change_settings
from tests.machine.scripted import text, tools, triage
from tests.replaying import load_recorded, replay_stored

TURNS = 4


def make_picture(name: str, media_type: str = "image/png") -> FilePart:
    return {"type": "file", "media_type": media_type, "data": "AAAA", "tokens": 90, "name": name}


async def ask(run: Machine, said: str, *files: FilePart) -> None:
    thread = await run.store.load_thread(TENANT, USER, run.thread_id)
    start = run.service.make_start(thread, RunRequest(said, files))
    await run.service._run(await run._build_table(), TENANT, start, None)


async def talk(run: Machine, turns: int = TURNS) -> list[list[Message]]:
    """A picture in the first turn; return the messages of each worker's request."""
    for turn in range(turns):
        calls = tools((f"c{turn}", "set_mood", {"mood": f"mood {turn}"}))
        run.provider.script[:] = [triage("note_writer"), calls, text(f"Answer {turn}.")]
        files = [make_picture("roof.png"), make_picture("plan.pdf", "application/pdf")]
        await ask(run, f"question {turn}", *([] if turn else files))
    asked = run.provider.requests
    return [[*r.messages] for r in asked if r.system.startswith("You keep notes.")]


def list_files(messages: list[Message]) -> list[str]:
    parts = (part for message in messages for part in message["parts"])
    return [part.get("name", "") for part in parts if part["type"] == "file"]


async def replay(run: Machine, **limits: Any) -> list[str]:
    thread = await load_recorded(run.store, TENANT, run.thread_id)
    settings = change_settings(run.service.settings, **limits)
    replayed = await replay_stored(thread, {run.service.pack.name: run.service.pack}, settings)
    assert replayed.divergence is None, replayed.divergence.render_diff()
    return [turn.outcome for turn in replayed.turns]


async def test_a_picture_is_sent_in_its_turn_and_the_next_one(machine: Any) -> None:
    run = await machine()
    shown = await talk(run)
    both = ["roof.png", "plan.pdf"]
    assert [list_files(messages) for messages in shown] == [both] * 4 + [["plan.pdf"]] * 4
    line = LEFT_OUT.format(name=": roof.png")
    assert [str(messages).count(line) for messages in shown] == [0] * 4 + [1] * 4
    # From turn to turn each request begins with the one before, but for the picture, once.
    plain = [[(m["role"], m["parts"]) for m in messages] for messages in shown]
    breaks = [n for n in range(1, len(plain)) if plain[n][: len(plain[n - 1])] != plain[n - 1]]
    assert breaks == [4]
    assert list_files(await run.load_messages()) == both, "the thread keeps it"
    assert await replay(run) == ["same"] * TURNS


@pytest.mark.parametrize(("turns", "sent"), [(1, 2), (3, 6), (1000, 8)])
async def test_picture_turns_sets_how_long_pictures_are_sent(
    machine: Any, turns: int, sent: int
) -> None:
    run = await machine(picture_turns=turns)
    shown = await talk(run)
    assert ["roof.png" in list_files(messages) for messages in shown] == [
        n < sent for n in range(2 * TURNS)
    ]


async def test_recordings_with_pictures_in_later_turns_still_replay(machine: Any) -> None:
    run = await machine(picture_turns=1000)
    await talk(run)
    assert await replay(run, picture_turns=2) == ["same"] * TURNS


def test_equal_pictures_are_restored_at_their_positions() -> None:
    pictures: list[Message] = [
        {
            "role": "user",
            "parts": [{"type": "text", "text": "see"}, {**make_picture("a"), "data": d}],
        }
        for d in "123"
    ]
    answer: Message = {"role": "assistant", "parts": [{"type": "text", "text": "Seen."}]}
    thread = [message for picture in pictures for message in (picture, answer)]
    for first in (0, 2):
        shown = leave_out_pictures(thread[first:], 1)
        assert restore_pictures(shown, thread) == thread[first:]
    assert leave_out_pictures([answer], 1) == [answer] and leave_out_pictures([], 1) == []
