"""Several replicas behind one address: which of them answers is nothing that one sees."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from playwright.async_api import expect

from tests.console.conftest import Look
from tests.machine.scripted import Hang, text, triage
from tests.protocols.proxying import Proxy, proxying
from tests.server.conftest import Serve, Served
from tests.server.held import Held

ANSWER = ".message.assistant"


@asynccontextmanager
async def standing_before(served: Served) -> AsyncIterator[tuple[Proxy, Served]]:
    """The proxy, and what a browser takes for the replica."""
    async with proxying(served.url) as proxy:
        yield proxy, replace(served, url=proxy.url)
        proxy.cut()


async def test_the_console_resumes_a_stream_on_another_replica(serve: Serve, look: Look):
    held = Held()
    first, second = await serve(*held.script, auth=False), await serve(auth=False)
    async with standing_before(first) as (proxy, shown):
        viewer = await look(shown)
        await viewer.say("tell me a story about work")
        await held.asked.wait()
        proxy.cut()
        await expect(viewer.page.get_by_text("Connection lost")).to_be_visible()
        proxy.lead_to(second.url)
        await expect(viewer.page.get_by_text("Connection lost")).to_have_count(0)
        held.open.set()

        await expect(viewer.page.locator(ANSWER)).to_have_text(re.compile("at last, all of it"))
        await expect(viewer.page.locator(".failure")).to_have_count(0)


async def test_draining_a_replica_does_not_disturb_the_console(serve: Serve, look: Look):
    begun = [triage("general"), Hang("Once upon a time")]
    first = await serve(*begun, auth=False, drain_s=0.2)
    second = await serve(text("Once upon a time, the end."), auth=False, recovery_s=0.2)
    async with standing_before(first) as (proxy, shown):
        viewer = await look(shown)
        await viewer.say("tell me a story about work")
        await expect(viewer.page.locator(".live")).to_contain_text("Once upon a time")
        proxy.lead_to(second.url)
        first.replica.stop()

        answer = viewer.page.locator(f"{ANSWER}:not(.live)")
        await expect(answer).to_contain_text("Once upon a time, the end.")
        await expect(viewer.page.locator(".failure")).to_have_count(0)
