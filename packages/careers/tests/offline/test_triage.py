"""Which worker a request goes to, and when stored rows alone answer it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from packages.rules.tests.offline.tracker import say
from plainloop.agent.types import ChatRequest, JsonSchema, Message
from plainloop_rules.offline.brain.brain import answer

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
TRIAGE: dict[str, Any] = {**ROUTE, "records": {"type": "string"}}


def sort(text: str, properties: dict[str, Any] = TRIAGE, before: tuple[Message, ...] = ()) -> Any:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    messages = [*before, say("user", text)]
    return json.loads(answer(ChatRequest(SYSTEM, messages, (), JsonSchema("any", schema))).text)


# What is checked of the answer, what it shall be, and what was said.
PLACES = Path(__file__).with_name("triage.tsv").read_text(encoding="utf-8").splitlines()


def test_offline_triage_chooses_the_right_worker_or_fast_path() -> None:
    """What filters cannot say has no rows."""
    rows = [row.split("\t") for row in PLACES]
    wrong = [(text, key) for key, wanted, text in rows if sort(text)[key] != wanted]
    assert wrong == []


def test_the_offline_routers_answer_contains_only_worker_and_criteria() -> None:
    assert sort("Add a nurse job at City Hospital", ROUTE) == {
        "worker": "crm_worker",
        "success_criteria": "The answer does what was asked: Add a nurse job at City Hospital",
    }


def test_offline_triage_chooses_by_a_packs_worker_descriptions() -> None:
    workers = {"kitchen": "cooks meals, recipes, ingredients", "garden": "plants, trees and soil"}
    system = "Workers:\n" + "\n".join(f"- {name}: {text}" for name, text in workers.items())
    schema = {
        "type": "object",
        "properties": {"worker": {"enum": list(workers)}, "success_criteria": {"type": "string"}},
    }
    request = ChatRequest(
        system, [say("user", "when do I plant a tree?")], (), JsonSchema("", schema)
    )
    assert json.loads(answer(request).text)["worker"] == "garden"
