"""The tracker with keys alone: find a job, move it, read and change its details, close it."""

from __future__ import annotations

from playwright.async_api import expect

from packages.careers.tests.test_screens import serve_pack
from tests.console.conftest import Look
from tests.console.conftest import look as look
from tests.console.test_flows_by_keys import press_tab_to
from tests.server.conftest import Serve
from tests.server.conftest import serve as serve

BOARD = """
- region "Saved":
  - heading "Saved" [level=2]
  - button "Add a job to Saved"
- region "Applied":
  - heading "Applied" [level=2]
  - button "Add a job to Applied"
  - list:
    - listitem:
      - link "Cook":
        - /url: /careers.tracker/
      - paragraph: Acme
      - paragraph: Oslo
"""
DETAILS = """
- dialog "Cook at Acme":
  - heading "Cook at Acme" [level=2]
  - button "Close"
  - list "Statuses":
    - listitem: /Saved/
    - listitem: /Applied/
    - listitem: Interviewing
    - listitem: Offer
  - paragraph:
    - group
  - paragraph:
    - group
  - paragraph: /How well the job suits you/
  - paragraph: /Next/
  - region "Letters":
    - heading "Letters" [level=3]
    - button "Write a letter"
    - paragraph: None yet
  - region "Chats":
    - heading "Chats about Acme" [level=3]
    - link "All"
    - paragraph: None yet
  - heading "Details" [level=3]
  - textbox "Notes"
  - textbox "Title": Cook
  - textbox "Company": Acme
  - textbox "Place": Oslo
  - combobox "Workplace"
  - textbox "Link"
  - textbox "Salary from"
  - textbox "Salary to"
  - combobox "Currency"
  - combobox "Paid per"
  - group
  - heading "Requirements" [level=3]
  - list:
    - listitem: Two years in a kitchen
  - paragraph:
    - button "Delete the job"
  - status
"""


async def test_a_job_can_be_opened_moved_and_closed_with_keys_alone(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    for company in ("Acme", "Initech"):
        body = {"company": company, "title": "Cook", "location": "Oslo"}
        await local.post("/api/jobs", json={**body, "requirements": "Two years in a kitchen"})
    viewer = await look(served)
    page, focus, main = viewer.page, viewer.page.locator(":focus"), viewer.page.locator("main")
    dialog, toast = page.get_by_role("dialog"), page.locator("[aria-live=polite]")
    link = page.get_by_role("link", name="Cook")

    await expect(page.get_by_role("navigation", name="Screens")).to_contain_text("Tracker")
    await page.keyboard.press("Escape")
    for key in ("g", "t"):
        await page.keyboard.press(key)
    await expect(main).to_be_focused()
    await expect(link).to_have_count(2)
    await page.keyboard.press("/")
    await page.keyboard.type("acme")
    await expect(link).to_have_count(1)
    await expect(focus).to_have_id("search")

    await press_tab_to(page, "Cook")
    await expect(focus).to_have_accessible_description(
        "Arrow keys go from card to card. Space lifts the card, arrow keys choose a"
        " column, Space drops it, Escape leaves the card in place."
    )
    for key in (" ", "ArrowRight"):
        await page.keyboard.press(key)
    await expect(page.get_by_role("status").first).to_have_text("Cook at Acme: Applied")
    await page.keyboard.press(" ")
    await expect(toast).to_contain_text("Moved Cook at Acme to Applied")
    hint, undo = page.locator(".lifting"), toast.get_by_role("button", name="Undo")
    hint_box, toast_box, undo_box = [
        await item.bounding_box() for item in (hint, toast.locator(".toast"), undo)
    ]
    assert hint_box and toast_box and undo_box
    assert hint_box["y"] + hint_box["height"] <= toast_box["y"]
    assert undo_box["height"] < 40
    await expect(focus).to_have_text("Cook")
    await expect(main).to_match_aria_snapshot(BOARD)

    await page.keyboard.press("Enter")
    await expect(dialog).to_match_aria_snapshot(DETAILS)
    await expect(dialog.locator(":focus")).to_have_count(1)
    await press_tab_to(page, "Applied")
    await expect(dialog.get_by_title("Status: Applied")).to_be_focused()
    await page.keyboard.press("Enter")
    await press_tab_to(page, "Interviewing")
    await page.keyboard.press("Enter")
    await expect(dialog.get_by_role("status")).to_contain_text("Moved Cook at Acme to Interview")
    await expect(focus).to_have_text("Interviewing")
    await press_tab_to(page, "Write a letter")
    await page.keyboard.press("Tab")
    await expect(focus).to_have_text("All")
    await page.keyboard.press("Tab")
    await expect(dialog.get_by_label("Notes")).to_be_focused()
    await page.keyboard.type("Monday")
    await page.keyboard.press("Tab")
    await expect(dialog.get_by_role("status")).to_have_text("Saved")
    await page.keyboard.press("Escape")

    await expect(dialog).to_have_count(0)
    await expect(focus).to_have_text("Cook")
    await expect(page.get_by_role("region", name="Interviewing")).to_contain_text("Acme")
    jobs = (await local.get("/api/jobs")).json()["jobs"]
    assert {job["company"]: job["status"] for job in jobs} == {
        "Acme": "interviewing",
        "Initech": "saved",
    }


async def test_arrow_keys_go_from_card_to_card_and_from_column_to_column(serve: Serve, look: Look):
    served, local = await serve_pack(serve)
    for title, status in (("Cook", "saved"), ("Chef", "saved"), ("Baker", "interviewing")):
        await local.post("/api/jobs", json={"company": "Acme", "title": title, "status": status})
    page = (await look(served, "/#/careers.tracker")).page
    focus = page.locator(":focus")
    await page.get_by_role("link", name="Cook").focus()

    for key, title in (
        ("ArrowRight", "Baker"),
        ("ArrowRight", "Baker"),
        ("ArrowLeft", "Chef"),
        ("ArrowDown", "Cook"),
    ):
        await page.keyboard.press(key)
        await expect(focus).to_have_text(title)
