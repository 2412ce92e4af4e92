"""A page of assistant-ui in Chromium, as its docs show one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.async_api import Route, async_playwright

from tests.edges.conftest import ServeNotes, get_model
from tests.edges.node_clients import require_node
from tests.edges.test_ui_page import CHROMIUM, PATIENCE_MS, bundle
from tests.machine.scripted import text, tools, triage


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (apt-get install chromium)")
async def test_its_instructions_count_and_its_tool_is_called_by_the_page(
    serve: ServeNotes, tmp_path: Path
) -> None:
    for package in ("@assistant-ui/react-ai-sdk", "react-dom", "esbuild"):
        require_node(package)
    program = await bundle(tmp_path / "page.js", "assistant_page.jsx")
    call = tools(("c1", "get_place", {}))
    served = await serve(triage("note_writer"), call, text("You are in Oslo."))
    told = {"api": "/api/ui/default/chat", "token": served.token()}
    html = f"<title>-</title><body><script>window.chat = {json.dumps(told)}</script>"
    script = program.replace("</script", "<_script")
    page_text = f'<!doctype html><meta charset=utf-8>{html}<script type="module">{script}</script>'

    async def give(route: Route) -> None:
        await route.fulfill(body=page_text, content_type="text/html")

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        page = await browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        await page.route("**/page", give)
        await page.goto(f"{served.url}/page")
        await page.get_by_placeholder("Say something").fill("where am I?")
        await page.get_by_role("button", name="Send").click()
        await page.get_by_text("You are in Oslo.").wait_for()
        await browser.close()
    _, asked, answered = get_model(served).requests

    assert "You help pirates.\n</wishes>" in asked.system
    assert "get_place" in [tool.name for tool in asked.tools]
    assert answered.messages[-1]["parts"][0].get("result") == "Oslo"
