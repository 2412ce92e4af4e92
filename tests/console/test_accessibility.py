"""Every screen for those who do not see it, or have no mouse: roles, names, order and focus.

What is read out of a screen is in `aria/`, without what changes from day to day.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import expect

from tests.console.conftest import SAID, Look, Viewer
from tests.server.conftest import Serve, ask, begin
from tests.server.replays import finish, post

ARIA = Path(__file__).parent / "aria"
WIDTHS = (320, 390, 768, 1440, 1920)
LOOKS = [(320, "dark"), (1440, "light")]
NAME = """() => {
    const at = document.activeElement;
    const label = at.labels?.[0]?.cloneNode(true);
    label?.querySelectorAll("select, input").forEach((field) => field.remove());
    return (at.ariaLabel ?? label?.textContent ?? at.textContent).trim();
}"""
# How far a menu's card passes the left and right edge of its page, in pixels.
OUTSIDE = """async (card) => {
    // It is laid in the frame that shows it, behind that frame's callbacks.
    await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
    const { left, right } = card.getBoundingClientRect();
    const room = card.closest("main").getBoundingClientRect();
    return left < room.left || right > room.right ? [left - room.left, room.right - right] : null;
}"""
PROSE = """() => {
    const main = document.querySelector("main").cloneNode(true);
    main.querySelectorAll("code, pre, .finding").forEach((part) => part.remove());
    return main.textContent;
}"""


@dataclass(frozen=True)
class Screen:
    """shown: what stands there once all of it has come. order: what Tab reaches from its beginning
    on, by its name.
    """

    name: str
    address: str
    shown: str
    order: tuple[str, ...] = ()


async def fill(serve: Serve, look: Look) -> tuple[Viewer, list[Screen]]:
    """Somebody who looks at a service that has something on every screen."""
    served = await serve(auth=False)
    local = await served.client()
    conversation = await begin(local, "a title")
    await local.put("/api/budgets", json={"scope": "tenant", "limit_tokens": 50_000})
    run = (await ask(local, conversation, "add a job: Cook at Cafe Uno"))["run_id"]
    replay = (await post(local))["id"]
    await finish(local, replay)
    await ask(local, conversation, "delete job 1")  # waits for somebody
    periods = ("24 h", "7 days", "30 days", "This month", "Last month", "Custom")
    answers = ("Current values", "Approve", "Decline", "Decline with a reason")
    decide = ("Mine 1", "Everyone", "Decided", "a title", *answers)
    return await look(served), [
        Screen(
            "chat", "#/chat", "How can I help", ("Your message", "Attach a file", "Offline rules")
        ),
        Screen(
            "threads",
            "#/history",
            "a title",
            ("Search chats", "Add filter", "Export all", "Everyone's"),
        ),
        Screen("approvals", "#/approvals", "Current values", decide),
        Screen(
            "usage",
            "#/usage",
            "Where the cost arose",
            (*periods, "Compare with the 30 days before"),
        ),
        Screen("replays", "#/lab.experiments", "The same again", ("Advice", "Compare two runs")),
        Screen(
            "replay-new", "#/lab.experiment", "Spending limit", ("Experiments", "Conversations")
        ),
        Screen("compare", "#/lab.compare", "As B", ("Experiments", "Choose runs")),
        Screen(
            "system",
            "#/health",
            "All checks passed",
            ("waiting for people", "You: decide under Approvals"),
        ),
        Screen(
            "settings", "#/settings", "Model in use", ("Models and keys", "Tools and approvals")
        ),
        Screen("settings-tools", "#/settings/tools", "Asks you every time", ()),
        Screen("settings-prices", "#/settings/prices", "US dollars per million tokens", ()),
        Screen("settings-all", "#/settings/all", "Version", ("Models and keys",)),
        Screen("settings-appearance", "#/settings/appearance", "Light", ()),
        Screen("settings-data", "#/settings/data", "Erase", ()),
        Screen("settings-keyboard", "#/settings/keyboard", "Single-key", ()),
        Screen("settings-clients", "#/settings/clients", "OpenAI", ()),
        Screen("chat-waiting", f"#/chat/{conversation}", "Delete #1 Cook at Cafe Uno?"),
        Screen("threads-filtered", "#/history?status=waiting&user_id=*", "Clear filters"),
        Screen(
            "approvals-everybody", "#/approvals?user_id=*", "No approvals are waiting", ("Mine 1",)
        ),
        Screen(
            "run",
            f"#/runs/{run}",
            "Run 1 of",
            ("History", "a title", "Compare", "Try another model"),
        ),
        Screen(
            "replay",
            f"#/lab.experiments/{replay}",
            "What this does not prove",
            ("Experiments", "Change and run again", "Report"),
        ),
        Screen(
            "replay-conversation",
            f"#/lab.experiments/{replay}?n=0",
            "Nothing to judge",
            ("Experiments", "The same again"),
        ),
        Screen("compared", f"#/lab.compare?a={run}&b={run}", "Tool calls"),
    ]


async def visit(viewer: Viewer, screens: list[Screen]) -> AsyncIterator[Screen]:
    """Each in turn, once all of it has come."""
    page = viewer.page
    for screen in screens:
        await viewer.go(screen.address)
        await expect(page.locator("main")).to_contain_text(screen.shown)
        await expect(page.locator("h1")).to_have_count(1)
        yield screen


async def test_every_screen_passes_accessibility_keyboard_and_width_checks(
    serve: Serve, look: Look
):
    """In their order; without a name that only programs have, a barrier or a way sideways."""
    viewer, screens = await fill(serve, look)
    page, main, orders = viewer.page, viewer.page.locator("main"), dict[str, tuple[str, ...]]()
    programs, broken = dict[str, list[str]](), dict[str, Any]()

    async for screen in visit(viewer, screens):
        await expect(main).to_be_focused()
        names = list[str]()
        for _ in screen.order:
            await page.keyboard.press("Tab")
            names.append(await page.evaluate(NAME))
        orders[screen.name] = tuple(names)
        if names := re.findall(r"\b[a-z]+_[a-z_]+\b", await page.evaluate(PROSE)):
            programs[screen.name] = names
        if screen.name == "run":
            await page.click("button.trace-row.model >> nth=0")
        await expect(main).to_match_aria_snapshot(read_out(screen.name))
        if screen.name == "run":
            await page.get_by_role("button", name="Prompt").click()
            await expect(main).to_contain_text("Rebuilt from the ledger")
        for width, scheme in LOOKS:
            await viewer.look_as(width, scheme)
            if found := await viewer.list_barriers():
                broken[f"{screen.name} {width} {scheme}"] = found
        for width in WIDTHS:
            await page.set_viewport_size({"width": width, "height": 900})
            if await page.evaluate("document.documentElement.scrollWidth - innerWidth") > 0:
                broken[f"{screen.name} {width}"] = ["scrolls sideways"]
        await viewer.look_as(1440, "light")
    navigation = page.get_by_role("navigation", name="Screens")
    await expect(navigation).to_match_aria_snapshot(read_out("navigation"))

    assert orders == {screen.name: screen.order for screen in screens}
    assert (programs, broken) == ({}, {})


async def test_every_menu_opens_within_the_screen_it_belongs_to(serve: Serve, look: Look):
    viewer, screens = await fill(serve, look)
    page, outside, opened = viewer.page, list[Any](), set[str]()
    by_chat = Screen("usage-by-chat", "#/usage?by=chat", "Chats by cost")

    async for screen in visit(viewer, [*screens, by_chat]):
        for width in (390, 1280):
            await page.set_viewport_size({"width": width, "height": 900})
            for menu in await page.locator("main .menu").all():
                if not await menu.is_visible():
                    continue
                await menu.locator("summary").click()
                await expect(menu.locator(".card")).to_be_visible()
                opened.add(await menu.locator("summary").get_attribute("title") or "")
                if found := await menu.locator(".card").evaluate(OUTSIDE):
                    outside.append((screen.name, width, found))
                await page.keyboard.press("Escape")
        await page.set_viewport_size({"width": 1440, "height": 900})

    assert outside == []
    assert opened >= {"Whose usage", "Export", "Split by", "Another period", "More for this chat"}


def read_out(name: str) -> str:
    return (ARIA / f"{name}.yml").read_text(encoding="utf-8")


async def test_the_keyboard_reaches_content_and_search(serve: Serve, look: Look):
    viewer = await look(await serve(auth=False), "/#/history")
    await viewer.page.wait_for_selector("h1")

    await viewer.page.keyboard.press("Tab")
    await expect(viewer.page.locator(":focus")).to_have_text("Skip to content")
    await viewer.page.keyboard.press("/")
    await expect(viewer.page.locator(":focus")).to_have_id("search")
    await viewer.go("#/chat")
    await expect(viewer.page.locator(SAID)).to_be_visible()


async def test_the_focus_moves_to_the_chosen_screen_and_is_never_lost(serve: Serve, look: Look):
    served = await serve()
    ann = await served.client()
    await ask(ann, await begin(ann, "a title"), "x" * 3000)
    viewer = await look(served, "/#/usage")
    page, focus = viewer.page, viewer.page.locator(":focus")
    await expect(focus).to_have_id("token")
    await page.keyboard.type(served.token())
    await page.keyboard.press("Enter")
    await expect(page.locator("main.usage")).to_be_focused()

    await page.get_by_role("link", name="Tokens", exact=True).first.press("Enter")
    await expect(page.locator("main h2").first).to_have_text("Tokens per day")
    assert await page.evaluate(NAME) == "Tokens"
    await page.click(".went td.name a")  # the runs of the model
    await page.get_by_role("button", name="Remove").first.press("Enter")
    await expect(page.locator("main")).to_be_focused()

    await expect(page.locator(".went th.name").first).to_have_text("Answer")
    await page.click(".went td.name a >> nth=0")
    # Who does not run the service first reads why, in words; the trace is one step further.
    await page.get_by_role("link", name="For developers").press("Enter")
    await expect(page.locator("main")).to_be_focused()
    await page.click("button.trace-row.model >> nth=0")
    await page.get_by_role("button", name="Prompt").click()
    await page.get_by_role("button", name="Show all").first.press("Enter")
    await expect(page.locator("pre:focus")).to_contain_text("xxx")
