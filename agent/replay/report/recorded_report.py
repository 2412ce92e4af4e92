"""The report of a recorded replay: JSON, CSV and a page, the same for the same recording and code.

Times are not in them; they go into a file of their own beside them.
"""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final

import orjson

from ..engine.recorded import ConversationReplay, TurnReplay
from .recorded_page import RecordedPage

REPORT_FILE: Final = "report.json"
TURNS_FILE: Final = "turns.csv"
PAGE_FILE: Final = "report.html"
TURN_COLUMNS: Final = (
    "conversation_id",
    "turn",
    "outcome",
    "path",
    "model_calls",
    "divergence",
    "node",
)
TIMES_FILE: Final = "times.json"
_OPTIONS: Final = orjson.OPT_INDENT_2


@dataclass(slots=True)
class Totals:
    """What a replay came to. turns: how many had which outcome."""

    conversations: int = 0
    diverged: int = 0  # conversations
    repaired: int = 0  # conversations
    model_calls: int = 0  # served from the recording
    turns: Counter[str] = field(default_factory=Counter[str])

    def add(self, replay: ConversationReplay) -> None:
        self.conversations += 1
        self.diverged += replay.divergence is not None
        self.repaired += bool(replay.repairs)
        for turn in replay.turns:
            self.turns[turn.outcome] += 1
            self.model_calls += len(turn.fingerprints)

    def to_json(self) -> dict[str, Any]:
        return {
            "conversations": self.conversations,
            "diverged": self.diverged,
            "repaired": self.repaired,
            "model_calls_from_recording": self.model_calls,
            "tokens": 0,
            "turns": dict(sorted(self.turns.items())),
        }


class RecordedReport:
    """Writes one conversation after the other, so that a replay of any size fits in memory.

    folder None: nothing is written, only counted.
    """

    def __init__(self, folder: Path | None, source: str) -> None:
        self.totals = Totals()
        self._folder = folder
        self._source = source
        self._file: IO[bytes] | None = None
        self._turns: IO[str] | None = None
        self._page = RecordedPage()

    def __enter__(self) -> RecordedReport:
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._turns = (self._folder / TURNS_FILE).open("w", newline="", encoding="utf-8")
            csv.writer(self._turns, lineterminator="\n").writerow(TURN_COLUMNS)
            self._file = (self._folder / REPORT_FILE).open("wb")
            head = {"mode": "recorded", "source": self._source}
            self._file.write(_indent(head)[:-2] + b',\n  "conversations": [')
        return self

    def add(self, replay: ConversationReplay) -> None:
        if self._file is not None:
            self._file.write(b",\n" if self.totals.conversations else b"\n")
            self._file.write(_indent(to_json(replay)))
        if self._turns is not None:
            csv.writer(self._turns, lineterminator="\n").writerows(list_rows(replay))
            self._page.add(replay)
        self.totals.add(replay)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            totals = _indent(self.totals.to_json()).replace(b"\n", b"\n  ")
            self._file.write(b'\n  ],\n  "totals": ' + totals + b"\n}\n")
            self._file.close()
        if self._turns is not None:
            self._turns.close()
        if self._folder is not None:
            page = self._page.render(self._source, self.totals.to_json())
            (self._folder / PAGE_FILE).write_text(page, encoding="utf-8")

    def write_times(self, times: dict[str, float]) -> None:
        if self._folder is not None:
            (self._folder / TIMES_FILE).write_bytes(_indent(times) + b"\n")


def list_rows(replay: ConversationReplay) -> list[list[Any]]:
    """A row for each turn."""
    return [
        [
            replay.conversation_id,
            n,
            turn.outcome,
            " ".join(turn.path),
            len(turn.fingerprints),
            turn.divergence.kind if turn.divergence else None,
            turn.divergence.node if turn.divergence else None,
        ]
        for n, turn in enumerate(replay.turns)
    ]


def to_json(replay: ConversationReplay) -> dict[str, Any]:
    return {
        "conversation_id": replay.conversation_id,
        "repairs": list(replay.repairs),
        "turns": [_to_turn(turn) for turn in replay.turns],
    }


def _to_turn(turn: TurnReplay) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "outcome": turn.outcome,
        "path": list(turn.path),
        "requests": list(turn.fingerprints),
    }
    if turn.divergence is not None:
        shown["divergence"] = turn.divergence.to_json()
    return shown


def _indent(value: Any) -> bytes:
    return orjson.dumps(value, option=_OPTIONS)
