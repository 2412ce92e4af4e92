"""What a step and an answer cost: shown where one asks, and so that it can be added up."""

from __future__ import annotations

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
    await expect(first).not_to_contain_text("offline-rules")
    await first.get_by_role("button", name="Model and cost").click()
    await expect(first.get_by_role("status")).to_contain_text("offline-rules · ")
    await expect(first.get_by_role("status")).to_contain_text("$0")
    await expect(last).to_contain_text("free")
