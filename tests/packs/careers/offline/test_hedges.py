"""What only looks like a request is not carried out, and what is, not on the wrong thing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.offline.tracker import (
    LETTER_TOOLS,
    RESUME,
    TRACKER_TOOLS,
    Conversation,
    make_job,
    make_tool,
)

READS = {"list_jobs", "read_resume", "read_user_profile"}

NOT_TO_BE_DONE = [
    "don't delete the Acme job",
    "never mind, do not delete Acme",
    "I don't want to delete the Acme job",
    "please do not add a job at Acme",
    "do not move Acme to rejected",
    "if Acme rejects me, move it to rejected",
    "once I hear from Acme, mark it rejected",
    "I am going to be rejected by Acme",
    "Acme might reject me",
    "I hope Acme makes me an offer",
    "I never applied to Acme",
    "I wish I had applied to Acme",
    "I applied to Acme but withdrew",
    "I cancelled my interview at Acme",
    "I rejected the offer from Acme",
    "everything except Acme to rejected",
    "move all jobs to rejected except Acme",
    "move Acme to rejected, no, to offer",
    "maybe delete the Acme job",
    "My friend got rejected by Acme",
    "Jane applied to Acme",
    "Someone at Acme rejected my idea",
    "Acme has rejected many people",
    "The Acme job offers 200k",
    "Acme offers free lunch",
    "should I delete the Acme job?",
    "delete my profile",
    "delete everything",
    "delete the contact Jane Doe",
    "delete the cover letter for Acme",
    "remove the tag urgent from #1",
    "remove the location of the Acme job",
    "delete the salary of #1",
]


@pytest.mark.parametrize("text", NOT_TO_BE_DONE)
def test_what_is_not_asked_for_is_not_done(text: str) -> None:
    conversation = Conversation(jobs=[make_job(1, "Acme", "Cook", tags="urgent")])
    conversation.ask(text)
    assert {name for name, _ in conversation.calls} <= READS


DONE: list[tuple[str, list[tuple[str, dict[str, Any]]]]] = [
    (
        "move Acme to rejected and Huso to interviewing",
        [
            ("list_jobs", {"company": "Acme"}),
            ("update_job", {"job_id": 1, "status": "rejected"}),
            ("list_jobs", {"company": "Huso"}),
            ("update_job", {"job_id": 2, "status": "interviewing"}),
        ],
    ),
    (
        "Mark Acme as interviewing and add a note: call on Friday",
        [
            ("list_jobs", {"company": "Acme"}),
            ("update_job", {"job_id": 1, "status": "interviewing"}),
            ("update_job", {"job_id": 1, "notes": "call on Friday"}),
        ],
    ),
    (
        "move jobs 1 and 2 to applied",
        [
            ("update_job", {"job_id": 1, "status": "applied"}),
            ("update_job", {"job_id": 2, "status": "applied"}),
        ],
    ),
    (
        "add two jobs: Cook at Noma and Waiter at Noma",
        [
            ("create_job", {"company": "Noma", "title": "Cook"}),
            ("create_job", {"company": "Noma", "title": "Waiter"}),
        ],
    ),
    (
        "add the following jobs: Baker at Rye, Cook at Noma",
        [
            ("create_job", {"company": "Rye", "title": "Baker"}),
            ("create_job", {"company": "Noma", "title": "Cook"}),
        ],
    ),
    (
        "Don't forget to add a job: Waiter at Noma",
        [("create_job", {"company": "Noma", "title": "Waiter"})],
    ),
    (
        'add a job: "Baker" at "Café du Monde"',
        [("create_job", {"company": "Café du Monde", "title": "Baker"})],
    ),
    (
        "change the salary of #1 to 90000-110000",
        [("update_job", {"job_id": 1, "salary_min": 90000, "salary_max": 110000})],
    ),
    (
        "set the salary of the Huso job to 60k",
        [
            ("list_jobs", {"company": "Huso"}),
            ("update_job", {"job_id": 2, "salary_min": 60000, "salary_max": 60000}),
        ],
    ),
    (
        "add a note to the Huso job: call Jane",
        [
            ("list_jobs", {"company": "Huso"}),
            ("update_job", {"job_id": 2, "notes": "fine bread\ncall Jane"}),
        ],
    ),
    (
        "set Acme's location to Hamburg",
        [("list_jobs", {"company": "Acme"}), ("update_job", {"job_id": 1, "location": "Hamburg"})],
    ),
    (
        "how many applied vs rejected",
        [("list_jobs", {"status": "applied"}), ("list_jobs", {"status": "rejected"})],
    ),
]


@pytest.mark.parametrize(("text", "calls"), DONE)
def test_several_things_are_done_one_by_one(
    text: str, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    bakery = make_job(2, "Huso", "Baker", salary_min=40000, salary_max=50000, notes="fine bread")
    conversation = Conversation(jobs=[make_job(1, "Acme", "Cook"), bakery])
    conversation.ask(text)
    assert conversation.calls == calls


def test_the_second_one_is_the_second_of_the_last_answer() -> None:
    conversation = Conversation(jobs=[make_job(7, "Noma", "Cook"), make_job(5, "Huso", "Baker")])
    conversation.ask("list my jobs")
    assert conversation.ask("and the second one?") == "#5 Baker at Huso (saved)"
    conversation.ask("move it to applied")
    assert conversation.calls == [("update_job", {"job_id": 5, "status": "applied"})]


def test_what_is_pointed_to_is_not_the_only_job_by_chance() -> None:
    conversation = Conversation(jobs=[make_job(1, "Acme", "Cook")])
    assert conversation.ask("delete the first one").startswith("Which one do you mean?")
    conversation.ask("delete the Acme job")
    assert conversation.calls[-1] == ("delete_job", {"job_id": 1})


def test_a_question_is_no_answer_to_ours() -> None:
    conversation = Conversation()
    assert conversation.ask("add a job at Noma").startswith("For that I still need: title")
    conversation.ask("what about the first?")
    assert conversation.calls == []


def test_rows_that_were_not_asked_for_are_confessed() -> None:
    conversation = Conversation(jobs=[make_job(1, "Acme", "Cook"), make_job(2, "Huso", "Baker")])
    said = conversation.ask("which jobs have I not applied to?")
    assert said.endswith("I did not understand every word.")
    assert "understand" not in conversation.ask("list my jobs")


def test_an_empty_profile_is_said_to_be_empty() -> None:
    conversation = Conversation(profile="---\nonboarded: false\n---")
    assert conversation.ask("show my profile") == "There is no user profile yet."


TEXT = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}
CONTACT = make_tool("save_contact", {"name": TEXT, "email": TEXT, "company": TEXT})
COMPANY = make_tool("save_company", {"name": {"type": "string"}, "url": TEXT}, "name")
NAMED: list[tuple[str, tuple[str, dict[str, Any]]]] = [
    (
        "add a contact: John Smith, john@smith.example, at Acme",
        ("save_contact", {"name": "John Smith", "email": "john@smith.example", "company": "Acme"}),
    ),
    (
        "Add Jane Roe from Netflix as a contact",
        ("save_contact", {"name": "Jane Roe", "company": "Netflix"}),
    ),
    (
        "change Jane Doe's email to jd@acme.example",
        ("save_contact", {"name": "Jane Doe", "email": "jd@acme.example"}),
    ),
    (
        "add a company: Umbrella, https://umbrella.example",
        ("save_company", {"name": "Umbrella", "url": "https://umbrella.example"}),
    ),
    ("add company Hooli", ("save_company", {"name": "Hooli"})),
]


class Keeper(Conversation):
    def save_contact(self, **fields: Any) -> dict[str, Any]:
        return {"contact": {"contact_id": 1, **fields}}

    def save_company(self, **fields: Any) -> dict[str, Any]:
        return {"company": {"company_id": 1, **fields}}


@pytest.mark.parametrize(("text", "call"), NAMED)
def test_people_and_companies_keep_their_names(text: str, call: tuple[str, dict[str, Any]]) -> None:
    conversation = Keeper(tools=(*TRACKER_TOOLS, CONTACT, COMPANY))
    conversation.ask(text)
    assert conversation.calls == [call]


def test_a_letter_is_for_the_job_and_not_for_what_it_shall_mention() -> None:
    conversation = make_writer()
    conversation.ask("write a letter for the Noma job mentioning my ten years at Google")
    assert conversation.calls[0] == ("list_jobs", {"company": "Noma"})


@pytest.mark.parametrize(
    "text",
    [
        "don't write a cover letter for Noma",
        "delete the cover letter for Noma",
        "how long should a cover letter be?",
        "did you write a letter for Noma?",
        "should I write a cover letter for Noma?",
        "print the letter for Noma",
        "export my letter as pdf",
    ],
)
def test_no_letter_is_written_that_nobody_wants(text: str) -> None:
    conversation = make_writer()
    assert "Dear" not in conversation.ask(text)
    assert conversation.calls == []


def make_writer() -> Conversation:
    return Conversation(
        jobs=[make_job(1, "Noma", "Cook")],
        resume=RESUME,
        tools=LETTER_TOOLS,
        system="You write cover letters from the user's résumé.",
    )
