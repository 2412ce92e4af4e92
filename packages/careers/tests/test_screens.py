"""The pack's pages in the console: tracker, letters and their sources, the interview."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.async_api import Dialog, Locator, Route, expect

from packages.documents.tests.samples import LINES, make_pdf
from tests.console.conftest import Look
from tests.console.conftest import look as look
from tests.console.test_tokens import find_contrast
from tests.server.conftest import Serve, Served, ask, begin, until
from tests.server.conftest import serve as serve
from tests.server.test_branches import say

ANSWER = ".message.assistant:not(.live)"
TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll("main *")]
        .filter((part) => part.getBoundingClientRect().right > innerWidth + 1)
        .map((part) => part.outerHTML.slice(0, 120)).slice(0, 5)"""
HOSTILE = "<img src=x onerror=alert(1)> \u202eEvil"
BOARD = """
- heading "Tracker" [level=1]
- text: 1 job, 0 open applications
- search:
  - searchbox "Company, title, place"
  - navigation "View":
    - link "Board"
    - link "Table"
- region "Saved":
  - heading "Saved" [level=2]
  - button "Add a job to Saved"
  - list:
    - listitem:
      - link "Cook"
      - paragraph: Acme
      - group:
        - img "Move Cook at Acme"
      - paragraph:
        - img "Fit 4 of 5"
"""
TABLE = """
- heading "Tracker" [level=1]
- group "Jobs":
  - table:
    - rowgroup:
      - row "Company Title Status Salary Fit Changed"
    - rowgroup:
      - row:
        - cell "Acme"
        - cell "Cook":
          - link "Cook"
        - cell "Saved"
"""
INTERVIEW = """
- heading "Résumé and profile" [level=1]
- navigation "Parts":
  - link "Résumé"
  - link "Profile and interview"
- region "Interview":
  - heading "1 of 7 topics are answered" [level=2]
  - paragraph:
    - button "Start the interview"
  - meter "Topics answered"
- region "Profile":
  - button "Copy"
  - button "Edit as Markdown"
  - list:
    - listitem:
      - heading "Target roles open" [level=3]
      - paragraph: positions and seniority
      - button "Answer Target roles"
"""
LETTERS = """
- heading "Letters" [level=1]
- button "Write a letter"
- link /For Acme Other · 1 version/
"""
LETTER = """
- link "Letters"
- heading "For Acme" [level=1]
- group: Download
- button "Edit"
- button "Copy"
- group: Version 1 of 1
- article "The letter":
  - paragraph: I cooked.
- complementary "Claims":
  - heading "Claims" [level=2]
  - paragraph: Not checked yet.
"""
RESUME: dict[str, Any] = {
    "basics": {"name": "Ann Lee", "email": "ann@example.org"},
    "work": [{"name": "Initech", "position": "Cook", "startDate": "2019", "endDate": "2021"}],
}


# The lines of an element's text, as boxes.
TEXT_LINES = """(element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return [...range.getClientRects()].filter((box) => box.width > 0);
}"""


async def serve_pack(serve: Serve) -> tuple[Served, httpx2.AsyncClient]:
    """The pack served to whoever is there, and a client of theirs."""
    served = await serve(auth=False, packs=("careers",))
    return served, await served.client()


async def test_a_job_card_can_be_moved_by_mouse_keys_or_menu_and_undone(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    for company in ("Acme", HOSTILE):
        await local.post("/api/jobs", json={"company": company, "title": "Cook"})
    viewer = await look(served, "/#/careers.tracker")
    page = viewer.page

    def column(name: str) -> Locator:
        return page.get_by_role("region", name=name)

    cook = page.get_by_role("listitem").filter(has_text="Acme").get_by_role("link", name="Cook")
    await cook.focus()
    for key in (" ", "ArrowRight", "ArrowRight", " "):
        await page.keyboard.press(key)
    await expect(column("Interviewing")).to_contain_text("Acme")
    await expect(cook).to_be_focused()
    undo = await page.locator(".toast button").bounding_box()
    toast = await page.locator(".toast").bounding_box()
    hint = await page.locator(".lifting").bounding_box()
    assert undo and toast and hint
    assert undo["height"] < 40  # one line
    assert hint["y"] + hint["height"] < toast["y"]
    async with page.expect_response("**/api/jobs/1"):  # the card moves before it is stored
        await page.click("button:text('Undo')")
    await expect(column("Saved")).to_contain_text("Acme")
    await expect(cook).to_be_focused()
    acme = (await local.get("/api/jobs/1")).json()
    assert acme["updated_at"] == acme["created_at"]
    for key in (" ", "ArrowRight", " "):
        await page.keyboard.press(key)
    await expect(column("Applied")).to_contain_text("applied today")
    await expect(page.locator(".toast button")).to_have_text(re.compile(r"^\s*Undo\s+Ctrl Z\s*$"))
    await page.keyboard.press("Control+z")
    await expect(column("Saved")).to_contain_text("Acme")
    await expect(cook).to_be_focused()
    await expect(page.locator(".toast")).to_have_count(0)
    await expect(column("Saved")).to_contain_text("⟨U+202E⟩Evil")
    await column("Saved").locator(".job", has_text="Evil").drag_to(column("Closed"))
    await page.click("dialog button:text('Rejected')")
    await expect(column("Closed")).to_contain_text("Evil")
    await expect(column("Closed")).to_contain_text("Rejected")
    await column("Saved").locator(".job").hover()
    await column("Saved").locator(".job summary").click()
    await column("Saved").get_by_role("button", name="Applied").click()
    await expect(column("Applied")).to_contain_text("applied today")
    await page.fill("#search", "acme")
    await expect(page.locator(".job")).to_have_count(1)
    await page.click("main a:text('Table')")
    await expect(page.locator("tbody tr")).to_have_count(1)

    jobs = (await local.get("/api/jobs")).json()["jobs"]
    statuses = {job["company"]: job["status"] for job in jobs}
    assert statuses == {"Acme": "applied", HOSTILE: "rejected"}


async def test_a_jobs_workplace_is_shown_and_edited(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    job = {"company": "Vandelay", "title": "Cook", "location": "Munich", "remote_type": "remote"}
    await local.post("/api/jobs", json=job)
    viewer = await look(served, "/#/careers.tracker")
    page, dialog = viewer.page, viewer.page.get_by_role("dialog")
    card = page.get_by_role("listitem").filter(has_text="Vandelay")
    await expect(card).to_contain_text("Munich · Remote")

    await card.get_by_role("link", name="Cook").click()
    await expect(dialog.get_by_label("Workplace")).to_have_value("remote")
    await dialog.get_by_label("Workplace").select_option("Hybrid")
    await expect(dialog.get_by_role("status")).to_have_text("Saved")
    await viewer.go("#/careers.tracker?view=table")
    await expect(page.get_by_role("cell", name="Hybrid")).to_be_visible()
    await page.click("button:has-text('Add job')")
    for name, text in (("Title", "Chef"), ("Company", "Acme")):
        await dialog.get_by_label(name).fill(text)
    await dialog.get_by_label("Workplace").select_option("Onsite")
    await dialog.get_by_role("button", name="Add the job").click()
    await expect(page.get_by_role("cell", name="Onsite")).to_be_visible()

    jobs = (await local.get("/api/jobs")).json()["jobs"]
    assert {item["title"]: item["remote_type"] for item in jobs} == {
        "Cook": "hybrid",
        "Chef": "onsite",
    }


async def test_changes_to_a_job_are_saved_as_its_fields_are_left(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    body = {"company": "Acme", "title": "Cook", "notes": "Old"}
    path = f"/api/jobs/{(await local.post('/api/jobs', json=body)).json()['job_id']}"
    viewer = await look(served, "/#/careers.tracker")
    page, dialog = viewer.page, viewer.page.get_by_role("dialog")
    card, notes = page.locator(".job"), dialog.get_by_label("Notes")

    async def expect_notes(text: str) -> None:
        await expect(card).not_to_contain_text("unsaved changes")
        await card.get_by_role("link", name="Cook").click()
        await expect(notes).to_have_value(text)
        assert (await local.get(path)).json()["notes"] == text

    await expect_notes("Old")
    for close in ("a field", "Escape", "the x", "another screen"):
        text = f"Called Ann, then {close}"
        await notes.fill(text)
        await expect(dialog.get_by_role("status")).to_have_text("Not saved yet")
        async with page.expect_response(lambda answer: answer.request.method == "PATCH"):
            if close == "a field":
                await page.keyboard.press("Tab")
                await expect(dialog.get_by_role("status")).to_have_text("Saved")
                await page.keyboard.press("Escape")
            elif close == "Escape":
                await page.keyboard.press("Escape")
            elif close == "the x":
                await dialog.get_by_role("button", name="Close").click()
            else:
                await viewer.go("#/careers.letters")
        await viewer.go("#/careers.tracker")
        await expect_notes(text)

    await local.patch(path, json={"status": "offer"})  # meanwhile, in a chat
    await dialog.get_by_text("Contact and tags").click()
    await dialog.get_by_label("Tags").fill("a,b")
    await page.keyboard.press("Tab")
    await expect(dialog.get_by_title("Status: Offer")).to_be_visible()
    await expect(dialog.get_by_label("Tags")).to_have_value("a, b")
    await dialog.get_by_label("Title").fill(" ")
    await page.keyboard.press("Tab")
    await expect(dialog.get_by_role("status")).to_have_text("Not saved yet")
    job = (await local.get(path)).json()
    assert (job["title"], job["tags"], job["status"]) == ("Cook", "a, b", "offer")


async def test_changes_to_a_job_that_the_server_refuses_are_kept(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/jobs", json={"company": "Acme", "title": "Cook", "salary_max": 50})
    viewer = await look(served, "/#/careers.tracker?job=1")
    page, dialog = viewer.page, viewer.page.get_by_role("dialog")
    card, pay = page.locator(".job"), dialog.get_by_label("Salary from")
    await pay.fill("60")
    await page.keyboard.press("Tab")
    await expect(dialog.get_by_role("alert")).to_contain_text("salary_min")
    await page.keyboard.press("Escape")
    await expect(card).to_contain_text("unsaved changes")

    await card.get_by_role("link", name="Cook").click()
    await expect(pay).to_have_value("60")
    await dialog.get_by_role("button", name="Discard").click()
    await expect(pay).to_have_value("")
    await pay.fill("40")
    await page.keyboard.press("Escape")

    await expect(card).not_to_contain_text("unsaved changes")
    await expect(card).to_contain_text("40–50")
    assert (await local.get("/api/jobs/1")).json()["salary_min"] == 40
    viewer.troubles.clear()  # the refusals


async def test_a_move_back_says_which_dates_it_removes_and_undo_restores_them(
    serve: Serve, look: Look
):
    served, local = await serve_pack(serve)
    await local.post("/api/jobs", json={"company": "Acme", "title": "Cook", "status": "offer"})
    path = "/api/jobs/1/statuses"
    history = (await local.get(path)).json()
    viewer = await look(served, "/#/careers.tracker")
    page, dialog = viewer.page, viewer.page.get_by_role("dialog")
    steps = dialog.get_by_role("list", name="Statuses")
    removed = "The dates of Interviewing and Offer were removed."

    await page.locator(".job").drag_to(page.get_by_role("region", name="Applied"))
    toast = page.locator(".toast")
    await expect(toast).to_contain_text(f"Moved Cook at Acme to Applied. {removed}")
    await toast.get_by_role("button", name="Undo").click()
    await expect(page.get_by_role("region", name="Offer")).to_contain_text("Acme")
    await page.get_by_role("link", name="Cook").click()
    await expect(steps.locator("time")).to_have_count(4)
    assert (await local.get(path)).json() == history

    await dialog.get_by_title("Status: Offer").click()
    await page.keyboard.press("Escape")  # the menu alone
    await expect(dialog.get_by_title("Status: Offer")).to_be_focused()
    await page.keyboard.press("Enter")
    await dialog.get_by_role("button", name="Applied").click()
    await expect(dialog.get_by_role("status")).to_contain_text(removed)
    await expect(steps.locator("time")).to_have_count(2)
    await expect(steps.locator("[aria-current]")).to_contain_text("Applied")
    await expect(dialog).to_contain_text("Wait for an answer. Follow up from")
    assert await viewer.list_barriers() == []
    await dialog.get_by_role("button", name="Undo").click()
    await expect(steps.locator("time")).to_have_count(4)
    assert (await local.get(path)).json() == history


async def test_a_page_with_unsaved_changes_asks_before_it_is_left(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/jobs", json={"company": "Acme", "title": "Cook"})
    viewer = await look(served, "/#/careers.tracker?job=1")
    page, asked = viewer.page, list[str]()

    async def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        await dialog.accept()

    page.on("dialog", stay)
    await page.get_by_label("Notes").fill("Called Ann")
    await page.reload()
    assert asked == ["beforeunload"]
    await expect(page.get_by_label("Notes")).to_have_value("")
    await page.reload()
    assert asked == ["beforeunload"]
    viewer.troubles.clear()  # it lists dialogs


async def test_a_job_with_a_letter_still_shows_the_date_of_its_application(
    serve: Serve, look: Look
):
    served, local = await serve_pack(serve)
    await local.post("/api/jobs", json={"company": "Acme", "title": "Cook", "status": "applied"})
    letter = {"title": "For Acme", "kind": "cover_letter", "content": "I cook.", "job_id": 1}
    assert (await local.post("/api/documents", json=letter)).status_code == 201
    page = (await look(served, "/#/careers.tracker")).page
    card = page.get_by_role("listitem").filter(has_text="Acme")
    await expect(card).to_contain_text("letter, version 1 · applied today")

    await card.get_by_role("link", name="Cook").click()

    applied = page.get_by_role("dialog").locator("[aria-current=step]", has_text="Applied")
    await expect(applied.locator("time")).to_be_visible()


async def test_a_job_without_an_answer_offers_a_follow_up(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    job = {"company": "Acme", "title": "Cook", "status": "applied"}
    await local.post("/api/jobs", json=job)
    viewer = await look(served, "/#/careers.tracker?job=1")
    page, dialog = viewer.page, viewer.page.get_by_role("dialog")
    await page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=24, minutes=5))
    await page.reload()
    await expect(dialog.locator(".next")).to_contain_text("No answer for 24 days.")

    await dialog.get_by_role("button", name="Write a follow-up").click()
    sent = page.get_by_role("article", name="You")
    await expect(sent).to_contain_text("write a follow-up letter for Cook at Acme")
    await expect(sent).not_to_contain_text("(job")

    letter = {"kind": "follow_up", "content": "Dear team,", "job_id": 1}
    letter["title"] = "Follow-up for Cook at Acme"
    assert (await local.post("/api/documents", json=letter)).status_code == 201
    await viewer.go("#/careers.tracker?job=1")
    await dialog.get_by_role("link", name="Open the follow-up").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Follow-up for Cook at Acme")


async def test_a_jobs_fit_is_shown_explained_and_changed_in_its_sheet(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/jobs", json={"company": "Acme", "title": "Cook"})
    viewer = await look(served, "/#/careers.tracker?job=1")
    dialog = viewer.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Fit: not rated")

    await dialog.get_by_title("Fit: Not rated").click()
    await dialog.get_by_role("button", name="4 of 5").click()

    await expect(dialog.get_by_role("status")).to_have_text("Saved")
    await expect(dialog.get_by_role("img", name="Fit 4 of 5")).to_be_visible()
    assert (await local.get("/api/jobs/1")).json()["job_fit"] == 4
    await dialog.get_by_title("Fit: 4 of 5").click()
    await dialog.get_by_role("button", name="Not rated").click()
    await expect(dialog).to_contain_text("Fit: not rated")
    assert (await local.get("/api/jobs/1")).json()["job_fit"] is None


@pytest.mark.parametrize("width", [1440, 390])
async def test_letters_and_chats_of_a_job_stand_above_its_fields(
    serve: Serve, look: Look, width: int
):
    served, local = await serve_pack(serve)
    await local.post("/api/jobs", json={"company": "Acme", "title": "Cook"})
    for name in ("one", "two"):
        await ask(local, await begin(local), f"what about Acme, {name}?")
    letter = {"title": "Cover letter for Cook at Acme", "content": "I cook.", "job_id": 1}
    await local.post("/api/documents", json={**letter, "kind": "cover_letter"})
    viewer = await look(served, "/#/careers.tracker")
    await viewer.page.set_viewport_size({"width": width, "height": 844})
    dialog = viewer.page.get_by_role("dialog")
    async with viewer.page.expect_response(re.compile("conversations.text=Acme")):
        await viewer.go("#/careers.tracker?job=1")
        title = dialog.get_by_label("Title")
        before = await title.bounding_box()

    chats = dialog.get_by_role("region", name="Chats")
    await expect(chats.get_by_role("link")).to_have_count(3)  # with "All"
    for region in ("Letters", "Chats"):
        place = await dialog.get_by_role("region", name=region).bounding_box()
        assert place and before
        assert place["y"] + place["height"] <= min(before["y"], 844)
    assert await title.bounding_box() == before  # the chats came later, and moved nothing


async def read_colours(button: Locator) -> list[str]:
    """Return the colours of a button's text and ground, as `#rrggbb`."""
    colours = await button.evaluate(
        """(button) => {
            for (const motion of button.getAnimations()) motion.finish();
            return [getComputedStyle(button).color, getComputedStyle(button).backgroundColor];
        }"""
    )
    return ["#" + "".join(f"{int(n):02x}" for n in re.findall(r"\d+", each)) for each in colours]


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_a_deletion_is_readable_red_and_withdrawn_by_escape_or_a_press_elsewhere(
    serve: Serve, look: Look, scheme: str
):
    served, local = await serve_pack(serve)
    await local.post("/api/jobs", json={"title": "Cook", "company": "Acme"})
    letter = {"title": "For Acme", "kind": "other", "content": "Dear team,"}
    made = (await local.post("/api/documents", json=letter)).json()
    viewer = await look(served, "/#/careers.tracker", scheme=scheme)
    page = viewer.page
    await page.get_by_role("link", name="Cook").click()

    for first, sure, elsewhere in (
        ("Delete the job", "Delete the job for good", page.get_by_role("dialog").locator("h2")),
        ("Delete", "Delete all versions for good", page.locator(".letter .page")),
    ):
        button = page.get_by_role("button", name=first, exact=True)
        asking = page.get_by_role("button", name=sure)
        await button.click()
        await asking.hover()
        text, ground = await read_colours(asking)
        assert find_contrast(text, ground) >= 4.5
        assert int(ground[1:3], 16) > 2 * int(ground[3:5], 16), f"no red: {ground}"
        await page.keyboard.press("Escape")
        await expect(button).to_be_visible()
        await button.click()
        await elsewhere.click()
        await expect(button).to_be_visible()
        await button.click()
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("button", name="Cancel")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(button).to_be_focused()
        await expect(asking).to_have_count(0)
        await button.dblclick()  # asks once
        await expect(asking).to_be_visible()
        await viewer.go(f"#/careers.letters/{made['document_id']}")

    assert (await local.get("/api/jobs")).json()["jobs"] != []
    assert (await local.get(f"/api/documents/{made['document_id']}")).status_code == 200


async def test_the_sidebar_counts_a_job_added_or_deleted_by_hand(serve: Serve, look: Look):
    served, _ = await serve_pack(serve)
    page = (await look(served, "/#/careers.tracker?add=saved")).page
    dialog = page.get_by_role("dialog")
    count = page.get_by_role("link", name="Tracker").locator(".total").first
    for name, text in (("Title", "Cook"), ("Company", "Acme")):
        await dialog.get_by_label(name).fill(text)

    await dialog.get_by_role("button", name="Add the job").click()
    await expect(count).to_have_text("1")
    await page.get_by_role("link", name="Cook").click()
    await dialog.get_by_role("button", name="Delete the job").click()
    await dialog.get_by_role("button", name="Delete the job for good").click()
    await expect(page.locator("main")).to_contain_text("No jobs yet")
    await page.goto("about:blank")  # it is deleted when nobody undoes it
    await page.goto(f"{served.url}/#/careers.tracker")

    await expect(count).to_have_count(0)


async def test_a_deleted_job_or_letter_can_be_undone_and_the_focus_stays_near(
    serve: Serve, look: Look
):
    served, local = await serve_pack(serve)
    for title in ("Cook", "Chef", "Baker"):
        await local.post("/api/jobs", json={"title": title, "company": "Acme"})
    letter = {"title": "For Acme", "kind": "other", "content": "Dear team,"}
    made = (await local.post("/api/documents", json=letter)).json()
    viewer = await look(served, "/#/careers.tracker?view=table&sort=title&order=asc")
    page, focus = viewer.page, viewer.page.locator(":focus")
    row, delete = page.locator(".job-row"), page.get_by_role("button", name="Delete")

    await row.get_by_role("link", name="Chef").press("Enter")
    await delete.press("Enter")
    await page.keyboard.press("Enter")
    await expect(row).to_have_count(2)
    await expect(focus).to_have_text("Cook")
    await page.keyboard.press("Control+z")
    await expect(row).to_have_count(3)
    await expect(focus).to_have_text("Chef")

    await viewer.go(f"#/careers.letters/{made['document_id']}")
    await delete.click()
    await page.keyboard.press("Enter")
    await expect(page.locator("main")).to_contain_text("Your letters will be listed here")
    await page.keyboard.press("Control+z")
    await expect(page.get_by_role("article", name="The letter")).to_contain_text("Dear team,")
    assert (await local.get("/api/jobs")).json()["total"] == 3
    assert (await local.get("/api/documents")).json()["documents"] != []


async def test_a_job_is_moved_in_the_table_by_arrow_keys_and_undone_in_place(
    serve: Serve, look: Look
):
    served, local = await serve_pack(serve)
    await local.post("/api/jobs", json={"title": "Cook", "company": "Acme"})
    page = (await look(served, "/#/careers.tracker?view=table")).page
    row, focus = page.locator(".job-row"), page.locator(":focus")

    await row.locator("summary").press("Enter")
    for _ in range(3):
        await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowUp")
    await expect(focus).to_have_text("Interviewing")
    await page.keyboard.press("Enter")
    await expect(page.locator(".toast")).to_contain_text("Moved Cook at Acme to Interviewing")
    await page.keyboard.press("Control+z")

    await expect(row.locator("td").nth(2)).to_have_text("Saved")
    await expect(focus).to_have_text("Cook")


async def test_the_trackers_table_fits_a_phone_and_marks_the_sorted_column(
    serve: Serve, look: Look
):
    served, local = await serve_pack(serve)
    job = {"company": "Nordlys Media and Partners AS", "location": "Trondheim"}
    job |= {"salary_min": 1, "remote_type": "hybrid"}
    for title in ("Cook", "Principal Engineer of Data Platforms and Reporting"):
        await local.post("/api/jobs", json={"title": title, **job})
    viewer = await look(served, "/#/careers.tracker?view=table", width=390)
    page = viewer.page
    table = page.get_by_role("group", name="Jobs")
    rows = table.locator("tbody tr")
    await expect(rows).to_have_count(2)

    assert await page.evaluate(TOO_WIDE) == []
    assert await table.evaluate("(table) => table.scrollWidth <= table.clientWidth")
    for row in await rows.all():
        assert await row.evaluate("(row) => row.clientHeight") <= 90
        await expect(row.locator("td").first).to_contain_text("Trondheim")
        await expect(row.locator("td").first).to_contain_text("from 1 · Hybrid")
        await expect(row.get_by_role("link")).to_be_in_viewport(ratio=1)
        await expect(row.locator(".menu > summary")).to_be_in_viewport(ratio=1)
    assert await viewer.list_barriers() == []
    column = page.get_by_role("columnheader", name="Title")
    await expect(column.locator("svg")).to_have_count(0)
    await column.get_by_role("link").click()
    await expect(column).to_have_attribute("aria-sort", "ascending")
    await expect(column.locator("svg")).to_be_visible()
    await viewer.go("#/careers.tracker")
    columns = page.get_by_role("group", name="Columns")
    await expect(columns.get_by_role("button", name="Closed")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("width", [390, 1280, 1440])
async def test_a_cards_menu_covers_no_part_of_its_title(serve: Serve, look: Look, width: int):
    served, local = await serve_pack(serve)
    await local.post("/api/jobs", json={"title": "Senior Data Analyst Cook", "company": "Acme"})
    page = (await look(served, "/#/careers.tracker", width=width)).page
    title = page.get_by_role("link", name="Senior Data")

    await title.hover()

    menu = page.locator(".job .menu > summary")
    await expect(menu).to_be_visible()
    other = await menu.bounding_box()
    assert other
    lines = await title.evaluate(TEXT_LINES)
    assert 1 <= len(lines) <= 2  # the menu takes no column of the card
    for line in lines:
        is_left = line["right"] <= other["x"]
        is_above = line["bottom"] <= other["y"]
        is_below = line["top"] >= other["y"] + other["height"]
        assert is_left or is_above or is_below, (line, other)


async def test_the_tracker_says_once_that_a_job_is_remote_and_breaks_no_salary(
    serve: Serve, look: Look
):
    served, local = await serve_pack(serve)
    job = {"title": "Cook", "company": "Acme", "location": "remote", "remote_type": "remote"}
    job |= {"salary_min": 82000, "salary_max": 98000, "salary_currency": "EUR"}
    await local.post("/api/jobs", json=job)
    viewer = await look(served, "/#/careers.tracker", width=1440)
    page = viewer.page

    await expect(page.locator(".job .about p")).to_have_text(["Acme", "Remote"])
    await viewer.go("#/careers.tracker?view=table")
    row = page.locator("tbody tr")
    await expect(row.get_by_text("remote", exact=True)).to_have_count(0)
    await expect(row.get_by_role("cell", name="Remote", exact=True)).to_be_visible()
    assert len(await row.locator("td:nth-child(6)").evaluate(TEXT_LINES)) == 1


async def test_the_columns_of_the_board_take_one_row_on_a_phone(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    for number in range(12):
        await local.post("/api/jobs", json={"title": f"Cook {number}", "company": "Acme"})
    page = (await look(served, "/#/careers.tracker", width=390)).page
    chips = page.get_by_role("group", name="Columns").get_by_role("button")
    await expect(chips.first).to_have_text("Saved 12")

    tops = [(await chip.bounding_box() or {}).get("y") for chip in await chips.all()]

    assert len(set(tops)) == 1, tops


async def test_the_form_for_a_job_starts_at_the_posting_and_marks_what_it_needs(
    serve: Serve, look: Look
):
    served, _ = await serve_pack(serve)
    page = (await look(served, "/#/careers.tracker?add=saved")).page
    dialog = page.get_by_role("dialog")

    await expect(dialog.get_by_label("Paste a posting")).to_be_focused()

    needed = dialog.locator("label", has_text="*")
    await expect(needed).to_have_text(["Title *", "Company *"])
    for n, name in enumerate(("Title", "Company")):
        await expect(needed.nth(n).get_by_role("textbox")).to_have_accessible_name(name)
        await expect(needed.nth(n).get_by_role("textbox")).to_have_attribute(
            "aria-required", "true"
        )
    # The sign is decoration beside its title, on one line with it.
    name, title = await needed.evaluate_all(
        """([label]) => {
            const [all, word] = label.querySelectorAll("span");
            return [all, word].map((part) => part.getBoundingClientRect().height);
        }"""
    )
    assert name < 2 * title


async def test_a_card_that_is_to_be_followed_up_shows_its_letter_too(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    job = {"company": "Acme", "title": "Cook", "status": "applied", "job_fit": 4}
    made = await local.post("/api/jobs", json=job)
    letter = {"title": "For Acme", "kind": "cover_letter", "content": "Dear team"}
    job_id = made.json()["job_id"]
    assert (await local.post("/api/documents", json={**letter, "job_id": job_id})).is_success
    page = (await look(served, "/#/careers.tracker")).page
    card = page.locator(".job")
    await page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=30))
    await page.reload()

    await expect(card).to_contain_text("days: follow up?")
    await expect(card).to_contain_text("letter, version 1")
    word = await card.locator(".fit").evaluate("(it) => getComputedStyle(it, '::before').content")
    assert word.startswith('"Fit"')


async def test_a_job_returns_to_its_column_if_the_server_refuses_the_move(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    made = await local.post("/api/jobs", json={"company": "Acme", "title": "Cook"})
    viewer = await look(served, "/#/careers.tracker")
    page = viewer.page
    await expect(page.get_by_role("region", name="Saved")).to_contain_text("Acme")
    await local.delete(f"/api/jobs/{made.json()['job_id']}")

    await page.locator(".job").drag_to(page.get_by_role("region", name="Offer"))

    await expect(page.get_by_role("alert")).to_contain_text("no such job")
    await expect(page.get_by_role("region", name="Saved")).to_contain_text("Acme")


async def test_a_suggestion_asks_for_a_resume_until_there_is_one(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    page = (await look(served, "/#/chat")).page
    suggestion = page.get_by_role("button", name="Write a letter")
    await expect(suggestion).to_contain_text("Needs your résumé.")
    file = {"file": ("cv.txt", b"Ann Lee\nCook at Initech", "text/plain")}
    assert (await local.post("/api/resume", files=file)).status_code < 300

    await page.reload()
    await expect(page.get_by_text("2 of 3 done")).to_be_visible()
    await expect(suggestion).not_to_contain_text("Needs your résumé.")
    await page.goto(f"{served.url}/#/careers.profile")
    await expect(page.locator("main")).to_contain_text("Without a language model, the text")


async def test_write_a_letter_is_sent_in_a_new_chat_of_that_job(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/resume", files={"file": ("cv.json", json.dumps(RESUME).encode())})
    for title in ("Cook", "Chef"):
        await local.post("/api/jobs", json={"company": "Vandelay", "title": title})
    viewer = await look(served, "/#/careers.letters")
    page, box = viewer.page, viewer.page.get_by_label("Your message")

    await page.get_by_role("button", name="Write a letter").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_role("listitem")).to_have_count(2)
    await dialog.get_by_label("Search your jobs").fill("nothing like it")
    await expect(dialog).to_contain_text("No job matches.")
    await dialog.get_by_label("Search your jobs").fill("chef")
    await dialog.get_by_role("listitem").get_by_role("button").click()
    sent = page.get_by_role("article", name="You")
    await expect(sent).to_contain_text("write a cover letter for Chef at Vandelay (job 2)")
    await expect(page.locator(ANSWER).last).to_contain_text("Chef")
    await expect(box).to_have_value("")
    await expect(box).to_be_focused()
    await viewer.go("#/careers.tracker?job=2")
    await page.get_by_role("dialog").get_by_role("button", name="Write a new letter").click()
    await expect(sent).to_contain_text("write a new cover letter for Chef at Vandelay (job 2)")
    await expect(page.locator(ANSWER).last).to_contain_text("Chef")
    await expect(box).to_have_value("")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("chef vand")
    found = page.get_by_role("option").first
    await expect(found).to_have_text(re.compile(r"Chef at Vandelay\s*Job"))
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog", name="Chef at Vandelay")).to_be_visible()

    [letter] = (await local.get("/api/documents")).json()["documents"]
    assert letter["job_id"] == 2


async def test_a_suggestion_names_a_saved_job_of_ones_own(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    viewer = await look(served, "/#/chat")
    letter = viewer.page.get_by_role("button", name="Write a letter")
    await expect(letter).to_contain_text("“write a cover letter for [title]")

    await local.post("/api/jobs", json={"company": HOSTILE, "title": "Chef", "status": "offer"})
    await local.post("/api/jobs", json={"company": "Vandelay", "title": "Cook"})
    await viewer.page.reload()
    await expect(letter).to_contain_text("“write a cover letter for Cook at Vandelay”")
    await letter.click()  # a whole request is sent
    sent = viewer.page.get_by_role("article", name="You")
    await expect(sent).to_contain_text("write a cover letter for Cook at Vandelay")
    await expect(viewer.page.get_by_label("Your message")).to_have_value("")


async def test_a_suggestion_is_added_to_what_was_typed(serve: Serve, look: Look):
    served, _ = await serve_pack(serve)
    page = (await look(served, "/#/chat")).page
    box = page.get_by_label("Your message")
    await box.fill("Please")

    await page.get_by_role("button", name="Add a job").click()

    await expect(box).to_have_value(re.compile("^Please\nadd a job: "))
    await page.keyboard.type("Cook")  # in place of its first gap
    await expect(box).to_have_value("Please\nadd a job: Cook at [company] in [place]")


async def test_a_suggestion_that_nobody_changed_is_not_carried_to_a_new_chat(
    serve: Serve, look: Look
):
    served, _ = await serve_pack(serve)
    viewer = await look(served, "/#/chat")
    box = viewer.page.get_by_label("Your message")
    for typed, kept in (("", ""), ("Cook", r"add a job: Cook at .*")):
        await viewer.page.get_by_role("button", name="Add a job").click()
        await box.press_sequentially(typed)
        await expect(box).to_have_value(re.compile("^add a job: "))
        await viewer.page.get_by_role("link", name="New chat").click()
        await expect(box).to_have_value(re.compile(f"^{kept}$"))

        await viewer.go("#/history")
        await viewer.go("#/chat")
        await expect(box).to_have_value(re.compile(f"^{kept}$"))
        await viewer.go("#/history")
        await viewer.go("#/chat")
        await expect(box).to_have_value(re.compile(f"^{kept}$"))


async def test_typed_text_survives_a_redraw_of_the_page(serve: Serve, look: Look) -> None:
    served = await serve(auth=False, packs=("careers",))
    page = (await look(served, "/#/careers.tracker")).page
    await page.click("main .empty >> text=Add a job")
    dialog = page.get_by_role("dialog")
    typed = {"Title": "Cook", "Company": "Acme", "Salary from": "9", "Salary to": "8"}
    for label, text in typed.items():
        await dialog.get_by_label(label).fill(text)
    await dialog.get_by_label("Paste a posting").fill("Chef at Noma")
    for label, text in typed.items():
        await expect(dialog.get_by_label(label)).to_have_value(text)
    await dialog.get_by_role("button", name="Add the job").click()
    await expect(dialog.get_by_role("alert")).to_be_visible()
    for label, text in typed.items():
        await expect(dialog.get_by_label(label)).to_have_value(text)


async def test_the_tracker_screen_adds_edits_deletes_and_imports_jobs(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    viewer = await look(served, "/#/careers.tracker")
    page = viewer.page

    await page.click("main .empty >> text=Add a job")
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Title").fill("Cook")
    await dialog.get_by_label("Company").fill("Acme")
    await dialog.get_by_label("Salary from").fill("28000")
    await dialog.get_by_label("Currency").select_option("EUR")
    await dialog.get_by_role("button", name="Add the job").click()
    await expect(page.locator(".job")).to_contain_text("from €28,000")
    await page.click(".job >> text=Cook")
    await dialog.get_by_title("Status: Saved").click()
    await dialog.get_by_role("button", name="Offer").click()
    await dialog.get_by_text("Contact and tags").click()
    await dialog.get_by_label("Contact").fill("Ms Weber")
    await page.keyboard.press("Escape")
    offer = page.get_by_role("region", name="Offer")
    await expect(offer).to_contain_text("contact: Ms Weber")
    file = {"name": "jobs.csv", "mimeType": "text/csv", "buffer": b"company,title\nNoma,Chef\n"}
    await page.set_input_files("main input[type=file]", [file])  # type: ignore[list-item]
    await dialog.get_by_role("button", name="Import").click()
    await expect(page.get_by_role("region", name="Saved")).to_contain_text("Noma")
    await page.click(".job >> text=Chef")
    await dialog.get_by_role("button", name="Delete the job").click()
    await dialog.get_by_role("button", name="Delete the job for good").click()
    await expect(page.locator(".job")).to_have_count(1)
    await page.goto("about:blank")  # it is deleted when nobody undoes it

    async def is_gone() -> bool:
        return len((await local.get("/api/jobs")).json()["jobs"]) == 1

    await until(is_gone)
    [job] = (await local.get("/api/jobs")).json()["jobs"]
    assert (job["company"], job["status"], job["salary_min"]) == ("Acme", "offer", 28_000)


async def test_an_imports_column_mapping_can_be_changed_before_storing(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    page = (await look(served, "/#/careers.tracker")).page
    sheet = b"Betrieb,Was,Stage\nNoma,Chef,Handshake\n"
    file = {"name": "jobs.csv", "mimeType": "text/csv", "buffer": sheet}
    await page.set_input_files("main input[type=file]", [file])  # type: ignore[list-item]
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("Stage")).to_have_value("status")
    await dialog.get_by_role("button", name="Import").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("Betrieb, Was")
    assert (await local.get("/api/jobs")).json()["jobs"] == []
    await dialog.get_by_label("Betrieb").select_option("company")
    await dialog.get_by_label("Was").select_option("title")
    await dialog.get_by_label("Handshake").select_option("offer")
    await dialog.get_by_role("button", name="Import").click()
    await expect(page.get_by_role("region", name="Offer")).to_contain_text("Chef")


async def test_a_pasted_posting_fills_in_the_form_without_a_model(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    page = (await look(served, "/#/careers.tracker?add=saved&location=Oslo")).page
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("Place", exact=True)).to_have_value("Oslo")
    posting = "Title: Cook\nSalary: $17 - $19/hr\n\nWe cook.\n\nRequirements:\n- Knives"
    await dialog.get_by_label("Paste a posting").fill(posting)
    await dialog.get_by_role("button", name="Fill in the form").click()
    await expect(dialog.get_by_label("Salary to")).to_have_value("19")
    await expect(dialog).to_contain_text("Filled in: title, pay, currency, and period")
    await expect(dialog).to_contain_text("Not found in the posting: company, place, and workplace")
    await expect(dialog.locator("form .filled")).to_have_count(5)
    await dialog.get_by_label("Company").fill("Noma")
    await dialog.get_by_role("button", name="Add the job").click()
    await expect(page.get_by_role("region", name="Saved")).to_contain_text("Noma")
    [job] = (await local.get("/api/jobs")).json()["jobs"]
    assert (job["requirements"], job["salary_period"]) == ("Knives", "hour")
    assert job["notes"] == "Posting as pasted; what the fields say is newer:\n\nWe cook."


async def test_a_line_without_labels_fills_the_whole_form(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    page = (await look(served, "/#/careers.tracker?add=saved")).page
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Link").fill("https://noma.example/cook")  # typed by hand: it stays
    line = "Cook at Noma, Copenhagen, 450.000 to 520.000 DKK a year, on-site"
    await dialog.get_by_label("Paste a posting").fill(line)
    is_seen = asyncio.Event()

    async def hold(route: Route) -> None:
        await is_seen.wait()
        await route.continue_()

    await page.route("**/import/preview*", hold)
    await dialog.get_by_role("button", name="Fill in the form").click()
    await expect(dialog.get_by_role("button", name="Reading")).to_be_disabled()
    is_seen.set()
    await expect(dialog.get_by_label("Salary to")).to_have_value("520,000")
    await dialog.get_by_role("button", name="Add the job").click()
    card = page.get_by_role("region", name="Saved")
    await expect(card).to_contain_text("Noma")
    await expect(card).to_contain_text("Copenhagen · Onsite")
    [job] = (await local.get("/api/jobs")).json()["jobs"]
    names = ("title", "url", "salary_min", "salary_currency", "salary_period")
    assert [job[name] for name in names] == [
        *("Cook", "https://noma.example/cook", 450_000, "DKK", "year")
    ]


async def test_a_job_that_is_there_is_named_before_it_is_added_again(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/jobs", json={"company": "Noma", "title": "Cook", "location": "Oslo"})
    page = (await look(served, "/#/careers.tracker?add=saved&title=cook&company=NOMA")).page
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Add the job").click()
    await expect(dialog.get_by_role("alert")).to_contain_text("Cook at Noma is already in your")
    assert (await local.get("/api/jobs")).json()["total"] == 1
    await dialog.get_by_role("link", name="Open that job").click()
    await expect(page.get_by_role("dialog", name="Cook at Noma")).to_be_visible()

    await page.goto(f"{page.url.split('#')[0]}#/careers.tracker?add=saved&title=cook&company=NOMA")
    await dialog.get_by_role("button", name="Add the job").click()
    await dialog.get_by_role("button", name="Add it again").click()
    await expect(page.locator(".job")).to_have_count(2)


async def test_pay_typed_by_hand_gets_the_currency_of_the_last_job(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    pay = {"salary_max": 30_000, "salary_currency": "EUR", "salary_period": "year"}
    await local.post("/api/jobs", json={"company": "Acme", "title": "Baker", **pay})
    await local.post("/api/jobs", json={"company": "Noma", "title": "Cook"})
    page = (await look(served, "/#/careers.tracker?job=2")).page
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("Currency")).to_be_visible()
    await dialog.get_by_label("Salary from").fill("28k")
    await page.keyboard.press("Tab")
    await expect(dialog.get_by_label("Currency")).to_have_value("EUR")
    await expect(dialog.get_by_label("Salary from")).to_have_value("28,000")
    await page.keyboard.press("Escape")
    await expect(page.locator(".job", has_text="Cook")).to_contain_text("from €28,000")
    job = (await local.get("/api/jobs/2")).json()
    assert [job[name] for name in pay] == [None, "EUR", "year"]


async def test_a_refused_offline_request_links_to_a_prefilled_form(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    page = (await look(served, "/#/chat")).page
    await page.fill("main textarea", "I found a Nurse position at City Hospital, can you save it?")
    await page.keyboard.press("Enter")
    await page.get_by_role("link", name="Add a job").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("Title")).to_have_value("Nurse")
    await dialog.get_by_role("button", name="Add the job").click()
    await expect(page.get_by_role("region", name="Saved")).to_contain_text("City Hospital")
    [job] = (await local.get("/api/jobs")).json()["jobs"]
    assert (job["title"], job["company"]) == ("Nurse", "City Hospital")


async def test_the_letter_screen_shows_claims_versions_and_changes(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/resume?filename=cv.json", json=RESUME)
    first = "Dear team,\n\nI was a cook at Initech.\n\nKind regards\nAnn Lee"
    letter = {"title": f"For {HOSTILE}", "kind": "cover_letter", "content": first}
    made = (await local.post("/api/documents", json=letter)).json()
    path = f"/api/documents/{made['document_id']}"
    second = first.replace("Initech.", "Initech. I know Kubernetes.")
    await local.post(f"{path}/versions", json={"content": second})
    viewer = await look(served, "/#/careers.letters")
    page = viewer.page

    await page.click("main .rows a")
    claims = page.get_by_role("complementary", name="Claims")
    await expect(claims).to_contain_text("1 to check")
    await expect(claims.locator("li b").first).to_have_text(re.compile("I know Kubernetes[.]$"))
    tools, download = page.locator(".letter-tools"), page.locator("summary", has_text="Download")
    await download.click()
    await expect(tools).to_contain_text("1 claim without a source")
    await page.keyboard.press("Escape")
    second_place = await download.bounding_box()
    await expect(claims).to_contain_text("Résumé: Cook at Initech")
    await expect(page.locator(".claim.bad")).to_have_text("Kubernetes")
    await page.locator("sup.bad a").press("Enter")
    await expect(claims.locator("ol > li").first).to_be_focused()
    await viewer.look_as(390, "dark")
    await page.get_by_role("button", name="1 claim to check").click()  # they are below the letter
    await expect(claims.get_by_role("heading")).to_be_in_viewport()
    await viewer.look_as(1440, "light")
    await page.click("main a:text('Changes')")
    await expect(page.locator("main ins")).to_contain_text("I know Kubernetes.")
    await page.click("main a:text-is('Letter')")
    await page.click("summary:has-text('Version 2 of 2')")
    await page.click("main .choices a:has-text('Version 1')")
    await expect(page).to_have_url(re.compile(r"version=1"))
    await expect(page.get_by_role("link", name="see version 2")).to_be_visible()
    await expect(page.locator(".claim.bad")).to_have_count(0)
    await expect(page.get_by_role("navigation", name="View")).to_have_count(0)
    assert await download.bounding_box() == second_place  # as many versions as there may be
    await page.go_back()
    await claims.get_by_role("button", name="Add to my profile").click()
    await expect(page.locator("main")).to_contain_text("Version 3 of 3")
    await expect(claims.locator("li.bad")).to_have_count(0)
    await page.click("main a:text('Changes')")
    await expect(page.get_by_role("article", name="Changes")).to_have_text(
        re.compile(r"^\s*No changes since version 2")
    )


async def test_the_tools_of_letters_and_tracker_take_one_row_on_a_phone(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/jobs", json={"company": "Acme", "title": "Cook"})
    made = await local.post(
        "/api/documents", json={"title": "For Acme", "kind": "cover_letter", "content": "Dear team"}
    )
    viewer = await look(served, f"/#/careers.letters/{made.json()['document_id']}")
    await viewer.look_as(390, "light")
    middle = "(it) => (it.getBoundingClientRect().top + it.getBoundingClientRect().bottom) >> 1"
    rows = f"(all) => [...new Set(all.map({middle}))]"
    tools = viewer.page.locator(".letter-tools :is(button, summary)")
    await expect(tools.filter(visible=True)).to_have_count(5)
    assert len(await tools.filter(visible=True).evaluate_all(rows)) == 1
    await viewer.go("#/careers.tracker")
    tools = viewer.page.get_by_role("search").locator("nav, button, a.button")
    await expect(tools.filter(has_text="Add job")).to_be_visible()
    assert len(await tools.evaluate_all(rows)) == 1
    assert await viewer.list_barriers() == []


async def test_a_letters_sources_are_of_the_resume_that_it_was_written_from(
    serve: Serve, look: Look
):
    served, local = await serve_pack(serve)
    await local.post("/api/resume?filename=cv.json", json=RESUME)
    letter = {"title": "Mine", "kind": "cover_letter", "content": "I was a cook at Initech."}
    made = (await local.post("/api/documents", json=letter)).json()
    other = {**RESUME, "work": [{"name": "Acme", "position": "Pilot"}]}
    await local.post("/api/resume?filename=cv.json", json=other)
    page = (await look(served, f"/#/careers.letters/{made['document_id']}")).page

    claims = page.get_by_role("complementary", name="Claims")
    await expect(claims).to_contain_text("Résumé: Cook at Initech")
    await expect(claims).not_to_contain_text("Pilot")


async def test_a_sentence_added_from_an_old_letter_is_no_topics_answer(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.put("/api/profile", json={"content": "## Availability\n\nSkipped"})
    letter = {"title": "For Acme", "kind": "cover_letter", "content": "I know Kubernetes."}
    made = (await local.post("/api/documents", json=letter)).json()
    path = f"/api/documents/{made['document_id']}"
    await local.post(f"{path}/versions", json={"content": "I know Docker."})
    page = (await look(served, f"/#/careers.letters/{made['document_id']}?version=1")).page
    main, add = page.locator("main"), page.get_by_role("button", name="Add to my profile")

    for old, new in ((1, 3), (2, 4)):
        await page.click("summary:has-text('Version ')")
        await page.click(f"main .choices a:has-text('Version {old}')")
        await expect(main).to_contain_text(f"Version {old} of {new - 1}")
        await add.click()
        await expect(main).to_contain_text(f"Version {new} of {new}")
        await expect(page.locator("[aria-live=polite]")).to_contain_text(
            f"Added to your profile. Checked again as version {new}"
        )
        await expect(page.get_by_role("complementary").locator("li.bad")).to_have_count(0)
    profile = (await local.get("/api/profile")).json()["content"]
    assert profile == (
        "## Availability\n\nSkipped\n\n"
        "## Added from letters\n\n- I know Docker.\n- I know Kubernetes."
    )
    assert (await local.get("/api/profile/interview")).json()["answered"] == 0


@pytest.mark.parametrize("width", [390, 1280])
async def test_the_menus_of_letters_and_resume_lie_within_the_page(
    serve: Serve, look: Look, width: int
) -> None:
    served, local = await serve_pack(serve)
    await local.post("/api/resume?filename=cv.json", json=RESUME)
    await local.post("/api/resume?filename=cv.json", json={**RESUME, "work": []})
    letter = {"title": "For Acme", "kind": "other", "content": "I cook."}
    made = (await local.post("/api/documents", json=letter)).json()
    viewer = await look(served, width=width)
    page, menus = viewer.page, viewer.page.locator("main details.menu")
    opened = page.locator("main details[open].menu > .card")

    for place, count in ((f"careers.letters/{made['document_id']}", 2), ("careers.profile", 1)):
        await viewer.go(f"#/{place}")
        await expect(menus).to_have_count(count)
        for n in range(count):
            await menus.nth(n).locator("summary").click()
            assert await opened.evaluate(
                """card => {
                    const [inner, main] = [card, document.querySelector("main")]
                        .map((part) => part.getBoundingClientRect());
                    return inner.left >= main.left && inner.right <= main.right;
                }"""
            ), (place, n)
            await page.keyboard.press("Escape")


async def test_the_list_of_letters_says_and_filters_what_is_to_be_checked(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/resume", files={"file": ("cv.json", json.dumps(RESUME).encode())})
    for company, said in (
        ("Acme", "I was a cook at Initech."),
        ("Zeta", "I led 40 people at Zed."),
    ):
        job = (await local.post("/api/jobs", json={"company": company, "title": "Cook"})).json()
        letter = {"title": f"For {company}", "kind": "cover_letter", "job_id": job["job_id"]}
        await local.post("/api/documents", json={**letter, "content": said})
    viewer = await look(served, "/#/careers.letters")
    page = viewer.page
    rows = page.locator(".rows.letters a")
    await expect(rows).to_have_count(2)
    await expect(rows.filter(has_text="Zeta")).to_contain_text("1 to check")
    await expect(rows.filter(has_text="Acme")).not_to_contain_text("to check")

    await page.get_by_role("link", name="To check 1").click()
    await expect(rows).to_have_count(1)
    await rows.click()
    await expect(page.get_by_role("complementary", name="Claims")).to_contain_text("1 to check")
    await viewer.go("#/careers.tracker?job=2")
    await expect(page.get_by_role("region", name="Letters")).to_contain_text("1 to check")


async def test_a_sentence_without_a_source_can_be_removed_from_a_letter(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/resume?filename=cv.json", json=RESUME)
    text = "Dear team,\n\nI was a cook at Initech. I know Kubernetes.\n\nKind regards\nAnn Lee"
    letter = {"title": "For Acme", "kind": "cover_letter", "content": text}
    made = (await local.post("/api/documents", json=letter)).json()
    path = f"/api/documents/{made['document_id']}"
    page = (await look(served, f"/#/careers.letters/{made['document_id']}")).page

    await page.get_by_role("button", name="Remove the sentence").click()

    await expect(page.locator("main")).to_contain_text("Version 2 of 2")
    await expect(page.locator("[aria-live=polite]")).to_contain_text("Saved as version 2")
    await expect(page.locator(".claim.bad")).to_have_count(0)
    stored = (await local.get(path)).json()
    assert stored["content"] == text.replace(" I know Kubernetes.", "")


async def test_a_sentence_with_a_decimal_is_one_claim_and_is_removed_whole(
    serve: Serve, look: Look
) -> None:
    served, local = await serve_pack(serve)
    await local.post("/api/resume?filename=cv.json", json=RESUME)
    sentence = "As a cook at Initech I kept Dr. Lee's kitchen at 99.95 % for 20 clients."
    text = f"Dear team,\n\nI was a cook at Initech. {sentence} I cook."
    letter = {"title": "For Acme", "kind": "cover_letter", "content": text}
    made = (await local.post("/api/documents", json=letter)).json()
    document = (await local.get(f"/api/documents/{made['document_id']}")).json()
    page = (await look(served, f"/#/careers.letters/{made['document_id']}")).page
    claims = page.get_by_role("complementary", name="Claims").locator("ol > li")

    assert len(document["problems"]) > 1
    await expect(claims).to_have_count(3)  # each sentence once, whatever is missing in it
    own = ["cook", "Initech", "cook", "Initech", "cook"]
    await expect(page.locator("mark.own")).to_have_text(own)
    await page.get_by_role("button", name="Remove the sentence").first.click()

    await expect(page.locator("main")).to_contain_text("Version 2 of 2")
    stored = (await local.get(f"/api/documents/{made['document_id']}")).json()
    assert stored["content"] == text.replace(f" {sentence}", "")


async def test_each_claim_of_a_letter_has_its_number_in_the_text(serve: Serve, look: Look) -> None:
    served, local = await serve_pack(serve)
    await local.post("/api/resume?filename=cv.json", json=RESUME)
    content = "Dear team,\n\nI was a cook at Initech. I led 17 of 14 at Initech."
    letter = {"title": "For Acme", "kind": "cover_letter", "content": content}
    made = (await local.post("/api/documents", json=letter)).json()
    page = (await look(served, f"/#/careers.letters/{made['document_id']}")).page

    items = page.get_by_role("complementary", name="Claims").locator("ol > li")
    await expect(items.first).to_be_visible()
    numbers = await page.get_by_role("article", name="The letter").locator("sup").all_inner_texts()
    assert sorted(map(int, numbers)) == list(range(1, await items.count() + 1))
    assert len(numbers) > 1


async def test_a_letters_claims_change_colour_with_its_version(serve: Serve, look: Look) -> None:
    served, local = await serve_pack(serve)
    await local.post("/api/resume?filename=cv.json", json=RESUME)
    parts = ["I know Kubernetes.", "I was a cook at Initech.", "I cooked at Initech since 2019."]
    letter = {"title": "For Acme", "kind": "cover_letter", "content": "\n\n".join(parts)}
    made = (await local.post("/api/documents", json=letter)).json()
    page = (await look(served, f"/#/careers.letters/{made['document_id']}")).page
    claims = page.get_by_role("complementary", name="Claims").locator("ol > li")
    await expect(claims).to_have_count(3)
    colours = "list => list.map(item => getComputedStyle(item.querySelector('.icon')).color)"
    bad, *good = await claims.evaluate_all(colours)
    assert {bad}.isdisjoint(good) and len(set(good)) == 1

    await page.get_by_role("button", name="Edit").click()
    await expect(page.get_by_role("textbox", name="The letter")).to_be_focused()
    text = "\n\n".join([*parts[1:], "I know Kubernetes.", "I know Docker."])
    await page.get_by_role("textbox", name="The letter").fill(text)
    await page.get_by_role("button", name="Save as a new version").click()

    await expect(page.locator("main")).to_contain_text("Version 2 of 2")
    shown = await claims.evaluate_all(colours)
    assert shown == [bad, bad, *good], shown


async def test_a_letters_markdown_is_formatted_around_its_claims(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/resume?filename=cv.json", json=RESUME)
    content = (
        "Dear team,\n\nI was a **cook at Initech** for *ten* years."
        "\n\n- I know *Kubernetes*\n- [x](javascript:y)"
    )
    letter = {"title": "For Acme", "kind": "cover_letter", "content": content}
    made = (await local.post("/api/documents", json=letter)).json()
    viewer = await look(served, f"/#/careers.letters/{made['document_id']}")
    letter_page = viewer.page.get_by_role("article", name="The letter")

    await expect(letter_page.locator("strong")).to_have_text(re.compile("cook at Initech"))
    await expect(letter_page.locator("li em")).to_have_text(re.compile("Kubernetes"))
    await expect(letter_page.locator("li em .claim.bad")).to_have_count(1)
    await expect(letter_page.locator("sup a").first).to_be_visible()
    assert "*" not in await viewer.page.locator("main").inner_text()
    assert await viewer.list_barriers() == []


async def test_a_letters_changes_are_marked_in_the_formatted_text(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    first = (
        "# A letter\n\nDear team,\n\nI was a **cook** at Initech & Co for *two* years."
        "\n\n- I can cook\n- I know `rm`\n- I sing [x](javascript:y)"
        "\n\nOld paragraph, never seen again."
    )
    second = (
        "# A letter\n\nDear team,\n\nI was a **head cook** at Initech & Co for *three* years."
        "\n\n- I can cook well\n- I sing [x](javascript:y)\n- I dance\n\n> Ask me anything you like"
    )
    letter = {"title": "For Acme", "kind": "other", "content": first}
    made = (await local.post("/api/documents", json=letter)).json()
    path = f"/api/documents/{made['document_id']}"
    await local.post(f"{path}/versions", json={"content": second})
    viewer = await look(served, f"/#/careers.letters/{made['document_id']}?view=changes")
    article = viewer.page.get_by_role("article", name="Changes")
    items = article.locator("li")

    await expect(article.locator(".heading")).to_have_text("A letter")
    await expect(article.locator("ins")).to_have_text(
        ["head ", "three", "well", "I dance", "Ask me anything you like"]
    )
    await expect(article.locator("del")).to_have_text(
        ["two", "I know rm", "Old paragraph, never seen again."]
    )
    await expect(article.locator("strong")).to_have_text("head cook")
    await expect(article.locator("em del")).to_have_text("two")
    await expect(items).to_have_text(
        ["I can cook well", "I know rm", re.compile("^I sing x"), "I dance"]
    )
    await expect(items.locator("del code")).to_have_text("rm")
    await expect(article.locator("a")).to_have_count(0)
    text = await article.inner_text()
    assert [sign for sign in ("*", "# A", "- I", "&amp;", "`", "> ") if sign in text] == []
    assert "Too much changed" not in text
    # Else a removed word touches the word before it: a space between both is the removed one's.
    for name in ("ins", "del"):
        mark = article.locator(f"{name}:not(.whole)").first
        await expect(mark).to_have_css("padding-left", "3px")
    for width, scheme in ((1440, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []


async def test_a_rewritten_letters_changes_are_shown_as_whole_paragraphs(serve: Serve, look: Look):
    # Each of 200 paragraphs compared with each took half a minute, in which the tab was frozen.
    served, local = await serve_pack(serve)
    versions = [
        "\n\n".join(" ".join(f"{name}{n}n{word}" for word in range(14)) for n in range(200))
        for name in ("old", "new")
    ]
    kept = "Dear team,\n\n", "I cook well.\n\n", "I cook very well.\n\n"
    first, second = kept[0] + kept[1] + versions[0], kept[0] + kept[2] + versions[1]
    letter = {"title": "For Acme", "kind": "other", "content": first}
    made = (await local.post("/api/documents", json=letter)).json()
    path = f"/api/documents/{made['document_id']}"
    await local.post(f"{path}/versions", json={"content": second})
    viewer = await look(served, f"/#/careers.letters/{made['document_id']}?view=changes")
    article = viewer.page.get_by_role("article", name="Changes")

    await expect(article).to_contain_text("Too much changed to mark each word")
    await expect(article.locator("ins:not(.whole)")).to_have_text("very ")
    for name in ("del", "ins"):
        await expect(article.locator(f"{name}.whole")).to_have_count(200)
    shown = await article.locator(".whole").evaluate_all("(all) => all.map((it) => it.tagName)")
    assert shown == ["DEL"] * 200 + ["INS"] * 200


async def test_a_letter_can_be_edited_and_deleted(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    letter = {"title": "For Acme", "kind": "other", "content": "Dear team,\n\nI cook."}
    made = (await local.post("/api/documents", json=letter)).json()
    path = f"/api/documents/{made['document_id']}"
    viewer = await look(served, f"/#/careers.letters/{made['document_id']}")
    page = viewer.page
    text = page.get_by_role("textbox", name="The letter")

    await page.get_by_role("button", name="Edit").click()
    await expect(text).to_have_value(letter["content"])
    for width, scheme in ((1440, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []
    await text.fill("Dear team,\n\nI cook well.")
    await viewer.go("#/careers.tracker")
    await viewer.go(f"#/careers.letters/{made['document_id']}")
    await expect(text).to_have_value("Dear team,\n\nI cook well.")
    await page.get_by_role("button", name="Save as a new version").click()
    await expect(page.locator("main")).to_contain_text("Version 2 of 2")
    await expect(page.locator("main")).to_contain_text("I cook well.")
    await expect(text).to_have_count(0)
    assert (await local.get(path)).json()["content"] == "Dear team,\n\nI cook well."

    await viewer.look_as(390, "light")
    await page.get_by_title("Version 2 of 2").click()
    await expect(page.get_by_role("link", name="Version 1")).to_be_in_viewport(ratio=1)
    await page.keyboard.press("Escape")

    await page.get_by_role("button", name="Delete").click()
    assert (await local.get(path)).status_code == 200
    await page.get_by_role("button", name="Delete all versions for good").click()
    await expect(page.get_by_role("heading", name="Letters")).to_be_visible()
    await expect(page.locator("main")).not_to_contain_text("For Acme")
    await page.goto("about:blank")  # it is deleted when nobody undoes it

    async def is_gone() -> bool:
        return (await local.get(path)).status_code == 404

    await until(is_gone)


async def test_an_exported_chat_lists_what_was_done_with_links_that_lead_back(
    serve: Serve, look: Look, tmp_path: Path
):
    served, local = await serve_pack(serve)
    chat = await begin(local)
    await local.post("/api/resume", files={"file": ("cv.pdf", make_pdf(*LINES))})
    await ask(local, chat, "add a job: Cook at Acme")
    await ask(local, chat, "write a cover letter for the Acme job")
    page = (await look(served, f"/#/chat/{chat}")).page
    await page.click("summary[title='More for this chat']")
    async with page.expect_download() as made:
        await page.get_by_role("button", name="Export as Markdown").click()
    await (await made.value).save_as(tmp_path / "chat.md")

    lines = (tmp_path / "chat.md").read_text().splitlines()
    address = f"{served.url}/#/careers.tracker?job=1"
    letter = f"[Cover letter for Cook at Acme]({served.url}/#/careers.letters/1?version=1)"
    shown = [line.split(",")[0] for line in lines if line.startswith(("## ", "- "))]
    assert shown == [
        "## You",
        "## Answer of offline-rules",
        f"- Saved a job: [Cook at Acme]({address})",
        "## You",
        "## Answer of offline-rules",
        "- Looked up your jobs",
        "- Read your résumé",
        "- Read your profile",
        shown[-1],
    ]
    assert shown[-1].startswith(f"- {letter}: Version 1")


async def test_a_job_lists_a_chat_with_versions_once(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/jobs", json={"company": "Acme", "title": "Cook"})
    chat = await begin(local)
    await say(local, chat, content="what does Acme pay?")
    await say(local, chat, content="what does Acme pay a cook?", replaces=0)
    viewer = await look(served, f"/#/chat/{chat}")
    await expect(viewer.page.locator(".message.user")).to_contain_text("pay?")
    await viewer.go("#/careers.tracker?job=1")
    chats = viewer.page.get_by_role("dialog").locator("a[href^='#/chat/']")

    await expect(chats).to_have_count(1)


async def test_the_interview_screen_lists_open_topics_and_continues_in_the_chat(
    serve: Serve, look: Look
):
    served, local = await serve_pack(serve)
    profile = f"## Target roles\n\n{HOSTILE}\n\n## Salary\n\n- Locations: Oslo"
    await local.put("/api/profile", json={"content": profile})
    state = (await local.get("/api/profile/interview")).json()
    viewer = await look(served, "/#/careers.profile?tab=profile")
    page = viewer.page

    await expect(page.locator("main")).to_contain_text("3 of 7 topics are answered")
    await expect(page.locator("main li").first).to_contain_text("answered")
    await expect(page.locator("main li").first).to_contain_text("onerror")
    await page.click("button:text('Start the interview')")
    await expect(page).to_have_url(re.compile("#/chat/."))
    box = page.get_by_label("Your message")
    await expect(box).to_be_focused()
    await expect(page.locator(".message.assistant .foot")).to_be_visible()
    await expect(box).to_have_attribute("placeholder", "Your answer, or a question about it")
    await expect(page.get_by_role("heading", name="Profile interview")).to_be_visible()
    await viewer.say("remote, please")
    await expect(page.locator(".message.user ~ .message.assistant .foot")).to_be_visible()
    await viewer.go("#/careers.profile?tab=profile")

    await expect(page.locator("main a:text('Continue in the chat')")).to_be_visible()
    await expect(page.locator("main")).to_contain_text("4 of 7 topics are answered")
    answers = {item["name"]: item["answer"] for item in state["topics"]}
    assert {name for name, answer in answers.items() if answer} == {
        *("Target roles", "Locations", "Salary")
    }
    assert (answers["Locations"], state["onboarded"]) == ("Oslo", False)
    assert not [item for item in state["topics"] if re.search(r"\bthey\b", item["about"])]
    assert await page.locator("main img, main script").count() == 0


async def test_who_leaves_before_the_interview_begins_stays_there(serve: Serve, look: Look):
    served, _ = await serve_pack(serve)
    viewer = await look(served, "/#/careers.profile?tab=profile")
    page, left = viewer.page, asyncio.Event()

    async def hold(route: Route) -> None:
        answer = await route.fetch()
        await left.wait()
        await route.fulfill(response=answer)

    await page.route("**/api/chat/onboarding/kick", hold)
    async with page.expect_response("**/onboarding/kick") as begun:
        await page.get_by_role("button", name="Start the interview").click()
        await viewer.go("#/careers.tracker")
        left.set()
    await (await begun.value).finished()
    await page.evaluate("fetch('/api/session').then((answer) => answer.text())")  # behind it

    assert page.url.endswith("#/careers.tracker")
    await viewer.go("#/careers.profile?tab=profile")
    await expect(page.get_by_role("link", name="Continue in the chat")).to_be_visible()


async def test_a_non_answer_is_asked_again_once_then_shown_as_skipped(serve: Serve, look: Look):
    served, _ = await serve_pack(serve)
    viewer = await look(served, "/#/careers.profile?tab=profile")
    page = viewer.page
    await page.click("button:text('Start the interview')")
    for n, (said, answer) in enumerate(
        (("asdf", "found no answer"), ("?", "Skipped: Target roles."), ("Oslo", "Noted."))
    ):
        await expect(page.locator(".message.assistant .foot")).to_have_count(n + 1)
        await viewer.say(said)
        await expect(page.locator(ANSWER).last).to_contain_text(answer)
    bar = page.get_by_role("group", name="Interview")
    await expect(bar).to_contain_text("1 of 7 topics are answered, 1 skipped")
    await expect(bar).to_be_in_viewport(ratio=1)  # its question is held at the top of the chat
    skip = await bar.get_by_role("button").bounding_box()
    box = await page.locator("#said").bounding_box()
    assert skip and box
    assert skip["y"] + skip["height"] <= box["y"]
    await bar.get_by_role("button", name="Skip this question").click()
    await page.keyboard.type("in an office")  # neither a second skip nor shortcuts
    await expect(page.locator("#said")).to_have_value("in an office")
    await expect(page.locator(ANSWER).last).to_contain_text("Skipped: Work style.")
    await bar.get_by_role("link").click()

    await expect(page.locator("main")).to_contain_text("1 of 7 topics are answered, 2 skipped")
    await expect(page.locator("main li").first).to_contain_text("skipped")
    # The bar counts what the words count, and only an answered topic's mark is green.
    await expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "1")
    for name, count in (("answered", 1), ("skipped", 2), ("open", 4)):
        await expect(page.locator(f".topic-bar .{name}")).to_have_count(count)
    colours = await page.locator("main .topic > .icon").evaluate_all(
        "(all) => all.map((icon) => getComputedStyle(icon).color)"
    )
    assert len(colours) == 7
    assert [colours.count(colour) for colour in sorted(set(colours), key=colours.count)] == [1, 6]

    await page.locator("summary", has_text="Download").click()
    async with page.expect_download() as download:
        await page.get_by_role("button", name="Markdown", exact=True).click()
    written = (await (await download.value).path()).read_text()
    assert "1 of 7 topics are answered, 2 skipped." in written
    assert "## Locations\n\nOslo" in written
    assert "## Target roles\n\nSkipped" in written
    assert "## Salary\n\nNot answered yet" in written
    await page.keyboard.press("Escape")

    await page.get_by_role("button", name="Answer Target roles").click()
    await page.get_by_label("Target roles").fill("Cook")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator("main")).to_contain_text("2 of 7 topics are answered, 1 skipped")
    await expect(page.get_by_role("button", name="Edit Target roles")).to_be_focused()


async def test_the_profile_is_written_topic_by_topic(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    content = "Ann Lee\n\n## Salary\n\nSkipped\n\n## Added from letters\n\n- I sing."
    await local.put("/api/profile", json={"content": content})
    viewer = await look(served, "/#/careers.profile?tab=profile", width=390)
    card = viewer.page.get_by_role("region", name="Profile")
    salary = card.locator("li", has_text="Salary")
    await expect(salary).to_contain_text(re.compile("skipped *expected pay"))
    await expect(card.get_by_role("listitem")).to_contain_text(["Target roles", "Locations"])
    await expect(card.locator("li", has_text="About you")).to_contain_text("Ann Lee")
    await expect(card).not_to_contain_text("##")

    field = card.get_by_role("textbox", name="Salary")
    # Drawn and focused without a frame between: what one selects at once stays selected.
    drawn = await salary.get_by_role("button", name="Answer Salary").evaluate(
        """async (button) => {
            button.click();
            for (let n = 0; n < 5; n++) await null;
            return document.activeElement.localName;
        }"""
    )
    assert drawn == "textarea"
    await expect(field).to_be_focused()
    await expect(field).to_have_value("")
    assert await viewer.list_barriers() == []
    await field.fill("90k")
    await viewer.go("#/careers.tracker")
    await viewer.go("#/careers.profile?tab=profile")
    await expect(field).to_have_value("90k")
    await salary.get_by_role("button", name="Save").click()
    await expect(field).to_have_count(0)
    await expect(salary).to_contain_text("90k")
    await card.get_by_role("button", name="Edit Added from letters").click()
    await card.get_by_role("textbox").fill("")
    await card.get_by_role("button", name="Save").click()
    await expect(card).not_to_contain_text("Added from letters")
    await card.get_by_role("button", name="Edit Salary").click()
    await field.fill("100k")
    await card.get_by_role("button", name="Cancel").click()
    await expect(salary).to_contain_text("90k")

    profile = (await local.get("/api/profile")).json()["content"]
    assert profile == "Ann Lee\n\n## Salary\n\n90k"
    assert await viewer.list_barriers() == []


async def test_the_packs_screens_are_accessible_and_fit_a_phone(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/jobs", json={"company": "Acme", "title": "Cook", "job_fit": 4})
    letter = {"title": "For Acme", "kind": "other", "content": "I cooked."}
    made = (await local.post("/api/documents", json=letter)).json()
    await local.put("/api/profile", json={"content": "## Strengths\n\nCooked for Acme"})
    viewer = await look(served, width=320, scheme="dark")
    page, broken = viewer.page, dict[str, Any]()

    for address, read_out in {
        "#/careers.tracker": BOARD,
        "#/careers.tracker?view=table": TABLE,
        "#/careers.profile?tab=profile": INTERVIEW,
        "#/careers.letters": LETTERS,
        f"#/careers.letters/{made['document_id']}": LETTER,
    }.items():
        await viewer.go(address)
        await expect(page.locator("main")).to_contain_text("Acme")
        await expect(page.locator("main")).to_match_aria_snapshot(read_out)
        if found := await viewer.list_barriers():
            broken[address] = found
        for width in (320, 390, 768, 1440, 1920):
            await page.set_viewport_size({"width": width, "height": 900})
            assert await page.evaluate(TOO_WIDE) == [], (address, width)
        await page.set_viewport_size({"width": 320, "height": 900})

    assert broken == {}
    config = (await local.get("/api/config")).json()
    [pack] = [item for item in config["screens"] if item["pack"] == "careers"]
    titles = [screen["title"] for screen in pack["screens"]]
    assert (pack["title"], titles) == ("Job search", ["Tracker", "Letters", "Résumé and profile"])


async def test_a_user_gets_from_resume_and_job_to_a_letter_in_the_browser(serve: Serve, look: Look):
    served = await serve(auth=False, packs=("careers",))
    viewer = await look(served, width=390)
    page = viewer.page
    await expect(page.locator("h1")).to_have_text("How can I help with your job search?")
    await expect(page.get_by_role("region", name="Get set up")).to_contain_text("1 of 3 done")

    file = {"name": "cv.pdf", "mimeType": "application/pdf", "buffer": make_pdf(*LINES)}
    await page.set_input_files(".set-up input[type=file]", [file])  # type: ignore[list-item]
    await expect(page.get_by_role("status").last).to_contain_text("Richard Hendriks · ")
    await expect(page.get_by_role("region", name="Get set up")).to_contain_text("2 of 3 done")
    await viewer.say("add a job: Backend Engineer at Initech in Berlin, remote")
    await expect(page.locator(ANSWER).last).to_contain_text("Initech")
    await viewer.say("write a cover letter for the Initech job")
    await expect(page.locator(ANSWER).last).to_contain_text("Dear")
    await viewer.go("#/careers.letters")
    await page.click("main a:has-text('Cover letter')")

    await expect(page.get_by_role("article", name="The letter")).to_contain_text("Dear")
    await viewer.go("#/careers.profile")
    await expect(page.locator("main")).to_contain_text("Richard Hendriks")


async def test_ctrl_k_opens_pack_screens_and_old_urls_redirect(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    viewer = await look(served, "/#/careers.interview")
    page = viewer.page
    await expect(page.locator("h1")).to_have_text("Résumé and profile")

    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("combobox", name="Search or jump to")).to_be_focused()
    await page.keyboard.type("let")
    await page.keyboard.press("Enter")

    await expect(page.locator("h1")).to_have_text("Letters")
    body = {"title": "Letter to Contoso", "content": "Dear team, I cook well."}
    assert (await local.post("/api/documents", json=body)).status_code == 201
    for typed, found, heading in (
        ("conn", "Connect a model", "Models and keys"),
        ("cont", re.compile("Letter to Contoso *Letters"), "Letter to Contoso"),
    ):
        await page.keyboard.press("Control+k")
        await expect(page.get_by_role("combobox", name="Search or jump to")).to_be_focused()
        await page.keyboard.type(typed)
        await expect(page.get_by_role("option")).to_contain_text([found])
        await page.keyboard.press("Enter")
        await expect(page.locator("h1")).to_contain_text(heading)


async def test_a_thing_to_check_in_a_resume_shows_its_line_of_the_file(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    text = "Ann Lee\nann@lee.example\n\nExperience\nContoso, Hamburg\nEngineer, 2021 - 2018\n"
    file = {"file": ("cv.txt", text.encode(), "text/plain")}
    assert (await local.post("/api/resume", files=file)).status_code == 201
    assert (await local.post("/api/resume/parse")).status_code == 200
    page = (await look(served, "/#/careers.profile")).page
    doubts = page.get_by_role("form", name="Please check")
    await expect(doubts).to_contain_text("Line 6 of the file: “Engineer, 2021 - 2018”")


async def test_doubtful_resume_values_are_corrected_on_the_resume_page(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    work = {"name": "Acme", "position": "events a day", "startDate": "2020"}
    found = {"basics": {"name": f"Ann {HOSTILE}"}, "work": [work], "skills": [{"name": "SQL"}]}
    viewer = await look(served, "/#/careers.profile")
    page = viewer.page
    await expect(page.locator("main")).to_contain_text("Drop a PDF")

    file = {"name": "cv.json", "mimeType": "application/json", "buffer": json.dumps(found).encode()}
    await page.set_input_files("main input[type=file]", [file])  # type: ignore[list-item]
    doubts = page.get_by_role("form", name="Please check")
    await expect(doubts).to_contain_text("“events a day” looks like part of a sentence")
    await expect(doubts).not_to_contain_text("of the file")
    await doubts.get_by_role("button", name="Fix events a day, Acme: Position").click()
    position = page.get_by_role("region", name="Work").get_by_label("Position")
    await expect(position).to_be_focused()
    await expect(position).to_have_accessible_description(re.compile("part of a sentence"))
    assert await viewer.list_barriers() == []
    await position.fill("Engineer")
    await doubts.get_by_role("button", name="Save corrections").click()
    await expect(doubts).not_to_contain_text("looks like part of a sentence")
    await doubts.get_by_role("button", name="Keep as it is").click()  # the name
    await expect(doubts).to_have_count(0)
    await expect(page.get_by_role("region", name="Work")).to_contain_text("Engineer, Acme")
    await page.get_by_role("region", name="Skills").get_by_role("button", name="Add").click()
    await page.get_by_role("dialog").get_by_label("Name").fill("Cooking")
    await page.get_by_role("dialog").get_by_role("button", name="Save").click()
    await expect(page.get_by_role("region", name="Skills")).to_contain_text("Cooking")
    await page.click("main a:text('Profile and interview')")
    await page.click("button:text('Edit as Markdown')")
    await page.fill("main textarea", "## Strengths\n\nCooked for Acme")
    await page.click("button:text('Save')")
    await expect(page.get_by_role("region", name="Profile")).to_contain_text("Cooked for Acme")

    resume = (await local.get("/api/resume")).json()
    assert (resume["version"], resume["please_check"]) == (4, [])
    assert resume["data"]["work"][0]["position"] == "Engineer"
    assert await viewer.list_barriers() == []


async def test_an_impossible_period_is_listed_until_it_is_corrected_or_kept(
    serve: Serve, look: Look
):
    served, local = await serve_pack(serve)
    work = {"name": "Acme", "position": "Cook", "startDate": "2021-03", "endDate": "2019-03"}
    file = ("cv.json", json.dumps({**RESUME, "work": [work], "skills": [{}]}).encode())
    await local.post("/api/resume", files={"file": file})
    await local.patch("/api/resume", json={"set": {"skills[0].name": "Knives"}})
    page = (await look(served, "/#/careers.profile")).page
    doubts = page.get_by_role("form", name="Please check")
    save = doubts.get_by_role("button", name="Save corrections")
    impossible = "Ends (Mar 2019) before it begins (Mar 2021)"
    await expect(doubts).to_contain_text(impossible)
    await expect(doubts).not_to_contain_text(f"To {impossible}")
    await expect(save).to_have_count(0)  # nothing is corrected yet
    end = page.get_by_role("region", name="Work").get_by_label("To")

    await end.fill("Feb 2021")
    await save.click()
    assert "before it begins" in await end.evaluate("(field) => field.validationMessage")
    assert (await local.get("/api/resume")).json()["version"] == 2
    await end.fill("2019-03")
    await doubts.get_by_role("button", name="Keep these dates").click()
    await expect(doubts).to_have_count(0)

    stored = (await local.get("/api/resume")).json()
    assert (stored["version"], stored["checks"], stored["data"]["work"]) == (3, [], [work])


async def test_doubtful_values_left_as_they_are_are_kept_by_a_button_that_says_so(
    serve: Serve, look: Look
):
    served, local = await serve_pack(serve)
    work = [
        {"name": "Acme", "position": "events a day", "startDate": "2021"},
        {"name": "Noma", "position": "Cook", "startDate": "2021", "endDate": "2019"},
    ]
    file = ("cv.json", json.dumps({**RESUME, "work": work}).encode())
    await local.post("/api/resume", files={"file": file})
    page = (await look(served, "/#/careers.profile")).page
    doubts = page.get_by_role("form", name="Please check")
    keep = doubts.get_by_role("button", name="Keep as it is")
    position = page.get_by_role("region", name="Work").get_by_label("Position")

    await position.fill("Engineer")
    await expect(doubts.get_by_role("button", name="Save corrections")).to_be_visible()
    await position.fill("events a day")
    await keep.click()

    await expect(doubts).not_to_contain_text("looks like part")
    await expect(doubts).to_contain_text("Ends (2019) before it begins (2021)")


async def test_the_editor_refuses_an_end_before_the_start(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    work = {"name": "Acme", "position": "Cook", "startDate": "2018-08", "endDate": "2021-02"}
    file = ("cv.json", json.dumps({**RESUME, "work": [work]}).encode())
    await local.post("/api/resume", files={"file": file})
    page = (await look(served, "/#/careers.profile")).page
    await page.get_by_role("button", name="Edit Cook, Acme").click()
    end = page.get_by_role("dialog").get_by_label("To")

    await end.fill("Feb 2015")
    await page.get_by_role("dialog").get_by_role("button", name="Save").click()
    assert "before it begins" in await end.evaluate("(field) => field.validationMessage")
    await end.fill("Sep 2018")
    await page.get_by_role("dialog").get_by_role("button", name="Save").click()

    await expect(page.get_by_role("region", name="Work")).to_contain_text("Aug 2018 – Sep 2018")


async def test_fixing_a_swapped_school_and_degree_keeps_both(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    education = {"institution": "BSc Biology", "studyType": "University of Oslo"}
    data = {**RESUME, "education": [education], "work": [{"name": "Cook", "position": "Acme Ltd"}]}
    file = ("cv.json", json.dumps(data).encode())
    await local.post("/api/resume", files={"file": file})
    page = (await look(served, "/#/careers.profile")).page
    doubts = page.get_by_role("form", name="Please check")

    await doubts.get_by_role("button", name="Fix University of Oslo, BSc Biology: School").click()
    education_card = page.get_by_role("region", name="Education")
    await expect(education_card.get_by_label("Degree")).to_have_value("University of Oslo")
    await education_card.get_by_role("button", name="Swap School and Degree").click()
    await expect(education_card.get_by_label("School")).to_have_value("University of Oslo")
    await page.get_by_role("button", name="Swap Position and Employer").click()
    await doubts.get_by_role("button", name="Save corrections").click()
    open_ones = doubts.get_by_role("listitem")
    await expect(open_ones).to_contain_text(["Which dates", "Which years"])  # not asked about yet
    await expect(open_ones).to_have_count(2)

    stored = (await local.get("/api/resume")).json()["data"]
    assert stored["education"] == [
        {"institution": "University of Oslo", "studyType": "BSc Biology"}
    ]
    assert stored["work"] == [{"name": "Acme Ltd", "position": "Cook"}]


async def test_the_resume_page_shows_and_changes_where_a_person_lives(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    basics = {"name": "Ann Lee", "location": {"city": "Oslo", "countryCode": "NO"}}
    file = ("cv.json", json.dumps({**RESUME, "basics": basics}).encode())
    await local.post("/api/resume", files={"file": file})
    page = (await look(served, "/#/careers.profile")).page
    card = page.get_by_role("region", name="Yourself")
    await expect(card).to_contain_text("Oslo, Norway")

    await card.get_by_role("button", name="Edit name and address").click()
    await expect(page.get_by_role("dialog").get_by_label("Country")).to_have_value("NO")
    await page.get_by_role("dialog").get_by_label("City").fill("Bergen")
    await page.get_by_role("dialog").get_by_role("button", name="Save").click()
    await expect(card).to_contain_text("Bergen, Norway")

    stored = (await local.get("/api/resume")).json()["data"]["basics"]
    assert stored == {"name": "Ann Lee", "location": {"city": "Bergen", "countryCode": "NO"}}


async def test_the_place_of_a_position_is_read_shown_and_changed(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    text = "Ann Lee\n\nExperience\n\nCook, Acme Ltd, Bergen\nMarch 2021 –\n- Cooked for ten\n"
    await local.post("/api/resume", files={"file": ("cv.txt", text.encode())})
    await local.post("/api/resume/parse", json={})
    page = (await look(served, "/#/careers.profile")).page
    entry = page.get_by_role("region", name="Work").get_by_role("article")
    await expect(entry).to_contain_text("Bergen · Mar 2021 – today")
    await expect(entry.get_by_role("listitem")).to_have_text("Cooked for ten")

    edit, dialog = (
        entry.get_by_role("button", name="Edit Cook, Acme Ltd"),
        page.get_by_role("dialog"),
    )
    for typed, button in (("Tromsø", "Discard changes"), ("Oslo", "Close")):
        await edit.click()
        await expect(dialog.get_by_label("Place")).to_have_value("Bergen")
        await dialog.get_by_label("Place").fill(typed)
        await dialog.get_by_role("button", name=button).click()
        await page.keyboard.press("Escape")
    await edit.click()
    await expect(dialog.get_by_label("Place")).to_have_value("Oslo")  # kept, not saved
    await page.get_by_role("dialog").get_by_role("button", name="Save").click()
    await expect(entry).to_contain_text("Oslo · Mar 2021 – today")

    [work] = (await local.get("/api/resume")).json()["data"]["work"]
    assert (work["location"], work["name"], work["position"]) == ("Oslo", "Acme Ltd", "Cook")


async def test_an_old_resume_version_says_so_and_can_be_used_again(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    old = {**RESUME, "skills": [{"name": "Fish"}, {"name": "Meat", "keywords": ["Beef"]}]}
    for data in (old, {**RESUME, "work": [], "skills": [{"name": "Tea"}]}):
        await local.post("/api/resume", files={"file": ("cv.json", json.dumps(data).encode())})
    viewer = await look(served, "/#/careers.profile", width=390)
    page, main = viewer.page, viewer.page.locator("main")
    await expect(page.get_by_role("button", name="Edit Tea")).to_be_visible()
    await expect(main).not_to_contain_text("This is version")

    await page.click("summary:has-text('Version 2')")
    await page.click("main .choices a:has-text('Version 1')")
    await expect(main).to_contain_text("This is version 1 of 2. Letters use version 2.")
    await expect(main).to_contain_text("Cook, Initech")
    await expect(page.get_by_role("button", name=re.compile("^(Edit|Add)"))).to_have_count(0)
    for width, scheme in ((1280, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []
        assert await page.evaluate(TOO_WIDE) == []
    await page.get_by_role("button", name="Use this version").click()
    await expect(main).not_to_contain_text("This is version")
    await expect(page.locator("[aria-live=polite]")).to_contain_text("as version 3")
    await expect(page.get_by_role("button", name="Edit Cook, Initech")).to_be_visible()
    await expect(main).to_contain_text("cv.json, the same as version 1, just now")
    await page.click("summary:has-text('Version 3')")
    await expect(page.locator("main .choices a:has-text('Version 3')")).to_contain_text(
        "cv.json, the same as version 1, just now"
    )
    assert await page.evaluate(TOO_WIDE) == []

    resume = (await local.get("/api/resume")).json()
    assert (resume["version"], resume["data"]) == (3, old)


async def test_a_malformed_email_or_date_is_refused_beside_its_field(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/resume", files={"file": ("cv.json", json.dumps(RESUME).encode())})
    page = (await look(served, "/#/careers.profile")).page
    dialog = page.get_by_role("dialog")
    save = dialog.get_by_role("button", name="Save")

    for button, label, wrong, right in (
        ("Edit name and address", "Email", "maria@@bad", "maria@example.org"),
        ("Edit Cook, Initech", "From", "yesterdayish", "2018-05"),
    ):
        await page.get_by_role("button", name=button).click()
        field = dialog.get_by_label(label)
        await field.fill(wrong)
        await save.click()
        await expect(field).to_be_focused()
        assert await field.evaluate("field => field.matches(':invalid') && field.title")
        await field.fill(right)
        await save.click()
        await expect(dialog).to_have_count(0)

    data = (await local.get("/api/resume")).json()["data"]
    assert (data["basics"]["email"], data["work"][0]["startDate"]) == (
        "maria@example.org",
        "2018-05",
    )


async def test_a_position_with_a_start_is_asked_for_its_end(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    work = [{"name": name, "position": "Cook"} for name in ("Initech", "Acme")]
    file = ("cv.json", json.dumps({**RESUME, "work": work}).encode())
    await local.post("/api/resume", files={"file": file})
    page = (await look(served, "/#/careers.profile")).page
    first, second = (page.get_by_role("article").nth(n) for n in (0, 1))

    await first.get_by_label("From").fill("May 2018")
    await second.get_by_label("From").fill("2020")
    await second.get_by_label("I still work here").check()
    await second.get_by_role("button", name="Save").click()
    await expect(first.get_by_label("To")).to_be_focused()
    why = "field => field.validationMessage"
    assert "When did it end?" in await first.get_by_label("To").evaluate(why)
    await first.get_by_label("To").fill("2019")
    await first.get_by_role("button", name="Save").click()
    await expect(first).to_contain_text("May 2018 – 2019")
    await expect(second).to_contain_text("2020 – today")
    await page.get_by_role("button", name="Edit Cook, Initech").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("To").fill("")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.get_by_label("To")).to_be_focused()
    box = dialog.get_by_label("I still work here")
    # As high as its label's line, whose text stands beside it.
    assert await box.evaluate("box => [box.offsetHeight < 24, box.parentNode.offsetHeight]") == [
        True,
        32,
    ]
    await box.check()
    await dialog.get_by_role("button", name="Save").click()
    await expect(first).to_contain_text("May 2018 – today")


async def test_a_chats_letter_card_keeps_showing_its_own_version(serve: Serve, look: Look):
    served = await serve(auth=False, packs=("careers",))
    local = await served.client()
    file = {"file": ("cv.pdf", make_pdf(*LINES), "application/pdf")}
    await local.post("/api/resume", files=file)
    await local.post("/api/jobs", json={"company": "Initech", "title": "Cook"})
    first, second = await begin(local, "First"), await begin(local, "Second")
    runs = [
        (await ask(local, chat, "write a cover letter for the Initech job"))["run_id"]
        for chat in (first, second)
    ]
    viewer = await look(served, f"/#/chat/{first}")
    page, card = viewer.page, viewer.page.locator(".card.made")
    await expect(card).to_contain_text("Version 1 · ")
    await expect(card).to_contain_text("Version 2 is newer")

    await card.get_by_role("link", name="Open").click()
    await expect(page.locator("main")).to_contain_text("Version 1 of 2")
    await viewer.go(f"#/chat/{second}")
    await expect(card).to_contain_text("Version 2 · ")
    await expect(card).not_to_contain_text("newer")

    [letter] = (await local.get("/api/documents")).json()["documents"]
    told = [(item["run_id"], item["version"]) for item in letter["written"]]
    assert told == [(runs[1], 2), (runs[0], 1)]


async def test_a_letter_written_anew_says_that_it_leaves_out_ones_edits(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/resume", files={"file": ("cv.json", json.dumps(RESUME).encode())})
    await local.post("/api/jobs", json={"company": "Initech", "title": "Cook"})
    chat, order = await begin(local, "This"), "write a cover letter for the Initech job"
    await ask(local, chat, order)
    [letter] = (await local.get("/api/documents")).json()["documents"]
    path = f"/api/documents/{letter['document_id']}/versions"
    await local.post(path, json={"content": "Dear team,\n\nI cook.\n\nMaria"})
    await ask(local, chat, order)
    viewer = await look(served, f"/#/careers.letters/{letter['document_id']}")
    main, note = viewer.page.locator("main"), "your version 2 is not part of it"

    await expect(main).to_contain_text("Version 3 of 3")
    await expect(main).to_contain_text(note)
    await viewer.go(f"#/careers.letters/{letter['document_id']}?version=2")
    await expect(main).to_contain_text("Version 2 of 3")
    await expect(main).not_to_contain_text("is not part of it")


async def test_a_file_button_shows_the_keyboard_focus(serve: Serve, look: Look):
    served, _ = await serve_pack(serve)
    page = (await look(served, "/#/careers.tracker")).page
    button = page.locator("main label:has([type=file])").first
    await expect(button).to_have_css("outline-style", "none")
    await page.keyboard.press("Tab")
    await button.locator("input").focus()
    await expect(button).to_have_css("outline-style", "solid")


async def test_why_this_answer_names_the_persons_own_facts_in_plain_words(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/resume", files={"file": ("cv.pdf", make_pdf(*LINES))})
    await local.post("/api/jobs", json={"company": "Initech", "title": "Cook", "location": "Oslo"})
    await local.post("/api/jobs", json={"company": "Noma", "title": "Chef"})
    chat = await begin(local, "This")
    await ask(local, chat, "write a cover letter for the Initech job")
    listed = await ask(local, chat, "which jobs are in Oslo?")
    viewer = await look(served, f"/#/chat/{chat}")
    page, main = viewer.page, viewer.page.locator("main")

    await page.get_by_role("link", name="Why this answer").first.click()
    answer = page.get_by_role("region", name="The answer")
    await expect(page.locator("h1")).to_contain_text("write a cover letter")
    await expect(answer).to_contain_text("Dear")
    await expect(page).to_have_title(re.compile("^Why this answer"))
    based = page.get_by_role("region", name="What it is based on")
    await expect(based.get_by_role("link", name="Cover letter for Cook at Initech")).to_be_visible()
    await expect(
        based.locator("li", has_text="Pied Piper").get_by_role(
            "link", name=re.compile("^Résumé, line")
        )
    ).to_be_visible()
    await expect(based).to_contain_text("2 jobs read; the answer names 1 of them")
    applying = based.get_by_text("I am applying for")
    await expect(applying).to_be_hidden()  # the answer is beside it
    await expect(based).to_contain_text("Saved · Oslo")
    await expect(main).to_contain_text("It looked up your jobs, read your résumé")
    await expect(main).to_contain_text("The answer was checked before it was shown.")
    await expect(main).to_contain_text(re.compile(r"It took [\d.]+ m?s"))
    await expect(page.get_by_role("button", name="Copy as cURL")).to_have_count(0)
    await expect(page.locator(".trace")).to_have_count(0)
    await viewer.look_as(390, "dark")
    await expect(applying).to_be_visible()
    assert await page.evaluate(TOO_WIDE) == []
    await page.get_by_role("link", name=re.compile("^For developers")).click()
    await expect(page.locator(".trace")).to_be_visible()

    await viewer.go(f"#/runs/{listed['run_id']}?tab=why")
    await expect(based).to_contain_text("1 found for Place: Oslo")
    await based.get_by_role("link", name="Cook at Initech").click()
    await expect(page).to_have_url(re.compile("tracker[?]job=1$"))


async def test_why_a_letter_lists_what_it_leaves_out_and_no_line_twice(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    resume = {**RESUME, "education": [{"institution": "Oslo College", "studyType": "Diploma"}]}
    await local.post("/api/resume", files={"file": ("cv.json", json.dumps(resume).encode())})
    await local.post("/api/jobs", json={"company": "Vandelay", "title": "Cook"})
    chat = await begin(local, "This")
    run = await ask(local, chat, "write a cover letter for the Vandelay job")
    viewer = await look(served, f"/#/runs/{run['run_id']}?tab=why")
    page = viewer.page
    based = page.get_by_role("region", name="What it is based on")
    own = based.locator(".based", has=page.get_by_role("link", name="Your résumé", exact=True))

    await expect(own).to_contain_text("the letter above names the lines that it uses")
    await expect(own).not_to_contain_text("Initech")
    [letter] = (await local.get("/api/documents")).json()["documents"]
    text = (await local.get(f"/api/documents/{letter['document_id']}")).json()["content"]
    assert "Initech" in text
    is_named = "Oslo College" in text
    await expect(own.locator("li")).to_have_text([] if is_named else ["Diploma at Oslo College"])
    await expect(page.get_by_role("region", name="What was done").locator("svg")).to_have_count(0)

    path = f"/api/documents/{letter['document_id']}/versions"
    await local.post(path, json={"content": "Dear team,\n\nI cook.\n\nAnn"})
    await viewer.go(f"#/careers.letters/{letter['document_id']}")
    await page.get_by_role("link", name="Why version 1, which it comes from").click()
    answer = page.get_by_role("region", name="The answer")
    await expect(answer).to_contain_text("Dear")
    await viewer.look_as(390, "light")
    await page.reload()
    await expect(answer).to_contain_text(text.splitlines()[-1])  # all of it
    assert await answer.evaluate("(box) => box.scrollHeight <= box.clientHeight + 1")
    done = await page.get_by_role("region", name="What was done").bounding_box()
    whole = await answer.bounding_box()
    assert done and whole
    assert whole["y"] > done["y"]  # who comes from a chat knows it

    await page.set_viewport_size({"width": 390, "height": 500})
    link = page.get_by_role("link", name="The posting").first
    await link.evaluate("(it) => it.scrollIntoView({ block: 'center' })")
    await page.wait_for_function("() => history.state?.y > 50 && history.state.y === scrollY")
    place = await page.evaluate("scrollY")
    await link.click()
    await expect(page.locator("input:focus")).to_have_value("Cook")
    await page.keyboard.press("Escape")
    await expect(answer).to_contain_text("Dear")
    await page.wait_for_function("(y) => Math.abs(scrollY - y) < 3", arg=place)


async def test_an_answer_shares_only_lines_with_a_rare_word_in_common(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    work = [
        {"name": "Initech", "position": "Backend Engineer", "startDate": "2017"},
        {"name": "Hooli", "position": "Backend Engineer", "startDate": "2019"},
    ]
    resume = {"basics": {"name": "Ann Lee"}, "work": work}
    await local.post("/api/resume", files={"file": ("cv.json", json.dumps(resume).encode())})
    viewer = await look(served, "/#/careers.letters")
    based = await viewer.page.evaluate(
        """async () => {
            const { findLines } = await import("/console/careers/based.js");
            const lines = ["Initech, Backend Engineer, 2017-09", "Python",
                "Hooli, Backend Engineer, 2019", "Hooli, Backend Engineer, 2019"];
            return findLines(lines, "Backend Engineer at Hooli until 2017, with python.");
        }"""
    )
    assert based == ["Python", "Hooli, Backend Engineer, 2019"]


async def test_a_letters_link_leads_to_the_field_of_the_resume(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    resume = {"basics": {"name": "Ann Lee"}, "work": RESUME["work"]}
    await local.post("/api/resume", files={"file": ("cv.json", json.dumps(resume).encode())})
    await local.post("/api/jobs", json={"company": "Acme", "title": "Cook"})
    letter = {"title": "For Acme", "kind": "cover_letter", "job_id": 1}
    content = "Dear team,\n\nI was a cook at Initech.\n\nAnn Lee"
    await local.post("/api/documents", json={**letter, "content": content})
    viewer = await look(served, "/#/careers.letters/1")
    page = viewer.page
    for width in (1440, 390):
        await viewer.look_as(width, "light")
        await viewer.go("#/careers.letters/1")
        await page.get_by_role("link", name="Add it to your résumé").click()
        await expect(page.locator(":focus")).to_have_attribute("name", "basics.email")
        await page.keyboard.press("Escape")


async def test_a_line_of_the_document_leads_to_its_entry_on_a_phone(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    text = "Ann Lee\n\nExperience\n\nCook, Acme Ltd, 2018 - 2021\n- Cooked for ten\n"
    await local.post("/api/resume", files={"file": ("cv.txt", text.encode(), "text/plain")})
    assert (await local.post("/api/resume/parse")).status_code == 200
    viewer = await look(served, "/#/careers.letters")
    await viewer.look_as(390, "light")
    await viewer.go("#/careers.profile?line=6")
    await expect(viewer.page.locator("article:focus")).to_contain_text("Acme Ltd")
    await expect(viewer.page.get_by_role("dialog")).to_have_count(0)
    marked = viewer.page.locator("article [aria-current]")
    await expect(marked).to_have_text(["Cooked for ten"])
    await viewer.go("#/careers.profile?line=5")
    await expect(marked).to_have_text([re.compile("Cook, Acme Ltd")])


async def test_a_letter_says_that_its_chat_was_deleted(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/resume", files={"file": ("cv.json", json.dumps(RESUME).encode())})
    await local.post("/api/jobs", json={"company": "Initech", "title": "Cook"})
    chat = await begin(local, "This")
    await ask(local, chat, "write a cover letter for the Initech job")
    [letter] = (await local.get("/api/documents")).json()["documents"]
    viewer = await look(served, f"/#/careers.letters/{letter['document_id']}")
    claims = viewer.page.get_by_role("complementary", name="Claims")
    await expect(claims.get_by_role("link", name="Why it wrote this")).to_be_visible()

    assert (await local.delete(f"/api/chat/conversations/{chat}")).status_code < 300
    await viewer.page.reload()

    await expect(claims).to_contain_text("The chat that wrote this was deleted.")
    await expect(claims.get_by_role("link", name="Why it wrote this")).to_have_count(0)


async def test_a_declined_deletion_is_listed_without_its_warning(serve: Serve, look: Look):
    served = await serve(auth=False, packs=("careers",))
    local = await served.client()
    await local.post("/api/jobs", json={"company": "Initech", "title": "Cook"})
    chat = await begin(local, "This")
    await ask(local, chat, "delete job 1")
    viewer = await look(served, f"/#/chat/{chat}")
    card = viewer.page.locator(".question")
    await expect(card).to_contain_text("This cannot be undone.")

    await card.get_by_role("button", name="Keep it", exact=True).click()
    await expect(viewer.page.locator(ANSWER)).to_have_count(1)
    await viewer.go("#/approvals?view=decided")

    await expect(card).to_contain_text("Declined")
    await expect(card).not_to_contain_text("This cannot be undone.")


async def test_a_text_area_is_as_wide_as_the_fields_beside_it(serve: Serve, look: Look):
    served = await serve(auth=False)
    local = await served.client()
    await local.post("/api/jobs", json={"company": "Acme", "title": "Cook"})
    page = (await look(served, "/#/careers.tracker")).page
    await page.get_by_role("link", name="Cook").click()
    form = page.get_by_role("dialog").locator("form")
    await expect(form).to_be_visible()

    # From the form's edge to the field, and the field's width against the form's.
    measure = """form => {
        const [outer, field] = [form, form.querySelector("textarea")]
            .map((part) => part.getBoundingClientRect());
        const style = getComputedStyle(form.querySelector("label:has(textarea)"));
        return [field.left - outer.left, outer.width - field.width, style.display];
    }"""
    assert await form.evaluate(measure) == [0, 0, "grid"]


async def test_a_resume_stands_beside_its_document_whose_lines_are_marked(
    serve: Serve, look: Look
) -> None:
    served, local = await serve_pack(serve)
    text = (
        "Ann Lee\nann(at)lee.example\n\nExperience\n\nCook, Acme Ltd, 2021 - 2018\n- Cooked for ten"
        "\n\nSkills: Baking, Grilling\n"
    )
    await local.post("/api/resume", files={"file": ("cv.txt", text.encode(), "text/plain")})
    assert (await local.post("/api/resume/parse")).status_code == 200
    viewer = await look(served, "/#/careers.profile")
    page = viewer.page
    document = page.get_by_role("complementary", name="Your document")
    lines = document.get_by_role("listitem")

    await expect(lines).to_have_count(len(text.splitlines()))
    await expect(lines.nth(1)).to_have_class(re.compile("doubtful"))
    await expect(lines.nth(6)).to_have_class(re.compile("used"))
    await expect(lines.nth(3)).not_to_have_class(re.compile("used|doubtful"))
    await page.get_by_role("region", name="Work").locator("article h3").hover()
    for n in (5, 6):
        await expect(lines.nth(n)).to_have_attribute("aria-current", "true")
    doubts = page.get_by_role("form", name="Please check")
    email = doubts.get_by_role("listitem").filter(has_text="ann(at)lee.example")
    await expect(email.get_by_role("button", name="Keep as it is")).to_have_count(0)
    await email.get_by_role("button", name="Line 2 of the file").click()
    await expect(lines.nth(1)).to_have_attribute("aria-current", "true")
    assert await viewer.list_barriers() == []

    await viewer.look_as(390, "dark")
    await email.get_by_role("button", name="Line 2 of the file").click()
    opened = page.get_by_role("dialog", name="Your document")
    await expect(opened.locator("[aria-current=true]")).to_contain_text("ann(at)lee.example")
    assert await viewer.list_barriers() == []


async def test_a_jobs_head_names_its_place_and_its_details_come_close_below_the_chats(
    serve: Serve, look: Look
):
    served, local = await serve_pack(serve)
    job = {"company": "Acme", "title": "Cook", "location": "Oslo", "remote_type": "hybrid"}
    await local.post("/api/jobs", json=job)
    viewer = await look(served, "/#/careers.tracker?job=1")
    dialog = viewer.page.get_by_role("dialog")

    await expect(dialog).to_contain_text("Oslo · Hybrid")
    chats = await dialog.get_by_role("region", name="Chats").locator("> :last-child").bounding_box()
    details = await dialog.get_by_role("heading", name="Details").bounding_box()
    assert chats and details
    assert details["y"] - chats["y"] - chats["height"] < 48


async def test_the_heading_of_the_claims_is_in_sight_on_a_phone(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    await local.post("/api/jobs", json={"company": "Acme", "title": "Cook"})
    text = "Dear team,\n\n" + "\n\n".join(f"I led {n} people at Noma." for n in range(20, 40))
    letter = {"kind": "cover_letter", "title": "Cover letter", "content": text, "job_id": 1}
    assert (await local.post("/api/documents", json=letter)).status_code == 201
    viewer = await look(served, "/#/careers.letters")
    await viewer.look_as(390, "light")
    await viewer.go("#/careers.letters/1")
    page = viewer.page

    await page.locator(".to-claims").click()
    heading = page.get_by_role("heading", name="Claims", exact=True)
    await expect(heading).to_be_in_viewport()
    box = await heading.bounding_box()
    assert box
    assert box["y"] >= 56
