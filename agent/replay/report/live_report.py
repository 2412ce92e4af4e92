"""The files of a live replay's report: JSON, CSV, and one page to look at."""

from __future__ import annotations

import asyncio
import csv
import heapq
import tempfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

import orjson

from ...store import replays as store_replays
from ...store.replays import ReplayInfo
from ...store.store import Store
from ..comparing.comparison import Comparison, list_comparisons
from ..comparing.judge import RUBRIC
from ..comparing.measures import MEASURES, OF_DESIGNS
from ..live.plan import CANDIDATE, JUDGE, LivePlan
from .live_page import render_page
from .recorded_report import PAGE_FILE, REPORT_FILE, TURNS_FILE
from .summary import LiveSummary

SHOWN_CONVERSATIONS: Final = 100  # on the page, the worst first; the other files have all
LISTED_REGRESSIONS: Final = 200
_TURN_COLUMNS: Final = ("n", "conversation_id", "turn", "lane", "error", "models", "worse")


@dataclass(slots=True)
class WorstConversations:
    """The worst of all that were added, of bounded number."""

    size: int = SHOWN_CONVERSATIONS
    _heap: list[tuple[float, int, Comparison]] = field(
        default_factory=list[tuple[float, int, Comparison]]
    )

    def add(self, comparison: Comparison) -> None:
        entry = (comparison["severity"], -comparison["n"], comparison)
        if len(self._heap) < self.size:
            heapq.heappush(self._heap, entry)
        else:
            heapq.heappushpop(self._heap, entry)

    def list_worst_first(self) -> list[Comparison]:
        return [entry[2] for entry in sorted(self._heap, key=lambda entry: entry[:2], reverse=True)]


class LiveReport:
    """Takes one conversation after the other. folder None: nothing is written, only counted."""

    def __init__(self, folder: Path | None, head: Mapping[str, Any], seed: int = 0) -> None:
        self.head = {**head, "seed": seed}
        self.summary = LiveSummary(list(head["lanes"]), seed)
        self.worst = WorstConversations()
        self._folder = folder
        self._lines: IO[bytes] | None = None
        self._turns: IO[str] | None = None

    def __enter__(self) -> LiveReport:
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lines = tempfile.TemporaryFile()  # what goes above them is known at the end
            self._turns = (self._folder / TURNS_FILE).open("w", newline="", encoding="utf-8")
            names = (*_TURN_COLUMNS, *(measure.name for measure in MEASURES))
            csv.writer(self._turns, lineterminator="\n").writerow(names)
        return self

    def add(self, comparison: Comparison) -> None:
        self.summary.add(comparison)
        self.worst.add(comparison)
        if self._lines is not None and self._turns is not None:
            comma = b",\n" if self.summary.conversations > 1 else b""
            self._lines.write(comma + orjson.dumps(comparison))
            rows = csv.writer(self._turns, lineterminator="\n")
            rows.writerows(list_rows(comparison))

    def __exit__(self, *_: object) -> None:
        for file in (self._lines, self._turns):
            if file is not None:
                file.close()

    def finish(self) -> dict[str, Any]:
        """Write what the whole replay came to. Returns: the report without its conversations."""
        worst = self.worst.list_worst_first()
        result = {
            **self.head,
            "summary": self.summary.to_json(),
            "regressions": list_regressions(worst),
        }
        if self._folder is not None and self._lines is not None:
            with (self._folder / REPORT_FILE).open("wb") as file:
                _write_report(file, result, self._lines)
            page = render_page(result, worst)
            (self._folder / PAGE_FILE).write_text(page, encoding="utf-8")
        return result


async def report_replay(
    store: Store, tenant_id: str, info: ReplayInfo, folder: Path | None
) -> dict[str, Any]:
    """Compare all that a replay has so far and write it to the folder.

    Returns: the report without its conversations.
    """
    async with store.transaction(tenant_id) as tx:
        ledger = await store_replays.load_ledger_totals(tx, info.replay_id)
    plan = LivePlan.from_json(info.candidate)
    lanes, ignored = list(plan.all_lanes), choose_ignored(plan)
    with LiveReport(folder, describe_replay(info, ledger)) as report:
        found: AsyncIterator[Comparison] = list_comparisons(
            store, tenant_id, info.replay_id, lanes, ignored
        )
        async for comparison in found:
            report.add(comparison)
        return await asyncio.to_thread(report.finish)  # resampling takes a second or more


def choose_ignored(plan: LivePlan) -> frozenset[str]:
    """Another design goes another way: that is what was asked for, and nothing worse."""
    return frozenset() if plan.lanes[CANDIDATE].design is None else OF_DESIGNS


def describe_replay(info: ReplayInfo, ledger: Mapping[str, Any]) -> dict[str, Any]:
    """What a reader must know before the numbers."""
    plan = info.candidate
    return {
        "mode": "live",
        "replay_id": info.replay_id,
        "status": info.status,
        "created_at": info.created_at.isoformat(timespec="seconds"),
        "source": info.source["text"],
        "history": plan["history"],
        "allow_reads": plan["allow_reads"],
        "sandbox": plan["sandbox"],
        "judge": None if plan["judge"] is None else describe_judge(plan["judge"]),
        "lanes": {
            name: {
                "settings": lane["settings"],
                "design": lane["design"],
                "prompts": sorted(lane["prompts"]),
            }
            for name, lane in plan["lanes"].items()
        },
        "ledger": dict(ledger),
    }


def describe_judge(judge: Mapping[str, Any]) -> dict[str, Any]:
    """Its model and what it judged by."""
    names = [judge["settings"].get(f"AGENT_AGENTS_EVALUATOR_{k}") for k in ("PROVIDER", "MODEL")]
    rubric = judge["prompts"].get(JUDGE, RUBRIC)
    return {"model": ":".join(name for name in names if name), "rubric": rubric}


def list_rows(comparison: Comparison) -> list[list[Any]]:
    """A row for each turn and side; what does not apply is an empty field, not 0."""
    return [
        [
            comparison["n"],
            comparison["conversation_id"],
            turn["turn"],
            lane,
            result["error"],
            " ".join(result["models"]),
            " ".join(change["measure"] for change in turn["worse"]) if lane == "candidate" else "",
            *(_to_cell(turn["measures"][lane].get(measure.name)) for measure in MEASURES),
        ]
        for turn in comparison["turns"]
        for lane, result in turn["lanes"].items()
    ]


def _to_cell(value: float | None) -> float | None:
    """A count as a count.

    >>> _to_cell(21.0), _to_cell(0.5), _to_cell(None)
    (21, 0.5, None)
    """
    return int(value) if value is not None and value.is_integer() else value


def list_regressions(worst: list[Comparison]) -> list[dict[str, Any]]:
    """Where the candidate got worse, in the order of what was given."""
    return [
        {
            "conversation_id": comparison["conversation_id"],
            "turn": turn["turn"],
            "worse": turn["worse"],
        }
        for comparison in worst
        for turn in comparison["turns"]
        if turn["worse"]
    ][:LISTED_REGRESSIONS]


def _write_report(file: IO[bytes], result: Mapping[str, Any], lines: IO[bytes]) -> None:
    """JSON whose conversations stand on a line each, after what the replay came to."""
    file.write(orjson.dumps(result, option=orjson.OPT_INDENT_2)[:-2])
    file.write(b',\n  "conversations": [\n')
    lines.seek(0)
    while chunk := lines.read(2**20):
        file.write(chunk)
    file.write(b"\n  ]\n}\n")
