"""Signing a browser in: a cookie that no script reads, and that no foreign page can use."""

from __future__ import annotations

import httpx2
from playwright.async_api import expect

from plainloop.server.auth.session import COOKIE, HEADER
from tests.console.conftest import SAID, Look
from tests.server.conftest import Serve, Served

PATH = "/api/chat/conversations"


async def test_sign_in_stores_the_session_where_no_script_can_read_it(serve: Serve, look: Look):
    served = await serve()
    viewer = await look(served)
    alert = viewer.page.get_by_role("alert")
    await viewer.page.fill("#token", "nonsense")
    await expect(alert).to_have_count(0)  # nothing was tried yet
    await viewer.page.click("button:text('Sign in')")
    await expect(alert).to_contain_text("not valid. Check that you copied all of it")
    await expect(viewer.page.locator("#token")).to_be_focused()
    assert await viewer.list_barriers() == []
    await viewer.page.get_by_role("button", name="Show the access token").click()
    await expect(viewer.page.locator("#token")).to_have_attribute("type", "text")

    await viewer.sign_in()
    await viewer.page.reload()

    await expect(viewer.page.locator(SAID)).to_be_visible()
    readable = await viewer.page.evaluate("document.cookie")
    assert readable == "plainloop_run=shown"  # how the page is laid out; not the session
    assert await viewer.page.evaluate("localStorage.length + sessionStorage.length") == 0
    cookies = await viewer.page.context.cookies()
    (cookie,) = (one for one in cookies if one.get("name") != "plainloop_run")
    assert (cookie.get("name"), cookie.get("httpOnly"), cookie.get("sameSite")) == (
        COOKIE,
        True,
        "Strict",
    )
    await viewer.go("#/settings/account")
    await viewer.page.click("button:text('Sign out')")
    await expect(viewer.page.locator("#token")).to_be_visible()


async def test_the_sign_in_page_asks_for_no_token_while_the_service_fails(serve: Serve, look: Look):
    viewer = await look(await serve())
    page = viewer.page
    await page.wait_for_selector("#token")

    await page.route("**/api/session", lambda route: route.abort())
    await page.reload()
    await expect(page.get_by_role("heading", name="Not available")).to_be_visible()
    await expect(page.locator("#token")).to_have_count(0)
    await page.unroute("**/api/session")
    await page.get_by_role("button", name="Try again").click()

    await expect(page.locator("#token")).to_be_visible()


async def test_a_session_cookie_can_change_data_only_from_the_same_origin(serve: Serve):
    served = await serve()
    refused: tuple[dict[str, str], ...] = (
        {},
        {HEADER: "1"},
        {HEADER: "1", "origin": "https://evil.example"},
        {HEADER: "1", "origin": "null"},
        {"origin": served.url},
    )
    cookies = {COOKIE: await begin_session(served)}
    async with httpx2.AsyncClient(base_url=served.url, cookies=cookies, trust_env=False) as browser:
        for headers in refused:
            assert (await browser.post(PATH, json={}, headers=headers)).status_code == 403, headers
        own = {HEADER: "1", "origin": served.url}
        answers = [await browser.get(PATH), await browser.post(PATH, json={}, headers=own)]

    assert [answer.status_code for answer in answers] == [200, 201]


async def begin_session(served: Served) -> str:
    ann = await served.client("ann")
    begun = await ann.post("/api/session")
    assert begun.status_code == 201
    return begun.cookies[COOKIE]


async def test_a_copied_cookie_is_invalid_after_signing_out(serve: Serve):
    served = await serve()
    cookie = await begin_session(served)
    async with httpx2.AsyncClient(
        base_url=served.url, cookies={COOKIE: cookie}, trust_env=False
    ) as browser:
        before = await browser.get(PATH)
        own = {HEADER: "1", "origin": served.url}
        ended = await browser.delete("/api/session", headers=own)
        browser.cookies.set(COOKIE, cookie)
        after = await browser.get(PATH)
    ann = await served.client("ann")

    assert (before.status_code, ended.status_code, after.status_code) == (200, 204, 401)
    assert after.json()["error"]["code"] == "SESSION_ENDED"
    assert served.token("ann") not in cookie
    assert (await ann.get(PATH)).status_code == 200


async def test_approvals_of_others_are_listed_only_for_admins(serve: Serve):
    served = await serve()
    ann, boss = await served.client("ann"), await served.client("boss", is_admin=True)

    assert (await ann.get("/api/approvals", params={"everybody": True})).status_code == 403
    assert (await boss.get("/api/approvals", params={"everybody": True})).json() == {
        "approvals": []
    }
