"""The tracker on a phone: cards are moved by a finger, from wherever they lie on the screen."""

from __future__ import annotations

from playwright.async_api import Page, expect

from packages.careers.tests.test_screens import serve_pack
from tests.console.conftest import Look
from tests.console.conftest import look as look
from tests.server.conftest import Serve
from tests.server.conftest import serve as serve

STATUSES = ["Applied", "Interviewing", "Offer", "Accepted", "Rejected", "Withdrawn"]
# Of each choice of the open menu: whether a finger at its middle would hit it.
REACHED = """() => [...document.querySelectorAll(".menu[open] button")].map((button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
})"""
SWIPE = """([board, right, down]) => {
    const touch = (clientX, clientY) =>
        new Touch({ identifier: 1, target: board, clientX, clientY });
    board.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(200, 300)] }));
    const changedTouches = [touch(200 + right, 300 + down)];
    board.dispatchEvent(new TouchEvent("touchend", { changedTouches }));
}"""


async def open_board(serve: Serve, look: Look, count: int) -> Page:
    served, local = await serve_pack(serve)
    for n in range(count):
        await local.post("/api/jobs", json={"company": f"Cafe {n}", "title": "Cook"})
    page = (await look(served, "/#/careers.tracker", width=390, touch=True)).page
    await expect(page.locator(".job:visible")).to_have_count(count)
    return page


async def test_cards_on_a_phone_can_be_moved_from_the_end_of_a_long_column(
    serve: Serve, look: Look
):
    page = await open_board(serve, look, 9)
    for left in (8, 7):  # the second one while the first one's notice still lies at the bottom
        await page.locator(".job .menu > summary:visible").last.tap()
        await expect(page.locator(".menu[open] button")).to_have_text(STATUSES)
        assert await page.evaluate(REACHED) == [True] * len(STATUSES)
        await page.locator(".menu[open]").get_by_role("button", name="Applied").tap()
        await expect(page.get_by_role("button", name=f"Applied {9 - left}")).to_be_visible()
        await expect(page.locator(".job:visible")).to_have_count(left)


async def test_a_card_on_a_phone_can_be_dropped_on_a_columns_name(serve: Serve, look: Look):
    page = await open_board(serve, look, 2)
    chips = page.get_by_role("group", name="Columns")

    await page.locator(".job", has_text="Cafe 0").drag_to(chips.get_by_role("button").nth(1))

    await expect(page.locator("[aria-live=polite]")).to_contain_text("to Applied")
    await chips.get_by_role("button", name="Applied 1").tap()
    await expect(page.locator(".job:visible")).to_contain_text("Cafe 0")


async def test_scrolling_a_column_on_a_phone_is_no_swipe_to_the_next(serve: Serve, look: Look):
    page = await open_board(serve, look, 2)
    saved, applied = (page.get_by_role("region", name=name) for name in ("Saved", "Applied"))
    board = await page.query_selector(".board")

    await page.evaluate(SWIPE, [board, -80, 300])
    await page.evaluate(SWIPE, [board, -80, -300])
    await expect(saved).to_be_visible()
    await page.evaluate(SWIPE, [board, -80, 20])
    await expect(applied).to_be_visible()
