"""Several replicas behind one address: which of them answers is nothing that one sees."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from playwright.async_api import expect

from tests.console.conftest import Look
from tests.machine.scripted import Hang, text, triage
from tests.server.conftest import Serve, Served
from tests.server.test_conversations import Held, make_held_script

ANSWER = ".message.assistant"


@dataclass
class Proxy:
    """Hands each connection to the replica behind it."""

    behind: Served | None
    url: str = ""
    _open: set[asyncio.StreamWriter] = field(default_factory=set[asyncio.StreamWriter])

    def switch(self, served: Served | None) -> None:
        """What is open is cut off; what comes goes there. None: nobody answers."""
        self.behind = served
        for writer in self._open:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.behind is None:
            writer.transport.abort()
            return
        parts = urlsplit(self.behind.url)
        upstream, out = await asyncio.open_connection(parts.hostname, parts.port)
        both = {writer, out}
        self._open |= both
        await asyncio.gather(_pass(reader, out), _pass(upstream, writer))
        self._open -= both


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


@asynccontextmanager
async def standing_before(served: Served) -> AsyncIterator[tuple[Proxy, Served]]:
    """The proxy, and what a browser takes for the replica."""
    proxy = Proxy(served)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield proxy, replace(served, url=proxy.url)
        proxy.switch(None)


async def test_a_stream_goes_on_through_another_replica(serve: Serve, look: Look):
    held = Held()
    first, second = await serve(*make_held_script(held), auth=False), await serve(auth=False)
    async with standing_before(first) as (proxy, shown):
        viewer = await look(shown)
        await viewer.say("tell me a story about work")
        await held.asked.wait()
        proxy.switch(None)
        await expect(viewer.page.get_by_text("The connection broke off")).to_be_visible()
        proxy.switch(second)
        await expect(viewer.page.get_by_text("The connection broke off")).to_have_count(0)
        held.release.set()

        await expect(viewer.page.locator(ANSWER)).to_have_text(re.compile("at last, all of it"))
        await expect(viewer.page.locator(".failure")).to_have_count(0)


async def test_a_replica_that_is_drained_in_the_middle_of_a_stream_is_not_noticed(
    serve: Serve, look: Look
):
    begun = [triage("general"), Hang("Once upon a time")]
    first = await serve(*begun, auth=False, drain_s=0.2)
    second = await serve(text("Once upon a time, the end."), auth=False, recovery_s=0.2)
    async with standing_before(first) as (proxy, shown):
        viewer = await look(shown)
        await viewer.say("tell me a story about work")
        await expect(viewer.page.locator(".live")).to_contain_text("Once upon a time")
        proxy.behind = second
        first.replica.stop()

        answer = viewer.page.locator(f"{ANSWER}:not(.live)")
        await expect(answer).to_contain_text("Once upon a time, the end.")
        await expect(viewer.page.locator(".failure")).to_have_count(0)
