"""The conditional evaluator: a deterministic check first, the model's verdict second.

name.evaluator ──pass──► END          ──retry, with feedback──► name
├─retries used up: the best answer so far, with a note─► END
└─no verdict: not to be read, asked twice, or the call failed: this answer, with a note─► END
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal, TypedDict

import orjson

from ..base.foreign_json import as_object
from ..base.json_text import parse_json_object
from ..base.messages import get_request_message, get_text, get_turn, get_words, make_text_message
from ..base.object_schema import make_object_schema
from ..base.output_sizes import REVIEW
from ..base.tables import compact_json
from ..base.text import cut_text
from ..core.answers import is_draft, make_answer_stream
from ..core.context import Node, RequestContext, quiet
from ..core.llm import ModelCall, call_model, count_tokens_used
from ..core.policy import estimate_review
from ..core.spec import Check, WorkerSpec
from ..core.state import END, AgentState
from ..errors import InputError, ModelError
from ..types import ChatRequest, JsonSchema, Message, Tokens, Update

VERDICT_MAX_TOKENS: Final = 3_000  # the verdict takes 300; models that think first need the room
MATERIAL_CHARS: Final = 6000  # of the turn's tool results that the reviewer sees
NOT_PASSED: Final = "_Note: this answer did not pass the review: {reason}_"
NOT_REVIEWED: Final = "_Note: this answer was not reviewed: {reason}_"
UNREAD: Final = "what the reviewer said could not be read"
VERDICT_SCHEMA: Final = JsonSchema(
    "verdict",
    make_object_schema(
        {
            "verdict": {"type": "string", "enum": ["pass", "retry"]},
            "feedback": {"type": "string"},
            "score": {"type": "number"},
        }
    ),
)


class Verdict(TypedDict):
    """A judgement of one draft. `score` 0..1 ranks drafts when none passes."""

    verdict: Literal["pass", "retry"]
    feedback: str
    score: float


def make_evaluator_node(spec: WorkerSpec) -> Node:
    """The node that judges the worker's last answer. Next: END or the worker again."""

    async def evaluator(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        check = await spec.check(state, ctx) if spec.check else Check()
        tokens: Tokens = {"in": 0, "out": 0}
        verdict: Verdict | None = None
        unread = UNREAD
        if check.problems:
            verdict = judge_problems(check)
            reason = f"the check found {len(check.problems)} problems: no model needed"
            known = ctx.models.resolve("evaluator", spec.name).outputs.get_mean(spec.name, REVIEW)
            ctx.journal.avoid("evaluator", reason, estimate_review(state["messages"], known))
        else:
            request = build_verdict_request(state, ctx.pack.prompts.get("verdict"))
            call = ModelCall("evaluator", request, [], request.messages, spec.name)
            try:
                response = await call_model(call, ctx)
                tokens, verdict = count_tokens_used(response.usage), read_verdict(response.text)
            except ModelError as error:  # the answer is there: it is given without a review
                unread = f"the reviewer failed: {error.public_message}"
        found: dict[str, Any] = state["result"] or {}
        if verdict is None:
            ctx.journal.note(f"not reviewed: {unread}")
            at, note = len(state["messages"]) - 1, NOT_REVIEWED.format(reason=unread)
            return {"tokens": tokens, "messages": [await _give(spec, state, at, note, ctx)]}, END
        verdicts = [*found.get("verdicts", []), verdict]
        ctx.journal.note(f"verdict {verdict['verdict']}, score {verdict['score']:g}")
        update: Update = {"tokens": tokens, "result": {"verdicts": verdicts}}
        if verdict["verdict"] == "pass":
            if spec.accept is not None:
                await spec.accept(state, ctx, get_text(state["messages"][-1]), True, check)
            return update, END
        if len(verdicts) <= ctx.limits.evaluator_retries:
            return {**update, "feedback": verdict["feedback"]}, spec.name
        message = await _give_best(spec, state, verdicts, ctx)
        return {**update, "messages": [message]}, END

    return evaluator if spec.check else quiet(evaluator)


def judge_problems(check: Check) -> Verdict:
    """The verdict that a failed check amounts to; fewer problems rank higher."""
    return {
        "verdict": "retry",
        "feedback": "\n".join(f"- {problem}" for problem in check.problems),
        "score": 0.5 / (1 + len(check.problems)),
    }


def read_verdict(text: str) -> Verdict | None:
    """The model's JSON as a verdict; None where it says neither."""
    try:
        answer = parse_json_object(text)
        verdict = answer["verdict"]
    except (InputError, KeyError):
        return None
    if verdict not in ("pass", "retry"):
        return None
    try:
        score = min(1.0, max(0.0, float(answer.get("score") or 0)))
    except (TypeError, ValueError, OverflowError):
        score = 0.0
    return {"verdict": verdict, "feedback": str(answer.get("feedback") or ""), "score": score}


def build_verdict_request(state: AgentState, prompt: str | None = None) -> ChatRequest:
    """Request, criteria, material and answer as one message. prompt: instead of our own."""
    messages = state["messages"]
    text = "\n\n".join(
        (
            f"Request:\n{get_words(get_request_message(messages))}",
            f"Success criteria:\n{state['success_criteria'] or 'Answers the request.'}",
            f"Material:\n{_describe_material(messages)}",
            f"Answer:\n<answer>\n{get_text(messages[-1])}\n</answer>",
        )
    )
    return ChatRequest(
        system=prompt or _read_prompt(),
        messages=[make_text_message("user", text)],
        json_schema=VERDICT_SCHEMA,
        max_tokens=VERDICT_MAX_TOKENS,
    )


def _describe_material(messages: list[Message]) -> str:
    """The turn's results; what a retry has read again is there once."""
    results: dict[str, None] = {}
    parts = (part for message in get_turn(messages) for part in message["parts"])
    for part in parts:
        if part["type"] == "tool_result":
            values = [*as_object(part["result"]).values()]
            # A lone text as it reads, without the escapes of JSON; all else as workers read it.
            is_text = len(values) == 1 and isinstance(values[0], str)
            said = values[0] if is_text else compact_json(orjson.dumps(part["result"]).decode())
            results[f"{part['name']}: {said}"] = None
    return cut_text("\n".join(results), MATERIAL_CHARS) or "(none)"


async def _give_best(
    spec: WorkerSpec, state: AgentState, verdicts: list[Verdict], ctx: RequestContext
) -> Message:
    """The best draft so far, said to have not passed; stored as such."""
    messages = state["messages"]
    drafts = [i for i in range(len(messages)) if is_draft(messages[i])]
    best = max(range(len(verdicts)), key=lambda i: (verdicts[i]["score"], i))
    at = drafts[best - len(verdicts)]
    reason = " ".join(verdicts[best]["feedback"].split()) or "no reason was given"
    ctx.journal.note(f"retries used up: draft {best + 1} of {len(verdicts)} is given")
    return await _give(spec, state, at, NOT_PASSED.format(reason=reason), ctx)


async def _give(
    spec: WorkerSpec, state: AgentState, at: int, note: str, ctx: RequestContext
) -> Message:
    """The draft at this place with a note below it, stored as one that did not pass."""
    messages = state["messages"]
    draft = get_text(messages[at])
    if spec.accept is not None:
        # As the state was when the draft had been written: its check is not the last one's.
        then: AgentState = {**state, "messages": messages[: at + 1]}
        check = await spec.check(then, ctx) if spec.check else Check()
        await spec.accept(then, ctx, draft, False, check)
    is_json = "is_json" in messages[at]["parts"][-1]  # a note would not be of its shape
    said = messages[at] if is_json else make_text_message("assistant", f"{draft}\n\n{note}")
    return make_answer_stream(messages, ctx).settle(said)


@lru_cache(maxsize=1)
def _read_prompt() -> str:
    return Path(__file__).with_name("verdict.md").read_text(encoding="utf-8").strip()
