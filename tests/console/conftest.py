"""The console in a real browser, over a running replica."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Browser, Page, async_playwright, expect

from tests.server.conftest import Serve, Served, serve
from tests.server.replays import finish, post

__all__ = ["serve"]
SAID = "#said"
WAIT_MS = 60_000  # for what comes in a moment, unless the machine is busy
# Each conversation many times, by a candidate that is another model; the first of them fail.
VARIED = """
insert into replay_items
    (tenant_id, replay_id, user_id, n, lane, thread_id, conversation, status, result)
select tenant_id, replay_id, user_id, more.n * 1000 + items.n, lane, thread_id, conversation,
    status,
    jsonb_set(result::jsonb, '{turns,0}', (result::jsonb #> '{turns,0}') - 'shared' ||
        case when lane <> 'candidate' then '{"models": ["anthropic:claude-sonnet-5-5"]}'
            when row_number() over (partition by lane order by more.n, items.n) <= $3
            then '{"models": ["openai:gpt-6-luna"], "error": "TOOL_FAILED"}'
            else '{"models": ["openai:gpt-6-luna"]}'
        end::jsonb ||
        case when lane <> 'candidate'  -- today's prompt came from a cache
            then '{"cost_usd": "0.0013", "uncached_usd": "0.0213"}'
            else '{"cost_usd": "0.0061", "uncached_usd": "0.0061"}'
        end::jsonb)::json
from replay_items as items, generate_series(1, $2) as more (n)
where tenant_id = 'local' and replay_id = $1
"""
RUN_AXE = """async () => {
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.map((item) => [item.id, item.help, item.nodes.map((node) => node.html)]);
}"""


@dataclass
class Viewer:
    """A page of the console, and what a browser told of it that should not be."""

    page: Page
    served: Served
    foreign: list[str] = field(default_factory=list[str])  # requests to another origin
    troubles: list[str] = field(default_factory=list[str])  # errors, policy reports, dialogs

    async def go(self, address: str) -> None:
        await self.page.evaluate(f"location.hash = {address!r}")

    async def say(self, text: str) -> None:
        await self.page.fill(SAID, text)
        await self.page.keyboard.press("Enter")

    async def sign_in(self, user: str = "ann", *, is_admin: bool = False) -> None:
        await self.page.fill("#token", self.served.token(user, is_admin=is_admin))
        await self.page.click("button:text('Sign in')")
        await self.page.wait_for_selector(SAID)

    async def look_as(self, width: int, scheme: str) -> None:
        """On a screen so wide, `light` or `dark`."""
        await self.page.set_viewport_size({"width": width, "height": 900})
        await self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]

    async def list_barriers(self) -> list[Any]:
        """What axe finds on the screen as it is now."""
        if not await self.page.evaluate("'axe' in window"):
            await self.page.evaluate(AXE_SCRIPT)
        return await self.page.evaluate(RUN_AXE)


@pytest.fixture
async def served(serve: Serve) -> Served:
    """A replica for whoever is at this machine, answered by rules."""
    return await serve(auth=False)


@pytest.fixture
async def local(served: Served) -> httpx2.AsyncClient:
    return await served.client()


Look = Callable[..., Awaitable[Viewer]]


@pytest.fixture
async def look(chromium: str) -> AsyncIterator[Look]:
    """`viewer = await look(served, "/#/history", width=360, scheme="dark")`. Whatever is looked at
    asks nobody else, and no error, policy report or dialog is told of it."""
    viewers: list[Viewer] = []
    async with AsyncExitStack() as stack:
        playwright = await stack.enter_async_context(async_playwright())
        browser: Browser = await playwright.chromium.connect_over_cdp(chromium)
        stack.push_async_callback(_leave, browser)
        expect.set_options(timeout=WAIT_MS)

        async def open_one(
            served: Served,
            address: str = "/",
            *,
            width: int = 1440,
            scheme: str = "light",
            beside: Viewer | None = None,
            touch: bool = False,
            run: str = "shown",
        ) -> Viewer:
            context = (
                beside.page.context
                if beside
                else await browser.new_context(has_touch=touch, is_mobile=touch)
            )
            if not beside:  # as one left it, else the run is not shown beside the chat
                cookie = {"name": "plainloop_run", "value": run, "url": served.url}
                await context.add_cookies([cookie])  # type: ignore[list-item]
            page = await context.new_page()
            page.set_default_timeout(WAIT_MS)
            viewer = Viewer(page, served)
            await viewer.look_as(width, scheme)
            own = urlsplit(served.url).netloc
            page.on("request", lambda asked: _note_foreign(viewer, own, asked.url))
            page.on("pageerror", lambda error: viewer.troubles.append(str(error)))
            page.on("dialog", lambda dialog: viewer.troubles.append(f"dialog {dialog.message}"))
            page.on("console", lambda said: _note_policy(viewer, said.text))
            await page.goto(served.url + address)
            viewers.append(viewer)
            return viewer

        yield open_one
        told = [item for viewer in viewers for item in (*viewer.troubles, *viewer.foreign)]
        assert told == []


async def try_cheaper(
    served: Served, local: httpx2.AsyncClient, count: int, failing: int, **changes: Any
) -> str:
    """An experiment over all stored chats, each so many times. Returns: its id."""
    replay_id = (await post(local, **{"model": "offline-rules", **changes}))["id"]
    await finish(local, replay_id)
    async with served.service.store.transaction("local") as tx:
        await tx.execute(VARIED, replay_id, count, failing)
        await tx.execute("delete from replay_items where replay_id = $1 and n < 1000", replay_id)
        # The verdict on the earlier conversations may be known already.
        due = "update replays set verdict = null, verdict_due = clock_timestamp()"
        await tx.execute(f"{due} where replay_id = $1", replay_id)
    return replay_id


async def _leave(browser: Browser) -> None:
    for context in browser.contexts[1:]:  # the first one is the browser's own
        await context.unroute_all(behavior="ignoreErrors")
        for page in context.pages:  # a page may still ask what a test answers for the service
            await page.unroute_all(behavior="ignoreErrors")
        await context.close()
    await browser.close()


def _note_foreign(viewer: Viewer, own: str, url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != own:
        viewer.foreign.append(url)


def _note_policy(viewer: Viewer, said: str) -> None:
    if "Content Security Policy" in said or "Trusted" in said:
        viewer.troubles.append(said)
