"""Résumé text → JSON Resume by one model call in JSON mode."""

from __future__ import annotations

from typing import Any, Final

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.base.messages.object_schema import make_object_schema
from plainloop.agent.core.spec import CallJson
from plainloop.agent.errors import InputError
from plainloop.agent.types import ChatRequest, JsonSchema

from ..files import load_prompt
from .homes import find_home
from .shape import SHAPE, drop_empty, parse_resume_data

_ASKED: Final = {
    "basics": "name label email phone url summary",
    "work": "name position location startDate endDate summary highlights",
    "education": "institution area studyType startDate endDate",
    "skills": "name keywords",
    "languages": "language fluency",
}


def _build_schema() -> dict[str, Any]:
    """Build the JSON schema that the model must fill: JSON Resume, reduced to these fields."""
    sections: dict[str, Any] = {}
    for section, names in _ASKED.items():
        lists = SHAPE[section].get("texts", "").split()
        text = {"type": "string"}
        entry = make_object_schema(
            {
                name: {"type": "array", "items": text} if name in lists else text
                for name in names.split()
            }
        )
        sections[section] = entry if section == "basics" else {"type": "array", "items": entry}
    return make_object_schema(sections)


RESUME_SCHEMA: Final = JsonSchema("resume", _build_schema())


async def parse_resume_text(raw_text: str, call_json: CallJson) -> dict[str, Any]:
    """Convert a résumé's text to JSON Resume by one call of a model.

    Raises: InputError when the text is empty, or the answer has another shape, or no name and no
    work.
    """
    if not raw_text.strip():
        raise InputError("the résumé contains no text", hint="Import a file with readable text.")
    request = ChatRequest(
        system=load_prompt("resume"),
        messages=[make_text_message("user", raw_text)],
        json_schema=RESUME_SCHEMA,
    )
    parsed = drop_empty(await call_json("parser", request))
    if not parsed.get("basics", {}).get("name") and not parsed.get("work"):
        raise InputError(
            "the text contains no name and no work experience",
            hint="Check that the file is a résumé, or import it as JSON Resume.",
        )
    if (home := find_home(raw_text)) and "location" not in parsed.get("basics", {}):
        parsed["basics"] = {**parsed.get("basics", {}), "location": home}
    return parse_resume_data(parsed)
