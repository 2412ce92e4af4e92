"""Text résumés of the one plain layout to JSON Resume, by the schema that the parser role sends.

`layouts/NAME.txt` is what a résumé says, `layouts/NAME.json` what was meant.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.offline.brain.brain import answer
from plainloop.agent.types import ChatRequest, JsonSchema
from plainloop_careers.offline.resumes import parse_resume
from plainloop_careers.resumes.parsing import RESUME_SCHEMA
from plainloop_careers.resumes.review import list_doubts
from tests.offline.tracker import say

FOLDER = Path(__file__).with_name("layouts")


def parse(text: str, schema: JsonSchema = RESUME_SCHEMA) -> dict[str, Any]:
    return json.loads(answer(ChatRequest("Parse it.", [say("user", text)], (), schema)).text)


@pytest.mark.parametrize("layout", ["plain", "markdown"])
def test_the_plain_layout_is_read_as_it_was_meant(layout: str) -> None:
    text = (FOLDER / f"{layout}.txt").read_text(encoding="utf-8")
    meant = json.loads((FOLDER / f"{layout}.json").read_bytes())

    assert parse_resume(text) == meant
    assert list_doubts(meant, text) == []


def test_the_answer_has_the_schemas_keys_only_and_every_required_one() -> None:
    basics = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "summary": {"type": "string"}},
        "required": ["name", "summary"],
        "additionalProperties": False,
    }
    shape = {"basics": basics, "work": {"type": "array", "items": {"type": "object"}}}
    schema = {"type": "object", "properties": shape, "required": ["basics", "work"]}
    assert parse("Ada\nada@x.example", JsonSchema("resume", schema)) == {
        "basics": {"name": "Ada", "summary": ""},
        "work": [],
    }


def test_nothing_is_invented_from_no_resume() -> None:
    assert parse_resume("") == {"basics": {}, "work": []}


def test_which_of_two_lines_is_the_employer_is_not_guessed_but_asked() -> None:
    text = "Ann Lee\n\nExperience\nInitech\nCook, 2019 - 2021\n- Cooked"
    resume = parse_resume(text)

    dates = {"startDate": "2019", "endDate": "2021"}
    assert resume["work"] == [{**dates, "highlights": ["Cooked"]}]
    assert "work[0] has no name" in list_doubts(resume, text)


@pytest.mark.parametrize("born", ["04.05.1990", "4/5/1990"])
def test_a_day_of_birth_is_no_number_to_call(born: str) -> None:
    head = f"Jana Weber\nBorn: {born}"

    assert parse_resume(head)["basics"] == {"name": "Jana Weber"}
    assert parse_resume(f"{head}\nPhone: 030 1234567")["basics"]["phone"] == "030 1234567"
