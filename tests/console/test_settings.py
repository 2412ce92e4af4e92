"""Settings that are more than a list: what tools may do, what it may cost, and setting that."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from httpx2 import AsyncClient
from playwright.async_api import Route, expect

from plainloop.agent.config.settings import Settings
from tests.console.conftest import Look
from tests.server.conftest import Serve, Served, ask, begin, serving


async def test_a_budget_can_be_set_and_removed_in_the_console(
    served: Served, local: AsyncClient, look: Look
):
    viewer = await look(served, "/#/settings/prices")
    page = viewer.page

    await expect(page.locator("main")).to_contain_text("No budgets yet")
    await expect(page.get_by_role("row", name="offline-rules")).to_contain_text("$0")
    await page.fill("input[name=limit]", "5")
    await page.click("button:text('Set the budget')")
    await expect(page.locator(".budget")).to_contain_text("$0 of $5.00")
    (made,) = (await local.get("/api/budgets")).json()["budgets"]
    assert (made["scope"], made["period"], made["limit_usd"]) == ("tenant", "month", "5")
    await page.click("button:text('Remove')")
    assert (await local.get("/api/budgets")).json()["budgets"] == [made]
    await page.click("button:text('Really remove it?')")
    await expect(page.locator("main")).to_contain_text("No budgets yet")
    assert (await local.get("/api/budgets")).json()["budgets"] == []


async def test_a_narrow_window_shows_the_chosen_settings_and_the_cached_rates(
    served: Served, look: Look
):
    page = (await look(served, "/#/settings/prices")).page
    prices = page.get_by_role("group", name="prices")
    await expect(prices.get_by_role("columnheader", name="Into cache", exact=True)).to_be_visible()
    await page.set_viewport_size({"width": 390, "height": 800})
    await expect(page.get_by_role("heading", level=1)).to_have_text("Prices and budgets")
    rates = prices.locator("tr.few").first
    await expect(rates).to_have_text(re.compile("From cache.*Into cache.*offline"))
    assert await prices.evaluate("(it) => it.scrollWidth - it.clientWidth") <= 0


async def test_a_user_reads_what_is_left_today_before_prices_and_no_keys_on_a_touch_screen(
    serve: Serve, look: Look
):
    served = await serve()
    boss = await served.client("boss", is_admin=True)
    budget = {"scope": "user", "period": "day", "limit_usd": "4", "is_hard": True}
    await boss.put("/api/budgets", json=budget)
    viewer = await look(served, width=390, touch=True)
    page = viewer.page
    await viewer.sign_in("ann")
    await viewer.go("#/settings/prices")
    await expect(page.locator(".budget p").first).to_have_text("Today $0 of $4.00, $4.00 left")
    await expect(page.get_by_role("table")).to_have_count(0)
    await page.get_by_text("Prices", exact=True).click()
    await expect(page.get_by_role("table")).to_be_visible()

    await viewer.go("#/settings/appearance")
    keys = page.locator(".keys-list")
    await expect(keys.first).to_be_hidden()
    await page.get_by_text("Keyboard", exact=True).click()
    await expect(keys.first).to_be_visible()
    await expect(keys.filter(has_text="experiment")).to_have_count(0)  # ann has none


async def test_a_budget_that_refuses_every_call_or_replaces_one_asks_first(
    served: Served, local: AsyncClient, look: Look
):
    page = (await look(served, "/#/settings/prices")).page
    form = page.locator("form.fields-form")

    async def list_limits() -> list[str]:
        return [it["limit_usd"] for it in (await local.get("/api/budgets")).json()["budgets"]]

    kind = form.get_by_label("When it is used up")
    await expect(kind).to_have_value("soft")  # one that refuses is chosen
    await form.locator("input[name=limit]").fill("0")
    await kind.select_option("Refuse further calls")
    await form.get_by_role("button", name="Set the budget").click()
    doubt = form.get_by_role("alert")
    await expect(doubt).to_have_text("$0 is spent already: every call would be refused from now.")
    assert await list_limits() == []
    await form.locator("input[name=limit]").fill("5")
    await expect(doubt).to_have_count(0)
    await form.get_by_role("button", name="Set the budget").click()
    await expect(page.locator(".budget")).to_contain_text("$0 of $5.00")

    await form.locator("input[name=limit]").fill("9")
    await kind.select_option("Refuse further calls")
    await form.get_by_role("button", name="Set the budget").click()
    await expect(doubt).to_have_text("It replaces the budget of $5.00.")
    assert await list_limits() == ["5"]
    await form.get_by_role("button", name="Set it all the same").click()
    await expect(page.locator(".budget")).to_contain_text("$0 of $9.00")

    budget = page.locator(".budget")
    await expect(budget.locator("p").first).to_have_text("Everyone together, per month")
    for limit, button in (("0", "Save it all the same"), ("7", "Save")):
        await budget.get_by_role("button", name="Edit").click()
        await budget.get_by_label("Limit in US dollars").fill(limit)
        await budget.get_by_role("button", name="Save", exact=True).click()
        if limit == "0":
            await expect(budget.get_by_role("alert")).to_contain_text("every call would be refused")
            assert await list_limits() == ["9"]
            await budget.get_by_role("button", name=button).click()
        await expect(budget).to_contain_text(f"$0 of ${limit}")
    assert await list_limits() == ["7"]


async def test_a_budget_for_a_named_user_is_only_that_users(
    served: Served, local: AsyncClient, look: Look
):
    await begin(local)
    page = (await look(served, "/#/settings/prices")).page

    form = page.locator("form.fields-form")
    for user, toast in (("Local user", "Budget saved"), ("lokal", "lokal has no conversation yet")):
        await page.fill("input[name=limit]", "5")
        await expect(page.get_by_label("Applies to")).to_have_value("tenant")
        await page.get_by_label("Applies to").select_option("One person")
        await page.fill("input[name=user]", user)
        await page.click("button:text('Set the budget')")
        if user == "lokal":
            await expect(form.get_by_role("alert")).to_have_text(
                "lokal has not used the service yet: is the name spelled correctly?"
            )
            assert len((await local.get("/api/budgets")).json()["budgets"]) == 1
            await form.get_by_role("button", name="Set it all the same").click()
        await expect(page.locator(".toast")).to_contain_text(toast)
        known = page.locator("datalist#people option")
        assert await known.evaluate_all("(all) => all.map((it) => it.value)") in ([], ["local"])
    await page.reload()
    doubted = page.locator(".budget").filter(has_text="is the name spelled correctly?")
    await expect(doubted).to_have_count(1)
    await expect(doubted).to_contain_text("lokal, per month")
    await expect(page.locator(".budget").first).to_contain_text("Local user, per month")
    made = (await local.get("/api/budgets")).json()["budgets"]
    assert {(item["scope"], item["user_id"]) for item in made} == {
        ("user", "local"),
        ("user", "lokal"),
    }


async def test_without_operations_prices_name_only_models_in_use(served: Served, look: Look):
    viewer = await look(served)
    page = viewer.page

    async def drop_operations(route: Route) -> None:
        answer = await route.fetch()
        config = await answer.json()
        config["screens"] = [item for item in config["screens"] if item["pack"] != "operations"]
        await route.fulfill(response=answer, json=config)

    await page.route("**/api/config", drop_operations)
    await page.goto(f"{served.url}/#/settings/prices")
    await page.reload()
    await expect(page.get_by_role("row", name="offline-rules")).to_contain_text("$0")
    await expect(page.get_by_role("link", name="All models")).to_have_count(0)
    await page.keyboard.press("Control+k")
    await page.get_by_role("combobox", name="Search or jump to").fill("prices")
    found = page.get_by_role("listbox", name="Results").get_by_role("option")
    await expect(found).to_have_count(1)
    await expect(found).to_contain_text("Prices and budgets")


async def test_a_budget_that_ends_today_states_the_time(served: Served, look: Look):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const [{ Budget }, { html }, { render }] = await Promise.all(
                ["budgets", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const place = document.createElement("div");
            const end = new Date(Date.now() + 30 * 60_000);
            end.setUTCSeconds(0, 0);
            const item = { limit_usd: null, limit_tokens: 9, used_tokens: 5, reserved_tokens: 3,
                forecast_tokens: 20, until: end.toISOString(), description: "" };
            render(html`<${Budget} item=${item} />`, place);
            return [place.textContent, end.toISOString()];
        }"""
    )
    end = datetime.fromisoformat(told[1]).strftime("%-I:%M %p UTC on %b %-d, %Y")
    assert f"by {end}. Held amounts come on top." in told[0].replace("\u202f", " ")
    assert "5 of 9 tokens, 1 left, 3 held for running calls" in told[0]
    assert re.search(r"used up at \d{1,2}:\d{2}\s[AP]M UTC on \w{3} \d", told[0])


@pytest.mark.parametrize(
    ("used", "held", "told"),
    [
        ("0.4554", "0.0246", "$0.4554 of $5.50, $5.02 left, $0.0246 held for running calls"),
        ("0.455", "0", "$0.4550 of $5.50, $5.0450 left"),
        ("0.0046", "0.15", "$0.0046 of $5.50, $5.3454 left, $0.15 held for running calls"),
        ("6", "0", "$6.00 of $5.50, $0 left"),
    ],
)
async def test_the_parts_of_a_budget_add_up_to_its_limit(
    served: Served, look: Look, used: str, held: str, told: str
):
    page = (await look(served)).page
    text, whole = await page.evaluate(
        """async ([used_usd, reserved_usd]) => {
            const [{ Budget }, { html }, { render }] = await Promise.all(
                ["budgets", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const place = document.createElement("div");
            const item = { limit_usd: "5.50", used_usd, reserved_usd, forecast_usd: null };
            render(html`<${Budget} item=${item} />`, place);
            return [place.querySelectorAll("p")[1].textContent, place.textContent];
        }""",
        [used, held],
    )
    assert text == told
    assert ("Over by $0.50 now." in whole) == (used == "6")


async def test_the_exported_usage_has_a_row_for_each_day_and_model(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    page = (await look(served, "/#/settings/data")).page
    async with page.expect_download() as download:
        await page.get_by_role("main").get_by_role("link", name="Usage").click()
    text = Path(await (await download.value).path()).read_text()
    assert {"day", "model"} <= {*text.splitlines()[0].split(",")}


async def test_settings_name_tools_by_what_they_do(serve: Serve, look: Look):
    pytest.importorskip("plainloop_careers")
    viewer = await look(await serve(auth=False, packs=("careers",)), "/#/settings/tools")
    tools = viewer.page.locator("main li b")

    await expect(tools.filter(has_text="Save the job")).to_have_count(1)
    await expect(tools.filter(has_text="Look up your jobs")).to_have_count(1)
    assert not re.search(r"Looked|Saved|Deleted|Updated", " ".join(await tools.all_inner_texts()))
    main = viewer.page.get_by_role("main")
    rows = main.get_by_role("listitem")
    for name, why in (
        ("Save the contact", "as nothing undoes it"),
        ("Read the page", "before it opens a web address"),
    ):
        await expect(rows.filter(has_text=name)).to_contain_text(why)
    never = main.locator("section", has_text="Never asks").get_by_role("listitem")
    # They read what is the user's own, whatever they are asked for.
    await expect(never.filter(has_text="Look up your contacts")).to_have_count(1)
    await expect(never.filter(has_text="Read your résumé")).to_have_count(1)


async def test_a_phone_lists_the_settings_parts_on_a_page_of_their_own(served: Served, look: Look):
    viewer = await look(served, "/#/settings/clients", width=390)
    page = viewer.page
    parts = page.get_by_role("navigation", name="Sections of the settings")
    await expect(page.get_by_role("heading", level=1)).to_have_text("API and clients")
    await expect(parts).to_be_hidden()
    await page.get_by_role("main").get_by_role("link", name="Settings", exact=False).first.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    assert await viewer.list_barriers() == []
    await parts.get_by_role("link", name="Appearance and keys").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Appearance and keys")
    assert page.url.endswith("#/settings/appearance")
    assert await viewer.list_barriers() == []


async def test_a_phone_shows_rows_of_settings_as_blocks(served: Served, look: Look):
    page = (await look(served, width=390)).page
    await page.goto(f"{served.url}/#/system")
    await page.get_by_text("For whoever runs the server").click()
    table = page.get_by_role("group", name="servers", exact=True)
    await expect(table.locator("td").last).to_be_visible()
    cells = table.locator("tbody tr").first.locator("td")
    named = await cells.evaluate_all("(all) => all.map((it) => it.dataset.head)")
    assert named == await table.locator("th").all_text_contents()
    assert await table.evaluate("(it) => it.scrollWidth - it.clientWidth") <= 0


async def test_settings_say_what_they_are_and_have_units(settings: Settings, look: Look):
    limits = replace(settings.limits, approval_s=864_000.0)
    sources = {**settings.sources, "limits.approval_s": "file"}
    changed = replace(settings, provider="offline", limits=limits, sources=sources)
    async with serving(changed) as served:
        page = (await look(served, "/#/settings/all", width=390)).page
        row = page.get_by_role("listitem").filter(has_text="limits.approval_s = 864000.0")
        await expect(row.locator("b").first).to_have_text("Approval")
        await expect(row).to_contain_text("Time until a pending approval expires")
        await expect(row).to_contain_text("plainloop.toml · default 24 h")
        await expect(row.locator("b").last).to_have_text("10 days")
        box = await row.bounding_box()
        assert box and box["height"] < 110  # name and description, two lines each
        await page.get_by_label("Only changed").uncheck()
        for key, shown in {
            "limits.fetch_bytes": "2 MB",
            "limits.tool_timeout_s": "30 s",
            "limits.window_tokens": "6,000 tokens",
            "agent.audit_share": "2%",
            "agent.triage": "On",
            "server.file_types": "image/png, image/jpeg",
        }.items():
            await page.get_by_placeholder("Search settings").fill(key)
            await expect(page.locator("main li > b")).to_have_text(re.compile(f"^{shown}"))


# What two administrators did on two days; the newest is made by the test itself.
DEEDS = """
insert into audit_entries (tenant_id, entry_id, actor, via, action, target, about, details, at)
select 'local', overlay(plainloop_first_id(now() - make_interval(days => n))::text
    placing '7' from 15)::uuid, actor, via, action, target, '', '{}', '2026-01-22T12:00:00Z'
from (values (2, 'root', 'cli', 'document.delete', 'handbook.md'),
    (3, 'joanne', 'http', 'key.revoke', 'abcd1234')) as done (n, actor, via, action, target)
"""


async def test_a_changed_budget_is_listed_with_its_old_limit_and_whose_it_is(
    served: Served, local: AsyncClient, look: Look
):
    budget = {"scope": "tenant", "is_hard": False}
    for limit in ({"limit_usd": "6.80"}, {"limit_usd": "31.80"}, {"limit_tokens": 500}):
        await local.put("/api/budgets", json=budget | limit)
    await local.put("/api/budgets", json=budget | {"scope": "user", "limit_usd": "2"})
    page = (await look(served, "/#/settings/audit")).page
    rows = page.locator("tr.deed")
    await expect(rows.locator("td:nth-child(4)")).to_have_text(
        ["Each person", *["Everyone together"] * 3]
    )
    await expect(rows.locator("td:nth-child(5)")).to_have_text(
        [
            "$2.00 per month, only warns",
            "$31.80 → 500 tokens per month, only warns",
            "$6.80 → $31.80 per month, only warns",
            "$6.80 per month, only warns",
        ]
    )
    # Where a search leaves entries out, the one before is unknown.
    await page.get_by_label("Search objects and details").fill("31.80")
    await expect(rows.locator("td:nth-child(5)")).to_have_text(["$31.80 per month, only warns"])
    await expect(page.locator("main")).not_to_contain_text("console or API")


async def test_audit_entries_are_short_by_day_and_filtered_by_keys(
    served: Served, local: AsyncClient, look: Look
):
    budget = {"scope": "tenant", "limit_usd": "5", "is_hard": False}
    await local.put("/api/budgets", json=budget)
    async with served.service.store.transaction("local") as tx:
        await tx.execute(DEEDS)
    viewer = await look(served, "/#/settings/audit", width=390)
    page = viewer.page
    table = page.get_by_role("group", name="audit trail")
    rows = table.locator("tr.deed")
    await expect(table.get_by_role("rowheader")).to_have_text(["Today", "Jan 22, 2026"])
    await expect(rows).to_have_count(3)
    await expect(rows.first).to_contain_text("Budget saved")
    details = rows.first.locator("td").last
    await expect(details).to_have_text("$5.00 per month, only warns")
    await expect(rows.first.locator("td").nth(3)).to_have_text("Everyone together")
    await expect(details).to_be_in_viewport(ratio=1)
    heights = await rows.evaluate_all("(all) => all.map((it) => it.offsetHeight)")
    assert max(heights) < 80, heights
    assert await table.evaluate("(it) => it.scrollWidth - it.clientWidth") <= 0
    assert await viewer.list_barriers() == []

    # `/` leads to the search; the next fields are one Tab each.
    for width in (390, 1440):
        await page.set_viewport_size({"width": width, "height": 900})
        await page.locator("main").focus()
        await page.keyboard.press("/")
        await page.keyboard.type("hand")
        await expect(rows).to_have_count(1)
        await expect(rows).to_contain_text("handbook.md")
        await expect(page.get_by_role("status").filter(has_text="1 entry matches")).to_be_visible()
        await page.keyboard.press("Tab")
        await page.keyboard.type("Document: all")
        await page.keyboard.press("Tab")
        await page.keyboard.type("roo")
        await page.wait_for_url(re.compile("text=hand"))
        await page.wait_for_url(re.compile("actor=roo"))
        await expect(page.get_by_label("Action", exact=True)).to_have_value("document")
        csv = page.get_by_role("link", name="These as CSV")
        query = "actor=roo&action=document&text=hand"
        await expect(csv).to_have_attribute("href", f"/api/audit?{query}&format=csv")
        await page.reload()
        await expect(rows).to_have_count(1)
        await expect(page.get_by_label("By whom")).to_have_value("roo")
        await page.get_by_role("link", name="Clear filters").press("Enter")
        await expect(rows).to_have_count(3)
        await expect(page.get_by_label("By whom")).to_have_value("")
    await rows.get_by_role("link", name="joanne").click()
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("API key revoked")
    assert page.url.endswith("#/settings/audit?actor=joanne")


async def test_all_chats_are_exported_from_the_settings(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "list my jobs")
    page = (await look(served, "/#/settings/data")).page
    await expect(page.locator("main")).not_to_contain_text("plainloop export")
    async with page.expect_download() as download:
        await page.get_by_role("button", name="All chats").click()
    (chat,) = Path(await (await download.value).path()).read_text().splitlines()
    assert "list my jobs" in chat


async def test_all_that_an_erasure_deletes_can_be_saved_first(serve: Serve, look: Look):
    pytest.importorskip("plainloop_careers")
    served = await serve(packs=("careers",))
    ann = await served.client()
    await ask(ann, await begin(ann), "add a job: Cook at Cafe Uno")
    page = (await look(served, "/#/settings/account")).page
    await page.fill("#token", served.token("ann"))
    await page.click("button:text('Sign in')")
    main = page.get_by_role("main")
    await expect(main).to_contain_text(
        "Job search (Tracker, Letters, Résumé and profile) is a ZIP file"
    )
    async with page.expect_download() as download:
        await main.get_by_role("link", name="Job search").click()
    with zipfile.ZipFile(await (await download.value).path()) as saved:
        assert "Cafe Uno" in saved.read("jobs.csv").decode()

    erase = main.get_by_role("button", name="Erase everything")
    await expect(main).to_contain_text("and keys, and all in Tracker, Letters, Résumé and profile.")
    for typed, is_enough in (("an", False), ("anna", False), (" Ann ", True)):
        await main.get_by_label("Type ann to confirm").fill(typed)
        await expect(erase).to_be_enabled(enabled=is_enough)
    await erase.click()
    await expect(main).to_contain_text("All data of ann was erased.")
    assert (await ann.get("/api/jobs")).json()["jobs"] == []


async def test_a_user_sees_tool_rules_but_cannot_change_them(serve: Serve, look: Look):
    served = await serve()
    ann = await served.client()
    listed = (await ann.get("/api/tools")).json()["tools"]
    viewer = await look(served, "/#/settings/tools")
    await viewer.page.fill("#token", served.token("ann"))
    await viewer.page.click("button:text('Sign in')")
    main = viewer.page.locator("main")

    groups = ["Asks you every time 1", "Sometimes asks you", "Never asks"]
    await expect(main.locator("section h2")).to_contain_text(groups)
    first = main.locator("section", has_text="Asks you every time").get_by_role("listitem")
    await expect(first).to_contain_text(["Delete"])
    await expect(main.get_by_role("listitem")).to_have_count(len(listed))
    await expect(main).not_to_contain_text("delete_job")  # names in code: for administrators
    await viewer.go("#/settings/prices")
    await expect(main).to_contain_text("US dollars per million tokens")
    await expect(main.get_by_role("button", name="Set the budget")).to_have_count(0)
