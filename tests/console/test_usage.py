"""Usage: charts with axes, every bar and row of which leads to its runs."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.console.conftest import Look
from tests.server.conftest import Serve, ask, begin

TILES = ".tile"


async def test_usage_has_axes_and_every_bar_and_row_leads_to_its_runs(serve: Serve, look: Look):
    served = await serve(auth=False)
    local = await served.client()
    told = await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    await local.put("/api/budgets", json={"scope": "tenant", "limit_tokens": 50_000})
    (row,) = (await local.get("/api/usage", params={"by": "day"})).json()["usage"]
    viewer = await look(served, "/usage")
    page = viewer.page

    await expect(page.locator(TILES).nth(2)).to_have_text(f"Model calls{row['calls']}")
    tokens = page.locator(".chart").nth(1)
    await expect(tokens.locator("text.left").first).to_have_text("0")
    await expect(tokens.locator("rect")).to_have_count(1)
    await expect(page.locator(".chart").nth(2).locator("circle")).to_have_count(2)
    await expect(page.locator("main")).to_contain_text("50,000 tokens")
    await page.select_option("select >> nth=0", "role")
    await expect(page.locator("td.name").first).to_have_text(re.compile("worker|classifier"))
    await tokens.locator("rect").click()
    await page.click(f"a[href='#/runs/{told['run_id']}']")

    await expect(page.locator("h1")).to_contain_text("“")
    assert viewer.troubles == viewer.foreign == []


async def test_one_sees_ones_own_numbers_and_an_admin_everybodys(serve: Serve, look: Look):
    served = await serve()
    ann, bob = await served.client("ann"), await served.client("bob")
    for client, times in ((ann, 1), (bob, 2)):
        for _ in range(times):
            await ask(client, await begin(client), "add a job: Cook at Cafe Uno")
    calls = [(await client.get("/api/usage")).json()["usage"][0]["calls"] for client in (ann, bob)]
    owns = await look(served, "/#/usage")
    await owns.page.fill("#token", served.token("ann"))
    await owns.page.click("button:text('Sign in')")
    await expect(owns.page.locator(TILES).nth(2)).to_have_text(f"Model calls{calls[0]}")
    await expect(owns.page.get_by_label("Everyone")).to_have_count(0)

    admins = await look(served, "/#/usage?by=user&everybody=1")
    await admins.page.fill("#token", served.token("boss", is_admin=True))
    await admins.page.click("button:text('Sign in')")
    await expect(admins.page.locator(TILES).nth(2)).to_have_text(f"Model calls{sum(calls)}")
    await expect(admins.page.locator("td.name")).to_contain_text(["bob", "ann"])
    async with admins.page.expect_download() as download:
        await admins.page.click("a:text('CSV')")
    assert (await (await download.value).path()).read_text().startswith("user,calls,")
