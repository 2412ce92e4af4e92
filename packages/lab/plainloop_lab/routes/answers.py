"""`…/answers`: a live replay's answers that differ, the worst first, each with its own page."""

from __future__ import annotations

import asyncio
import heapq
from contextlib import aclosing
from typing import Final

from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.errors import NotFoundError

from ..comparing.comparison import ComparedReplay, TurnComparison, differs_in
from ..comparing.differences import describe_differences
from ..comparing.measures import rate_severity
from ..live.plan import CANDIDATE
from ..report.live_report import SAID_CHARS
from ..store import replays as store_replays
from .conversations import ALL, open_own, read_place, require_difference
from .shapes import (
    AnswersQuery,
    ListedAnswer,
    ListedAnswers,
    NewVerdict,
    PeopleVerdicts,
    ReplayAnswer,
)

ANSWERS: Final = "/api/replays/{replay_id}/answers"
ONE: Final = ALL + "/{n}/turns/{turn}"
NAMES: Final = ("today", "the candidate")


def list_differences(turn: TurnComparison, reference: str) -> list[str]:
    """List in words how the candidate's turn differs from its reference.

    [] if one of the two is missing.
    """
    sides = [turn["lanes"].get(lane) for lane in (reference, CANDIDATE)]
    if sides[0] is None or sides[1] is None:
        return []
    return describe_differences(sides[0], sides[1], NAMES)


async def list_answers(request: ApiRequest, query: AnswersQuery) -> ListedAnswers:
    """List a replay's answers that differ from the reference, the worst first.

    The query's limit bounds the list.
    """
    replay = await open_own(request)
    worst: list[tuple[float, float, int, int, ListedAnswer]] = []
    differing = judged = 0
    async with aclosing(replay.list_all()) as found:
        async for comparison in found:
            # A verdict of the whole conversation, given by itself, is one of each of its answers.
            is_whole = any(not said["turns"] for said in comparison.get("verdicts", ()))
            for turn in comparison["turns"]:
                differences = await asyncio.to_thread(list_differences, turn, replay.reference)
                people = turn.get("people") or (comparison.get("people") if is_whole else None)
                differing += bool(differences)
                judged += bool(differences) and people is not None
                if not differences or (query.unjudged and people is not None):
                    continue
                n, severity = comparison["n"], rate_severity(turn["worse"])
                listed = ListedAnswer(
                    *(n, comparison["conversation_id"], turn["turn"]),
                    *(turn["user"][:SAID_CHARS], severity),
                    *([change["measure"] for change in turn["worse"]], differences[:3], people),
                )
                # Equally bad ones: the less alike first, then in the source's order.
                alike = -turn["measures"][CANDIDATE].get("similarity", 0.0)
                heapq.heappush(worst, (severity, alike, -n, -turn["turn"], listed))
                if len(worst) > query.limit:
                    heapq.heappop(worst)
    return ListedAnswers([item[-1] for item in sorted(worst, reverse=True)], differing, judged)


async def read_answer(request: ApiRequest) -> ReplayAnswer:
    """Return one answer on both sides with its differences and verdicts."""
    replay, n, turn = await _load(request)
    verdicts = await store_replays.list_verdicts(request.db, replay.replay_id, n)
    differences = await asyncio.to_thread(list_differences, turn, replay.reference)
    is_judged = differs_in(turn, replay.reference)
    return ReplayAnswer(replay.reference, n, turn, differences, is_judged, verdicts)


async def judge_answer(request: ApiRequest, body: NewVerdict) -> PeopleVerdicts:
    """Store the user's verdict on one answer, as `plainloop label` does.

    Raises: InputError if both sides are the same.
    """
    replay, n, turn = await _load(request)
    if body.verdict is not None:
        require_difference(is_there=differs_in(turn, replay.reference))
    async with request.store.transaction(request.tenant_id) as tx:
        told = (request.user_id, replay.replay_id, n, turn["turn"], body.verdict, body.note)
        await store_replays.save_turn_verdict(tx, *told, body.seen)
        return PeopleVerdicts(await store_replays.list_verdicts(tx, replay.replay_id, n))


async def _load(request: ApiRequest) -> tuple[ComparedReplay, int, TurnComparison]:
    """Load the replay and the turn that the request names. Raises: NotFoundError."""
    replay = await open_own(request)
    n, place = read_place(request, "n"), read_place(request, "turn")
    for turn in (await replay.load(n))["turns"]:
        if turn["turn"] == place:
            return replay, n, turn
    raise NotFoundError(
        f"the conversation {n} has no turn {place}", hint="Read the conversation to see its turns."
    )


ANSWER_ROUTES: Final = (
    ApiRoute("GET", ANSWERS, list_answers, "List a live replay's answers that differ, worst first"),
    ApiRoute(
        "GET", ONE, read_answer, "Read one answer on both sides, with the differences in words"
    ),
    ApiRoute(
        "PUT", ONE + "/verdict", judge_answer, "Rate the candidate's answer against the reference"
    ),
)
