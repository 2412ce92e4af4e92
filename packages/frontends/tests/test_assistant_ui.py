"""A page of assistant-ui in Chromium, as its docs show one."""

from __future__ import annotations

from pathlib import Path

from tests.machine.scripted import text, tools, triage
from tests.protocols.conftest import ServeNotes, get_model
from tests.protocols.node_clients import require_node
from tests.protocols.pages import bundle, open_page, write_page


async def test_assistant_uis_instructions_and_tools_reach_the_model(
    serve: ServeNotes, chromium: str, tmp_path: Path
) -> None:
    for package in ("@assistant-ui/react-ai-sdk", "react-dom", "esbuild"):
        require_node(package)
    program = await bundle(tmp_path / "page.js", "assistant_page.jsx")
    call = tools(("c1", "get_place", {}))
    served = await serve(triage("note_writer"), call, text("You are in Oslo."))
    content = write_page(program, chat={"api": "/api/ui/default/chat", "token": served.token()})
    async with open_page(chromium, f"{served.url}/page", content) as page:
        await page.get_by_placeholder("Say something").fill("where am I?")
        await page.get_by_role("button", name="Send").click()
        await page.get_by_text("You are in Oslo.").wait_for()
    _, asked, answered = get_model(served).requests

    assert "You help pirates.\n</wishes>" in asked.system
    assert "get_place" in [tool.name for tool in asked.tools]
    assert answered.messages[-1]["parts"][0].get("result") == "Oslo"
