"""JSON Schema in the forms that native JSON modes demand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, Final, cast

from ...base.caching.functions import cached_by_identity, measure
from ...base.text.foreign_json import as_object, to_list
from ...types import ChatRequest, JsonSchema, LLMResponse, MessagePart
from ..provider_state import Target

# Refused by Anthropic's schema mode; what they say goes into the description instead.
_LIMITS: Final = frozenset(
    {
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "maxItems",
        "minItems",
        "uniqueItems",
        "minProperties",
        "maxProperties",
    }
)
_NESTED: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_NAMED: Final = ("properties", "$defs", "definitions")
# OpenAI's strict mode refuses the whole request for one of these: it is sent without `strict`.
# Source: developers.openai.com, guides/structured-outputs; docker/docker-agent #4106.
_NOT_STRICT: Final = frozenset(
    {
        *("oneOf", "allOf", "not", "if", "then", "else", "patternProperties"),
        *("dependentRequired", "dependentSchemas"),
    }
)


def to_closed_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Copy a JSON schema in the restricted form that strict modes accept.

    Every object is closed, and unsupported limits are moved into descriptions.

    >>> to_closed_schema({"type": "number", "maximum": 1})
    {'type': 'number', 'description': '{"maximum": 1}'}
    """
    closed = {key: value for key, value in schema.items() if key not in _LIMITS}
    # Into the description, as the SDK's own `transform_schema` does: the model may follow them
    # there.
    if limits := {key: schema[key] for key in schema if key in _LIMITS}:
        descriptions = [closed["description"]] if "description" in closed else []
        closed["description"] = " ".join([*descriptions, json.dumps(limits)])
    for key in _NAMED:
        if isinstance(closed.get(key), dict):
            named = cast("Mapping[str, Mapping[str, Any]]", closed[key])
            closed[key] = {name: to_closed_schema(inner) for name, inner in named.items()}
    for key in _NESTED:
        if isinstance(closed.get(key), list):
            closed[key] = [to_closed_schema(inner) for inner in closed[key]]
    if isinstance(closed.get("items"), dict):
        closed["items"] = to_closed_schema(closed["items"])
    if _is_object(closed):
        closed["additionalProperties"] = False
    return closed


@cached_by_identity(lambda closed: 2 * measure(closed))  # workers share their schemas
def close_schema(wanted: JsonSchema) -> dict[str, Any] | None:
    """Return an answer's schema in closed form; None if it would not mean the same."""
    whole = {"type": "object", **wanted.schema}
    return to_closed_schema(wanted.schema) if is_closable(whole) else None


def is_strict(schema: object) -> bool:
    """Return whether OpenAI's strict mode accepts a JSON schema.

    All objects must be closed, and all properties required.
    """
    if isinstance(schema, list):
        return all(is_strict(item) for item in cast("list[object]", schema))
    if not isinstance(schema, Mapping):
        return True
    stated = cast("Mapping[str, Any]", schema)
    if not _NOT_STRICT.isdisjoint(stated):
        return False
    if _is_object(stated):
        is_whole = set(as_object(stated.get("properties"))) == set(stated.get("required") or ())
        if stated.get("additionalProperties") is not False or not is_whole:
            return False
    # Not all values: a property may be called "oneOf", and the definitions stand at the root.
    named = chain.from_iterable(as_object(stated.get(key)).values() for key in _NAMED)
    return is_strict([*named, stated.get("items"), *(stated.get(key) for key in _NESTED)])


def is_closable(schema: object) -> bool:
    """Return whether a schema means the same if no object may have additional properties."""
    stated: Any = schema
    if isinstance(schema, list):
        return all(map(is_closable, stated))
    if not isinstance(schema, dict):
        return True
    is_free = _is_object(stated) and not stated.get("properties")
    if is_free or stated.get("additionalProperties"):
        return False
    return all(map(is_closable, stated.values()))


def _is_object(schema: Mapping[str, Any]) -> bool:
    """Return whether a schema allows objects, perhaps beside null: both vendors close these too."""
    return "object" in to_list(schema.get("type"))


def choose_json_mode(request: ChatRequest, target: Target) -> JsonSchema | None:
    """Return the JSON schema to send; None without one, or if it cannot be sent.

    If JSON mode excludes tools, the request has tools only; the caller checks the answer, and
    requests it once more without tools.
    """
    # Gemini before 3 refuses JSON mode and tools in one request.
    is_free = not request.tools or target.quirks.json_with_tools
    return request.json_schema if is_free else None


def to_system(request: ChatRequest, *, is_native: bool) -> str:
    """Return the system prompt, with the JSON schema in it if the API does not take one."""
    if request.json_schema is None or is_native:
        return request.system
    return "\n\n".join(filter(None, [request.system, to_instruction(request.json_schema)]))


def to_instruction(wanted: JsonSchema) -> str:
    """Write the instruction to answer with JSON of this schema, for models without a JSON mode."""
    instruction = "Answer with one JSON object and nothing else: no prose, no code fence."
    if not wanted.schema:
        return instruction
    schema = json.dumps(wanted.schema, ensure_ascii=False)
    return f"{instruction} It must match this JSON Schema:\n{schema}"


def from_forced_call(answer: LLMResponse, name: str) -> LLMResponse:
    """Copy an answer with its forced tool call turned into JSON text.

    An answer without that call is unchanged.
    """
    call = next((call for call in answer.tool_calls if call["name"] == name), None)
    if call is None:
        return answer
    text = call.get("invalid_arguments") or json.dumps(call["arguments"], ensure_ascii=False)
    kept: list[MessagePart] = [
        part for part in answer.message["parts"] if part["type"] == "reasoning"
    ]
    return replace(
        answer,
        message={"role": "assistant", "parts": [*kept, {"type": "text", "text": text}]},
        stop="end" if answer.stop == "tool_use" else answer.stop,
    )
