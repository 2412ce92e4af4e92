"""The marks in a letter: only words that stand in the résumé, the profile or the posting."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from playwright.async_api import expect

from plainloop_careers.letters.letterhead import build_letterhead
from tests.console.conftest import Look
from tests.console.conftest import look as look
from tests.server.conftest import Serve
from tests.server.conftest import serve as serve

from ..test_screens import serve_pack

RESUME: dict[str, Any] = {
    "basics": {"name": "Ann Lee", "summary": "Cook with nine years of experience in bakeries."},
    "work": [
        {
            "name": "Acme Foods",
            "position": "Head Cook",
            "startDate": "2019-03",
            "highlights": [
                "Moved the ovens to night shifts; the wait went from two hours to one minute",
                "Kept the kitchen open at 99.95 % with a team of four",
                "Baked bread before each market",
            ],
        },
        {"name": "Harbour Inn", "position": "Cook", "startDate": "2018", "endDate": "2017"},
    ],
    "skills": [{"name": "Pastry"}, {"name": "Sourdough"}],
}
# What each sentence claims, and what of it may be marked as from the résumé or profile.
SENTENCES = {
    (
        "I also kept the kitchen open at 99.95 % with a team of five."
    ): "kept the kitchen open at 99.95 % with a team",
    (
        "I baked bread before each market which saved the town from certain hunger."
    ): "baked bread before each market",
    (
        "I baked bread before each market and won the hearts of my managers."
    ): "baked bread before each market",
    (
        "Where I invented the modern oven, I baked bread before each market."
    ): "baked bread before each market",
    "As the youngest director I baked bread before each market.": "baked bread before each market",
    (
        "Together with Google engineers I baked bread before each market."
    ): "baked bread before each market",
    "I baked bread (with three Michelin stars) before each market.": "baked bread|each market",
    "I baked bread before each market: the mayor thanked me.": "baked bread before each market",
    "I baked bread before each market; nobody else dared.": "baked bread before each market",
    (
        "I baked bread before each market, all of it certified by Kestrel."
    ): "baked bread before each market",
    "I have nine years of experience leading large departments.": "nine years of experience",
    "The wait of my guests went from one hour to two minutes.": "",
    "My colleagues call me “the best cook of Acme Foods”.": "cook|Acme Foods",
    "I kept a team.": "",
    "I am a passionate astronaut.": "",
    "I hold a Ph.D. from e.g. Oxford.": "",
    "I cooked for approx. 3.5 million guests at Dr. No.": "",
    "At 3 p.m. I fly planes.": "",
    "My notice period is three months.": "",
    "I know Pastry, Rust and Sourdough.": "Pastry|Sourdough",
    "I was Head Cook at Acme Foods, responsible for payments worldwide.": "Head Cook|Acme Foods",
    "I ran kitchens across Europe.": "",
    "I never kept the kitchen open at 99.95 % with a team of four.": "",
    "I haven't baked bread before each market.": "",
    "I moved the ovens to night shifts and doubled revenue.": "moved the ovens to night shifts",
}


async def test_a_mark_covers_only_words_that_have_a_source(serve: Serve, look: Look) -> None:
    served, local = await serve_pack(serve)
    await local.post("/api/resume?filename=cv.json", json=RESUME)
    content = "\n\n".join(["Dear team,", *SENTENCES, "Kind regards,\nAnn Lee"])
    letter = {"title": "For Acme", "kind": "cover_letter", "content": content}
    made = (await local.post("/api/documents", json=letter)).json()
    page = (await look(served, f"/#/careers.letters/{made['document_id']}")).page
    paragraphs = page.get_by_role("article", name="The letter").locator("> p")
    claims = page.get_by_role("complementary", name="Claims").locator("ol > li")

    await expect(paragraphs).to_have_count(2 + len(SENTENCES))
    marked = await paragraphs.evaluate_all(
        "list => list.map(p => [...p.querySelectorAll('mark.own')].map(it => it.textContent))"
    )
    assert ["|".join(one) for one in marked[1:-1]] == list(SENTENCES.values())
    await expect(claims).to_have_count(len(SENTENCES))
    texts = await claims.locator("b").all_inner_texts()
    assert sorted(text.partition(". ")[2] for text in texts) == sorted(SENTENCES)
    await expect(page.locator("#claims ol > li.ok")).to_have_count(0)  # each has an invented part


async def test_a_claim_is_corrected_or_removed_where_it_stands_and_undone(
    serve: Serve, look: Look
) -> None:
    served, local = await serve_pack(serve)
    await local.post("/api/resume?filename=cv.json", json=RESUME)
    invented = "I kept the kitchen open at 99.95 % with a team of five, certified by Kestrel."
    content = f"Dear team,\n\nI was Head Cook at Acme Foods. {invented}\n\nKind regards,\nAnn Lee"
    letter = {"title": "For Acme", "kind": "cover_letter", "content": content}
    made = (await local.post("/api/documents", json=letter)).json()
    path = f"/api/documents/{made['document_id']}"
    viewer = await look(served, f"/#/careers.letters/{made['document_id']}", width=390)
    page, main = viewer.page, viewer.page.locator("main")

    await expect(main).to_contain_text("Cook at Harbour Inn is not in this letter")
    await page.locator("mark.bad").first.click()
    sheet = page.get_by_role("dialog", name="Claim 2 of 2")
    await expect(sheet).to_contain_text("“five, certified by Kestrel”")
    await sheet.get_by_role("button", name="Remove the sentence").click()
    await expect(main).to_contain_text("Version 2 of 2")
    assert (await local.get(path)).json()["content"] == content.replace(f" {invented}", "")

    await page.get_by_role("button", name="Undo").click()
    await expect(main).to_contain_text("Version 3 of 3")
    assert (await local.get(path)).json()["content"] == content

    await page.locator("mark.bad").first.click()
    await sheet.get_by_role("button", name="Correct").click()
    right = "I kept the kitchen open at 99.95 % with a team of four."
    await sheet.get_by_label("Correct the sentence").fill(right)
    await sheet.get_by_role("button", name="Save").click()
    await expect(main).to_contain_text("Version 4 of 4")
    await expect(page.locator("mark.bad")).to_have_count(0)
    assert (await local.get(path)).json()["content"] == content.replace(invented, right)
    assert await viewer.list_barriers() == []


async def test_a_letter_has_sender_date_and_subject_from_the_resume_and_the_job(
    serve: Serve, look: Look
) -> None:
    served, local = await serve_pack(serve)
    basics = {"name": "Ann Lee", "phone": "0123", "location": {"city": "Oslo"}}
    await local.post("/api/resume?filename=cv.json", json={**RESUME, "basics": basics})
    job = {"company": "Acme Foods", "title": "Chef"}
    job_id = (await local.post("/api/jobs", json=job)).json()["job_id"]
    content = "Dear team,\n\nI was Head Cook at Acme Foods.\n\nKind regards,\nAnn Lee"
    letter = {"title": "For Acme", "kind": "cover_letter", "content": content, "job_id": job_id}
    made = (await local.post("/api/documents", json=letter)).json()
    path = f"/api/documents/{made['document_id']}"
    today = datetime.now(UTC).date()
    assert f"{today.day} {today:%B %Y}" in made["letterhead"]
    async with served.service.store.transaction("local") as db:
        await db.execute("update careers_document_versions set created_at = '2026-03-05'")
    made = (await local.get(path)).json()
    day = "5 March 2026"  # when it was written, not today
    head = f"Ann Lee\nOslo\n0123\n\nAcme Foods\n\n{day}\n\n**Application for Chef**"
    assert made["letterhead"] == head
    page = (await look(served, f"/#/careers.letters/{made['document_id']}")).page
    shown = page.get_by_role("region", name="Sender, date and subject")

    await expect(shown).to_contain_text("Application for Chef")
    await page.locator("summary", has_text="Download").click()
    href = await page.get_by_role("link", name="Markdown").get_attribute("href")
    assert href and (await local.get(href)).text == f"{head}\n\n{content}\n"
    await page.keyboard.press("Escape")
    await shown.get_by_role("button", name="Leave out").click()
    await expect(shown).to_have_count(0)
    await page.locator("summary", has_text="Download").click()
    href = await page.get_by_role("link", name="Markdown").get_attribute("href")
    assert href and (await local.get(href)).text == f"{content}\n"
    await page.keyboard.press("Escape")

    await page.get_by_role("button", name="Add sender and date").click()
    await shown.get_by_role("button", name="Edit these lines").click()
    field = page.get_by_role("textbox", name="The letter")
    await expect(field).to_have_value(f"{head}\n\n{content}")
    await field.fill(f"{head}\n\n{content}".replace("Oslo", "Oslo, Norway"))
    await page.get_by_role("button", name="Save as a new version").click()
    await expect(page.locator("main")).to_contain_text("Version 2 of 2")
    await expect(shown).to_have_count(0)  # it is part of the letter now
    assert (await local.get(path)).json()["letterhead"] == ""


@pytest.mark.parametrize(
    ("greeting", "subject", "day"),
    [
        ("Sehr geehrte Frau Lee,", "Bewerbung als Chef", "3. März 2026"),
        ("Madame, Monsieur,", "Candidature : Chef", "3 mars 2026"),
        ("Estimada Ann:", "Candidatura: Chef", "3 de marzo de 2026"),
        ("Dear Ann,", "Application for Chef", "3 March 2026"),
    ],
)
def test_a_letterhead_is_in_the_language_of_the_letter(
    greeting: str, subject: str, day: str
) -> None:
    letter = f"{greeting}\n\nI cook."
    head = build_letterhead(letter, RESUME, {"company": "Acme", "title": "Chef"}, date(2026, 3, 3))
    assert f"\n\n{day}\n\n**{subject}**" in head


async def test_sources_are_the_named_position_and_the_posting_and_every_sentence_counts(
    serve: Serve, look: Look
) -> None:
    served, local = await serve_pack(serve)
    work = [{"name": "Harbour Inn", "position": "Pastry Cook", "highlights": ["Baked bread"]}]
    basics = {"name": "Ann Lee", "summary": "Pastry cook with nine years of experience."}
    await local.post("/api/resume?filename=cv.json", json={"basics": basics, "work": work})
    await local.put("/api/profile", json={"content": "I look for work as a Market Chef."})
    job = {"company": "Acme Foods", "title": "Market Chef"}
    job_id = (await local.post("/api/jobs", json=job)).json()["job_id"]
    content = (
        "Dear team,\n\nI am applying for the Market Chef position at Acme Foods.\n\n"
        "I was Pastry Cook at Harbour Inn. I also baked bread.\n\nKind regards,\nAnn Lee"
    )
    letter = {"title": "For Acme", "kind": "cover_letter", "content": content, "job_id": job_id}
    made = (await local.post("/api/documents", json=letter)).json()
    page = (await look(served, f"/#/careers.letters/{made['document_id']}")).page
    claims = page.get_by_role("complementary", name="Claims")

    await expect(claims).to_contain_text("3 of 3 sentences have a source")
    sources = [await one.inner_text() for one in await claims.locator("ol > li").all()]
    assert "The posting" in sources[0] and "Profile" not in sources[0]
    assert "Résumé: Pastry Cook at Harbour Inn" in sources[1] and "about you" not in sources[1]


async def test_a_letter_says_what_was_put_right_since_and_that_its_head_has_no_address(
    serve: Serve, look: Look
) -> None:
    served, local = await serve_pack(serve)
    await local.post("/api/resume?filename=cv.json", json=RESUME)
    content = "Dear team,\n\nI was Head Cook at Acme Foods.\n\nKind regards,\nAnn Lee"
    letter = {"title": "For Acme", "kind": "cover_letter", "content": content}
    made = (await local.post("/api/documents", json=letter)).json()
    viewer = await look(served, f"/#/careers.letters/{made['document_id']}")
    page, main = viewer.page, viewer.page.locator("main")
    head = page.get_by_role("region", name="Sender, date and subject")

    await expect(main.get_by_role("link", name="Put them right")).to_be_visible()
    await expect(head).to_contain_text("No e-mail address")
    assert await viewer.list_barriers() == []

    changes = {"work[1].endDate": "2019", "basics.email": "ann@example.com"}
    assert (await local.patch("/api/resume", json={"set": changes})).status_code == 200
    await page.reload()
    await expect(main).to_contain_text("When this letter was written, its dates were not clear")
    await expect(head).to_contain_text("ann@example.com")
    await expect(head).not_to_contain_text("No e-mail address")
    await main.get_by_role("button", name="Write again").click()
    sent = page.get_by_role("article", name="You")
    await expect(sent).to_contain_text("write this letter again: For Acme")
