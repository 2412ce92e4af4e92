"""A model as judge: which of two answers is better, asked twice with the order swapped.

Models prefer a place in the order; a preference that does not survive the swap is a tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal, TypedDict, get_args

import orjson

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.base.messages.object_schema import make_object_schema
from plainloop.agent.base.text.cleaning import cut_text
from plainloop.agent.base.text.json_text import parse_json_object
from plainloop.agent.core.context import RequestContext
from plainloop.agent.core.llm import ModelCall, call_model
from plainloop.agent.core.spec import Pack
from plainloop.agent.designs.base import NodeTable
from plainloop.agent.errors import ConflictError, InputError
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, JsonSchema
from plainloop_lab.replay.engine.closed_store import ClosedStore
from plainloop_lab.replay.engine.context import NOBODY, make_replay_context

from ..live.lane import Lane, LaneLedger, TurnResult
from ..live.paid_calls import PaidCalls, PaidModels
from ..live.plan import CANDIDATE
from ..store.replays import Item
from .comparison import RECORDING, ComparedReplay, TurnComparison
from .recorded_side import load_stored_side

RUBRIC: Final = (
    "1. Does it do, or answer, what the user asked for?\n"
    "2. Is everything in it supported by the conversation and the tools' results?\n"
    "3. Does it call the right tools, with the right arguments, and nothing harmful?\n"
    "4. Is it clear to the user what was done and what comes next?"
)
EARLIER_TURNS: Final = 6  # of the conversation, that the judge sees
TEXT_CHARS: Final = 6_000  # of each answer, and the newest ones of the earlier turns
MAX_TOKENS: Final = 2_000
VERDICT: Final = JsonSchema(
    "preference",
    make_object_schema(
        {"reason": {"type": "string"}, "winner": {"type": "string", "enum": ["A", "B", "tie"]}}
    ),
)

Winner = Literal["candidate", "reference", "tie"]
Answer = Literal["A", "B", "tie"]
UNREAD: Final = "The judgement could not be read."
UNSEEN: Final = f"The answers differ only after their first {TEXT_CHARS:,} characters."


class Judgement(TypedDict):
    """The judge's verdict on the answers to one turn.

    winner None: one of both verdicts could not be read; then it is "". reasons, answers (A, B or
    tie): of both orders, the reference first in the first one; answers [] where no model was
    called: both sides are the same (a tie), or are in all that a judge would see (None).
    """

    turn: int
    winner: Winner | None
    reasons: list[str]
    answers: list[str]


async def judge_item(
    store: Store,
    tenant_id: str,
    item: Item,
    lanes: Sequence[str],
    lane: Lane,
    paid_calls: PaidCalls,
) -> list[Judgement]:
    """Judge every turn of a conversation that both sides answered, with a model.

    lane: the judge's own variant; lanes: those that are judged.

    Raises: ConflictError when a side has no result, ModelError.
    """
    compared = ComparedReplay(store, tenant_id, item.replay_id, lanes)
    found = await compared.load(item.n)
    if found["unfinished"]:
        raise ConflictError(
            "the baseline or the candidate has no answer to judge yet",
            hint="Wait until the replay has ended.",
            code="REPLAY_UNFINISHED",
        )
    user_id, before = await _load_before(store, tenant_id, item)
    ledger = LaneLedger(store, paid_calls)
    ctx = make_replay_context(
        ClosedStore([], {}, lambda commit: None, ledger),
        PaidModels(lane.models, paid_calls),
        Pack("judge", "Judge", (), "judge", ()),
        NodeTable({}, "judge"),
        lane.settings,
        0,
        tenant_id=tenant_id,
        user_id=user_id,
        run_id="",
    )
    ctx.journal.begin_step(0, "judge")
    rubric = lane.prompts.get("judge", RUBRIC)
    reference = compared.reference
    judged: list[Judgement] = []
    for place, turn in enumerate(found["turns"]):
        if {reference, CANDIDATE} <= set(turn["lanes"]):
            paid_calls.begin_turn(turn["turn"])
            said = [(t["user"], t["lanes"][RECORDING]["text"]) for t in found["turns"][:place]]
            earlier = [*before, *said]  # as it was recorded: the same for both sides
            judged.append(await judge_turn(turn, earlier, reference, rubric, ctx))
            if paid_calls.stop is not None:
                raise paid_calls.stop
    return judged


async def _load_before(
    store: Store, tenant_id: str, item: Item
) -> tuple[str, list[tuple[str, str]]]:
    """Load (the conversation's user id, its turns before one that is replayed alone)."""
    if item.thread_id is None:
        return NOBODY, []
    runs = await store.list_runs(tenant_id, item.thread_id)
    if not runs or item.conversation is None:
        return runs[0].user_id if runs else NOBODY, []
    recorded, said = await load_stored_side(store, tenant_id, item.thread_id)
    begun = [run.run_id for run in runs if run.status != "queued"]
    alone = begun.index(item.conversation["run_id"])
    pairs = [(said[turn["turn"]], turn["text"]) for turn in recorded if turn["turn"] < alone]
    return runs[0].user_id, pairs


async def judge_turn(
    turn: TurnComparison,
    before: Sequence[tuple[str, str]],
    reference: str,
    rubric: str,
    ctx: RequestContext,
) -> Judgement:
    """Let a model judge which of two answers to a turn is better.

    The model is not called if it would see no difference. before: the conversation's earlier turns,
    as (user's message, answer).
    """
    whole = [_describe_side(turn["lanes"][lane]) for lane in (reference, CANDIDATE)]
    if whole[0] == whole[1]:
        return {"turn": turn["turn"], "winner": "tie", "reasons": [], "answers": []}
    sides = [cut_text(text, TEXT_CHARS) for text in whole]
    if sides[0] == sides[1]:  # not alike, but nobody can say which is better
        return {"turn": turn["turn"], "winner": None, "reasons": [UNSEEN], "answers": []}
    earlier = render_earlier(before)
    answers = [
        await _ask(build_request(rubric, earlier, turn["user"], *order), ctx)
        for order in (sides, sides[::-1])
    ]
    return {
        "turn": turn["turn"],
        "winner": decide(answers[0][0], answers[1][0]),
        "reasons": [reason for _, reason in answers],
        "answers": [answer for answer, _ in answers],
    }


def decide(first: str, swapped: str) -> Winner | None:
    """Decide which side won a turn from the judge's verdicts in both orders.

    Contradicting verdicts are a tie. first: with the reference as A. swapped: with the candidate as
    A. None: not read, so nothing.

    >>> decide("B", "A"), decide("A", "B"), decide("A", "A"), decide("B", "tie")
    ('candidate', 'reference', 'tie', 'tie')
    >>> decide("B", "")
    """
    if not first or not swapped:
        return None
    if (first, swapped) == ("B", "A"):
        return "candidate"
    return "reference" if (first, swapped) == ("A", "B") else "tie"


def render_earlier(before: Sequence[tuple[str, str]]) -> str:
    """Render the turns before the judged one as text, for the judge's request.

    Of a long text only the end is kept.
    """
    lines = [f"User: {user}\nAssistant: {answer}" for user, answer in before[-EARLIER_TURNS:]]
    text = "\n".join(lines)
    return text if len(text) <= TEXT_CHARS else "…" + text[1 - TEXT_CHARS :]


def build_request(rubric: str, earlier: str, user: str, one: str, other: str) -> ChatRequest:
    """Build the judge model's request: rubric, conversation, user's request, answers A and B."""
    text = "\n\n".join(
        (
            f"Conversation before:\n{earlier or '(none)'}",
            f"The user's request:\n{cut_text(user, TEXT_CHARS)}",
            f"Answer A:\n<answer>\n{one}\n</answer>",
            f"Answer B:\n<answer>\n{other}\n</answer>",
        )
    )
    return ChatRequest(
        system=read_prompt().format(rubric=rubric),
        messages=[make_text_message("user", text)],
        json_schema=VERDICT,
        max_tokens=MAX_TOKENS,
    )


@cache
def read_prompt() -> str:
    """Load the judge's prompt from `judge.md`."""
    return Path(__file__).with_name("judge.md").read_text(encoding="utf-8").strip()


async def _ask(request: ChatRequest, ctx: RequestContext) -> tuple[str, str]:
    """Call the judge model; return (`A`, `B` or `tie`, its reason), or "" if it cannot be read."""
    try:
        response = await call_model(ModelCall("evaluator", request, [], request.messages), ctx)
    finally:
        await ctx.journal.settle_now(ctx.tenant_id)
    try:
        answer = parse_json_object(response.text)
    except InputError:
        return "", UNREAD
    winner = str(answer.get("winner"))
    return (winner, str(answer.get("reason", ""))) if winner in get_args(Answer) else ("", UNREAD)


def _describe_side(result: TurnResult) -> str:
    """Describe what a side did and wrote, without what reveals the side: models, cost, time."""
    tools = [
        f"{use['name']} {orjson.dumps(use['arguments'], option=orjson.OPT_SORT_KEYS).decode()}"
        for use in result["tools"]
    ]
    called = f"(tools called: {'; '.join(tools)})\n" if tools else ""
    ended = f"\n(ended by {result['error']})" if result["error"] else ""
    return f"{called}{result['text']}{ended}"
