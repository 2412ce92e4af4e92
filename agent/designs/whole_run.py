"""Designs that only have `run`: the whole run is one step, its calls are in the run's ledger.

What such a design calls through its host (models, tools) belongs to the run that it works on,
and to that run's tenant. Its tools' writes commit one by one: a run of one step that is cut off
and repeated may write twice. A design that wants exactly-once brings `build_nodes`.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import closing
from contextvars import ContextVar
from typing import Any, Final, cast

import orjson

from ..base.ids import make_id
from ..base.messages.contents import get_text, make_text_message
from ..base.text.json_text import parse_json_object
from ..core.answers import AnswerStream
from ..core.context import Node, RequestContext
from ..core.history import repair_history
from ..core.llm import ModelCall, call_model, count_tokens_used
from ..core.results import cut_result
from ..core.state import END, AgentState
from ..core.taint import Guard, has_untrusted_text
from ..core.tools import Tool, ToolContext, ToolOutcome, execute_tool, to_function_response
from ..dataclasses import dataclass, field, replace
from ..errors import AgentError, InputError, LimitReached
from ..events import RunEvent
from ..types import ChatRequest, FunctionCall, LLMResponse, Message, StreamDelta, Tokens, Update
from .synchronous import DesignThread

# What a design may say of its own; the rest is the service's to say.
OWN_EVENTS: Final = frozenset(
    {"tool_start", "tool_result", "tool_error", "usage", "onboarding_complete"}
)
_BUG: Final = "INTERNAL_ERROR"
HOST_EVENTS: Final = frozenset({"run_start", "node_start", "node_end"})


# The methods `run` and `parse` of a design's classes: see `designs.base`.
Run = Callable[[list[Message]], AsyncIterator[Any] | Iterator[Any]]
Parse = Callable[[str], Awaitable[dict[str, Any]] | dict[str, Any]]


@dataclass(slots=True)
class WholeRun:
    """The run that a design is executing, with the tokens of its calls so far."""

    ctx: RequestContext
    data: dict[str, Any]  # the pack's fields as tools see them
    messages: list[Message]  # what the design has seen: the thread's, and its tools' results
    changed: dict[str, Any] = field(default_factory=dict[str, Any])  # what tools set
    tokens: Tokens = field(default_factory=lambda: {"in": 0, "out": 0})


_current: ContextVar[WholeRun | None] = ContextVar("whole_run", default=None)


def get_whole_run() -> WholeRun | None:
    """Return the run in which the current design works; None outside a run."""
    return _current.get()


def make_agent_node(run: Run) -> Node:
    """Build a node that runs an agent, emits its events and stores its final text."""

    async def whole_run(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        messages, _ = repair_history(state["messages"])
        # A copy: a tool may change its data in place, and only what it returns is stored.
        working = WholeRun(ctx, copy.deepcopy(state["data"]), [*messages])
        # The context, not an argument: `host.execute(name, arguments)` has no place for the run,
        # and several runs share one host
        # (tests/designs/test_whole_run.py::test_a_designs_calls_are_recorded_for_run_and_tenant).
        token = _current.set(working)
        try:
            with closing(DesignThread()) as thread:
                events = await _begin(run, copy.deepcopy(messages), thread)
                try:
                    message = await _follow(events, working)
                finally:
                    # A generator that is left early ends now, not when it is collected.
                    if (close := getattr(events, "aclose", None)) is not None:
                        await close()
        finally:
            _current.reset(token)
        update: Update = {"messages": [message], "tokens": working.tokens}
        if working.changed:
            update["data"] = working.changed
        return update, END

    return whole_run


def make_parser_node(parser: Parse) -> Node:
    """Build a node that parses the last message's text and answers with the parsed JSON."""

    async def parse(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        working = WholeRun(ctx, {}, [])
        token = _current.set(working)
        text = get_text(state["messages"][-1])
        try:
            if inspect.iscoroutinefunction(parser):
                parsed: Any = await parser(text)
            else:
                with closing(DesignThread()) as thread:
                    parsed = await thread.call(parser, text)
        finally:
            _current.reset(token)
        message = make_text_message("assistant", _to_json(parsed))
        return {"messages": [message], "tokens": working.tokens}, END

    return parse


def read_json_answer(response: LLMResponse) -> dict[str, Any]:
    """Parse a model's answer as a JSON object.

    Raises: InputError when the answer is no JSON object.
    """
    try:
        return parse_json_object(response.text)
    except InputError as error:
        raise InputError(f"the answer cannot be parsed: {error}", hint=error.hint) from error


async def call_for_design(role: str, request: ChatRequest, run: WholeRun) -> LLMResponse:
    """Make a model call for a design and add its tokens to the run. Raises: ModelError."""
    response = await call_model(ModelCall(role, request, [], request.messages), run.ctx)
    used = count_tokens_used(response.usage)
    run.tokens = {key: run.tokens[key] + used[key] for key in ("in", "out")}  # pyright: ignore[reportAttributeAccessIssue]
    return response


async def execute_for_design(name: str, arguments: dict[str, Any], run: WholeRun) -> Any:
    """Execute a tool for a design and return its result.

    A failure, or a need for approval, is a dict with `error`.
    """
    ctx = run.ctx
    call: FunctionCall = {
        "type": "tool_call",
        "id": f"call_{make_id()}",
        "name": name,
        "arguments": arguments,
    }
    tool = ctx.tools.get(name)
    guard = Guard(run.messages, ctx.prompt_context, ctx.tools)
    if tool is not None and (
        # A suspended run continues after an earlier step, but a whole run is a single step.
        tool.needs_approval or (await guard.judge_in_thread(call, tool)).verdict == "asks"
    ):
        return {"error": f"{name} needs a person's approval, and this design cannot ask for it"}
    outcome = cut_result(await _execute(call, tool, run), ctx.limits.tool_result_tokens)
    # Stored for the taint rule: results of this tool count for the design's next call.
    run.messages.append({"role": "assistant", "parts": [call]})
    run.messages.append({"role": "tool", "parts": [to_function_response(call, outcome)]})
    if not outcome.is_error:
        run.changed.update(outcome.data)
    return outcome.result


async def _execute(call: FunctionCall, tool: Tool | None, run: WholeRun) -> ToolOutcome:
    """Execute a tool call; a write has a transaction of its own, undone when it fails."""
    ctx = run.ctx
    key = f"{ctx.run.run_id}:{call['id']}"
    names = ctx.tools.list_effects(tuple(ctx.tools.list_names()))
    data = copy.deepcopy({**run.data, **run.changed})  # a tool's own: see workers/tool_batch.py
    is_tainted = has_untrusted_text(run.messages, ctx.prompt_context, ctx.tools)
    seen = ToolContext(ctx, ctx.store.read(ctx.tenant_id), data, key, is_tainted)
    if tool is None or tool.effect != "write":
        return await execute_tool(call, tool, seen, names)
    try:
        async with ctx.store.transaction(ctx.tenant_id) as tx:
            outcome = await execute_tool(call, tool, replace(seen, db=tx), names)
            if outcome.is_error:
                # A returned error must undo the tool's writes too, and only an exception rolls the
                # transaction back.
                raise _Undone(outcome)
            return outcome
    except _Undone as undone:
        return undone.outcome


class _Undone(Exception):
    """Raised to roll back the transaction; contains the outcome to return to the design."""

    def __init__(self, outcome: ToolOutcome) -> None:
        self.outcome = outcome


async def _begin(run: Run, messages: list[Message], thread: DesignThread) -> Any:
    """Call the design's `run` and return its events; synchronous code works in the thread."""
    if inspect.isasyncgenfunction(run):
        return run(messages)
    if inspect.iscoroutinefunction(run):
        events: Any = await run(messages)
    else:
        events = await thread.call(run, messages)
    if hasattr(events, "__aiter__"):
        return events
    if not isinstance(events, Iterable):
        got = type(events).__name__
        raise AgentError(
            f"the design's run() returned {got} instead of events",
            hint="Let run() yield events, or return an iterable of them.",
            code=_BUG,
        )
    return thread.draw(events)


def _to_json(parsed: Any) -> str:
    """Return the parser's result as JSON. Raises: AgentError when it is no JSON object."""
    if not isinstance(parsed, dict):
        got = type(parsed).__name__
        raise AgentError(
            f"the design's parse() returned {got} instead of a dict",
            hint="Let parse() return a dict.",
            code=_BUG,
        )
    try:
        return orjson.dumps(cast(object, parsed)).decode()
    except TypeError as error:
        raise AgentError(
            f"the design's parse() returned a value that is not JSON: {error}",
            hint="Return only text, numbers, lists and dicts.",
            code=_BUG,
        ) from error


def _read_event(item: Any) -> tuple[str, dict[str, Any]]:
    """Return an event's name and data. Raises: AgentError for anything else."""
    event = cast(dict[str, Any], item) if isinstance(item, Mapping) else {}
    name, data = event.get("event"), event.get("data", {})
    if not isinstance(name, str) or not isinstance(data, dict):
        shape = '{"event": name, "data": {…}}'
        raise AgentError(
            f"the design yielded {item!r:.80}; an event must be {shape}",
            hint="Correct what run() yields.",
            code=_BUG,
        )
    return name, cast(dict[str, Any], data)


async def _follow(events: AsyncIterator[Any], run: WholeRun) -> Message:
    """Emit the design's events as the run's own; return the final answer as a message.

    Raises: the error that the design yields; AgentError for an unknown event or a missing end.
    """
    ctx = run.ctx
    shown, seen = AnswerStream("", ctx), 0
    async for item in events:
        if len(run.messages) != seen:  # a tool may have brought text from outside
            shown.guard(run.messages, ctx)
            seen = len(run.messages)
        name, data = _read_event(item)
        if name == "done":
            text = str(data.get("content") or ctx.journal.partial_text)
            return await shown.settle(make_text_message("assistant", text))
        if name == "error":
            message = str(data.get("message") or "failed")
            if (code := str(data.get("code") or _BUG)) == LimitReached.code:
                raise LimitReached(message)
            raise AgentError(message, code=code)
        if name == "text_delta":
            await shown.show(StreamDelta(str(data.get("content") or "")))
        elif name == "text_reset":
            shown.restart(str(data.get("reason") or "the design began again"))
        elif name in OWN_EVENTS:
            ctx.emit(cast(RunEvent, {"event": name, "data": data}))
        elif name not in HOST_EVENTS:
            raise AgentError(
                f"the design yielded the unknown event {name!r}",
                hint="docs/http.md lists the events.",
                code=_BUG,
            )
    raise AgentError(
        "the design's run() ended without a done or error event",
        hint="Let run() end with a done or an error event.",
        code=_BUG,
    )
