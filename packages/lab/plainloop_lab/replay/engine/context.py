"""A replayed run's surroundings: the machine as it is, with another store and other models."""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import replace
from typing import Any, Final

from plainloop.agent.base.finishing import finish_despite_cancel
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.context import RequestContext
from plainloop.agent.core.journal import Journal
from plainloop.agent.core.run_store import RunStore
from plainloop.agent.core.seams import ModelSource
from plainloop.agent.core.spec import Pack, build_schema_context
from plainloop.agent.core.tools import ToolRegistry
from plainloop.agent.designs.base import NodeTable
from plainloop.agent.store.records import Run
from plainloop.agent.types import NO_OPTIONS, RunOptions

from ...selection.choosing import select_models

NOBODY: Final = "replay"  # tenant, user, thread and run of what is not stored


def make_replay_context(
    store: RunStore,
    models: ModelSource,
    pack: Pack,
    table: NodeTable,
    settings: Settings,
    input_position: int,
    *,
    tools: ToolRegistry | None = None,
    prompt_context: str = "",
    tenant_id: str = NOBODY,
    user_id: str = NOBODY,
    run_id: str = NOBODY,
    options: RunOptions = NO_OPTIONS,
) -> RequestContext:
    """Make a replayed run's RequestContext, with this store and models, without viewers.

    tools: the pack's, where they are at hand. run_id: "" for a run whose calls have ledger rows,
    which then name no run. options: of its client.
    """
    # Of no design: it is the table that is replayed.
    run = Run(
        *(tenant_id, user_id, run_id, run_id, NOBODY),
        *(0, 1, "", pack.name, input_position),
        options=options,
    )
    # What is remembered today has no say in what was said then, and nothing is learned of it.
    # Nobody sees its events.
    settings = replace(settings, agent=replace(settings.agent, remember=False, reasoning=False))
    # Nothing is written of a run that is nobody's: a task for each commit would protect nothing.
    guard = _just_do if run_id else finish_despite_cancel
    journal = Journal(store, run, guard=guard, lets_wait=False)
    return RequestContext(
        thread_id=run_id,
        tenant_id=tenant_id,
        schema_context=build_schema_context(pack.entities),
        tools=tools or ToolRegistry(pack.tools),
        user_id=user_id,
        run=run,
        pack=pack,
        prompt_context=prompt_context,
        nodes=select_models(table.nodes, pack, settings),
        start_node=table.start,
        store=store,
        models=models,
        journal=journal,
        emit=journal.emit,
        limits=settings.limits,
        settings=settings,
    )


async def _just_do(work: Coroutine[Any, Any, None]) -> None:
    await work
