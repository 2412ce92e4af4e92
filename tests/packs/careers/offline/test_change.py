"""Changing and deleting rows: the row is found first, and never guessed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.offline.tracker import Conversation, make_job, say

JOBS = [
    make_job(1, "Microsoft", "Web Developer"),
    make_job(2, "Netflix", "Data Scientist"),
    make_job(3, "Deutsche Bank", "Analyst"),
]

FOUND_BY_COMPANY: list[tuple[str, str, dict[str, Any]]] = [
    ("Move the Microsoft job to applied", "Microsoft", {"job_id": 1, "status": "applied"}),
    (
        "mark the microsoft application as rejected",
        "microsoft",
        {"job_id": 1, "status": "rejected"},
    ),
    ("Set Netflix to interviewing", "Netflix", {"job_id": 2, "status": "interviewing"}),
    ("I applied to Netflix today", "Netflix", {"job_id": 2, "status": "applied"}),
    ("I got an offer from Netflix!", "Netflix", {"job_id": 2, "status": "offer"}),
    ("Microsoft rejected me", "Microsoft", {"job_id": 1, "status": "rejected"}),
    ("microsoft made me an offer", "microsoft", {"job_id": 1, "status": "offer"}),
    (
        "I have an interview with Deutsche Bank tomorrow",
        "Deutsche Bank",
        {"job_id": 3, "status": "interviewing"},
    ),
    (
        "I heard back from Netflix, they rejected me",
        "Netflix",
        {"job_id": 2, "status": "rejected"},
    ),
    (
        "Change the salary min of the Microsoft job to 90k",
        "Microsoft",
        {"job_id": 1, "salary_min": 90000},
    ),
    (
        "Set the location of the Netflix job to Oslo and the salary max to 150k",
        "Netflix",
        {"job_id": 2, "salary_max": 150000, "location": "Oslo"},
    ),
    (
        "add a note to the Microsoft job: call Anna on Monday and ask about Google",
        "Microsoft",
        {"job_id": 1, "notes": "call Anna on Monday and ask about Google"},
    ),
    (
        "change the title of the Netflix job to Senior Data Scientist",
        "Netflix",
        {"job_id": 2, "title": "Senior Data Scientist"},
    ),
    ("Rate the Microsoft job 4/5", "Microsoft", {"job_id": 1, "job_fit": 4}),
    (
        "Add tags python, remote to the Netflix job",
        "Netflix",
        {"job_id": 2, "tags": "python, remote"},
    ),
    (
        "Add the link https://netflix.example/3 to the Netflix job",
        "Netflix",
        {"job_id": 2, "url": "https://netflix.example/3"},
    ),
    (
        "Please update the Microsoft job, it is hybrid now",
        "Microsoft",
        {"job_id": 1, "remote_type": "hybrid"},
    ),
]


@pytest.mark.parametrize(("text", "company", "arguments"), FOUND_BY_COMPANY)
def test_a_row_named_by_its_company_is_looked_up_and_then_changed(
    text: str, company: str, arguments: dict[str, Any]
) -> None:
    conversation = Conversation(jobs=[dict(job) for job in JOBS])
    reply = conversation.ask(text)
    assert conversation.calls == [("list_jobs", {"company": company}), ("update_job", arguments)]
    assert reply.startswith(f"Updated #{arguments['job_id']} ")


def test_a_row_named_by_its_title_is_looked_up_by_it() -> None:
    conversation = Conversation(jobs=[dict(job) for job in JOBS])
    conversation.ask("move the web developer job to interviewing")
    assert conversation.calls == [
        ("list_jobs", {"title": "web developer"}),
        ("update_job", {"job_id": 1, "status": "interviewing"}),
    ]


@pytest.mark.parametrize(
    "text", ["update job #2 status to offer", "move #2 to offer", "set job 2 to offer"]
)
def test_a_number_needs_no_look_up(text: str) -> None:
    conversation = Conversation(jobs=[dict(job) for job in JOBS])
    conversation.ask(text)
    assert conversation.calls == [("update_job", {"job_id": 2, "status": "offer"})]


@pytest.mark.parametrize(
    "text", ["move it to applied", "mark that one as applied", "set it to applied"]
)
def test_it_is_the_row_of_the_answer_before(text: str) -> None:
    conversation = Conversation()
    conversation.ask("Add a Web Developer job at Microsoft")
    conversation.ask(text)
    assert conversation.calls == [("update_job", {"job_id": 1, "status": "applied"})]


def test_it_is_found_in_a_line_that_a_fast_path_wrote() -> None:
    conversation = Conversation(jobs=[make_job(3, "Deutsche Bank", "Analyst")])
    conversation.messages += [
        say("user", "look up the job at Deutsche Bank"),
        say("assistant", "#3 Analyst at Deutsche Bank (saved)"),
    ]
    conversation.ask("move it to applied")
    assert conversation.calls == [("update_job", {"job_id": 3, "status": "applied"})]


def test_after_a_vain_look_up_no_other_row_is_changed_in_its_place() -> None:
    conversation = Conversation(jobs=[make_job(1, "Contoso", "Analyst")])
    conversation.ask("list my jobs")
    conversation.ask("what do I have at Initech?")
    assert conversation.ask("good news, I applied there") == (
        "Which one do you mean? Please give its number (update_job)."
    )
    assert conversation.calls == []


def test_several_matches_are_asked_about_and_the_reply_chooses() -> None:
    jobs = [make_job(1, "Microsoft", "Web Developer"), make_job(2, "Microsoft", "Backend Engineer")]
    conversation = Conversation(jobs=jobs)
    assert conversation.ask("mark the Microsoft one as rejected") == (
        "Several match:\n- #1 Web Developer at Microsoft (saved)\n"
        "- #2 Backend Engineer at Microsoft (saved)\nWhich one do you mean (update_job)?"
    )
    conversation.ask("the backend one")
    assert conversation.calls == [("update_job", {"job_id": 2, "status": "rejected"})]


@pytest.mark.parametrize(
    ("reply", "job_id"), [("the first", 1), ("the second one", 2), ("#2", 2), ("the last one", 2)]
)
def test_an_ordinal_or_number_chooses_too(reply: str, job_id: int) -> None:
    jobs = [make_job(1, "Microsoft", "Web Developer"), make_job(2, "Microsoft", "Engineer")]
    conversation = Conversation(jobs=jobs)
    conversation.ask("mark the Microsoft job as rejected")
    conversation.ask(reply)
    assert conversation.calls == [("update_job", {"job_id": job_id, "status": "rejected"})]


def test_what_is_not_there_is_offered_to_be_added_with_what_was_said() -> None:
    conversation = Conversation()
    assert conversation.ask("I applied to Google yesterday") == (
        "I found no job (company Google). Shall I add it (create_job)?"
    )
    conversation.ask("yes")
    conversation.ask("SRE")
    assert conversation.calls == [
        ("create_job", {"company": "Google", "title": "SRE", "status": "applied"})
    ]


def test_a_tools_error_is_told_and_nothing_is_claimed() -> None:
    conversation = Conversation()
    assert conversation.ask("move #99 to offer") == "That did not work: there is no job 99"


def test_a_job_is_deleted_by_the_id_that_the_look_up_found() -> None:
    conversation = Conversation(jobs=[dict(job) for job in JOBS])
    assert conversation.ask("Delete the Netflix job") == "Deleted job #2."
    assert conversation.calls == [
        ("list_jobs", {"company": "Netflix"}),
        ("delete_job", {"job_id": 2}),
    ]


def test_a_whole_group_is_never_deleted_at_once() -> None:
    conversation = Conversation(jobs=[dict(job) for job in JOBS])
    assert "Which one do you mean (delete_job)?" in conversation.ask("delete all saved jobs")
    assert len(conversation.jobs) == 3


def test_what_is_to_be_deleted_is_what_was_described_not_what_was_talked_about_last() -> None:
    conversation = Conversation()
    conversation.ask("add a job: Chef at Noma")
    rejected = conversation.ask("delete all rejected jobs")
    assert "I found no job (status rejected)" in rejected
    assert "delete_job" not in [name for name, _ in conversation.calls]
