"""A worker's epoch: from one cut of its history to the next, prompt and tools stay as first sent.

What changes meanwhile is said once, at the end of the request that meets the change, and stays
there (`base/shown/notices.py`). Tools that are new, or another shape of one, begin the prompt anew:
a model calls only what a request declares. So do changes beyond `limits.appended_tokens`.
"""

from __future__ import annotations

from dataclasses import replace

import orjson

from ..base.messages.contents import get_turn
from ..base.messages.requests import to_tools_text
from ..base.messages.wishes import WISHES
from ..base.shown.notices import Epoch, Head, count_changes, make_epoch
from ..core.attempts import find_positions
from ..core.context import RequestContext
from ..core.spec import WorkerSpec
from ..core.state import AgentState
from ..provenance.marking import UNTRUSTED_NOTE
from ..types import ChatRequest, Message, Notice, ToolSchema


async def find_window(spec: WorkerSpec, state: AgentState, ctx: RequestContext) -> int:
    """Return the context window (in tokens) to which this turn's calls cut the history."""
    limits, model = ctx.limits, ctx.models.resolve("worker", spec.name)
    if (kept := ctx.journal.heads.get(spec.name)) is not None:
        return kept.window_tokens
    window = model.to_estimated(limits.window_tokens)
    if ctx.run.is_resumed and get_turn(state["messages"]):
        sent = await ctx.store.load_head(
            ctx.tenant_id, ctx.thread_id, spec.name, None, ctx.run.canary_id
        )
        if sent is not None and sent.run_id == ctx.run.run_id:
            window = round(limits.window_tokens / sent.token_factor)
    return min(window, limits.loaded_tokens)


async def begin_epoch(
    spec: WorkerSpec, request: ChatRequest, view: list[Message], window: int, ctx: RequestContext
) -> tuple[ChatRequest, Epoch, list[Notice]]:
    """Begin a series of requests that extend each other; return (request, epoch, notices)."""
    start, _ = find_positions(view, ctx.run.input_position)
    new = Head(start or 0, window, request.system, request.tools)
    head = await find_head(spec, new, view, ctx)
    kept = request if head is new else replace(request, system=head.system, tools=head.tools)
    epoch = make_epoch(spec.name, new.start, kept.system, to_tools_text(kept))
    notices = epoch.list_items(view)
    items: list[Notice] = []
    if notices or head is not new:
        tools = ctx.tools.build_schemas(spec.tools)
        items = head.tell_changes(spec.prompt, request.system, tools, notices)
    if items and (size := count_changes([*notices, *items])) > ctx.limits.appended_tokens:
        ctx.journal.note(f"the prompt begins anew: its changes take {size} tokens")
        epoch = make_epoch(spec.name, new.start, request.system, to_tools_text(request))
        head, kept, items = new, request, []
    for item in items:
        ctx.journal.note(f"the {item['kind']} changed: appended, what the thread began with stays")
    ctx.journal.heads[spec.name] = head
    return kept, epoch, items


def is_outside(system: str, items: list[Notice]) -> bool:
    """Whether the prompt changed and contains third-party or client text, before or after."""
    prompts = [item["text"] for item in items if item["kind"] == "prompt"]
    return any(
        mark in text for text in (system, *prompts) if prompts for mark in (UNTRUSTED_NOTE, WISHES)
    )


async def find_head(spec: WorkerSpec, new: Head, view: list[Message], ctx: RequestContext) -> Head:
    """Return the prompt and tools that were sent before, so that caches hit; else `new`."""
    if spec.interview is not None:  # its prompt is another at each call
        return new
    head: Head | None = ctx.journal.heads.get(spec.name)
    if head is None and any(message["role"] == "assistant" for message in view):
        sent = await ctx.store.load_head(
            ctx.tenant_id, ctx.thread_id, spec.name, new.start, ctx.run.canary_id
        )
        if sent is not None:
            tools = tuple(ToolSchema(**item) for item in orjson.loads(sent.tools or "[]"))
            tools = new.tools if tools == new.tools else tools  # the same object is cached
            head = replace(new, system=sent.system, tools=tools)
    if head is None or head.start != new.start:
        return new
    if head.tools is new.tools:
        return new if head.system == new.system else head
    if head.holds(new.tools) or head.holds(ctx.tools.build_schemas(spec.tools)):
        return head
    ctx.journal.note("the prompt begins anew: a tool is new or has changed")
    return new
