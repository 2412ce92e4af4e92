"""Helpers in the console: a branch while they work and afterwards, each with a page of its own."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.console.conftest import Look
from tests.helpers.conftest import ScoutModels, ask, make_scout_pack
from tests.machine.scripted import ScriptedModels, text, tools
from tests.runs.test_detached import Gate
from tests.server.conftest import Serve


async def test_helper_runs_are_shown_below_their_caller(serve: Serve, look: Look):
    held = Gate(text("Signalled."))
    served = await serve(auth=False)
    served.service.packs = (make_scout_pack([]),)
    models = ScoutModels(
        lead=[tools(*ask("north", "west")), text("All is told.")],
        north=[tools(*ask("south")), text("Snow.")],
        south=[text("Rain.")],
        west=[tools(("w1", "list_notes", {"limit": -1})), tools(("w2", "listen", {})), held],
    )
    served.service.models = ScriptedModels(models)  # type: ignore[assignment]
    viewer = await look(served)
    page = viewer.page
    await viewer.say("please look around")
    await held.asked.wait()
    if not await page.locator("aside.timeline").count():
        await page.get_by_role("button", name=re.compile("run", re.IGNORECASE)).first.click()
    branches = page.locator("aside.timeline .branch")
    await expect(branches).to_have_count(2)
    await expect(branches.nth(0)).to_contain_text("South")
    await expect(branches.nth(1)).to_contain_text("Listen")
    held.open.set()
    await expect(page.locator("main")).to_contain_text("All is told.")
    await expect(branches.nth(1)).to_contain_text("Completed", ignore_case=True)
    assert await viewer.list_barriers() == []

    await branches.nth(0).get_by_role("link").click()
    await expect(page.locator("h1")).to_contain_text("look north")
    await page.get_by_role("link", name="Helper of another run").click()
    await expect(page.locator("h1")).to_contain_text("please look around")
    rows = page.locator("button.trace-row.helper")
    await expect(rows).to_have_count(2)
    await rows.nth(1).click()
    await page.get_by_role("link", name="open the run").click()
    await expect(page.locator("h1")).to_contain_text("look west")
