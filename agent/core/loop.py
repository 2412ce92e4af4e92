"""The machine: load, dispatch, merge, record, until done or a limit. A feature is a node."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from typing import Final

from ..base.finishing import finish_despite_cancel
from ..base.messages.contents import make_done, make_last_words, make_user_message, seal_messages
from ..base.time.work_time import WorkLimit
from ..dataclasses import dataclass
from ..errors import AgentError, LeaseLost, LimitReached, ModelError, StoreError
from ..events import Done
from ..store.records import LONG_THREAD, RunEnd
from ..types import Message, Update
from .context import NodeSpec, RequestContext, is_quiet, may_be_fast
from .journal import RunHandedOver, RunSuspended
from .state import AgentState, apply_step, fold_steps, initialize_state, merge_state

logger = logging.getLogger(__name__)

LIMIT_MESSAGE: Final = "Max iterations reached"


async def run_agent(message: str | Message, ctx: RequestContext) -> AgentState:
    """Answer a message by running nodes until the run is done; return the final state.

    The message and the run are stored already (`Store.begin_run`); steps that an earlier owner
    recorded are folded in, not repeated. Returns the last state; it is `done` unless a limit
    ended the run.

    Raises: AgentError (after the run's end is recorded), CancelledError likewise.
    """
    progress = Progress(initialize_state([], {}, ctx.start_node))
    async with recorded_end(progress, ctx):
        user_message = make_user_message(message)
        is_brief = is_long(ctx) and ctx.run.next_step == 0 and may_be_fast(user_message, ctx)
        progress.state = await load_state(user_message, ctx, is_brief=is_brief)
        for n in range(ctx.run.next_step, (limit := get_step_limit(ctx))):
            # No fast path after all: a model is asked, and sees what it always does.
            if n and is_brief and progress.state["fast_intent"] is None:
                is_brief, whole = False, await load_state(user_message, ctx)
                progress.state = {**progress.state, "messages": whole["messages"]}
            node = progress.state["route_to"]
            ctx.journal.begin_step(n, node)
            update, next_node = await dispatch_node(node, progress.state, ctx)
            update = seal_update(progress.state, update)
            state = apply_step(progress.state, node, update, next_node)
            end = RunEnd("succeeded") if state["done"] else None
            done: Done = make_done(state["messages"]) if end else {"content": ""}
            may_wait = is_quiet(ctx.nodes.get(next_node), state, ctx)
            try:
                await ctx.journal.commit(update, next_node, end, done, may_wait=may_wait)
            finally:
                # A cancellation or the deadline that meets a commit lets it finish.
                if ctx.journal.is_step_kept:
                    progress.state = state
            if end:
                return state
        raise LimitReached(f"the run used all its {limit} steps: send a message to continue")
    return progress.state


def dispatch_node(
    name: str, state: AgentState, ctx: RequestContext
) -> Awaitable[tuple[Update, str]]:
    """Call a node by its name; return an awaitable of (update, next node's name).

    Raises: KeyError when the node table has no such node: a bug in a node's routing.
    """
    if name not in ctx.nodes:
        raise KeyError(f"the design has no node {name!r}: return one of {', '.join(ctx.nodes)}")
    node = ctx.nodes[name]
    return (node.run if isinstance(node, NodeSpec) else node)(state, ctx)


def is_long(ctx: RequestContext) -> bool:
    """Whether the thread is too long (over 50 messages) to be loaded whole for a fast path."""
    return ctx.run.input_position > LONG_THREAD


async def load_state(message: Message, ctx: RequestContext, is_brief: bool = False) -> AgentState:
    """Load the state to continue from: the thread, the run's message and its recorded steps.
    is_brief: load only the thread's newest exchange, if that has an answer.
    """
    run = ctx.run
    data = run.thread_data
    if data is None:
        data = (await ctx.store.load_thread(run.tenant_id, run.user_id, run.thread_id)).data
    history = run.history
    if history is None and run.input_position > 0:
        history = await ctx.store.load_messages(
            run.tenant_id,
            run.thread_id,
            max_tokens=0 if is_brief else ctx.limits.loaded_tokens,
            until_position=run.input_position - 1,
        )
    history = history or []
    if is_brief and all(earlier["role"] != "assistant" for earlier in history):
        return await load_state(message, ctx)
    sealed = seal_messages(history, [message])
    state = initialize_state([*history, *sealed], data, ctx.start_node)
    if run.next_step == 0:
        return state
    steps = await ctx.store.load_steps(run.tenant_id, run.run_id)
    return fold_steps(
        state,
        [{"n": s.n, "node": s.node, "update": s.update, "next_node": s.next_node} for s in steps],
    )


def seal_update(state: AgentState, update: Update) -> Update:
    """Copy a node's update, adding the token counts that its messages are stored with."""
    if "messages" not in update:
        return update
    return {**update, "messages": seal_messages(state["messages"], update["messages"])}


def get_step_limit(ctx: RequestContext) -> int:
    """Return the maximum number of steps in a run, derived from the turn limits."""
    limits = ctx.limits
    turns = max(limits.worker_turns, limits.react_turns, limits.onboarding_turns)
    return (turns + 1) * len(ctx.nodes)


@dataclass(slots=True)
class Progress:
    """A run's progress: the state after its last committed step."""

    state: AgentState


@asynccontextmanager
async def recorded_end(
    progress: Progress, ctx: RequestContext, *, is_timed: bool = True
) -> AsyncGenerator[None]:
    """Record the run's end if the block fails, is cancelled or reaches a limit.

    A limit is an ordinary end and stays here; errors and cancellation rise again afterwards.
    A run that somebody else goes on with has not ended: nothing is written then.
    """
    left_s = max(0.0, ctx.limits.run_timeout_s - ctx.run.used_s)
    deadline = WorkLimit(left_s if is_timed else None)
    try:
        async with deadline:
            yield
    except LimitReached as limit:
        await _finish_at_limit(progress, ctx, limit.message)
    except asyncio.CancelledError:
        end = RunEnd("cancelled", "CANCELLED", "the run was cancelled")
        is_leaving = ctx.journal.is_leaving
        last = ctx.journal.leave() if is_leaving else _finish(progress, ctx, end)
        await finish_despite_cancel(last)
        raise
    except (RunSuspended, RunHandedOver, LeaseLost):
        await ctx.journal.leave()
        raise
    except AgentError as error:
        if isinstance(error, StoreError) and ctx.journal.is_recoverable:
            await ctx.journal.leave()
            raise
        if isinstance(error, ModelError):
            fields = error.to_log_fields(is_debug=logger.isEnabledFor(logging.DEBUG))
            logger.warning("model_failed", extra={"run_id": ctx.run.run_id, **fields})
        await _finish(progress, ctx, RunEnd("failed", error.code, error.public_message))
        raise
    except Exception as error:
        if isinstance(error, TimeoutError) and deadline.expired():
            reason = f"the run took longer than {ctx.limits.run_timeout_s:g} s"
            await _finish_at_limit(progress, ctx, reason)
            return
        logger.exception("run_failed", extra={"run_id": ctx.run.run_id})
        await _finish(progress, ctx, RunEnd("failed", "INTERNAL_ERROR", type(error).__name__))
        raise


async def _finish_at_limit(progress: Progress, ctx: RequestContext, reason: str) -> None:
    """End the run by a limit: the user gets one message for all limits, the journal the reason."""
    ctx.journal.note(f"limit: {reason}")
    await _finish(progress, ctx, RunEnd("limit", LimitReached.code, LIMIT_MESSAGE, reason))


async def _finish(progress: Progress, ctx: RequestContext, end: RunEnd) -> None:
    """Record the run's end, with the last messages that it leaves in the thread."""
    messages = progress.state["messages"]
    sealed = make_last_words(messages, ctx.journal.partial_text, ctx.tools.undone)
    await ctx.journal.finish(end, sealed)
    progress.state = merge_state(progress.state, {"messages": sealed})
