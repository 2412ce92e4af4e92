"""The conditional evaluator: a deterministic check first, the model's verdict second.

name.evaluator ──pass──► END          ──retry, with feedback──► name
├─retries used up: the best answer so far, with a note─► END
└─no verdict: not to be read, asked twice, or the call failed: this answer, with a note─► END
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal, TypedDict, cast

from ..base.messages.contents import get_request_message, get_text, get_words, make_text_message
from ..base.messages.object_schema import make_object_schema
from ..base.shown.claims import choose_sources, describe_material, list_changed
from ..base.text.json_text import parse_json_object
from ..base.tokens.output_sizes import REVIEW
from ..core.answers import is_draft, make_answer_stream
from ..core.context import Node, RequestContext, quiet
from ..core.llm import ModelCall, call_model, count_tokens_used
from ..core.policy import estimate_review
from ..core.spec import Check, WorkerSpec
from ..core.state import END, AgentState
from ..errors import InputError, ModelError
from ..types import ChatRequest, JsonSchema, Message, Tokens, Update

VERDICT_MAX_TOKENS: Final = 3_000  # the verdict takes 300; models that think first need the room
NOT_PASSED: Final = "_Note: this answer did not pass the review:_\n\n{reason}"
NOT_REVIEWED: Final = "_Note: this answer was not reviewed: {reason}_"
CHANGED: Final = "Changed in the answer, the rest stands, after this feedback:\n{feedback}\n"
UNREAD: Final = "the review could not be read"
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
    """Build the node that reviews a worker's answer. Next: END, or the worker again."""

    async def evaluator(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        check = await spec.check(state, ctx) if spec.check else Check()
        tokens: Tokens = {"in": 0, "out": 0}
        verdict: Verdict | None = None
        unread = UNREAD
        if check.problems:
            verdict = judge_problems(check)
            reason = f"the check found {len(check.problems)} problems: no model review needed"
            known = ctx.models.resolve("evaluator", spec.name).outputs.get_mean(spec.name, REVIEW)
            ctx.journal.avoid("evaluator", reason, estimate_review(state["messages"], known))
        else:
            # What no model has read is read as a whole: a draft that failed the check.
            own = ctx.pack.prompts.get("verdict")
            request = build_verdict_request(state, own, is_whole=spec.check is not None)
            call = ModelCall("evaluator", request, [], request.messages, spec.name)
            try:
                response = await call_model(call, ctx)
                tokens, verdict = count_tokens_used(response.usage), read_verdict(response.text)
            except ModelError as error:  # the answer is there: it is given without a review
                unread = f"the reviewer failed: {error.public_message}"
        previous: dict[str, Any] = state["result"] or {}
        if verdict is None:
            ctx.journal.note(f"not reviewed: {unread}")
            at, note = len(state["messages"]) - 1, NOT_REVIEWED.format(reason=unread)
            return {"tokens": tokens, "messages": [await _give(spec, state, at, note, ctx)]}, END
        verdicts = [*previous.get("verdicts", []), verdict]
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
    """Convert a check that found problems to the verdict `retry`."""
    return {
        "verdict": "retry",
        "feedback": "\n".join(f"- {problem}" for problem in check.problems),
        "score": 0.5 / (1 + len(check.problems)),
    }


def read_verdict(text: str) -> Verdict | None:
    """Parse the model's JSON as a verdict; None if it contains none."""
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


def build_verdict_request(
    state: AgentState, prompt: str | None = None, *, is_whole: bool = True
) -> ChatRequest:
    """Build the model request by which an evaluator reviews an answer.
    is_whole: False sends only what changed since the last review, with its sources.
    """
    messages, previous = state["messages"], cast("dict[str, Any]", state["result"] or {})
    material, answer, head = describe_material(messages), get_text(messages[-1]), "Answer:"
    is_again = not is_whole and "verdicts" in previous and is_draft(messages[-2])
    if is_again and (changed := list_changed(get_text(messages[-2]), answer)):
        material, answer = choose_sources(changed, material), changed
        head = CHANGED.format(feedback=previous["verdicts"][-1]["feedback"])
    text = "\n\n".join(
        (
            f"Request:\n{get_words(get_request_message(messages))}",
            f"Success criteria:\n{state['success_criteria'] or 'Answers the request.'}",
            f"Material:\n{material}",
            f"{head}\n<answer>\n{answer}\n</answer>",
        )
    )
    return ChatRequest(
        system=prompt or _read_prompt(),
        messages=[make_text_message("user", text)],
        json_schema=VERDICT_SCHEMA,
        max_tokens=VERDICT_MAX_TOKENS,
    )


async def _give_best(
    spec: WorkerSpec, state: AgentState, verdicts: list[Verdict], ctx: RequestContext
) -> Message:
    """Store the best draft so far as not passed, with a note that says so; return it."""
    messages = state["messages"]
    drafts = [i for i in range(len(messages)) if is_draft(messages[i])]
    best = max(range(len(verdicts)), key=lambda i: (verdicts[i]["score"], i))
    at = drafts[best - len(verdicts)]
    reason = verdicts[best]["feedback"].strip() or "The review gave no reason."
    ctx.journal.note(f"retries used up: draft {best + 1} of {len(verdicts)} is used")
    return await _give(spec, state, at, NOT_PASSED.format(reason=reason), ctx)


async def _give(
    spec: WorkerSpec, state: AgentState, at: int, note: str, ctx: RequestContext
) -> Message:
    """Return the draft at this place with a note below it, stored as one that did not pass."""
    messages = state["messages"]
    draft = get_text(messages[at])
    if spec.accept is not None:
        # As the state was when the draft had been written: its check is not the last one's.
        then: AgentState = {**state, "messages": messages[: at + 1]}
        check = await spec.check(then, ctx) if spec.check else Check()
        await spec.accept(then, ctx, draft, False, check)
    is_json = "is_json" in messages[at]["parts"][-1]  # a note would not be of its shape
    answer = messages[at] if is_json else make_text_message("assistant", f"{draft}\n\n{note}")
    return await make_answer_stream(messages, ctx).settle(answer)


@lru_cache(maxsize=1)
def _read_prompt() -> str:
    return Path(__file__).with_name("verdict.md").read_text(encoding="utf-8").strip()
