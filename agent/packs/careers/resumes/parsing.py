"""Résumé text → JSON Resume by one model call in JSON mode."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from ....base.messages import make_text_message
from ....base.object_schema import make_object_schema
from ....core.spec import CallJson
from ....errors import InputError
from ....types import ChatRequest, JsonSchema

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

    Raises: InputError when the text is empty or the answer holds no name and no work.
    """
    if not raw_text.strip():
        raise InputError("the résumé holds no text", hint="import a file with readable text")
    request = ChatRequest(
        system=_read_prompt(),
        messages=[make_text_message("user", raw_text)],
        json_schema=RESUME_SCHEMA,
    )
    parsed = _drop_empty(await call_json("parser", request))
    if not parsed.get("basics", {}).get("name") and not parsed.get("work"):
        raise InputError(
            "no name and no work experience were found in the text",
            hint="check that the file is a résumé, or import it as JSON Resume",
        )
    return parsed


def _drop_empty(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _drop_empty(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
        return {key: item for key, item in kept.items() if item not in ("", None, [], {})}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return [_drop_empty(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


@lru_cache(maxsize=1)
def _read_prompt() -> str:
    return (
        (Path(__file__).parent.parent / "prompts" / "resume.md").read_text(encoding="utf-8").strip()
    )
