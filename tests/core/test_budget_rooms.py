"""Budgets in the store: what is told when they are near, how they are listed, changed and gone."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from plainloop.agent.base.finishing import end_tasks
from plainloop.agent.errors import BudgetBusy
from plainloop.agent.store.budgets import (
    MAX_KNOWN,
    BudgetGate,
    BudgetUsage,
    delete_budget,
    describe_budget,
    find_period_end,
    list_budget_usage,
    list_budgets,
    save_budget,
)
from plainloop.agent.store.budgets import SQL as BUDGETS
from plainloop.agent.store.records import Budget, Granted, Reserved, Run, RunEnd
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage
from tests.core.store_samples import (
    begin_run,
    create_thread,
    make_call_start,
    make_settled,
    wait_for_lock,
)

CHANGES: list[dict[str, Any]] = [
    *({}, {"period": "month"}, {"scope": "user"}),
    {"scope": "user", "user_id": "a"},
]


@pytest.fixture
async def run(store: Store) -> Run:
    return await begin_run(store, await create_thread(store))


async def save(store: Store, budget: Budget) -> str:
    async with store.transaction("acme") as tx:
        budget_id = await save_budget(tx, budget)
    store.budgets.forget("acme")
    return budget_id


async def reserve(store: Store, run: Run, tokens: int, cost: str = "0") -> Granted | None:
    start = replace(make_call_start(run), reserved=Reserved(tokens, Decimal(cost)))
    return await store.record_call_start(start)


@pytest.mark.parametrize(
    ("budget", "tokens", "cost", "told"),
    [
        (Budget("tenant", "day", 1_000, None), 899, "0", None),
        (Budget("tenant", "day", 1_000, None), 900, "0", "is nearly used up"),
        (Budget("tenant", "day", None, Decimal(2)), 9, "1.79", None),
        (Budget("tenant", "day", None, Decimal(2)), 9, "1.8", "is nearly used up"),
        (Budget("tenant", "day", 10_000, Decimal(2)), 9_500, "0.1", "is nearly used up"),
        (Budget("tenant", "day", 1_000, None, is_hard=False), 999, "0", None),
        (Budget("tenant", "day", 1_000, None, is_hard=False), 1_000, "0", "is passed"),
        (Budget("tenant", "day", None, Decimal(2), is_hard=False), 1, "1.99", None),
        (Budget("tenant", "day", None, Decimal(2), is_hard=False), 1, "2", "is passed"),
        (Budget("tenant", "day", 0, None, is_hard=False), 1, "0", "is passed"),
        (Budget("tenant", "day", None, Decimal(0), is_hard=False), 1, "0", "is passed"),
    ],
)
async def test_a_budget_warns_from_its_configured_share_on(
    budget: Budget, tokens: int, cost: str, told: str | None, store: Store, run: Run
):
    budget_id = await save(store, budget)
    granted = await reserve(store, run, tokens, cost)
    assert granted is not None
    assert granted.reserved == Reserved(tokens, Decimal(cost))
    whole = f"the {describe_budget(budget)} {told}"
    notices = [(n.budget.budget_id, n.subject, n.is_new, n.message) for n in granted.notices]
    assert notices == ([(budget_id, "", True, whole)] if told else [])


async def test_a_budget_counts_used_and_reserved_amounts(store: Store, run: Run):
    await save(store, Budget("tenant", "day", 1_000, None))
    first = replace(make_call_start(run), reserved=Reserved(500, Decimal(0)))
    await store.record_call_start(first)
    settled = make_settled(first, usage=Usage(input_tokens=400, output_tokens=50))
    await store.settle_calls("acme", [settled])
    granted = [await reserve(store, run, tokens) for tokens in (449, 1)]
    assert [len(item.notices) if item else None for item in granted] == [0, 1]


async def test_budgets_are_listed_with_their_usage(store: Store, run: Run):
    day = Budget("tenant", "day", 1_000, Decimal(5))
    each = Budget("user", "total", 9_000, None, is_hard=False)
    ids = [await save(store, day), await save(store, each)]
    theirs = Budget("user", "total", 10, None, user_id="bob")
    ids.append(await save(store, theirs))
    day, each, theirs = (
        replace(it, budget_id=key) for it, key in zip((day, each, theirs), ids, strict=True)
    )
    await reserve(store, run, 100, "0.5")
    db = store.read("acme")
    until = find_period_end("day", datetime.now(UTC))
    own = [
        BudgetUsage(day, "", 0, Decimal(0), 100, Decimal("0.5"), until),
        BudgetUsage(each, "ann", 0, Decimal(0), 100, Decimal("0.5"), None),
    ]
    nobody = BudgetUsage(theirs, None, 0, Decimal(0), 0, Decimal(0), None)
    by_id = {usage.budget.budget_id: usage for usage in await list_budget_usage(db)}
    assert by_id == dict(zip(ids, [*own, nobody], strict=True))
    mine = {usage.budget.budget_id for usage in await list_budget_usage(db, "ann")}
    assert mine == {*ids[:2]}
    assert sorted(it.budget_id for it in await list_budgets(db)) == sorted(ids)
    assert await list_budget_usage(store.read("umbrella")) == []


async def test_a_budget_is_unique_per_subject_period_and_kind(store: Store, run: Run):
    first = await save(store, Budget("tenant", "day", 1_000, None))
    assert await save(store, Budget("tenant", "day", 2_000, None)) == first
    others = [
        await save(store, replace(Budget("tenant", "day", 9, None, is_hard=False), **change))
        for change in (
            {},
            {"period": "month"},
            {"scope": "user"},
            {"scope": "user", "user_id": "a"},
        )
    ]
    assert len({first, *others}) == 5
    (hard,) = [it for it in await list_budgets(store.read("acme")) if it.budget_id == first]
    assert hard.limit_tokens == 2_000
    async with store.transaction("acme") as tx:
        await delete_budget(tx, first.upper())
    left = {it.budget_id for it in await list_budgets(store.read("acme"))}
    assert left == {*others}


async def test_a_budget_deleted_while_it_refuses_a_call_ends_no_run(
    store: Store, run: Run, monkeypatch: pytest.MonkeyPatch
):
    budget_id = await save(store, Budget("tenant", "day", 10, None))
    start = replace(make_call_start(run), reserved=Reserved(20, Decimal(0)))
    async with store.transaction("acme") as tx:
        fetch = tx.fetch

        async def delete_after_reserving(sql: str, *args: Any) -> Any:
            rows = await fetch(sql, *args)
            if sql == BUDGETS["reserve"]:
                async with store.transaction("acme") as other:
                    await delete_budget(other, budget_id)
            return rows

        monkeypatch.setattr(tx, "fetch", delete_after_reserving)
        with pytest.raises(BudgetBusy, match="was deleted meanwhile"):
            await store.budgets.reserve(tx, start)


async def test_a_budget_saved_twice_at_once_is_one_budget(store: Store):
    budget = Budget("tenant", "day", 1_000, None)
    async with store.transaction("acme") as tx:
        first = await save_budget(tx, budget)
        second = asyncio.create_task(save(store, replace(budget, limit_tokens=2_000)))
        locked = asyncio.create_task(wait_for_lock(store))
        await asyncio.wait({second, locked}, return_when=asyncio.FIRST_COMPLETED)
    await end_tasks(locked)
    assert await second == first
    assert [item.limit_tokens for item in await list_budgets(store.read("acme"))] == [2_000]


@pytest.mark.parametrize("how", ["closed", "taken up", "ended"])
async def test_a_lost_runs_reservation_is_counted_as_used_budget(how: str, store: Store):
    await save(store, Budget("tenant", "total", 9_000, None))
    thread, other = await create_thread(store), await create_thread(store)
    lost = await begin_run(store, thread, owner="x/1/1", lease_s=0.0)
    await reserve(store, lost, 100)
    await reserve(store, await begin_run(store, other), 7)
    if how == "closed":
        await store.close_abandoned_run("acme", "ann", thread.thread_id)
    elif how == "ended":
        await store.finish_run(lost, RunEnd("failed", "E", "no"))
    else:
        (claim,) = await store.queue.claim_lost_runs("y/1/1", 30.0)
        await store.queue.load_resume_point(claim)
    (usage,) = await list_budget_usage(store.read("acme"))
    assert (usage.used_tokens, usage.reserved_tokens) == (100, 7)


def test_a_tenant_without_budgets_is_cached_briefly():
    gate = BudgetGate()
    assert gate.may_apply("acme") is True
    free: Any = gate._free_until
    free["acme"] = float("inf")
    assert (gate.may_apply("acme"), gate.may_apply("umbrella")) == (False, True)
    gate.forget("acme")
    gate.forget("nobody")
    assert gate.may_apply("acme") is True


async def test_the_cache_of_tenants_without_budgets_is_bounded(store: Store, run: Run):
    free: Any = store.budgets._free_until
    free.update({f"t{n}": 0.0 for n in range(MAX_KNOWN - 1)})
    assert await reserve(store, run, 5) is None
    assert len(free) == MAX_KNOWN
    store.budgets.forget("acme")
    free["t"] = 0.0
    assert await reserve(store, run, 5) is None
    assert [*free] == ["acme"]


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (
            Budget("tenant", "day", 5_000, None),
            "budget of all users together per day: 5,000 tokens",
        ),
        (Budget("run", "total", 9, None), "budget of each run: 9 tokens"),
        (
            Budget("user", "month", 1, Decimal("2.50"), is_hard=False, user_id="ann"),
            "budget (warning only) of the user ann per month: 1 tokens and $2.50",
        ),
        (
            Budget("user", "hour", 9, None, zone="Europe/Berlin"),
            "budget of each user per hour (Europe/Berlin): 9 tokens",
        ),
        (
            Budget("tenant", "total", 9, None, zone="Europe/Berlin"),
            "budget of all users together in all: 9 tokens",
        ),
    ],
)
def test_describe_budget_names_subject_and_limits(budget: Budget, told: str):
    assert describe_budget(budget) == told


@pytest.mark.parametrize(
    ("period", "at", "zone", "end"),
    [
        ("hour", "2026-05-01T10:20:30+00:00", "UTC", "2026-05-01T11:00:00+00:00"),
        ("hour", "2026-05-01T10:59:59.999999+00:00", "UTC", "2026-05-01T11:00:00+00:00"),
        ("hour", "2026-05-01T10:20:30+00:00", "Asia/Kolkata", "2026-05-01T10:30:00+00:00"),
        ("day", "2026-05-01T20:00:00+00:00", "Asia/Kolkata", "2026-05-02T18:30:00+00:00"),
        ("month", "2026-12-31T23:59:59+00:00", "UTC", "2027-01-01T00:00:00+00:00"),
    ],
)
def test_a_budget_period_ends_in_its_time_zone(period: Any, at: str, zone: str, end: str):
    found = find_period_end(period, datetime.fromisoformat(at), zone)
    assert found == datetime.fromisoformat(end)
