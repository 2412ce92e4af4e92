"""`plainloop usage …` and `budget …` as people run them, over calls with a price."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.providers.endings import get_today
from plainloop.agent.store.store import Store
from tests.cli.conftest import Command
from tests.usage.ledger import add_calls, fill_ledger

ALL = ("--tenant", "acme")


@pytest.fixture
async def ledger(store: Store) -> Store:
    await fill_ledger(store, datetime.now(UTC), days=3)
    return store


async def test_plainloop_usage_shows_days_users_models_and_totals(
    plainloop: Command, ledger: Store
) -> None:
    one = await plainloop("usage", *ALL)
    everybody = await plainloop("usage", "--tenant", "*")

    assert one.code == everybody.code == 0, one
    for text in (
        "by day (UTC), ",
        "user ",
        "m-1",
        "writer",
        "replay",
        "20 runs: half of the runs",
        "avoided",
    ):
        assert text in one.out, text
    assert "umbrella" in everybody.out and "umbrella" not in one.out


async def test_usage_shows_reroutes_as_text_and_json(plainloop: Command, store: Store) -> None:
    await add_calls(store, "claude-opus-4-6", answered="claude-haiku-4-5")
    text = await plainloop("usage", *ALL)
    told = json.loads((await plainloop("usage", *ALL, "--format", "json")).out)
    other = json.loads((await plainloop("usage", "--tenant", "x", "--format", "json")).out)

    [change] = told["changes"]
    facts = [change[name] for name in ("kind", "models", "date", "to", "share")]
    today = get_today().isoformat()
    assert facts == ["reroute", ["claude-opus-4-6"], today, "claude-haiku-4-5", 1.0]
    assert f"{change['text']}\n  {change['cost_text']}\n" in text.out
    assert (other["changes"], other["endings"], told["endings"]) == ([], [], [])


async def test_usage_keeps_equal_user_names_of_two_tenants_apart(
    plainloop: Command, ledger: Store
) -> None:
    by_user = ("usage", "--tenant", "*", "--by", "user", "--format", "csv")
    rows = [*csv.DictReader(io.StringIO((await plainloop(*by_user)).out))]
    assert {row["tenant"] for row in rows} == {"acme", "umbrella"}
    shared = [row["user"] for row in rows if row["tenant"] == "umbrella"]
    assert {row["user"] for row in rows if row["tenant"] == "acme"} & {*shared}


async def test_a_users_usage_report_shows_replays_of_their_threads(
    plainloop: Command, ledger: Store
) -> None:
    ann = await plainloop("usage", "--tenant", "acme", "--user", "ann")
    by_user = [*ALL, "--by", "user", "--only", "origin=replay", "--format", "csv"]
    rows = [*csv.DictReader(io.StringIO((await plainloop("usage", *by_user)).out))]
    calls = sum(int(row["calls"]) for row in rows if row["user"] != "ann")
    told = f"replays of other users' conversations: {calls} model calls for $"
    assert calls and told in ann.out, ann
    assert "replays of other" not in (await plainloop("usage", *ALL)).out


async def test_plainloop_usage_filters_sorts_and_lists_runs(
    plainloop: Command, ledger: Store
) -> None:
    by = ("--by", "user,model", "--format", "csv")
    whole = [*csv.DictReader(io.StringIO((await plainloop("usage", *ALL, *by, "--runs")).out))]
    some = await plainloop("usage", *ALL, *by, "--only", "model=m-1", "--sort", "cost", "-n", "2")
    rows = [*csv.DictReader(io.StringIO(some.out))]
    unknown = await plainloop("usage", "--only", "colour=red")
    bare = await plainloop("usage", "--only", "model")

    assert len(whole) == 6 and all(int(row["tokens_p95"]) > 0 for row in whole)
    assert [row["model"] for row in rows] == ["m-1", "m-1"]
    assert float(rows[0]["cost_usd"]) >= float(rows[1]["cost_usd"])
    assert (unknown.code, "has no filter 'colour'" in unknown.err) == (2, True)
    assert (bare.code, "must be NAME=VALUE" in bare.err) == (2, True)


async def test_budget_commands_set_and_list_and_a_run_is_stopped(
    plainloop: Command, settings: Settings
) -> None:
    nothing = await plainloop("budget", "list")
    made = await plainloop("budget", "set", "user", "--tokens", "50", "--per", "day")
    asked = await plainloop("ask", "tell me a story about the sea")
    listed = await plainloop("budget", "list")
    gone = await plainloop("budget", "delete", made.out.split()[0])
    wrong = await plainloop("budget", "set", "tenant", "--usd", "lots")

    assert nothing.out == "no budgets\n"
    assert "budget of each user per day: 50 tokens" in made.out
    assert asked.code == 9 and asked.err.startswith("error[BUDGET_EXCEEDED]: ")
    assert "resets at" in asked.err
    assert "50 tokens" in listed.out
    assert gone.code == 0 and wrong.code == 2
    assert (await plainloop("ask", "tell me a story about the sea")).code == 0


async def test_the_listed_parts_of_a_budget_add_up_to_its_limit(
    plainloop: Command, store: Store
) -> None:
    await plainloop("ask", "tell me a story about the sea")
    await plainloop("budget", "set", "tenant", "--usd", "5.50")
    async with store.transaction("local") as tx:
        amounts = "used_usd = 0.45546, reserved_usd = 0.02456"
        assert await tx.execute(f"update budget_counters set {amounts}")
    listed = (await plainloop("budget", "list")).out

    parts = [Decimal(amount) for amount in re.findall(r"\$(\d\.\d{4})\b", listed)][:3]
    assert sum(parts) == Decimal("5.50"), listed


async def test_usage_by_chat_shows_titles_and_only_the_owner_of_others_chats(
    plainloop: Command, store: Store
) -> None:
    assert (await plainloop("ask", "add a job: Cook at Cafe Uno")).code == 0
    await add_calls(store, "gpt-6-luna", tenant="local")
    own = await plainloop("usage", "--by", "chat")
    everyone = await plainloop("usage", "--by", "chat", "--user", "*")

    head, row = own.out.splitlines()[:2]
    assert head.endswith("title") and row.endswith("add a job: Cook at Cafe Uno")
    others = [line for line in everyone.out.splitlines() if " of " in line]
    assert len(others) == 1 and "Cafe Uno" not in others[0], everyone.out
    (record,) = json.loads((await plainloop("usage", "--by", "chat", "--format", "json")).out)[
        "rows"
    ]
    assert record["keys"]["chat"] == row.split()[0]


async def test_usage_shows_days_without_calls(plainloop: Command, store: Store) -> None:
    now = datetime.now(UTC).replace(day=20, hour=12) - timedelta(days=40)
    for days in (0, 5):
        await fill_ledger(store, now + timedelta(days=days), days=1)
    by_day = await plainloop("usage", *ALL, "--by", "day", "--format", "json")
    overview = await plainloop("usage", *ALL)

    rows = json.loads(by_day.out)["rows"]
    calls = {row["keys"]["day"]: row["calls"] for row in rows}
    days = [datetime.fromisoformat(day) for day in calls]
    assert days == [days[0] + timedelta(days=n) for n in range(len(days))]
    assert [*calls.values()].count(0) == 3
    assert {row["cost_usd"] for row in rows if not row["calls"]} == {None}
    assert "···" in overview.out


async def test_usage_accepts_times_in_words(plainloop: Command, ledger: Store) -> None:
    by = ("--by", "model", "--format", "json")
    whole = await plainloop("usage", *ALL, *by)
    for since in ("last month", "2025", "Jan 2025", "2025-10", "2025-01-01"):
        assert (await plainloop("usage", *ALL, *by, "--since", since)).out == whole.out
    before = await plainloop("usage", *ALL, *by, "--until", "last year")
    assert json.loads(before.out)["rows"] == []
    wrong = await plainloop("usage", "--since", "some day")
    assert wrong.code == 2
    assert "'some day' is not a date or time; write it like 2026-11-01" in wrong.err
    none = await plainloop("usage", "--since", "2026-02", "--until", "2026-01")
    assert (none.code, "must be later than" in none.err) == (2, True)
