"""Reports: sums by dimension, unknown is not zero, one tenant only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from plainloop.agent.errors import InputError
from plainloop.agent.store.erasure import erase_thread_rows
from plainloop.agent.store.records import AvoidedCall, Run
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage
from plainloop.agent.usage.dimensions import DIMENSIONS
from plainloop.agent.usage.report import (
    AvoidedRow,
    UsageFilter,
    UsageRow,
    list_avoided_calls,
    summarize_usage,
)
from plainloop.agent.usage.rollup import roll_up_usage
from tests.core.store_samples import (
    begin_run,
    create_thread,
    make_call_start,
    make_settled,
    make_step,
)

MISSING = Usage(source="missing")


@pytest.fixture
async def run(store: Store) -> Run:
    """Three calls of one run: a priced one, one whose price is unknown, one never answered."""
    started = await begin_run(store, await create_thread(store))
    priced = make_call_start(started, node="a")
    unpriced = make_call_start(started, node="b")
    cut = make_call_start(started, node="b")
    for start in (priced, unpriced, cut):
        await store.record_call_start(start)
    usage = Usage(1, None, None, 2, 3, source="estimated")
    failed = make_settled(cut, status="cut", usage=MISSING, cost_usd=None, model_answered=None)
    avoided = (AvoidedCall("evaluator", "few tool calls", 700), AvoidedCall("router", "merged", 50))
    await store.record_steps(
        started,
        [
            make_step(
                calls=(make_settled(priced), make_settled(unpriced, usage=usage, cost_usd=None)),
                avoided=avoided,
            )
        ],
    )
    await store.settle_calls("acme", [failed])
    await store.record_steps(started, [make_step(1, avoided=avoided[:1])])
    return started


async def test_usage_totals_are_the_sum_of_the_ledger(store: Store, run: Run) -> None:
    total = UsageRow({}, 3, 1, 0, 1, 1, 2, 0, 11, 20, 30, None, 42, 3, "0.00012", *(None,) * 6)
    assert await summarize_usage(store.read("acme")) == [total]
    only = UsageFilter({"user": "ann", "thread": run.thread_id, "run": run.run_id})
    assert await summarize_usage(store.read("acme"), only=only) == [total]


async def test_usage_groups_state_unknown_costs(store: Store, run: Run) -> None:
    rows = await summarize_usage(store.read("acme"), ["node", "model", "status"])
    assert rows == [
        UsageRow(
            {"node": "a", "model": "some-model-1", "status": "succeeded"},
            *(1, 0, 0, 0, 0, 0, 0),
            *(10, 20, 30, None, 40, None, "0.00012", *(None,) * 6),
        ),
        UsageRow(
            {"node": "b", "model": "some-model-1", "status": "succeeded"},
            *(1, 0, 0, 1, 0, 1, 0),
            *(1, None, None, None, 2, 3, *(None,) * 7),
        ),
        UsageRow(
            {"node": "b", "model": "some-model", "status": "cut"},
            *(1, 1, 0, 0, 1, 1, 0),
            *(None,) * 13,
        ),
    ]


async def test_usage_can_be_grouped_by_every_dimension(store: Store, run: Run) -> None:
    for dimension in DIMENSIONS:
        rows = await summarize_usage(store.read("acme"), [dimension])
        assert sum(row.calls for row in rows) == 3
        assert all(list(row.keys) == [dimension] for row in rows)
    with pytest.raises(InputError):
        await summarize_usage(store.read("acme"), ["tenant_id; drop table threads"])


@pytest.mark.parametrize("age", ["1 minute", "5 hours"])
async def test_a_deleted_chats_avoided_calls_stay_counted(store: Store, run: Run, age: str) -> None:
    async with store.transaction("acme") as tx:
        for table, time in (("steps", "started_at"), ("llm_calls", "created_at")):
            await tx.execute(f"update {table} set {time} = now() - interval '{age}'")
        await tx.execute("update llm_calls set status = 'succeeded'")
    await roll_up_usage(store)
    before = await list_avoided_calls(store.read("acme"))
    async with store.transaction("acme") as tx:
        await erase_thread_rows(tx, run.user_id, run.thread_id)

    assert len(before) == 2
    assert await list_avoided_calls(store.read("acme")) == before
    of_day = UsageFilter({"user": run.user_id}, since=datetime.now(UTC) - timedelta(days=1))
    assert await list_avoided_calls(store.read("acme"), of_day) == before


async def test_a_time_range_is_half_open(store: Store, run: Run) -> None:
    now = datetime.now(UTC)
    hour = timedelta(hours=1)

    async def count(since: datetime, until: datetime) -> int:
        only = UsageFilter(since=since, until=until)
        return (await summarize_usage(store.read("acme"), only=only))[0].calls

    assert await count(now - hour, now + hour) == 3
    assert await count(now - 2 * hour, now - hour) == 0


async def test_avoided_calls_are_added_up(store: Store, run: Run) -> None:
    assert await list_avoided_calls(store.read("acme")) == [
        AvoidedRow("evaluator", "few tool calls", 2, 1400),
        AvoidedRow("router", "merged", 1, 50),
    ]
    assert await list_avoided_calls(store.read("acme"), UsageFilter({"user": "bob"})) == []
    assert await list_avoided_calls(store.read("umbrella")) == []
