"""Any two runs are chosen from all chats, and held against each other fact by fact."""

from __future__ import annotations

import asyncio
import re

from httpx2 import AsyncClient
from playwright.async_api import Locator, Route, expect

from tests.console.conftest import Look
from tests.server.conftest import Served, ask, begin

COOK = "add a job: Cook at Cafe Uno"
WAITER = "add a job: Waiter at Cafe Due"
ROOM = "/api/chat/conversations"


def find_row(compared: Locator, name: str) -> Locator:
    return compared.get_by_role("row", name=re.compile(rf"^{name} (?!calls)"))


async def test_two_runs_are_compared_by_model_time_cost_and_steps(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local)
    first = (await ask(local, chat, COOK))["run_id"]
    second = (await ask(local, chat, "hello"))["run_id"]
    async with served.service.store.transaction("local") as tx:
        took = "created_at = '2026-11-30 10:00', ended_at = '2026-11-30 10:00:01'"
        await tx.execute(f"update runs set {took} where run_id = $1", first)
    viewer = await look(served, f"/#/lab.compare?a={first}&b={second}")
    page = viewer.page
    rows = page.get_by_role("group", name="A and B")

    await expect(find_row(rows, "Model")).to_contain_text("offline-rules")
    models = await find_row(rows, "Model calls").locator("td").all_inner_texts()
    a, b = (int(text) for text in models[1:3])
    assert a > b
    assert models[3] == f"{a - b} less ({100 * (a - b) / a:.0f}%)"
    assert (await find_row(rows, "Time").locator("td").all_inner_texts())[1] == "1.0 s"
    await expect(find_row(rows, "Time")).to_contain_text(re.compile(r"\d (ms|s) (more|less) \("))
    # Each step names the model that it called.
    steps = page.get_by_role("list", name="Steps of A")
    await expect(steps).to_contain_text("offline-rules")
    await expect(page.get_by_role("region", name="Run A")).to_contain_text("offline-rules")
    await expect(page.locator("main")).to_contain_text("Create job only in A")
    await expect(page.locator("nav.side [aria-current=page]")).to_have_text("Experiments")
    # The answers are shown as in the chat, below their names.
    answer = page.get_by_label("Answer B")
    await expect(answer.get_by_role("heading", name="Answer B")).to_be_visible()
    await expect(answer.locator(".prose li").first).to_be_visible()
    await viewer.look_as(390, "light")
    await expect(page.locator(".crumbs [aria-hidden]")).to_be_hidden()
    cells = [
        (await cell.bounding_box() or {})
        for cell in await find_row(rows, "Time").locator("td").all()
    ]
    assert len({box["y"] for box in cells}) == 1, "A and B side by side"
    for width, scheme in ((1280, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_a_run_of_a_chat_with_versions_is_compared_with_the_version_before(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local)
    first = (await ask(local, chat, COOK))["run_id"]
    path = f"{ROOM}/{chat}"
    again = {"content": WAITER, "replaces": 0}
    assert (await local.post(f"{path}/messages", json=again)).status_code == 200
    (version,) = (await local.get(path)).json()["versions"]
    other = version["conversation_ids"][1]
    second = (await local.get(f"{ROOM}/{other}")).json()["messages"][0]["run_id"]
    viewer = await look(served, f"/#/runs/{second}")
    page = viewer.page
    await expect(page.locator(".crumbs")).to_contain_text("Run 1 of 1, version 2 of 2")
    await page.get_by_role("link", name="Compare", exact=True).click()
    await expect(page).to_have_url(re.compile(f"a={first}&b={second}"))
    await expect(page.get_by_role("region", name="Run A")).to_contain_text(COOK)


async def test_any_run_can_be_found_and_chosen(served: Served, local: AsyncClient, look: Look):
    old = await begin(local, "The oldest")
    first = (await ask(local, old, COOK))["run_id"]
    for n in range(55):
        await begin(local, f"Later {n}")
    chat = await begin(local, "This")
    second = (await ask(local, chat, WAITER))["run_id"]
    viewer = await look(served, "/#/lab.compare")
    page = viewer.page
    main = page.locator("main")

    await expect(main.locator("summary")).to_have_count(51)  # of a page, and their own
    await page.get_by_role("button", name="Show more").click()
    await expect(main.locator("summary", has_text="The oldest")).to_be_visible()
    await page.get_by_label("Text in the chat").fill("Cafe Uno")
    await page.get_by_role("button", name="Search").last.click()
    await expect(main.locator("summary")).to_have_count(2)
    await main.locator("summary", has_text="The oldest").click()
    run = main.get_by_role("listitem").filter(has_text=COOK).last
    await expect(run).to_contain_text(re.compile(r"\d:\d\d.* · offline-rules · \$0"))
    await run.get_by_role("button", name="As A").click()
    await expect(page.get_by_role("region", name="Run A")).to_contain_text(COOK)
    await page.get_by_label("Text in the chat").fill("Waiter")
    await page.get_by_role("button", name="Search").last.click()
    await main.locator("summary", has_text="This").click()
    await main.get_by_role("button", name="As B").click()

    await expect(page).to_have_url(re.compile(f"a={first}&b={second}"))
    await expect(page.locator(".diff").first).to_contain_text("Waiter")
    await expect(page.get_by_label("Text in the chat")).to_be_hidden()


async def test_the_choice_of_runs_shows_that_it_is_loading(served: Served, look: Look):
    viewer = await look(served, "/#/nowhere")
    page, held = viewer.page, asyncio.Event()

    async def hold(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await page.route(re.compile(f"{ROOM}.*limit=50"), hold)
    await viewer.go("#/lab.compare")
    await expect(page.get_by_text("Loading the chats…")).to_be_visible()
    held.set()
    await expect(page.get_by_text("No chat matches.")).to_be_visible()
