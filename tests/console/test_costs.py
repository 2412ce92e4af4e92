"""What a step and an answer cost: shown where one asks, and so that it can be added up."""

from __future__ import annotations

import re

from httpx2 import AsyncClient
from playwright.async_api import Route, expect

from tests.console.conftest import Look
from tests.server.conftest import Served, ask, begin

PARTS = [
    {"bucket": "input_tokens", "tokens": 44, "usd_per_million": "2", "usd": "0.000088"},
    {"bucket": "cache_write_tokens", "tokens": 2192, "usd_per_million": "2.5", "usd": "0.00548"},
    {"bucket": "output_tokens", "tokens": 32, "usd_per_million": "10", "usd": "0.00006736"},
]


async def test_a_steps_cost_can_be_added_up_and_the_dearest_step_is_marked(
    served: Served, local: AsyncClient, look: Look
):
    told = await ask(local, await begin(local), "add a job: Cook at Cafe Uno")

    async def set_costs(route: Route) -> None:
        answer = await route.fetch()
        data = await answer.json()
        calls = [call for step in data["steps"] for call in step["calls"]]
        for call in calls:
            call |= {"cost_usd": "0.001", "cost_parts": []}
        data["steps"][-1]["notes"] = [
            "evaluator skipped: never, 2 tool calls this turn",
            "the interview is complete",
        ]
        calls[-1] |= {"cost_usd": "0.005888", "cost_parts": PARTS}
        await route.fulfill(response=answer, json=data)

    page = (await look(served)).page
    await page.route("**/api/runs/*/steps*", set_costs)
    await page.goto(f"{served.url}/#/runs/{told['run_id']}")
    dearest = page.locator("button.trace-row").filter(has_text="dearest step")
    await expect(dearest).to_have_count(1)
    await expect(dearest).to_contain_text("$0.0059")
    slowest = page.locator("button.trace-row").filter(has_text="slowest step")
    await expect(slowest).to_have_count(1)

    await dearest.click()
    panel = page.get_by_role("complementary", name="The chosen row")
    table = panel.get_by_role("group", name="cost of the call")
    await expect(table.locator("tr")).to_have_text(
        [
            "TokensCost",
            "In, uncached 44 at $2.00 per million$0.000088",
            "Into cache 2,192 at $2.50 per million$0.00548",
            "Out 32 at $10.00 per million$0.00006736",
            "Together$0.005888",
        ]
    )
    for width in (1280, 390):
        await page.set_viewport_size({"width": width, "height": 900})
        assert await table.evaluate("(it) => it.scrollWidth - it.clientWidth") <= 0, width
    await page.set_viewport_size({"width": 1280, "height": 900})
    why = "Answers of this worker are not checked. The interview is complete."
    await expect(panel).to_contain_text(why)
    await page.locator("button.trace-row.model").first.click()
    await expect(table).to_have_count(0)
    await expect(panel).to_contain_text("The cost is not split")


async def test_an_earlier_answer_shows_its_model_time_and_cost_on_demand(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local)
    for text in ("add a job: Cook at Cafe Uno", "list my jobs"):
        await ask(local, chat, text)
    page = (await look(served, f"/#/chat/{chat}")).page
    first, last = (page.get_by_role("article", name="Answer").nth(n) for n in (0, 1))

    await expect(last).to_contain_text("free")
    await expect(last.get_by_role("button", name="Model and cost")).to_have_count(0)
    await expect(first).not_to_contain_text("Offline Rules")
    button = first.get_by_role("button", name="Model and cost")
    await expect(button).to_have_css("text-decoration-line", "none")  # as the ways beside it
    await page.set_viewport_size({"width": 390, "height": 900})
    await expect(last.get_by_text("Offline Rules")).to_be_hidden()  # one line, as of the others
    ways = (button, first.get_by_role("link", name="Why this answer"))
    tops = [await it.evaluate("(it) => it.getBoundingClientRect().bottom >> 3") for it in ways]
    assert tops[0] == tops[1]
    await button.click()
    await expect(first.get_by_role("status")).to_contain_text("Offline Rules · ")
    await expect(first.get_by_role("status")).to_contain_text("$0")
    await expect(last).to_contain_text("free")


async def test_an_answers_time_leaves_out_the_wait_for_a_decision(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local)
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    await ask(local, chat, "delete job 1")
    async with served.service.store.transaction("local") as tx:
        since = "update runs set created_at = created_at - interval '1 day' where thread_id = $1"
        await tx.execute(since, chat)
    page = (await look(served, f"/#/chat/{chat}")).page
    await page.locator(".question .no").click()

    last = page.get_by_role("article", name="Answer").last
    await expect(last).to_contain_text(re.compile(r"\d m?s ·"))
    await expect(last).not_to_contain_text(re.compile(r"\d h\b"))
    await last.get_by_role("link", name="Why this answer").click()
    await expect(page.get_by_role("region", name="Time and cost")).to_contain_text(
        re.compile(r"It took [\d.]+ m?s;")
    )


CHEAP = ["0.0000123", "0.000099", "12.3456", None]
# The columns of figures that are wider than their place.
CUT = """(rows) => rows.flatMap((row) => [...row.querySelectorAll(".cost, .took")])
    .filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent)"""


async def test_an_opened_step_leaves_its_row_in_view_and_no_figure_cut(
    served: Served, local: AsyncClient, look: Look
):
    told = await ask(local, await begin(local), "add a job: Cook at Cafe Uno")

    async def make_long(route: Route) -> None:
        answer = await route.fetch()
        data = await answer.json()
        [one] = [step for step in data["steps"] if step["calls"]][:1]
        calls = [
            {
                **one["calls"][0],
                "call_id": f"c{n}",
                "cost_usd": CHEAP[n % 4],
                "duration_ms": 3_599_000,
            }
            for n in range(24)
        ]
        data["steps"] = [{**one, "n": 0, "calls": calls[:12]}, {**one, "n": 1, "calls": calls[12:]}]
        await route.fulfill(response=answer, json=data)

    viewer = await look(served, width=390)
    page = viewer.page
    await page.route("**/api/runs/*/steps*", make_long)
    await page.goto(f"{served.url}/#/runs/{told['run_id']}?tab=why")
    developers = page.get_by_role("link", name="For developers")
    await page.set_viewport_size({"width": 390, "height": 300})
    await developers.scroll_into_view_if_needed()
    assert await page.evaluate("scrollY") > 0
    await developers.click()
    rows = page.locator("button.trace-row")
    await expect(rows).to_have_count(26)
    assert await page.evaluate("scrollY") == 0

    panel = page.get_by_role("complementary", name="The chosen row")
    await page.set_viewport_size({"width": 390, "height": 844})
    for n in (5, 25):
        await rows.nth(n).click()
        await expect(panel).to_be_visible()
        row, sheet = await rows.nth(n).bounding_box(), await panel.bounding_box()
        assert row and sheet and 52 <= row["y"] <= sheet["y"] - row["height"], n
    # By its address, too.
    await page.goto(f"{served.url}/#/runs/{told['run_id']}?step=1")
    await expect(panel).to_be_visible()
    chosen = page.locator("button.trace-row[aria-pressed=true]")
    row, sheet = await chosen.bounding_box(), await panel.bounding_box()
    assert row and sheet and 52 <= row["y"] <= sheet["y"] - row["height"]
    for width in (1440, 1120, 800, 390, 340):
        await page.set_viewport_size({"width": width, "height": 844})
        assert await rows.evaluate_all(CUT) == [], width


async def test_keys_open_a_step_and_lead_back_to_its_row(
    served: Served, local: AsyncClient, look: Look
):
    told = await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    page = (await look(served, f"/#/runs/{told['run_id']}")).page
    row = page.locator("button.trace-row.model").first
    await row.press("Enter")
    panel = page.get_by_role("complementary", name="The chosen row")
    await expect(panel.get_by_role("heading", level=2)).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(panel.get_by_role("button", name="Close")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(panel).to_have_count(0)
    await expect(row).to_be_focused()
    await expect(page.locator("main")).not_to_contain_text("_worker")


async def test_a_chats_cost_is_whole_beside_a_warning(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "How many applications are open, and which of them need an answer?")
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    budget = {"scope": "user", "user_id": "local", "limit_tokens": 1, "is_hard": False}
    await local.put("/api/budgets", json=budget)
    page = (await look(served, f"/#/chat/{chat}")).page
    place, cost = page.locator(".head .total"), page.locator(".head .total span").first
    over = page.locator(".head").get_by_role("link", name="Over budget")
    for usd, said in (("1234.5678", "$1,234.57"), ("0.0432", "$0.0432"), (None, "cost unknown")):
        async with served.service.store.transaction("local") as tx:
            # All of it is one call's.
            await tx.execute(
                "delete from llm_calls where thread_id = $1 and role <> 'classifier'", chat
            )
            dear = "update llm_calls set cost_usd = $2::numeric where thread_id = $1"
            await tx.execute(dear, chat, usd)
        await page.reload()
        await expect(cost).to_have_text(said)
        for width in (1440, 1280, 1120, 1000, 760):
            await page.set_viewport_size({"width": width, "height": 800})
            await expect(over).to_be_visible()
            whole = await place.bounding_box()
            text, warning = await cost.bounding_box(), await over.bounding_box()
            assert whole and text and warning, width
            assert text["x"] + text["width"] <= whole["x"] + whole["width"] + 0.5, (width, said)
            first, second = sorted((text, warning), key=lambda box: box["x"])
            assert first["x"] + first["width"] <= second["x"] + 0.5, (width, said)
            assert second["x"] + second["width"] <= width, (width, said)
