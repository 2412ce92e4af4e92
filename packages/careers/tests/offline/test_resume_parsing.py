"""Text résumés to JSON Resume, over the JSON schema that the parser role sends."""

from __future__ import annotations

import json
from typing import Any

from packages.careers.tests.offline.test_usual_layouts import load
from plainloop.agent.offline.brain.brain import answer
from plainloop.agent.types import ChatRequest, JsonSchema
from tests.offline.tracker import say


def parse(text: str, properties: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    any_object: dict[str, Any] = {"type": "object"}
    any_list: dict[str, Any] = {"type": "array", "items": any_object}
    names = ("work", "education", "skills", "languages", "projects", "certificates")
    shape = properties or {"basics": any_object, **dict.fromkeys(names, any_list)}
    schema = JsonSchema("resume", {"type": "object", "properties": shape, **more})
    return json.loads(answer(ChatRequest("Parse it.", [say("user", text)], (), schema)).text)


def test_a_resume_is_parsed_whole() -> None:
    for layout in ("markdown", "plain"):
        text, meant = load(layout)
        assert parse(text) == meant


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
