"""The console says where a replayed conversation first differs, why, and how to run it again."""

from __future__ import annotations

from httpx2 import AsyncClient
from playwright.async_api import expect

from tests.console.conftest import Look
from tests.server.conftest import Served
from tests.server.replays import TALK, finish, post


async def test_a_replayed_conversation_shows_its_first_difference(
    served: Served, local: AsyncClient, look: Look
) -> None:
    made = await post(local, conversations=[TALK], baseline=False)
    await finish(local, made["id"])
    page = (await look(served, f"/#/lab.experiments/{made['id']}?n=0")).page
    told = page.get_by_label("First difference")
    await expect(page.get_by_label("Hide which side is which")).to_be_checked()
    await expect(told).to_have_count(0)
    await page.get_by_role("button", name="Reveal here").click()
    await expect(told).to_contain_text("is the first that differs")
    await expect(told).to_contain_text("plainloop replay live --from FILE.jsonl --no-baseline")
    await expect(page.locator("main li.panel .notice")).to_have_text("First difference")
