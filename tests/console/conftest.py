"""The console in a real browser, over a running replica."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, Page, async_playwright, expect

from tests.server.conftest import Served, serve
from tests.server.test_browser import CHROMIUM

__all__ = ["serve"]
SAID = "#said"
WAIT_MS = 60_000  # for what comes in a moment, unless the machine is busy


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


Look = Callable[..., Awaitable[Viewer]]


@pytest.fixture(scope="session")
def chromium() -> str:
    if CHROMIUM is None:
        pytest.skip("no Chromium here (Debian: apt-get install chromium)")
    return CHROMIUM


@pytest.fixture
async def look(chromium: str) -> AsyncIterator[Look]:
    """`viewer = await look(served, "/#/threads", width=360, scheme="dark")`."""
    async with AsyncExitStack() as stack:
        playwright = await stack.enter_async_context(async_playwright())
        args = ["--no-sandbox", "--disable-gpu"]
        browser: Browser = await playwright.chromium.launch(executable_path=chromium, args=args)
        stack.push_async_callback(browser.close)
        expect.set_options(timeout=WAIT_MS)

        async def open_one(
            served: Served,
            address: str = "/",
            *,
            width: int = 1440,
            scheme: str = "light",
            beside: Viewer | None = None,
        ) -> Viewer:
            context = beside.page.context if beside else await browser.new_context()
            page = await context.new_page()
            page.set_default_timeout(WAIT_MS)
            await page.set_viewport_size({"width": width, "height": 900})
            await page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            viewer = Viewer(page, served)
            own = urlsplit(served.url).netloc
            page.on("request", lambda asked: _note_foreign(viewer, own, asked.url))
            page.on("pageerror", lambda error: viewer.troubles.append(str(error)))
            page.on("dialog", lambda dialog: viewer.troubles.append(f"dialog {dialog.message}"))
            page.on("console", lambda said: _note_policy(viewer, said.text))
            await page.goto(served.url + address)
            return viewer

        yield open_one


def _note_foreign(viewer: Viewer, own: str, url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != own:
        viewer.foreign.append(url)


def _note_policy(viewer: Viewer, said: str) -> None:
    if "Content Security Policy" in said or "Trusted" in said:
        viewer.troubles.append(said)
