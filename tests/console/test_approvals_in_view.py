"""A question for approval lies above the box as soon as it has come, on every screen."""

from __future__ import annotations

import asyncio
import re

import pytest
from httpx2 import AsyncClient
from playwright.async_api import Page, Route, expect

from tests.console.conftest import Look
from tests.machine.scripted import text, tools, triage
from tests.server.conftest import Serve, Served, ask, begin

ANSWER = ".message.assistant:not(.live)"
SIZES = [(1440, 900), (390, 844), (390, 640), (768, 1024)]
# Of each button of the card: whether all four corners and the middle of it can be clicked.
REACHED = """() => [...document.querySelectorAll(".question .answers button")].map((button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const points = [[left + 5, top + 5], [right - 5, top + 5], [left + 5, bottom - 5],
        [right - 5, bottom - 5], [(left + right) / 2, (top + bottom) / 2]];
    return points.every(([x, y]) => button.contains(document.elementFromPoint(x, y)));
})"""
SETTLED = ".question .answers"
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


async def is_reached(page: Page) -> list[bool]:
    await page.wait_for_selector(SETTLED)
    await page.evaluate(TWO_FRAMES)
    return await page.evaluate(REACHED)


async def fill(local: AsyncClient) -> str:
    """A chat that is longer than a screen."""
    chat = await begin(local, "This")
    for name in ("Uno", "Due", "Tre", "Quattro", "Cinque", "Sei"):
        told = await ask(local, chat, f"add a job: Cook at Cafe {name}")
        assert "Added" in told["content"], told
    return chat


@pytest.mark.parametrize("size", SIZES)
async def test_a_new_approval_is_visible_above_the_message_box(
    served: Served, local: AsyncClient, look: Look, size: tuple[int, int]
):
    chat = await fill(local)
    viewer = await look(served, f"/#/chat/{chat}", width=size[0])
    page = viewer.page
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await expect(page.locator(ANSWER)).to_have_count(6)

    await viewer.say("delete job 3")
    await expect(page.locator(".question")).to_contain_text("Cafe Tre")

    assert await is_reached(page) == [True, True, True]
    await page.locator(".question .no").click(timeout=3000)
    await expect(page.locator(".question")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
async def test_a_chat_with_a_pending_approval_opens_scrolled_to_it(
    served: Served, local: AsyncClient, look: Look, size: tuple[int, int]
):
    chat = await fill(local)
    await ask(local, chat, "delete job 3")
    viewer = await look(served, "/#/history", width=size[0])
    await viewer.page.set_viewport_size({"width": size[0], "height": size[1]})
    await viewer.go(f"#/chat/{chat}")
    await expect(viewer.page.locator(".question")).to_contain_text("Cafe Tre")

    assert await is_reached(viewer.page) == [True, True, True]


async def test_a_new_approval_does_not_scroll_away_from_earlier_messages(
    served: Served, local: AsyncClient, look: Look
):
    chat = await fill(local)
    viewer = await look(served, f"/#/chat/{chat}", width=390)
    page = viewer.page
    await page.set_viewport_size({"width": 390, "height": 560})
    await expect(page.locator(ANSWER)).to_have_count(6)
    # With the line of its cost the page goes to its end once more.
    await expect(page.locator(ANSWER).last).to_contain_text("Offline Rules")
    await page.evaluate("scrollTo(0, 0)")
    await page.evaluate(TWO_FRAMES)

    await ask(local, chat, "delete job 3")
    await expect(page.get_by_role("button", name="Needs your approval")).to_be_visible()
    assert await page.evaluate("scrollY") < 100
    await page.get_by_role("button", name="Needs your approval").click()

    await page.evaluate(TWO_FRAMES)
    assert await page.evaluate(REACHED) == [True, True, True]


async def test_a_decided_approval_is_not_pending_again_after_a_reload(serve: Serve, look: Look):
    jobs = [{"company": name, "title": "Cook"} for name in ("Uno", "Due")]
    made = tools(*((f"c{n}", "create_job", job) for n, job in enumerate(jobs)))
    gone = tools(*((f"d{n}", "delete_job", {"job_id": n}) for n in (1, 2)))
    routes = triage("crm_worker"), made, text("made"), triage("crm_worker"), gone, text("done")
    served = await serve(*routes, auth=False)
    local = await served.client()
    chat = await begin(local)
    await ask(local, chat, "note both jobs")
    await ask(local, chat, "delete both")
    page = (await look(served, f"/#/chat/{chat}")).page
    questions = page.locator(".question")
    await expect(questions).to_have_count(2)

    await questions.nth(0).locator(".no").click()
    await expect(questions.nth(0).get_by_role("status")).to_have_text("Declined")
    await expect(questions).to_have_count(2)
    await page.reload()
    # The page draws what it kept, then what the service says of the run's approvals.
    await expect(questions).to_have_count(1)
    await expect(questions).to_contain_text("Due")
    await expect(page.get_by_text("Waiting for you").first).to_be_visible()
    await questions.locator(".no").click()
    await expect(page.locator(ANSWER).last).to_contain_text("done")


async def test_a_decision_is_shown_at_once_in_every_tab_while_others_are_pending(
    serve: Serve, look: Look
):
    jobs = [{"company": name, "title": "Cook"} for name in ("Uno", "Due")]
    made = tools(*((f"c{n}", "create_job", job) for n, job in enumerate(jobs)))
    gone = tools(*((f"d{n}", "delete_job", {"job_id": n}) for n in (1, 2)))
    routes = triage("crm_worker"), made, text("made"), triage("crm_worker"), gone, text("done")
    served = await serve(*routes, auth=False)
    local = await served.client()
    chat = await begin(local)
    await ask(local, chat, "note both jobs")
    await ask(local, chat, "delete both")
    here = await look(served, f"/#/chat/{chat}")
    there = await look(served, f"/#/chat/{chat}", beside=here)
    for viewer in (here, there):
        await expect(viewer.page.locator(".question")).to_have_count(2)

    await here.page.locator(".question .no").first.click()

    await expect(there.page.locator(".question")).to_have_count(1)
    await here.page.reload()
    for viewer in (there, here):
        live = viewer.page.locator(".live")
        await expect(live.locator(".status").first).to_have_text("⊘ Declined")
        await expect(live).to_contain_text("Delete #1 Cook at Uno?")
        await expect(live.locator(".question")).to_contain_text("Due")
        assert await viewer.list_barriers() == []


async def test_a_late_list_of_approvals_does_not_undo_a_finished_answer(serve: Serve, look: Look):
    gone = tools(*((f"d{n}", "delete_job", {"job_id": n}) for n in (1, 2)))
    made = tools(*((f"c{n}", "create_job", {"company": "Uno", "title": "Cook"}) for n in (1, 2)))
    routes = triage("crm_worker"), made, text("made"), triage("crm_worker"), gone, text("done")
    served = await serve(*routes, auth=False)
    local = await served.client()
    chat = await begin(local)
    await ask(local, chat, "note both jobs")
    await ask(local, chat, "delete both")
    page = (await look(served, f"/#/chat/{chat}")).page
    await expect(page.locator(".question details")).to_have_count(2)
    [pending, other] = (await local.get("/api/approvals")).json()["approvals"]
    path = f"/api/runs/{pending['run_id']}/approvals"
    is_read, released, is_shown = (asyncio.Event() for _ in range(3))

    async def hold(route: Route) -> None:
        answer = await route.fetch()
        is_read.set()
        await released.wait()
        await route.fulfill(response=answer)
        is_shown.set()

    await page.route(f"**{path}", hold)
    await local.post(f"{path}/{pending['approval_id']}", json={"approve": False})
    await is_read.wait()
    await local.post(f"{path}/{other['approval_id']}", json={"approve": False})
    await expect(page.locator(ANSWER).last).to_contain_text("done")
    released.set()
    await is_shown.wait()
    await page.evaluate(TWO_FRAMES)

    await expect(page.get_by_text("Waiting for you")).to_have_count(0)
    await expect(page.locator(".only-read[role=status]")).to_contain_text("The answer is finished.")


async def test_the_strip_below_the_message_box_hides_the_chat_behind_it(
    served: Served, local: AsyncClient, look: Look
):
    page = (await look(served, f"/#/chat/{await fill(local)}")).page
    await expect(page.locator(ANSWER)).to_have_count(6)
    await page.evaluate("scrollTo(0, 100)")

    covered = """() => {
        const { left, right, bottom } = document.querySelector(".composer").getBoundingClientRect();
        return [left + 1, (left + right) / 2, right - 1].map((x) =>
            document.elementFromPoint(x, bottom + 8).className);
    }"""
    assert await page.evaluate(covered) == ["talk"] * 3, "no link of a message can be clicked there"


async def test_an_approval_card_shows_moments_as_dates_for_people(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "This")
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    await ask(local, chat, "delete job 1")
    page = (await look(served)).page

    async def add_moment(route: Route) -> None:
        told = await (await route.fetch()).json()
        told["approvals"][0]["present"]["applied_at"] = "2026-11-29T22:24:56.280916+00:00"
        await route.fulfill(json=told)

    await page.route("**/api/runs/*/approvals", add_moment)
    await page.evaluate(f"location.hash = '#/chat/{chat}'")
    card = page.locator(".question")
    await card.locator("summary").click()
    await expect(card).to_contain_text(re.compile("Nov 29, 2026|29 Nov 2026"))
    await expect(card).not_to_contain_text("T22:24")
