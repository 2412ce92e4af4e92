"""An answer that streams moves nothing else, is read from its beginning, and lets one type."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import expect

from tests.console.conftest import SAID, Look
from tests.console.test_load import write_text
from tests.machine.scripted import Hang, ScriptedModels, ScriptedProvider, text, triage
from tests.server.conftest import Serve, Served, begin, until

MAX_SHIFT = 0.02  # of cumulative layout shift, as the console's specification says
TYPED = "what else is there to be told of work? "
WATCH = """() => {
    window.shift = 0;
    window.moved = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
            if (!entry.hadRecentInput) {
                window.shift += entry.value;
                for (const { node, previousRect: from, currentRect: to } of entry.sources)
                    window.moved.push(`${entry.value.toFixed(4)}: ` +
                        `${from.x},${from.y} to ${to.x},${to.y} ` +
                        `${(node?.outerHTML ?? node?.data ?? "gone").slice(0, 80)}`);
            }
    }).observe({ type: "layout-shift", buffered: false });
}"""
# Of the newest question, in the window: below the head, with a gap.
QUESTION_TOP = "[...document.querySelectorAll('.message.user')].at(-1).getBoundingClientRect().top"
HELD_PX = (60, 100)
AT_END = "scrollY + innerHeight >= document.documentElement.scrollHeight - 10"


class Streaming(ScriptedProvider):
    """Gives its pieces at the pace of a fast model."""

    pieces_per_s = 200

    async def generate_stream(self, request: Any) -> AsyncIterator[Any]:
        async for piece in super().generate_stream(request):
            await asyncio.sleep(1 / self.pieces_per_s)
            yield piece


def stream(served: Served, tokens: int, pieces_per_s: int = 200) -> None:
    provider = Streaming(*[triage("general"), text(write_text(tokens))] * 2)
    provider.pieces_per_s = pieces_per_s
    served.service.models = ScriptedModels(provider)  # type: ignore[assignment]


async def test_a_long_answer_streams_without_layout_shift_below_its_question(
    served: Served, look: Look
):
    stream(served, 400)
    chat = await begin(await served.client())
    viewer = await look(served, f"/#/chat/{chat}")
    page = viewer.page
    await expect(page.locator(SAID)).to_be_visible()
    await expect(page.locator(".two-sided")).to_have_count(0)  # the chat is read: it has no run yet
    await page.evaluate(WATCH)

    await viewer.say("tell me a story about work")
    await expect(page.locator(".message.assistant:not(.live)")).to_contain_text("The end.")
    await expect(page.locator(".acts")).to_have_count(2)
    assert not await page.evaluate(AT_END)
    assert HELD_PX[0] < await page.evaluate(QUESTION_TOP) < HELD_PX[1]
    shift, moved = await page.evaluate("[window.shift, window.moved]")

    print("layout shift:", shift)
    assert shift < MAX_SHIFT, moved


async def test_typing_and_scrolling_work_while_an_answer_streams(served: Served, look: Look):
    stream(served, 1200)
    chat = await begin(await served.client())
    viewer = await look(served, f"/#/chat/{chat}")
    page = viewer.page
    await expect(page.locator(SAID)).to_be_visible()
    await viewer.say("tell me a story about work")
    await until(lambda: page.evaluate("document.documentElement.scrollHeight > 3 * innerHeight"))

    await page.locator(SAID).press_sequentially(TYPED, delay=20)
    await expect(page.locator(SAID)).to_have_value(TYPED)  # `./scripts/bench console` has the delay
    await page.mouse.move(500, 300)
    await page.mouse.wheel(0, -600)
    jump = page.get_by_role("button", name="Jump to latest")
    await expect(jump).to_be_visible()
    await expect(page.locator(".message.assistant:not(.live)")).to_contain_text("The end.")
    assert not await page.evaluate(AT_END), "who reads above is left there"
    await jump.press("Enter")

    await until(lambda: page.evaluate(AT_END))
    await expect(jump).to_have_count(0)


async def test_a_stopped_answer_is_shown_as_stored_with_its_actions(serve: Serve, look: Look):
    viewer = await look(
        await serve(triage("general"), Hang("Once upon a time there was"), auth=False)
    )
    page, pane = viewer.page, viewer.page.get_by_role("complementary", name="What the run does")
    await viewer.say("tell me a story about work")
    await expect(page.locator(".message.live")).to_contain_text("Once upon a time there was")

    await page.get_by_role("button", name="Stop").click()

    answer = page.locator(".message.assistant")
    await expect(answer).to_have_count(1)
    await expect(answer).to_contain_text("You stopped this answer.")
    await expect(answer.get_by_role("button", name="Ask again").first).to_be_visible()
    await expect(page.locator(".message.live")).to_have_count(0)
    await expect(pane.locator(".figures dd").first).to_have_text(re.compile("[0-9]"))


async def test_continue_goes_on_with_the_kept_text_of_a_stopped_answer(served: Served, look: Look):
    cut = Hang("Once upon a **time there")
    provider = ScriptedProvider(triage("general"), cut, triage("general"), text("was."))
    served.service.models = ScriptedModels(provider)  # type: ignore[assignment]
    viewer = await look(served)
    page, answers = viewer.page, viewer.page.locator(".message.assistant")
    await viewer.say("tell me a story about work")
    # What is emphasized looks so before its end has come.
    await expect(page.locator(".message.live strong")).to_have_text("time there")
    await page.get_by_role("button", name="Stop").click()

    await answers.get_by_role("button", name="Continue").click()

    await expect(answers.last).to_contain_text("was.")
    await expect(page.get_by_role("article", name="You").last).to_have_text("Continued")
    await page.evaluate("navigator.clipboard.writeText = async (text) => (window.copied = text)")
    await answers.last.get_by_role("button", name="Copy").click()
    assert await page.evaluate("window.copied") == "Once upon a **time there was."
    assert "Once upon a **time there" in str(provider.requests[-1].messages)
    await expect(page.get_by_role("button", name="Continue")).to_have_count(0)


async def test_a_new_chat_is_marked_among_recent_ones_and_its_question_held_at_the_top(
    served: Served, look: Look
):
    stream(served, 400)
    page = (viewer := await look(served)).page
    await viewer.say("tell me a story about work")
    await expect(page.locator(".message.assistant:not(.live)")).to_contain_text("The end.")
    await expect(page.locator("nav .recent [aria-current=page]")).to_have_count(1)
    await viewer.say("and another story")

    # The line of model, time and cost leaves the first answer and comes to the second.
    await expect(page.locator(".message.assistant:not(.live)")).to_have_count(2)
    await expect(page.locator(".message.assistant").last).to_contain_text(re.compile(r"\d m?s"))
    assert HELD_PX[0] < await page.evaluate(QUESTION_TOP) < HELD_PX[1]


async def test_who_scrolls_to_the_end_of_a_streaming_answer_follows_it(served: Served, look: Look):
    stream(served, 800)
    chat = await begin(await served.client())
    viewer = await look(served, f"/#/chat/{chat}")
    page = viewer.page
    await viewer.say("tell me a story about work")
    jump = page.get_by_role("button", name="Jump to latest")
    await jump.click()
    await expect(page.locator(".message.assistant:not(.live)")).to_contain_text("The end.")
    await until(lambda: page.evaluate(AT_END))
    await expect(jump).to_have_count(0)


async def test_a_question_longer_than_the_window_leaves_room_for_its_answer(
    serve: Serve, look: Look
):
    viewer = await look(
        await serve(triage("general"), Hang("Once upon a time there was"), auth=False)
    )
    page = viewer.page
    await viewer.say("Tell me a story of these words. " + "work and all that is told of it " * 400)
    answer = page.locator(".message.live")
    await expect(answer).to_contain_text("Once upon a time there was")

    top, bottom, room = await page.evaluate(
        "[document.querySelector('.live').getBoundingClientRect().top,"
        " document.querySelector('.composer').getBoundingClientRect().top, innerHeight]"
    )
    assert room / 4 < top < bottom - 100


@pytest.mark.parametrize("where", [SAID, "main"])
async def test_escape_stops_an_answer_and_leaves_the_cursor_in_the_box(
    serve: Serve, look: Look, where: str
):
    page = (viewer := await look(await serve(triage("general"), Hang("Once"), auth=False))).page
    await viewer.say("tell me a story about work")
    await expect(page.locator(".message.live")).to_contain_text("Once")
    await page.locator(where).focus()

    await page.keyboard.press("Escape")

    await expect(page.locator(".message.assistant")).to_contain_text("You stopped this answer.")
    await expect(page.locator(SAID)).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.locator("main")).to_be_focused()


async def test_an_escape_after_the_end_of_an_answer_leaves_the_next_letters_in_the_box(
    serve: Serve, look: Look
):
    page = (viewer := await look(await serve(triage("general"), text("Once."), auth=False))).page
    await viewer.say("tell me a story about work")
    await expect(page.get_by_role("button", name="Send", exact=True)).to_be_visible()
    await expect(page.locator(".message.assistant")).to_contain_text("Once.")

    await page.keyboard.press("Escape")
    await page.keyboard.type("in Oslo")

    await expect(page.locator(SAID)).to_have_value("in Oslo")
    assert "#/chat/" in page.url
    await page.locator(SAID).fill("")
    await page.keyboard.press("Escape")
    await expect(page.locator("main")).to_be_focused()


async def test_an_answer_stopped_without_text_keeps_its_note_and_actions(serve: Serve, look: Look):
    served = await serve(triage("general"), Hang(), *[triage("general"), text("The end.")] * 2)
    chat = await begin(await served.client("ann"))
    viewer = await look(served)
    await viewer.sign_in()
    await viewer.go(f"#/chat/{chat}")
    page, answers = viewer.page, viewer.page.locator(".message.assistant")
    steps = page.locator(".timeline .steps .step")
    await viewer.say("tell me a story about work")
    await expect(steps).to_have_count(3)
    await page.get_by_role("button", name="Stop").click()
    for _ in range(2):  # at once, and after a reload
        await expect(answers).to_have_count(1)
        await expect(answers).to_contain_text("You stopped this answer.")
        await expect(answers.get_by_title("Ask again", exact=True)).to_be_visible()
        await expect(page.locator(".message.live")).to_have_count(0)
        await expect(steps).to_have_count(3)
        await expect(steps.last).to_contain_text("Stopped")
        await expect(page.locator(".timeline")).not_to_contain_text("…")
        await page.reload()
    await page.get_by_role("link", name="Full trace").click()
    await page.locator("button.trace-row.step", has_text="General").click()
    await expect(page.locator("main")).to_contain_text("The run ended within this step.")
    await page.go_back()
    await viewer.say("and another one")
    await expect(answers).to_have_count(2)
    await expect(answers.last).to_contain_text("The end.")
    await expect(answers.first).to_contain_text("You stopped this answer.")

    await answers.first.get_by_title("Ask again", exact=True).click()
    await expect(page).not_to_have_url(re.compile(chat))
    await expect(answers).to_contain_text(["The end."])
