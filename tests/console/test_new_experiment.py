"""An experiment begins with its price: models with what they cost, and an estimate first."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.console.conftest import Look
from tests.server.conftest import Serve, ask, begin


async def test_a_bad_answer_leads_to_an_experiment_with_an_estimate(serve: Serve, look: Look):
    served = await serve()
    boss = await served.client("boss", is_admin=True)
    chat = await begin(boss, "A chat")
    await ask(boss, chat, "tell me a story about work")
    viewer = await look(served, "/")
    page = viewer.page
    await viewer.sign_in("boss", is_admin=True)
    await viewer.go(f"#/chat/{chat}")
    await page.get_by_role("button", name="Bad answer").click()
    await page.get_by_role("link", name="Try another model").click()

    await expect(page).to_have_url(re.compile(f"chat={chat}$"))
    listed = (
        await boss.post("/api/config/models", json={"provider": "offline", "prices": True})
    ).json()
    options = page.locator("datalist option")
    await expect(options).to_have_count(len(listed))
    assert (listed[0]["input_usd"], listed[0]["output_usd"]) == ("0", "0")
    await expect(page.get_by_role("status").first).to_contain_text("No estimate")
    await page.get_by_label("Model").fill(listed[0]["id"])
    await expect(page.locator("#price")).to_contain_text("$0 in, $0 out, per million tokens")
    told = page.locator("form").get_by_role("status")
    await expect(told).to_contain_text("About $0 for 1 chat on both sides")
    assert await viewer.list_barriers() == []
    await viewer.look_as(390, "dark")
    assert await viewer.list_barriers() == []
