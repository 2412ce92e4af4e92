"""What a screen shows is so: times that steps took, a run that waits, one heading, a whole menu."""

from __future__ import annotations

import asyncio
import re

from httpx2 import AsyncClient
from playwright.async_api import Route, expect

from tests.console.conftest import Look
from tests.server.conftest import Served, ask, begin

TOOK = "update steps set duration_ms = 1000 * n + 1500 where tenant_id = $1 and run_id = $2"
CACHED = """update llm_calls set input_tokens = 0, cache_read_tokens = 1000,
    cache_write_long_tokens = 70, reasoning_tokens = 9 where tenant_id = $1 and run_id = $2"""
HEADINGS = """() => [...document.querySelectorAll("h1, .bar b")].filter((heading) => heading
    .getBoundingClientRect().width > 1).map((heading) => heading.textContent)"""
MENU = "document.querySelector('.side').getBoundingClientRect().height === innerHeight"


async def test_the_run_page_shows_a_waiting_runs_step_times(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "This")
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    waits = await ask(local, chat, "delete job 1")
    async with served.service.store.transaction("local") as tx:
        await tx.execute(TOOK, "local", waits["run_id"])
    steps = (await local.get(f"/api/runs/{waits['run_id']}/steps")).json()["steps"]
    viewer, held = await look(served), asyncio.Event()

    async def hold(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await viewer.page.route("**/steps", hold)
    await viewer.go(f"#/chat/{chat}")
    told = viewer.page.locator(".timeline .step")
    await expect(told).to_have_count(len(steps) + 1)
    held.set()

    await expect(told.locator(".took")).to_contain_text(
        [f"{step['duration_ms'] / 1000:.1f} s" for step in steps] + ["…"]
    )
    await expect(told.last).to_contain_text("Waiting for you")
    await expect(told.last).not_to_contain_text("Used tools")


async def test_the_tokens_of_a_runs_steps_add_up_to_its_sum(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "This")
    run = await ask(local, chat, "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("local") as tx:
        await tx.execute(CACHED, "local", run["run_id"])
    sums = (await local.get(f"/api/runs/{run['run_id']}")).json()
    viewer = await look(served, f"/#/chat/{chat}")
    steps = viewer.page.locator(".timeline .step small", has_text=" in, ")
    await expect(steps).not_to_have_count(0)
    rows = [re.findall(r"([\d,]+) (?:in|out)", text) for text in await steps.all_text_contents()]
    counts = [int(count.replace(",", "")) for row in rows for count in row]

    total = sums["input_tokens"] + sums["output_tokens"]
    assert sum(counts) == total
    assert 0 not in counts[::2]
    tokens = viewer.page.locator(".timeline .figures div", has_text="Tokens")
    await expect(tokens.locator("dd").first).to_have_text(f"{total:,}")


async def test_a_phone_shows_each_heading_once_and_the_whole_menu(served: Served, look: Look):
    viewer = await look(served, "/#/history", width=390)
    page = viewer.page
    for name in ("history", "health", "compare", "experiments", "approvals"):
        await viewer.go(f"#/{name}")
        await expect(page.locator("main h1")).to_be_attached()
        assert len(await page.evaluate(HEADINGS)) == 1, name

    await page.get_by_role("button", name="Menu").click()
    await page.wait_for_selector(".frame.open")
    assert await page.evaluate(MENU)
