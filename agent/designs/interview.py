"""The interview as a node table: one worker and its tools, and nothing else in reach.

name ──tool calls──► name.tools ──► name ──answer──► END

It ends where its `Interview` says: at a marker in the assistant's own text, or at a tool.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, Final, cast

from ..base.messages.contents import get_answer, get_text, list_calls, make_text_message
from ..base.text.markers import MarkerFilter
from ..core.answers import AnswerStream
from ..core.context import Node, RequestContext
from ..core.policy import count_worker_turns
from ..core.spec import Interview, Pack, WorkerSpec
from ..core.state import AgentState
from ..errors import ConfigError, LimitReached
from ..types import Message, MessagePart, StreamDelta, Update
from ..workers._base_worker import make_tools_node, make_worker_node
from .base import DesignEvent, DesignModel, NodeTable

TURNS: Final = "onboarding_turns"
COMPLETE: Final = {"is_complete": True}  # the state's `result` once that happened in this run
# What the model reads where the agent is to speak first: a user message without a word.
KICK: Final = "(The user has opened the interview and waits. Speak first.)"


def build_interview_nodes(pack: Pack) -> NodeTable:
    """Build the node table of the pack's interview.

    Raises: ConfigError when the pack holds no interview.
    """
    spec = pack.onboarding
    if spec is None:
        raise ConfigError(
            f"the pack {pack.name!r} has no onboarding interview",
            hint="Choose another pack with AGENT_ONBOARDING.",
        )
    plan = spec.interview
    if plan is None:
        raise ConfigError(
            f"the pack {pack.name!r} does not define how its onboarding interview ends",
            hint="Set WorkerSpec.interview: see docs/packs.md.",
        )
    nodes = {
        spec.name: make_interview_node(spec, plan),
        f"{spec.name}.tools": make_interview_tools_node(spec, plan),
    }
    return NodeTable(nodes, spec.name)


class InterviewAgent:
    """The onboarding agent of the shipped designs: an interview is one loop in each of them."""

    def __init__(self, model: DesignModel) -> None:
        self.model = model

    def build_nodes(self, pack: Pack) -> NodeTable:
        """Build the node table of the pack's interview. Raises: ConfigError without one."""
        return build_interview_nodes(pack)

    def run(self, messages: list[Message]) -> AsyncIterator[DesignEvent]:
        """Yield the events of an interview run in a new thread."""
        host = self.model.host
        return host.stream_nodes(self.build_nodes(host.pack), messages, None, "onboarding")


def make_interview_node(spec: WorkerSpec, plan: Interview) -> Node:
    """Build the interview's model node, which ends the interview at the model's end marker."""
    ask = make_worker_node(spec, TURNS)

    async def interview(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        if count_worker_turns(state["messages"]) >= getattr(ctx.limits, TURNS):
            await say_missing(plan, state, ctx)  # and `ask` ends the run
        prompt = await plan.load_prompt(state, ctx) if plan.load_prompt else ctx.prompt_context
        # Only in the model's view: stored messages keep what the user wrote, marker or not.
        view: AgentState = {**state, "messages": build_view(state["messages"], plan.marker)}
        update, next_node = await ask(
            view, replace(ctx, prompt_context=hide_marker(prompt, plan.marker))
        )
        message, is_complete = take_marker(update.get("messages", [])[0], plan.marker)
        # A model that answers with the marker alone would leave the user with an empty screen.
        if is_complete and not get_text(message) and not list_calls(message):
            message = make_text_message("assistant", plan.closing)
            await AnswerStream(get_answer(state["messages"]), ctx).show(StreamDelta(plan.closing))
        update["messages"] = [message]
        if is_complete:
            update.update(await complete(plan, state, ctx))
        return update, next_node

    return interview


def make_interview_tools_node(spec: WorkerSpec, plan: Interview) -> Node:
    """Build the interview's tools node, which ends the interview after its final tool succeeds."""
    run_tools = make_tools_node(spec)

    async def tools(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        try:
            update, next_node = await run_tools(state, ctx)
        except LimitReached:
            await say_missing(plan, state, ctx)
            raise
        if any(has_succeeded(message, plan.final_tool) for message in update.get("messages", [])):
            update.update(await complete(plan, state, ctx))
        return update, next_node

    return tools


async def complete(plan: Interview, state: AgentState, ctx: RequestContext) -> Update:
    """Complete the interview, unless it already is; return the state update that records it."""
    # Marker and final tool may both end it: the pack's hook runs once for a run.
    if state["result"] == COMPLETE:
        return {}
    if plan.complete is not None:
        await plan.complete(ctx)
    ctx.journal.note("the interview is complete")
    ctx.emit({"event": "onboarding_complete", "data": {}})
    return {"result": COMPLETE}


async def say_missing(plan: Interview, state: AgentState, ctx: RequestContext) -> None:
    """Stream a text that names the fields which the interview still lacks."""
    missing = await plan.list_missing(state, ctx)
    left = f"Still missing: {', '.join(missing)}." if missing else "Nothing is missing."
    text = f"I have to stop here for now. {left} Send another message to continue."
    await AnswerStream(get_answer(state["messages"]), ctx).show(StreamDelta(text))


def build_view(messages: list[Message], marker: str | None) -> list[Message]:
    """Copy the messages for the model, breaking the end markers that users and tools wrote."""
    return [
        message if message["role"] == "assistant" else _build_seen(message, marker)
        for message in messages
    ]


def take_marker(message: Message, marker: str | None) -> tuple[Message, bool]:
    """Copy an answer without its end marker; also return whether it had one."""
    if marker is None or marker not in get_text(message):
        return message, False
    hidden = MarkerFilter(marker)
    texts = [hidden.feed(part["text"]) for part in message["parts"] if part["type"] == "text"]
    # One filter over all parts: a marker may be split between two of them.
    texts[-1] += hidden.finish()
    parts: list[MessagePart] = []
    for part in message["parts"]:
        if part["type"] != "text":
            parts.append(part)
        elif text := texts.pop(0):
            parts.append({**part, "text": text})
    return {**message, "parts": parts}, True


def hide_marker(value: Any, marker: str | None) -> Any:
    """Break every end marker in the texts of a JSON value, so that it ends nothing.

    >>> hide_marker({"a": ["x [END] y"]}, "[END]")
    {'a': ['x [ END] y']}
    """
    if marker is None:
        return value
    if isinstance(value, str):
        # Broken by a space, not cut out: the model must see what the user typed, but it must not
        # end the interview.
        return value.replace(marker, f"{marker[0]} {marker[1:]}")
    if isinstance(value, list):
        return [hide_marker(item, marker) for item in cast(list[Any], value)]
    if isinstance(value, dict):
        items = cast(dict[str, Any], value).items()
        return {hide_marker(key, marker): hide_marker(item, marker) for key, item in items}
    return value


def has_succeeded(message: Message, tool: str | None) -> bool:
    """Whether these tool results contain a success of the named tool."""
    return any(
        part["type"] == "tool_result" and part["name"] == tool and not part["is_error"]
        for part in message["parts"]
    )


def _build_seen(message: Message, marker: str | None) -> Message:
    parts: list[MessagePart] = []
    for part in message["parts"]:
        if part["type"] == "tool_result":
            parts.append({**part, "result": hide_marker(part["result"], marker)})
        elif part["type"] == "text":
            parts.append({**part, "text": hide_marker(part["text"], marker)})
        else:
            parts.append(part)
    if message["role"] == "user" and not get_text(message).strip():
        return {**message, "parts": [{"type": "text", "text": KICK}]}
    return {**message, "parts": parts}
