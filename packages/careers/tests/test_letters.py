"""Letters in answers: found, checked against the user's own material, stored with their step."""

from __future__ import annotations

from typing import Any

import pytest

from packages.careers.tests.context import make_context, make_turn
from plainloop.agent.core.context import RequestContext
from plainloop.agent.core.spec import Check
from plainloop.agent.core.state import END
from plainloop.agent.store.store import Store
from plainloop_careers import store as careers
from plainloop_careers.letters.answers import (
    accept_letter,
    check_letter,
    extract_letter,
    find_letter_job,
)
from plainloop_careers.letters.wishes import read_wish

RESUME: dict[str, Any] = {
    "basics": {"name": "Ann Lee"},
    "work": [{"name": "Noma", "position": "Cook", "startDate": "2020", "endDate": "2023"}],
    "skills": [{"name": "Kitchen", "keywords": ["Fish"]}],
}
LETTER = """Dear Hiring Manager,

I am applying for the Head Cook position at Blue Anchor. As a cook at Noma I worked with fish.

Sincerely,
Ann Lee"""
JOB = {"job_id": 1, "company": "Blue Anchor", "title": "Head Cook"}


async def fill(store: Store) -> RequestContext:
    """The context of a run by whose user a résumé and two jobs are stored."""
    async with store.transaction("t1") as db:
        for company, title in (("Blue Anchor", "Waiter"), ("Blue Anchor", "Head Cook")):
            await careers.save_job(db, ("t1", "u1"), {"company": company, "title": title})
        await careers.save_resume(
            db, ("t1", "u1"), name="cv", source_format="json", raw_text="{}", data=RESUME
        )
    return await make_context(store)


@pytest.mark.parametrize(
    "answer",
    [
        LETTER,
        f"Here is your letter:\n\n{LETTER}",
        f"{LETTER}\n\nTell me if you want changes!",
        f"{LETTER}\n\n\nShall I make it shorter?\n",
    ],
)
def test_the_letter_is_extracted_from_the_answer(answer: str) -> None:
    assert extract_letter(answer) == LETTER


def test_contact_lines_after_the_signature_belong_to_the_letter() -> None:
    signed = f"{LETTER}\nann@lee.example\n\n+45 12 34 56 78"
    assert extract_letter(f"{signed}\n\nAnything else?") == signed


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I found no job at Blue Anchor. Which one do you mean?",
        "No résumé is imported yet.",
        f"{'I did nothing yet. ' * 30}\n\nWrite one of these:\n\n- a letter for Blue Anchor",
    ],
)
def test_a_question_in_an_answer_is_not_extracted_as_a_letter(answer: str) -> None:
    assert extract_letter(answer) is None


async def test_a_true_letter_passes_and_a_false_one_fails_with_the_claim(store: Store) -> None:
    ctx = await fill(store)
    assert (await check_letter(make_turn(LETTER), ctx)).problems == ()
    false = LETTER.replace("at Noma", "at Geranium")
    assert (await check_letter(make_turn(false), ctx)).problems == (
        "“Geranium” is not in the résumé or the profile.",
    )
    assert await check_letter(make_turn("Which job?"), ctx) == Check()


async def test_a_letter_cannot_be_supported_by_another_users_resume(store: Store) -> None:
    await fill(store)
    for owner in (("t2", "u1"), ("t1", "u2")):
        found = await check_letter(make_turn(LETTER), await make_context(store, *owner))
        assert any("Noma" in problem for problem in found.problems)


async def test_an_unparsed_resume_text_can_support_a_letter(store: Store) -> None:
    async with store.transaction("t1") as db:
        await careers.save_job(db, ("t1", "u1"), {"company": "Blue Anchor", "title": "Head Cook"})
        await careers.save_resume(
            db,
            ("t1", "u1"),
            name="cv.txt",
            source_format="text",
            raw_text="Ann Lee\nCook, Noma (2020-2023)\nSkills: fish",
            data=None,
        )
    assert (await check_letter(make_turn(LETTER), await make_context(store))).problems == ()


async def test_a_letter_is_linked_to_the_job_that_the_letter_names(store: Store) -> None:
    await fill(store)
    shown = {"jobs": [{**JOB, "title": "Waiter"}, {**JOB, "job_id": 2}], "total": 2}
    state = make_turn(LETTER, ("list_jobs", shown))
    row = await find_letter_job(store.read("t1"), ("t1", "u1"), state, LETTER)
    assert row is not None
    assert row["job_id"] == 2
    alone = await find_letter_job(store.read("t1"), ("t1", "u1"), make_turn(LETTER), LETTER)
    assert alone is not None
    assert alone["job_id"] == 2
    none = await find_letter_job(store.read("t1"), ("t1", "u1"), make_turn("x"), "Dear Noma")
    assert none is None


@pytest.mark.parametrize(
    ("request_text", "company"),
    [
        ("write a cover letter for Quillworks", None),
        ("write a cover letter for Blue Anchor, warmer than for Quillworks", "Blue Anchor"),
        ("write a cover letter (job 3)", "Quillworks"),
        ("write a cover letter (job 99)", None),
        ("write a cover letter for job 3 and keep it short", "Quillworks"),
        ("write a cover letter for job no. 3. I left my last job 2 years ago", "Quillworks"),
        ("write a cover letter for Blue Anchor. I applied to job 3 years ago", "Blue Anchor"),
        ("write a cover letter for Blue Anchor: in my job 3 of 5 cooks left", "Blue Anchor"),
        ("write a cover letter for Blue Anchor, my job 3-5 years ago", "Blue Anchor"),
    ],
)
async def test_a_letter_is_linked_to_no_other_job_than_the_requested_one(
    store: Store, request_text: str, company: str | None
) -> None:
    await fill(store)
    async with store.transaction("t1") as db:
        await careers.save_job(db, ("t1", "u1"), {"company": "Quillworks", "title": "Cook"})
    state = make_turn(LETTER, request=request_text)
    row = await find_letter_job(store.read("t1"), ("t1", "u1"), state, LETTER)
    assert (row and row["company"]) == company


async def test_an_accepted_letter_is_stored_with_its_sources_and_its_job(store: Store) -> None:
    ctx = await fill(store)
    state = make_turn(f"Here:\n\n{LETTER}", ("list_jobs", {"jobs": [{**JOB, "job_id": 2}]}))
    check = await check_letter(state, ctx)
    await accept_letter(state, ctx, f"Here:\n\n{LETTER}", True, check)
    assert await careers.load_document(store.read("t1"), ("t1", "u1"), 1) is None
    await ctx.journal.commit({}, END, None, {"content": ""})
    document = await careers.load_document(store.read("t1"), ("t1", "u1"), 1)
    assert document is not None
    kept = ("title", "job_id", "company", "content", "passed", "problems", "run_id", "sources")
    assert {name: document[name] for name in kept} == {
        "title": "Cover letter for Head Cook at Blue Anchor",
        "job_id": 2,
        "company": "Blue Anchor",
        "content": LETTER,
        "passed": True,
        "problems": [],
        "run_id": ctx.run.run_id,
        "sources": list(check.sources),
    }
    (step,) = await store.load_steps("t1", ctx.run.run_id)
    assert step.notes == ("letter stored as document 1, version 1",)


async def test_a_rejected_draft_keeps_its_own_list_of_problems(store: Store) -> None:
    ctx = await fill(store)
    draft = LETTER.replace("at Noma", "at Geranium")
    await accept_letter(make_turn(LETTER), ctx, draft, False, Check())
    await ctx.journal.commit({}, END, None, {"content": ""})
    document = await careers.load_document(store.read("t1"), ("t1", "u1"), 1)
    assert document is not None
    assert (document["passed"], document["problems"]) == (
        False,
        ["“Geranium” is not in the résumé or the profile."],
    )


async def test_a_question_is_not_stored_as_a_letter(store: Store) -> None:
    ctx = await make_context(store)
    await accept_letter(make_turn("Which job?"), ctx, "Which job?", True, Check())
    assert await careers.load_document_page(store.read("t1"), ("t1", "u1")) == []


async def test_a_long_refusal_that_fails_its_review_is_not_stored_as_a_letter(store: Store) -> None:
    refusal = "I wrote no letter, as I did nothing yet. " * 8 + "\n\n" + "Which job is it? " * 10
    ctx = await fill(store)
    state = make_turn(refusal, request="write a cover letter for Blue Anchor")
    assert extract_letter(refusal) is not None
    await accept_letter(state, ctx, refusal, False, await check_letter(state, ctx))
    await ctx.journal.commit({}, END, None, {"content": ""})

    assert await careers.load_document_page(store.read("t1"), ("t1", "u1")) == []
    (step,) = await store.load_steps("t1", ctx.run.run_id)
    assert step.notes == ("letter not stored: no salutation, no closing, and its review failed",)


async def test_a_follow_up_letter_is_stored_as_a_separate_document(store: Store) -> None:
    await fill(store)
    follow_up = LETTER.replace("\n\n", "\n\nI am following up on my application.\n\n", 1)
    for text in (LETTER, follow_up, LETTER, follow_up):
        ctx = await make_context(store)
        shown = ("list_jobs", {"jobs": [{**JOB, "job_id": 2}]})
        await accept_letter(make_turn(text, shown), ctx, text, True, Check())
        await ctx.journal.commit({}, END, None, {"content": ""})

    rows = await careers.load_document_page(store.read("t1"), ("t1", "u1"))
    assert sorted((row["kind"], row["latest_version"]) for row in rows) == [
        ("cover_letter", 2),
        ("follow_up", 2),
    ]


DECLINE = """Dear Hiring Manager,

Thank you for offering me the Head Cook position at Blue Anchor. I have decided to decline it.

Sincerely,
Ann Lee"""
GERMAN = """Sehr geehrte Damen und Herren,

hiermit bewerbe ich mich um die Stelle als Head Cook bei Blue Anchor. Als Cook bei Noma habe ich
mit Fisch gearbeitet, und das möchte ich auch bei Ihnen tun.

Mit freundlichen Grüßen
Ann Lee"""
OTHER_KIND = (
    "The letter is of another kind than the one asked for (letter that declines an offer): "
    "write that one."
)
OTHER_LANGUAGE = "The letter is in English, and was asked for in German: write all of it in German."


ASKED: list[tuple[str, str, tuple[str, ...]]] = [
    ("write a letter declining the offer of Blue Anchor", LETTER, (OTHER_KIND,)),
    ("write a letter declining the offer of Blue Anchor", DECLINE, ()),
    ("write a cover letter for Blue Anchor in German", LETTER, (OTHER_LANGUAGE,)),
    ("write a cover letter for Blue Anchor in German", GERMAN, ()),
    ("write a German cover letter for Blue Anchor", LETTER, (OTHER_LANGUAGE,)),
    ("Schreib das Anschreiben auf Deutsch", GERMAN, ()),
    ("decline the offer, in German", LETTER, (OTHER_LANGUAGE, OTHER_KIND)),
    ("write a cover letter, and mention that I am fluent in German", LETTER, ()),
    ("write a cover letter for the German teacher job", LETTER, ()),
    ("write a cover letter in German and one in English", LETTER, ()),
    ("write a letter", DECLINE, ()),
]


async def test_a_letter_is_stored_with_the_requested_kind_and_language(store: Store) -> None:
    ctx = await fill(store)
    for request, letter, problems in ASKED:
        found = await check_letter(make_turn(letter, request=request), ctx)
        assert found.problems == problems, request


async def test_a_letter_other_than_the_requested_one_is_not_stored(store: Store) -> None:
    ctx = await fill(store)
    state = make_turn(LETTER, request="write a letter declining the offer of Blue Anchor")
    await accept_letter(state, ctx, LETTER, False, await check_letter(state, ctx))
    await ctx.journal.commit({}, END, None, {"content": ""})
    assert await careers.load_document_page(store.read("t1"), ("t1", "u1")) == []
    (step,) = await store.load_steps("t1", ctx.run.run_id)
    assert step.notes == ("letter not stored: it is not the one that was asked for",)


async def test_a_declining_letter_is_stored_as_a_separate_document(store: Store) -> None:
    await fill(store)
    shown = ("list_jobs", {"jobs": [{**JOB, "job_id": 2}]})
    for text, request in ((LETTER, "write a cover letter"), (DECLINE, "decline the offer")):
        ctx = await make_context(store)
        await accept_letter(make_turn(text, shown, request=request), ctx, text, True, Check())
        await ctx.journal.commit({}, END, None, {"content": ""})

    rows = await careers.load_document_page(store.read("t1"), ("t1", "u1"))
    assert sorted((row["kind"], row["title"]) for row in rows) == [
        ("cover_letter", "Cover letter for Head Cook at Blue Anchor"),
        ("other", "Letter that declines an offer for Head Cook at Blue Anchor"),
    ]


@pytest.mark.parametrize("wish", ["{posting}\n{said}", "{said}\n{posting}"])
def test_a_letters_kind_and_language_are_read_at_both_ends_of_a_request(wish: str) -> None:
    said = "Write a thank-you note in German, please."
    posting = "Cooks wanted. " * 3_000
    found = read_wish(wish.format(posting=posting, said=said))

    assert (found.kinds, found.language) == ({"thank_you"}, "german")
    assert read_wish(f"{posting}\n{said}\n{posting}").kinds == frozenset()
