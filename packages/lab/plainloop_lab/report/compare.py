"""Two replays of the same conversations: where they part, conversation by conversation."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import InputError
from plainloop.agent.store.store import Store
from plainloop_lab.replay.report.report_files import get_report_path, list_report

from ..comparing.comparison import RECORDING, ComparedReplay
from ..comparing.measures import compare_words
from ..store.replays import ReplayInfo

# By turn: what both replays can be held against each other by.
Turns = dict[int, dict[str, Any]]
DIVERGENCE: Final = "divergence"
LEFT_OUT: Final = "left out"
SHOWN_DIFFERENCES: Final = 20  # conversations
_MOST_DIFFERENCES: Final = 20  # kept of each conversation


@dataclass(slots=True)
class Difference:
    """A conversation that the two replays do not have alike, with a line for each place."""

    conversation_id: str
    lines: list[str]


@dataclass(slots=True)
class Outcome:
    """Says how two reports compare. differs: how many conversations; differing: some of them."""

    compared: int = 0
    differs: int = 0
    differing: list[Difference] = field(default_factory=list[Difference])
    only_first: list[str] = field(default_factory=list[str])
    only_second: list[str] = field(default_factory=list[str])
    left_out: list[str] = field(default_factory=list[str])  # of both: neither could be replayed

    def add(self, difference: Difference) -> None:
        """Count a conversation that differs between two replays.

        Only the first few differences are stored.
        """
        self.differs += 1
        if len(self.differing) < SHOWN_DIFFERENCES:
            self.differing.append(difference)

    @property
    def is_same(self) -> bool:
        """Whether both replays have the same conversations with the same values."""
        return not (self.differs or self.only_first or self.only_second)


async def compare_reports(
    first: AsyncIterator[tuple[str, Turns]], second: AsyncIterator[tuple[str, Turns]]
) -> Outcome:
    """Compare two replays' conversations, matched by id, and return the outcome.

    Holds in memory only the conversations that one side has not reached.
    """
    outcome = Outcome()
    waiting: tuple[dict[str, Turns], dict[str, Turns]] = ({}, {})
    while any(pair := [await anext(side, None) for side in (first, second)]):
        for side, found in enumerate(pair):
            if found is None:
                continue
            conversation_id, turns = found
            other = waiting[1 - side].pop(conversation_id, None)
            if other is None:
                waiting[side][conversation_id] = turns
                continue
            if LEFT_OUT in turns.get(0, {}) and LEFT_OUT in other.get(0, {}):
                outcome.left_out.append(conversation_id)
                continue
            outcome.compared += 1
            lines = list(list_differences(*((other, turns) if side else (turns, other))))
            if lines:
                outcome.add(Difference(conversation_id, lines[:_MOST_DIFFERENCES]))
    outcome.only_first, outcome.only_second = (list(side) for side in waiting)
    return outcome


def list_differences(before: Mapping[int, Mapping[str, Any]], now: Turns) -> Iterator[str]:
    """Yield a line for each value that differs between two replays of a conversation.

    What a divergence from the recording brings with it is not listed: its turn's other values, and
    all turns after it.
    """
    for turn in sorted({*before, *now}):
        sides = (before.get(turn), now.get(turn))
        if sides[0] is None or sides[1] is None:
            yield f"turn {turn + 1}: only in the {'first' if sides[1] is None else 'second'}"
            continue
        parted = sides[1].get(DIVERGENCE)
        if sides[0].get(DIVERGENCE) != parted:
            if parted is None:
                yield f"turn {turn + 1}: no longer differs from its recording"
                return
            place = f"different {parted['kind']} at step {parted['step']}, {parted['node']}"
            yield f"turn {turn + 1}: now differs from its recording: {place}"
            yield from (f"  {line}" for line in parted["diff"])
            return
        for key in dict.fromkeys((*sides[0], *sides[1])):
            one, other = sides[0].get(key), sides[1].get(key)
            if one != other:
                yield f"turn {turn + 1}: {_describe_change(key, one, other)}"


async def read_report(folder: Path) -> AsyncIterator[tuple[str, Turns]]:
    """Yield (id, values by turn) of each conversation in a report, recorded or live.

    Raises: InputError.
    """
    head, conversations = list_report(get_report_path(folder))
    if "mode" not in head:
        raise InputError(
            f"{folder} is not a replay report", hint="Use a folder written with --report DIR."
        )
    read = _read_recorded_turn if head["mode"] == "recorded" else _read_live_turn
    for item in conversations:
        turns = {turn.get("turn", n): read(turn) for n, turn in enumerate(item["turns"])}
        if "left_out" in item:
            turns[0] = {LEFT_OUT: item["left_out"]}
        yield item["conversation_id"], turns


async def read_batch(
    store: Store, tenant_id: str, info: ReplayInfo
) -> AsyncIterator[tuple[str, Turns]]:
    """Yield (conversation id, values to compare by turn) of a live replay in the database."""
    compared = ComparedReplay(store, tenant_id, info.replay_id, [*info.candidate["lanes"]])
    async for item in compared.list_all():
        turns = {turn["turn"]: _read_live_turn(turn) for turn in item["turns"]}
        yield item["conversation_id"], turns


def _read_recorded_turn(turn: Mapping[str, Any]) -> dict[str, Any]:
    requests = {f"request {n + 1}": value[:12] for n, value in enumerate(turn.get("requests", []))}
    found: dict[str, Any] = {"outcome": turn["outcome"], "path": " → ".join(turn["path"])}
    return {**found, DIVERGENCE: turn.get("divergence"), **requests}


def _read_live_turn(turn: Mapping[str, Any]) -> dict[str, Any]:
    """Return a turn's values to compare, by variant; the recording is the same for both."""
    found: dict[str, Any] = {}
    for lane, result in turn["lanes"].items():
        if lane == RECORDING:
            continue
        tools = [(use["name"], use["arguments"], use["served"]) for use in result["tools"]]
        found |= {
            f"{lane} path": " → ".join(result["path"]),
            f"{lane} tools": orjson.dumps(tools, option=orjson.OPT_SORT_KEYS).decode(),
            f"{lane} error": result["error"],
            f"{lane} text": result["text"],
        }
    return found


def _describe_change(key: str, one: Any, other: Any) -> str:
    """Describe how a value differs between two replays.

    >>> _describe_change("path", "a → b", "a")
    'path: a → b, now a'
    >>> _describe_change("candidate text", "Room 7 is free.", "Room 8 is free.")
    'candidate text: 75% of the words are the same'
    """
    if key.endswith("text") and one is not None and other is not None:
        return f"{key}: {compare_words(one, other):.0%} of the words are the same"
    return (
        f"{key}: {one if one is not None else 'none'}, now {other if other is not None else 'none'}"
    )
