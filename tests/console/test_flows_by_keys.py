"""Approvals in a chat, decided with keys alone and read from the accessibility tree."""

from __future__ import annotations

from playwright.async_api import Page, expect

from tests.console.conftest import SAID, Look
from tests.machine.scripted import text, tools, triage
from tests.server.conftest import Serve

ANSWER = ".message.assistant:not(.live)"
FOCUSED = "(document.activeElement.innerText || document.activeElement.tagName).trim()"
QUESTION = """
- 'article "needs your decision: Delete #1 Cook at Cafe 1?"':
  - 'heading "Delete #1 Cook at Cafe 1?" [level=2]'
  - group:
    - text: Current values
    - term: Company
    - definition: Cafe 1
    - term: Title
    - definition: Cook
  - button "Approve"
  - button "Decline"
  - button "Decline with a reason"
  - code: delete_job
"""


async def press_tab_to(page: Page, name: str, *, key: str = "Tab", stops: int = 30) -> None:
    """Press Tab until the focused element's text is `name`."""
    passed = list[str]()
    for _ in range(stops):
        await page.keyboard.press(key)
        passed.append(await page.evaluate(FOCUSED))
        if passed[-1] == name:
            return
    raise AssertionError(f"{key} did not reach {name!r}, only {passed}")


async def test_approvals_can_be_decided_by_keys_and_are_announced(serve: Serve, look: Look):
    jobs = [(f"c{n}", "create_job", {"company": f"Cafe {n}", "title": "Cook"}) for n in (1, 2)]
    deleted = [(f"d{n}", "delete_job", {"job_id": n}) for n in (1, 2)]
    made = triage("crm_worker"), tools(*jobs), text("Both are noted.")
    served = await serve(*made, triage("crm_worker"), tools(*deleted), text("Done."), auth=False)
    viewer = await look(served)
    page, focus = viewer.page, viewer.page.locator(":focus")
    questions = page.get_by_role("article", name="needs your decision")
    alert, status = (page.locator(f".only-read[role={role}]") for role in ("alert", "status"))
    await expect(page.locator(SAID)).to_be_focused()
    await page.keyboard.press("Escape")
    await page.keyboard.press("/")
    for n, request in enumerate(("please note both of them", "please get rid of both again")):
        await expect(page.locator(ANSWER)).to_have_count(n)
        await page.keyboard.type(request)
        await page.keyboard.press("Enter")
        await expect(page.locator(ANSWER)).to_have_count(1)

    needs = "Needs your approval: Delete"
    await expect(alert).to_have_text(f"{needs} #1 Cook at Cafe 1? {needs} #2 Cook at Cafe 2?")
    await expect(questions).to_have_count(2)
    await expect(page.locator(".question details")).to_have_count(2)
    await press_tab_to(page, "Current values", key="Shift+Tab")
    await press_tab_to(page, "Current values", key="Shift+Tab")
    await page.keyboard.press("Enter")
    await expect(questions.first).to_match_aria_snapshot(QUESTION)
    await press_tab_to(page, "Approve")
    await page.keyboard.press("Enter")
    await expect(questions.first.get_by_role("status")).to_have_text("Approved")
    await expect(focus).to_have_attribute(
        "aria-label", "needs your decision: Delete #2 Cook at Cafe 2?"
    )

    await press_tab_to(page, "Decline")
    await page.keyboard.press(" ")
    await expect(page.locator(ANSWER).last).to_contain_text("Done.")
    await expect(status).to_have_text(
        "Approved: Delete #1 Cook at Cafe 1? Declined: Delete #2 Cook at Cafe 2?"
        " The answer is finished."
    )
    await expect(focus).to_have_id(SAID[1:])
    left = await served.service.store.read("local").fetch("select company from tracker_jobs")
    assert [row["company"] for row in left] == ["Cafe 2"]
