"""Budgets: what is reserved, what is settled, who is refused and what they are told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from plainloop.agent.errors import (
    BudgetBusy,
    BudgetExceeded,
    BudgetUnpriced,
    InputError,
    NotFoundError,
)
from plainloop.agent.store.budgets import (
    Budget,
    delete_budget,
    describe_budget,
    find_period_end,
    fit_reserved,
    list_budget_usage,
    list_budgets,
    save_budget,
    settle_lost_reservations,
)
from plainloop.agent.store.ledger import settle_calls
from plainloop.agent.store.records import CallStart, Reserved, Run
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage
from plainloop.agent.usage.report import summarize_usage
from tests.core.store_samples import (
    begin_run,
    create_thread,
    make_call_start,
    make_settled,
    wait_for_lock,
)

ONE_DAY = Budget("tenant", "day", 1_000, None)
SMALL = Usage(input_tokens=60, output_tokens=40)


async def save(store: Store, budget: Budget, tenant_id: str = "acme") -> str:
    async with store.transaction(tenant_id) as tx:
        budget_id = await save_budget(tx, budget)
    store.budgets.forget(tenant_id)
    return budget_id


async def begin(store: Store, user_id: str = "ann", tenant_id: str = "acme") -> Run:
    thread = await create_thread(store, tenant_id, user_id)
    return await begin_run(store, thread, tenant_id=tenant_id)


async def call(store: Store, run: Run, tokens: int, cost: str | None = "0.1") -> CallStart:
    reserved = Reserved(tokens, None if cost is None else Decimal(cost))
    start = replace(make_call_start(run), reserved=reserved)
    await store.record_call_start(start)
    return start


async def settle(store: Store, start: CallStart, **rest: Any) -> None:
    settled = make_settled(start, **{"usage": SMALL, "cost_usd": "0.01", **rest})
    await store.settle_calls(start.tenant_id, [settled])


async def stand(store: Store, tenant_id: str = "acme") -> list[tuple[Any, ...]]:
    return [
        (item.subject, item.used_tokens, item.reserved_tokens, item.used_usd, item.reserved_usd)
        for item in await list_budget_usage(store.read(tenant_id))
    ]


@pytest.fixture
async def run(store: Store) -> Run:
    return await begin(store)


async def test_a_call_reserves_then_counts_its_actual_usage(store: Store, run: Run) -> None:
    await save(store, ONE_DAY)
    start = await call(store, run, 900)
    reserved = await stand(store)
    await settle(store, start)

    assert reserved == [("", 0, 900, Decimal(0), Decimal("0.1"))]
    assert await stand(store) == [("", 100, 0, Decimal("0.01"), Decimal(0))]


async def test_a_refused_call_leaves_no_reservation(store: Store, run: Run) -> None:
    await save(store, ONE_DAY)
    await save(store, Budget("user", "month", 10_000, None))
    await settle(store, await call(store, run, 1_000), usage=Usage(900, None, None, 0))
    before = await stand(store)
    with pytest.raises(BudgetExceeded) as refused:
        await call(store, run, 200)

    assert await stand(store) == before
    assert len(await store.list_calls("acme", run.run_id)) == 1
    wrong = "budget of all users together per day: 1,000 tokens has no room for this call"
    assert wrong in refused.value.message
    assert "900 tokens" in refused.value.message and "resets at" in refused.value.message
    assert 0 < (refused.value.retry_after_s or 0) <= 86_400


async def test_a_budget_reserved_by_other_calls_is_reported_as_busy(store: Store, run: Run) -> None:
    await save(store, ONE_DAY)
    first = await call(store, run, 900)
    with pytest.raises(BudgetBusy, match="is reserved by calls in progress") as busy:
        await call(store, run, 200)
    assert (busy.value.retry_after_s, busy.value.hint) == (5.0, "Try again in a moment.")
    await settle(store, first)
    await call(store, run, 200)


async def test_a_model_without_a_price_is_refused_under_a_budget_in_money(
    store: Store, run: Run
) -> None:
    await save(store, Budget("tenant", "total", None, Decimal(5)))
    with pytest.raises(BudgetUnpriced) as refused:
        await call(store, run, 10, None)
    assert '[prices."anthropic:some-model"]' in (refused.value.hint or "")
    await settle(store, await call(store, run, 10, "1"))
    with pytest.raises(BudgetUnpriced):  # also once there is a counter
        await call(store, run, 10, None)


async def test_a_budgets_limits_in_money_and_tokens_both_hold(store: Store, run: Run) -> None:
    await save(store, Budget("tenant", "total", 1_000, Decimal(1)))
    await settle(store, await call(store, run, 10, "0.6"), cost_usd="0.6")
    with pytest.raises(BudgetExceeded):
        await call(store, run, 10, "0.5")
    await call(store, run, 10, "0.4")


async def test_budgets_of_users_and_runs_are_counted_separately(store: Store) -> None:
    await save(store, Budget("user", "day", 1_000, None))
    await save(store, Budget("run", "total", 600, None))
    ann, bob = await begin(store), await begin(store, "bob")
    for run in (ann, bob):
        await call(store, run, 500)
    with pytest.raises(BudgetExceeded):  # the run's
        await call(store, ann, 200)
    other = await begin(store)
    with pytest.raises(BudgetExceeded):  # the user's
        await call(store, other, 550)
    await call(store, other, 500)


async def test_a_users_budget_does_not_limit_others(store: Store) -> None:
    await save(store, Budget("user", "day", 100, None, user_id="bob"))
    await call(store, await begin(store), 5_000)
    with pytest.raises(BudgetExceeded):
        await call(store, await begin(store, "bob"), 200)


async def test_a_soft_budget_warns_once_and_stops_nothing(store: Store, run: Run) -> None:
    await save(store, Budget("tenant", "day", 100, None, is_hard=False))
    told: list[Any] = []
    for _ in range(3):
        start = replace(make_call_start(run), reserved=Reserved(80, None))
        told.append(await store.record_call_start(start))
        await settle(store, start)

    assert [[notice.is_new for notice in granted.notices] for granted in told] == [
        [],
        [True],
        [False],
    ]
    assert (
        "budget (warning only) of all users together per day: 100 tokens is passed"
        in told[1].notices[0].message
    )


async def test_a_hard_budget_warns_near_its_limit(store: Store, run: Run) -> None:
    await save(store, ONE_DAY)
    start = replace(make_call_start(run), reserved=Reserved(950, None))
    granted = await store.record_call_start(start)

    assert granted and granted.notices[0].is_new
    assert "is nearly used up" in granted.notices[0].message


async def test_an_unused_reservation_is_released(store: Store, run: Run) -> None:
    await save(store, ONE_DAY)
    missing = Usage(source="missing")
    refused = {"status": "failed", "usage": missing, "cost_usd": None}
    await settle(store, await call(store, run, 300), **refused, error_code="RATE_LIMITED")
    given_back = await stand(store)
    await settle(store, await call(store, run, 300), **refused, error_code="MODEL_TIMEOUT")

    assert given_back == [("", 0, 0, Decimal(0), Decimal(0))]
    assert await stand(store) == [("", 300, 0, Decimal("0.1"), Decimal(0))]


ROOM: dict[str, Any] = {
    "scope": "tenant",
    "is_hard": True,
    "limit_tokens": None,
    "limit_usd": None,
    "used_tokens": 0,
    "reserved_tokens": 0,
    "used_usd": Decimal(0),
    "reserved_usd": Decimal(0),
}


# Of the tokens of a budget: limit, used, held by others; what is asked for, and what it becomes.
@pytest.mark.parametrize(
    ("limit", "used", "held", "output"),
    [
        (100_000, 0, 0, 8_000),  # plenty: as much as is wished for
        (50_000, 0, 0, 4_000),  # a tenth of what is free, so that others may call too
        (10_000, 0, 5_000, 400),  # never less than such calls take
        (2_000, 500, 0, 400),
        (2_000, 700, 0, 300),  # the last of it
        (2_000, 800, 0, 200),  # half of what such calls take is still an answer
        (2_000, 801, 0, 400),  # less is not: refused
        (2_000, 700, 1, 400),  # others may return more: refused for now
        (2_000, 1_000, 0, 400),  # refused
    ],
)
async def test_calls_get_a_smaller_answer_limit_near_a_token_budgets_end(
    limit: int, used: int, held: int, output: int
) -> None:
    most = Reserved(9_000, Decimal(0), output_tokens=8_000, usual_output=400)
    room = {**ROOM, "limit_tokens": limit, "used_tokens": used, "reserved_tokens": held}
    found = fit_reserved(most, [room])
    assert (found.output_tokens, found.tokens) == (output, 1_000 + output)


# Of a run's budget in USD: limit, used, held by others; a call takes 0.03 and 0.00002 a token.
@pytest.mark.parametrize(
    ("limit", "used", "held", "output"),
    [
        ("0.10", "0", "0", 1_000),  # half of what is free is a run's next call's
        ("0.10", "0.05", "0", 400),  # never less than such calls take
        ("0.10", "0.064", "0", 300),  # the last of it
        ("0.10", "0.066", "0", 200),
        ("0.10", "0.0661", "0", 400),  # refused
        ("0.10", "0.05", "0.014", 300),  # what is held is not free
    ],
)
def test_calls_get_a_smaller_answer_limit_near_a_money_budgets_end(
    limit: str, used: str, held: str, output: int
) -> None:
    most = Reserved(9_000, Decimal("0.19"), 8_000, 400, Decimal("0.00002"))
    amounts = {"limit_usd": limit, "used_usd": used, "reserved_usd": held}
    room = {**ROOM, "scope": "run", **{name: Decimal(usd) for name, usd in amounts.items()}}
    assert fit_reserved(most, [room]).output_tokens == output


def test_the_fullest_hard_budget_limits_the_answer() -> None:
    most = Reserved(9_000, None, output_tokens=8_000, usual_output=400)
    limits = [(100_000, True), (40_000, True), (50_000, True), (2_000, False)]
    rooms = [{**ROOM, "limit_tokens": limit, "is_hard": is_hard} for limit, is_hard in limits]
    assert fit_reserved(most, rooms).output_tokens == 3_000


def test_a_nearly_used_up_budget_does_not_raise_a_small_answer_maximum() -> None:
    most = Reserved(1_100, Decimal(0), output_tokens=100, usual_output=400)
    room = {**ROOM, "limit_tokens": 2_000, "used_tokens": 950}
    assert fit_reserved(most, [room]) == most.shrink(50)
    assert fit_reserved(most, [{**room, "used_tokens": 800}]) == most


def test_the_reserved_cost_follows_the_maximum_answer() -> None:
    most = Reserved(9_000, Decimal("0.19"), 8_000, 400, Decimal("0.00002"))
    found = fit_reserved(most, [{**ROOM, "scope": "run", "limit_usd": Decimal("0.12")}])
    assert (found.output_tokens, found.cost_usd) == (1_500, Decimal("0.06"))


async def test_a_calls_maximum_cost_is_stored_before_the_call(store: Store, run: Run) -> None:
    await save(store, Budget("tenant", "total", None, Decimal("0.5")))
    most = Reserved(9_000, Decimal("0.17"), 8_000, 400, Decimal("0.00002"))
    granted = await store.record_call_start(replace(make_call_start(run), reserved=most))
    total = (await summarize_usage(store.read("acme")))[0]

    assert granted and granted.reserved.cost_usd == Decimal("0.05")
    assert (total.cost_usd, total.at_most_usd, total.bounded_calls) == (None, "0.05", 1)


async def test_a_lost_runs_reservation_counts_as_usage(store: Store, run: Run) -> None:
    await save(store, ONE_DAY)
    await call(store, run, 300)
    async with store.transaction("acme") as tx:
        await settle_lost_reservations(tx, run.run_id)

    assert await stand(store) == [("", 300, 0, Decimal("0.1"), Decimal(0))]


async def test_a_new_budget_counts_earlier_usage_of_its_period(store: Store, run: Run) -> None:
    start = make_call_start(run)
    await store.record_call_start(start)
    await store.settle_calls("acme", [make_settled(start, usage=SMALL, cost_usd="0.5")])
    await save(store, ONE_DAY)
    await save(store, Budget("user", "month", 1_000, None))

    assert [(row[0], row[1]) for row in await stand(store)] == [("", 100), ("ann", 100)]


@pytest.mark.parametrize("with_older", [False, True], ids=["first budget", "second budget"])
async def test_a_call_in_flight_when_a_budget_is_made_is_counted_when_it_ends(
    with_older: bool, store: Store, run: Run
) -> None:
    if with_older:
        await save(store, ONE_DAY)
    start = await call(store, run, 900)
    mine = [Budget("tenant", "total", 5_000, None), Budget("user", "day", None, Decimal(9))]
    for budget in [*mine, Budget("run", "total", 5_000, None), replace(mine[1], user_id="bob")]:
        await save(store, budget)
    before = await stand(store)
    for _ in range(2):  # an answer of the database that was lost is asked for again
        await settle(store, start)

    used = (100, 0, Decimal("0.01"), Decimal(0))
    subjects = [*([""] if with_older else []), "", "ann", run.run_id]
    assert [row[1] for row in before if row[1]] == []
    assert [row for row in await stand(store) if row[0] is not None] == [
        (subject, *used) for subject in subjects
    ]


@pytest.mark.parametrize("first", ["budget", "call"])
async def test_a_budget_made_during_a_settlement_counts_the_call_once(
    first: str, store: Store, run: Run
) -> None:
    start = make_call_start(run)
    await store.record_call_start(start)
    settled = make_settled(start, usage=SMALL, cost_usd="0.5")
    waiting: asyncio.Task[Any]
    async with store.transaction("acme") as tx:
        if first == "budget":
            await save_budget(tx, ONE_DAY)
            waiting = asyncio.create_task(store.settle_calls("acme", [settled]))
        else:
            await settle_calls(tx, [settled])
            waiting = asyncio.create_task(save(store, ONE_DAY))
        await wait_for_lock(store)
    await waiting

    assert await stand(store) == [("", 100, 0, Decimal("0.5"), Decimal(0))]


async def test_a_change_of_a_budgets_zone_keeps_calls_in_flight(store: Store, run: Run) -> None:
    await save(store, ONE_DAY)
    start = await call(store, run, 900)
    for zone in ("Asia/Kolkata", "UTC", "Asia/Kolkata"):
        await save(store, replace(ONE_DAY, zone=zone))
    await settle(store, start)
    there = await stand(store)
    await save(store, ONE_DAY)

    used = [("", 100, 0, Decimal("0.01"), Decimal(0))]
    assert (there, await stand(store)) == (used, used)


async def test_changing_a_budgets_limit_keeps_its_usage(store: Store, run: Run) -> None:
    first = await save(store, ONE_DAY)
    await settle(store, await call(store, run, 900))
    second = await save(store, replace(ONE_DAY, limit_tokens=150))

    assert first == second and len(await list_budgets(store.read("acme"))) == 1
    with pytest.raises(BudgetExceeded):
        await call(store, run, 100)


async def test_deleting_a_budget_ends_its_limit_at_once(store: Store, run: Run) -> None:
    budget_id = await save(store, ONE_DAY)
    start = await call(store, run, 900)
    async with store.transaction("acme") as tx:
        await delete_budget(tx, budget_id)
        with pytest.raises(NotFoundError):
            await delete_budget(tx, budget_id)
    await settle(store, start)
    await call(store, run, 5_000)
    assert await stand(store) == []


async def test_a_tenant_without_budgets_needs_no_budget_query(store: Store, run: Run) -> None:
    assert store.budgets.may_apply("acme")
    assert (
        await store.record_call_start(replace(make_call_start(run), reserved=Reserved(5, None)))
        is None
    )
    assert not store.budgets.may_apply("acme")
    assert store.budgets.may_apply("umbrella")


async def test_a_budget_does_not_affect_other_tenants(store: Store, run: Run) -> None:
    await save(store, ONE_DAY, "umbrella")
    await call(store, run, 5_000)
    assert await stand(store) == []
    assert await list_budgets(store.read("acme")) == []
    async with store.transaction("acme") as tx:
        for budget in await list_budgets(store.read("umbrella")):
            with pytest.raises(NotFoundError):
                await delete_budget(tx, budget.budget_id)


@pytest.mark.parametrize(
    "budget",
    [
        Budget("tenant", "day", None, None),
        Budget("tenant", "day", -1, None),
        Budget("tenant", "day", None, Decimal("nan")),
        Budget("tenant", "day", None, Decimal("1e400")),
        Budget("tenant", "day", 1, None, user_id="ann"),
        Budget("run", "day", 1, None),
    ],
)
async def test_a_budget_with_an_invalid_limit_or_subject_is_refused(
    store: Store, budget: Budget
) -> None:
    async with store.transaction("acme") as tx:
        with pytest.raises(InputError):
            await save_budget(tx, budget)


async def test_concurrent_calls_use_up_a_money_budget_without_exceeding_it(store: Store) -> None:
    """Each call could answer 8,096 tokens and takes 100 to 400, eight of them at a time."""
    limit, each = Decimal("0.6"), Decimal("0.000004")
    await save(store, Budget("tenant", "total", None, limit))
    runs = [await begin(store, user) for user in ("ann", "bob", "cid", "dan")]
    most = Reserved(8_696, Decimal("0.0005") + 8_096 * each, 8_096, 400, each)
    answered: list[Decimal] = []

    async def talk(worker: int) -> None:
        """Calls one after another, until there is no more room."""
        for n in range(100):
            start = replace(make_call_start(runs[worker % 4]), reserved=most)
            try:
                granted = await store.record_call_start(start)
            except BudgetBusy:  # others hold what is left, and will give most of it back
                continue
            except BudgetExceeded:
                return
            assert granted is not None
            output = min(100 + (37 * n + 101 * worker) % 301, granted.reserved.output_tokens)
            answered.append(Decimal("0.0005") + output * each)
            usage = Usage(input_tokens=600, output_tokens=output)
            await settle(store, start, usage=usage, cost_usd=str(answered[-1]))

    await asyncio.gather(*map(talk, range(8)))
    [usage] = await list_budget_usage(store.read("acme"))

    assert usage.used_usd == sum(answered)
    assert Decimal("0.97") * limit <= usage.used_usd <= limit
    assert usage.reserved_usd == 0


async def test_two_hundred_concurrent_calls_never_exceed_a_budget(
    store: Store, connect: Callable[[], Awaitable[Store]]
) -> None:
    """Many budgets at once, so that a wrong order of locks would deadlock."""
    other = await connect()
    await save(store, Budget("tenant", "day", 2_000, None))
    await save(store, Budget("user", "day", 900, None))
    await save(store, Budget("tenant", "total", None, Decimal(100)))
    other.budgets.forget("acme")
    runs = [await begin(store, user) for user in ("ann", "bob", "cid")]

    async def attempt(n: int) -> int:
        through = (store, other)[n % 2]
        try:
            start = await call(through, runs[n % 3], 100)
        except BudgetExceeded:
            return 0
        await settle(through, start, usage=Usage(input_tokens=50, output_tokens=45))
        return 95

    used = sum(await asyncio.gather(*(attempt(n) for n in range(200))))
    rows = await stand(store)

    assert 0 < used <= 2_000
    assert rows[0][1] == used == sum(row[1] for row in rows if row[0])
    assert all(row[2] == 0 for row in rows)
    assert max(row[1] for row in rows if row[0]) <= 900


@pytest.mark.parametrize(
    ("period", "at", "end"),
    [
        ("hour", "2026-12-31T23:59:59+00:00", "2027-01-01T00:00:00+00:00"),
        ("hour", "2026-03-01T08:00:00+00:00", "2026-03-01T09:00:00+00:00"),
        ("day", "2026-02-28T08:30:00+00:00", "2026-03-01T00:00:00+00:00"),
        ("day", "2026-03-01T01:30:00+05:00", "2026-03-01T00:00:00+00:00"),
        ("month", "2026-01-31T08:30:00+00:00", "2026-02-01T00:00:00+00:00"),
        ("month", "2026-12-01T00:00:00+00:00", "2027-01-01T00:00:00+00:00"),
    ],
)
def test_a_budgets_hour_day_or_month_ends_by_the_clock_of_utc(
    period: Any, at: str, end: str
) -> None:
    assert find_period_end(period, datetime.fromisoformat(at)) == datetime.fromisoformat(end)


def test_a_total_budgets_period_never_ends() -> None:
    assert find_period_end("total", datetime.fromisoformat("2026-01-31T08:30:00+00:00")) is None


async def test_a_new_budget_period_starts_at_zero(store: Store, run: Run) -> None:
    await save(store, ONE_DAY)
    await settle(store, await call(store, run, 1_000), usage=Usage(1_000, None, None, 0))
    async with store.transaction("acme") as tx:
        await tx.execute(
            "update budget_counters set period_start = period_start - interval '1 day'"
        )
    await call(store, run, 1_000)


@pytest.mark.parametrize(
    ("budget", "text"),
    [
        (
            Budget("tenant", "day", 5_000, None),
            "budget of all users together per day: 5,000 tokens",
        ),
        (
            Budget("user", "month", None, Decimal("2.50"), is_hard=False, user_id="ann"),
            "budget (warning only) of the user ann per month: $2.50",
        ),
        (
            Budget("user", "hour", 9, Decimal(1), zone="Europe/Berlin"),
            "budget of each user per hour (Europe/Berlin): 9 tokens and $1",
        ),
        (
            Budget("tenant", "total", 9, None, zone="Europe/Berlin"),
            "budget of all users together in all: 9 tokens",
        ),
        (Budget("run", "total", 9, None), "budget of each run: 9 tokens"),
    ],
)
def test_a_budget_is_described_by_its_subject_period_and_limits(budget: Budget, text: str) -> None:
    assert describe_budget(budget) == text


async def test_a_budgets_day_ends_in_its_time_zone(store: Store, run: Run) -> None:
    zone = "Asia/Kolkata"  # half an hour off: its days end with nobody's else
    await save(store, replace(ONE_DAY, zone=zone))
    await settle(store, await call(store, run, 900), usage=Usage(900, None, None, 0))
    (usage,) = await list_budget_usage(store.read("acme"))
    with pytest.raises(BudgetExceeded) as refused:
        await call(store, run, 200)

    assert usage.until == find_period_end("day", datetime.now(UTC), zone)
    assert usage.until.strftime("%H:%M") == "18:30"
    assert "18:30 UTC" in refused.value.message
