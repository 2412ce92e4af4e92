"""The report of a recorded replay: JSON, CSV and a page, the same for the same recording and code.

Times are not in them; they go into a file of their own beside them.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import orjson

from plainloop.agent.base.pages.pages import make_pages
from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.dataclasses import dataclass, field

from ..engine.divergence import Divergence
from ..engine.recorded import ConversationReplay
from .causes import find_cause
from .causes import list_rows as list_sides
from .report_files import PAGE_FILE, ReportFiles

TURN_COLUMNS: Final = (
    "conversation_id",
    "turn",
    "outcome",
    "path",
    "model_calls",
    "divergence",
    "node",
)

if TYPE_CHECKING:
    from jinja2 import Template
TIMES_FILE: Final = "times.json"
PAGES: Final = "differences"  # in a report's folder: a page for each conversation that differs
SHOWN_DIVERGENCES: Final = 100  # on the page: of bounded size, however large the replay is
SHOWN_SQUARES: Final = 2_000  # conversations
NAMED_LEFT_OUT: Final = 3  # conversations of each reason
OUTCOMES: Final = {
    "same": "as recorded, to its end",
    "partial": "as recorded, up to the end of the recording",
    "unanswered": "the recording ends with the user's question",
    "diverged": "differs from the recording",
    "skipped": "not run: comes after a divergence",
}


@dataclass(slots=True)
class Totals:
    """Counts the outcomes of a replay.

    turns: by outcome. left_out: by reason, the conversations that could not be replayed, which are
    not among the others.
    """

    conversations: int = 0
    diverged: int = 0  # conversations
    repaired: int = 0  # conversations
    model_calls: int = 0  # served from the recording
    turns: Counter[str] = field(default_factory=Counter[str])
    left_out: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def add(self, replay: ConversationReplay) -> None:
        """Count one conversation's replay."""
        if replay.left_out is not None:
            self.left_out.setdefault(replay.left_out, []).append(replay.conversation_id)
            return
        self.conversations += 1
        self.diverged += replay.divergence is not None
        self.repaired += bool(replay.repairs)
        for turn in replay.turns:
            self.turns[turn.outcome] += 1
            self.model_calls += len(turn.fingerprints)

    def to_json(self) -> dict[str, Any]:
        """Convert the totals to JSON for report.json."""
        return {
            "conversations": self.conversations,
            "diverged": self.diverged,
            "repaired": self.repaired,
            "model_calls_from_recording": self.model_calls,
            "tokens": 0,
            "turns": dict(sorted(self.turns.items())),
            "left_out": describe_left_out(self.left_out),
        }


class RecordedReport:
    """Takes one conversation after the other. folder None: nothing is written, only counted.

    unseen: what was not run and is another than then, a line each; said before it is closed. again:
    the command that replays a conversation whose id follows.
    """

    def __init__(
        self,
        folder: Path | None,
        source: str,
        unseen: Sequence[str] = (),
        again: str = "plainloop replay recorded --thread",
    ) -> None:
        self.totals = Totals()
        self._again = again
        self.unseen = unseen
        self._folder = folder
        self._source = source
        self._files = ReportFiles(folder, TURN_COLUMNS)
        # By conversation: class, id, which divergence of the page is its own.
        self._squares: list[tuple[str, str, int | None]] = []
        self._diverged: list[ConversationReplay] = []

    @property
    def path(self) -> Path | None:
        """Return the path of the report's page.

        None if nothing is written.
        """
        return None if self._folder is None else self._folder / PAGE_FILE

    def __enter__(self) -> RecordedReport:
        self._files.__enter__()
        if self._folder is not None:
            rmtree(self._folder / PAGES, ignore_errors=True)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Write the whole report's files, unless an error ended the replay early."""
        if kind is None:
            totals = self.totals.to_json()
            head = {"mode": "recorded", "source": self._source, "totals": totals}
            head |= {"unseen": [*self.unseen]} if self.unseen else {}
            pages = make_pages(Path(__file__).with_name("templates"), {"count_of": format_count})
            page = pages.get_template("recorded.html")
            shown = {"squares": self._squares, "diverged": self._diverged, "outcomes": OUTCOMES}
            shown |= {"cause": find_cause, "pages": PAGES}
            told = {"source": self._source, "totals": totals, "unseen": self.unseen}
            self._write_pages(pages.get_template("difference.html"))
            self._files.finish(head, page.render(**told, **shown))
        self._files.__exit__()

    def add(self, replay: ConversationReplay) -> None:
        """Write one conversation's replay into the report and count it."""
        self.totals.add(replay)
        self._files.add(to_json(replay), list_rows(replay))
        has_diverged = replay.divergence is not None
        is_shown = has_diverged and len(self._diverged) < SHOWN_DIVERGENCES
        if len(self._squares) < SHOWN_SQUARES:
            is_checked = any(turn.outcome in ("same", "partial") for turn in replay.turns)
            kind = "level3" if has_diverged else "" if is_checked else "none"
            place = len(self._diverged) if is_shown else None
            self._squares.append((kind, replay.conversation_id, place))
        if is_shown:
            self._diverged.append(replay)

    def _write_pages(self, template: Template) -> None:
        """Write a page for each conversation that differs and that the report shows."""
        if self._folder is None or not self._diverged:
            return
        with TemporaryDirectory(dir=self._folder, prefix=".") as made:
            for place, replay in enumerate(self._diverged):
                number, found = replay.diverged_turn, replay.divergence
                if number is None or found is None:
                    continue
                told = {"replay": replay, "number": number, "turn": replay.turns[number]}
                told |= {"found": found, "cause": find_cause(found), "rows": list_sides(found)}
                command = f"{self._again} {shlex.quote(replay.conversation_id)}"
                text = template.render(**told, command=command)
                (Path(made) / f"{place}.html").write_text(text, encoding="utf-8")
            copytree(made, self._folder / PAGES)

    def write_times(self, times: dict[str, float]) -> None:
        """Write the replay's durations in seconds into TIMES_FILE, apart from the report."""
        if self._folder is not None:
            (self._folder / TIMES_FILE).write_bytes(
                orjson.dumps(times, option=orjson.OPT_INDENT_2) + b"\n"
            )


def describe_left_out(left_out: Mapping[str, Sequence[str]]) -> list[str]:
    """Describe the conversations that were left out, a line for each reason.

    >>> describe_left_out({"the pack 'x' is not served": ["t1", "t2"]})
    ["2 left out: the pack 'x' is not served (t1, t2)"]
    """
    lines: list[str] = []
    for reason, ids in sorted(left_out.items()):
        more = ", …" if len(ids) > NAMED_LEFT_OUT else ""
        named = ", ".join(ids[:NAMED_LEFT_OUT])
        lines.append(f"{len(ids):,} left out: {reason} ({named}{more})")
    return lines


def list_rows(replay: ConversationReplay) -> list[list[Any]]:
    """List a conversation's turns as rows of the CSV file."""
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
    """Convert a conversation's replay to its entry in report.json."""
    return {
        "conversation_id": replay.conversation_id,
        "repairs": list(replay.repairs),
        **({"left_out": replay.left_out} if replay.left_out else {}),
        "turns": [
            {
                "outcome": turn.outcome,
                "path": list(turn.path),
                "requests": list(turn.fingerprints),
                **(describe_divergence(turn.divergence) if turn.divergence else {}),
            }
            for turn in replay.turns
        ],
    }


def describe_divergence(found: Divergence) -> dict[str, Any]:
    """Describe a divergence and its most likely cause for report.json."""
    cause = find_cause(found)
    return {
        "divergence": found.to_json(),
        "cause": {"kind": cause.kind, "sentence": cause.sentence},
    }
