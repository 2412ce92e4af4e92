"""Letters hold résumé facts and the posting's names, and nothing else."""

from __future__ import annotations

import pytest

from packages.rules.tests.offline.tracker import LETTER_TOOLS, RESUME, Conversation, make_job, say
from plainloop.agent.types import ChatRequest
from plainloop_careers.letters.grounding import check_grounding
from plainloop_rules.offline.brain.brain import answer

SYSTEM = "You write cover letters from the user's résumé and profile for jobs in the tracker."
JOB = make_job(1, "Acme", "Data Engineer", requirements="Strong Python\nAirflow\nKubernetes")
LETTER = """Dear Acme hiring team,

I am applying for the Data Engineer position at Acme.

You ask for Airflow. As Data Engineer at Nordlys Analytics (2019–2023), I moved 40 pipelines to \
Airflow and cut the cloud bill by 18%.

Before that, as Analyst at Fjordbank (2016–2019), I built SQL reports for the risk team.

Of the skills that you name, I bring Python and Airflow.

I studied Statistics at the University of Bergen (Master, 2013–2015).

I would welcome the chance to talk about this role with you.

Kind regards,
Mira Lund"""


def start(**more: object) -> Conversation:
    return Conversation(
        **{"jobs": [JOB], "resume": RESUME, "tools": LETTER_TOOLS, "system": SYSTEM, **more}
    )


@pytest.mark.parametrize(
    "text",
    [
        "Write a cover letter for the Data Engineer job at Acme",
        "draft me an application letter for Acme",
        "I need a cover letter for Acme please",
    ],
)
def test_a_letter_reads_its_sources_in_parallel_and_contains_only_facts(text: str) -> None:
    conversation = start()
    assert conversation.ask(text) == LETTER
    assert conversation.calls == [
        ("list_jobs", {"company": "Acme"} if " at " in text else {}),
        ("read_resume", {}),
        ("read_user_profile", {}),
    ]
    assert len(conversation.messages) == 4  # one batch of calls


def test_the_job_number_that_the_console_adds_names_the_job() -> None:
    # Two jobs whose names fit, and a title that the request's own words are in.
    jobs = [
        JOB,
        make_job(2, "Acme", "Data Engineer"),
        make_job(3, "Smith, Lee & Co.", "Job Coach, Sr."),
    ]
    text = "write a cover letter for {} (job {})"
    conversation = start(jobs=jobs)
    assert conversation.ask(text.format("Data Engineer at Acme", 1)) == LETTER
    assert conversation.calls[0] == ("list_jobs", {"company": "Acme"})
    coach = start(jobs=jobs).ask(text.format("Job Coach, Sr. at Smith, Lee & Co.", 3))
    assert coach.startswith("Dear Smith, Lee & Co. hiring team,")


def test_the_offline_provider_obeys_parallel_tool_calls_false() -> None:
    request = ChatRequest(
        SYSTEM, [say("user", "letter for Acme")], LETTER_TOOLS, parallel_tool_calls=False
    )
    assert [call["name"] for call in answer(request).tool_calls] == ["list_jobs"]


def test_a_letter_without_a_resume_says_what_to_import() -> None:
    reply = start(resume=None).ask("Write a cover letter for Acme")
    assert reply == (
        "I cannot write the letter: there is no résumé to take facts from. "
        "Drop one on the page Résumé and profile first, or: plainloop import resume FILE."
    )


def test_a_letter_request_asks_for_the_job_only_if_there_are_several() -> None:
    assert start().ask("Write a cover letter") == LETTER
    several = start(jobs=[JOB, make_job(2, "Initech", "Analyst")])
    assert several.ask("Write a cover letter") == (
        "Which job is the letter for?\n"
        "- #1 Data Engineer at Acme (saved)\n- #2 Analyst at Initech (saved)"
    )


def test_a_letter_for_an_unknown_job_is_an_error() -> None:
    reply = start(jobs=[]).ask("Write a cover letter for Acme")
    assert (
        reply == "I found no such job. Add it first, or write: for the TITLE position at COMPANY."
    )


def test_a_letter_is_written_if_a_single_worker_has_all_tools() -> None:
    assert start(system="You help with jobs.").ask("Write a cover letter for Acme") == LETTER


def test_offline_letters_ignore_misparsed_names_and_positions() -> None:
    broken = {
        **RESUME,
        "basics": {"name": "Lebenslauf"},
        "work": [*RESUME["work"], {"position": "events a day"}],
    }
    written = start(resume=broken).ask("Write a cover letter for Acme")

    assert "Lebenslauf" not in written and "events a day" not in written
    assert written.endswith("Kind regards,")
    assert written.startswith("Your résumé contains no name to sign with")


POSTING = """About us: we make shoes.

- Experience with email campaigns
- You have led teams.
- Registered nurse
- Kubernetes
"""
WORK = [
    {
        "position": "Editor",
        "name": "Leafy",
        "startDate": "2020-03",
        "highlights": ["Email campaigns to 80,000 readers", "SEO for 30 terms", "Manages a budget"],
    },
    {"position": "Staff Nurse", "name": "Mercy", "startDate": "2016", "endDate": "2019"},
    {
        "position": "Nurse",
        "name": "Hospice",
        "endDate": "2015",
        "highlights": ["Responsible for 12 beds and other nurses", "Ran, with a team, the ward"],
    },
]


def test_letters_address_the_requirements_without_claiming_them() -> None:
    job = make_job(1, "Acme", "Writer", notes=POSTING, contact_name="Eva Lind")
    resume = {"basics": {"name": "Noor Haddad"}, "work": WORK}
    letter = start(jobs=[job], resume=resume).ask("Write a cover letter for Acme")
    assert letter.split("\n\n")[:4] == [
        "Dear Eva Lind,",
        "I am applying for the Writer position at Acme.",
        "You ask for experience with email campaigns. My work as Editor at Leafy (since 2020) "
        "included email campaigns to 80,000 readers. It also included SEO for 30 terms.",
        "You also ask for a registered nurse. Before that, as Nurse at Hospice (2015), I was "
        "responsible for 12 beds and other nurses. I also ran, with a team, the ward.",
    ]
    assert "Kubernetes" not in letter and "led teams" not in letter
    assert check_grounding(letter, resume, "", job).problems == ()


def test_letters_omit_foreign_language_work_and_note_it() -> None:
    deeds = ["Leitung eines Teams von fünf Köchen", "Einkauf und Kalkulation für die Küche"]
    work = [{"position": "Köchin", "name": "Gasthof", "startDate": "2019", "highlights": deeds}]
    resume = {"basics": {"name": "Jana Weber"}, "work": work}
    letter = start(resume=resume).ask("Write a cover letter for Acme")
    assert letter.startswith("Your résumé is not in English")
    assert "I have worked as Köchin at Gasthof (since 2019)." in letter
    assert "Leitung" not in letter


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("write a letter declining the offer from Acme", "A letter of another kind needs a model."),
        ("write my resignation letter", "A letter of another kind needs a model."),
        ("write a thank-you letter for Acme", "A letter of another kind needs a model."),
        ("write a cover letter for Acme in German", "I cannot write it in German."),
        ("write a cover letter for Acme in Norwegian, please", "I cannot write it in Norwegian."),
    ],
)
def test_offline_letters_that_need_a_model_are_declined(text: str, reason: str) -> None:
    conversation = start()
    told = conversation.ask(text)
    assert told.startswith("I wrote nothing: without a language model")
    assert told.endswith(reason)
    assert conversation.calls == []
