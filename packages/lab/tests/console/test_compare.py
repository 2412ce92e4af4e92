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
        took = "duration_ms = case when n = 0 then 1000 else 0 end"
        await tx.execute(f"update steps set {took} where run_id = $1", first)
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
    # Each step has its time and its model on both sides, and the longest one is named.
    steps = page.get_by_role("group", name="time and cost of each step")
    await expect(steps).to_contain_text("offline-rules")
    await expect(steps).to_contain_text("only in A")
    link = steps.get_by_role("link", name="1.0 s")
    await expect(link).to_have_attribute("href", f"#/runs/{first}?step=0")
    await expect(page.get_by_role("table", name="Words that differ")).to_have_count(0)
    where = page.get_by_role("region", name="Where the time went")
    await expect(where).to_contain_text(re.compile(r"A: 1\.0 s of 1\.0 s: the .*model call"))
    await expect(where).to_contain_text("B against A: time ")
    await expect(page.get_by_role("region", name="Run A")).to_contain_text("offline-rules")
    await expect(page.locator("main")).to_contain_text("Create job only in A")
    await expect(page.locator("nav.side [aria-current=page]")).to_have_text("Experiments")
    # The answers are shown as in the chat, below their names.
    answer = page.get_by_label("Answer B")
    await expect(answer.get_by_role("heading", name="Answer B")).to_be_visible()
    await expect(answer.locator(".prose li").first).to_be_visible()
    await viewer.look_as(390, "light")
    model = steps.locator(".model-name").first
    assert (await model.bounding_box() or {})["height"] < 24, "on one line"
    await expect(page.locator(".crumbs [aria-hidden]")).to_be_hidden()
    cells = [
        (await cell.bounding_box() or {})
        for cell in await find_row(rows, "Time").locator("td").all()
    ]
    assert cells[1]["y"] == cells[2]["y"], "A and B side by side"
    for cell in await find_row(rows, "Model").locator("td").all():
        outer = await cell.bounding_box() or {}
        for name in await cell.locator(".model-name").all():
            inner = await name.bounding_box() or {}
            assert inner["x"] + inner["width"] <= outer["x"] + outer["width"], "over its neighbour"
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
    for n in range(65):
        await begin(local, f"Later {n}")
    chat = await begin(local, "This")
    second = (await ask(local, chat, WAITER))["run_id"]
    viewer = await look(served, "/#/lab.compare")
    page = viewer.page
    main = page.locator("main")

    rows = main.locator(".run-row")
    await expect(rows).to_have_count(1)  # the other chats of this page have no run
    await expect(rows).to_contain_text(re.compile(r"offline-rules.*\d (ms|s).*\$0", re.DOTALL))
    await expect(page.get_by_text("Loading the chats…")).to_be_hidden()
    await page.get_by_role("button", name="Show more").click()
    await expect(rows.filter(has_text="The oldest")).to_be_visible()
    await page.get_by_label("Text in the chat").fill("Cafe Uno")
    await page.get_by_role("button", name="Search").last.click()
    await expect(rows).to_have_count(1)
    await rows.get_by_role("button", name="As A").click()
    await expect(page.get_by_role("region", name="Run A")).to_contain_text(COOK)
    await page.get_by_label("Text in the chat").fill("")
    await page.get_by_role("button", name="Search").last.click()
    await expect(main).to_contain_text("Questions like the chosen one: “add a job:…”")
    await rows.filter(has_text=WAITER).first.get_by_role("button", name="As B").click()

    await expect(page).to_have_url(re.compile(f"a={first}&b={second}"))
    await expect(page.get_by_role("table", name="Words that differ")).to_contain_text("Waiter")
    await expect(page.get_by_label("Text in the chat")).to_be_hidden()


async def test_the_choice_of_runs_shows_that_it_is_loading(served: Served, look: Look):
    viewer = await look(served, "/#/nowhere")
    page, held = viewer.page, asyncio.Event()

    async def hold(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await page.route(re.compile(f"{ROOM}.*kind=all.*limit=10"), hold)
    await viewer.go("#/lab.compare")
    await expect(page.get_by_text("Loading the chats…")).to_be_visible()
    held.set()
    await expect(page.get_by_text("No chat matches.")).to_be_visible()


ASKED = (
    "How should I write to Cafe Uno?",
    "How should I dress there?",
    "Should I ask how I sound?",
)
OTHER_MODEL = """
update llm_calls set model_answered = case when role = 'classifier' then 'sorter' else 'other' end
where run_id = $1
"""


async def test_runs_are_listed_whole_by_model_and_a_few_at_once(
    served: Served, local: AsyncClient, look: Look
):
    runs = [(await ask(local, await begin(local), said))["run_id"] for said in ASKED]
    async with served.service.store.transaction("local") as tx:
        await tx.execute(OTHER_MODEL, runs[1])
    for n in range(9):
        await ask(local, await begin(local), f"hello {n}")
    viewer = await look(served, "/#/lab.compare")
    page, held = viewer.page, asyncio.Event()
    rows = page.locator(".run-row")
    await expect(rows).to_have_count(10)
    await page.get_by_role("button", name="Show more").click()
    await expect(rows).to_have_count(12)

    # The list that was chosen from stays as it is; no other is shown before its rows are complete.
    before = await rows.all_inner_texts()

    async def hold(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await page.route(re.compile(r"/api/usage.*role.*thread_id"), hold)
    await rows.filter(has_text=ASKED[0]).get_by_role("button", name="As A").click()
    await expect(page.get_by_role("region", name="Run A")).to_contain_text(ASKED[0])
    await expect(page.get_by_text("Loading the chats…")).to_be_visible()
    assert await rows.all_inner_texts() == before
    held.set()
    alike = page.get_by_role("heading", name="Questions like the chosen one: “How should I…”")
    await expect(alike).to_be_visible()
    assert (await rows.all_inner_texts())[: len(before)] == before
    found = page.locator(".choice ol").last.locator(".run-row")
    await expect(found).to_have_count(1)  # neither the chosen one nor one with these words inside
    await expect(found).to_contain_text(ASKED[1])
    await expect(found.locator(".facts span").first).to_have_text("other")

    # Who sorts requests is no model to choose by.
    names = page.get_by_label("Model").locator("option")
    await expect(names).to_have_text(["Any", "offline-rules", "other"])
    await page.get_by_label("Model").select_option("other")
    await expect(page.locator(".run-row", has_text="hello")).to_have_count(0)
    await expect(page.locator(".run-row")).to_have_count(2)  # alike, and among the newest
    await viewer.look_as(390, "light")
    await page.reload()
    await expect(page.locator(".run-row")).to_have_count(2)
    await page.get_by_label("Model").select_option("")
    await expect(page.locator(".run-row")).to_have_count(6)
    assert await viewer.list_barriers() == []
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
