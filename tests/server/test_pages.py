"""Pages for people: what they hold, what a browser may do with them, whose numbers they show."""

from __future__ import annotations

import re
from typing import Literal, get_args, get_type_hints

import httpx2
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import BrowserContext

from plainloop.agent.events import EVENT_NAMES
from plainloop.agent.service.changes import Change
from tests.server.conftest import Serve, Served, ask, begin
from tests.server.test_browser import open_tab, tabs

__all__ = ["tabs"]
LOOKS: tuple[tuple[Literal["light", "dark"], int], ...] = (
    *(("light", 320), ("dark", 360)),
    *(("light", 1200), ("dark", 1200)),
)


async def test_public_pages_contain_no_data_and_load_nothing_external(
    served: Served, ann: httpx2.AsyncClient
):
    await ask(ann, await begin(ann, "the title of ann"), "how many jobs do I have?")
    async with httpx2.AsyncClient(base_url=served.url, trust_env=False) as nobody:
        page, led = await nobody.get("/docs"), await nobody.get("/usage")
    policy = page.headers["content-security-policy"]
    notice = (await ann.get("/api/config")).json()["notice"]
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert not re.search(r"(src|href)=\"?(https?:)?//", page.text)
    assert "title of ann" not in page.text
    assert "no language model" in notice and notice in page.text
    assert policy.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in policy
    assert "'unsafe-inline'" not in policy
    assert (led.status_code, led.headers["location"]) == (307, "/#/usage")


async def test_the_docs_page_can_try_a_route_in_both_themes_and_on_a_phone(
    served: Served, tabs: BrowserContext
):
    page = await open_tab(tabs, f"{served.url}/docs")
    await page.set_viewport_size({"width": 320, "height": 700})
    await page.fill("#token", served.token("ann"))
    route = page.locator("#post_chat_conversations")
    await route.locator("summary").click()
    await route.locator("textarea").fill('{"title": "<b>tried</b>"}')
    await route.locator("button").click()
    await page.wait_for_selector("#post_chat_conversations .result:has-text('<b>tried</b>')")
    assert (await route.locator(".result").inner_text()).startswith("201 application/json")
    events = {*EVENT_NAMES, *get_args(get_type_hints(Change)["event"])}
    assert await page.locator("#events ~ p code").count() == len(events)
    for scheme, width in LOOKS:
        await page.emulate_media(color_scheme=scheme)
        await page.set_viewport_size({"width": width, "height": 800})
        found = (await Axe().run(page)).response["violations"]
        told = [(item["id"], item["nodes"][0]["html"]) for item in found]
        assert told == [], (scheme, width)
        assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_the_contract_contains_the_event_payloads(serve: Serve):
    served = await serve(auth=False)
    document = (await (await served.client()).get("/openapi.json")).json()
    stream = document["paths"]["/api/chat/conversations/{conversation_id}/stream"]["get"]
    events = stream["responses"]["200"]["content"]["text/event-stream"]["x-events"]
    asked = document["components"]["schemas"][events["approval_request"]["$ref"].rpartition("/")[2]]

    assert {*events} == {*EVENT_NAMES}
    assert set(asked["properties"]) == {
        "approval_id",
        "id",
        "name",
        "arguments",
        "question",
        "expires_s",
    }
