"""An answer that streams moves nothing else, is followed to its end, and lets one type."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

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


async def test_a_long_answer_streams_without_layout_shift_and_the_view_scrolls_along(
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
    assert await page.evaluate(AT_END)
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
    await expect(answer).to_contain_text("stopped before it was finished")
    await expect(answer.get_by_role("button", name="Ask again").first).to_be_visible()
    await expect(page.locator(".message.live")).to_have_count(0)
    await expect(pane.locator(".figures dd").first).to_have_text(re.compile("[0-9]"))
