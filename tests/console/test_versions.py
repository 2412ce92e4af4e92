"""A message is edited, an answer asked for again, and one goes through the versions by keys."""

from __future__ import annotations

from typing import Any

from httpx2 import AsyncClient
from playwright.async_api import Locator, Page, expect

from tests.console.conftest import SAID, Look
from tests.machine.scripted import text, triage
from tests.server.conftest import Serve, Served, ask, begin
from tests.server.held import SAID as STORY
from tests.server.held import Held
from tests.server.test_models_of_conversations import OTHER
from tests.server.test_models_of_conversations import offered as offered

ROOM = "/api/chat/conversations"


def answer(said: str) -> list[Any]:
    return [triage("general"), text(said)]


def find_own(page: Page, n: int = 0) -> Locator:
    return page.get_by_role("article", name="You").nth(n)


async def test_an_edited_messages_versions_can_be_browsed_by_keys(serve: Serve, look: Look):
    served = await serve(*answer("one"), *answer("two"), *answer("three"), auth=False)
    local = await served.client()
    chat = await begin(local)
    await ask(local, chat, STORY)
    await ask(local, chat, "and another one, please")
    viewer = await look(served, f"/#/chat/{chat}")
    page = viewer.page
    edit = find_own(page).get_by_role("button", name="Edit and send again")

    await edit.press("Enter")
    field = page.get_by_role("textbox", name="Edit your message")
    await expect(field).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(edit).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(field).to_have_value(STORY)
    await field.fill("tell me a shorter story about work")
    await page.keyboard.press("Enter")

    versions = find_own(page).get_by_role("group")
    await expect(page.locator(".message.assistant:not(.live)")).to_have_count(1)
    await expect(page.locator(".message.assistant")).to_contain_text("three")
    await expect(versions).to_have_accessible_name("Version 2 of 2")
    await expect(page.locator(SAID)).to_be_focused()
    await expect(page.locator(".side .chat")).to_have_count(1)
    title, listed = page.locator(".head h1"), page.locator(".side .chat .word").first
    newest = await title.inner_text()
    await expect(listed).to_have_text(newest)

    await versions.get_by_role("button", name="Previous version").press("Enter")
    await expect(versions).to_have_accessible_name("Version 1 of 2")
    await expect(title).not_to_have_text(newest)
    await expect(listed).to_have_text(await title.inner_text())
    await expect(page.locator(".said")).to_have_text([STORY, "and another one, please"])
    await expect(versions.get_by_role("button", name="Next version")).to_be_focused()
    for address in ("#/history", "#/chat"):  # the version that was chosen is opened again
        await viewer.go(address)
        await page.locator(".side .chat" if address == "#/chat" else ".entry .title").click()
        await expect(page.locator(".said")).to_have_text([STORY, "and another one, please"])
    await versions.get_by_role("button", name="Next version").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".said")).to_have_text(["tell me a shorter story about work"])
    await expect(versions.get_by_role("button", name="Previous version")).to_be_focused()


async def test_an_answer_can_be_regenerated_with_another_model(offered: Served, look: Look):
    viewer = await look(offered)
    await viewer.sign_in("ann")
    page = viewer.page
    await viewer.say("tell me about work")
    again = page.locator("summary[title='Ask again with another model']")

    await again.press("Enter")
    await page.locator("details[open]").get_by_role("button", name=OTHER[7:]).press("Enter")

    answers = page.get_by_role("article", name="Answer")
    await expect(answers.get_by_role("group", name="Answer 2 of 2")).to_be_visible()
    await expect(find_own(page).get_by_role("group")).to_have_count(0)  # the question is the same
    await expect(page.locator(".message.assistant:not(.live)")).to_have_count(1)
    await expect(page.locator(".timeline")).to_contain_text(OTHER[7:])
    await expect(page.locator(".composer summary")).to_contain_text("Offline rules")


IS_WITHIN = """(box) => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    return left >= 0 && right <= innerWidth && document.documentElement.scrollWidth <= innerWidth
        && top >= 0 && bottom <= innerHeight;
}"""


async def test_an_answers_actions_fit_a_phone(offered: Served, look: Look):
    viewer = await look(offered)
    await viewer.sign_in("boss", is_admin=True)
    await viewer.look_as(390, "light")
    page = viewer.page
    await viewer.say("tell me about work")

    for title in ("Choose a model", "Ask again with another model"):
        await page.locator(f"summary[title='{title}']").click()
        assert await page.locator("details[open].menu > .card").evaluate(IS_WITHIN), title
        await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Bad answer").click()
    link = page.get_by_role("link", name="Try another model or prompt")
    assert await link.evaluate(IS_WITHIN)
    assert await page.get_by_label("What was wrong").evaluate(IS_WITHIN)


async def test_a_message_named_like_a_property_of_objects_is_shown(serve: Serve, look: Look):
    served = await serve(*answer("one"), auth=False)
    local = await served.client()
    chat = await begin(local)
    await ask(local, chat, "constructor")
    viewer = await look(served, f"/#/chat/{chat}")
    await expect(find_own(viewer.page)).to_contain_text("constructor")


async def test_the_buttons_below_an_edited_message_are_one_line_high(serve: Serve, look: Look):
    served = await serve(*answer("one"), auth=False)
    local = await served.client()
    chat = await begin(local)
    await ask(local, chat, STORY)
    viewer = await look(served, f"/#/chat/{chat}")
    await find_own(viewer.page).get_by_role("button", name="Edit and send again").press("Enter")
    form = viewer.page.locator(".edit")
    for width in (1440, 390, 320):
        await viewer.look_as(width, "light")
        for name in ("Cancel", "Send"):
            box = await form.get_by_role("button", name=name).bounding_box()
            assert box and box["width"] > box["height"] < 46, (width, name, box)


async def test_editing_a_message_stops_its_running_answer(serve: Serve, look: Look):
    held = Held()
    served = await serve(*held.script, *answer("another"), auth=False)
    local = await served.client()
    chat = await begin(local)
    viewer = await look(served, f"/#/chat/{chat}")
    page = viewer.page
    await viewer.say(STORY)
    await held.asked.wait()
    await page.reload()

    await find_own(page).get_by_role("button", name="Edit and send again").press("Enter")
    await page.get_by_role("textbox", name="Edit your message").fill("tell me something else")
    await page.keyboard.press("Enter")

    await expect(page.locator(".message.assistant:not(.live)")).to_contain_text("another")
    [run] = (await local.get(f"{ROOM}/{chat}/runs")).json()["runs"]
    assert run["status"] == "cancelled"
    held.open.set()


async def test_an_unsent_message_is_marked_as_unsent(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local)
    viewer = await look(served, f"/#/chat/{chat}")
    page = viewer.page
    await expect(page.locator(SAID)).to_be_visible()
    await page.context.set_offline(True)
    await viewer.say("list my jobs")
    await viewer.say("how many jobs do I have?")

    for n in (0, 1):
        await expect(find_own(page, n)).to_contain_text("Not sent yet")
    notice = page.locator(".notice")
    await expect(notice).to_be_in_viewport()
    await page.context.set_offline(False)

    await expect(page.locator(".message.assistant:not(.live)")).to_have_count(2)
    await expect(page.get_by_text("Not sent yet")).to_have_count(0)
    await expect(notice).to_have_count(0)


async def test_a_lost_connection_is_shown_before_a_message_is_sent(served: Served, look: Look):
    page = (viewer := await look(served)).page
    await expect(page.locator(SAID)).to_be_visible()
    await page.context.set_offline(True)

    await expect(page.locator(".composer .notice")).to_contain_text("Connection lost.")
    await viewer.say("list my jobs")
    await expect(find_own(page)).to_contain_text("Not sent yet")
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    await expect(page.get_by_text("Working…")).to_have_count(0)
    await page.context.set_offline(False)
    await expect(page.locator(".message.assistant:not(.live)")).to_have_count(1)


async def test_the_up_key_edits_the_last_message_as_a_new_version(serve: Serve, look: Look):
    served = await serve(*answer("one"), *answer("two"), auth=False)
    local = await served.client()
    chat = await begin(local)
    await ask(local, chat, STORY)
    page = (await look(served, f"/#/chat/{chat}")).page
    await expect(page.locator(".said")).to_have_text([STORY])

    await page.locator(SAID).press("ArrowUp")
    field = page.get_by_role("textbox", name="Edit your message")
    await expect(field).to_be_focused()
    await page.keyboard.press("Escape")
    await page.locator(SAID).press("ArrowUp")
    await field.fill("tell me a shorter story about work")
    await page.keyboard.press("Enter")

    await expect(page.locator(".message.assistant")).to_contain_text("two")
    await expect(page.locator(".said")).to_have_text(["tell me a shorter story about work"])
    await expect(find_own(page).get_by_role("group")).to_have_accessible_name("Version 2 of 2")


async def test_the_version_switcher_stays_in_its_place(serve: Serve, look: Look):
    long = "\n\n".join(f"Paragraph {n} about work." for n in range(60))
    served = await serve(*answer(long), *answer(long), *answer(long), *answer("short"), auth=False)
    local = await served.client()
    chat = await begin(local)
    for said in (STORY, "and another one, please", "and a third one"):
        await ask(local, chat, said)
    messages = (await local.get(f"{ROOM}/{chat}")).json()["messages"]
    position = [item["position"] for item in messages if item["role"] == "user"][1]
    newer = await ask(local, chat, "tell me a shorter story about work", replaces=position)
    page = (await look(served, f"/#/chat/{newer['conversation_id']}")).page
    versions = find_own(page, 1).get_by_role("group")
    place = "group => Math.round(group.getBoundingClientRect().top)"
    await expect(page.locator(".message.assistant")).to_have_count(2)
    await expect(page.locator(".side .chat[aria-current=page]")).to_have_count(1)
    before = await versions.evaluate(place)

    await versions.get_by_role("button", name="Previous version").click()
    await expect(page.locator(".message.assistant")).to_have_count(3)
    await expect(versions).to_have_accessible_name("Version 1 of 2")
    await expect(page.locator(".timeline")).to_be_visible()
    await expect(page.locator(".side .chat[aria-current=page]")).to_have_count(1)
    assert abs(await versions.evaluate(place) - before) <= 2


async def test_a_first_message_without_a_connection_is_not_shown_as_work(
    served: Served, look: Look
):
    viewer = await look(served, "/#/chat", width=390)
    page = viewer.page
    await expect(page.locator(SAID)).to_be_visible()
    await page.context.set_offline(True)
    await viewer.say("list my jobs")

    await expect(find_own(page, 0)).to_contain_text("Not sent yet")
    await expect(page.get_by_text("Working…")).to_have_count(0)
    bubble = await page.locator(".bubble").bounding_box()
    notice = await page.locator(".notice").bounding_box()
    assert bubble and notice
    assert bubble["y"] + bubble["height"] <= notice["y"]
    await page.context.set_offline(False)

    await expect(page.locator(".message.assistant:not(.live)")).to_have_count(1)
