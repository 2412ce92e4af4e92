"""Checks that every dialect makes, without its words: shapes of objects, JSON Schemas, names.

Each check raises `ShapeError` or returns the first problem found; the dialect words it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, cast

import orjson

from plainloop.agent.base.foreign_json import as_list, as_object

Path = tuple[str | int, ...]
Kind = Literal[
    "string", "integer", "number", "boolean", "array", "object", "string_or_array", "any"
]
Shape = Mapping[str, Kind]

TOOL_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")

_PYTHON_TYPES: Final[Mapping[Kind, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "string_or_array": (str, list),
}
_SCHEMA_TYPES: Final = frozenset(
    {"string", "integer", "number", "boolean", "array", "object", "null"}
)
_KEYWORD_TYPES: Final[Mapping[str, type]] = {
    "properties": dict,
    "$defs": dict,
    "definitions": dict,
    "required": list,
    "enum": list,
    "anyOf": list,
    "oneOf": list,
    "allOf": list,
    "prefixItems": list,
}
_JSON_NAMES: Final[Mapping[type, str]] = {dict: "object", list: "array"}
_LISTS_OF_SCHEMAS: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_MAPS_OF_SCHEMAS: Final = ("properties", "$defs", "definitions")


def format_path(path: Path) -> str:
    """
    >>> format_path(("messages", 0, "content"))
    'messages[0].content'
    """
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


class ShapeError(Exception):
    """An object is not as the wire format wants it."""

    def __init__(self, path: Path, kind: Literal["unknown", "missing", "type"], want: str) -> None:
        super().__init__(f"{kind} at {path}: {want}")
        self.path = path
        self.kind = kind
        self.want = want


def load_object(body: bytes) -> dict[str, Any] | None:
    """The body as a JSON object; None when it is none."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return cast(dict[str, Any], value) if isinstance(value, dict) else None


def check_shape(
    value: Any, path: Path, required: Shape, optional: Shape | None = None
) -> dict[str, Any]:
    """The object, known to have all required fields, no unknown one, and the right types.

    An optional field may be null. Raises: ShapeError.
    """
    if not isinstance(value, dict):
        raise ShapeError(path, "type", "object")
    fields = cast(dict[str, Any], value)
    allowed: dict[str, Kind] = {**(optional or {}), **required}
    for name in required:
        if name not in fields:
            raise ShapeError((*path, name), "missing", required[name])
    for name, item in fields.items():
        if name not in allowed:
            raise ShapeError((*path, name), "unknown", name)
        if item is None and name not in required:
            continue
        check_kind(item, (*path, name), allowed[name])
    return fields


def check_kind(value: Any, path: Path, kind: Kind) -> None:
    """Raises: ShapeError when the value has another JSON type."""
    if kind == "any":
        return
    is_wrong_bool = isinstance(value, bool) and kind != "boolean"
    if is_wrong_bool or not isinstance(value, _PYTHON_TYPES[kind]):
        raise ShapeError(path, "type", kind)


def find_schema_problem(
    schema: Any, path: Path = (), *, needs_items: bool = False
) -> tuple[Path, str] | None:
    """The first place where a JSON Schema is not one; None when it is fine.

    needs_items: an array must say what is in it (OpenAI, Gemini).
    """
    for where, node in _walk_schema(schema, path):
        problem = _check_schema_node(node, needs_items)
        if problem:
            return where, problem
    return None


def find_strict_problem(schema: Any, *, needs_required: bool) -> tuple[Path, str] | None:
    """Find where a schema breaks the rules of strict structured output; None when it keeps them.

    needs_required: every property must be required (OpenAI, not Anthropic).
    """
    for where, value in _walk_schema(schema, ()):
        node = as_object(value)
        if "object" not in _types_of(node):
            continue
        if node.get("additionalProperties") is not False:
            return where, "'additionalProperties' is required to be supplied and to be false."
        missing = set(as_object(node.get("properties"))) - set(as_list(node.get("required")))
        if needs_required and missing:
            return where, (
                "'required' is required to be supplied and to be an array including every key "
                f"in properties. Missing '{min(missing)}'."
            )
    return None


def find_keywords(schema: Any, keywords: Sequence[str]) -> tuple[str, list[str]] | None:
    """The type of the first schema node that uses one of the keywords, and those used."""
    for _, value in _walk_schema(schema, ()):
        node = as_object(value)
        used = [keyword for keyword in keywords if keyword in node]
        if used:
            return str(node.get("type")), used
    return None


def find_duplicate(names: Sequence[str]) -> str | None:
    """The first name that is there twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _walk_schema(schema: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    yield path, schema
    node = as_object(schema)
    for key in _MAPS_OF_SCHEMAS:
        for name, child in as_object(node.get(key)).items():
            yield from _walk_schema(child, (*path, key, name))
    for key in _LISTS_OF_SCHEMAS:
        for i, child in enumerate(as_list(node.get(key))):
            yield from _walk_schema(child, (*path, key, i))
    for key in ("items", "additionalProperties"):
        if key in node and not isinstance(node[key], bool):
            yield from _walk_schema(node[key], (*path, key))


def _check_schema_node(value: Any, needs_items: bool) -> str | None:
    if isinstance(value, bool):
        return None
    if not isinstance(value, dict):
        return f"{value!r} is not of type 'object', 'boolean'."
    node = as_object(value)
    for key, wanted in _KEYWORD_TYPES.items():
        if key in node and not isinstance(node[key], wanted):
            return f"'{key}' is not of type '{_JSON_NAMES[wanted]}'."
    kinds = _types_of(node)
    for kind in kinds:
        if not isinstance(kind, str) or kind.lower() not in _SCHEMA_TYPES:
            return f"{kind!r} is not valid under any of the given schemas."
    if not all(isinstance(name, str) for name in as_list(node.get("required"))):
        return "'required' is not an array of strings."
    if "enum" in node and not node["enum"]:
        return "'enum' is not a non-empty array."
    if needs_items and "array" in kinds and "items" not in node:
        return "array schema missing items."
    return None


def _types_of(node: Mapping[str, Any]) -> list[Any]:
    given = node.get("type")
    if given is None:
        return []
    return as_list(given) if isinstance(given, list) else [given]
