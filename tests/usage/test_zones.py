"""Days, months and budgets in the time zone that was asked for, when its clocks change too."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from plainloop.agent.config.zones import find_zone
from plainloop.agent.errors import InputError
from plainloop.agent.store.budgets import find_period_end, list_budgets, save_budget
from plainloop.agent.store.records import Budget
from plainloop.agent.store.store import Store
from plainloop.agent.usage.days import fill_times
from plainloop.agent.usage.report import UsageFilter, UsageRow, load_run_spreads, summarize_usage
from plainloop.agent.usage.rollup import roll_up_usage
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.core.store_samples import begin_run, create_thread, make_call_start, make_settled

BERLIN = "Europe/Berlin"


async def fill_hours(store: Store, first: datetime, hours: int) -> None:
    """A call in each hour, half past."""
    run = await begin_run(store, await create_thread(store))
    begun = [make_call_start(run) for _ in range(hours)]
    for start in begun:
        await store.record_call_start(start)
    await store.settle_calls("acme", [make_settled(start) for start in begun])
    async with store.transaction("acme") as tx:
        for n, start in enumerate(begun):
            at = first + timedelta(hours=n, minutes=30)
            sql = "update llm_calls set created_at = $2 where call_id = $1"
            await tx.execute(sql, start.call_id, at)


async def count_days(store: Store, zone: str, *by: str) -> dict[str, int]:
    rows = await summarize_usage(store.read("acme"), ("day", *by), UsageFilter(zone=zone))
    return {row.keys["day"] or "": row.calls for row in rows}


@pytest.mark.parametrize("is_summed", [False, True])
async def test_days_have_23_or_25_hours_when_clocks_change(store: Store, is_summed: bool) -> None:
    await fill_hours(store, datetime(2026, 3, 28, 23, tzinfo=UTC), 23 + 24)
    await fill_hours(store, datetime(2026, 10, 24, 22, tzinfo=UTC), 25 + 24)
    if is_summed:
        await roll_up_usage(store)
    wanted = {"2026-03-29": 23, "2026-03-30": 24, "2026-10-25": 25, "2026-10-26": 24}
    assert await count_days(store, BERLIN) == wanted
    assert await count_days(store, BERLIN, "user") == wanted
    assert (await count_days(store, "UTC"))["2026-10-25"] == 24
    # Its hours begin half an hour later: what is added up by hours cannot be divided.
    india = await count_days(store, "Asia/Kolkata")
    assert sum(india.values()) == sum(wanted.values()) and india["2026-10-26"] == 24
    spreads = await load_run_spreads(store.read("acme"), ("day",), UsageFilter(zone=BERLIN))
    assert [spread.keys["day"] for spread in spreads] == [*wanted]


async def test_an_hour_repeated_by_a_clock_change_is_two_usage_rows(store: Store) -> None:
    await fill_hours(store, datetime(2026, 10, 24, 23, tzinfo=UTC), 3)
    only = UsageFilter(zone=BERLIN)
    rows = await summarize_usage(store.read("acme"), ("hour",), only)
    hours = [f"2026-10-25T{hour}" for hour in ("01:00+02:00", "02:00+02:00", "02:00+01:00")]
    assert [row.keys["hour"] for row in rows] == hours
    assert [row.keys["hour"] for row in fill_times(rows[::2], zone=BERLIN)] == hours
    days = fill_times(await summarize_usage(store.read("acme"), ("day",), only), zone=BERLIN)
    first = datetime(2026, 10, 24, 22, tzinfo=UTC) - timedelta(days=2)
    shown: list[UsageRow] = fill_times(days, first, zone=BERLIN)
    assert [row.keys["day"] for row in shown] == ["2026-10-23", "2026-10-24", "2026-10-25"]


@pytest.mark.parametrize("name", ["Europe/Atlantis", "localtime", "x'; drop table runs; --", ""])
async def test_an_unknown_zone_is_an_error(store: Store, name: str) -> None:
    with pytest.raises(InputError, match="unknown time zone"):
        await summarize_usage(store.read("acme"), ("day",), UsageFilter(zone=name))


async def test_a_budgets_day_follows_its_time_zone(store: Store) -> None:
    for name in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):  # never the same day
        async with store.transaction("acme") as tx:
            await save_budget(tx, Budget("tenant", "day", 1_000, None, zone=name))
            (budget,) = await list_budgets(tx)
            sql = "select date_trunc('day', now(), $1)"
            begins = await tx.fetchval(sql, name)
            found = await tx.fetch("select period_start from budget_counters")
        assert budget.zone == name
        assert [row["period_start"] for row in found][:1] in ([], [begins])
        end = find_period_end("day", datetime.now(UTC), name)
        assert end == begins + timedelta(days=1)
        with pytest.raises(InputError, match="unknown time zone"):
            await save_budget(tx, replace(budget, zone="Mars/Olympus"))
    long_day = datetime(2026, 10, 25, 12, tzinfo=UTC)
    end = find_period_end("day", long_day, BERLIN)
    assert end is not None and end.astimezone(find_zone(BERLIN)).hour == 0


async def test_reports_state_the_zone_of_their_days(plainloop: Command, store: Store) -> None:
    await fill_hours(store, datetime(2026, 10, 24, 22, tzinfo=UTC), 26)
    asked = ("usage", "--tenant", "acme", "--by", "day", "--since", "2026-10-25")
    for zone, heading, calls in (
        ((), "day (UTC)", "24"),
        (("--zone", BERLIN), f"day ({BERLIN})", "25"),
    ):
        done = await plainloop(*asked, *zone, TZ="UTC")
        head, first, *_ = done.out.splitlines()
        assert head.startswith(heading) and first.split()[:2] == ["2026-10-25", calls], done
    wrong = await plainloop(*asked, "--zone", "Berlin")
    assert wrong.code != 0 and "unknown time zone: 'Berlin'" in wrong.err + wrong.out
    made = await plainloop(
        "budget", "set", "tenant", "--tokens", "9", "--per", "day", "--zone", BERLIN
    )
    assert f"budget of all users together per day ({BERLIN}): 9 tokens" in made.out, made
