"""A chat is deleted in the console, by mouse, keyboard and on a phone, and that is taken back."""

from __future__ import annotations

import pytest
from httpx2 import AsyncClient
from playwright.async_api import Page, expect

from tests.console.conftest import SAID, Look
from tests.machine.scripted import text, triage
from tests.server.conftest import Serve, Served, ask, begin, until
from tests.server.held import SAID as STORY
from tests.server.held import Held
from tests.server.test_branches import say

ROOM = "/api/chat/conversations"


async def list_titles(client: AsyncClient) -> set[str]:
    return {chat["title"] for chat in (await client.get(ROOM)).json()["conversations"]}


async def leave(page: Page) -> None:
    """Close the page as a person does: what is deleted is erased then."""
    await page.goto("about:blank")


async def wait_for_titles(client: AsyncClient, titles: set[str]) -> None:
    async def are_there() -> bool:
        return await list_titles(client) == titles

    await until(are_there)


async def delete_in_sidebar(page: Page, title: str) -> None:
    """Delete a chat by its row's menu in the sidebar: no single press does."""
    row = page.locator(".side .recent", has_text=title)
    await row.locator("summary").press("Enter")
    await row.get_by_role("button", name="Delete", exact=True).press("Enter")


async def test_an_open_chat_can_be_deleted_and_restored_by_keys(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "This")
    await begin(local, "Other")
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    viewer = await look(served, f"/#/chat/{chat}")
    page = viewer.page
    answers = page.locator(".message.assistant")
    await expect(answers).to_have_count(1)
    await page.fill(SAID, "a draft of this chat")

    opener = page.locator("summary[title='More for this chat']")
    delete = page.get_by_role("button", name="Delete this chat")
    await opener.press("Enter")
    await delete.press("Enter")
    await expect(page.locator(".greeting")).to_be_visible()
    await expect(page.locator(".side .chat")).to_have_text(["Other"])
    await expect(page.locator(SAID)).to_be_focused()
    await expect(page.locator(".toast button")).to_contain_text("Ctrl Z")
    await page.keyboard.press("Control+z")
    await expect(answers).to_have_count(1)
    await expect(page.locator(SAID)).to_have_value("a draft of this chat")
    assert await list_titles(local) == {"This", "Other"}

    await opener.press("Enter")
    await delete.press("Enter")
    await expect(page.locator(".toast")).to_contain_text("Chat deleted: This. Undo within 10 s")
    await expect(page.locator(SAID)).to_have_value("")
    await leave(page)

    await wait_for_titles(local, {"Other"})
    assert (await local.get("/api/jobs")).json()["total"] == 1


@pytest.mark.parametrize("width", [1280, 390])
async def test_the_note_lies_above_the_message_box_and_ctrl_z_is_of_what_was_done_last(
    served: Served, local: AsyncClient, look: Look, width: int
):
    chat = await begin(local, "This")
    await begin(local, "Other")
    await ask(local, chat, "hello")
    page = (await look(served, f"/#/chat/{chat}", width=width)).page
    if width == 390:
        await page.get_by_role("button", name="Menu").click()
    await delete_in_sidebar(page, "Other")
    if width == 390:
        await page.keyboard.press("Escape")
    note = await page.locator(".toast").bounding_box()
    box = await page.locator(".composer").bounding_box()
    assert note and box
    assert note["y"] + note["height"] < box["y"]

    key = page.locator(".toast kbd")
    await expect(key).to_have_text("Ctrl Z")
    await page.locator(SAID).press_sequentially("zzz")
    await expect(key).to_have_count(0)
    await page.keyboard.press("Control+z")
    await expect(page.locator(SAID)).not_to_have_value("zzz")
    await expect(page.locator(".toast")).to_contain_text("Chat deleted: Other")
    await page.locator("main").focus()
    await page.keyboard.press("Control+Z")  # as with Caps Lock
    await expect(page.locator(".toast")).to_have_count(0)
    await leave(page)
    assert await list_titles(local) == {"This", "Other"}


@pytest.mark.parametrize("place", [".entry", ".side"])
async def test_the_focus_goes_to_the_chat_whose_deletion_is_undone(
    served: Served, local: AsyncClient, look: Look, place: str
):
    for title in ("First", "Second", "Third"):
        await begin(local, title)
    page = (await look(served, "/#/history")).page
    rows = page.locator(place)

    if place == ".side":
        await delete_in_sidebar(page, "Second")
    else:
        await rows.get_by_role("button", name="Delete Second").press("Enter")
    await expect(rows.get_by_role("link", name="Second")).to_have_count(0)
    await page.get_by_role("button", name="Undo").press("Enter")

    await expect(rows.get_by_role("link", name="Second")).to_be_focused()


async def test_a_deleted_chat_is_erased_after_the_undo_period(
    served: Served, local: AsyncClient, look: Look
):
    await begin(local, "First")
    chat = await begin(local, "Second")
    viewer = await look(served, "/#/history")
    page = viewer.page
    await page.clock.install()
    await page.locator(".entry").get_by_role("button", name="Delete First").click()
    await page.locator(".entry").get_by_role("button", name="Delete Second").click()
    await wait_for_titles(local, {"Second"})  # the next one leaves no way back to the one before

    undo = page.get_by_role("button", name="Undo")
    await undo.focus()
    await page.clock.run_for(60_000)
    assert await list_titles(local) == {"Second"}, "who is at the button has the time they need"
    await undo.press("Enter")
    await expect(page.locator(".entry")).to_contain_text("Second")
    await page.locator(".entry").get_by_role("button", name="Delete Second").click()
    await page.mouse.move(1, 1)
    await page.clock.run_for(9_000)
    assert (await local.get(f"{ROOM}/{chat}")).status_code == 200
    await page.clock.run_for(2_000)

    await wait_for_titles(local, set())
    await expect(page.locator(".toast")).to_have_count(0)


async def test_deleting_a_chat_on_a_phone_deletes_its_versions(serve: Serve, look: Look):
    served = await serve(
        *[one for n in range(2) for one in (triage("general"), text("x"))], auth=False
    )
    local = await served.client()
    first = await begin(local, "First")
    await say(local, first, content="one")
    await say(local, first, content="two", replaces=0)
    chat = await begin(local, "Second")
    viewer = await look(served, f"/#/chat/{chat}", width=390)
    page = viewer.page
    await page.get_by_role("button", name="Menu").click()
    await delete_in_sidebar(page, "First")

    await expect(page.locator(".side .chat")).to_have_text(["Second"])
    await leave(page)
    await wait_for_titles(local, {"Second"})


async def test_chats_of_others_cannot_be_deleted_in_the_history(serve: Serve, look: Look):
    served = await serve()
    await begin(await served.client("ann"), "Ann's own")
    boss = await served.client("boss")
    await begin(boss, "The boss's own")
    viewer = await look(served)
    await viewer.sign_in("boss", is_admin=True)
    page = viewer.page
    await viewer.go("#/history?user_id=*")
    await expect(page.locator(".entry")).to_have_count(2)
    await expect(page.get_by_role("button", name="Delete Ann's own")).to_have_count(0)

    await page.locator(".entry").get_by_role("button", name="Delete The boss's own").click()

    await expect(page.locator(".entry")).to_have_count(1)
    await expect(page.locator(".entry")).to_contain_text("Ann's own")
    await leave(page)
    await wait_for_titles(boss, set())
    assert await list_titles(await served.client("ann")) == {"Ann's own"}


async def test_a_chat_deleted_in_another_tab_shows_that_it_was_deleted(serve: Serve, look: Look):
    held = Held()
    served = await serve(*held.script, triage("general"), text("x"), auth=False)
    local = await served.client()
    chat = await begin(local, "This")
    first = await look(served, f"/#/chat/{chat}")
    await first.say(STORY)
    await held.asked.wait()
    second = await look(served, "/#/history", beside=first)

    await second.page.locator(".entry").get_by_role("button", name="Delete This").click()
    await expect(second.page.locator(".entry")).to_have_count(0)
    await leave(second.page)

    await expect(first.page.locator(".failure, .message .foot").first).to_be_visible()
    held.open.set()
