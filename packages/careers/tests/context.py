"""A run's context over a real store, with only what the pack reads."""

from __future__ import annotations

from typing import Any

from plainloop.agent.config.settings import load_settings
from plainloop.agent.core.context import RequestContext
from plainloop.agent.core.journal import Journal
from plainloop.agent.core.spec import build_schema_context
from plainloop.agent.core.state import AgentState, initialize_state
from plainloop.agent.core.tools import ToolContext, ToolOutcome, ToolRegistry, execute_tool
from plainloop.agent.store.leases import make_owner
from plainloop.agent.store.records import RunStart
from plainloop.agent.store.store import Store
from plainloop.agent.types import Message
from plainloop_careers import make_pack

PACK = make_pack()


async def make_context(
    store: Store, tenant_id: str = "t1", user_id: str = "u1", **environ: str
) -> RequestContext:
    """The context of a begun run in a new thread; its first step has begun.

    environ: settings as variables, e.g. AGENT_OUTBOUND_ALLOW.
    """
    thread = await store.create_thread(tenant_id, user_id, pack="careers")
    asked: Message = {"role": "user", "parts": [{"type": "text", "text": "go"}]}
    start = RunStart(user_id, thread.thread_id, asked, "default", "careers")
    run = await store.begin_run(tenant_id, start, make_owner(), 30)
    journal = Journal(store, run)
    journal.begin_step(0, "cover_letter.evaluator")
    settings = load_settings(environ)
    unused: Any = None
    return RequestContext(
        thread_id=thread.thread_id,
        tenant_id=tenant_id,
        schema_context=build_schema_context(PACK.entities),
        tools=ToolRegistry(PACK.tools),
        user_id=user_id,
        run=run,
        pack=PACK,
        prompt_context="",
        nodes={},
        start_node="intent_classifier",
        store=store,
        models=unused,
        journal=journal,
        emit=journal.emit,
        limits=settings.limits,
        settings=settings,
    )


async def call_tool(
    ctx: RequestContext, name: str, /, is_tainted: bool = False, **arguments: Any
) -> ToolOutcome:
    """The tool as the machine runs it: checked arguments, errors as results, one transaction.

    is_tainted: the model has read text from outside.
    """
    call: Any = {"type": "tool_call", "id": "c1", "name": name, "arguments": arguments}
    async with ctx.store.transaction(ctx.tenant_id) as db:
        context = ToolContext(ctx, db, {}, "run:0:c1", is_tainted)
        return await execute_tool(
            call, ctx.tools.get(name), context, ctx.tools.list_effects((name,))
        )


def make_turn(answer: str, *results: tuple[str, Any], request: str = "go") -> AgentState:
    """A state whose turn called these tools and ended with the answer."""
    messages: list[Message] = [{"role": "user", "parts": [{"type": "text", "text": request}]}]
    for index, (name, result) in enumerate(results):
        call: Any = {"type": "tool_call", "id": f"c{index}", "name": name, "arguments": {}}
        reply: Any = {"type": "tool_result", "id": f"c{index}", "name": name, "result": result}
        messages.append({"role": "assistant", "parts": [call]})
        reply["is_error"] = False
        messages.append({"role": "tool", "parts": [reply]})
    messages.append({"role": "assistant", "parts": [{"type": "text", "text": answer}]})
    return initialize_state(messages)
