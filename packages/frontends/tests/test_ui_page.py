"""A page with `useChat({ resume: true })` in Chromium, whose network goes away in the middle."""

from __future__ import annotations

from pathlib import Path

from tests.machine.scripted import text, tools, triage
from tests.protocols.conftest import ServeNotes
from tests.protocols.node_clients import require_node
from tests.protocols.pages import bundle, open_page, write_page
from tests.protocols.proxying import proxying
from tests.runs.test_detached import Gate

from .test_ai_sdk import ADD, load_answer


async def test_a_page_reconnecting_after_an_outage_shows_the_answer_once(
    serve: ServeNotes, chromium: str, tmp_path: Path
) -> None:
    for package in ("@ai-sdk/react", "react-dom", "esbuild"):
        require_node(package)
    program = await bundle(tmp_path / "page.js", "page.jsx")
    gate = Gate(text("And the rest of it."))
    served = await serve(triage("note_writer"), tools(ADD, said="I note it."), gate)
    content = write_page(program, chat={"api": "/api/ui/default/chat", "token": served.token()})
    async with (
        proxying(served.url) as line,
        open_page(chromium, f"{line.url}/page", content) as page,
    ):
        await page.get_by_role("button").click()
        await page.get_by_text("I note it.").wait_for()
        await page.context.set_offline(True)
        line.cut()  # what is open survives that switch
        await page.wait_for_function("document.title === 'error'")
        line.is_cut = False
        await page.context.set_offline(False)
        # It comes back when it is looked at again.
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await page.wait_for_function("document.title === 'streaming'")
        gate.open.set()
        await page.wait_for_function("document.title === 'ready'")
        shown = await page.locator("p.assistant").all_inner_texts()

    assert [said.split() for said in shown] == [(await load_answer(served)).split()]
    assert shown[0].split() == "I note it. And the rest of it.".split()
