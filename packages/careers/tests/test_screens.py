"""The pack's pages in the console: tracker, letters and their sources, the interview."""

from __future__ import annotations

import re
from typing import Any

from playwright.async_api import expect

from packages.documents.tests.samples import LINES, make_pdf
from tests.console.conftest import Look
from tests.console.conftest import chromium as chromium
from tests.console.conftest import look as look
from tests.server.conftest import Serve
from tests.server.conftest import serve as serve

ANSWER = ".message.assistant:not(.live)"
HOSTILE = "<img src=x onerror=alert(1)> \u202eEvil"
BOARD = """
- heading "Tracker" [level=1]
- search:
  - searchbox "Words in company, title, place, tags, notes"
  - button "Search"
  - link "board"
  - link "table"
  - link "CSV"
- group "board":
  - region "saved":
    - heading "saved 1" [level=2]
    - list:
      - listitem:
        - strong: Cook
        - paragraph: Acme
        - paragraph: fit 4 of 5
        - combobox "status of Cook at Acme"
"""
TABLE = """
- heading "Tracker" [level=1]
- group "jobs":
  - table:
    - rowgroup:
      - row "company title status location salary fit changed"
    - rowgroup:
      - row:
        - cell "Acme"
        - cell "Cook"
        - cell:
          - combobox "status of Cook at Acme"
"""
INTERVIEW = """
- heading "Résumé and profile" [level=1]
- region "Résumé":
  - heading "Résumé" [level=2]
  - button "Choose a file"
  - paragraph: /Drop a PDF, Word, text or JSON Resume file/
- heading "Interview" [level=2]
- paragraph: 1 of 7 topics are answered.
- paragraph:
  - button "Begin the interview"
- list:
  - listitem:
    - heading "Target roles ○ open" [level=3]
    - paragraph: positions and seniority
"""
LETTERS = """
- heading "Letters" [level=1]
- list:
  - listitem:
    - link "For Acme"
    - paragraph: /other · 1 version ·/
"""
LETTER = """
- heading "For Acme" [level=1]
- paragraph:
  - link "All letters"
  - link "pdf"
  - link "docx"
  - link "md"
- paragraph: /Version 1 of 1/
- region "the text":
  - paragraph: I cooked.
- region "sources"
- heading "Versions" [level=2]
- list:
  - listitem:
    - link "1"
"""


async def test_a_job_is_moved_on_the_board_and_found_in_the_table(serve: Serve, look: Look):
    served = await serve(auth=False, packs=("careers",))
    local = await served.client()
    for company in ("Acme", HOSTILE):
        await local.post("/api/jobs", json={"company": company, "title": "Cook"})
    viewer = await look(served, "/#/careers.tracker")
    page = viewer.page

    await page.get_by_label("status of Cook at Acme").focus()
    await page.get_by_label("status of Cook at Acme").select_option("applied")
    await expect(page.get_by_label("applied", exact=True)).to_contain_text("Acme")
    await expect(page.get_by_label("status of Cook at Acme")).to_be_focused()
    await expect(page.get_by_label("saved", exact=True)).to_contain_text("⟨U+202E⟩Evil")
    await (
        page.get_by_label("saved", exact=True)
        .locator(".card")
        .drag_to(page.get_by_label("offer", exact=True))
    )
    await expect(page.get_by_label("offer", exact=True)).to_contain_text("Evil")
    await page.fill("#search", "acme")
    await page.keyboard.press("Enter")
    await page.click("main a:text('table')")
    await expect(page.locator("tbody tr")).to_have_count(1)

    jobs = (await local.get("/api/jobs")).json()["jobs"]
    assert {job["company"]: job["status"] for job in jobs} == {"Acme": "applied", HOSTILE: "offer"}
    assert viewer.troubles == viewer.foreign == []


async def test_a_letter_is_read_with_its_versions_and_where_each_claim_comes_from(
    serve: Serve, look: Look
):
    served = await serve(auth=False, packs=("careers",))
    local = await served.client()
    letter = {"title": f"For {HOSTILE}", "kind": "cover_letter", "content": "I cooked for Acme."}
    made = (await local.post("/api/documents", json=letter)).json()
    path = f"/api/documents/{made['document_id']}"
    await local.post(f"{path}/versions", json={"content": "I cooked for Initech."})
    viewer = await look(served, "/#/careers.letters")
    page = viewer.page

    await page.click("li a.title")
    await expect(page.locator("main")).to_contain_text("Version 2 of 2")
    await expect(page.locator("main del")).to_have_text("Acme")
    await expect(page.locator("main ins")).to_have_text("Initech")
    await page.click("main ul li a:text('1')")
    await expect(page.locator("main")).to_contain_text("Version 1 of 2")
    await expect(page).to_have_url(re.compile(r"version=1$"))
    assert viewer.troubles == viewer.foreign == []


async def test_the_interview_shows_what_is_open_and_goes_on_in_the_chat(serve: Serve, look: Look):
    served = await serve(auth=False, packs=("careers",))
    local = await served.client()
    profile = f"## Target roles\n\n{HOSTILE}\n\n## Salary\n\n- Locations: Oslo"
    await local.put("/api/profile", json={"content": profile})
    state = (await local.get("/api/profile/interview")).json()
    viewer = await look(served, "/#/careers.profile")
    page = viewer.page

    await expect(page.locator("main")).to_contain_text("3 of 7 topics are answered")
    await expect(page.locator("main li").first).to_contain_text("✓ answered")
    await expect(page.locator("main li").first).to_contain_text("onerror")
    await page.click("button:text('Begin the interview')")
    await expect(page).to_have_url(re.compile("#/chat/."))
    await expect(page.locator(".message.assistant .foot")).to_be_visible()
    await viewer.say("remote, please")
    await expect(page.locator(".message.user ~ .message.assistant .foot")).to_be_visible()
    await viewer.go("#/careers.profile")

    await expect(page.locator("main a:text('Go on in the chat')")).to_be_visible()
    await expect(page.locator("main")).to_contain_text("4 of 7 topics are answered")
    answers = {item["name"]: item["answer"] for item in state["topics"]}
    assert {name for name, answer in answers.items() if answer} == {
        *("Target roles", "Locations", "Salary")
    }
    assert (answers["Locations"], state["onboarded"]) == ("Oslo", False)
    assert not [item for item in state["topics"] if re.search(r"\bthey\b", item["about"])]
    assert await page.locator("main img, main script").count() == 0
    assert viewer.troubles == viewer.foreign == []


async def test_their_pages_break_no_rule_of_accessibility_and_fit_a_phone(serve: Serve, look: Look):
    served = await serve(auth=False, packs=("careers",))
    local = await served.client()
    await local.post("/api/jobs", json={"company": "Acme", "title": "Cook", "job_fit": 4})
    letter = {"title": "For Acme", "kind": "other", "content": "I cooked."}
    made = (await local.post("/api/documents", json=letter)).json()
    await local.put("/api/profile", json={"content": "## Strengths\n\nCooked for Acme"})
    viewer = await look(served, width=320, scheme="dark")
    page, broken = viewer.page, dict[str, Any]()

    for address, read_out in {
        "#/careers.tracker": BOARD,
        "#/careers.tracker?view=table": TABLE,
        "#/careers.profile": INTERVIEW,
        "#/careers.letters": LETTERS,
        f"#/careers.letters/{made['document_id']}": LETTER,
    }.items():
        await viewer.go(address)
        await expect(page.locator("main")).to_contain_text("Acme")
        await expect(page.locator("main")).to_match_aria_snapshot(read_out)
        if found := await viewer.list_barriers():
            broken[address] = found
        assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0

    assert broken == {}
    config = (await local.get("/api/config")).json()
    [pack] = config["screens"]
    titles = [screen["title"] for screen in pack["screens"]]
    assert (pack["title"], titles) == ("Job search", ["Tracker", "Letters", "Résumé and profile"])


async def test_a_stranger_drops_a_resume_adds_a_job_and_has_a_letter_in_the_browser_alone(
    serve: Serve, look: Look
):
    served = await serve(auth=False, packs=("careers",))
    viewer = await look(served, width=390)
    page = viewer.page
    await expect(page.locator("h1")).to_have_text("What shall we do about your job search?")
    await expect(page.get_by_role("region", name="Get set up")).to_contain_text("1 of 3 done")

    file = {"name": "cv.pdf", "mimeType": "application/pdf", "buffer": make_pdf(*LINES)}
    await page.set_input_files("input[type=file]", [file])  # type: ignore[list-item]
    await expect(page.get_by_role("status").last).to_contain_text("cv.pdf was read")
    await expect(page.get_by_role("region", name="Get set up")).to_contain_text("2 of 3 done")
    await page.click("button:has-text('Add a job')")
    await page.keyboard.press("Enter")
    await expect(page.locator(ANSWER).last).to_contain_text("Initech")
    await viewer.say("write a cover letter for the Initech job")
    await expect(page.locator(ANSWER).last).to_contain_text("Dear")
    await viewer.go("#/careers.letters")
    await page.click("main a:has-text('Cover letter')")

    await expect(page.get_by_role("region", name="the text")).to_contain_text("Dear")
    await viewer.go("#/careers.profile")
    await expect(page.locator("main")).to_contain_text("Richard Hendriks")
    assert viewer.troubles == viewer.foreign == []


async def test_ctrl_k_jumps_to_the_packs_screens_and_the_interviews_address_leads_on(
    serve: Serve, look: Look
):
    viewer = await look(await serve(auth=False, packs=("careers",)), "/#/careers.interview")
    page = viewer.page
    await expect(page.locator("h1")).to_have_text("Résumé and profile")

    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("combobox", name="Search or jump to")).to_be_focused()
    await page.keyboard.type("let")
    await page.keyboard.press("Enter")

    await expect(page.locator("h1")).to_have_text("Letters")
    assert viewer.troubles == viewer.foreign == []
