"""The files of a live replay's report: JSON, CSV, and one page to look at."""

from __future__ import annotations

import asyncio
import bisect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from plainloop.agent.store.store import Store
from plainloop_lab.replay.report.report_files import ReportFiles

from ..comparing.comparison import (
    ComparedReplay,
    Comparison,
    TurnComparison,
    differs,
    is_empty,
    name_conversation,
)
from ..comparing.judge import RUBRIC
from ..comparing.measures import MEASURES, choose_ignored
from ..live.labels import list_names
from ..live.plan import CANDIDATE, JUDGE, JUDGE_EFFORT, JUDGE_MODEL, JUDGE_PROVIDER
from ..store import replays as store_replays
from ..store.replays import ReplayInfo
from .live_page import render_page
from .rules import ReplayDecision
from .sharing_tally import SharingTally
from .statistics import compare_signs
from .summary import LiveSummary

SHOWN_CONVERSATIONS: Final = 100  # on the page, the worst first; the other files have all
LISTED_REGRESSIONS: Final = 200
SAID_CHARS: Final = 200  # of what the user said first
Decide = Callable[[Mapping[str, Any]], ReplayDecision]
_TURN_COLUMNS: Final = (
    *("n", "conversation_id", "turn", "lane", "question", "answer", "error", "models", "worse"),
    *("judged_by_people", "reasons", "seen", "experiment", "verdict"),
)


class LiveReport:
    """Takes one conversation after the other. folder None: nothing is written, only counted."""

    def __init__(self, folder: Path | None, head: Mapping[str, Any], seed: int = 0) -> None:
        self._folder = folder
        self.head: dict[str, Any] = {**head, "seed": seed}
        lane = head["lanes"][CANDIDATE]
        ignored, sharing = choose_ignored(lane["design"]), SharingTally(any(lane.values()))
        is_judged = head["judge"] is not None
        self.summary = LiveSummary(list(head["lanes"]), seed, ignored, is_judged, sharing=sharing)
        self.worst: list[Comparison] = []  # in their order; of bounded number
        columns = (*_TURN_COLUMNS, *(measure.name for measure in MEASURES))
        self._files = ReportFiles(folder, columns)

    def __enter__(self) -> LiveReport:
        self._files.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._files.__exit__()

    def add(self, comparison: Comparison) -> None:
        """Add one conversation's comparison to the report's files, summary and worst ones."""
        self.summary.add(comparison)
        if is_empty(comparison):
            return
        reference = self.summary.reference

        def rank(item: Comparison) -> tuple[float, bool, int]:
            return -item["severity"], not differs(item, reference), item["n"]

        bisect.insort(self.worst, comparison, key=rank)
        del self.worst[SHOWN_CONVERSATIONS:]
        told = self.head.get("name"), self.head.get("verdict")
        self._files.add(comparison, list_rows(comparison, *told))

    def finish(self, decide: Decide | None = None) -> dict[str, Any]:
        """Write the report's files, and return the report without its conversations.

        decide: decides from the summary what heads the page and the file; None: its own verdict
        does.
        """
        worse = [
            {change["measure"] for turn in item["turns"] for change in turn["worse"]}
            for item in self.worst
        ]
        summary = self.summary.to_json()
        decision = None if decide is None else decide(summary)
        result = {
            **self.head,
            **({} if decision is None else {"decision": decision}),
            "summary": summary,
            "regressions": list_regressions(self.worst),
            "worst": [
                {
                    **{key: item[key] for key in ("n", "conversation_id", "severity")},
                    "said": name_conversation(item)[:SAID_CHARS],
                    "worse": [measure.name for measure in MEASURES if measure.name in names],
                    "differs": differs(item, self.summary.reference),
                }
                for item, names in zip(self.worst, worse, strict=True)
            ],
        }
        if self._folder is not None:  # a page of long answers takes seconds
            self._files.finish(result, render_page(result, self.worst, decision))
        return result


async def report_replay(
    store: Store,
    tenant_id: str,
    info: ReplayInfo,
    folder: Path | None,
    decide: Decide | None = None,
) -> dict[str, Any]:
    """Compare all conversations that a replay has so far, and write the report to the folder.

    decide: as in `LiveReport.finish`.

    Returns: the report without its conversations.
    """
    ledger = await store_replays.load_ledger_totals(store.read(tenant_id), info.replay_id)
    people = await load_people(store, tenant_id, info.replay_id)
    with LiveReport(folder, describe_replay(info, ledger, people)) as report:
        async for comparison in ComparedReplay.of(store, tenant_id, info).list_all():
            report.add(comparison)
        return await asyncio.to_thread(report.finish, decide)  # resampling takes a second or more


async def load_people(store: Store, tenant_id: str, replay_id: str) -> dict[str, Any]:
    """Count the conversations by people's verdict, with the p-value of a sign test."""
    people = await store_replays.count_verdicts(store.read(tenant_id), replay_id)
    return {**people, "p": compare_signs(people["better"], people["worse"])}


def describe_replay(
    info: ReplayInfo, ledger: Mapping[str, Any], people: Mapping[str, Any]
) -> dict[str, Any]:
    """Describe a replay as the header of its report: source, plan, judge, ledger, people."""
    plan = info.candidate
    judge = plan["judge"]
    if judge is not None:
        names = [judge["settings"].get(name) for name in (JUDGE_PROVIDER, JUDGE_MODEL)]
        rubric = judge["prompts"].get(JUDGE, RUBRIC)
        effort = judge["settings"].get(JUDGE_EFFORT)
        model = ":".join(name for name in names if name) + (f"@{effort}" if effort else "")
        judge = {"model": model, "rubric": rubric}
    return {
        "mode": "live",
        "name": info.source.get("name"),  # None: begun in a terminal
        "replay_id": info.replay_id,
        "status": info.status,
        "verdict": info.verdict,  # None: it is open, or not computed yet
        "created_at": info.created_at.isoformat(timespec="seconds"),
        "source": info.source["text"],
        "deleted": info.deleted,
        "history": plan["history"],
        "allow_reads": plan["allow_reads"],
        "sandbox": plan["sandbox"],
        "judge": judge,
        "lanes": {
            name: {
                "settings": lane["settings"],
                "design": lane["design"],
                "prompts": sorted(lane["prompts"]),
            }
            for name, lane in plan["lanes"].items()
        },
        # Of today: as it was when an administrator began the replay; else it is not known.
        "prompts": {
            name: {"today": info.source.get("today", {}).get(name), "candidate": text}
            for name, text in sorted(plan["lanes"][CANDIDATE]["prompts"].items())
        },
        "ledger": dict(ledger),
        "people": dict(people),
    }


def list_rows(comparison: Comparison, name: str | None, verdict: str | None) -> list[list[Any]]:
    """List a conversation's rows of the CSV file, one for each turn and variant.

    name and verdict: of the replay, repeated in each row.
    """
    return [
        [
            comparison["n"],
            comparison["conversation_id"],
            turn["turn"],
            lane,
            turn["user"],
            result["text"],
            result["error"],
            " ".join(list_names(result)),
            " ".join(change["measure"] for change in turn["worse"]) if lane == CANDIDATE else "",
            *(list_people(comparison, turn) if lane == CANDIDATE else ("",) * 3),
            *(name, verdict),
            *(_to_cell(turn["measures"][lane].get(measure.name)) for measure in MEASURES),
        ]
        for turn in comparison["turns"]
        for lane, result in turn["lanes"].items()
    ]


def list_people(comparison: Comparison, turn: TurnComparison) -> tuple[str, str, str]:
    """Return people's verdict on a turn, their reasons, and what they saw of the sides.

    Without any on the turn: those on its whole conversation.
    """
    said = comparison.get("verdicts", [])
    place = str(turn["turn"])
    own = [(it["user_id"], it["turns"][place]) for it in said if place in it["turns"]]
    notes = [(user, it["note"]) for user, it in own] or [(it["user_id"], it["note"]) for it in said]
    verdict = turn.get("people") or comparison.get("people", "")
    reasons = "; ".join(f"{user}: {note}" for user, note in notes if note)
    seen = "; ".join(f"{it['user_id']}: {it['seen']}" for it in said if it["seen"])
    return verdict, reasons, seen


def _to_cell(value: float | None) -> float | None:
    """Convert a whole number to an integer, for the CSV file.

    >>> _to_cell(21.0), _to_cell(0.5), _to_cell(None)
    (21, 0.5, None)
    """
    return int(value) if value is not None and value.is_integer() else value


def list_regressions(worst: list[Comparison]) -> list[dict[str, Any]]:
    """List the turns of these conversations in which the candidate got worse, in order."""
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
