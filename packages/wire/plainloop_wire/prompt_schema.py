"""A JSON Schema in the prompt, where a provider has no schema mode: a model reads it there."""

from __future__ import annotations

import json
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.types import JsonSchema

_DECODER: Final = json.JSONDecoder(strict=False)


def find_prompt_schema(text: str) -> JsonSchema | None:
    """Return the last JSON Schema of an object in a text, or None.

    >>> find_prompt_schema('Answer like {"type": "object", "properties": {"a": {}}}.').schema
    {'type': 'object', 'properties': {'a': {}}}
    """
    found: dict[str, Any] | None = None
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            schema = as_object(value)
            if schema.get("type") == "object" and isinstance(schema.get("properties"), dict):
                found = schema
        at = text.find("{", end)
    return None if found is None else JsonSchema(str(found.get("title") or "prompt"), found)
