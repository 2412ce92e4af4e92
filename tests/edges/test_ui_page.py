"""A page with `useChat({ resume: true })` in Chromium, whose network goes away in the middle."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from playwright.async_api import Route, async_playwright

from tests.edges.conftest import ServeNotes
from tests.edges.node_clients import FOLDER, require_node
from tests.edges.proxying import proxying
from tests.edges.test_ai_sdk import ADD, load_answer
from tests.machine.scripted import text, tools, triage
from tests.runs.test_detached import Gate

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
PATIENCE_MS = 90_000


async def bundle(target: Path, program: str = "page.jsx", *options: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *(str(FOLDER / "node_modules" / ".bin" / "esbuild"), str(FOLDER / program)),
        *("--bundle", "--jsx=automatic", "--format=esm", f"--outfile={target}"),
        '--define:process.env.NODE_ENV="production"',
        *options,
        cwd=FOLDER,  # where it finds what an option names
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(120):
        told, _ = await process.communicate()
    assert process.returncode == 0, told.decode()
    return target.read_text()


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (apt-get install chromium)")
async def test_a_page_that_was_offline_shows_the_whole_answer_once(
    serve: ServeNotes, tmp_path: Path
) -> None:
    for package in ("@ai-sdk/react", "react-dom", "esbuild"):
        require_node(package)
    program = await bundle(tmp_path / "page.js")
    gate = Gate(text("And the rest of it."))
    served = await serve(triage("note_writer"), tools(ADD, said="I note it."), gate)
    told = {"api": "/api/ui/default/chat", "token": served.token()}
    html = f"<title>-</title><body><script>window.chat = {json.dumps(told)}</script>"

    script = program.replace("</script", "<_script")
    page_text = f'<!doctype html><meta charset=utf-8>{html}<script type="module">{script}</script>'

    async def give(route: Route) -> None:
        await route.fulfill(body=page_text, content_type="text/html")

    async with async_playwright() as playwright, proxying(served.url) as line:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        context = await browser.new_context()
        page = await context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        await page.route("**/page", give)
        await page.goto(f"{line.url}/page")
        await page.get_by_role("button").click()
        await page.get_by_text("I note it.").wait_for()
        await context.set_offline(True)
        line.cut()  # what is open survives that switch
        await page.wait_for_function("document.title === 'error'")
        line.is_cut = False
        await context.set_offline(False)
        # It comes back when it is looked at again.
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await page.wait_for_function("document.title === 'streaming'")
        gate.open.set()
        await page.wait_for_function("document.title === 'ready'")
        shown = await page.locator("p.assistant").all_inner_texts()
        await browser.close()

    assert [said.split() for said in shown] == [(await load_answer(served)).split()]
    assert shown[0].split() == "I note it. And the rest of it.".split()
