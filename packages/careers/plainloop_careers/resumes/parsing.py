"""Résumé text → JSON Resume by one model call in JSON mode."""

from __future__ import annotations

from typing import Any

from plainloop.agent.base.messages import make_text_message
from plainloop.agent.base.object_schema import make_object_schema
from plainloop.agent.core.spec import CallJson
from plainloop.agent.errors import InputError
from plainloop.agent.types import ChatRequest, JsonSchema

from ..files import load_prompt
from .shape import drop_empty, parse_resume_data

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}


def _make_object(**properties: Any) -> dict[str, Any]:
    return make_object_schema(properties)


def _make_list(**properties: Any) -> dict[str, Any]:
    return {"type": "array", "items": _make_object(**properties)}


RESUME_SCHEMA = JsonSchema(
    "resume",
    _make_object(
        basics=_make_object(
            name=_TEXT, label=_TEXT, email=_TEXT, phone=_TEXT, url=_TEXT, summary=_TEXT
        ),
        work=_make_list(
            name=_TEXT,
            position=_TEXT,
            startDate=_TEXT,
            endDate=_TEXT,
            summary=_TEXT,
            highlights=_TEXTS,
        ),
        education=_make_list(
            institution=_TEXT, area=_TEXT, studyType=_TEXT, startDate=_TEXT, endDate=_TEXT
        ),
        skills=_make_list(name=_TEXT, keywords=_TEXTS),
        languages=_make_list(language=_TEXT, fluency=_TEXT),
    ),
)


async def parse_resume_text(raw_text: str, call_json: CallJson) -> dict[str, Any]:
    """The résumé's facts in JSON Resume shape, fields that the text does not state left out.

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
    return parse_resume_data(parsed)
