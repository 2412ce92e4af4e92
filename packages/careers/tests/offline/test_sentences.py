"""What the stand-in does with the tracker, said plainly; and that it does nothing on all else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.packs.loading import load_packs
from tests.offline.tracker import ALL_TOOLS, RESUME, Conversation, make_job, say

load_packs(["careers"])

JOBS = [
    make_job(1, "Microsoft", "Web Developer"),
    make_job(2, "Netflix", "Data Scientist", notes="saw it on Monday"),
    make_job(3, "Acme", "Cook"),
    make_job(4, "Acme", "Waiter"),
]
# Said by people in earlier rounds. A sentence of which one word is left open asks for nothing.
NOT_TAKEN = Path(__file__).with_name("not_taken.txt").read_text(encoding="utf-8").splitlines()


def talk(**options: Any) -> Conversation:
    return Conversation(jobs=[dict(job) for job in JOBS], tools=ALL_TOOLS, resume=RESUME, **options)


SAVED: list[tuple[str, dict[str, Any]]] = [
    ("Add a Web Developer job at Hooli", {"company": "Hooli", "title": "Web Developer"}),
    ("add a web developer job at hooli", {"company": "hooli", "title": "web developer"}),
    (
        "please save this one: Product Manager at Zalando",
        {"company": "Zalando", "title": "Product Manager"},
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
        "add a job: Backend Engineer at Initech in Berlin, remote, salary 80000 to 95000",
        {
            "company": "Initech",
            "title": "Backend Engineer",
            "salary_min": 80000,
            "salary_max": 95000,
            "location": "Berlin",
            "remote_type": "remote",
        },
    ),
    (
        "create a job: title Site Engineer, company Bouygues, tags: infra, go",
        {"company": "Bouygues", "title": "Site Engineer", "tags": "infra, go"},
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
        'add a job: "Baker" at "Café du Monde", job fit: 4',
        {"company": "Café du Monde", "title": "Baker", "job_fit": 4},
    ),
    (
        "log a Nurse position at Bank of America, $60,000 to $70,000",
        {"company": "Bank of America", "title": "Nurse", "salary_min": 60000, "salary_max": 70000},
    ),
]


@pytest.mark.parametrize(("text", "arguments"), SAVED)
def test_a_job_said_whole_is_saved_with_what_was_said(text: str, arguments: dict[str, Any]) -> None:
    conversation = talk()

    reply = conversation.ask(text)

    assert conversation.calls == [("create_job", arguments)]
    assert reply == f"Added #5 {arguments['title']} at {arguments['company']} (saved)."


CHANGED: list[tuple[str, list[tuple[str, dict[str, Any]]]]] = [
    ("update job #2 status to offer", [("update_job", {"job_id": 2, "status": "offer"})]),
    ("move #2 to offer", [("update_job", {"job_id": 2, "status": "offer"})]),
    (
        "Set Netflix to interviewing",
        [("list_jobs", {}), ("update_job", {"job_id": 2, "status": "interviewing"})],
    ),
    (
        "move the web developer job to interviewing",
        [("list_jobs", {}), ("update_job", {"job_id": 1, "status": "interviewing"})],
    ),
    (
        "move the Waiter job at Acme to rejected",
        [("list_jobs", {}), ("update_job", {"job_id": 4, "status": "rejected"})],
    ),
    (
        "update the Netflix job: location: Oslo, salary max: 150k",
        [
            ("list_jobs", {}),
            ("update_job", {"job_id": 2, "salary_max": 150000, "location": "Oslo"}),
        ],
    ),
    ("Delete the Netflix job", [("list_jobs", {}), ("delete_job", {"job_id": 2})]),
]


@pytest.mark.parametrize(("text", "calls"), CHANGED)
def test_a_row_is_found_by_its_number_or_its_name_and_then_changed(
    text: str, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    conversation = talk()
    conversation.ask(text)
    assert conversation.calls == calls


def test_several_rows_of_a_name_are_shown_and_none_is_changed() -> None:
    conversation = talk()
    assert conversation.ask("mark the Acme job as rejected") == (
        "Several match; please say it with a number:\n"
        "- #3 Cook at Acme (saved)\n- #4 Waiter at Acme (saved)"
    )
    assert conversation.calls == [("list_jobs", {})]


def test_a_name_is_not_looked_for_among_some_of_the_rows_only() -> None:
    conversation = Conversation(jobs=[make_job(n, "Noma", "Cook") for n in range(1, 30)])
    assert conversation.ask("delete the Noma job") == (
        "I see only 20 of all. Please say it with its number, as in: #1."
    )
    assert conversation.calls == [("list_jobs", {})]


def test_it_is_the_one_row_of_the_answer_before_and_no_other() -> None:
    conversation = talk()
    conversation.ask("Add Data Analyst at Spotify")
    conversation.ask("move it to applied")
    assert conversation.calls == [("update_job", {"job_id": 5, "status": "applied"})]
    conversation.messages.append(say("assistant", "#3 Cook at Acme (saved)"))  # of a fast path
    conversation.ask("move it to offer")
    assert conversation.calls == [("update_job", {"job_id": 3, "status": "offer"})]
    conversation.ask("list my jobs")
    assert conversation.ask("delete it").startswith("Which one do you mean?")
    assert conversation.calls == []


LISTED: list[tuple[str, dict[str, Any]]] = [
    ("list my saved jobs", {"status": "saved"}),
    ("how many jobs have I applied to?", {"status": "applied"}),
    ("which jobs do I have?", {}),
    ("show my jobs at Netflix", {"company": "Netflix"}),
    ("look up the job at Deutsche Bank", {"company": "Deutsche Bank"}),
    ("list the jobs with status applied", {"status": "applied"}),
]


@pytest.mark.parametrize(("text", "filters"), LISTED)
def test_a_list_has_the_filters_that_were_said(text: str, filters: dict[str, Any]) -> None:
    conversation = talk()
    conversation.ask(text)
    assert conversation.calls == [("list_jobs", filters)]


@pytest.mark.parametrize(
    ("text", "call"),
    [
        (
            "find remote python jobs in Berlin",
            ("job_search", {"query": "remote python", "location": "Berlin"}),
        ),
        (
            "search the web for Acme interview questions",
            ("web_search", {"query": "Acme interview questions"}),
        ),
        ("what's in my profile?", ("read_user_profile", {})),
    ],
)
def test_what_is_asked_for_is_read(text: str, call: tuple[str, dict[str, Any]]) -> None:
    conversation = talk()
    conversation.ask(text)
    assert conversation.calls == [call]


@pytest.mark.parametrize("text", NOT_TAKEN)
def test_a_sentence_with_a_word_left_over_does_nothing_and_says_so(text: str) -> None:
    conversation = talk()

    reply = conversation.ask(text)

    assert conversation.calls == []
    assert "I do not understand “" in reply
    assert "so I did nothing" in reply


def test_a_linked_page_gives_what_the_text_does_not_say() -> None:
    url = "https://acme.example/jobs/7"
    page = {"title": "Platform Engineer", "proposal": {"company": "Acme", "location": "Oslo"}}
    conversation = talk(pages={url: page})
    conversation.ask(f"Save this job: {url}")
    made = {"company": "Acme", "title": "Platform Engineer", "url": url, "location": "Oslo"}
    assert conversation.calls == [("scrape_url", {"url": url}), ("create_job", made)]


def test_what_is_missing_is_named_and_the_next_request_is_no_answer_to_it() -> None:
    conversation = talk()
    assert conversation.ask("add a job at Siemens") == (
        "For that I still need title. Please say it whole, with “title: …”."
    )
    conversation.ask("please save this one: Product Manager at Zalando")
    assert conversation.calls == [
        ("create_job", {"company": "Zalando", "title": "Product Manager"})
    ]


def test_a_tools_error_is_told_and_nothing_is_claimed() -> None:
    assert talk().ask("move #99 to offer") == "That did not work: there is no job 99"


@pytest.mark.parametrize("lead", ["update #2, notes: ", "add a job: Cook at Noma, notes: "])
def test_a_text_that_is_too_long_to_be_read_is_not_written_in_part(lead: str) -> None:
    conversation = talk()

    reply = conversation.ask(lead + "call Anna " * 200)

    assert conversation.calls == []
    assert "so I did nothing" in reply
