"""Ten questions of whoever pays: the terminal, the API and the console answer each, and alike."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2
import pytest
from playwright.async_api import Page, expect

from plainloop.agent.store.store import Store
from tests.browsers import chromium as chromium
from tests.cli.conftest import Command
from tests.console.conftest import Look, Viewer
from tests.console.conftest import look as look
from tests.server.conftest import Serve
from tests.usage.ledger import fill_ledger
from tests.usage.test_cache_amounts import save_calls

ALL = ("--tenant", "acme")
FORMAT = """async (usd) => {
    const app = document.querySelector("script[type=module]").src;
    return (await import(app.replace("app.js", "words.js"))).formatCost(usd);
}"""
BILL = "Day,Model,USD\n{day},claude-sonnet-5-5,7.50\n"
COLUMNS = "date=Day,model=Model,cost=USD"


@pytest.fixture
async def billed(store: Store) -> Store:
    """Calls of one model for $6, with caches used and lost."""
    await save_calls(store, (0, 0, 2_000, 0), (10, 2_000, 0, 0), (910, 0, 2_000, 0))
    await save_calls(store, (920, 0, 2_000, 0))
    async with store.transaction("acme") as tx:
        await tx.execute("update llm_calls set cost_usd = 1.5 where worker = 'clerk'")
    return store


@pytest.fixture
async def spent(billed: Store) -> Store:
    """Also calls of three users with several models."""
    await fill_ledger(billed, datetime.now(UTC), days=1)
    async with billed.transaction("acme") as tx:
        await tx.execute(
            "update llm_calls set most_usd = 0.02 where cost_usd is null and status = 'cut'"
        )
    return billed


def take(row: Mapping[str, Any], names: Sequence[str]) -> list[Decimal | None]:
    return [None if row[name] is None else Decimal(str(row[name])) for name in names]


async def test_cli_http_and_console_agree_on_ten_usage_questions(
    serve: Serve, look: Look, plainloop: Command, spent: Store
):
    served = await serve()
    boss = await served.client("boss", is_admin=True)
    await boss.put("/api/budgets", json={"scope": "tenant", "limit_usd": "20"})
    document = json.loads((await plainloop("usage", *ALL, "--format", "json")).out)
    words = (await plainloop("usage", *ALL)).out
    [total] = await ask(boss, "usage")
    pace = (await boss.get("/api/usage?user_id=*&pace=true")).json()["pace"]
    viewer = await look(served)
    page = viewer.page
    await viewer.sign_in("boss", is_admin=True)
    await viewer.go("#/usage?everybody=1&days=90")
    await expect(page.locator(".went tbody tr").first).to_be_visible()
    shown = await page.locator("main").inner_text()

    # 1. What did today and this month cost?  8. What will this month come to?
    spending = ("today_usd", "month_usd", "forecast_usd")
    for name, told in zip(spending, take(pace, spending), strict=True):
        known = document["pace"][name]
        assert (known is None) == (told is None), name
        # The terminal asked a moment earlier.
        assert told is None or abs(Decimal(known) - told) < Decimal("0.01")
    assert "today: $" in words and "this month: $" in words
    assert f"{await say(page, pace['month_usd'])} so far" in shown
    assert f"{await say(page, pace['today_usd'])} today" in shown
    if pace["forecast_usd"] is not None:
        assert f"At this pace {await say(page, pace['forecast_usd'])}" in shown

    # 2. by model?  3. by feature?  4. by person?  What did replays cost, and calls that failed?
    for by in ("model", "feature", "user", "origin", "status"):
        theirs = {row[by]: row["cost_usd"] for row in await ask(boss, "usage", by=by)}
        text = (await plainloop("usage", *ALL, "--by", by, "--format", "csv")).out
        ours = {row[by]: row["cost_usd"] for row in csv.DictReader(io.StringIO(text))}
        assert {k: Decimal(v) for k, v in ours.items() if v} == {
            k: Decimal(v) for k, v in theirs.items() if v
        }
        assert len(theirs) > 1
        await read_rows(viewer, by, await list_features(boss) if by == "feature" else theirs)

    failed, cost = total["unsuccessful_calls"], total["unsuccessful_cost_usd"]
    assert f"{failed} failed or cut: {await say(page, cost)}" in shown
    assert f"{failed} of them failed or cut" in words and "failed or cut: $" in words
    bound = f"and at most {await say(page, total['at_most_usd'])} more"
    assert bound in shown and bound in words

    # 5. What did avoided calls save?
    avoided = (await boss.get("/api/usage?user_id=*")).json()["avoided"]
    assert avoided == document["avoided"] != []
    assert "avoided: " in words
    made = sum(item["calls"] for item in avoided if item["role"] not in SHORTER)
    assert f"CALLS AVOIDED\n{made}" in shown.upper()

    # 6. What did caches save?  7. What did lost caches cost?
    text = (await plainloop("usage", *ALL, "--by", "provider", "--format", "csv")).out
    [cached] = [row for row in csv.DictReader(io.StringIO(text)) if row["cache_saved_usd"]]
    names = ("cache_saved_usd", "pause_loss_usd", "prefix_loss_usd")
    assert take(cached, names) == take(total, names)
    assert "saved by the cache: $" in words and "cost of expired caches: $" in words
    saved, pause, prefix = [await say(page, total[name]) for name in names]
    assert f"Saved by caching\n{saved}" in shown
    lost = page.get_by_role("link", name="lost: ")
    await expect(lost).to_have_attribute(
        "title", f"{pause} after a pause, {prefix} not served from the cache"
    )

    # 9. How much of the budget is left?
    [budget] = (await boss.get("/api/budgets")).json()["budgets"]
    [listed] = json.loads((await plainloop("budget", "list", *ALL, "--json")).out)
    assert Decimal(budget["left_usd"]) == Decimal(listed["left_usd"])
    assert Decimal(budget["left_usd"]) == 20 - Decimal(budget["used_usd"])
    assert "left" in (await plainloop("budget", "list", *ALL)).out
    assert f"of $20.00, {await say(page, budget['left_usd'])} left" in shown

    # 10. Does the invoice agree?
    day = (await ask(boss, "usage", by="day", model="claude-sonnet-5-5"))[0]["day"][:10]
    bill = BILL.format(day=day).encode()
    mapping = ("--map", COLUMNS, "--provider", "anthropic", "--json")
    compared = await plainloop("usage", "reconcile", "-", *mapping, *ALL, stdin=bill)
    [row] = [item for item in json.loads(compared.out) if item["model"] == "claude-sonnet-5-5"]
    answer = await boss.post(
        "/api/usage/reconcile",
        params={"map": COLUMNS, "provider": "anthropic", "filename": "bill.csv"},
        content=bill,
        headers={"content-type": "text/csv", "x-plainloop": "1"},
    )
    told = answer.json()
    [difference] = [one for one in told["differences"] if one["model"] == "claude-sonnet-5-5"]
    assert difference["money_gap_usd"] == row["money_gap_usd"] == "1.50"
    await page.get_by_role("link", name="Check an invoice").click()
    file = {"name": "bill.csv", "mimeType": "text/csv", "buffer": bill}
    await page.set_input_files("input[type=file]", file)  # type: ignore[arg-type]
    await page.get_by_text("Columns of the file").click()
    for field, column in (("date", "Day"), ("model", "Model"), ("cost", "USD")):
        await page.locator(f"select[name={field}]").select_option(column)
    await page.get_by_role("button", name="Compare again").click()
    rows = page.locator("tbody tr").filter(has_text="claude-sonnet-5-5")
    await expect(rows).to_contain_text(f"+{await say(page, '1.50')}")
    assert await viewer.list_barriers() == []
    await viewer.look_as(390, "dark")
    assert await viewer.list_barriers() == []
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


SHORTER = ("tools", "history", "results")  # of requests that were sent, only shorter


async def ask(client: httpx2.AsyncClient, what: str, **parameters: str) -> list[dict[str, Any]]:
    answer = await client.get(f"/api/{what}", params={"user_id": "*", **parameters})
    return answer.json()["usage"]


async def list_features(client: httpx2.AsyncClient) -> dict[str, str | None]:
    """Return the cost of each feature, with all experiments as one, as the console shows them."""
    rows = await ask(client, "usage", by="feature,origin")
    costs = {row["feature"]: row["cost_usd"] for row in rows if row["origin"] == "own"}
    replays = [Decimal(row["cost_usd"] or 0) for row in rows if row["origin"] == "replay"]
    return costs | ({"experiments": str(sum(replays))} if replays else {})


async def say(page: Page, usd: str | None) -> str:
    """The amount as the console writes it."""
    return await page.evaluate(FORMAT, usd)


async def read_rows(viewer: Viewer, by: str, costs: Mapping[str, str | None]) -> None:
    """Compare the console's table with the costs of the API."""
    await viewer.go(f"#/usage?everybody=1&days=90&by={by}")
    title = {"user": "Person"}.get(by, by.capitalize())
    await expect(viewer.page.locator(".went th.name").first).to_have_text(title)
    rows = viewer.page.locator(".went tbody tr")
    await expect(rows).to_have_count(len(costs))
    texts = " ".join(await rows.all_inner_texts())
    for cost in costs.values():
        assert await say(viewer.page, cost) in texts


async def test_a_csv_with_the_listed_columns_needs_no_mapping(serve: Serve, billed: Store):
    boss = await (await serve()).client("boss", is_admin=True)
    day = (await ask(boss, "usage", by="day", model="claude-sonnet-5-5"))[0]["day"][:10]
    text = f"date,model,input,cached,written,output,cost\n{day},claude-sonnet-5-5,9,0,0,1,7.50\n"
    answer = await boss.post(
        "/api/usage/reconcile",
        params={"provider": "anthropic"},
        files={"file": ("bill.csv", text.encode(), "text/csv")},
    )

    assert answer.status_code == 200, answer.text
    assert (answer.json()["export_usd"], answer.json()["difference_usd"]) == ("7.50", "1.50")


async def test_only_admins_can_check_invoices_and_only_of_their_tenant(serve: Serve, billed: Store):
    served = await serve()
    boss, ann = await served.client("boss", is_admin=True), await served.client("ann")
    stranger = await served.client("boss", "elsewhere", is_admin=True)
    day = (await ask(boss, "usage", by="day", model="claude-sonnet-5-5"))[0]["day"][:10]

    async def send(client: httpx2.AsyncClient, text: str, **query: str) -> httpx2.Response:
        files = {"file": ("bill.csv", text.encode(), "text/csv")}
        query = {"map": COLUMNS, "provider": "anthropic", **query}
        return await client.post("/api/usage/reconcile", params=query, files=files)

    def is_running(answer: httpx2.Response) -> bool:  # midnight may have passed since the calls
        return f"{parsedate_to_datetime(answer.headers['date']):%Y-%m-%d}" == day

    own, others = await send(boss, BILL.format(day=day)), await send(stranger, BILL.format(day=day))
    assert (await send(ann, BILL.format(day=day))).status_code == 403
    wrong = [
        await send(boss, "a,b\n1,2\n"),
        await send(boss, "x", map="date"),
        await send(boss, ""),
    ]
    assert [answer.status_code for answer in wrong] == [400, 400, 400]
    assert own.json() | {"differences": []} == {
        "provider": "anthropic",
        "compared": 1,
        "token_rows": None,
        "money_rows": 0,
        "export_usd": "7.50",
        "ledger_usd": "6",
        "difference_usd": "1.50",
        "differences": [],
        "differing": 1,
        "faults": {"cost": 1},
        "is_running": is_running(own),
        "first_day": day,
        "last_day": day,
    }
    running = "the day (UTC) is still running: both may grow," if is_running(others) else ""
    assert [one["reason"] for one in others.json()["differences"]] == [
        f"{running} not in the ledger: does another program use the same key?".strip()
    ]
    assert (others.json()["ledger_usd"], others.json()["export_usd"]) == ("0", "7.50")


async def test_the_consoles_own_csv_matches_the_ledger(serve: Serve, billed: Store):
    boss = await (await serve()).client("boss", is_admin=True)
    query = {"by": "day,model", "user_id": "*", "format": "csv"}
    own = (await boss.get("/api/usage", params=query)).text
    rows = [*csv.DictReader(io.StringIO(own))]
    names = ("day", "model", "input_tokens", "cache_read", "cache_write", "output_tokens")
    lines = [",".join(names)]
    for row in rows:
        counts = [row.get(name) or row.get(f"{name}_tokens") or "0" for name in names]
        counts[4] = str(int(counts[4]) + int(row["cache_write_long_tokens"] or 0))
        counts[5] = str(int(counts[5]) + int(row["reasoning_tokens"] or 0))
        lines.append(",".join(counts))
    for text in (own, "\n".join(lines)):
        files = {"file": ("own.csv", text.encode(), "text/csv")}
        answer = await boss.post("/api/usage/reconcile", files=files)
        told = answer.json()
        assert answer.status_code == 200, answer.text
        assert (told["token_rows"], told["differing"]) == (told["compared"], 0), told
        assert told["compared"] == len(rows) > 0


async def test_an_invoices_headline_names_a_small_row_that_the_ledger_lacks(
    serve: Serve, billed: Store, look: Look
):
    viewer = await look(await serve(auth=False), "/#/operations.invoices")
    rows = "2026-11-12,unheard-of,10,1,0.0035\n2026-11-13,unheard-of,10,1,0.0035\n"
    bill = ("date,model,input,output,cost\n" + rows).encode()
    file = {"name": "bill.csv", "mimeType": "text/csv", "buffer": bill}
    await viewer.page.set_input_files("input[type=file]", file)  # type: ignore[arg-type]

    verdict = viewer.page.get_by_role("status", name="Result")
    title = verdict.get_by_role("heading")
    await expect(title).to_have_text("2 of 2 rows are not in the ledger")
    await expect(verdict).to_have_class(re.compile(r"\bbad\b"))
    await expect(viewer.page.locator(".tile b").nth(2)).to_have_text("0 of 2")
    await expect(viewer.page.locator("tbody tr").first).to_contain_text("none")


async def test_reconcile_marks_differences_of_today_as_still_running(serve: Serve, billed: Store):
    boss = await (await serve()).client("boss", is_admin=True)
    text = f"date,model,cost\n{datetime.now(UTC):%Y-%m-%d},unheard-of,7.50\n"
    files = {"file": ("bill.csv", text.encode(), "text/csv")}
    told = (await boss.post("/api/usage/reconcile", files=files)).json()

    (row,) = [item for item in told["differences"] if item["model"] == "unheard-of"]
    assert row["is_running"] and "still running" in row["reason"]
    assert told["is_running"]
