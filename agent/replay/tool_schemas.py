"""Tools of imported conversations: from a file of schemas, or inferred from what was called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from agent.core.history import list_calls
from agent.core.records import Effect
from agent.errors import InputError
from agent.replay.conversations import Conversation


@dataclass(frozen=True, slots=True)
class ToolShape:
    """A tool as its schema says. effect: `external` unless the file says otherwise."""

    name: str
    description: str
    parameters: dict[str, Any]
    effect: Effect = "external"


class _Function(msgspec.Struct):
    name: str
    description: str = ""
    parameters: dict[str, Any] = {}
    effect: Effect = "external"


class _Entry(msgspec.Struct):
    function: _Function | None = None
    effect: Effect | None = None


def read_tool_file(content: bytes) -> tuple[ToolShape, ...]:
    """The tools of a JSON file in OpenAI's form: `[{"type": "function", "function": {"name", …}}]`,
    each with an optional `"effect": "read" | "write" | "external"`.

    Raises: InputError.
    """
    try:
        entries = msgspec.json.decode(content, type=list[_Entry])
        functions = [entry.function for entry in entries]
        if None in functions:
            functions = list(msgspec.json.decode(content, type=list[_Function]))
    except msgspec.DecodeError as error:
        hint = '[{"type": "function", "function": {"name": …, "parameters": {JSON Schema}}}]'
        raise InputError(f"the tools file cannot be read: {error}", hint=hint) from error
    shapes = [
        ToolShape(
            item.name,
            item.description,
            item.parameters or {"type": "object", "properties": {}},
            entry.effect or item.effect,
        )
        for entry, item in zip(entries, functions, strict=True)
        if item is not None
    ]
    return tuple(sorted(shapes, key=lambda shape: shape.name))


def infer_tools(conversations: Iterable[Conversation]) -> tuple[ToolShape, ...]:
    """Every tool that was called, its arguments merged over all calls, sorted by name.

    An argument is required when every call had it. The effect is `external`: nobody said that
    such a tool is harmless.
    """
    seen: dict[str, list[dict[str, Any]]] = {}
    for conversation in conversations:
        for message in conversation.messages:
            for call in list_calls(message):
                seen.setdefault(call["name"], []).append(call["arguments"])
    return tuple(
        ToolShape(name, "(inferred from recorded calls)", _infer_object(seen[name]))
        for name in sorted(seen)
    )


def _infer_object(values: list[dict[str, Any]]) -> dict[str, Any]:
    keys = sorted({key for value in values for key in value})
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            key: _infer_value([value[key] for value in values if key in value]) for key in keys
        },
    }
    required = [key for key in keys if all(key in value for value in values)]
    return {**schema, "required": required} if required else schema


def _infer_value(values: list[Any]) -> dict[str, Any]:
    kinds = {_name_type(value) for value in values} - {"null"}
    if kinds == {"integer", "number"}:
        kinds = {"number"}
    if len(kinds) != 1:
        return {}
    (kind,) = kinds
    if kind == "object":
        return _infer_object([value for value in values if value is not None])
    if kind == "array":
        items = [item for value in values if value is not None for item in value]
        return {"type": "array", "items": _infer_value(items) if items else {}}
    return {"type": kind}


def _name_type(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    names: dict[type, str] = {
        str: "string",
        int: "integer",
        float: "number",
        list: "array",
        dict: "object",
    }
    return next((name for kind, name in names.items() if isinstance(value, kind)), "null")
