"""The sidebar shows each person what is theirs, and an unknown address says so."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from httpx2 import AsyncClient
from playwright.async_api import Page, Route, expect

from plainloop.agent.config.settings import Settings
from plainloop.agent.core.spec import Pack
from plainloop.server.routes.config import choose_screens
from plainloop.server.routes.shapes import PackScreens, ScreenInfo, ToolWords
from tests.console.conftest import Look
from tests.server.conftest import Serve, Served, ask, begin, serving
from tests.tracker.pack import build_pack

OPERATE = "nav.side summary:has-text('Operate')"


async def list_entries(page: Page) -> list[str]:
    """List the sidebar's visible entries between its buttons and the recent chats."""
    links = page.locator("nav.side a[title]:visible:not(.square)")
    return [text.split("\n")[0] for text in await links.all_inner_texts()]


async def test_approvals_stay_in_a_users_menu_without_admin_rights(settings: Settings, look: Look):
    pytest.importorskip("plainloop_careers")
    agent = replace(settings.agent, packs=("careers",))
    async with serving(replace(settings, provider="offline", agent=agent)) as served:
        viewer = await look(served)
        await expect(viewer.page.locator("nav.side a:has-text('Tracker')")).to_be_visible()
        wide = await list_entries(viewer.page)
        await viewer.look_as(390, "light")
        tabs = await viewer.page.locator("nav.tabs a").all_inner_texts()

    # Always there: else everything below moves when a question comes and when it is answered.
    assert wide == ["Chat", "Approvals", "Tracker", "Letters", "Résumé and profile"]
    assert tabs == ["Chat", "Approvals", "Tracker", "Letters"]  # on every screen the same


async def test_a_reload_keeps_the_operations_menu_open_or_closed(served: Served, look: Look):
    viewer = await look(served)
    page = viewer.page
    usage = page.locator("nav.side a:has-text('Usage')")
    await expect(page.locator(OPERATE)).to_be_visible()
    await expect(usage).to_be_hidden()
    await page.click(OPERATE)
    await expect(usage).to_be_visible()
    await page.reload()
    await expect(usage).to_be_visible()
    await page.click(OPERATE)
    await page.reload()
    await expect(page.locator(OPERATE)).to_be_visible()
    await expect(usage).to_be_hidden()


async def test_the_opened_operations_menu_stays_open_in_a_new_chat(served: Served, look: Look):
    page = (await look(served)).page
    usage = page.locator("nav.side a:has-text('Usage')")
    await page.click(OPERATE)
    await usage.click()
    await expect(page.locator("h1")).to_have_text("Usage")

    await page.click("nav.side a:has-text('New chat')")
    await expect(page.locator(".greeting")).to_be_visible()
    await expect(usage).to_be_visible()


async def test_opening_the_history_moves_nothing_in_the_sidebar_and_cuts_titles_at_two_lines(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local)
    await ask(local, chat, "how should I explain a gap")
    title = "how should I explain a long gap " * 5
    await local.patch(f"/api/chat/conversations/{chat}", json={"title": title})
    viewer = await look(served)
    page = viewer.page
    link = page.locator("nav.side a:text-is('All')")

    await link.click()
    await expect(page.locator("h1")).to_have_text("History")

    await expect(link).to_have_attribute("aria-current", "page")
    await expect(page.locator("nav.side a:has-text('Usage')")).not_to_be_visible()
    await viewer.look_as(390, "light")
    title = page.locator(".entry .title")
    await expect(title).to_contain_text("how should I")
    assert await title.evaluate("(title) => title.scrollHeight > title.clientHeight")
    assert await title.evaluate("(title) => title.clientHeight") == 2 * 28


async def test_a_runs_page_marks_history_in_the_sidebar(
    served: Served, local: AsyncClient, look: Look
):
    told = await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    page = (await look(served, f"/#/runs/{told['run_id']}")).page

    await expect(page.locator("nav.side details [aria-current]")).to_have_text("History")


async def test_recent_chats_are_grouped_by_day_and_month(served: Served, look: Look):
    page = (await look(served)).page
    groups = await page.evaluate(
        """async (moments) => {
            const { href } = document.querySelector("link[href$='console.css']");
            const { nameAge } = await import(href.replace("console.css", "sidebar.js"));
            const now = new Date(2026, 2, 30, 12, 0); // the day after a clock was set forward
            const at = (...parts) => ({ updated_at: new Date(...parts).toISOString() });
            return [...moments.map((parts) => at(...parts)), { is_pinned: true }].map((chat) =>
                nameAge(chat, now)
            );
        }""",
        [
            [2026, 2, 30, 0, 0],
            [2026, 2, 29, 23, 59],
            [2026, 2, 29, 0, 0],
            [2026, 2, 28, 23, 59],
            [2026, 2, 23, 0, 0],
            [2026, 2, 22, 23, 59],
            [2026, 0, 1],
            [2025, 10, 30],
        ],
    )

    assert groups == [
        *("Today", "Yesterday", "Yesterday", "Previous 7 days", "Previous 7 days"),
        *("Earlier in March", "January", "November 2025", "Pinned"),
    ]


async def test_ctrl_k_shows_the_sentence_with_the_hit_and_opens_the_chat_there(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "Where I applied")
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    await ask(local, chat, "how many jobs do I have?")
    page = (await look(served)).page
    await expect(page.locator("#said")).to_be_visible()
    await page.keyboard.press("Control+k")
    await page.keyboard.type("cafe  uno")

    hit = page.get_by_role("option").filter(has_text="Where I applied")
    await expect(hit.locator("small mark")).to_have_text("Cafe Uno")
    await expect(hit.locator(".word small")).to_contain_text("Cook at Cafe Uno")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(f"{served.url}/#/chat/{chat}?find=cafe+uno")
    # A function: the page's policy forbids to evaluate a text again, should it not hold at once.
    hits = "() => [...(CSS.highlights.get('hit') ?? [])].join() === 'Cafe Uno'"
    await page.wait_for_function(hits)


async def test_the_run_is_beside_the_chat_only_if_it_was_left_open(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local)
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    page = (await look(served, f"/#/chat/{chat}", run="")).page
    run = page.get_by_role("button", name="Run", exact=True)
    await expect(run).to_have_attribute("aria-pressed", "false")
    await expect(page.locator(".acts").first).to_be_visible()
    await expect(page.locator(".timeline, .two-sided")).to_have_count(0)
    await run.click()
    await expect(page.locator(".timeline")).to_be_visible()
    await page.reload()
    await expect(page.locator(".timeline")).to_be_visible()


@pytest.mark.parametrize("width", [320, 390, 1200, 1440])
async def test_a_chats_head_has_two_controls_and_its_cost_leaves_room_for_the_title(
    served: Served, local: AsyncClient, look: Look, width: int
):
    chat = await begin(local, "Where I applied, and what came of it in all of these years")
    await ask(local, chat, "add a job: Cook at Cafe Uno")

    async def spend(route: Route) -> None:
        told = await (await route.fetch()).json()
        for item in told["usage"]:
            item |= {"cost_usd": "1234.5678", "calls": 1, "unpriced_calls": 0}
            item |= {"input_tokens": 123_456_789}
        await route.fulfill(json=told)

    viewer = await look(served, "/#/nowhere", width=width)
    page = viewer.page
    await page.route("**/api/usage?chat_id=*", spend)
    await viewer.go(f"#/chat/{chat}")
    await expect(page.locator(".head .total")).to_contain_text("$1,234.57")

    controls = page.locator(".head .row :is(button, summary):visible")
    is_phone = width < 700  # cost and run are in the menu there
    assert [await one.get_attribute("title") for one in await controls.all()] == [
        "More for this chat",
        *([] if is_phone else ["This run (.)"]),
    ]
    if is_phone:
        await controls.click()
        await expect(page.get_by_role("link", name="Cost: $1,234.57")).to_be_visible()
        await expect(page.get_by_role("button", name="How it was answered")).to_be_visible()
    else:
        cost = await page.locator(".head .total").bounding_box()
        menu = await page.locator(".head .menu").bounding_box()
        assert cost and menu and cost["x"] + cost["width"] <= menu["x"]
    title = await page.locator(".head h1").bounding_box()
    assert title and title["width"] >= min(260, width - 200)


async def test_on_a_phone_a_suggestion_is_one_line(settings: Settings, look: Look):
    pytest.importorskip("plainloop_careers")
    agent = replace(settings.agent, packs=("careers",))
    async with serving(replace(settings, provider="offline", agent=agent)) as served:
        page = (await look(served, width=390, touch=True)).page
        suggestions = page.get_by_role("list", name="Suggestions").get_by_role("button")
        await expect(suggestions).to_have_count(3)
        boxes = [await one.bounding_box() for one in await suggestions.all()]

    assert [box for box in boxes if not box or not 36 <= box["height"] <= 48] == []


async def test_an_administrators_whole_menu_appears_at_once(serve: Serve, look: Look):
    viewer = await look(await serve())
    await viewer.sign_in("boss", is_admin=True)

    shown = await list_entries(viewer.page)
    assert shown == ["Chat", "Approvals", "Usage", "History", "Experiments", "Health"]


@pytest.mark.parametrize("address", ["nothing", "tracker.letters/3?x=1", "runs"])
async def test_an_unknown_url_shows_an_error_with_a_link_to_the_chat(
    served: Served, local: AsyncClient, look: Look, address: str
):
    viewer = await look(served, f"/#/{address}")
    page = viewer.page
    await expect(page.locator("h1")).to_have_text("Page not found")
    await expect(page.locator("main code")).to_have_text(f"#/{address.partition('?')[0]}")
    assert await viewer.list_barriers() == []
    await page.get_by_role("link", name="Go to the chat").click()
    await expect(page.locator("#said")).to_be_visible()


@pytest.mark.parametrize(
    ("screen", "heading"), [("runs", "History"), ("experiments", "Experiments")]
)
async def test_a_missing_run_or_experiment_links_back_to_its_list(
    served: Served, look: Look, screen: str, heading: str
):
    viewer = await look(served, f"/#/{screen}/0197a0b1-93c2-7e11-8a9b-3c5d7e9f0a1b")
    alert = viewer.page.get_by_role("alert")
    await expect(alert).to_contain_text("NOT_FOUND")
    await expect(alert.get_by_role("button", name="Try again")).to_have_count(0)

    await alert.get_by_role("link", name="Back to the list").click()
    await expect(viewer.page.locator("h1")).to_have_text(heading)


def test_a_packs_screen_is_hidden_if_its_tools_are_not_served():
    chat = build_pack()
    other = replace(chat, name="other")
    alone = Pack("alone", "Alone", (), "", ())
    held = ScreenInfo("held", "Held", needs_interview=True)
    shown = PackScreens(screens=[ScreenInfo("one", "One"), held])
    known = {chat.tools[0].name: ToolWords("Did it")}

    def choose(pack: Pack, interview: str | None = None, tools: object = None) -> list[str]:
        info = PackScreens(screens=shown.screens, tools=tools or {})  # type: ignore[arg-type]
        return [item.name for item in choose_screens(info, pack, chat, interview).screens]

    assert choose(chat) == ["one"]
    assert choose(other) == []
    assert choose(other, "other") == ["one", "held"]
    assert choose(alone) == choose(alone, tools=known) == ["one"]
    assert choose(alone, tools={"elsewhere": ToolWords("Did it")}) == []


@pytest.mark.parametrize(
    ("query", "found", "address"),
    [
        ("set", "Models and keys", "settings/models"),
        ("theme", "Change the theme", "settings/appearance"),
        ("appear", "Appearance", "settings/appearance"),
        ("bill", "Costs and spending", "usage"),
        ("prompt", "What runs", "settings/models"),
        ("failed", "Chats with a failed tool", "history?problem=tool&user_id=*"),
        ("exper", "Experiments", "lab.experiments"),
    ],
)
async def test_ctrl_k_finds_pages_of_the_settings_and_the_sidebar(
    served: Served, look: Look, query: str, found: str, address: str
):
    if address.startswith("lab."):
        pytest.importorskip("plainloop_lab")
    page = (await look(served)).page
    await expect(page.locator("#said")).to_be_visible()
    await page.keyboard.press("Control+k")
    await page.keyboard.type(query)

    await page.get_by_role("option").filter(has_text=found).first.click()
    await expect(page).to_have_url(f"{served.url}/#/{address}")


async def test_ctrl_k_offers_no_chat_that_an_earlier_text_found(
    served: Served, local: AsyncClient, look: Look
):
    for title in ("Other", "This"):
        await begin(local, title)
    page = (await look(served)).page
    await expect(page.locator("#said")).to_be_visible()
    await page.keyboard.press("Control+k")
    options = page.get_by_role("option")
    await expect(options.filter(has_text="This")).to_be_visible()
    await page.route("**/api/chat/conversations?*", lambda route: None)  # no answer comes
    await page.keyboard.type("other")

    await expect(options.filter(has_text="Other")).to_be_visible()
    await expect(options.filter(has_text="This")).to_have_count(0)


async def test_without_the_lab_no_page_links_to_experiments(served: Served, look: Look):
    local = await served.client()
    told = await ask(local, chat := await begin(local), "add a job: Cook at Cafe Uno")
    viewer = await look(served, "/#/nowhere")
    page = viewer.page

    async def leave_out(route: Route) -> None:
        found = await (await route.fetch()).json()
        screens = [item for item in found["screens"] if item["pack"] != "lab"]
        await route.fulfill(json={**found, "screens": screens})

    await page.route("**/api/config", leave_out)
    await page.goto(f"{served.url}/?again#/chat/{chat}")
    await page.get_by_role("button", name="Bad answer").click()
    await expect(page.get_by_placeholder("What was wrong?")).to_be_visible()
    links = page.get_by_role("link", name=re.compile("Try another model|Compare|Experiments"))
    await expect(links).to_have_count(0)
    await viewer.go(f"#/runs/{told['run_id']}")
    await expect(page.get_by_role("navigation", name="Parts of the run")).to_be_visible()
    await expect(links).to_have_count(0)
    await viewer.go("#/experiments")
    await expect(page.locator("h1")).to_have_text("Page not found")


@pytest.mark.parametrize("way", ["sidebar", "below", "shortcut", "keys", "help"])
async def test_the_list_of_shortcuts_is_reachable_without_its_key(
    served: Served, look: Look, way: str
):
    page = (await look(served)).page
    await expect(page.locator("#said")).to_be_visible()
    if way == "sidebar":
        await page.get_by_role("button", name="Keyboard shortcuts").click()
    else:
        await page.keyboard.press("Control+k")
        if way == "below":
            await page.get_by_role("button", name="Keyboard shortcuts").last.click()
        else:
            await page.keyboard.type(way)
            await page.get_by_role("option", name="Keyboard shortcuts").click()

    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    await expect(dialog).to_contain_text("Stop the answer that is being written")
    await expect(page.locator(".palette")).to_have_count(0)


async def test_ctrl_k_names_the_shortcuts_that_the_list_names(settings: Settings, look: Look):
    pytest.importorskip("plainloop_careers")
    agent = replace(settings.agent, packs=("careers",))
    async with serving(replace(settings, provider="offline", agent=agent)) as served:
        page = (await look(served)).page
        await expect(page.locator("#said")).to_be_visible()
        await page.keyboard.press("Control+k")
        options = page.get_by_role("option")
        await expect(options.filter(has_text="Tracker")).to_have_count(1)
        shown = {
            await it.locator(".word").inner_text(): await it.locator("kbd").all_inner_texts()
            for it in await options.all()
        }
        await page.keyboard.press("Escape")
        await page.keyboard.press("Escape")
        await page.keyboard.press("?")
        own = page.locator(".keys-list").first
        await expect(own).to_be_visible()  # else its text has no lines
        told = await own.inner_text()
        letters, titles = re.findall(r"G, then one of (.*)\n(.*)", told)[0]
        places = dict(zip(titles.split(", "), letters.split(", "), strict=True))
        await page.keyboard.press("Escape")
        for title in ("Tracker", "Usage"):
            await page.keyboard.press("g")
            await page.keyboard.press(places[title].lower())
            await expect(page.locator("main h1")).to_have_text(title)

    assert shown.pop("New chat") == ["N"]
    assert shown == {title: [f"G {places[title]}"] if title in places else [] for title in shown}
    assert {"Chat", "Tracker", "Usage"} <= shown.keys() & places.keys()


async def test_ctrl_k_shows_its_hits_in_groups_and_opens_one_in_a_new_tab(
    served: Served, local: AsyncClient, look: Look
):
    await begin(local, "Usage of bicycles")
    viewer = await look(served)
    page = viewer.page
    await expect(page.locator("#said")).to_be_visible()
    await page.keyboard.press("Control+k")
    await page.get_by_role("combobox").fill("usage")
    rows = page.locator(".palette li")
    await expect(rows).to_have_text(
        [re.compile(text) for text in ("Pages", "Usage", "Chats", "Us")]
    )
    await expect(page.get_by_role("option", selected=True)).to_contain_text("Usage")
    assert await viewer.list_barriers() == []
    async with page.context.expect_page() as opened:
        await page.keyboard.press("Control+Enter")
    assert (await opened.value).url.endswith("#/usage")
    await expect(page.locator(".palette")).to_be_visible()


async def test_on_a_phone_hits_of_a_search_are_apart_and_name_no_keys(
    served: Served, local: AsyncClient, look: Look
):
    title = "how do I explain a gap of one year on my résumé?"
    for _ in range(2):
        await begin(local, title)
    page = (await look(served, width=390, touch=True)).page
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_role("button", name="Search or jump to").click()
    await expect(page.locator(".palette kbd:visible, .palette .hint:visible")).to_have_count(0)
    await page.get_by_role("combobox").fill("how do I")
    hits = page.get_by_role("option").filter(has_text=title)
    await expect(hits).to_have_count(2)

    await expect(hits.first.locator("small")).to_contain_text(re.compile(r"^\d+:\d\d"))
    one, two = [await hit.locator(".word").bounding_box() for hit in await hits.all()]
    assert one and two
    assert two["y"] - (one["y"] + one["height"]) >= 16
