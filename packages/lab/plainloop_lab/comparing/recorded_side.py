"""What was recorded, in the form of a lane's own results: the side that lanes are held against."""

from __future__ import annotations

from collections.abc import Sequence

from plainloop.agent.base.messages.contents import get_answer, get_text, list_calls
from plainloop.agent.errors import LimitReached
from plainloop.agent.store.outcomes.ratings import Thumb, list_ratings
from plainloop.agent.store.records import CallInfo, RunInfo, StepInfo
from plainloop.agent.store.store import Store
from plainloop.agent.types import TOKEN_BUCKETS
from plainloop_lab.replay.sources.conversations import Conversation, Turn
from plainloop_lab.replay.sources.recording import build_react_turn

from ..live.labels import label_efforts
from ..live.lane import (
    UNANSWERED,
    TurnResult,
    read_review,
    sum_by_model,
    sum_costs,
    sum_known_tokens,
)
from ..live.routing import list_queries


def build_imported_side(conversation: Conversation) -> list[TurnResult]:
    """Convert an imported conversation's answered turns to results of a variant.

    Its source states neither tokens nor times.
    """
    rated: dict[int, Thumb] = {item.turn: item.rating for item in conversation.ratings}
    return [
        _build_turn(n, turn, rated.get(n))
        for n, turn in enumerate(conversation.turns)
        if turn.recorded  # what a live replay answers
    ]


async def load_stored_side(
    store: Store, tenant_id: str, thread_id: str, run_id: str | None = None
) -> tuple[list[TurnResult], dict[int, str]]:
    """Load a stored thread's turns for a comparison.

    Returns (results of the turns, the user's messages by turn). Both are empty when the thread was
    erased or has no run yet.

    run_id: only this one, as turn 0; also when it failed before anything was answered.
    """
    messages = await store.load_messages(tenant_id, thread_id)
    runs = [r for r in await store.list_runs(tenant_id, thread_id) if r.status != "queued"]
    if not runs:
        return [], {}
    ratings = await list_ratings(store.read(tenant_id), thread_id)
    rated: dict[str, Thumb] = {rating.run_id: rating.rating for rating in ratings}
    ends = [*(run.input_position for run in runs[1:]), len(messages)]
    sides: list[TurnResult] = []
    said: dict[int, str] = {}
    places = [*zip(runs, ends, strict=True)]
    if run_id is not None:
        places = [(run, end) for run, end in places if run.run_id == run_id]
    for n, (run, end) in enumerate(places):
        made = messages[run.input_position + 1 : end]
        said[n] = get_text(messages[run.input_position])
        if not made and run_id is None and run.status == "succeeded":
            continue
        steps = await store.load_steps(tenant_id, run.run_id)
        calls = await store.list_calls(tenant_id, run.run_id)
        turn = Turn(messages[run.input_position], tuple(made))
        rating = rated.get(run.run_id)
        side = _build_stored_turn(n, run, turn, steps, calls, rating)
        sides.append(side if made or run_id is not None else {**side, "is_empty": True})
    return sides, said


def _build_turn(n: int, turn: Turn, rating: Thumb | None) -> TurnResult:
    found: TurnResult = {
        "turn": n,
        "path": [step.node for step in build_react_turn(turn).steps],
        "tools": [
            {"name": call["name"], "arguments": call["arguments"], "served": "then"}
            for message in turn.recorded
            for call in list_calls(message)
        ],
        "text": get_answer([turn.user, *turn.recorded]),
        "calls": None,
        "models": [],
        "tokens": dict.fromkeys(TOKEN_BUCKETS),
        "cost_usd": None,
        "duration_ms": None,
        "error": None,
        "verdicts": [],
        "problems": None,
    }
    if not turn.is_answered:
        found["ended"] = UNANSWERED
    return found if rating is None else {**found, "rating": rating}


def _build_stored_turn(
    n: int,
    run: RunInfo,
    turn: Turn,
    steps: Sequence[StepInfo],
    calls: Sequence[CallInfo],
    rating: Thumb | None,
) -> TurnResult:
    verdicts, problems = read_review(steps)
    built = _build_turn(n, turn, rating)
    if run.status != "succeeded":
        built["ended"] = run.status
    else:
        built.pop("ended", None)  # an answer may end with a tool's result
    answered = [call for call in calls if call.status == "succeeded"]
    sent = [(f"{call.provider}:{call.model}", call.effort) for call in answered]
    if efforts := label_efforts(sent):
        built["efforts"] = efforts
    if by_model := sum_by_model([(f"{call.provider}:{call.model}", call) for call in answered]):
        built["by_model"] = by_model
    return {
        **built,
        "path": [step.node for step in steps],
        "calls": len(answered),
        "models": sorted({f"{call.provider}:{call.model}" for call in answered}),
        "tokens": {name: sum_known_tokens(answered, name) for name in TOKEN_BUCKETS},
        "cost_usd": sum_costs([call.cost_usd for call in answered]),
        "duration_ms": sum(step.duration_ms for step in steps),
        "error": LimitReached.code if run.status == "limit" else run.error_code,
        "queries": list_queries(steps),
        "verdicts": verdicts,
        "problems": problems,
    }
