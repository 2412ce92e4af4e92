"""`plainloop usage export`, `reconcile`, `recost`, `statement` as people run them."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from plainloop.agent.store.store import Store
from plainloop.agent.types import INPUT_BUCKETS
from tests.cli.conftest import Command
from tests.usage.ledger import fill_ledger
from tests.usage.test_commands import ALL
from tests.usage.test_commands import ledger as ledger


async def test_recosting_changes_prices_only_on_request(plainloop: Command, ledger: Store) -> None:
    text = '[prices."anthropic:*"]\ninput = 1000\noutput = 1000\n'
    (plainloop.folder / "plainloop.toml").write_text(text)
    trial = await plainloop("usage", "recost", *ALL, "--dry-run")
    done = await plainloop("usage", "recost", *ALL)
    again = await plainloop("usage", "recost", *ALL)

    assert "would change" in trial.out and done.code == 0, done
    assert trial.out.replace("would change", "changed") == done.out.splitlines()[0] + "\n"
    assert " 0 changed" in again.out


async def test_ledger_export_reconcile_and_statement_work_as_commands(
    plainloop: Command, ledger: Store, tmp_path: Path
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


async def test_ledger_commands_can_cover_all_tenants(
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


async def test_a_statement_accepts_a_month_in_words(plainloop: Command, ledger: Store) -> None:
    made = await plainloop("usage", "statement", *ALL, "--month", "Oct 2025")
    wrong = await plainloop("usage", "statement", *ALL, "--month", "last week")
    assert made.out == "usage-acme-2025-10.html\n"
    assert (wrong.code, "write one like 2026-11" in wrong.err) == (2, True)


async def test_a_statement_shows_days_without_a_call_empty(
    plainloop: Command, store: Store
) -> None:
    now = datetime.now(UTC).replace(day=20, hour=12) - timedelta(days=40)
    for days in (0, 5):
        await fill_ledger(store, now + timedelta(days=days), days=1)
    page = plainloop.folder / "page.html"
    month = ("--month", f"{now:%Y-%m}", "-o", str(page))
    await plainloop("usage", "statement", *ALL, *month)
    assert page.read_text().count('<rect class="bar"') >= 28


async def test_a_statement_of_a_month_without_calls_has_the_amount_zero(
    plainloop: Command, store: Store
) -> None:
    page = plainloop.folder / "page.html"
    await plainloop("usage", "statement", *ALL, "--month", "2020-02", "-o", str(page))
    text = page.read_text()

    assert "There are no calls in February 2020." in text
    assert "<td>$0</td>" in text and "not known" not in text


async def test_a_parquet_export_without_calls_is_an_error(
    plainloop: Command, ledger: Store, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    path = tmp_path / "ledger.parquet"
    path.write_bytes(b"of last month")
    span = ("--since", "2001-01-01", "--until", "2001-01-02")
    done = await plainloop("usage", "export", "-f", "parquet", "-o", str(path), *span)
    assert (done.code, "no calls in this period" in done.err) == (2, True), done
    assert path.read_bytes() == b"of last month"
