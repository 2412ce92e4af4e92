"""History by keys: pins, labels, titles, what a search found, and chats as files."""

from __future__ import annotations

import json
import re
from pathlib import Path

from httpx2 import AsyncClient
from playwright.async_api import Page, expect

from tests.console.conftest import SAID, Look
from tests.machine.scripted import text, triage
from tests.server.conftest import Serve, Served, ask, begin


async def choose(page: Page, title: str, name: str) -> None:
    """In a chat's menu, by keys alone."""
    await page.locator(f"summary[title='More for {title}']").press("Enter")
    await page.locator("details[open]").get_by_role("button", name=name).press("Enter")


async def test_chats_are_pinned_named_and_labelled_by_keys(
    served: Served, local: AsyncClient, look: Look
):
    for title in ("Berlin", "Lisbon", "Vienna"):
        await begin(local, title)
    viewer = await look(served, "/#/history")
    page = viewer.page
    titles = page.locator(".entry .title")
    await expect(titles).to_have_text(["Vienna", "Lisbon", "Berlin"])

    await choose(page, "Berlin", "Pin")
    await expect(titles).to_have_text(["Berlin", "Vienna", "Lisbon"])
    await expect(page.locator(".side .chat").first).to_contain_text("Berlin")
    await choose(page, "Berlin", "Unpin")
    await expect(titles).to_have_text(["Vienna", "Lisbon", "Berlin"])

    await choose(page, "Lisbon", "Title and labels")
    dialog = page.get_by_role("dialog", name="Title and labels")
    await dialog.get_by_role("textbox", name="Title").fill("Lisbon, by the sea")
    await page.keyboard.press("Tab")
    await page.keyboard.type("Portugal, Follow up")
    await page.keyboard.press("Enter")
    await expect(dialog).to_have_count(0)
    await expect(titles).to_have_text(["Vienna", "Lisbon, by the sea", "Berlin"])
    folder = page.get_by_role("navigation", name="Labels").get_by_role("link", name="Portugal 1")
    await folder.press("Enter")
    await expect(titles).to_have_text(["Lisbon, by the sea"])
    await folder.press("Enter")  # the chosen one is no second chip beside the search
    await expect(titles).to_have_count(3)
    assert await viewer.list_barriers() == []


async def test_an_open_chat_is_pinned_and_unpinned_in_its_menu(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "Berlin")
    await begin(local, "Lisbon")
    page = (await look(served, f"/#/chat/{chat}")).page
    menu = page.locator("summary[title='More for this chat']")
    groups, chats = page.locator(".side h3"), page.locator(".side .chat")
    await expect(chats).to_have_text(["Lisbon", "Berlin"])
    await expect(groups).to_have_text(["Today"])

    await menu.press("Enter")
    await page.get_by_role("button", name="Pin", exact=True).press("Enter")
    await expect(chats).to_have_text(["Berlin", "Lisbon"])
    await expect(groups).to_have_text(["Pinned", "Today"])
    await expect(menu).to_be_focused()
    await page.reload()
    await menu.press("Enter")
    await page.get_by_role("button", name="Unpin").press("Enter")
    await expect(chats).to_have_text(["Lisbon", "Berlin"])
    await expect(groups).to_have_text(["Today"])


async def test_a_chat_is_renamed_labelled_and_pinned_in_the_sidebar(
    served: Served, local: AsyncClient, look: Look
):
    for title in ("Berlin", "Lisbon"):
        await begin(local, title)
    viewer = await look(served)
    page, row = viewer.page, viewer.page.locator(".side .recent", has_text="Berlin")
    await row.hover()
    await row.locator("summary").click()
    await row.get_by_role("button", name="Rename").click()
    dialog = page.get_by_role("dialog", name="Title and labels")
    await expect(dialog.get_by_label("Title")).to_be_focused()
    await dialog.get_by_label("Title").fill("Berlin, spring")
    await page.keyboard.press("Enter")
    await expect(dialog).to_have_count(0)
    await row.hover()
    await row.locator("summary").click()
    await row.get_by_role("button", name="Label").click()
    await expect(dialog.get_by_label("Labels")).to_be_focused()
    await dialog.get_by_label("Labels").fill("Trips")
    await page.keyboard.press("Enter")
    await expect(dialog).to_have_count(0)
    await row.locator("summary").press("Enter")
    await row.get_by_role("button", name="Pin").click()
    await expect(page.locator(".side .chat")).to_have_text(["Berlin, spring", "Lisbon"])
    listed = (await local.get("/api/chat/conversations?is_pinned=true")).json()
    assert listed["conversations"][0]["labels"] == ["Trips"]
    assert await viewer.list_barriers() == []


async def test_labelling_from_an_older_list_keeps_the_newer_title(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "Berlin")
    page = (await look(served)).page
    row = page.locator(".side .recent", has_text="Berlin")
    await expect(row).to_be_visible()
    lists = re.compile(r"/api/chat/conversations\?")
    await page.route(lists, lambda route: route.abort())  # the sidebar does not hear of the change
    path = f"/api/chat/conversations/{chat}"
    assert (await local.patch(path, json={"title": "Berlin, spring"})).status_code == 200

    await row.locator("summary").press("Enter")
    await row.get_by_role("button", name="Label").click()
    dialog = page.get_by_role("dialog", name="Title and labels")
    await dialog.get_by_label("Labels").fill("Trips")
    await page.keyboard.press("Enter")
    await expect(dialog).to_have_count(0)

    [listed] = (await local.get("/api/chat/conversations")).json()["conversations"]
    assert (listed["title"], listed["labels"]) == ("Berlin, spring", ["Trips"])


async def test_history_search_shows_the_matching_text_and_message_count(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "Where I applied")
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    viewer = await look(served, "/#/history")
    page = viewer.page
    await expect(page.locator(".entry")).to_have_count(1)
    await page.keyboard.press("/")
    await page.keyboard.type("cafe uno")

    await expect(page.locator(".hit mark")).to_have_text("Cafe Uno")
    await expect(page.locator(".entry")).to_contain_text("1 message")


async def test_a_history_search_marks_the_match_in_each_listed_chat(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local, "Berlin"), "add a job: Cook at Cafe Uno")
    await begin(local, "What to create")
    await ask(local, await begin(local, "Lisbon"), "how do I create a job?")
    page = (await look(served, "/#/history")).page
    await expect(page.locator(".entry")).to_have_count(3)

    await page.fill("#search", "create ")  # a tool's name begins so, too
    await expect(page.locator(".entry")).to_have_count(2)
    await expect(page.locator(".entry mark")).to_have_text(["create", "create"])
    await expect(page.locator(".entry .title mark")).to_have_count(1)


async def test_history_finds_words_in_any_order_on_a_phone_and_leads_to_them(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local, "Salary at Ostrava"), "add a job: Cook at Cafe Uno")
    page = (await look(served, "/#/history?status=succeeded", width=390)).page
    await expect(page.get_by_role("button", name="Clear filters")).to_be_visible()
    await expect(page.get_by_role("button", name="Copy link")).to_be_hidden()  # the row is full
    for chip in await page.get_by_label("Chats shown").get_by_role("link").all():
        await expect(chip).to_be_in_viewport(ratio=1)
    model = page.locator(".entry .line").get_by_text("offline")
    await expect(model).to_be_in_viewport(ratio=1)
    heading = page.get_by_role("heading", name="Today")
    lefts = [await it.evaluate("(it) => it.getBoundingClientRect().x") for it in (heading, model)]
    assert lefts[0] == lefts[1] == 16
    await page.fill("#search", "uno salary")

    await expect(page.locator(".entry mark")).to_have_text(["Salary", "Uno"])
    await page.click(".hit")
    await expect(page).to_have_url(re.compile("find=uno$"))
    await expect(page.locator(".bubble")).to_be_in_viewport()


async def test_the_history_screen_exports_one_chat_or_all_chats(
    served: Served, local: AsyncClient, look: Look, tmp_path: Path
):
    await begin(local, "Empty")
    chat = await begin(local, "Where I applied")
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    viewer = await look(served, "/#/history")
    page = viewer.page

    async with page.expect_download() as made:
        await choose(page, "Where I applied", "Export as Markdown")
    one = await made.value
    await one.save_as(tmp_path / "one")
    async with page.expect_download() as made:
        await choose(page, "Where I applied", "Export as JSON")
    await (await made.value).save_as(tmp_path / "data")
    async with page.expect_download() as made:
        await page.get_by_role("button", name="Export all").press("Enter")
    await (await made.value).save_as(tmp_path / "all")

    assert one.suggested_filename == "Where-I-applied.md"
    lines = (tmp_path / "one").read_text().splitlines()
    assert lines[0] == "# Where I applied"
    assert [line for line in lines if "Cafe" in line] == [
        "add a job: Cook at Cafe Uno",
        "Added #1 Cook at Cafe Uno (saved).",
    ]
    assert [line for line in lines if line.startswith("- ")] == ["- Create job"]
    assert not re.search(r"\d\d:\d\d:\d\d\.\d", "".join(lines)), "times are for people"
    data = json.loads((tmp_path / "data").read_text())
    assert data["messages"][0]["content"] == "add a job: Cook at Cafe Uno"
    await viewer.go(f"#/chat/{chat}")
    async with page.expect_download() as made:
        await page.click("summary[title='More for this chat']")
        await page.get_by_role("button", name="Export as Markdown").click()
    await (await made.value).save_as(tmp_path / "from-chat")
    assert (tmp_path / "from-chat").read_text() == (tmp_path / "one").read_text()
    told = [json.loads(line) for line in (tmp_path / "all").read_text().splitlines()]
    assert [item["conversation"]["title"] for item in told] == ["Where I applied", "Empty"]
    assert [len(item["messages"]) for item in told] == [4, 0]


async def test_an_exported_version_is_named_by_its_own_question(
    served: Served, local: AsyncClient, look: Look, tmp_path: Path
):
    chat = await begin(local)
    await ask(local, chat, "which jobs are in Oslo?")
    edited = await ask(local, chat, "which jobs are in Bergen?", replaces=0)
    page = (await look(served, f"/#/chat/{edited['conversation_id']}")).page
    await page.click("summary[title='More for this chat']")
    async with page.expect_download() as made:
        await page.get_by_role("button", name="Export as Markdown").click()
    file = await made.value
    await file.save_as(tmp_path / "file")

    assert file.suggested_filename == "which-jobs-are-in-Bergen.md"
    said = (tmp_path / "file").read_text()
    assert said.startswith("# which jobs are in Bergen?\n")
    assert "Version 2 of 2 shown." in said
    async with page.expect_download() as made:
        await page.click("summary[title='More for this chat']")
        await page.get_by_role("button", name="Export as JSON").click()
    await (await made.value).save_as(tmp_path / "file")
    (other,) = json.loads((tmp_path / "file").read_text())["other_versions"]
    assert other["messages"][0]["content"] == "which jobs are in Oslo?"


async def test_an_exported_answer_names_the_model_that_wrote_it(
    serve: Serve, look: Look, tmp_path: Path
):
    served = await serve(triage("general"), text("Once."), auth=False)
    viewer = await look(served)
    await viewer.say("tell me a story about work")
    await expect(viewer.page.locator(".message.assistant")).to_contain_text("Once.")
    await viewer.page.click("summary[title='More for this chat']")
    async with viewer.page.expect_download() as made:
        await viewer.page.get_by_role("button", name="Export as Markdown").click()
    await (await made.value).save_as(tmp_path / "file")
    said = (tmp_path / "file").read_text()
    [model] = re.findall("^## Answer of ([a-z0-9-]+), ", said, re.M)
    await viewer.page.click("summary[title='More for this chat']")
    async with viewer.page.expect_download() as made:
        await viewer.page.get_by_role("button", name="Export as JSON").click()
    await (await made.value).save_as(tmp_path / "file")
    await viewer.go("#/history")
    async with viewer.page.expect_download() as made:
        await viewer.page.get_by_role("button", name="Export all").press("Enter")
    await (await made.value).save_as(tmp_path / "all")
    for name in ("file", "all"):
        chat = json.loads((tmp_path / name).read_text())
        assert chat["conversation"]["model"] == model
        assert [item.get("model") for item in chat["messages"]] == [None, model]


async def test_the_question_mark_key_opens_the_list_of_shortcuts(served: Served, look: Look):
    viewer = await look(served)
    page = viewer.page
    await page.locator("#said").focus()
    await page.keyboard.type("why?")
    await expect(page.locator("#said")).to_have_value("why?")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.keyboard.press("Escape")
    await page.keyboard.type("!")
    await expect(page.locator("#said")).to_have_value("why?!")  # it leaves only the empty box
    await page.locator("#said").fill("")
    await page.keyboard.press("Escape")
    await page.keyboard.press("?")

    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    await expect(dialog).to_contain_text("Search or jump to")
    await expect(dialog.get_by_role("heading", level=3)).to_have_text(
        ["Everywhere", "Chat", "Lists and approvals"]
    )
    await page.keyboard.press("n")
    await expect(dialog).to_be_visible()
    assert await viewer.list_barriers() == []
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)


async def test_the_interview_is_among_recent_chats_history_and_results(
    served: Served, local: AsyncClient, look: Look
):
    await local.post("/api/chat/onboarding/messages", json={"content": "I am Ada, a cook"})
    title = (await local.get("/api/chat/onboarding")).json()["conversation"]["title"]
    page = (await look(served, "/#/history?text=Ada")).page
    await expect(page.locator(".entry .title")).to_have_text([title])
    await expect(page.locator(".hit mark")).to_have_text(["Ada"])
    await expect(page.locator(".side .chat")).to_have_text([title])

    await page.keyboard.press("Control+k")
    await page.keyboard.type("interview")
    await page.get_by_role("option").filter(has_text=title).click()
    await expect(page.locator(".said")).to_have_text(["I am Ada, a cook"])


async def test_an_excerpt_opens_the_chat_at_the_marked_hit(serve: Serve, look: Look):
    long = "\n\n".join(f"Paragraph {n} about something else." for n in range(60))
    answers = [(triage("general"), text(f"{long} The *Cafe Uno* is far. {long}"))]
    answers += [(triage("general"), text(long)) for _ in range(2)]
    served = await serve(*(step for steps in answers for step in steps), auth=False)
    local = await served.client()
    chat = await begin(local, "Where I applied")
    for said in ("tell me about work", "and more", "and even more"):
        await ask(local, chat, said)
    page = (await look(served, "/#/history?text=cafe+uno")).page

    await page.locator(".hit").click()
    hit = page.locator(".prose em", has_text="Cafe Uno")
    await expect(hit).to_be_in_viewport()
    marked = "[...CSS.highlights.get('hit')].map(String)"
    assert await page.evaluate(marked) == ["Cafe Uno"]
    await expect(page.locator(SAID)).to_be_focused()
    await expect(hit).to_be_in_viewport()
    await expect(page.locator(".message").last).not_to_be_in_viewport()
