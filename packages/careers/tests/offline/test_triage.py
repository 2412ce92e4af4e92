"""Which worker a request goes to, and when stored rows alone answer it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plainloop.agent.offline.brain.brain import answer
from plainloop.agent.types import ChatRequest, JsonSchema, Message
from tests.offline.tracker import say

WORKERS = {
    "crm_worker": "save, change, move, list or show jobs in the tracker; profile and résumé",
    "job_search": "find new openings, compare jobs or say which job fits best",
    "cover_letter": "write or rewrite a cover letter for a job",
    "general": "career advice, interview preparation and everything else",
}
SYSTEM = "\n".join(
    [
        "You sort requests for an assistant. Answer with one JSON object, nothing else.",
        "",
        "Workers:",
        *(f"- {name}: {text}" for name, text in WORKERS.items()),
        "",
        "Entities:",
        "jobs: company, title, status=saved|applied|interviewing|offer|rejected, location, "
        "remote_type=onsite|hybrid|remote, salary_min(int), created_at(date)",
        "contacts: name, email, company",
        "documents: title, kind=cover_letter|other",
    ]
)
PAIR = {"type": "object", "properties": {"field": {"type": "string"}, "value": {"type": "string"}}}
ROUTE: dict[str, Any] = {
    "worker": {"type": "string", "enum": list(WORKERS)},
    "success_criteria": {"type": "string"},
}
TRIAGE: dict[str, Any] = {
    **ROUTE,
    "records": {"type": "string"},
}


def sort(text: str, properties: dict[str, Any] = TRIAGE, before: tuple[Message, ...] = ()) -> Any:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    messages = [*before, say("user", text)]
    return json.loads(answer(ChatRequest(SYSTEM, messages, (), JsonSchema("any", schema))).text)


PLACES = [
    ("Add a Web Developer job at Microsoft", "crm_worker"),
    ("move it to applied", "crm_worker"),
    ("Google rejected me", "crm_worker"),
    ("I applied to Stripe yesterday", "crm_worker"),
    ("write a thank-you note for the Acme job", "cover_letter"),
    ("write a follow-up e-mail for the Acme job", "cover_letter"),
    ("delete the Google job", "crm_worker"),
    ("update the salary of the Shopify job to 90k", "crm_worker"),
    ("remember that I prefer remote work", "crm_worker"),
    ("what is in my profile?", "crm_worker"),
    ("which jobs am I interviewing for?", "crm_worker"),
    ("find remote python jobs in Berlin", "job_search"),
    ("search the web for data jobs", "job_search"),
    ("any new openings for nurses?", "job_search"),
    ("Which job fits me best?", "job_search"),
    ("Compare my saved jobs", "job_search"),
    ("Write a cover letter for the Microsoft job", "cover_letter"),
    ("draft an application letter to Siemens", "cover_letter"),
    ("rewrite the letter, shorter please", "cover_letter"),
    ("how should I negotiate my salary?", "general"),
    ("Prepare me for my interview at Netflix", "general"),
    ("what should I wear to an interview?", "general"),
    ("hello", "general"),
    ("…", "general"),
]


@pytest.mark.parametrize(("text", "worker"), PLACES)
def test_a_request_goes_to_the_worker_whose_description_fits(text: str, worker: str) -> None:
    assert sort(text)["worker"] == worker


def test_the_router_gets_worker_and_criteria_only() -> None:
    assert sort("Add a nurse job at City Hospital", ROUTE) == {
        "worker": "crm_worker",
        "success_criteria": "The answer does what was asked: Add a nurse job at City Hospital",
    }


FAST: list[tuple[str, str, str, list[tuple[str, str]]]] = [
    ("how many jobs have I applied to?", "count", "jobs", [("status", "applied")]),
    ("count the rejected jobs", "count", "jobs", [("status", "rejected")]),
    ("list my saved jobs", "list", "jobs", [("status", "saved")]),
    ("show all jobs", "list", "jobs", []),
    ("list my contacts", "list", "contacts", []),
    ("how many documents do I have?", "count", "documents", []),
    (
        "which remote jobs have I saved?",
        "list",
        "jobs",
        [("status", "saved"), ("remote_type", "remote")],
    ),
    ("look up the job at Microsoft", "lookup", "jobs", [("company", "Microsoft")]),
    ("list jobs in Berlin", "list", "jobs", [("location", "Berlin")]),
]


@pytest.mark.parametrize(("text", "intent", "entity", "filters"), FAST)
def test_a_plain_question_about_rows_is_answered_without_a_worker(
    text: str, intent: str, entity: str, filters: list[tuple[str, str]]
) -> None:
    wanted = [f"{intent} {entity}", *(f"{field}={value}" for field, value in filters)]
    assert sort(text)["records"] == ("" if intent == "none" else "; ".join(wanted))


@pytest.mark.parametrize(
    "text",
    [
        "which of my jobs pay more than 90k?",
        "how many jobs did I save this week?",
        "how many jobs have I not applied to?",
        "how many jobs have I applied to and which are remote?",
        "list my jobs and then delete the first",
        "Add a Web Developer job at Microsoft",
        "which of my jobs has the nicest office?",
        "list jobs or contacts",
        "how many jobs did I get?",
        "how many documents do I need?",
        "list jobs I rejected",
        "which jobs are still open?",
        "what is a job offer",
        "how many jobs have I made up?",
        "how many IT jobs do I have?",
        "what is the status of my loan application?",
        "what about my visa application?",
        "what's the status of my green card application?",
        "how many openings are there for nurses worldwide?",
        "hello",
    ],
)
def test_what_filters_cannot_say_is_no_fast_path(text: str) -> None:
    assert sort(text)["records"] == ""


def test_workers_of_any_pack_are_sorted_by_their_own_lines() -> None:
    workers = {"kitchen": "cooks meals, recipes, ingredients", "garden": "plants, trees and soil"}
    system = "Workers:\n" + "\n".join(f"- {name}: {text}" for name, text in workers.items())
    schema = {
        "type": "object",
        "properties": {
            "worker": {"enum": list(workers)},
            "success_criteria": {"type": "string"},
        },
    }
    request = ChatRequest(
        system, [say("user", "when do I plant a tree?")], (), JsonSchema("", schema)
    )
    assert json.loads(answer(request).text)["worker"] == "garden"
