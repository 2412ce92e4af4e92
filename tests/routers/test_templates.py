"""A sentence with its values taken out, and what a template makes of another sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.intents.proposals import validate_fast_query
from plainloop.agent.intents.remembered.templates import (
    Reading,
    Template,
    make_template,
    read_by_template,
    read_sentence,
)
from tests.routers.remembering import fast
from tests.tracker.entities import JOBS
from tests.tracker.pack import build_pack

PACK = build_pack()


def to_reading(answer: dict[str, Any]) -> Reading:
    query = validate_fast_query(JOBS, answer)
    assert query is not None
    return Reading(answer["fast_intent"], "jobs", query, "", "", ())


def learn(text: str, answer: dict[str, Any]) -> Template | None:
    sentence = read_sentence(text)
    assert sentence is not None
    return make_template(sentence, to_reading(answer))


def read(template: Template, text: str) -> Reading | None:
    sentence = read_sentence(text)
    return sentence and read_by_template(template, sentence, PACK)


@pytest.mark.parametrize(
    ("text", "filters", "template", "other", "values"),
    [
        (
            "Jobs at Acme?",
            {"company": "acme"},
            "jobs at {jobs.company}",
            "JOBS at  Hooli & Co",
            ["Hooli & Co"],
        ),
        (
            "over 60k at Area 51",
            {"salary": ">= 60000", "company": "Area 51"},
            "over {number} at {jobs.company}",
            "over 5,000 at Studio 54",
            [5000, "Studio 54"],
        ),
        ("more than 5?", {"salary": "> 5"}, "more than {number}", "more than 7", [8]),
        ("up to 5", {"salary": "<= 5"}, "up to {number}", "up to 7", [7]),
        ("ab 50.000", {"salary": ">= 50000"}, "ab {grouped}", "ab 1.250.000", [1_250_000]),
        ("38 000 €", {"salary": ">= 38000"}, "{grouped} €", "9 500 €", [9500]),
        ("number 12", {"id": "12"}, "number {number}", "number 7", ["7"]),
        (
            "since 2026-01-31",
            {"created_at": ">= 2026-01-31"},
            "since {date}",
            "since 2026-02-01",
            ["2026-02-01"],
        ),
        (
            "the “Data Engineer” one",
            {"title": "Data Engineer"},
            'the "{jobs.title}" one',
            'the "Cook" one',
            ["Cook"],
        ),
        (
            "アクメの求人を見せて",
            {"company": "アクメ"},
            "{jobs.company}の求人を見せて",
            "ホーリーの求人を見せて",
            ["ホーリー"],
        ),
        (
            "was läuft bei Müller GmbH in Köln",
            {"company": "müller gmbh", "location": "Köln"},
            "was läuft bei {jobs.company} in {jobs.location}",
            "was läuft bei Groß in Bern",
            ["Groß", "Bern"],
        ),
        (
            "those I applied to",
            {"status": "applied"},
            "those i applied to",
            "Those I applied to.",
            ["applied"],
        ),
    ],
)
def test_templates_replace_values_of_a_sentence(
    text: str, filters: dict[str, str], template: str, other: str, values: list[Any]
):
    learned = learn(text, fast("list", **filters))
    assert learned is not None
    assert learned.text == template
    found = read(learned, other)
    assert found is not None
    assert found.query is not None
    assert [item["value"] for item in found.query["filters"]] == values
    back = read(learned, text)
    assert back is not None
    assert back.is_same(to_reading(fast("list", **filters)))


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("jobs at the big search company", {"company": "Google"}),  # the name is not said
        ("those of last week", {"created_at": ">= 2026-11-16"}),  # of today only
        ("over sixty thousand", {"salary": ">= 60000"}),
        ("the 3 newest at Acme", {"company": "Acme"}),  # a number is left out
        ('"remote" ones at Acme', {"company": "Acme"}),  # what is quoted is left out
        ("Acme jobs at Acme", {"company": "Acme"}),  # which of both?
        ("jobs in Acmeville", {"company": "Acme"}),  # a part of a word
        ("over 60", {"salary": ">= 60000"}),  # meant otherwise than said
        ("from 50 to 50", {"salary": ">= 50"}),
    ],
)
def test_ambiguous_values_are_not_learned(text: str, filters: dict[str, str]):
    assert learn(text, fast("list", **filters)) is None


@pytest.mark.parametrize(
    "text",
    [
        "jobs at A in B in C",  # two ways
        "jobs at in B",
        "job at A in B",
        "my jobs at A in B",
        "jobs at {jobs.company} in B",
    ],
)
def test_an_ambiguous_or_unmatched_sentence_uses_no_template(text: str):
    learned = learn("jobs at Acme in Bern", fast("list", company="Acme", location="Bern"))
    assert learned is not None
    assert read(learned, text) is None


def test_a_template_of_numbers_rejects_an_ambiguous_thousands_point():
    learned = learn("over 5000", fast("list", salary=">= 5000"))
    assert learned is not None
    assert read(learned, "over 1.500") is None


def test_abbreviated_numbers_use_no_template():
    salary = next(field for field in JOBS.fields if field.name == "salary")
    fields = tuple(replace(f, smallest=1_000) if f is salary else f for f in JOBS.fields)
    pack = replace(PACK, entities=(replace(JOBS, fields=fields),))
    learned = learn("over 60000", fast("list", salary=">= 60000"))
    assert learned is not None
    for text, is_read in (("over 70000", True), ("over 80", False)):
        sentence = read_sentence(text)
        assert sentence is not None
        assert (read_by_template(learned, sentence, pack) is not None) == is_read


def test_templates_of_removed_fields_are_not_used():
    learned = learn("jobs at Acme", fast("list", company="Acme"))
    assert learned is not None
    assert read(replace(learned, answer={"worker": "nobody"}), "jobs at Acme") is None
    entity = {**learned.answer, "entity_type": "ships"}
    assert read(replace(learned, answer=entity), "jobs at Acme") is None
    odd = {**learned.answer, "filters": [{"field": "rank", "value": "{9}"}]}
    assert read(replace(learned, answer=odd), "jobs at Acme") is None


def test_template_patterns_are_literal_except_for_values():
    learned = learn("50% off_ at Acme", fast("list", company="Acme"))
    assert learned is None, "a number is left out"
    assert Template("a_b {jobs.company} 5%\\ {number}", {}).pattern == "a\\_b % 5\\%\\\\ \ue000"


def test_long_and_hostile_sentences_match_no_template():
    for text in ("", "x" * 201, "a {jobs.company}", "a\ue000b", "x" * 1_000_000):
        assert read_sentence(text) is None
