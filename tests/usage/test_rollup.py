"""Sums of whole hours give the same reports as the ledger, whatever is added up and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from plainloop.agent.store.records import RunEnd
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage
from plainloop.agent.usage.dimensions import DIMENSIONS
from plainloop.agent.usage.report import (
    UsageFilter,
    UsageRow,
    list_avoided_calls,
    load_run_spreads,
    summarize_usage,
)
from plainloop.agent.usage.rollup import roll_up_usage
from tests.core.store_samples import (
    begin_run,
    create_thread,
    make_call_start,
    make_settled,
    make_step,
    make_text,
)
from tests.usage.ledger import fill_ledger, move_run

BY: Sequence[tuple[str, ...]] = (
    (),
    *((name,) for name in DIMENSIONS),
    ("day", "model"),
    ("user", "hour"),
    ("run", "model"),
    ("user", "day", "origin"),
)


async def read_all(store: Store, only: UsageFilter) -> dict[Any, list[UsageRow]]:
    return {by: await summarize_usage(store.read("acme"), by, only) for by in BY}


@pytest.fixture
async def now(store: Store) -> datetime:
    """Three days of calls of two tenants and three users, up to now."""
    now = datetime.now(UTC)
    await fill_ledger(store, now, days=3)
    return now


async def test_usage_reports_are_the_same_before_and_after_summing(
    store: Store, now: datetime
) -> None:
    odd = timedelta(hours=17, minutes=13)
    filters = (
        UsageFilter(),
        UsageFilter(since=now - 3 * odd, until=now - odd),
        UsageFilter({"user": "ann"}, since=now - 3 * odd),
        UsageFilter({"model": "m-2", "status": "succeeded"}),
        UsageFilter({"origin": "replay"}),
    )
    before = [await read_all(store, only) for only in filters]
    spreads = await load_run_spreads(store.read("acme"), ["user"])
    avoided = [await list_avoided_calls(store.read("acme"), only) for only in filters[:3]]

    rolled = await roll_up_usage(store)

    assert rolled is not None and now - rolled < timedelta(hours=2, minutes=1)
    assert [await read_all(store, only) for only in filters] == before
    assert await load_run_spreads(store.read("acme"), ["user"]) == spreads
    assert [await list_avoided_calls(store.read("acme"), only) for only in filters[:3]] == avoided


async def test_summing_twice_adds_nothing(store: Store, now: datetime) -> None:
    first = await roll_up_usage(store)
    rows = await read_all(store, UsageFilter())

    assert await roll_up_usage(store) == first
    assert await read_all(store, UsageFilter()) == rows


async def test_summing_waits_for_open_calls(store: Store, now: datetime) -> None:
    async with store.transaction("acme") as tx:
        opened = await tx.fetchval(
            "update llm_calls set status = 'started' where call_id ="
            " (select call_id from llm_calls where created_at > $1 order by created_at limit 1)"
            " returning created_at",
            now - timedelta(hours=10),
        )
    rolled = await roll_up_usage(store)

    assert rolled is not None and opened - timedelta(hours=1) < rolled <= opened


@pytest.mark.parametrize("by_cost", [False, True], ids=["tokens", "cost"])
@pytest.mark.parametrize(
    "by",
    [("run",), ("thread",), ("thread", "run"), ("day", "run"), ("run", "model"), ("thread", "tag")],
    ids=",".join,
)
async def test_usage_pages_together_are_the_whole_report(
    store: Store, now: datetime, by: tuple[str, ...], by_cost: bool
) -> None:
    await roll_up_usage(store)
    async with store.transaction("acme") as tx:
        for table in ("llm_calls", "usage_runs"):  # as of somebody who was erased
            await tx.execute(
                f"update {table} set thread_id = null, run_id = null where user_id = 'ann'"
            )
    db = store.read("acme")
    for only in (UsageFilter(), UsageFilter({"user": "ann"}, since=now - timedelta(hours=30))):
        whole = await summarize_usage(db, by, only, by_cost=by_cost)
        pages = [
            await summarize_usage(db, by, only, by_cost=by_cost, limit=7, offset=offset)
            for offset in range(0, len(whole) + 7, 7)
        ]

        assert [row for page in pages for row in page] == whole
        assert any(row.keys[by[0]] is None for row in whole) or by[0] == "day"


async def test_the_operators_usage_report_covers_all_tenants(store: Store, now: datetime) -> None:
    own = await summarize_usage(store.read("acme"))
    async with store.database.transaction("", role="plainloop_operator") as tx:
        rows = await summarize_usage(tx, ["tenant"])
    assert {row.keys["tenant"] for row in rows} == {"acme", "umbrella"}
    assert {row.calls for row in rows if row.keys["tenant"] == "acme"} == {own[0].calls}


async def test_usage_sums_are_invisible_to_other_tenants(store: Store, now: datetime) -> None:
    await roll_up_usage(store)
    counts: Any = (*(0,) * 7, *(None,) * (len(fields(UsageRow)) - 9))
    for by in BY:
        found = await summarize_usage(store.read("stranger"), by)
        assert found in ([], [UsageRow({}, *counts)])


async def test_sums_outlive_the_ledger_rows(store: Store, now: datetime) -> None:
    by_model = await summarize_usage(store.read("acme"), ["model"])
    rolled = await roll_up_usage(store)
    async with store.transaction("acme") as tx:
        await tx.execute("delete from llm_calls where created_at < $1", rolled)

    assert await summarize_usage(store.read("acme"), ["model"]) == by_model


async def test_triage_calls_count_for_the_worker_they_chose(store: Store) -> None:
    thread = await create_thread(store, "acme", "ann")
    for worker in ("writer", None):
        run = await begin_run(store, thread)
        made = [("classifier", None), ("worker", worker), ("evaluator", worker)]
        starts = [
            make_call_start(run, role=role, worker=name, node=role)
            for role, name in made[: 3 if worker else 1]
        ]
        for start in starts:
            await store.record_call_start(start)
        calls = tuple(make_settled(start, usage=Usage(100, output_tokens=1)) for start in starts)
        end = RunEnd("succeeded")
        said = {"messages": [make_text("assistant", "done")]}
        await store.record_steps(run, [make_step(calls=calls, update=said, end=end)])
        await move_run(store, run, datetime.now(UTC) - timedelta(hours=5))

    async def read(tenant: str) -> dict[str | None, int]:
        rows = await summarize_usage(store.read(tenant), ["feature"])
        return {row.keys["feature"]: row.calls for row in rows}

    before = await read("acme")
    await roll_up_usage(store)
    assert before == await read("acme") == {"writer": 3, "fast path": 1}
    only = UsageFilter({"feature": "writer"})
    assert [row.calls for row in await summarize_usage(store.read("acme"), [], only)] == [3]
    assert await read("stranger") == {}
