"""JSON Schemas as the brain needs them: a tool's parameters, and values made to fit them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from plainloop.agent.base.text.foreign_json import as_list, as_object, to_list
from plainloop.agent.dataclasses import dataclass

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
    """Return a schema's parameters by name, in the schema's order."""
    properties = as_object(schema.get("properties"))
    required = as_list(schema.get("required"))
    return {name: _read_param(name, prop, name in required) for name, prop in properties.items()}


def fit_arguments(schema: Schema, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return arguments in the schema's order and types, without those that do not fit.

    None if a required one is missing then.
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
    """Convert a value to one of the parameter's types, without checking limits.

    MISSING if no type fits.
    """
    if param.enum:
        wanted = str(value).strip().casefold()
        return next((item for item in param.enum if item.casefold() == wanted), MISSING)
    if value is None:
        return MISSING
    text = str(cast(object, value)).strip()
    for kind in param.kinds or ("string",):
        if kind == "array":
            items = as_list(value) or text.split(",")
            item = _read_param("", param.schema.get("items"), False)
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


def build_object(schema: Schema, value: Any, depth: int = 0) -> Any:
    """Reduce a value to the fields that a schema has.

    Missing required fields are filled with empty values.
    """
    param = _read_param("", schema, False)
    schema, kinds = param.schema, param.kinds
    if param.enum:
        return value if value in param.enum else param.enum[0]
    if depth > _MAX_DEPTH:
        return _EMPTY.get(kinds[0] if kinds else "")
    if isinstance(value, list) and (not kinds or "array" in kinds):
        items = as_object(schema.get("items"))
        return [build_object(items, item, depth + 1) for item in cast(list[Any], value)]
    if "object" in kinds or (isinstance(value, dict) and not kinds):
        given = as_object(value)
        properties = as_object(schema.get("properties"))
        if not properties and schema.get("additionalProperties") is not False:
            return given
        needed = {*given, *as_list(schema.get("required"))}
        return {
            name: build_object(as_object(prop), given.get(name), depth + 1)
            for name, prop in properties.items()
            if name in needed
        }
    if not kinds or any(type(cast(object, value)) in _TYPES.get(kind, ()) for kind in kinds):
        return cast(Any, value)
    return _EMPTY.get(kinds[0])


def _read_param(name: str, prop: Any, is_required: bool) -> Param:
    """Read one parameter's schema, with the types of all its variants.

    One variant beside null counts alone. References are not resolved: such a parameter is an object
    that nothing fits.
    """
    schema = as_object(prop)
    variants = as_list(schema.get("anyOf")) or as_list(schema.get("oneOf"))
    kept = [as_object(v) for v in variants if as_object(v).get("type") != "null"] or [schema]
    if len(kept) == 1:
        schema = {**schema, **kept[0]}
    kinds = [str(kind).lower() for variant in kept for kind in to_list(variant.get("type", []))]
    if not kinds and ("properties" in schema or "$ref" in schema):
        kinds = ["object"]
    enum = tuple(item for item in as_list(schema.get("enum")) if isinstance(item, str))
    return Param(name, tuple(k for k in kinds if k != "null"), enum, is_required, schema)
