"""Every screen for those who do not see it, or have no mouse: roles, names, order and focus.

What is read out of a screen is in `aria/`, without what changes from day to day.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import expect

from tests.console.conftest import SAID, Look, Viewer
from tests.replay.test_routes import finish, post
from tests.server.conftest import Serve, ask, begin

ARIA = Path(__file__).parent / "aria"
LOOKS = [(320, "dark"), (1440, "light")]
NAME = """() => {
    const at = document.activeElement;
    const label = at.labels?.[0]?.cloneNode(true);
    label?.querySelectorAll("select, input").forEach((field) => field.remove());
    return (at.ariaLabel ?? label?.textContent ?? at.textContent).trim();
}"""
REASON = "with a reason, for the model"


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
    search, choices = "Words in titles and messages", ("By", "Since", "Charts by", "Largest")
    question = ("What it would be called with", "1", "The row as it is now", "Approve", "Deny")
    decide = ("this conversation", *question, REASON)
    return await look(served), [
        Screen("chat", "#/chat", "Nothing said yet", ("Your message", "Send")),
        Screen("threads", "#/threads", "a title", (search, "Search", "Filters", "a title", "Runs")),
        Screen("approvals", "#/approvals", "The row as it is now", ("Everybody's", *decide)),
        Screen("usage", "#/usage", "Budgets", (*choices, "everybody's", "usage by day")),
        Screen("replays", "#/replays", "baseline against candidate", ("stored threads",)),
        Screen("compare", "#/compare", "Run A", ("Run A", "Run B", "Compare")),
        Screen(
            "system",
            "#/system",
            "Everything that is needed is there",
            ("The HTTP API", "openapi.json", "replicas", "runs that have not ended"),
        ),
        Screen("chat-waiting", f"#/chat/{conversation}", "Delete #1 Cook at Cafe Uno?"),
        Screen("threads-filtered", "#/threads?status=waiting&user_id=*", "Without filters"),
        Screen("approvals-everybody", "#/approvals?user_id=*", "Of others", ("Only mine",)),
        Screen(
            "run",
            f"#/runs/{run}",
            "Raw update",
            ("The conversation", "Compare with …", "Copy as curl", "Look again"),
        ),
        Screen("replay", f"#/replays/{replay}", "What people say", ("Look again", "html", "csv")),
        Screen(
            "replay-conversation",
            f"#/replays/{replay}?n=0",
            "Tool calls",
            ("The replay", "better", "same", "worse", "Why"),
        ),
        Screen("compared", f"#/compare?a={run}&b={run}", "Tool calls"),
    ]


async def visit(viewer: Viewer, screens: list[Screen]) -> AsyncIterator[Screen]:
    """Each in turn, once all of it has come."""
    page = viewer.page
    for screen in screens:
        await viewer.go(screen.address)
        await expect(page.locator("main")).to_contain_text(screen.shown)
        await expect(page.locator("h1")).to_have_count(1)
        yield screen


async def test_no_screen_breaks_a_rule_of_accessibility_or_scrolls_sideways(
    serve: Serve, look: Look
):
    viewer, screens = await fill(serve, look)
    page, broken = viewer.page, dict[str, Any]()

    async for screen in visit(viewer, screens):
        if screen.name == "run":
            await page.click("summary:text('What the') >> nth=0")
            await expect(page.locator("main")).to_contain_text("Put together again")
        for width, scheme in LOOKS:
            await viewer.look_as(width, scheme)
            if found := await viewer.list_barriers():
                broken[f"{screen.name} {width} {scheme}"] = found
            wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, (screen.name, width)

    assert broken == {}
    assert viewer.troubles == viewer.foreign == []


async def test_each_screen_is_read_out_and_gone_through_in_its_order(serve: Serve, look: Look):
    viewer, screens = await fill(serve, look)
    page, found = viewer.page, dict[str, tuple[str, ...]]()

    async for screen in visit(viewer, screens):
        await expect(page.locator("main")).to_be_focused()
        names = list[str]()
        for _ in screen.order:
            await page.keyboard.press("Tab")
            names.append(await page.evaluate(NAME))
        found[screen.name] = tuple(names)
        if screen.name == "run":
            await page.click("summary:text('What the') >> nth=0")
        await expect(page.locator("main")).to_match_aria_snapshot(read_out(screen.name))
    navigation = page.get_by_role("navigation", name="Screens")
    await expect(navigation).to_match_aria_snapshot(read_out("navigation"))

    assert found == {screen.name: screen.order for screen in screens}


def read_out(name: str) -> str:
    return (ARIA / f"{name}.yml").read_text(encoding="utf-8")


async def test_the_keyboard_finds_the_content_and_the_search(serve: Serve, look: Look):
    viewer = await look(await serve(auth=False), "/#/threads")
    await viewer.page.wait_for_selector("h1")

    await viewer.page.keyboard.press("Tab")
    await expect(viewer.page.locator(":focus")).to_have_text("To the content")
    await viewer.page.keyboard.press("/")
    await expect(viewer.page.locator(":focus")).to_have_id("search")
    await viewer.go("#/chat")
    await expect(viewer.page.locator(SAID)).to_be_visible()


async def test_who_chooses_something_goes_on_there_and_nobody_is_left_nowhere(
    serve: Serve, look: Look
):
    served = await serve()
    ann = await served.client()
    await ask(ann, await begin(ann, "a title"), "x" * 3000)
    viewer = await look(served, "/#/usage")
    page, focus = viewer.page, viewer.page.locator(":focus")
    await expect(focus).to_have_id("token")
    await page.keyboard.type(served.token())
    await page.keyboard.press("Enter")
    await expect(page.locator("main.usage")).to_be_focused()

    await page.get_by_role("combobox", name="By", exact=True).focus()
    await page.keyboard.press("ArrowDown")
    await expect(page.locator("h2").first).to_have_text("By model")
    assert await page.evaluate(NAME) == "By"
    await page.click("td.name a")  # the runs of the model
    await page.locator("button", has_text="✕").press("Enter")
    await expect(page.locator("main")).to_be_focused()

    await page.click("td.name a >> nth=0")
    await page.click("summary:text('What the') >> nth=0")
    await page.get_by_role("button", name="Show all of it").first.press("Enter")
    await expect(page.locator("pre:focus")).to_contain_text("xxx")
