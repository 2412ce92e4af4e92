"""Keys, schedules, webhooks and the audit trail in the console's settings, by a real browser."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.async_api import Page, expect

from plainloop.agent.store.store import Store
from tests.console.conftest import Look, Viewer
from tests.console.conftest import look as look
from tests.console.test_accessibility import PROSE
from tests.console.test_screens import MOVED
from tests.server.conftest import Serve, ask, begin, until
from tests.server.conftest import serve as serve

LOOKS = ((320, "dark"), (390, "light"), (1440, "light"), (1440, "dark"))
PARTS = {"people": "New API key", "automation": "Add the webhook", "audit": "All as CSV"}


async def find_faults(viewer: Viewer, part: str) -> list[object]:
    """What a part of the settings does to those who see little, or hold a phone."""
    found: list[object] = []
    await viewer.go(f"#/settings/{part}")
    await expect(viewer.page.locator("main")).to_contain_text(PARTS[part])
    await expect(viewer.page.locator("h1")).to_have_count(1)
    for width, scheme in LOOKS:
        await viewer.look_as(width, scheme)
        found += [(part, width, scheme, item) for item in await viewer.list_barriers()]
        wide = await viewer.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        found += [(part, width, "scrolls sideways")] if wide > 0 else []
    text = await viewer.page.evaluate(PROSE)
    return found + re.findall(r"\b[a-z]+_[a-z_]+\b", text)


async def test_the_console_shows_a_new_key_once_and_revokes_it(serve: Serve, look: Look):
    served = await serve(auth=False)
    viewer = await look(served, "/#/settings/people")
    page = viewer.page
    await expect(page.locator("main")).to_contain_text("No keys yet.")

    await page.get_by_label("Name").fill("nightly report")
    await page.get_by_label("Permissions").select_option("read")
    await page.get_by_role("button", name="Create key").click()
    shown = page.get_by_role("status").locator("pre")
    await expect(shown).to_have_text(re.compile("^plk_"))
    key = await shown.inner_text()
    row = page.get_by_role("listitem").filter(has_text="nightly report")
    await expect(row).to_contain_text(f"ends with {key[-4:]}")
    await expect(row).to_contain_text("Reads")
    faults = await find_faults(viewer, "people")
    await viewer.go("#/settings/models")
    await viewer.go("#/settings/people")
    await expect(row).to_be_visible()
    assert key not in await page.content()
    await row.locator("summary").click()
    await row.get_by_role("button", name="Revoke permanently").click()
    await expect(row).to_contain_text("Revoked")
    assert faults == viewer.troubles == viewer.foreign == []


async def test_a_schedule_is_added_paused_resumed_and_deleted(
    serve: Serve, look: Look, store: Store
):
    served = await serve(auth=False, recovery_s=0.1)
    viewer = await look(served, "/#/settings/automation")
    page = viewer.page
    await expect(page.locator("main")).to_contain_text("No schedules yet.")
    await expect(page.locator("form")).to_have_count(0)

    await page.get_by_role("button", name="New schedule").click()
    form = page.locator("section.card").filter(has_text="New schedule")
    await form.get_by_label("Name", exact=True).fill("morning mail")
    await form.get_by_label("Message").fill("how many jobs have I applied to?")
    await form.get_by_label("At", exact=True).fill("06:05")
    own = await page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    await expect(form.get_by_label("Time zone")).to_have_value(own)
    await form.get_by_label("Time zone").select_option("Europe/Berlin")
    await form.get_by_role("button", name="Add the schedule").click()
    row = page.get_by_role("listitem").filter(has_text="morning mail")
    await expect(row).to_contain_text("Every weekday at 06:05, Europe/Berlin")
    [made] = (await (await served.client()).get("/api/schedules")).json()["schedules"]
    assert (made["cron"], made["name"]) == ("5 6 * * MON-FRI", "morning mail")

    async with store.transaction("local") as tx:
        await tx.execute("update schedules set next_at = now() - interval '1 second'")

    async def is_begun() -> bool:
        return bool(await store.read("local").fetchval("select count(*) from schedule_runs"))

    await until(is_begun)
    await row.get_by_text("History").click()
    await expect(row.get_by_role("link", name="Answered in a chat")).to_be_visible()
    await row.locator("summary").first.click()
    await row.get_by_role("button", name="Pause").click()
    await expect(row).to_contain_text("Paused")
    await row.locator("summary").first.click()
    await row.get_by_role("button", name="Resume").click()
    await expect(row).to_contain_text("Next ")
    await page.get_by_role("button", name="New schedule").click()
    await form.get_by_label("When").select_option("own")
    await form.get_by_label("Name", exact=True).fill("wrong")
    await form.get_by_label("Message").fill("hello")
    await form.get_by_label("Cron expression").fill("every day")
    await form.get_by_role("button", name="Add the schedule").click()
    await expect(form.get_by_role("alert")).to_contain_text("5 fields")
    await form.get_by_role("button", name="Cancel").click()
    await expect(form).to_have_count(0)
    await row.locator("summary").first.click()
    await row.get_by_role("button", name="Delete").click()
    await expect(row).to_have_count(0)
    assert viewer.foreign == []


async def test_a_webhook_is_added_its_secret_shown_once_and_deleted(
    serve: Serve, look: Look, store: Store
):
    served = await serve(auth=False)
    viewer = await look(served, "/#/settings/automation")
    page = viewer.page
    await expect(page.locator("main")).to_contain_text("No webhooks yet.")
    await page.get_by_role("button", name="New webhook").click()
    form = page.locator("section.card").filter(has_text="New webhook")
    await form.get_by_text("Events about models and experiments").click()
    await form.get_by_label("Address").fill("https://hooks.example/agent")
    await form.get_by_label("An experiment is judged by its rules").check()
    await form.get_by_role("button", name="Add the webhook").click()
    await expect(form.get_by_role("status")).to_contain_text("whsec_")
    row = page.get_by_role("listitem").filter(has_text="https://hooks.example/agent")
    await expect(row).to_contain_text("An answer is finished, An experiment is judged")
    told = json.dumps({"run_id": "x"})
    async with store.transaction("local") as tx:
        await tx.execute("update webhooks set disabled_at = now(), disabled_reason = 'it failed'")
        await tx.execute(
            "insert into webhook_deliveries"
            " (tenant_id, webhook_id, event, data, attempts, status, answer)"
            " select tenant_id, webhook_id, 'run.ended', $1, 3, 500, 'no' from webhooks",
            json.loads(told),
        )
    await page.reload()
    await expect(row).to_contain_text("it failed")
    await row.get_by_text("Last events").click()
    await expect(row).to_contain_text("tried 3 times, “no”")
    await page.get_by_role("button", name="New schedule").click()
    await page.get_by_role("button", name="New webhook").click()
    faults = await find_faults(viewer, "automation")
    await row.locator("summary").first.click()
    await row.get_by_role("button", name="Enable again").click()
    await expect(row.get_by_text("Disabled")).to_have_count(0)
    await row.locator("summary").first.click()
    await row.get_by_role("button", name="Delete").click()
    await expect(row).to_have_count(0)
    assert faults == viewer.troubles == viewer.foreign == []


async def test_a_user_is_offered_own_events_and_code_that_is_not_broken(serve: Serve, look: Look):
    viewer = await look(await serve(), width=390)
    page = viewer.page
    await viewer.sign_in("ann")
    await viewer.go("#/settings/automation")
    await page.get_by_role("button", name="New webhook").click()
    await expect(page.locator(".options label")).to_have_text(
        ["An answer is finished", "An action waits for approval", "A budget is nearly used up"]
    )
    await viewer.go("#/settings/clients")
    await expect(page.locator("pre").first).to_have_css("white-space", "pre")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_only_administrators_see_the_audit_trail(serve: Serve, look: Look):
    served = await serve()
    boss = await served.client("boss", is_admin=True)
    await boss.put("/api/budgets", json={"scope": "user", "user_id": "ann", "limit_tokens": 5})
    for n in range(60):
        await boss.post("/api/keys", json={"name": f"k{n}", "user_id": f"u{n}"})
    viewer = await look(served)
    page = viewer.page
    await viewer.sign_in("boss", is_admin=True)
    await viewer.go("#/settings/audit")
    await expect(page.locator("tr.deed")).to_have_count(50)
    await page.get_by_role("button", name="Show more").click()
    await expect(page.locator("tr.deed")).to_have_count(61)
    await expect(page.locator("tr.deed").last).to_contain_text("Budget saved")
    await expect(page.locator("tr.deed").last).to_contain_text("5 tokens per month, refuses calls")
    faults = await find_faults(viewer, "audit")
    other = await look(served)
    await other.sign_in("ann")
    await other.go("#/settings/people")
    await expect(other.page.locator("main")).to_contain_text("New API key")
    await expect(other.page.get_by_role("link", name="Audit trail")).to_have_count(0)
    await expect(other.page.locator("option[value=admin]")).to_have_count(0)
    assert faults == viewer.troubles == viewer.foreign == other.troubles == []


async def test_all_prices_are_found_from_settings_and_by_the_palette(serve: Serve, look: Look):
    served = await serve(auth=False)
    viewer = await look(served, "/#/settings/prices")
    page = viewer.page
    await page.get_by_role("link", name="All models").click()
    await expect(page.locator("h1")).to_have_text("Prices of all models")
    await expect(page.get_by_role("heading", name="Announced changes")).to_be_visible()
    await expect(page.get_by_role("row", name="offline-rules")).to_contain_text("$0.00")
    await page.get_by_label("Search models").fill("no such model")
    await expect(page.locator("main")).to_contain_text("No model matches.")
    for width, scheme in LOOKS:
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.get_by_role("link", name="Prices and budgets").click()
    await expect(page.get_by_role("button", name="Set the budget")).to_be_visible()
    for words, address in (("all prices", "prices"), ("reconcile", "invoices")):
        await page.keyboard.press("Control+k")
        await page.get_by_role("combobox", name="Search or jump to").fill(words)
        await page.locator(".group:text-is('Actions') + [role=option]").click()
        await expect(page).to_have_url(re.compile(rf"#/operations\.{address}$"))
    assert viewer.troubles == viewer.foreign == []


def make_price(model: str, **told: Any) -> dict[str, Any]:
    rates = {f"{kind}_usd": "0.125" for kind in ("input", "output", "cache_read", "cache_write")}
    dates = {"since": None, "until": None, "ends": None, "changes": []}
    return {
        "provider": "anthropic",
        "model": model,
        "is_chosen": False,
        "is_used": False,
        "is_own": False,
    } | (rates | {"cache_write_long_usd": None} | dates | told)


async def test_prices_claim_no_end_only_of_models_in_use(serve: Serve, look: Look):
    viewer = await look(await serve(auth=False), "/#/settings/prices")
    page = viewer.page
    models = [
        make_price("model-used", is_chosen=True, input_usd="0.1", cache_write_long_usd="4"),
        make_price("model-lately", is_used=True),
        make_price("model-other"),
        make_price("model-ending", ends="2999-01-22", changes=["ends on 22 January 2999"]),
        make_price("model-gone", ends="2025-07-21", changes=["ended on 21 July 2025"]),
    ]
    told = {"version": "1", "models": models, "left_out": 0}
    await page.route("**/api/prices", lambda route: route.fulfill(json=told))
    await viewer.go("#/operations.prices")

    used = page.get_by_role("row", name="model-used")
    await expect(used).to_contain_text("no end announced")
    await expect(used).to_contain_text("$0.10")
    await expect(used.locator("td")).to_have_text(
        [
            re.compile("offered for chats"),
            "$0.10",
            "$0.125",
            "$0.125",
            "$0.125",
            "$4.00",
            "no end announced",
        ]
    )
    lately = page.get_by_role("row", name="model-lately")
    await expect(lately).to_contain_text("used in the last 30 days")
    await expect(lately).to_contain_text("no end announced")
    # On a phone the rates of input and output stay columns, and the others are below the model.
    await page.set_viewport_size({"width": 390, "height": 900})
    await expect(used.get_by_role("cell")).to_have_count(3)
    few = page.locator("tr.few").first
    rates = "From cache $0.125Into cache $0.125For longer $4.00"
    await expect(few).to_have_text(
        f"{rates}anthropic, offered for chats, not used in 30 days · no end announced"
    )
    await expect(few).to_be_visible()
    table = page.get_by_role("group", name="prices", exact=True)
    assert await table.evaluate("(it) => it.scrollWidth - it.clientWidth") <= 0
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.set_viewport_size({"width": 1280, "height": 900})
    await expect(few).to_be_hidden()
    await expect(page.get_by_role("main")).to_contain_text("the vendors that this service has")
    await expect(page.get_by_role("row", name="model-other")).to_contain_text("end unknown")
    await expect(page.get_by_role("row", name="model-ending")).to_contain_text("until Jan 22, 2999")
    await expect(page.get_by_role("row", name="model-gone")).to_be_hidden()
    await page.get_by_text("Other models (1)").wait_for()
    announced = page.locator("li", has_text="model-ending")
    await expect(announced).to_have_text("model-ending ends on Jan 22, 2999")
    await page.get_by_text("Ended models (1)").click()
    await expect(page.get_by_role("row", name="model-gone")).to_contain_text("ended Jul 21, 2025")
    await page.get_by_role("link", name="Models and keys").click()
    await expect(page.locator("h1")).to_have_text("Models and keys")


@pytest.mark.parametrize("cron", ["30 7 1 * *", "0 */2 * * *"])
async def test_schedules_are_described_in_words_if_possible_else_as_cron(
    serve: Serve, look: Look, cron: str
):
    served = await serve(auth=False)
    local = await served.client()
    await local.post("/api/schedules", json={"name": "n", "cron": cron, "message": "hello"})
    viewer = await look(served, "/#/settings/automation")
    said = {"30 7 1 * *": "On the first day of every month at 07:30"}.get(cron, cron)
    await expect(viewer.page.get_by_role("listitem").filter(has_text="UTC")).to_contain_text(said)


def make_difference(model: str, gap: str) -> dict[str, Any]:
    return {
        "day": "2026-11-30",
        "model": model,
        "is_in_export": True,
        "is_in_ledger": True,
        "token_gaps": {},
        "money_gap_usd": gap,
        "reason": "",
        "is_running": False,
        "differs": True,
        "export_usd": None,
        "ledger_usd": None,
        "export_tokens": {},
        "ledger_tokens": {},
    }


async def check_invoice(page: Page, **told: Any) -> None:
    """Check an invoice whose comparison the server answers with `told`."""
    document = {"provider": None, "compared": 3, "token_rows": None, "faults": {}, **told}
    columns = {"columns": [], "map": {}}
    await page.route("**/reconcile/columns*", lambda route: route.fulfill(json=columns))
    await page.route("**/api/usage/reconcile*", lambda route: route.fulfill(json=document))
    file = {"name": "bill.csv", "mimeType": "text/csv", "buffer": b"-"}
    await page.set_input_files("input[type=file]", file)  # type: ignore[arg-type]
    await page.get_by_role("status", name="Result").wait_for()


async def test_the_rows_of_a_checked_invoice_add_up_to_its_headline(serve: Serve, look: Look):
    page = (await look(await serve(auth=False), "/#/operations.invoices")).page
    difference = make_difference("claude-sonnet-5-5", "-0.0133")
    amounts = {"export_usd": "0.4849", "ledger_usd": "0.5028", "difference_usd": "-0.0179"}
    told = {"provider": "openai", "money_rows": 2, **amounts}
    await check_invoice(page, **told, differences=[difference], differing=1)

    title = page.get_by_role("status", name="Result").get_by_role("heading")
    await expect(title).to_have_text("The invoice is $0.0179 less than the ledger")
    verdict = page.get_by_role("status", name="Result")
    await expect(verdict).to_contain_text("bill.csv · OpenAI")
    await expect(verdict).to_contain_text("This is in your favour")
    await page.evaluate("window.print = () => { window.isPrinted = true; }")
    await verdict.get_by_role("button", name="Print or save").click()
    assert await page.evaluate("window.isPrinted")
    await expect(page.locator(".tile").nth(3)).to_contain_text("–the file states no tokens")
    tiles = page.locator(".tile b")
    await expect(tiles.nth(0)).to_have_text("$0.4849")
    await expect(tiles.nth(1)).to_have_text("$0.5028")
    rows = page.locator("tbody tr")
    await expect(rows.nth(0)).to_contain_text("−$0.0133")
    await expect(rows.nth(1)).to_contain_text("2 other rows, each the same to the cent")
    await expect(rows.nth(1)).to_contain_text("−$0.0046")


async def test_a_file_that_changed_since_it_was_checked_is_to_be_chosen_again(
    serve: Serve, look: Look
):
    page = (await look(await serve(auth=False), "/#/operations.invoices")).page
    amounts = {"export_usd": "1", "ledger_usd": "1", "difference_usd": "0"}
    await check_invoice(page, money_rows=3, **amounts, differences=[], differing=0)
    # As Chromium refuses to read or send a file that is no longer the chosen one.
    await page.route("**/api/usage/reconcile*", lambda route: route.abort())
    await page.evaluate("() => (Blob.prototype.arrayBuffer = () => Promise.reject('changed')) && 1")
    await page.get_by_role("button", name="Show all 3 rows").click()

    alert = page.get_by_role("alert")
    await expect(alert).to_have_text("The file has changed: choose it again (bill.csv)")


async def test_costs_that_differ_by_a_cent_in_all_do_not_match(serve: Serve, look: Look):
    page = (await look(await serve(auth=False), "/#/operations.invoices")).page
    amounts = {"export_usd": "0.42", "ledger_usd": "0.4326", "difference_usd": "-0.0126"}
    await check_invoice(page, money_rows=3, **amounts, differences=[], differing=0)

    title = page.get_by_role("status", name="Result").get_by_role("heading")
    await expect(title).to_have_text("The invoice is $0.0126 less than the ledger")
    await expect(page.locator("tbody tr")).to_contain_text("3 other rows")


async def test_an_invoices_differences_fit_a_phone_and_keep_model_names_whole(
    serve: Serve, look: Look
):
    viewer = await look(await serve(auth=False), "/#/operations.invoices", width=1280)
    page = viewer.page
    row = make_difference("claude-sonnet-5-5", "-1.5")
    row |= {"token_gaps": {"input": -54_569, "output": 12}, "reason": "12 calls estimated " * 5}
    amounts = {"export_usd": "4.50", "ledger_usd": "6", "difference_usd": "-1.50"}
    long = make_difference("a-model-with-a-name-that-is-longer-than-any-column-2026-11-12", "-1")
    found = {"token_rows": 2, "money_rows": 2, "differences": [row, long], "differing": 2}
    await check_invoice(page, **amounts, **found)

    name = page.get_by_text("claude-sonnet-5-5")
    inside = (
        "(it) => it.getBoundingClientRect().right <= it.closest('td').getBoundingClientRect().right"
    )
    assert await page.get_by_text(long["model"]).evaluate(inside)
    lines = "(node) => { const range = document.createRange(); range.selectNodeContents(node);"
    assert await name.evaluate(f"{lines} return range.getClientRects().length; }}") == 1
    await viewer.look_as(390, "light")
    await page.get_by_text("−$1.50").scroll_into_view_if_needed()
    assert await page.locator(".wide").evaluate("(it) => it.scrollWidth - it.clientWidth") <= 0
    assert await page.get_by_text(long["model"]).evaluate(inside)
    assert await viewer.list_barriers() == []


BILL = """Day;Modell;Betrag;Tokens, in
{day};offline-rules;1,50;
{day};another-model;0,25;
"""


async def test_an_invoices_columns_are_picked_from_the_file(serve: Serve, look: Look):
    served = await serve(auth=False)
    local = await served.client()
    await ask(local, await begin(local), "write a letter")
    [row] = (await local.get("/api/usage?by=day&user_id=*")).json()["usage"]
    page = (await look(served, "/#/operations.invoices")).page
    content = BILL.format(day=row["day"]).encode()
    file = {"name": "bill.csv", "mimeType": "text/csv", "buffer": content}
    await page.set_input_files("input[type=file]", file)  # type: ignore[arg-type]
    await expect(page.get_by_role("alert")).to_contain_text("no column for model")

    assert await page.locator("select[name=date]").input_value() == "Day"
    for field, column in (("model", "Modell"), ("cost", "Betrag"), ("output", "Tokens, in")):
        await page.locator(f"select[name={field}]").select_option(column)
    await page.get_by_role("button", name="Compare again").click()
    title = page.get_by_role("status", name="Result").get_by_role("heading")
    await expect(title).to_contain_text("The invoice is $1.75 more than the ledger")
    await expect(page.locator("tbody tr")).to_have_count(2)


async def test_rows_of_an_invoice_that_agree_are_listed_on_request(serve: Serve, look: Look):
    page = (await look(await serve(auth=False), "/#/operations.invoices")).page
    gaps = {"-0.0133": True, "-0.0046": False}
    rows = [make_difference(f"model{gap}", gap) | {"differs": it} for gap, it in gaps.items()]
    amounts = {"export_usd": "0.4849", "ledger_usd": "0.5028", "difference_usd": "-0.0179"}
    told = {"compared": 2, "money_rows": 1, "differing": 1, **amounts}
    await check_invoice(page, **told, differences=rows[:1])
    every = {
        "provider": None,
        "token_rows": None,
        "faults": {"cost": 1},
        **told,
        "differences": rows,
    }
    await page.route("**/reconcile?*every=true*", lambda route: route.fulfill(json=every))
    await page.get_by_role("button", name="Show all 2 rows").click()

    await expect(page.get_by_role("heading", name="All rows")).to_be_visible()
    await expect(page.locator("tbody tr")).to_have_count(2)
    await expect(page.get_by_role("row", name="model-0.0046")).to_contain_text("–")


async def test_a_rows_invoice_and_ledger_stand_beside_small_differences(serve: Serve, look: Look):
    page = (await look(await serve(auth=False), "/#/operations.invoices")).page
    row = make_difference("claude-sonnet-5-5", "0.00006") | {
        "export_usd": "0.4401",
        "ledger_usd": "0.44004",
        "token_gaps": {"input": 100_000},
        "export_tokens": {"input": 352_715, "output": 10_846},
        "ledger_tokens": {"input": 252_715, "output": 10_846},
    }
    amounts = {"export_usd": "0.4631", "ledger_usd": "0.46304", "difference_usd": "0.00006"}
    told = {"token_rows": 2, "money_rows": 3, "differing": 1, "faults": {"tokens": 1}}
    await check_invoice(page, **amounts, **told, differences=[row])

    verdict = page.get_by_role("status", name="Result")
    await expect(verdict.get_by_role("heading")).to_have_text("1 of 3 rows has other token counts")
    await expect(verdict).to_have_class(re.compile(r"\bwarn\b"))
    cells = page.locator("tbody tr").first.locator("td")
    texts = [" ".join(text.split()) for text in await cells.all_inner_texts()]
    assert texts[2:5] == ["$0.4401", "$0.4400", "less than $0.001"]
    assert texts[5] == "Input +100,000 (352,715, ledger 252,715) Output 10,846, the same"
    await expect(page.locator("tbody tr")).to_have_count(1)


async def test_an_invoice_that_matches_today_is_not_final(serve: Serve, look: Look):
    page = (await look(await serve(auth=False), "/#/operations.invoices")).page
    counts = {"input": 568_391, "cached": 200_728, "written": 95_260, "output": 36_036}
    row = make_difference("claude-haiku-5-5", "0") | {
        "differs": False,
        "export_tokens": counts,
        "ledger_tokens": counts,
    }
    amounts = {"export_usd": "0.61", "ledger_usd": "0.61", "difference_usd": "0"}
    told = {"token_rows": 3, "money_rows": 3, "differing": 0, "is_running": True}
    await check_invoice(page, **amounts, **told, differences=[row])

    verdict = page.get_by_role("status", name="Result")
    await expect(verdict).to_have_class(re.compile(r"\bwarn\b"))
    title = verdict.get_by_role("heading")
    await expect(title).to_have_text("The invoice matches the ledger so far")
    await expect(verdict).to_contain_text("Today is still running")
    tokens = page.locator("tbody tr").first.locator("td").nth(5)
    await expect(tokens).to_contain_text("Input 568,391 (272,403 uncached), the same")


async def test_statements_are_downloaded_by_month_also_of_the_running_one(serve: Serve, look: Look):
    served = await serve(auth=False)
    viewer = await look(served, "/#/usage")
    page = viewer.page
    await page.get_by_role("link", name="Statements by month").click()
    await expect(page.locator("h1")).to_have_text("Statements by month")
    await expect(page.locator(".empty")).to_have_text("No usage in the last 12 months.")
    local = await served.client()
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("local") as tx:
        await tx.execute("update llm_calls set cost_usd = 0.25")
        calls = await tx.fetchval("select count(*) - 1 from llm_calls")
        # The months between it and this one have no usage, and no statement.
        old = "update llm_calls set created_at = created_at - interval '100 days' where call_id ="
        await tx.execute(f"{old} (select call_id from llm_calls order by call_id limit 1)")
    await page.reload()
    rows = page.get_by_role("main").get_by_role("listitem")
    await expect(rows).to_have_count(2)
    await expect(rows.first).to_contain_text(f"so far · ${0.25 * calls:.2f} · {calls} call")
    await expect(rows.last).to_contain_text("$0.25 · 1 call")
    await page.get_by_label("Mark-up").fill("100")
    await expect(rows.first).to_contain_text(f"so far · ${0.5 * calls:.2f} with 100% mark-up")
    await page.get_by_label("Mark-up").fill("15")
    async with page.expect_download() as download:
        await rows.first.get_by_role("link", name="Download").click()
    text = (await (await download.value).path()).read_text()
    assert "The month is not over: this is its usage so far." in text
    assert "mark-up of 15" in text
    for width, scheme in LOOKS:
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert viewer.troubles == viewer.foreign == []


async def test_a_statement_of_one_person_is_that_persons_as_soon_as_chosen(
    serve: Serve, look: Look
):
    served = await serve()
    ann = await served.client("ann")
    boss = await served.client("boss", is_admin=True)
    for client in (ann, boss):
        await ask(client, await begin(client), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("acme") as tx:
        await tx.execute("update llm_calls set cost_usd = 0")
        for user, usd in (("ann", "0.25"), ("boss", "0.50")):
            one = f"(select call_id from llm_calls where user_id = '{user}' limit 1)"
            await tx.execute(f"update llm_calls set cost_usd = {usd} where call_id = {one}")
    viewer = await look(served)
    await viewer.sign_in("boss", is_admin=True)
    await viewer.go("#/operations.statements")
    page = viewer.page
    row = page.get_by_role("main").get_by_role("listitem")
    await expect(row).to_contain_text("$0.75")
    await page.get_by_label("Whose usage").select_option("ann")
    await expect(row).to_contain_text("$0.25")
    for name in ("Open", "Download"):
        link = row.get_by_role("link", name=name)
        await expect(link).to_have_attribute("href", re.compile("user_id=ann"))
        await expect(link).to_have_accessible_name(re.compile("ann"))
    fields = page.locator("main label > :is(select, input)")
    sizes = await fields.evaluate_all(
        "(all) => all.map((it) => it.getBoundingClientRect()).map((it) => [it.top, it.height])"
    )
    assert len(sizes) == 2 and sizes[0] == sizes[1], "one row of one height"
    assert await viewer.list_barriers() == []


async def test_a_persons_budget_names_the_others_that_hold_for_the_person(serve: Serve, look: Look):
    page = (await look(await serve(auth=False))).page
    told = await page.evaluate(
        """async () => {
            const { sayOthers } = await import("/console/operations/limits.js");
            const each = { is_hard: true, scope: "user", user_id: null, period: "day",
                limit_usd: "4", limit_tokens: null };
            const all = [each, each, { ...each, user_id: "bob", limit_usd: "1" },
                { ...each, scope: "tenant", period: "total", limit_usd: null, limit_tokens: 9 },
                { ...each, is_hard: false, limit_usd: "2" }];
            const ann = { is_hard: false, user_id: "ann", budget_id: "1" };
            return [sayOthers(ann, all), sayOthers(ann, all.slice(2, 3)),
                sayOthers({ ...ann, is_hard: true }, all.slice(3)), sayOthers(each, all)];
        }"""
    )
    assert told == [
        "Calls of ann are refused above $4.00 per day (each person) and 9 tokens in all (everyone "
        "together). Also warned of: $2.00 per day (each person).",
        "",
        "Calls of ann are refused above 9 tokens in all (everyone together). Also warned of: $2.00 "
        "per day (each person).",
        "",
    ]


async def test_a_persons_row_says_what_else_limits_the_person_and_stays_in_view(
    serve: Serve, look: Look
):
    served = await serve(auth=False)
    boss = await served.client("local")
    each = {"scope": "user", "period": "day", "limit_usd": 4, "is_hard": True}
    await boss.put("/api/budgets", json=each)
    for n in range(6):
        budget = {"scope": "user", "user_id": f"u{n}", "limit_usd": 20, "is_hard": False}
        await boss.put("/api/budgets", json=budget)
    page = (await look(served, "/#/settings/prices")).page
    row = page.locator(".budget", has_text="u5, per month")
    await expect(row).to_contain_text("Calls of u5 are refused above $4.00 per day (each person).")
    await row.scroll_into_view_if_needed()
    await row.get_by_role("button", name="Edit").click()
    await expect(row.get_by_label("Limit")).to_be_focused()
    box, height = await row.bounding_box(), await page.evaluate("innerHeight")
    assert box and abs(box["y"] + box["height"] / 2 - height / 2) < 40, "no toast covers it"


async def test_administrators_see_who_used_the_service_and_within_which_budget(
    serve: Serve, look: Look
):
    served = await serve()
    ann, bob = await served.client(), await served.client("bob")
    boss = await served.client("boss", is_admin=True)
    await ask(ann, await begin(ann), "tell me something")
    await ask(bob, await begin(bob), "list my jobs")
    budget = {"scope": "user", "user_id": "ann", "limit_usd": 2, "is_hard": False}
    await boss.put("/api/budgets", json=budget)
    await boss.put("/api/budgets", json={**budget, "user_id": "new/one", "limit_usd": 1})
    viewer = await look(served)
    page = viewer.page
    await viewer.sign_in("boss", is_admin=True)
    await viewer.go("#/settings/people")
    rows = page.locator(".people tbody tr")
    await expect(rows).to_have_count(4)
    await expect(rows.filter(has_text="bob")).to_contain_text("Today")
    await expect(rows.filter(has_text="boss")).to_contain_text("you, administrator")
    await expect(rows.filter(has_text="boss").locator("td").nth(1)).to_have_text("–")
    await expect(rows.filter(has_text="new/one")).to_contain_text("$0 of $1.00 per month")
    row = rows.filter(has=page.get_by_role("link", name="ann", exact=True))
    await expect(row.locator("td")).to_have_text(
        [
            *(re.compile("^ ?ann"), "Today", "1 answer in 30 days", "$0"),
            re.compile(r"\$0 of \$2.00 per month, only warns ?Set a budget"),
        ]
    )
    faults = await find_faults(viewer, "people")
    await row.get_by_role("link", name="1", exact=True).click()
    await expect(page.locator("main.usage")).to_contain_text("Person: ann")
    await viewer.go("#/settings/people")
    await rows.filter(has_text="boss").get_by_role("link", name="Set a budget").click()
    await expect(page.get_by_label("Limit")).to_be_focused()
    await expect(page.get_by_label("Applies to")).to_have_value("one")
    await expect(page.locator("input[name=user]")).to_have_value("boss")
    other = await look(served)
    await other.sign_in("ann")
    await other.go("#/settings/people")
    await expect(other.page.locator("main")).to_contain_text("New API key")
    await expect(other.page.locator(".people")).to_have_count(0)
    assert faults == viewer.troubles == viewer.foreign == other.troubles == []


async def test_administrators_start_with_todays_figures_and_others_do_not(serve: Serve, look: Look):
    served = await serve()
    ann, boss = await served.client(), await served.client("boss", is_admin=True)
    await boss.put("/api/budgets", json={"scope": "tenant", "limit_usd": 5, "is_hard": False})
    viewer = await look(served)
    page = viewer.page
    await viewer.sign_in("boss", is_admin=True)
    line = page.get_by_role("navigation", name="Today, for administrators")
    await expect(page.get_by_role("region", name="Get set up")).to_be_visible()
    await expect(line).to_have_count(0)  # before the first call there is nothing to say

    await ask(ann, await begin(ann), "tell me something")
    await ask(ann, await begin(ann), "add a job: Cook at Cafe Uno")
    await ask(ann, await begin(ann), "delete job 1")  # waits for ann
    await page.add_init_script(MOVED)
    await page.reload()
    await expect(line.get_by_role("link").first).to_contain_text("Everyone today $0 too few")
    await expect(line.get_by_role("link").nth(1)).to_contain_text("$0 of $5.00, 0%")
    await expect(line.get_by_role("link")).to_have_count(3)
    await expect(page.get_by_role("region", name="Get set up")).to_be_visible()
    assert await page.evaluate("window.moved") < 0.02
    barriers = await viewer.list_barriers()
    await line.get_by_role("link", name="Answer waits 1 for people").click()
    await expect(page.locator("h1")).to_have_text("Approvals")
    await expect(page.locator(".question")).to_contain_text("Waits for ann")
    other = await look(served)
    await other.sign_in("ann")
    await expect(other.page.get_by_role("region", name="Get set up")).to_be_visible()
    await expect(other.page.get_by_role("navigation", name="Today")).to_have_count(0)
    assert barriers == viewer.troubles == other.troubles == []
