"""The page Memory in a browser: what is remembered is seen, searched, corrected and erased."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.console.conftest import Look, look
from tests.server.conftest import Serve

__all__ = ["look"]
SCREEN = "/#/memory.memories"


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
async def test_the_user_can_read_correct_and_erase_memories_in_the_console(
    serve: Serve, look: Look, width: int, scheme: str
):
    served = await serve(auth=False)
    client = await served.client()
    for said in ("likes tea", "<b>lives</b> in Rome", "has a cat"):
        await client.post("/api/memories", json={"text": said})
    viewer = await look(served, SCREEN, width=width, scheme=scheme)
    page = viewer.page
    await expect(page.locator("h1")).to_have_text("Memory")
    await expect(page.locator("li.card")).to_have_count(3)
    await expect(page.get_by_text("<b>lives</b> in Rome")).to_be_visible()
    assert await viewer.list_barriers() == []

    await page.get_by_label("Search memories").fill("cat")
    await expect(page.locator("li.card")).to_have_count(1)
    await page.get_by_label("Search memories").fill("")
    rome = page.get_by_label("Memory 2", exact=True)
    await rome.get_by_role("button", name="Correct").click()
    await rome.get_by_label("Corrected text").fill("lives in Oslo")
    await rome.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("lives in Oslo")).to_be_visible()
    await page.get_by_label("Memory 1", exact=True).get_by_role("button", name="Erase").click()
    await expect(page.locator("li.card")).to_have_count(2)
    left = (await client.get("/api/memories")).json()["memories"]
    assert {row["text"] for row in left} == {"lives in Oslo", "has a cat"}

    await page.get_by_role("button", name="Erase all").click()
    await page.get_by_role("button", name="Really erase all 2?").click()
    await expect(page.get_by_text("No memories yet")).to_be_visible()
    assert (await client.get("/api/memories")).json()["memories"] == []
    assert await viewer.list_barriers() == []
    overflow = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not await page.evaluate(overflow)
