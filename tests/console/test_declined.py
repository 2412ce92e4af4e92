"""A call that a person declined is told as declined, everywhere, and never as done or failed."""

from __future__ import annotations

from httpx2 import AsyncClient
from playwright.async_api import expect

from plainloop.agent.provenance.refusals import REFUSALS
from tests.console.conftest import Look
from tests.machine.scripted import text, tools, triage
from tests.server.conftest import Serve, Served, ask, begin

ANSWER = ".message.assistant:not(.live)"
UNFOLD = "document.querySelectorAll('main details').forEach((part) => (part.open = true))"


def list_wrong(shown: str) -> list[str]:
    words = (
        "Deleted",
        "1 failed",
        "did not work",
        *(text.split("; ")[-1] for text in REFUSALS.values()),
    )
    return [word for word in words if word in shown]


async def test_the_inbox_says_what_became_of_a_refusal(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "This")
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    await ask(local, chat, "delete job 1")
    page = (await look(served, "/#/approvals")).page
    answers = page.locator(".question .answers button")
    await expect(answers).to_have_text(["Approve", "Decline", "Decline with a reason"])
    await answers.last.click()
    await expect(answers).to_have_text(["Approve", "Decline with this reason", "Cancel"])
    label = page.locator(".question label")  # not spaced as a page that is named as it was
    assert await label.evaluate("(it) => it.offsetHeight") < 64
    await answers.last.click()
    await expect(page.locator(".question input")).to_have_count(0)
    await page.get_by_role("button", name="Decline with a reason").click()
    await page.keyboard.type("it stays")
    await page.keyboard.press("Enter")

    done = page.locator(".done")
    await expect(done).to_contain_text("Declined")
    await expect(done).to_contain_text("OK, the job #1 was not deleted.")
    await done.get_by_role("link", name="Open the chat").click()
    await expect(page.locator(ANSWER).last).to_contain_text("OK, the job #1 was not deleted.")


async def test_the_console_shows_a_declined_call_as_declined(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "This")
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    waits = await ask(local, chat, "delete job 1")
    viewer = await look(served, f"/#/chat/{chat}")
    page = viewer.page
    await page.get_by_role("button", name="Decline with a reason").click()
    await page.keyboard.type("it stays")
    await page.locator(".question .no").click()
    await expect(page.locator(f"{ANSWER} .tools").last).to_contain_text(
        "Declined: delete job · 1 tool"
    )
    pages = dict[str, str]()

    await expect(page.locator(".timeline")).to_contain_text("Declined: delete job")
    await page.evaluate(UNFOLD)
    pages["chat"] = await page.inner_text("main")
    assert "OK, the job #1 was not deleted." in pages["chat"]
    await page.reload()
    await expect(page.locator(".timeline")).to_contain_text("Declined: delete job")
    await page.evaluate(UNFOLD)
    pages["chat, read again"] = await page.inner_text("main")
    await viewer.go(f"#/runs/{waits['run_id']}")
    await page.get_by_role("button", name="Declined: delete job").click()
    await expect(page.get_by_role("complementary")).to_contain_text("“it stays”")
    await page.evaluate(UNFOLD)
    pages["run"] = await page.inner_text("main")
    summary = (await local.get(f"/api/runs/{waits['run_id']}/summary")).json()
    pages["summary"] = " ".join(summary["sentences"])

    assert {name: found for name, text in pages.items() if (found := list_wrong(text))} == {}
    assert "“it stays”" in pages["chat"]
    messages = (await local.get(f"/api/chat/conversations/{chat}")).json()["messages"]
    refusals = [part["refusal"] for item in messages for part in item["parts"] if "refusal" in part]
    assert refusals == [{"status": "denied", "reason": "it stays"}]
    assert (await local.get("/api/jobs")).json()["total"] == 1


async def test_an_answer_with_one_declined_call_of_two_has_no_tick(serve: Serve, look: Look):
    job = {"company": "Cafe Uno", "title": "Cook"}
    made = triage("crm_worker"), tools(("c1", "create_job", job)), text("Noted.")
    calls = tools(("l1", "list_jobs", {}), ("d1", "delete_job", {"job_id": 1}))
    served = await serve(*made, triage("crm_worker"), calls, text("It stays."), auth=False)
    local = await served.client()
    chat = await begin(local)
    await ask(local, chat, "note it")
    page = (await look(served, f"/#/chat/{chat}")).page
    answers = page.locator(ANSWER)
    await expect(answers).to_have_count(1)
    tick = await answers.locator(".tools > summary .icon").inner_html()
    await page.fill("#said", "look, then delete it")
    await page.keyboard.press("Enter")
    await page.locator(".question .no").click()

    for moment in ("live", "read again"):
        await expect(answers).to_have_count(2)
        summary = answers.last.locator(".tools > summary")
        await expect(summary, moment).to_contain_text("Declined: delete job; list jobs")
        await expect(page.locator(".steps .undone"), moment).to_have_count(1)
        assert await summary.locator(".icon").inner_html() != tick, moment
        await page.reload()
    [run] = (await local.get(f"/api/chat/conversations/{chat}/runs")).json()["runs"][:1]
    await page.goto(f"{served.url}/#/runs/{run['id']}?tab=approvals")
    await expect(page.locator("main .status").last).to_have_text("⊘ Declined")
