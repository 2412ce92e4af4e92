"""The title that the small model writes appears wherever the chat is shown."""

from __future__ import annotations

import pytest
from httpx2 import AsyncClient
from playwright.async_api import expect

from plainloop.agent.config.settings import Settings
from plainloop.agent.service.settings import TitleSettings
from tests.console.conftest import Look
from tests.server.conftest import Serve, Served, ask, begin
from tests.server.test_titles import ANSWERED, SAID, TITLE, set_script


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.change(TitleSettings, titles=True)


async def test_a_written_title_appears_in_the_open_chat_and_in_both_lists(serve: Serve, look: Look):
    served = await serve(auth=False)
    set_script(served, *ANSWERED, TITLE)
    viewer = await look(served, "/#/chat")
    await viewer.say(SAID)

    page = viewer.page
    await expect(page.get_by_role("heading", name="Letter to Contoso")).to_be_visible()
    await expect(page.locator("nav .recent .chat")).to_have_text(["Letter to Contoso"])
    await viewer.go("#/history")
    await expect(page.locator("main .entry a.title")).to_have_text(["Letter to Contoso"])


async def test_without_a_model_the_first_words_stay_as_title(serve: Serve, look: Look):
    viewer = await look(await serve(auth=False), "/#/chat")
    await viewer.say("how many jobs do I have?")
    await expect(viewer.page.locator(".message.assistant:not(.live)")).to_have_count(1)

    await expect(viewer.page.get_by_role("heading", level=1)).to_have_text(
        "how many jobs do I have?"
    )
    await expect(viewer.page.locator("nav .recent .chat")).to_have_text(
        ["how many jobs do I have?"]
    )


async def test_a_long_title_is_cut_and_leaves_the_head_its_height(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "Which of the letters to the cafes of the old town was it? " * 3)
    await ask(local, chat, "how many jobs do I have?")
    viewer = await look(served, f"/#/chat/{chat}", width=1280)
    await expect(viewer.page.locator(".timeline")).to_be_visible()

    head = viewer.page.locator(".head")
    run = head.get_by_role("button", name="Run", exact=True)
    assert await run.evaluate("button => button.scrollWidth <= button.clientWidth")
    assert await run.evaluate("button => button.getBoundingClientRect().height") <= 32
    assert await head.evaluate("head => head.getBoundingClientRect().height") <= 57


async def test_the_menu_of_a_chat_changes_its_title_and_labels(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "This")
    page = (await look(served, f"/#/chat/{chat}")).page
    await page.locator("summary[title='More for this chat']").click()
    await page.get_by_role("button", name="Title and labels").click()
    dialog = page.get_by_role("dialog", name="Title and labels")
    await dialog.get_by_role("textbox", name="Title").fill("That")
    await dialog.get_by_role("textbox", name="Labels").fill("Berlin")
    await dialog.get_by_role("button", name="Save").click()

    await expect(dialog).to_have_count(0)
    await expect(page.get_by_role("heading", level=1)).to_have_text("That")
    [found] = (await local.get("/api/chat/conversations")).json()["conversations"]
    assert (found["title"], found["labels"]) == ("That", ["Berlin"])
