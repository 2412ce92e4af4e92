"""`plainloop usage …` and `budget …` as people run them, over calls with a price."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.store.store import Store
from plainloop.agent.types import INPUT_BUCKETS
from tests.cli.conftest import Command
from tests.usage.ledger import fill_ledger

ALL = ("--tenant", "acme")


@pytest.fixture
async def ledger(store: Store) -> Store:
    await fill_ledger(store, datetime.now(UTC), days=3)
    return store


async def test_the_overview_shows_days_users_models_and_everybody(
    plainloop: Command,
    ledger: Store,
) -> None:
    one = await plainloop("usage", *ALL)
    everybody = await plainloop("usage", "--tenant", "*")

    assert one.code == everybody.code == 0, one
    for text in (
        "by day, ",
        "user ",
        "m-1",
        "writer",
        "replay",
        "20 runs: half of them",
        "avoided",
    ):
        assert text in one.out, text
    assert "umbrella" in everybody.out and "umbrella" not in one.out


async def test_users_of_two_tenants_with_one_name_are_not_added_up(
    plainloop: Command, ledger: Store
) -> None:
    by_user = ("usage", "--tenant", "*", "--by", "user", "--format", "csv")
    rows = [*csv.DictReader(io.StringIO((await plainloop(*by_user)).out))]
    assert {row["tenant"] for row in rows} == {"acme", "umbrella"}
    shared = [row["user"] for row in rows if row["tenant"] == "umbrella"]
    assert {row["user"] for row in rows if row["tenant"] == "acme"} & {*shared}


async def test_filters_sorting_and_runs(plainloop: Command, ledger: Store) -> None:
    by = ("--by", "user,model", "--format", "csv")
    whole = [*csv.DictReader(io.StringIO((await plainloop("usage", *ALL, *by, "--runs")).out))]
    some = await plainloop("usage", *ALL, *by, "--only", "model=m-1", "--sort", "cost", "-n", "2")
    rows = [*csv.DictReader(io.StringIO(some.out))]
    wrong = await plainloop("usage", "--only", "colour=red")

    assert len(whole) == 6 and all(int(row["tokens_p95"]) > 0 for row in whole)
    assert [row["model"] for row in rows] == ["m-1", "m-1"]
    assert float(rows[0]["cost_usd"]) >= float(rows[1]["cost_usd"])
    assert (wrong.code, "NAME=VALUE" in wrong.err) == (2, True)


async def test_prices_of_the_file_are_set_on_request_only(
    plainloop: Command,
    ledger: Store,
) -> None:
    text = '[prices."anthropic:*"]\ninput = 1000\noutput = 1000\n'
    (plainloop.folder / "plainloop.toml").write_text(text)
    trial = await plainloop("usage", "recost", *ALL, "--dry-run")
    done = await plainloop("usage", "recost", *ALL)
    again = await plainloop("usage", "recost", *ALL)

    assert "would change" in trial.out and done.code == 0, done
    assert trial.out.replace("would change", "changed") == done.out.splitlines()[0] + "\n"
    assert " 0 changed" in again.out


async def test_export_reconcile_and_statement(
    plainloop: Command,
    ledger: Store,
    tmp_path: Path,
) -> None:
    lines = (await plainloop("usage", "export", *ALL, "-f", "jsonl")).out.splitlines()
    calls = [json.loads(line) for line in lines]
    focus = await plainloop("usage", "export", *ALL, "-f", "focus", "-o", str(tmp_path / "f.csv"))
    bill = io.StringIO()
    writer = csv.writer(bill)
    writer.writerow(["Day", "Model", "In", "Out"])
    for call in calls:
        total = sum(call[name] or 0 for name in INPUT_BUCKETS)
        model = call["model_answered"]
        writer.writerow([call["created_at"][:10], model, total, call["output_tokens"] or 0])
    mapping = ("--map", "date=Day,model=Model,input=In,output=Out")
    same = await plainloop(
        "usage", "reconcile", "-", *mapping, *ALL, stdin=bill.getvalue().encode()
    )
    bill.write(f"{calls[0]['created_at'][:10]},m-9,5,5\r\n")
    other = await plainloop(
        "usage", "reconcile", "-", *mapping, *ALL, stdin=bill.getvalue().encode()
    )
    month = (datetime.now(UTC) - timedelta(days=1)).strftime("%Y-%m")
    page = tmp_path / "page.html"
    made = await plainloop("usage", "statement", *ALL, "--month", month, "-o", str(page))

    assert focus.code == 0 and len((tmp_path / "f.csv").read_text().splitlines()) == len(calls) + 1
    assert same.code == 0, same
    assert (other.code, "m-9" in other.out) == (1, True)
    assert made.code == 0 and "Usage statement" in page.read_text()
    missing = await plainloop("usage", "reconcile", "nowhere.json")
    assert (missing.code, missing.err.startswith("error[INVALID_INPUT]")) == (2, True)


async def test_everybodys_ledger_is_exported_compared_stated_and_priced(
    plainloop: Command, ledger: Store, tmp_path: Path
) -> None:
    everybody = ("--tenant", "*")
    exported = await plainloop("usage", "export", *everybody, "-f", "jsonl")
    calls = [json.loads(line) for line in exported.out.splitlines()]
    day = calls[0]["created_at"][:10]
    bill = f"Day,Model,In\n{day},{calls[0]['model']},1\n".encode()
    mapping = ("--map", "date=Day,model=Model,input=In")
    compared = await plainloop("usage", "reconcile", "-", *mapping, *everybody, stdin=bill)
    page = tmp_path / "page.html"
    month = ("--month", day[:7], "-o", str(page))
    made = await plainloop("usage", "statement", *everybody, *month)
    text = '[prices."anthropic:*"]\ninput = 1000\noutput = 1000\n'
    (plainloop.folder / "plainloop.toml").write_text(text)
    priced = await plainloop("usage", "recost", *everybody)

    assert {call["tenant_id"] for call in calls} == {"acme", "umbrella"}
    assert compared.code == 1 and "not in the ledger" not in compared.out
    assert made.code == 0 and "all tenants" in page.read_text() and "umbrella" in page.read_text()
    assert priced.out.startswith(f"{len(calls)} calls with known usage")


async def test_a_budget_is_set_listed_and_stops_a_question(
    plainloop: Command,
    settings: Settings,
) -> None:
    nothing = await plainloop("budget", "list")
    made = await plainloop("budget", "set", "user", "--tokens", "50", "--per", "day")
    asked = await plainloop("ask", "tell me a story about the sea")
    listed = await plainloop("budget", "list")
    gone = await plainloop("budget", "delete", made.out.split()[0])
    wrong = await plainloop("budget", "set", "tenant", "--usd", "lots")

    assert nothing.out == "no budgets\n"
    assert "hard budget of each user per day: 50 tokens" in made.out
    assert asked.code == 9 and asked.err.startswith("error[BUDGET_EXCEEDED]: ")
    assert "begins anew at" in asked.err
    assert "50 tokens" in listed.out
    assert gone.code == 0 and wrong.code == 2
    assert (await plainloop("ask", "tell me a story about the sea")).code == 0


async def test_days_without_a_call_are_shown_empty(plainloop: Command, store: Store) -> None:
    now = datetime.now(UTC).replace(day=20, hour=12) - timedelta(days=40)
    for days in (0, 5):
        await fill_ledger(store, now + timedelta(days=days), days=1)
    by_day = await plainloop("usage", *ALL, "--by", "day", "--format", "json")
    overview = await plainloop("usage", *ALL)
    page = plainloop.folder / "page.html"
    month = ("--month", f"{now:%Y-%m}", "-o", str(page))
    await plainloop("usage", "statement", *ALL, *month)

    rows = json.loads(by_day.out)["rows"]
    calls = {row["keys"]["day"]: row["calls"] for row in rows}
    days = [datetime.fromisoformat(day) for day in calls]
    assert days == [days[0] + timedelta(days=n) for n in range(len(days))]
    assert [*calls.values()].count(0) == 3
    assert {row["cost_usd"] for row in rows if not row["calls"]} == {None}
    assert "···" in overview.out
    assert page.read_text().count('<div style="height:') >= 28


async def test_a_time_may_be_said_in_words(plainloop: Command, ledger: Store) -> None:
    by = ("--by", "model", "--format", "json")
    whole = await plainloop("usage", *ALL, *by)
    for since in ("last month", "2025", "Jan 2025", "2025-10", "2025-01-01"):
        assert (await plainloop("usage", *ALL, *by, "--since", since)).out == whole.out
    before = await plainloop("usage", *ALL, *by, "--until", "last year")
    assert json.loads(before.out)["rows"] == []
    wrong = await plainloop("usage", "--since", "some day")
    assert wrong.code == 2
    assert "'some day' is no time: write 2026-11-01" in wrong.err
    none = await plainloop("usage", "--since", "2026-02", "--until", "2026-01")
    assert (none.code, "nothing is between" in none.err) == (2, True)


async def test_a_statement_takes_a_month_in_words(plainloop: Command, ledger: Store) -> None:
    made = await plainloop("usage", "statement", *ALL, "--month", "Oct 2025")
    wrong = await plainloop("usage", "statement", *ALL, "--month", "last week")
    assert made.out == "usage-acme-2025-10.html\n"
    assert (wrong.code, "a month is written 2026-11" in wrong.err) == (2, True)
