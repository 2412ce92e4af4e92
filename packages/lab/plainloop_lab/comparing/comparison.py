"""A live replay's conversations, one after the other: the recording, each lane, what is worse."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NotRequired, TypedDict

import orjson

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import NotFoundError
from plainloop.agent.store.store import Store
from plainloop_lab.replay.sources.openai_format import parse_conversation

from ..live.lane import TurnResult
from ..live.paid_calls import REPLAY_CHANGED
from ..live.plan import BASELINE, CANDIDATE, DRIFT, JUDGE, LivePlan
from ..store import replays as store_replays
from ..store.replays import ItemResult, ReplayInfo, Verdict
from .differences import are_alike
from .measures import (
    JUDGED,
    MEASURES,
    TAKEN,
    Change,
    choose_ignored,
    list_changes,
    measure_turn,
    rate_likeness,
    rate_severity,
)
from .recorded_side import build_imported_side, load_stored_side

RECORDING: Final = "recording"
NOT_RUN: Final = "not run"  # of a replay that ended before
PAGE: Final = 20  # conversations in memory at once
PREFERENCES: Final = {"candidate": 1.0, "tie": 0.5, "reference": 0.0}
# What the console calls threads without a question.
KINDS: Final = {"onboarding": "Interview", "parse": "Reading of a file", "helper": "Helper"}
UNFINISHED_SEVERITY: Final = 1_000.0  # the candidate's conversation has no result at all


class PersonNote(TypedDict):
    """One person's verdict and reason. turns: by turn, `{"verdict", "note"}`. seen: as in
    `PersonVerdict`.
    """

    user_id: str
    verdict: Verdict
    note: str
    turns: dict[str, dict[str, str]]
    seen: str | None


class Chat(TypedDict):
    """The parts of a stored thread's name. created_at: ISO 8601."""

    title: str
    kind: str
    user_id: str
    created_at: str


class TurnComparison(TypedDict):
    """One turn on all sides. lanes and measures: by lane, the recording among them.

    worse and better: of the candidate, against the reference lane.
    """

    turn: int
    user: str
    lanes: dict[str, TurnResult]
    measures: dict[str, dict[str, float]]
    worse: list[Change]
    better: list[Change]
    judgement: dict[str, Any] | None  # `judge.Judgement`; None: nobody judged
    people: NotRequired[Verdict]  # what most people say of this answer of the candidate
    # The reference's answer was bought at another time, so that the two times tell nothing.
    is_untimed: NotRequired[bool]


class Comparison(TypedDict):
    """One conversation. unfinished: by lane, why there is no result of it. task: of a run that was
    replayed alone, its thread: what turns of one thread have in common is seen once. people: what
    most of them say of the candidate, held against the reference; verdicts: what each of them says,
    and why. chat: the stored thread that it comes from. left_out: turns of the recording
    without a whole end, where the candidate is held against it. drift: where it was looked for, how
    much more alike today's answer is to the recorded one than to today's second (the noise).
    """

    n: int
    conversation_id: str
    task: NotRequired[str]
    tags: NotRequired[list[str]]
    people: NotRequired[Verdict]
    verdicts: NotRequired[list[PersonNote]]
    chat: NotRequired[Chat]
    drift: NotRequired[float]
    left_out: NotRequired[list[dict[str, Any]]]  # turns: {"turn", "ended"}; no reference
    severity: float
    unfinished: dict[str, dict[str, str]]
    turns: list[TurnComparison]


def name_conversation(found: Comparison) -> str:
    """Name a conversation for people: its first question, else its title or what it is.

    Never its id: one without these, whose chat was deleted, is named by its place.
    """
    chat = found.get("chat")
    said = next((turn["user"] for turn in found["turns"] if turn["user"].strip()), "")
    if said or chat is None:
        return said or f"Conversation {found['n'] + 1}"
    if chat["title"] or chat["kind"] == "chat":
        return chat["title"] or "New chat"
    day = datetime.fromisoformat(chat["created_at"])
    return f"{KINDS.get(chat['kind'], 'Chat')} of {chat['user_id']}, {day.day} {day:%B %Y}"


def is_empty(found: Comparison) -> bool:
    """Whether a conversation has no answer to compare: none was recorded, or its chat was deleted.

    It counts nowhere, unless a side failed in it.
    """
    unfinished = found["unfinished"].values()
    return not found["turns"] and all(why["status"] != "failed" for why in unfinished)


def differs(found: Comparison, reference: str) -> bool:
    """Whether people can judge a conversation: some answer that both sides gave is not alike."""
    return any(differs_in(turn, reference) for turn in found["turns"])


def differs_in(turn: TurnComparison, reference: str) -> bool:
    """Whether both sides answered a turn, and not alike."""
    one, other = (turn["lanes"].get(lane) for lane in (reference, CANDIDATE))
    return one is not None and other is not None and not are_alike(one, other)


def choose_reference(lanes: Sequence[str]) -> str:
    """Return the side to compare the candidate with.

    It is the baseline if there is one, else the recording.
    """
    return BASELINE if BASELINE in lanes else RECORDING


@dataclass(frozen=True, slots=True)
class ComparedReplay:
    """A live replay of which some variants are compared. ignored: measures that do not count."""

    store: Store
    tenant_id: str
    replay_id: str
    lanes: Sequence[str]
    ignored: Collection[str] = ()
    has_ended: bool = False  # what is still queued then does not run
    reuses: bool = False  # the baseline takes answers of earlier replays

    @classmethod
    def of(cls, store: Store, tenant_id: str, info: ReplayInfo) -> ComparedReplay:
        """Prepare a replay for comparison, with all its variants and the judge's."""
        plan = LivePlan.from_json(info.candidate)
        ignored = choose_ignored(plan.lanes[CANDIDATE].design)
        has_ended = info.ended_at is not None
        reuses = bool(plan.answers_from)
        return cls(store, tenant_id, info.replay_id, [*plan.all_lanes], ignored, has_ended, reuses)

    @property
    def reference(self) -> str:
        """Return the name of the side that the candidate is compared with."""
        return choose_reference(self.lanes)

    async def list_all(self, start: int = 0) -> AsyncGenerator[Comparison]:
        """Yield the comparison of every conversation, in the source's order.

        Conversations are loaded page by page. start: the position of the first one.
        """
        while True:
            page = await self._load_page(start, PAGE)
            for source, items in page:
                yield await self._compare_source(source, items)
            if len(page) < PAGE:
                return
            start = page[-1][0]["n"] + 1

    async def load(self, n: int) -> Comparison:
        """Load one conversation's comparison by its position.

        Raises: NotFoundError when it is not part of the replay any more.
        """
        page = await self._load_page(n, 1)
        if not page or page[0][0]["n"] != n:
            raise NotFoundError(
                f"the conversation {n} no longer exists", hint="Start a new replay without it."
            )
        return await self._compare_source(*page[0])

    async def _load_page(
        self, start: int, count: int
    ) -> list[tuple[Mapping[str, Any], dict[str, ItemResult]]]:
        """Load a page of (a conversation's source, its results by variant) from a position on."""
        place = self.replay_id, self.lanes[0], start, count
        items: dict[int, dict[str, ItemResult]] = {}
        async with self.store.transaction(self.tenant_id) as tx:
            sources = await store_replays.list_sources(tx, *place)
            for lane in self.lanes:
                place = self.replay_id, lane, start, count
                for item in await store_replays.list_results(tx, *place):
                    items.setdefault(item.n, {})[lane] = item
        return [(source, items.get(source["n"], {})) for source in sources]

    async def _compare_source(
        self, source: Mapping[str, Any], items: Mapping[str, ItemResult]
    ) -> Comparison:
        thread_id: str | None = source["thread_id"]
        run_id: str | None = None
        if thread_id is None:
            line = orjson.dumps(source["conversation"] or {})
            imported = parse_conversation(line, 1, repair=True)
            said = {n: get_text(turn.user) for n, turn in enumerate(imported.turns)}
            name, recorded = imported.conversation_id, build_imported_side(imported)
        else:
            alone: dict[str, Any] = source["conversation"] or {}
            run_id = alone.get("run_id")
            recorded, said = await load_stored_side(self.store, self.tenant_id, thread_id, run_id)
            name = run_id or thread_id
        # Of long answers it takes a second: in the event loop all requests would wait for it.
        sides = (said, recorded, items, self.ignored)
        found = await asyncio.to_thread(compare_conversation, source["n"], name, *sides)
        for why in found["unfinished"].values():
            if self.has_ended and why["status"] == "queued":
                why["status"] = NOT_RUN
        if thread_id is not None and run_id is not None:
            found["task"] = thread_id
        if source["tags"]:
            found["tags"] = source["tags"]
        if (balance := source["balance"]) is not None:
            found["people"] = _to_verdict(balance)
        if source["chat"]:
            found["chat"] = source["chat"]
        judged: list[PersonNote] = source["judged"] or []
        if judged:
            found["verdicts"] = judged
        for turn in found["turns"]:
            then = turn["lanes"].get(self.reference)
            if self.reference == RECORDING or (self.reuses and then and "shared" in then):
                turn["is_untimed"] = True
            place = str(turn["turn"])
            verdicts = [it["turns"][place]["verdict"] for it in judged if place in it["turns"]]
            if verdicts:
                turn["people"] = _to_verdict(verdicts.count("better") - verdicts.count("worse"))
        return found


def _to_verdict(balance: int) -> Verdict:
    return "better" if balance > 0 else "worse" if balance < 0 else "same"


def compare_conversation(
    n: int,
    conversation_id: str,
    said: Mapping[int, str],
    recorded: Sequence[TurnResult],
    items: Mapping[str, ItemResult],
    ignored: Collection[str] = (),
) -> Comparison:
    """Compare a conversation's turns on all sides: the recording and each variant.

    said: the user's message by turn. items: results by variant.
    """
    results: dict[str, dict[int, Any]] = {
        lane: {turn["turn"]: turn for turn in item.result["turns"]}
        for lane, item in items.items()
        if item.result is not None
    }
    judged = results.pop(JUDGE, {})
    drift = _find_drift(recorded, *(results.pop(lane, {}) for lane in DRIFT))
    reference = choose_reference(list(items))
    left_out = [
        {"turn": turn["turn"], "ended": ended}
        for turn in recorded
        if reference == RECORDING and (ended := turn.get("ended")) is not None
    ]
    left = {item["turn"] for item in left_out}
    kept = (turn for turn in recorded if turn["turn"] not in left)
    recorded = [turn for turn in kept if "is_empty" not in turn]
    turns = [
        _compare_turn(
            said.get(turn["turn"], ""), turn, results, reference, judged.get(turn["turn"]), ignored
        )
        for turn in recorded
    ]
    unfinished = {
        lane: {
            "status": "cancelled" if item.error_code == REPLAY_CHANGED else item.status,
            "code": item.error_code or "",
            "message": item.error_message or "",
        }
        for lane, item in items.items()
        if item.result is None and lane not in DRIFT
    }
    # What is still open, was stopped or cannot be resumed is not the candidate's fault.
    is_failed = unfinished.get(CANDIDATE, {}).get("status") == "failed"
    severity = sum(rate_severity(turn["worse"]) for turn in turns)
    found: Comparison = {
        "n": n,
        "conversation_id": conversation_id,
        "severity": severity + (UNFINISHED_SEVERITY if is_failed else 0),
        "unfinished": unfinished,
        "turns": turns,
    }
    if left_out:
        found["left_out"] = left_out
    return found if drift is None else {**found, "drift": drift}


def _find_drift(recorded: Sequence[TurnResult], *lanes: Mapping[int, TurnResult]) -> float | None:
    found = [(then, [lane.get(then["turn"]) for lane in lanes]) for then in recorded]
    gains = [
        rate_likeness(one, then) - rate_likeness(one, other)
        for then, (one, other) in found
        if one and other
    ]
    return sum(gains) / len(gains) if gains else None


def count_bought(turn: TurnResult) -> int:
    """Count the model calls of a turn that were bought.

    Shared answers, which were paid for elsewhere, do not count.
    """
    return (turn["calls"] or 0) - (turn["shared"]["calls"] if "shared" in turn else 0)


def _compare_turn(
    user: str,
    recorded: TurnResult,
    results: Mapping[str, Mapping[int, TurnResult]],
    reference: str,
    judgement: dict[str, Any] | None,
    ignored: Collection[str],
) -> TurnComparison:
    n = recorded["turn"]
    lanes = {RECORDING: recorded} | {
        lane: turns[n] for lane, turns in results.items() if n in turns
    }
    measures = {lane: measure_turn(turn, recorded) for lane, turn in lanes.items()}
    if reference in measures and CANDIDATE in lanes and not count_bought(lanes[CANDIDATE]):
        taken = (m.name for m in MEASURES if m.unit in TAKEN and m.name in measures[reference])
        measures[CANDIDATE] |= {name: measures[reference][name] for name in taken}
    worse: list[Change] = []
    better: list[Change] = []
    if CANDIDATE in measures and reference in measures:
        if judgement is not None and judgement["winner"] is not None:
            measures[reference] |= {JUDGED: 0.5}
            measures[CANDIDATE] |= {JUDGED: PREFERENCES[judgement["winner"]]}
        worse, better = list_changes(measures[reference], measures[CANDIDATE], ignored)
    return {
        "turn": n,
        "user": user,
        "lanes": lanes,
        "measures": measures,
        "worse": worse,
        "better": better,
        "judgement": judgement,
    }
