"""`plainloop explain`: prints a stored run step by step, with decisions and cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...base.messages.contents import get_text, list_calls
from ...base.text.cleaning import cut_text, format_count
from ...dataclasses import dataclass
from ...providers.answered_models import name_models
from ...store.helper_runs import HelperRun, find_caller, list_helpers
from ...store.outcomes.ratings import Rating, list_ratings
from ...store.records import AvoidedCall, CallInfo, RunInfo, StepInfo, ToolCallRecord
from ...store.store import Store
from ...types import FunctionResponse, Usage
from ..terminal import output
from ..terminal.opening import find_run
from ..terminal.options import Owner
from ..terminal.rendering import format_json, format_ms, format_time
from .answering import describe_calls

MAX_SAID_CHARS: Final = 100
# Whose call was not made; any other `AvoidedCall.role` names a part of a request left out.
MODEL_ROLES: Final = frozenset({"classifier", "router", "worker", "evaluator", "parser"})


@dataclass(frozen=True, slots=True)
class RunRecord:
    """Everything that is stored about a run."""

    run: RunInfo
    question: str
    steps: list[StepInfo]
    calls: list[CallInfo]
    tool_calls: list[ToolCallRecord]
    rating: Rating | None = None
    helpers: Sequence[HelperRun] = ()
    caller_run_id: str | None = None  # whose helper it is


async def print_run(store: Store, owner: Owner, named: str) -> None:
    """Print a run step by step. named: the run's or thread's id, or `last`."""
    tenant_id, run_id = owner.tenant_id, await find_run(store, owner, named)
    run = await store.load_run(tenant_id, owner.user_id, run_id)
    asked = await store.load_messages(
        tenant_id, run.thread_id, max_tokens=0, until_position=run.input_position
    )
    caller = await find_caller(store.read(tenant_id), run_id)
    record = RunRecord(
        run=run,
        question=get_text(asked[-1]) if asked else "",
        steps=await store.load_steps(tenant_id, run_id),
        calls=await store.list_calls(tenant_id, run_id),
        tool_calls=await store.list_tool_calls(tenant_id, run_id),
        rating=next(iter(await list_ratings(store.read(tenant_id), run.thread_id, run_id)), None),
        helpers=await list_helpers(store.read(tenant_id), run_id),
        caller_run_id=caller["caller_run_id"] if caller else None,
    )
    output.write_lines(render_run(record))


def render_run(record: RunRecord) -> Iterator[str]:
    """Render a stored run as lines: heading, each step, unfinished calls, totals."""
    yield from _render_head(record)
    shown = {step.n for step in record.steps}
    for step in record.steps:
        yield ""
        yield from render_step(step, record)
    # Calls of a step that was never committed: a crash or a cancellation cut it off. Or it waits.
    rest = [line for call in record.calls if call.step not in shown for line in render_call(call)]
    told = {part["id"] for step in record.steps for part in list_results(step)}
    rest += [describe_helper(item) for item in record.helpers if item.tool_call_id not in told]
    if rest:
        yield ""
        yield "not finished:"
        yield from (f"    {line}" for line in rest)
    yield ""
    yield from _render_sums(record)


def _render_head(record: RunRecord) -> Iterator[str]:
    run = record.run
    yield f"run {run.run_id} · {run.status} · design {run.design} · pack {run.pack}"
    ended = run.ended_at and round((run.ended_at - run.created_at).total_seconds() * 1000)
    yield f"thread {run.thread_id} · {format_time(run.created_at)} · {format_ms(ended)}"
    if run.attempt > 1:
        yield f"attempt {run.attempt}: earlier processes were lost; their steps were kept"
    if run.error_code:
        yield f"ended by {run.error_code}: {run.error_message}"
        yield from (f"    {note}" for note in run.notes)
    if record.caller_run_id:
        yield f"called as a helper by the run {record.caller_run_id}"
    yield f"asked: {record.question}"
    if record.rating is not None:
        note = record.rating.note and f": {record.rating.note}"
        yield f"rated {record.rating.rating} by its user{note}"


def render_step(step: StepInfo, record: RunRecord) -> Iterator[str]:
    """Render a step: its decision, state changes, model calls and avoided calls."""
    yield f"{step.n}  {step.node} → {step.next_node}  ({format_ms(step.duration_ms)})"
    yield from (f"    {note}" for note in step.notes)
    yield from (f"    {line}" for line in _render_update(step, record))
    for call in record.calls:
        if call.step == step.n:
            yield from (f"    {line}" for line in render_call(call))
    yield from (f"    {describe_avoided(item)}" for item in step.avoided)


def _render_update(step: StepInfo, record: RunRecord) -> Iterator[str]:
    """Render what the step wrote into the state; of texts only the beginning (`show` has all)."""
    records = {call.tool_call_id: call for call in record.tool_calls}
    helpers = {item.tool_call_id: item for item in record.helpers}
    for message in step.update.get("messages", []):
        if message["role"] == "assistant" and get_text(message):
            yield f"says: {cut_text(' '.join(get_text(message).split()), MAX_SAID_CHARS)}"
        for call in list_calls(message):
            yield f"calls {call['name']} {format_json(call['arguments'])}"
        for part in message["parts"]:
            if part["type"] == "tool_result":
                made = records.get(part["id"])
                how = f"{made.status}, {made.effect}" if made else "no record"
                took = f", {format_ms(made.duration_ms)}" if made else ""
                yield f"tool {part['name']}: {how}{took}"
                if made and "raised" in made.receipt:
                    yield f"  the tool raised {made.receipt['raised']} at {made.receipt['at']}"
                if helper := helpers.get(part["id"]):
                    yield f"  {describe_helper(helper)}"
    for key in ("fast_intent", "entity_type", "query", "success_criteria", "feedback", "data"):
        value = step.update.get(key)
        if value:
            text = value if isinstance(value, str) else format_json(value)
            yield f"{key.replace('_', ' ')}: {text}"


def list_results(step: StepInfo) -> list[FunctionResponse]:
    """List the results of tool calls that the step added to the thread."""
    parts = (part for message in step.update.get("messages", []) for part in message["parts"])
    return [part for part in parts if part["type"] == "tool_result"]


def describe_helper(helper: HelperRun) -> str:
    """Describe a helper's run and how it ended, for `explain`."""
    if helper.refused:
        return f"helper not started: {helper.refused}"
    took = helper.ended_at and round((helper.ended_at - helper.created_at).total_seconds() * 1000)
    return f"the helper {helper.worker} in run {helper.run_id}: {helper.status}, {format_ms(took)}"


def render_call(call: CallInfo) -> Iterator[str]:
    """Render a model call in lines: model, tokens (input, cached, output), cost, times, notes."""
    again = f" attempt {call.attempt}" if call.attempt > 1 else ""
    name = name_models(call.model, call.model_answered)
    effort = f" at effort {call.effort}" if call.effort else ""
    most = "cost unknown" if call.most_usd is None else f"at most ${call.most_usd}"
    cost = most if call.cost_usd is None else f"${call.cost_usd}"
    first = ""
    if call.first_token_ms is not None:
        first = f", first token after {format_ms(call.first_token_ms)}"
    yield (
        f"{call.role} call to {call.provider}:{name}{effort}{again}: {call.status} · "
        f"{describe_buckets(call.usage)} · {cost} · {format_ms(call.duration_ms)}{first}"
    )
    if call.error_code:
        why = f": {call.error_message}" if call.error_message else ""
        yield f"  failed with {call.error_code}{why}"
    if call.stop not in (None, "end", "tool_use"):
        yield f"  stopped by {call.stop}"
    yield from (f"  {note}" for note in call.notes)


def describe_buckets(usage: Usage) -> str:
    """Describe a call's tokens (input, cached, output, reasoning), and if they are estimates.

    >>> describe_buckets(Usage(input_tokens=5, cache_read_tokens=90, output_tokens=7))
    'in 5 + 90 from cache, out 7'
    >>> describe_buckets(Usage(source="missing"))
    'tokens not reported'
    """
    if usage.input_total is None and usage.output_total is None:
        return "tokens not reported"
    read = f" + {usage.cache_read_tokens:,} from cache" if usage.cache_read_tokens else ""
    wrote = f" + {usage.cache_write_tokens:,} into cache" if usage.cache_write_tokens else ""
    if usage.cache_write_long_tokens:
        wrote += f" + {usage.cache_write_long_tokens:,} into the long cache"
    thought = f" + {usage.reasoning_tokens:,} reasoning" if usage.reasoning_tokens else ""
    doubt = "" if usage.source == "provider" else f" ({usage.source})"
    return (
        f"in {_count(usage.input_tokens)}{read}{wrote}, "
        f"out {_count(usage.output_tokens)}{thought}{doubt}"
    )


def describe_avoided(item: AvoidedCall) -> str:
    """Describe an avoided model call, or a part of a request that was left out.

    >>> describe_avoided(AvoidedCall("classifier", "rule count", 350))
    'no classifier call: rule count (about 350 input tokens saved)'
    >>> describe_avoided(AvoidedCall("tools", "9 tools of other workers not sent", 800))
    'shorter: 9 tools of other workers not sent (about 800 input tokens saved)'
    """
    what = f"no {item.role} call" if item.role in MODEL_ROLES else "shorter"
    saved = f" (about {item.tokens:,} input tokens saved)" if item.tokens else ""
    return f"{what}: {item.reason}{saved}"


def _count(tokens: int | None) -> str:
    return "?" if tokens is None else f"{tokens:,}"


def _render_sums(record: RunRecord) -> Iterator[str]:
    made = f"{format_count(len(record.calls), 'model call')} · " if record.calls else ""
    yield f"{format_count(len(record.steps), 'step')} · {made}{describe_calls(record.calls)}"
    avoided = [item for step in record.steps for item in step.avoided]
    if avoided:
        calls = sum(item.role in MODEL_ROLES for item in avoided)
        saved = sum(item.tokens for item in avoided)
        yield (
            f"{format_count(calls, 'model call')} avoided; about {saved:,} input "
            "tokens saved in total"
        )
