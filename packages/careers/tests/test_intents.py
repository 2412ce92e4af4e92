"""The intent rules over the careers entities, on sentences that were written without them."""

from __future__ import annotations

import pytest

from packages.careers.tests.sentences import LANGUAGES as SPOKEN
from packages.careers.tests.sentences import list_texts, load_sentences
from packages.rules.tests import test_intent_rules as rules
from plainloop_careers.entities import ENTITIES
from plainloop_rules.matching import match_intent

SIGNS = {"contains": "~", "gte": ">=", "lte": "<=", "eq": "=", "in": "@", "since": "@since_"}


def describe(text: str) -> str | None:
    """A match as the labels write it: `list jobs status=saved by created_at desc limit 3`."""
    match = match_intent(text, ENTITIES)
    if match is None:
        return None
    query = match.query
    words = [match.fast_intent, match.entity_type]
    words += [f"{f['field']}{SIGNS[f['op']]}{f['value']}" for f in query["filters"]]
    if query["order_by"]:
        words += ["by", query["order_by"], *(["desc"] if query["descending"] else [])]
    return " ".join([*words, *(["limit", str(query["limit"])] if query["limit"] else [])])


@pytest.mark.parametrize("language", SPOKEN)
def test_rules_read_each_labelled_sentence_as_its_label(language: str):
    labelled = [item for item in load_sentences(language) if item.label]
    answers = [(item, got) for item in labelled if (got := describe(item.text)) is not None]
    wrong = [(item.text, got) for item, got in answers if _sort(got) != _sort(item.label)]

    assert wrong == []
    assert {item for item, _ in answers} >= {item for item in labelled if item.reader == "rules"}


@pytest.mark.parametrize("language", SPOKEN)
def test_sentences_beyond_the_rules_match_no_fast_path(language: str):
    texts = list_texts(language, "model")
    assert {text: got for text in texts if (got := describe(text)) is not None} == {}


@pytest.mark.parametrize(
    "text",
    [
        "show me the recruiter at Initech",
        "who is the director at Acme?",
        "list the manager jobs",
        "find the accountant",
        "how many nurses do I know",
    ],
)
def test_a_request_that_names_an_occupation_matches_no_rule(text: str):
    assert describe(text) is None


def _sort(label: str) -> list[str]:
    """Filters in any order. One row is looked up by its company or by its name alike."""
    label = label.replace("created@", "created_at@")  # one field, in some tables by its short name
    return sorted((label.replace("company~", "*~") if label[:6] == "lookup" else label).split())


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Wie viele Stellen habe ich in Koeln fuer spaeter", None),
        ("zeig mir meine fuenf neuesten bewerbungen", "list jobs by created_at desc limit 5"),
        ("Zähl meine Kontakte", "count contacts"),
        ("Zähl meine Kontakte auf", "list contacts"),
        ("Meine Jobs mit über 60.000 Euro Gehalt", "list jobs salary_min>=60001"),
        ("Wie viele Jobs habe ich bei Siemens?", "count jobs company~Siemens"),
        ("Wie viele Jobs habe ich bei Startups?", None),
    ],
)
def test_rules_understand_written_and_spoken_german(said: str, meant: str | None):
    assert describe(said) == meant


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("which jobs did I reject", "which of my jobs were rejected"),
        ("how many jobs have I rejected", "how many rejected jobs do I have"),
        ("combien de postes ai-je refusés", "combien de postes ont été refusés"),
        ("qué trabajos he rechazado", "qué trabajos fueron rechazados"),
        ("welche Stellen habe ich abgelehnt", "welche Stellen wurden abgelehnt"),
    ],
)
def test_jobs_rejected_by_the_user_do_not_match_the_status_rejected(mine: str, theirs: str):
    assert describe(mine) is None
    assert describe(theirs) in ("list jobs status=rejected", "count jobs status=rejected")


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("list my jobs paying over 80", None),  # 80 what?
        ("list my jobs paying over 80k", "list jobs salary_min>=80001"),
        ("list my jobs with a fit over 3", "list jobs job_fit>=4"),
    ],
)
def test_a_request_with_an_abbreviated_salary_matches_no_rule(said: str, wanted: str | None):
    assert describe(said) == wanted


def test_rules_read_requests_for_each_careers_entity():
    wanted = {
        "how many jobs have I applied to?": "count jobs status>=applied",
        "list the saved jobs": "list jobs status=saved",
        "show me the Microsoft job": "lookup jobs *~Microsoft",
        "what's the status of my Google application?": "lookup jobs *~Google",
        "how many contacts do I have": "count contacts",
        "list my companies": "list companies",
        "how many cover letters do I have?": "count documents kind=cover_letter",
        "open job #3": "lookup jobs #=3",
    }
    assert {text: rules.describe(text, ENTITIES) for text in wanted} == wanted
