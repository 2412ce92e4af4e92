"""The page Documents in a browser: what administrators add, search and delete, and others see."""

from __future__ import annotations

import pytest
from playwright.async_api import FilePayload, expect

from plainloop.agent.store.store import Store
from tests.console.conftest import Look, look
from tests.server.conftest import Serve, serve

__all__ = ["look", "serve"]
SCREEN = "/#/knowledge.documents"
DESK = "packages.retrieval.tests.answering"
PACKS = (DESK, "packages.retrieval.tests.shipping")
TEXT = b"# <b>Canteen</b>\n\nLunch is at noon.\n\n# Tea\n\nTea is free.\n"


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
async def test_an_administrator_adds_searches_and_deletes_documents(
    serve: Serve, look: Look, store: Store, width: int, scheme: str
):
    served = await serve(auth=False, packs=PACKS)
    client = await served.client()
    viewer = await look(served, SCREEN, width=width, scheme=scheme)
    page = viewer.page
    listed = page.get_by_role("list", name="Documents", exact=True).get_by_role("listitem")
    found = page.get_by_role("list", name="Passages found").get_by_role("listitem")
    await expect(page.get_by_text("No documents yet.")).to_be_visible()

    await page.get_by_label("Untrusted").check()
    chosen = page.get_by_label("Add a document")
    await chosen.set_input_files(FilePayload(name="a.md", mimeType="text/markdown", buffer=TEXT))
    await expect(page.get_by_text("a.md was added: 2 passages.")).to_be_visible()
    await expect(listed).to_contain_text("2 passages, searched by words only")
    await expect(listed).to_contain_text("Written by others")
    await chosen.set_input_files(FilePayload(name="b.md", mimeType="text/markdown", buffer=b" "))
    await expect(page.get_by_role("alert")).to_contain_text("the file is empty")
    async with store.transaction("local") as tx:
        vector = "set embedding_model = 'm', embedding = '{1}' where position = 1"
        await tx.execute(f"update knowledge_passages {vector}")
    await page.reload()
    await expect(listed).to_contain_text("1 of them can be found by words only")

    await page.keyboard.press("/")
    await page.keyboard.type("lunch")
    await page.keyboard.press("Enter")
    await expect(found).to_contain_text("a.md · passage 1 · <b>Canteen</b>")
    await expect(found).to_contain_text("Lunch is at noon.")
    await expect(page.get_by_text("1 passage found, by words alone")).to_be_visible()
    assert await viewer.list_barriers() == []
    overflow = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not await page.evaluate(overflow)

    await listed.get_by_role("button", name="Delete").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Really delete a.md?")).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(listed.get_by_role("button", name="Delete", exact=True)).to_be_focused()
    assert len((await client.get("/api/knowledge")).json()["documents"]) == 1
    await listed.get_by_role("button", name="Delete").click()
    await page.get_by_role("button", name="Really delete a.md?").click()
    await expect(listed).to_have_count(0)
    await expect(page.locator("main")).to_be_focused()
    assert (await client.get("/api/knowledge")).json()["documents"] == []
    await page.get_by_label("Collection").select_option("shipped")
    await expect(page.get_by_text("No documents yet.")).to_be_visible()
    assert await viewer.list_barriers() == []


async def test_users_can_read_but_not_change_documents(serve: Serve, look: Look):
    served = await serve(packs=(DESK,))
    admin = await served.client("ada", is_admin=True)
    await admin.post("/api/knowledge", files={"file": ("a.md", TEXT, "text/markdown")})
    viewer = await look(served)
    await viewer.sign_in("bob")
    await viewer.go(SCREEN[1:])
    page = viewer.page
    await expect(page.get_by_role("list", name="Documents", exact=True)).to_contain_text("a.md")
    assert await page.locator("main :is(button, input)").count() == 0
    assert await viewer.list_barriers() == []
