"""Prepares a run's start: its row, the pack's prompt text, its first events."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

from ..base.finishing import finish_despite_cancel
from ..base.messages.wishes import word_ignored
from ..config.settings import Settings
from ..core.context import RequestContext
from ..errors import AgentError, ConfigError
from ..providers.defaults import PROVIDER_DEFAULTS
from ..store.queue import CANCELLED
from ..store.records import LastWords, Run, RunStart
from ..store.store import Store


async def begin_attached_run(
    store: Store, tenant_id: str, start: RunStart, owner: str, lease_s: float
) -> Run:
    """Store a message and its run for a caller that executes the run itself.
    If the caller is cancelled meanwhile, the run is closed: no other process would know of it, and
    the thread would stay busy.

    Raises: as `Store.begin_run`.
    """
    begin = asyncio.ensure_future(store.begin_run(tenant_id, start, owner, lease_s))
    try:
        return await asyncio.shield(begin)
    except asyncio.CancelledError:
        await finish_despite_cancel(_cancel_start(begin, store))
        raise


def check_rates(settings: Settings) -> None:
    """Raise ConfigError if `[rates]` names an unknown provider."""
    for name in settings.rates:
        if name.partition(":")[0] not in PROVIDER_DEFAULTS:
            known = ", ".join(sorted(PROVIDER_DEFAULTS))
            raise ConfigError(
                f'[rates."{name}"]: this provider is unknown', hint=f"Known providers: {known}."
            )


def announce_run(ctx: RequestContext, shown: str) -> None:
    """Emit the first events of a run or of its continuation, such as the model's name.

    shown: text that the run's recorded steps gave the user, if another process began it.
    """
    chosen = ctx.models.resolve("worker")
    if (note := word_ignored(ctx.run.options)) and not ctx.run.is_resumed:
        ctx.journal.note(note)
    ctx.emit(
        {
            "event": "run_start",
            "data": {
                "run_id": ctx.run.run_id,
                "thread_id": ctx.thread_id,
                "provider": chosen.provider,
                "model": chosen.model,
            },
        }
    )
    if ctx.run.is_resumed:
        # What the step that was cut off had shown is void; it begins again.
        ctx.emit({"event": "text_reset", "data": {"reason": "resumed"}})
        if shown:
            ctx.emit({"event": "text_delta", "data": {"content": shown}})


async def load_prompt_context(ctx: RequestContext) -> RequestContext:
    """Return the context with the text that the pack adds to the run's prompts."""
    if ctx.pack.load_prompt_context is None:
        return ctx
    return replace(ctx, prompt_context=await ctx.pack.load_prompt_context(ctx))


async def _cancel_start(begin: asyncio.Future[Run], store: Store) -> None:
    """End a run as cancelled once it has begun, because its caller is gone."""
    with suppress(AgentError):
        run = await begin
        event = CANCELLED.to_stored_event(run.next_seq)
        await store.finish_run(run, CANCELLED, LastWords(events=(event,)))
