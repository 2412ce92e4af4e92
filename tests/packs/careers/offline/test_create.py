"""Saving a job said in words: which values the brain reads, and none that were not said."""

from __future__ import annotations

from typing import Any

import pytest

from tests.offline.tracker import ALL_TOOLS, Conversation, make_job

CASES: list[tuple[str, dict[str, Any]]] = [
    (
        "Add a Web Developer job at Microsoft",
        {"company": "Microsoft", "title": "Web Developer"},
    ),
    (
        "add a web developer job at microsoft",
        {"company": "microsoft", "title": "web developer"},
    ),
    (
        "Save the Senior Backend Engineer position at Acme Corp, remote, 90k-120k, "
        "https://acme.example/jobs/1",
        {
            "company": "Acme Corp",
            "title": "Senior Backend Engineer",
            "url": "https://acme.example/jobs/1",
            "salary_min": 90000,
            "salary_max": 120000,
            "remote_type": "remote",
        },
    ),
    (
        "Please keep an eye on this one: Initech wants a Data Engineer, onsite in Austin",
        {
            "company": "Initech",
            "title": "Data Engineer",
            "location": "Austin",
            "remote_type": "onsite",
        },
    ),
    (
        "Acme is hiring a Data Scientist, save it",
        {"company": "Acme", "title": "Data Scientist"},
    ),
    (
        "track Data Scientist at Netflix in Berlin",
        {"company": "Netflix", "title": "Data Scientist", "location": "Berlin"},
    ),
    (
        "create a job: title Site Engineer, company Bouygues",
        {"company": "Bouygues", "title": "Site Engineer"},
    ),
    (
        "Please add a job at Google as a Data Engineer, hybrid, in Zurich",
        {
            "company": "Google",
            "title": "Data Engineer",
            "location": "Zurich",
            "remote_type": "hybrid",
        },
    ),
    (
        "Can you save the head of growth role at Notion?",
        {"company": "Notion", "title": "head of growth"},
    ),
    (
        "Add to my list: Registered Nurse at Mercy Hospital, in Boston",
        {"company": "Mercy Hospital", "title": "Registered Nurse", "location": "Boston"},
    ),
    (
        "Track an opening for a Staff Engineer (Cloudflare), up to 200k, tags: infra, go",
        {
            "company": "Cloudflare",
            "title": "Staff Engineer",
            "salary_max": 200000,
            "tags": "infra, go",
        },
    ),
    (
        'Add "Platform Engineer" at "Hooli" with a note that Anna referred me',
        {"company": "Hooli", "title": "Platform Engineer", "notes": "Anna referred me"},
    ),
    (
        "record a Product Manager job at Stripe, status applied, "
        "recruiter Jane Roe, jane.roe@stripe.example",
        {
            "company": "Stripe",
            "title": "Product Manager",
            "status": "applied",
            "contact_name": "Jane Roe",
            "contact_email": "jane.roe@stripe.example",
        },
    ),
    (
        "Save the QA Engineer role at Bosch, salary of 85,000 EUR, found it on LinkedIn, fit 4/5",
        {
            "company": "Bosch",
            "title": "QA Engineer",
            "salary_min": 85000,
            "source": "LinkedIn",
            "job_fit": 4,
        },
    ),
    (
        "add Microsoft - Web Developer",
        {"company": "Microsoft", "title": "Web Developer"},
    ),
    (
        "Add the Developer job at Booking.com. Requirements: Python, SQL and Kafka",
        {
            "company": "Booking.com",
            "title": "Developer",
            "requirements": "Python\nSQL\nKafka",
        },
    ),
    (
        "Put Siemens on my list, Embedded Engineer",
        {"company": "Siemens", "title": "Embedded Engineer"},
    ),
    (
        "Save this for me: Senior UX Designer, Figma, remote, $140k",
        {
            "company": "Figma",
            "title": "Senior UX Designer",
            "salary_min": 140000,
            "remote_type": "remote",
        },
    ),
    (
        "I found a Physics Teacher position at Lincoln High School, can you save it?",
        {"company": "Lincoln High School", "title": "Physics Teacher"},
    ),
    (
        "log a Nurse position at Bank of America, $60,000 to $70,000",
        {
            "company": "Bank of America",
            "title": "Nurse",
            "salary_min": 60000,
            "salary_max": 70000,
        },
    ),
]


@pytest.mark.parametrize(("text", "arguments"), CASES)
def test_a_job_said_in_words_becomes_one_call_with_what_was_said(
    text: str, arguments: dict[str, Any]
) -> None:
    conversation = Conversation()
    reply = conversation.ask(text)
    assert conversation.calls == [("create_job", arguments)]
    assert reply.startswith(f"Added #1 {arguments['title']} at {arguments['company']}")


def test_what_is_missing_is_asked_for_and_the_reply_completes_the_call() -> None:
    conversation = Conversation()
    assert conversation.ask("Add a job") == "For that I still need: company and title (create_job)."
    assert conversation.ask("at Stripe") == "For that I still need: title (create_job)."
    conversation.ask("Product Manager")
    assert conversation.calls == [("create_job", {"company": "Stripe", "title": "Product Manager"})]


def test_a_new_request_instead_of_a_reply_is_not_mixed_with_the_old_one() -> None:
    conversation = Conversation()
    conversation.ask("Save job https://acme.example/5")
    conversation.ask("Add Backend Engineer at Microsoft")
    assert conversation.calls == [
        ("create_job", {"company": "Microsoft", "title": "Backend Engineer"})
    ]


def test_a_question_of_ours_can_be_refused() -> None:
    conversation = Conversation()
    conversation.ask("Add a job")
    assert conversation.ask("no, never mind") == "All right, I changed nothing."


def test_a_linked_page_gives_what_the_text_does_not_say() -> None:
    url = "https://acme.example/jobs/7"
    page = {"title": "Platform Engineer", "proposal": {"company": "Acme", "location": "Oslo"}}
    conversation = Conversation(tools=ALL_TOOLS, pages={url: page})
    conversation.ask(f"Save this job: {url}")
    assert conversation.calls == [
        ("scrape_url", {"url": url}),
        (
            "create_job",
            {"company": "Acme", "title": "Platform Engineer", "url": url, "location": "Oslo"},
        ),
    ]


def test_two_deeds_in_one_request_are_done_one_after_the_other() -> None:
    conversation = Conversation(jobs=[make_job(1, "Initech", "Analyst")])
    reply = conversation.ask("Add a nurse job at City Hospital and then list my jobs")
    assert conversation.calls == [
        ("create_job", {"company": "City Hospital", "title": "nurse"}),
        ("list_jobs", {}),
    ]
    assert reply == (
        "Added #2 nurse at City Hospital (saved).\n\n"
        "2 jobs:\n- #1 Analyst at Initech (saved)\n- #2 nurse at City Hospital (saved)"
    )


def test_it_means_the_row_that_the_same_request_has_just_made() -> None:
    conversation = Conversation()
    conversation.ask("Add Data Analyst at Spotify and move it to applied")
    assert conversation.calls == [
        ("create_job", {"company": "Spotify", "title": "Data Analyst"}),
        ("update_job", {"job_id": 1, "status": "applied"}),
    ]


def test_two_jobs_in_one_sentence_are_two_and_a_company_with_and_is_one() -> None:
    conversation = Conversation()
    conversation.ask("add Cook at Uno and Chef at Due")
    conversation.ask("add Clerk at Marks and Spencer")
    made = [(job["company"], job["title"]) for job in conversation.jobs]
    assert made == [("Uno", "Cook"), ("Due", "Chef"), ("Marks and Spencer", "Clerk")]
