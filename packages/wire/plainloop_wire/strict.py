"""Checks that every dialect makes, without its words: shapes of objects, JSON Schemas, names.

Each check raises `ShapeError` or returns the first problem found; the dialect words it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, cast

import orjson

from plainloop.agent.base.caching.functions import cached_by_bytes
from plainloop.agent.base.text.foreign_json import as_list, as_object

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
# Source: developers.openai.com, guides/structured-outputs; docker/docker-agent #4106.
_NOT_STRICT: Final = (
    *("oneOf", "allOf", "not", "if", "then", "else", "patternProperties"),
    *("dependentRequired", "dependentSchemas"),
)
_LISTS_OF_SCHEMAS: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_MAPS_OF_SCHEMAS: Final = ("properties", "$defs", "definitions")


def format_path(path: Path) -> str:
    """Format a path of keys and indices as text.

    >>> format_path(("messages", 0, "content"))
    'messages[0].content'
    """
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


class ShapeError(Exception):
    """An object has a missing, unknown or wrongly typed field."""

    def __init__(self, path: Path, kind: Literal["unknown", "missing", "type"], want: str) -> None:
        super().__init__(f"{kind} at {path}: {want}")
        self.path = path
        self.kind = kind
        self.want = want


def load_object(body: bytes) -> dict[str, Any] | None:
    """Parse a body as a JSON object, or return None for any other content."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return cast(dict[str, Any], value) if isinstance(value, dict) else None


def check_shape(
    value: Any, path: Path, required: Shape, optional: Shape | None = None
) -> dict[str, Any]:
    """Check that an object has the right fields with the right types, and return it.

    Required fields must be there, unknown ones must not. An optional field may be null. Raises:
    ShapeError.
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
    """Check a value's JSON type.

    Raises: ShapeError.
    """
    if kind == "any":
        return
    is_wrong_bool = isinstance(value, bool) and kind != "boolean"
    if is_wrong_bool or not isinstance(value, _PYTHON_TYPES[kind]):
        raise ShapeError(path, "type", kind)


def find_schema_problem(schema: Any, *, needs_items: bool = False) -> tuple[Path, str] | None:
    """Find the first fault of a JSON Schema.

    Returns (path, text), or None if it is valid. needs_items: an array must say what is in it
    (OpenAI, Gemini).
    """
    return _check_schema(orjson.dumps(schema), needs_items)


@cached_by_bytes()  # the same tools come with every request
def _check_schema(text: bytes, needs_items: bool) -> tuple[Path, str] | None:
    from jsonschema import Draft202012Validator  # a tenth of a second, for those who need it
    from jsonschema.exceptions import SchemaError

    schema = orjson.loads(text)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return tuple(error.absolute_path), f"{error.message}."
    for where, value in _walk_schema(schema, ()):
        node = as_object(value)
        if needs_items and "array" in _types_of(node) and "items" not in node:
            return where, "array schema missing items."
    return None


def find_strict_problem(schema: Any, *, needs_required: bool) -> tuple[Path, str] | None:
    """Find where a schema breaks the rules of strict structured output.

    Returns (path, text), or None if it keeps them. needs_required: every property must be required,
    and no composition but anyOf (OpenAI, not Anthropic).
    """
    for where, value in _walk_schema(schema, ()):
        node = as_object(value)
        used = next((keyword for keyword in _NOT_STRICT if keyword in node), None)
        if needs_required and used:
            return where, f"'{used}' is not permitted."
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
    """Find the first part of a schema that uses one of these keywords.

    Returns (its type, the keywords that it uses), or None.
    """
    for _, value in _walk_schema(schema, ()):
        node = as_object(value)
        used = [keyword for keyword in keywords if keyword in node]
        if used:
            return str(node.get("type")), used
    return None


def find_duplicate(names: Sequence[str]) -> str | None:
    """Return the first name that occurs twice, or None."""
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


def _types_of(node: Mapping[str, Any]) -> list[Any]:
    given = node.get("type")
    if given is None:
        return []
    return as_list(given) if isinstance(given, list) else [given]
