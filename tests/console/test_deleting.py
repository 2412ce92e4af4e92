"""A chat is deleted in the console, by mouse, keyboard and on a phone, after a question."""

from __future__ import annotations

from httpx2 import AsyncClient
from playwright.async_api import expect

from tests.console.conftest import SAID, Look
from tests.machine.scripted import text, triage
from tests.server.conftest import Serve, Served, ask, begin
from tests.server.held import SAID as STORY
from tests.server.held import Held

ROOM = "/api/chat/conversations"
YES, NO = "Delete the chat", "Keep"


async def list_titles(client: AsyncClient) -> set[str]:
    return {chat["title"] for chat in (await client.get(ROOM)).json()["conversations"]}


async def test_an_open_chat_is_deleted_by_keys_and_a_new_one_is_open(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "This")
    await begin(local, "Other")
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    viewer = await look(served, f"/#/chat/{chat}")
    page = viewer.page
    await expect(page.locator(".message.assistant")).to_have_count(1)
    await page.fill(SAID, "a draft of this chat")

    opener = page.get_by_role("button", name="Delete this chat")
    await opener.press("Enter")
    await expect(page.get_by_role("button", name=NO)).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(opener).to_be_focused()
    assert await list_titles(local) == {"This", "Other"}
    await opener.press("Enter")
    await expect(page.get_by_role("button", name=NO)).to_be_focused()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")

    await expect(page.locator(".greeting")).to_be_visible()
    await expect(page.locator(SAID)).to_be_focused()
    await expect(page.locator(SAID)).to_have_value("")
    await expect(page.locator(".side .chat")).to_have_text(["Other"])
    await expect(page.locator(".toast")).to_contain_text("Chat deleted")
    assert await list_titles(local) == {"Other"}
    assert (await local.get("/api/jobs")).json()["total"] == 1


async def test_a_chat_is_deleted_from_the_drawer_of_a_phone(
    served: Served, local: AsyncClient, look: Look
):
    await begin(local, "First")
    chat = await begin(local, "Second")
    viewer = await look(served, f"/#/chat/{chat}", width=390)
    page = viewer.page
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_role("button", name="Delete First").click()
    await expect(page.get_by_role("dialog")).to_contain_text("“First”")

    await page.get_by_role("button", name=YES).click()

    await expect(page.locator(".side .chat")).to_have_text(["Second"])
    assert await list_titles(local) == {"Second"}
    assert page.url.endswith(chat)


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
    await page.get_by_role("button", name=YES).click()

    await expect(page.locator(".entry")).to_have_count(1)
    await expect(page.locator(".entry")).to_contain_text("Ann's own")
    assert await list_titles(await served.client("ann")) == {"Ann's own"}


async def test_a_chat_that_another_tab_deleted_says_so(serve: Serve, look: Look):
    held = Held()
    served = await serve(*held.script, triage("general"), text("x"), auth=False)
    local = await served.client()
    chat = await begin(local, "This")
    first = await look(served, f"/#/chat/{chat}")
    await first.say(STORY)
    await held.asked.wait()
    second = await look(served, "/#/history", beside=first)

    await second.page.locator(".entry").get_by_role("button", name="Delete This").click()
    await second.page.get_by_role("button", name=YES).click()

    await expect(second.page.locator(".entry")).to_have_count(0)
    await expect(first.page.locator(".failure, .message .foot").first).to_be_visible()
    held.open.set()
