"""Pages of other people's frontends: bundled, and looked at in a browser."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, Page, async_playwright

from tests.processes import run_program
from tests.protocols.node_clients import FOLDER

PATIENCE_MS = 90_000


async def bundle(target: Path, program: str, *options: str) -> str:
    """The program with all that it imports."""
    esbuild = FOLDER / "node_modules" / ".bin" / "esbuild"
    await run_program(
        *(str(esbuild), str(FOLDER / program), "--bundle", "--jsx=automatic", "--format=esm"),
        *(f"--outfile={target}", '--define:process.env.NODE_ENV="production"', *options),
        folder=FOLDER,  # where it finds what an option names
    )
    return target.read_text()


def write_page(program: str, **known: Any) -> str:
    """known: what the program finds in `window`."""
    told = "".join(f"window.{name} = {json.dumps(value)};" for name, value in known.items())
    script = program.replace("</script", "<_script")
    head = f"<!doctype html><meta charset=utf-8><script>{told}</script>"
    return f'{head}<body><script type="module">{script}</script>'


@asynccontextmanager
async def browse(chromium: str) -> AsyncIterator[BrowserContext]:
    """Tabs of the browser that all tests share, which know nothing of anybody else's."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(chromium, timeout=PATIENCE_MS)
        async with await browser.new_context() as tabs:
            tabs.set_default_timeout(PATIENCE_MS)
            yield tabs
        await browser.close()


@asynccontextmanager
async def open_page(chromium: str, address: str, content: str) -> AsyncIterator[Page]:
    """The content at an address where nobody serves it."""
    async with browse(chromium) as tabs:
        page = await tabs.new_page()
        await page.route(
            address.partition("?")[0] + "**",
            lambda route: route.fulfill(body=content, content_type="text/html"),
        )
        await page.goto(address)
        yield page
        await page.unroute_all(behavior="ignoreErrors")  # it may still ask for the address
