"""A ledger of some days for tests, written as runs write it, then moved into the past."""

from __future__ import annotations

import itertools
import random
from datetime import UTC, datetime, timedelta

from plainloop.agent.store.records import AvoidedCall, CallStatus, Run, RunEnd
from plainloop.agent.store.store import Store
from plainloop.agent.types import Update, Usage
from tests.core.store_samples import (
    begin_run,
    create_thread,
    make_call_start,
    make_settled,
    make_step,
    make_text,
)

STATUSES: tuple[CallStatus, ...] = ("succeeded", "succeeded", "succeeded", "failed", "cut")
REPLAY = "0197a000-0000-7000-8000-000000000001"


async def fill_ledger(store: Store, now: datetime, *, days: int, runs: int = 24) -> None:
    """`runs` runs of three calls each for acme, some for umbrella, spread over the days."""
    rng = random.Random(7)
    users = itertools.cycle(("ann", "bob", "cid"))
    for n in range(runs):
        tenant = "umbrella" if n % 6 == 5 else "acme"
        at = now - timedelta(days=days) * (1 - (n + 0.5) / runs)
        await _make_run(store, rng, tenant, next(users), at)


async def _make_run(store: Store, rng: random.Random, tenant: str, user: str, at: datetime) -> None:
    thread = await create_thread(store, tenant, user)
    run = await begin_run(store, thread, tenant_id=tenant)
    starts = [
        make_call_start(
            run,
            node=rng.choice(("intent_classifier", "writer")),
            role="worker",
            model=rng.choice(("m-1", "m-2")),
            attempt=attempt,
            replay_id=REPLAY if rng.random() < 0.2 else None,
        )
        for attempt in (1, 1, 2)
    ]
    for start in starts:
        await store.record_call_start(start)
    settled = [
        make_settled(
            start,
            status=rng.choice(STATUSES),
            model_answered=start.model,
            cost_usd=rng.choice((None, "0.001", "0.25")),
            usage=Usage(rng.randrange(900), rng.choice((None, 50)), None, rng.randrange(90), None),
        )
        for start in starts
    ]
    avoided = (AvoidedCall("evaluator", "few tool calls", rng.randrange(900)),)
    await store.record_steps(run, [make_step(calls=tuple(settled), avoided=avoided)])
    await end_run(store, run)
    await move_run(store, run, at)


async def end_run(store: Store, run: Run) -> None:
    update: Update = {"messages": [make_text("assistant", "done")]}
    await store.record_steps(run, [make_step(1, update=update, end=RunEnd("succeeded"))])


async def move_run(store: Store, run: Run, at: datetime) -> None:
    """Its calls and steps were then."""
    async with store.transaction(run.tenant_id) as tx:
        for table, column in (("llm_calls", "created_at"), ("steps", "started_at")):
            await tx.execute(
                f"update {table} set {column} = $3 where tenant_id = $1 and run_id = $2",
                run.tenant_id,
                run.run_id,
                at,
            )


async def add_calls(
    store: Store, *models: str, tenant: str = "acme", days: int = 0, answered: str | None = None
) -> None:
    """One call of each model with 1,000 tokens of input and output each, so many days ago."""
    run = await begin_run(store, await create_thread(store, tenant), tenant_id=tenant)
    starts = [make_call_start(run, model=model) for model in models]
    for start in starts:
        await store.record_call_start(start)
    usage = Usage(1_000, output_tokens=1_000)
    settled = tuple(
        make_settled(start, model_answered=answered or start.model, usage=usage) for start in starts
    )
    await store.record_steps(run, [make_step(calls=settled)])
    await end_run(store, run)
    if days:
        await move_run(store, run, datetime.now(UTC) - timedelta(days=days))
