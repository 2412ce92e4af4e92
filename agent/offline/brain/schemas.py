"""JSON Schemas as the brain needs them: a tool's parameters, and values made to fit them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from ...base.foreign_json import as_list, as_object

Schema = Mapping[str, Any]

_MAX_DEPTH: Final = 8
_YES_NO: Final = {"true": True, "yes": True, "false": False, "no": False}
_EMPTY: Final[dict[str, Any]] = {
    "string": "",
    "integer": 0,
    "number": 0,
    "boolean": False,
    "array": [],
    "object": {},
}
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}
_NUMBER: Final = re.compile(r"-?\d{1,15}(?:\.\d{1,6})?")
MISSING: Final = object()


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a tool. `kinds`: JSON types without null. `enum`: allowed texts, or ()."""

    name: str
    kinds: tuple[str, ...]
    enum: tuple[str, ...]
    is_required: bool
    schema: Schema


def list_params(schema: Schema) -> dict[str, Param]:
    """The parameters of a tool by name, in the schema's order."""
    properties = as_object(schema.get("properties"))
    required = as_list(schema.get("required"))
    return {
        name: _read_param(name, prop, name in required, schema) for name, prop in properties.items()
    }


def fit_arguments(schema: Schema, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    """The arguments in the schema's order and types; what does not fit is left out.

    None when a required one is missing then.
    """
    fitted: dict[str, Any] = {}
    for name, param in list_params(schema).items():
        value = fit_value(param, arguments[name]) if name in arguments else MISSING
        if value is not MISSING:
            fitted[name] = value
        elif param.is_required:
            return None
    missing = set(as_list(schema.get("required"))) - set(fitted)
    return None if missing else fitted


def fit_value(param: Param, value: Any) -> Any:
    """The value in one of the parameter's types, or MISSING; its limits are the tool's to check."""
    if param.enum:
        wanted = str(value).strip().casefold()
        return next((item for item in param.enum if item.casefold() == wanted), MISSING)
    if value is None:
        return MISSING
    text = str(cast(object, value)).strip()
    for kind in param.kinds or ("string",):
        if kind == "array":
            items = as_list(value) or text.split(",")
            item = _read_param("", param.schema.get("items"), False, param.schema)
            fitted = [fit_value(item, entry) for entry in items]
            return [entry for entry in fitted if entry is not MISSING]
        if kind == "boolean" and text.casefold() in _YES_NO:
            return _YES_NO[text.casefold()]
        if kind in ("integer", "number") and _NUMBER.fullmatch(text) and value is not True:
            number = float(text)
            if number.is_integer() or kind == "number":
                return int(number) if number.is_integer() else number
        if kind == "string" and not isinstance(value, dict | list):
            return text
    return MISSING


def build_object(schema: Schema, value: Any, root: Schema | None = None, depth: int = 0) -> Any:
    """The value cut down to the schema, with an empty one for what is required and missing."""
    top = root or schema
    schema = _resolve(schema, top)
    kinds = _read_kinds(schema)
    enum = as_list(schema.get("enum"))
    if enum:
        return value if value in enum else enum[0]
    if depth > _MAX_DEPTH:
        return _EMPTY.get(kinds[0] if kinds else "")
    if isinstance(value, list) and (not kinds or "array" in kinds):
        items = as_object(schema.get("items"))
        return [build_object(items, item, top, depth + 1) for item in cast(list[Any], value)]
    if "object" in kinds or (isinstance(value, dict) and not kinds):
        given = as_object(value)
        properties = as_object(schema.get("properties"))
        if not properties and schema.get("additionalProperties") is not False:
            return given
        needed = {*given, *as_list(schema.get("required"))}
        return {
            name: build_object(prop, given.get(name), top, depth + 1)
            for name, prop in properties.items()
            if name in needed
        }
    if any(type(cast(object, value)) in _TYPES.get(kind, ()) for kind in kinds):
        return cast(Any, value)
    return _EMPTY.get(kinds[0]) if kinds else cast(Any, value)


def _read_param(name: str, prop: Any, is_required: bool, root: Schema) -> Param:
    flat = _resolve(as_object(prop), root)
    enum = tuple(str(item) for item in as_list(flat.get("enum")) if isinstance(item, str))
    kinds = tuple(kind for kind in _read_kinds(flat) if kind != "null")
    return Param(name, kinds, enum, is_required, flat)


def _resolve(schema: Schema, root: Schema) -> Schema:
    """The schema with `$ref` followed and its first variant that is not null taken."""
    for _ in range(_MAX_DEPTH):
        if isinstance(schema.get("$ref"), str):
            target: Any = root
            for key in str(schema["$ref"]).removeprefix("#/").split("/"):
                target = as_object(target).get(key)
            schema = as_object(target)
            continue
        variants = as_list(schema.get("anyOf")) or as_list(schema.get("oneOf"))
        kept = [as_object(v) for v in variants if as_object(v).get("type") != "null"]
        if not kept:
            return schema
        rest = {k: v for k, v in schema.items() if k not in ("anyOf", "oneOf")}
        plain = [v for v in kept if "enum" not in v and "$ref" not in v]
        if len(plain) == len(kept) > 1:
            return {**rest, "type": [kind for v in kept for kind in _read_kinds(v)]}
        schema = {**rest, **kept[0]}
    return schema


def _read_kinds(schema: Schema) -> tuple[str, ...]:
    kind = schema.get("type")
    if isinstance(kind, str):
        return (kind.lower(),)
    kinds = tuple(str(item).lower() for item in as_list(kind))
    if kinds:
        return kinds
    return ("object",) if "properties" in schema else ()
