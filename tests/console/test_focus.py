"""Where the keyboard is after whatever was drawn anew, and that no text is lost to a shortcut."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable

import pytest
from httpx2 import AsyncClient
from playwright.async_api import FilePayload, Page, Route, expect

from tests.console.conftest import SAID, Look, Viewer
from tests.console.test_screens import TWO_FRAMES
from tests.machine.scripted import text, triage
from tests.server.conftest import Serve, Served, ask, begin
from tests.server.held import SAID as STORY
from tests.server.held import Held

ANSWER = ".message.assistant:not(.live)"
ROOM = "/api/chat/conversations"
ADDED = "add a job: Cook at Cafe Uno"
# As who types sees it: where letters go, and what stands there.
BOX = """() => [document.activeElement.id, document.activeElement.value,
    document.activeElement.selectionStart]"""
HELD = "document.activeElement !== document.body && document.activeElement.checkVisibility()"


async def test_the_cursor_stays_in_the_box_when_a_new_chat_is_created(serve: Serve, look: Look):
    held = Held()
    viewer = await look(await serve(*held.script, auth=False))
    page = viewer.page
    await page.wait_for_selector(SAID)
    await page.evaluate("window.box = document.querySelector('#said')")

    await viewer.say(STORY)
    await page.keyboard.type("no, not now")
    await expect(page).to_have_url(re.compile("#/chat/."))
    await held.asked.wait()
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.type(" n")
    held.open.set()
    await expect(page.locator(ANSWER)).to_have_count(1)

    assert await page.evaluate(BOX) == ["said", "no, not no nw", 12]
    assert await page.evaluate("window.box === document.querySelector('#said')")


async def test_text_typed_after_stop_goes_into_the_message_box(serve: Serve, look: Look):
    held = Held()
    viewer = await look(await serve(*held.script, auth=False))
    page = viewer.page
    await viewer.say(STORY)
    await held.asked.wait()

    await page.get_by_role("button", name="Stop").press("Enter")
    await page.keyboard.type("hi n")

    assert await page.evaluate(BOX) == ["said", "hi n", 4]
    held.open.set()


async def test_what_is_typed_on_a_page_just_loaded_goes_into_the_message_box(
    served: Served, look: Look
):
    page = (await look(served)).page
    await expect(page.locator(SAID)).to_be_focused()

    await page.keyboard.type("next, write a letter")

    await expect(page.locator(SAID)).to_have_value("next, write a letter")


async def test_each_chat_restores_its_own_unsent_draft(
    served: Served, local: AsyncClient, look: Look
):
    one = await begin(local, "One")
    await begin(local, "Two")
    viewer = await look(served, f"/#/chat/{one}")
    page, box = viewer.page, viewer.page.locator(SAID)
    await box.fill("for the first")
    await page.set_input_files(".composer input[type=file]", files=[A_FILE])
    await page.get_by_role("link", name="Two").click()
    await expect(box).to_have_value("")
    await box.fill("for the second")
    await page.locator("main").focus()
    await page.keyboard.press("n")
    await expect(page.locator(".greeting")).to_be_visible()
    await expect(box).to_be_focused()
    await expect(box).to_have_value("")
    await page.keyboard.type("for a new one")
    await page.locator("main").focus()
    for key in "gh":
        await page.keyboard.press(key)
    await expect(page.locator("h1")).to_have_text("History")

    await page.get_by_role("link", name="One").first.click()
    await expect(box).to_have_value("for the first")
    await expect(page.get_by_role("button", name="Remove cv.txt")).to_be_visible()
    await page.get_by_role("link", name="Two").first.click()
    await expect(box).to_have_value("for the second")
    await page.get_by_role("link", name="New chat").first.click()
    await expect(box).to_have_value("for a new one")


A_FILE: FilePayload = {"name": "cv.txt", "mimeType": "text/plain", "buffer": b"a cook"}


async def test_a_draft_is_not_shown_to_another_user(serve: Serve, look: Look):
    viewer = await look(await serve())
    page = viewer.page
    await viewer.sign_in("ann")
    await page.fill(SAID, "what ann wrote")
    await viewer.go("#/settings/account")
    await page.get_by_role("button", name="Sign out").click()
    await page.wait_for_selector("#token")

    await viewer.go("#/chat")
    await viewer.sign_in("bob")

    await expect(page.locator(SAID)).to_have_value("")


async def test_a_message_is_sent_even_if_the_user_leaves_the_chat_at_once(serve: Serve, look: Look):
    served = await serve(triage("general"), text("It came."), auth=False)
    local = await served.client()
    viewer = await look(served)
    page = viewer.page
    await page.wait_for_selector(SAID)
    is_asked, may_go = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        is_asked.set()
        await may_go.wait()
        await route.continue_()

    await page.route(f"**{ROOM}", hold, times=1)
    await viewer.say(STORY)
    await is_asked.wait()
    await viewer.go("#/history")
    await expect(page.locator("h1")).to_have_text("History")
    may_go.set()

    await expect(page.locator(".entry")).to_contain_text("1 message")
    assert page.url.endswith("#/history")
    [chat] = (await local.get(ROOM)).json()["conversations"]
    told = (await local.get(f"{ROOM}/{chat['id']}")).json()["messages"]
    assert [item["content"] for item in told] == [STORY, "It came."]


async def test_an_unsent_message_becomes_a_draft_again(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "One")
    viewer = await look(served, f"/#/chat/{chat}")
    page = viewer.page
    await page.wait_for_selector(".side .chat")
    await page.context.set_offline(True)
    async with page.expect_event("requestfailed", lambda request: request.method == "POST"):
        await viewer.say("add a job: Cook at Cafe Uno")
    await expect(page.locator("main")).to_contain_text("What you send waits here")
    await viewer.go("#/chat")
    await expect(page.locator(".greeting")).to_be_visible()
    await page.context.set_offline(False)

    await page.get_by_role("link", name="One").first.click()

    await expect(page.locator(SAID)).to_have_value("add a job: Cook at Cafe Uno")


async def switch(viewer: Viewer) -> None:
    await viewer.page.locator(".side .chat:not([aria-current])").first.click()


async def open_new(viewer: Viewer) -> None:
    await viewer.page.click(".side a:has-text('New chat')")


async def go_by_palette(viewer: Viewer) -> None:
    await viewer.page.keyboard.press("Control+k")
    await viewer.page.get_by_role("combobox").fill("Other")
    await expect(viewer.page.get_by_role("option").first).to_contain_text("Other")
    await viewer.page.keyboard.press("Enter")


async def shut_palette(viewer: Viewer) -> None:
    await viewer.page.focus(SAID)
    await viewer.page.keyboard.press("Control+k")
    await viewer.page.get_by_role("combobox").wait_for()
    await viewer.page.keyboard.press("Escape")
    await expect(viewer.page.locator("dialog")).to_have_count(0)
    await viewer.page.evaluate(TWO_FRAMES)


async def decide(viewer: Viewer) -> None:
    await viewer.page.locator(".question .no").press("Enter")
    await expect(viewer.page.locator(".question")).to_have_count(0)


async def be_decided_elsewhere(viewer: Viewer) -> None:
    """While the card has the focus."""
    local = await viewer.served.client()
    await viewer.page.locator(".question .no").focus()
    [waits] = (await local.get("/api/approvals")).json()["approvals"]
    path = f"/api/runs/{waits['run_id']}/approvals/{waits['approval_id']}"
    await local.post(path, json={"approve": False})
    await expect(viewer.page.locator(".question")).to_have_count(0)


async def answer_again(viewer: Viewer) -> None:
    await viewer.page.focus(SAID)
    before = await viewer.page.locator(ANSWER).count()
    await viewer.say("how many jobs have I?")
    await expect(viewer.page.locator(ANSWER)).to_have_count(before + 1)


async def take_a_file_away(viewer: Viewer) -> None:
    await viewer.page.set_input_files(".composer input[type=file]", files=[A_FILE])
    await viewer.page.get_by_role("button", name="Remove cv.txt").press("Enter")


CHAT_STEPS: list[Callable[[Viewer], Awaitable[None]]] = [
    switch,
    open_new,
    go_by_palette,
    shut_palette,
    decide,
    be_decided_elsewhere,
    take_a_file_away,
]


@pytest.mark.parametrize("step", CHAT_STEPS, ids=lambda step: step.__name__)
async def test_keystrokes_reach_the_message_box_after_each_action(
    served: Served, local: AsyncClient, look: Look, step: Callable[[Viewer], Awaitable[None]]
):
    await begin(local, "Other")
    chat = await begin(local, "This")
    await ask(local, chat, ADDED)
    await ask(local, chat, "delete job 1")
    viewer = await look(served, f"/#/chat/{chat}")
    await expect(viewer.page.locator(".question")).to_be_visible()
    await expect(viewer.page.locator(".side .chat")).to_have_count(2)

    await step(viewer)

    await expect(viewer.page.locator(SAID)).to_be_focused()
    await viewer.page.keyboard.type("n.[gh")
    await expect(viewer.page.locator(SAID)).to_have_value("n.[gh")


async def test_a_new_approval_does_not_move_the_cursor_from_the_box(served: Served, look: Look):
    viewer = await look(served)
    await viewer.say(ADDED)
    await expect(viewer.page.locator(ANSWER)).to_have_count(1)
    await viewer.say("delete job 1")
    await viewer.page.keyboard.type("and th")
    await expect(viewer.page.locator(".question")).to_be_visible()
    await viewer.page.keyboard.type("en")

    assert await viewer.page.evaluate(BOX) == ["said", "and then", 8]


async def rename(page: Page) -> None:
    await page.get_by_title("Rename").press("Enter")
    await page.get_by_label("Title").fill("Another")
    await page.keyboard.press("Enter")


async def choose_in_a_menu(page: Page) -> None:
    await page.locator(".composer summary").press("Enter")
    await page.locator(".composer .choices button").first.press("Enter")


async def shut_the_run(page: Page) -> None:
    await page.get_by_role("button", name="Close this run").press("Enter")


@pytest.mark.parametrize(
    ("step", "held"),
    [(rename, "Another"), (choose_in_a_menu, "Offline rules"), (shut_the_run, "")],
    ids=lambda value: getattr(value, "__name__", ""),
)
async def test_the_keyboard_focus_stays_on_the_used_control(
    served: Served,
    local: AsyncClient,
    look: Look,
    step: Callable[[Page], Awaitable[None]],
    held: str,
):
    chat = await begin(local, "This")
    await ask(local, chat, ADDED)
    viewer = await look(served, f"/#/chat/{chat}")
    await expect(viewer.page.locator(ANSWER)).to_have_count(1)
    await expect(viewer.page.locator(".timeline")).to_be_visible()

    await step(viewer.page)

    await viewer.page.wait_for_function(HELD)
    await expect(viewer.page.locator(":focus")).to_contain_text(held)


# The message box has the focus as soon as it is there; whether it is left with it.
WRITE_AT_ONCE = """(address) => new Promise((done) => {
    const watch = new MutationObserver(() => {
        const box = document.querySelector("#said");
        if (!box) return;
        watch.disconnect();
        queueMicrotask(() => {
            box.focus();
            box.addEventListener("blur", () => done(document.activeElement.localName));
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0, "")));
        });
    });
    watch.observe(document.body, { childList: true, subtree: true });
    location.hash = address;
})"""


async def test_opening_a_chat_leaves_the_focus_to_who_begins_to_write(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "This")
    page = (await look(served, "/#/nowhere")).page
    await expect(page.locator("main")).to_contain_text("This service has no page")

    assert await page.evaluate(WRITE_AT_ONCE, f"#/chat/{chat}") == "", "the focus was taken away"


OPENERS = {
    "Ctrl K": "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))",
    "the button": "document.querySelector('.jump').click()",
}
# The element with the focus before the next key could come: a key is a task of its own.
HELD_AT_ONCE = "new Promise((done) => setTimeout(() => done(document.activeElement.ariaLabel)))"


@pytest.mark.parametrize("opener", OPENERS)
async def test_letters_typed_right_after_ctrl_k_are_searched_for(
    served: Served, look: Look, opener: str
):
    page = (await look(served)).page
    await page.wait_for_selector(SAID)
    await page.evaluate("import('/console/palette.js')")  # it comes right behind the shell
    await page.route("**/console/**", lambda route: route.abort())  # nothing comes in the meantime

    assert await page.evaluate(f"{OPENERS[opener]}, {HELD_AT_ONCE}") == "Search or jump to"
    await page.keyboard.type("usag")
    await expect(page.get_by_role("combobox")).to_have_value("usag")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile("#/usage$"))


async def test_ctrl_k_opens_the_search_that_is_still_on_its_way(served: Served, look: Look):
    viewer = await look(served)
    page = viewer.page
    held = asyncio.Event()

    async def hold(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await page.route("**/palette.js", hold)
    await page.reload()
    await page.wait_for_selector(SAID)
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("combobox")).to_have_count(0)
    held.set()

    await expect(page.get_by_role("combobox")).to_be_focused()


async def test_letters_typed_while_the_search_is_on_its_way_are_searched_for(
    served: Served, look: Look
):
    page = (await look(served)).page
    held = asyncio.Event()

    async def hold(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await page.route("**/palette.js", hold)
    await page.reload()
    await page.wait_for_selector(SAID)
    await page.fill(SAID, "half a thought")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("usage")
    await page.evaluate("document.activeElement.blur()")  # where letters are shortcuts
    await page.keyboard.type(" ns")
    held.set()

    await expect(page.get_by_role("combobox")).to_have_value("usage ns")
    await expect(page.locator(SAID)).to_have_value("half a thought")


async def test_keyboard_shortcuts_are_inactive_behind_a_dialog(served: Served, look: Look):
    viewer = await look(served, "/#/history")
    page = viewer.page
    await page.wait_for_selector("h1")
    await page.keyboard.press("Control+k")
    await page.get_by_role("combobox").wait_for()
    await page.evaluate("document.activeElement.blur()")

    await page.keyboard.press("n")
    await page.keyboard.press("Escape")

    await expect(page.locator("dialog")).to_have_count(0)
    await expect(page.locator("h1")).to_have_text("History")


PRESS_AT_ONCE = """new MutationObserver(() => {
    if (window.isPressed || !document.querySelector(".question")) return;
    window.isPressed = true;
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
}).observe(document, { childList: true, subtree: true })"""


async def ask_twice(local: AsyncClient) -> None:
    for n in (1, 2):
        await ask(local, await begin(local), f"add a job: Cook at Cafe {n}")
    for n in (1, 2):
        await ask(local, await begin(local, f"Job {n} goes"), f"delete job {n}")


async def test_a_shortcut_works_as_soon_as_its_screen_is_shown(
    served: Served, local: AsyncClient, look: Look
):
    await ask_twice(local)
    viewer = await look(served)
    page, held = await viewer.page.context.new_page(), asyncio.Event()

    async def hold(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await page.route("**/inbox.js", hold)
    await page.add_init_script(PRESS_AT_ONCE)
    await page.goto(f"{served.url}/#/approvals")
    await expect(page).to_have_title(
        re.compile(r"^\(2\)")
    )  # what waits is known, its screen is not
    held.set()

    await expect(page.locator(".question").first).to_be_focused()


async def test_sending_a_decision_does_not_move_the_focus(
    served: Served, local: AsyncClient, look: Look
):
    await ask_twice(local)
    viewer = await look(served, "/#/approvals")
    page, held = viewer.page, asyncio.Event()

    async def hold(route: Route) -> None:
        answer = await route.fetch()
        await held.wait()
        await route.fulfill(response=answer)

    await page.route("**/api/runs/*/approvals/*", hold)
    await expect(page.locator(".question")).to_have_count(2)
    await page.keyboard.press("j")
    await page.keyboard.press("d")
    await expect(page.locator(".question")).to_have_count(1)  # told by the stream of changes
    await page.keyboard.press("j")
    async with page.expect_response("**/api/approvals"):
        held.set()
    await page.evaluate("new Promise((resolve) => setTimeout(resolve))")
    await page.keyboard.press("a")

    await expect(page.locator(".question")).to_have_count(0, timeout=9000)
    await expect(page.locator(".done")).to_have_count(2)


async def test_a_late_response_does_not_replace_a_newer_list_of_approvals(
    served: Served, local: AsyncClient, look: Look
):
    await ask_twice(local)
    viewer = await look(served, "/#/approvals")
    page, held = viewer.page, asyncio.Event()
    await expect(page.locator(".question")).to_have_count(2)

    async def hold_first(route: Route) -> None:
        answer = await route.fetch()
        await held.wait()
        await route.fulfill(response=answer)

    await page.route("**/api/approvals", hold_first, times=1)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await page.keyboard.press("j")
    await page.keyboard.press("d")
    await expect(page.locator(".question")).to_have_count(1)
    async with page.expect_response("**/api/approvals"):
        held.set()
    await page.evaluate("new Promise((resolve) => setTimeout(resolve))")

    assert await page.locator(".question").count() == 1
