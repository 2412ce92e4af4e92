"""Converts third-party JSON Schemas to the form that every provider accepts.

One tool whose schema a provider refuses would sink every request that shows it, so nothing is sent
that was not understood: what is left has types, names, bounds and `anyOf`, and no reference.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast

import orjson

from ..base.text.foreign_json import as_list, as_object
from .wire import ServerError

MAX_DEPTH: Final = 12
MAX_CHARS: Final = 20_000
MAX_DESCRIPTION_CHARS: Final = 2_000
MAX_ENUM: Final = 200
_MAX_PARTS: Final = 2_000  # of one schema, references followed
_TYPES: Final = ("string", "number", "integer", "boolean", "array", "object")
_NULL: Final = "null"
# Argument names that all providers accept; Anthropic refuses the request for any other.
_PROPERTY: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}\Z")
# What is a number, and nothing else.
_BOUNDS: Final = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "minItems", "maxItems"),
)
Schema = dict[str, Any]


def to_parameters(schema: Any) -> Schema:
    """Convert a tool's input schema to an object schema that every provider accepts.

    Raises: ServerError when it cannot be one, or is too large.
    """
    if schema is None or schema is True:
        schema = {}
    if not isinstance(schema, dict):
        raise ServerError(
            "the tool's input schema is not valid JSON Schema: correct it at the server"
        )
    reader = _Reader(cast(Schema, schema))
    root = _merge_root(reader.read(cast(Schema, schema), 0))
    if root.get("type", "object") != "object":
        raise ServerError(
            f"the tool's input must be an object, not {str(root['type'])[:20]!r}: correct it at "
            "the server"
        )
    root = {**root, "type": "object", "properties": root.get("properties", {})}
    if len(orjson.dumps(root)) > MAX_CHARS:
        raise ServerError(
            f"the tool's input schema has more than {MAX_CHARS:,} characters: shorten it at the "
            "server"
        )
    return root


def to_checkable(schema: Any) -> Schema | None:
    """Convert a tool's output schema so that results can be checked by it; None if unusable.

    No provider sees it, so null and any property name stay: servers return null for what is unset.
    """
    if not isinstance(schema, dict):
        return None
    try:
        return _Reader(cast(Schema, schema), is_shown=False).read(cast(Schema, schema), 0)
    except ServerError:
        return None


class _Reader:
    """Converts one JSON schema, replacing local references by their targets."""

    def __init__(self, root: Schema, *, is_shown: bool = True) -> None:
        """Read the parts of `root`. is_shown: to models, whose providers refuse some forms."""
        self._root = root
        self._is_shown = is_shown
        self._types = _TYPES if is_shown else (*_TYPES, _NULL)
        self._parts = 0

    def read(self, raw: Any, depth: int, seen: tuple[str, ...] = ()) -> Schema:
        """Convert a part of a schema, with references replaced by the parts that they mean.

        Raises: ServerError for what is too much, or refers to something that is not here.
        """
        self._parts += 1
        if depth > MAX_DEPTH or self._parts > _MAX_PARTS:
            raise ServerError(
                "the tool's input schema is nested too deeply: use fewer levels at the server"
            )
        if not isinstance(raw, dict):
            return {}  # `true`: anything
        schema = cast(Schema, raw)
        reference: Any = schema.get("$ref")
        if reference is not None:
            # Inlined, a schema that holds itself would have no end; `$ref` itself several providers
            # refuse.
            if reference in seen:  # it holds itself: below here anything goes
                return _keep_words(schema)
            meant = self._find(reference)
            rest = {key: value for key, value in schema.items() if key != "$ref"}
            return self.read({**meant, **rest}, depth + 1, (*seen, reference))
        kept = _keep_words(schema)
        for key in _BOUNDS:
            if isinstance(schema.get(key), (int, float)) and not isinstance(schema[key], bool):
                kept[key] = schema[key]
        kept.update(self._read_type(schema))
        kept.update(self._read_parts(schema, depth, seen))
        parts = self._read_all(schema.get("allOf"), depth, seen)
        return _merge(kept, parts) if parts else kept

    def _find(self, reference: Any) -> Schema:
        """Find the part that a local reference names.

        Raises: ServerError; nothing is ever fetched.
        """
        if not isinstance(reference, str) or not reference.startswith("#"):
            raise ServerError(
                "the tool's input schema refers to another document: copy that part into it at the "
                "server"
            )
        part: Any = self._root
        for key in reference.removeprefix("#").split("/")[1:]:
            name = key.replace("~1", "/").replace("~0", "~")
            if isinstance(part, dict):
                part = cast(Schema, part).get(name)
            elif isinstance(part, list) and name.isdecimal():
                listed = cast("list[Any]", part)
                part = listed[int(name[:6])] if int(name[:6]) < len(listed) else None
            else:
                part = None
        if not isinstance(part, dict):
            raise ServerError(
                f"the tool's input schema refers to {reference[:80]!r}, which does not exist: "
                "correct it at the server"
            )
        return cast(Schema, part)

    def _read_type(self, schema: Schema) -> Schema:
        stated: Any = schema.get("type")
        values: Any = schema.get("enum", [schema["const"]] if "const" in schema else None)
        if isinstance(values, list):
            plain = [v for v in cast("list[Any]", values) if self._is_plain(v)]
            if plain and len(plain) <= MAX_ENUM:
                kind = {} if not all(isinstance(v, str) for v in plain) else {"type": "string"}
                return {**kind, "enum": plain}
        if isinstance(stated, list):
            kinds = [kind for kind in cast("list[Any]", stated) if kind in self._types]
            if len(kinds) > 1:
                return {"anyOf": [_complete(kind) for kind in kinds]}
            stated = kinds[0] if kinds else None
        if stated in self._types:
            return _complete(stated)
        return {"type": "object"} if isinstance(schema.get("properties"), dict) else {}

    def _read_parts(self, schema: Schema, depth: int, seen: tuple[str, ...]) -> Schema:
        kept: Schema = {}
        properties: Any = schema.get("properties")
        if isinstance(properties, dict):
            needed = as_list(schema.get("required"))
            read: Schema = {}
            for name, inner in cast(Schema, properties).items():
                if not self._is_shown or _PROPERTY.match(name):
                    read[name] = self.read(inner, depth + 1, seen)
                elif name in needed:
                    raise ServerError(
                        f"the tool requires the argument {name[:80]!r}, but models do not accept "
                        "this name: rename it at the server"
                    )
            kept["properties"] = read
            if known := [name for name in dict.fromkeys(needed) if name in read]:
                kept["required"] = known
        if isinstance(schema.get("items"), (dict, bool)):
            kept["items"] = self.read(schema["items"], depth + 1, seen)
        if schema.get("additionalProperties") is False:
            kept["additionalProperties"] = False
        options = self._read_all(schema.get("anyOf") or schema.get("oneOf"), depth, seen)
        if len(options) > 1:
            kept["anyOf"] = options
        elif options:
            # A single alternative, such as the one left of "a value or null", replaces the `anyOf`.
            kept.update(options[0])
        return kept

    def _read_all(self, raw: Any, depth: int, seen: tuple[str, ...]) -> list[Schema]:
        """Read the alternatives; a model's without null: `required` says what may be missing."""
        listed = as_list(raw)
        if self._is_shown:
            listed = [item for item in listed if as_object(item).get("type") != _NULL]
        return [self.read(item, depth + 1, seen) for item in listed]

    def _is_plain(self, value: Any) -> bool:
        return isinstance(value, (str, int, float)) or (value is None and not self._is_shown)


def _merge_root(root: Schema) -> Schema:
    """Merge alternatives at the root, which providers refuse: all properties, few required."""
    options: list[Schema] = root.get("anyOf", [])
    if not options:
        return root
    merged = _merge({key: value for key, value in root.items() if key != "anyOf"}, options)
    common = set[str].intersection(*({*item.get("required", ())} for item in options))
    needed = [
        name for name in merged.get("required", ()) if name in common | {*root.get("required", ())}
    ]
    merged = {key: value for key, value in merged.items() if key not in ("required", "type")}
    kinds = {item.get("type", "object") for item in options}
    if kinds != {"object"}:
        raise ServerError(
            "the tool's input schema also allows values that are not objects: correct it at the "
            "server"
        )
    return {**merged, **({"required": needed} if needed else {}), "type": "object"}


def _merge(kept: Schema, parts: list[Schema]) -> Schema:
    """Merge several schemas that hold at once into one object."""
    merged = dict(kept)
    for part in parts:
        for key, value in part.items():
            if key == "properties":
                merged[key] = {**value, **merged.get(key, {})}
            elif key == "required":
                merged[key] = list(dict.fromkeys([*merged.get(key, ()), *value]))
            elif key != "additionalProperties":  # each closes its own: together nothing would fit
                merged.setdefault(key, value)
    merged.pop("additionalProperties", None)
    return merged


def _keep_words(schema: Mapping[str, Any]) -> Schema:
    stated: Any = schema.get("description")
    return (
        {"description": stated[:MAX_DESCRIPTION_CHARS]}
        if isinstance(stated, str) and stated
        else {}
    )


def _complete(kind: str) -> Schema:
    """Return the schema of a type; Gemini and OpenAI refuse an array without `items`."""
    return {"type": kind, "items": {}} if kind == "array" else {"type": kind}
