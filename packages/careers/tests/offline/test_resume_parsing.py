"""Text résumés to JSON Resume, over the JSON schema that the parser role sends."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plainloop.agent.offline.brain.brain import answer
from plainloop.agent.types import ChatRequest, JsonSchema
from plainloop_careers.offline.resumes import parse_resume
from tests.offline.tracker import say

MARKDOWN = """# Jane Doe
Senior Data Engineer
jane@doe.example | +49 170 1234567 | https://jane.example

## Summary
I build data platforms.

## Experience
### Data Engineer, Acme GmbH (2019–2022)
- Built a Kafka pipeline
- Cut costs by 30%

**Analyst at Initech** | Jan 2015 - Mar 2019
- Wrote SQL reports

Consultant, Self-employed, Berlin (2022 - present)

## Education
M.Sc. in Computer Science, TU Berlin (2012–2014)
Bachelor of Science in Mathematics, University of Hamburg, 2009 - 2012

## Skills
Languages: Python, SQL, Go
- Kafka
- Airflow, dbt

## Languages
English, German
"""
PARSED: dict[str, Any] = {
    "basics": {
        "name": "Jane Doe",
        "label": "Senior Data Engineer",
        "email": "jane@doe.example",
        "phone": "+49 170 1234567",
        "url": "https://jane.example",
        "summary": "I build data platforms.",
    },
    "work": [
        {
            "position": "Data Engineer",
            "name": "Acme GmbH",
            "startDate": "2019",
            "endDate": "2022",
            "highlights": ["Built a Kafka pipeline", "Cut costs by 30%"],
        },
        {
            "position": "Analyst",
            "name": "Initech",
            "startDate": "2015-01",
            "endDate": "2019-03",
            "highlights": ["Wrote SQL reports"],
        },
        {
            "position": "Consultant",
            "name": "Self-employed",
            "location": "Berlin",
            "startDate": "2022",
        },
    ],
    "education": [
        {
            "studyType": "M.Sc.",
            "area": "Computer Science",
            "institution": "TU Berlin",
            "startDate": "2012",
            "endDate": "2014",
        },
        {
            "studyType": "Bachelor of Science",
            "area": "Mathematics",
            "institution": "University of Hamburg",
            "startDate": "2009",
            "endDate": "2012",
        },
    ],
    "skills": [
        {"name": "Languages", "keywords": ["Python", "SQL", "Go"]},
        {"name": "Kafka"},
        {"name": "Airflow"},
        {"name": "dbt"},
    ],
    "languages": [{"language": "English"}, {"language": "German"}],
}
PLAIN = """JOHN SMITH
12 Main St, Springfield
john.smith@mail.example
(555) 123-4567

WORK EXPERIENCE
Acme Corporation                       2018 - Present
Software Engineer
• Developed the billing system

Globex Inc.                            06/2015 - 12/2017
Junior Developer

EDUCATION
State University
B.S. Computer Science, 2011 - 2015

SKILLS
Java, Python
"""


def parse(text: str, properties: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    any_object: dict[str, Any] = {"type": "object"}
    any_list: dict[str, Any] = {"type": "array", "items": any_object}
    names = ("work", "education", "skills", "languages", "projects", "certificates")
    shape = properties or {"basics": any_object, **dict.fromkeys(names, any_list)}
    schema = JsonSchema("resume", {"type": "object", "properties": shape, **more})
    return json.loads(answer(ChatRequest("Parse it.", [say("user", text)], (), schema)).text)


def test_a_markdown_resume_is_parsed_whole() -> None:
    assert parse(MARKDOWN) == PARSED


def test_the_text_may_stand_in_tags_or_under_a_label() -> None:
    assert parse(f"Parse this.\n<resume>\n{MARKDOWN}</resume>") == PARSED
    assert parse(f"Résumé:\n{MARKDOWN}") == PARSED


def test_a_plain_resume_with_the_company_first_is_parsed() -> None:
    assert parse(PLAIN) == {
        "basics": {
            "name": "JOHN SMITH",
            "email": "john.smith@mail.example",
            "phone": "(555) 123-4567",
        },
        "work": [
            {
                "position": "Software Engineer",
                "name": "Acme Corporation",
                "startDate": "2018",
                "highlights": ["Developed the billing system"],
            },
            {
                "position": "Junior Developer",
                "name": "Globex Inc.",
                "startDate": "2015-06",
                "endDate": "2017-12",
            },
        ],
        "education": [
            {
                "institution": "State University",
                "studyType": "B.S.",
                "area": "Computer Science",
                "startDate": "2011",
                "endDate": "2015",
            }
        ],
        "skills": [{"name": "Java"}, {"name": "Python"}],
    }


def test_the_answer_has_the_schemas_keys_only_and_every_required_one() -> None:
    basics = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "summary": {"type": "string"}},
        "required": ["name", "summary"],
        "additionalProperties": False,
    }
    shape = {"basics": basics, "work": {"type": "array", "items": {"type": "object"}}}
    assert parse("Ada\nada@x.example", shape, required=["basics", "work"]) == {
        "basics": {"name": "Ada", "summary": ""},
        "work": [],
    }


def test_nothing_is_invented_from_no_resume() -> None:
    assert parse("") == {"basics": {}, "work": []}


EVERYDAY = """Name: Priya Raman
E-Mail: priya@example.org

Experience
Art Director, Nimbus Books (2019 → now)
- Led a studio of
  six illustrators
2016 to 2018: Front-end developer at Pixel Studio

Education
BFA, University of the Arts London, 2011 - 2014
A-levels, St. Mary's College, 2011
Skills: Procreate, InDesign

Languages
English (native), Tamil (fluent)
"""


def test_labels_in_a_line_arrows_and_what_stands_before_a_period_are_read() -> None:
    parsed = parse_resume(EVERYDAY)
    assert parsed["work"] == [
        {
            "position": "Art Director",
            "name": "Nimbus Books",
            "startDate": "2019",
            "highlights": ["Led a studio of six illustrators"],
        },
        {
            "position": "Front-end developer",
            "name": "Pixel Studio",
            "startDate": "2016",
            "endDate": "2018",
        },
    ]
    assert [item["institution"] for item in parsed["education"]] == [
        "University of the Arts London",
        "St. Mary's College",
    ]
    assert parsed["skills"] == [{"name": "Procreate"}, {"name": "InDesign"}]
    assert parsed["languages"][1] == {"language": "Tamil", "fluency": "fluent"}


@pytest.mark.parametrize("born", ["04.05.1990", "4/5/1990"])
def test_a_day_of_birth_is_no_number_to_call(born: str) -> None:
    head = f"Jana Weber\nGeboren: {born}"

    assert parse_resume(head)["basics"] == {"name": "Jana Weber"}
    assert parse_resume(f"{head}\nTelefon: 030 1234567")["basics"]["phone"] == "030 1234567"
