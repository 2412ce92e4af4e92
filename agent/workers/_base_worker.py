"""A worker is nodes made from one `WorkerSpec`: this file makes the model call and the tools.

name ──tool calls──► name.tools ──► name        (until the model answers without a call)
name ──answer──► name.… ──► name.evaluator | END  (the pack's own nodes; the evaluator by policy)
"""

from __future__ import annotations

from functools import partial

from ..base.copies import replace
from ..base.messages.contents import get_text, get_turn, list_calls, list_open_calls
from ..base.messages.repeating import find_loop
from ..base.messages.wishes import apply_wishes, bind_call, fit_message, needs_call
from ..base.shown.notices import Epoch, list_last_words, make_notice_message
from ..base.shown.pictures import leave_out_pictures
from ..base.shown.rare_tools import unwrap_calls
from ..base.text.cleaning import format_count
from ..base.text.markers import MarkerFilter
from ..base.tokens.estimate import estimate_message_tokens
from ..base.tokens.output_sizes import REVIEW
from ..core.answers import make_answer_stream
from ..core.attempts import start_factors
from ..core.context import Node, NodeSpec, RequestContext, quiet
from ..core.history import build_request_messages
from ..core.llm import ModelCall, call_model, count_tokens_used
from ..core.policy import (
    count_tool_calls,
    count_worker_turns,
    estimate_review,
    needs_evaluator,
    trim_messages,
)
from ..core.spec import Check, WorkerSpec
from ..core.state import END, AgentState, merge_state
from ..errors import LimitReached
from ..providers.refused_state import drop_earlier_state
from ..types import ChatRequest, LLMResponse, Message, MessagePart, Update
from .epochs import begin_epoch, find_window, is_outside
from .tool_batch import run_tool_batch


def make_worker_node(spec: WorkerSpec, turns: str = "worker_turns") -> Node:
    """Build the node that calls a worker's model. turns: name of the turn limit in `Limits`.

    Next: `name.tools` when the model calls tools, else `name.evaluator` or END.
    """

    @quiet
    async def worker(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        turns_left = check_turn_limit(state, getattr(ctx.limits, turns))
        model = ctx.models.resolve("worker", spec.name)
        await start_factors(model, ctx)
        window = await find_window(spec, state, ctx)
        view = trim_messages(
            state["messages"],
            window,
            reads=ctx.tools.reads,
            kept_share=ctx.limits.window_kept,
            turn_windows=ctx.limits.turn_windows,
        )
        view = leave_out_pictures(view, ctx.limits.picture_turns)
        head = build_head(spec, ctx)
        request, epoch, notices = await begin_epoch(spec, head, view, window, ctx)
        if state["feedback"] or ctx.journal.is_budget_near:
            said, is_near = epoch.list_items(get_turn(view)), ctx.journal.is_budget_near
            notices += list_last_words(state["feedback"], is_near_end=is_near, earlier=said)
        extra = [make_notice_message(notices)] if notices else []
        kept = drop_earlier_state(view) if spec.thinking_kept == "turn" else view
        request = build_worker_request(request, kept, extra, epoch, ctx)
        is_required = needs_call(request)
        repeats, reads = ctx.limits.repeated_calls - 1, ctx.tools.all_reads
        if is_required and (turns_left == 1 or find_loop(state["messages"], repeats, reads)):
            request = bind_call(request, ctx.run.options)
        note_savings(spec, state, view, ctx)
        is_checked = request.json_schema is not None or is_required
        marker = spec.interview.marker if spec.interview else None
        hidden = MarkerFilter(marker) if marker else None
        seen = ctx
        if request.system != head.system:  # an older prompt: what guards the answer knows it too
            seen = replace(ctx, prompt_context=f"{ctx.prompt_context}\n\n{request.system}")
        stream = make_answer_stream(state["messages"], seen, hidden)
        if is_checked:  # before any of it is shown
            stream.guard(state["messages"], seen, note="")
        shown = None if is_checked else stream
        call = ModelCall("worker", request, view, extra or None, spec.name, shown, epoch=epoch)
        response = await call_model(call, ctx)
        response = unwrap_calls(response) if spec.rare else response
        stream.finish()
        said = to_thread_message(response)
        message = await stream.settle(fit_message(said, response, request, ctx.run.options))
        is_untrusted = bool(notices) and is_outside(request.system, notices)
        message = epoch.keep(message, notices, is_untrusted=is_untrusted)
        update: Update = {"messages": [message], "tokens": count_tokens_used(response.usage)}
        if state["feedback"] or not response.tool_calls:
            update["feedback"] = ""
        said = merge_state(state, update)
        return update, await _route(spec, said, ctx, list(spec.after))

    return worker


def make_answer_node(spec: WorkerSpec, name: str) -> Node:
    """Build a node between answer and review for a pack's function. Next: as after the worker."""
    later = list(spec.after)[list(spec.after).index(name) + 1 :]

    async def after(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        update = await spec.after[name](state, ctx)
        return update, await _route(spec, merge_state(state, update), ctx, later)

    return after


async def _route(spec: WorkerSpec, after: AgentState, ctx: RequestContext, later: list[str]) -> str:
    """Choose where an answer goes; unjudged, accept it. later: the pack's nodes to come."""
    if later and not list_calls(after["messages"][-1]):
        return f"{spec.name}.{later[0]}"
    next_node = choose_next(spec, after["messages"], ctx)
    if next_node == END and spec.accept is not None:
        await spec.accept(after, ctx, get_text(after["messages"][-1]), True, Check())
    return next_node


def make_tools_node(spec: WorkerSpec) -> Node:
    """Build the node that executes the last answer's open tool calls. Next: the worker."""

    @partial(NodeSpec, is_quiet=writes_only)
    async def tools(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        if loop := find_loop(state["messages"], ctx.limits.repeated_calls, ctx.tools.all_reads):
            raise LimitReached(loop)
        calls = list_open_calls(state["messages"])
        message, data = await run_tool_batch(calls, spec, state, ctx)
        update: Update = {"messages": [message]}
        if data:
            update["data"] = data
        return update, spec.name

    return tools


def writes_only(state: AgentState, ctx: RequestContext) -> bool:
    """Whether all open tool calls only write, so that one commit can store them and the answer."""
    tools = (ctx.tools.get(call["name"]) for call in list_calls(state["messages"][-1]))
    return all(tool is not None and tool.effect == "write" for tool in tools)


def build_head(spec: WorkerSpec, ctx: RequestContext) -> ChatRequest:
    """Build the part of a worker's request that stays the same: system prompt, tools, options."""
    options = ctx.run.options
    # Calls may be shown while they are written, and a tool wished for by its name.
    is_whole = options.tells_arguments or options.wishes.tool_choice is not None
    tools = ctx.tools.build_schemas(spec.tools, () if is_whole else spec.rare)
    request = ChatRequest(
        system="\n\n".join(part for part in (spec.prompt, ctx.prompt_context) if part),
        messages=[],
        tools=tools,
        json_schema=spec.output,
        max_tokens=ctx.limits.max_output_tokens,
        parallel_tool_calls=spec.parallel_tools,
        cache_key=ctx.thread_id,
    )
    return apply_wishes(request, options)


def build_worker_request(
    head: ChatRequest, view: list[Message], extra: list[Message], epoch: Epoch, ctx: RequestContext
) -> ChatRequest:
    """Build a worker's request from its stable part, the thread's messages and closing notices."""
    messages, repairs = build_request_messages(view, extra, epoch)
    for repair in repairs:
        ctx.journal.note(f"history repaired: {repair}")
    return replace(head, messages=messages)


def choose_next(spec: WorkerSpec, messages: list[Message], ctx: RequestContext) -> str:
    """Choose the node after an answer: the tools, the evaluator or END."""
    if list_calls(messages[-1]):
        return f"{spec.name}.tools"
    used = format_count(count_tool_calls(messages), "tool call")
    if needs_evaluator(spec, messages):
        ctx.journal.note(f"evaluator: {spec.evaluate}, {used} this turn")
        return f"{spec.name}.evaluator"
    reason = f"evaluator skipped: {spec.evaluate}, {used} this turn"
    known = ctx.models.resolve("worker", spec.name).outputs.get_mean(spec.name, REVIEW)
    ctx.journal.avoid("evaluator", reason, estimate_review(messages, known))
    return END


def check_turn_limit(state: AgentState, limit: int) -> int:
    """Return how many model calls remain in this turn. Raises: LimitReached when none do."""
    if (left := limit - count_worker_turns(state["messages"])) <= 0:
        raise LimitReached(f"the run used all its {limit} worker turns: send a message to continue")
    return left


def to_thread_message(response: LLMResponse) -> Message:
    """Convert an answer to a message for the thread; an empty answer gets a text."""
    if response.text.strip() or response.tool_calls:
        return response.message
    text = response.refusal or f"(The model gave no answer. Its stop reason was: {response.stop}.)"
    # Blank text goes, what the provider wants back with it stays.
    parts: list[MessagePart] = [
        {**part, "text": ""} if part["type"] == "text" else part
        for part in response.message["parts"]
        if part["type"] != "text" or "provider_state" in part
    ]
    return {"role": "assistant", "parts": [*parts, {"type": "text", "text": text}]}


def note_savings(
    spec: WorkerSpec, state: AgentState, view: list[Message], ctx: RequestContext
) -> None:
    """Record which tokens the call did not send: other workers' tools and old messages."""
    unsent, size = ctx.tools.estimate_unsent(spec.tools)
    if unsent:
        ctx.journal.avoid("tools", f"{unsent} tools of other workers were not sent", size)
    cut = len(state["messages"]) - len(view)
    if cut:
        size = sum(map(estimate_message_tokens, state["messages"]))
        size -= sum(map(estimate_message_tokens, view))  # what is outdated is left out of it too
        ctx.journal.avoid("history", f"{cut} older messages trimmed", size)
        ctx.journal.note(f"history trimmed: {cut} messages, {size} tokens not sent")
