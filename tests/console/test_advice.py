"""Advice on models: planned, begun and read on one screen; models that end are told of."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.async_api import expect

from tests.console.conftest import Look
from tests.server.conftest import Serve, ask, begin

ENDS = """
[[endings]]
provider = "offline"
models = ["offline-rules"]
ends = 2027-01-14
successor = "offline-rules-2"
"""
SWITCHED = """
update advices set result = (result::jsonb || jsonb_build_object(
    'verdict', 'passed', 'saves_usd', 12.5, 'workers', jsonb_build_array(
        (result::jsonb #> '{workers,0}') || '{"kind": "switch", "reason": "", "candidate":
            "offline:offline-rules-2@low", "saves_usd": 12.5, "today_usd": 20, "conversations": 240,
            "cost_ratio": 0.4, "cost_ratio_half": 0.1}'
    )))::json
where tenant_id = 'local'
"""


async def test_the_card_of_an_ending_model_links_to_advice(
    serve: Serve, look: Look, tmp_path: Path
):
    (tmp_path / "endings.toml").write_text(ENDS)
    served = await serve(auth=False, endings_file=tmp_path / "endings.toml")
    local = await served.client()
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    viewer = await look(served, "/#/usage")
    page = viewer.page
    told = re.compile(r"100 % of your calls end on 14 January 2027 .*: offline:offline-rules")
    await expect(page.get_by_role("heading", name="offline-rules")).to_be_visible()
    await expect(page.get_by_text(told)).to_be_visible()
    assert await viewer.list_barriers() == []
    await viewer.go("#/health")
    await expect(page.get_by_text(told)).to_be_visible()
    await page.get_by_role("link", name="Try offline-rules-2").click()
    await page.get_by_role("button", name="Show the plan").click()
    await expect(page.get_by_role("status")).to_contain_text("offline-rules-2")
    assert await viewer.list_barriers() == []
    await page.get_by_role("button", name="Start: at most $5.00").click()
    verdict = page.get_by_role("region", name="Verdict")
    await expect(verdict).to_contain_text("Undecided")
    await expect(page.get_by_role("group", name="workers")).to_contain_text(
        "the margin needs at least"
    )
    await expect(page.get_by_text("Settings to paste")).to_have_count(0)

    async with served.service.store.transaction("local") as tx:
        await tx.execute(SWITCHED)
    for width, scheme in ((1440, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        await page.reload()
        await expect(verdict).to_contain_text("Switch 1 of 1 workers: saves about $12.50 a month")
        await expect(page.locator("pre")).to_contain_text('model = "offline-rules-2"')
        await expect(page.get_by_role("group", name="after the switch")).to_contain_text(
            "not switched"
        )
        await expect(
            page.get_by_role("listitem").filter(has_text="today's cost a month: $20.00")
        ).to_be_visible()
        assert await viewer.list_barriers() == []
        assert await page.evaluate("document.body.scrollWidth <= innerWidth")
    async with page.expect_download() as saved:
        await page.get_by_role("link", name="Rules for a gate").click()
    assert (await saved.value).suggested_filename == "rules.toml"
    assert "[[rule]]" in Path(await (await saved.value).path()).read_text()
    await viewer.go("#/advice")
    await expect(page.get_by_role("link", name="Switch 1 of 1 workers")).to_be_visible()
    assert await viewer.list_barriers() == []


async def test_advice_without_a_known_candidate_takes_named_models(serve: Serve, look: Look):
    served = await serve(auth=False)
    local = await served.client()
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    viewer = await look(served, "/#/advice?new=1")
    page = viewer.page
    await page.get_by_role("button", name="Show the plan").click()
    await expect(page.get_by_role("alert")).to_contain_text("Name the models to try")
    await page.get_by_label("Models to try").fill("offline-rules-2, offline-rules-3@low")
    async with page.expect_request("**/api/advice/plan") as sent:
        await page.get_by_role("button", name="Show the plan").click()
    body = (await sent.value).post_data_json
    assert body["candidates"] == ["offline-rules-2", "offline-rules-3@low"]
    assert await viewer.list_barriers() == []
