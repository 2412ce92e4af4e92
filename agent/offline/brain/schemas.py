"""JSON Schemas as the brain needs them: a tool's parameters, and values made to fit them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from ...base.foreign_json import as_list, as_object

Schema = Mapping[str, Any]

_MAX_DEPTH: Final = 8
_TRUE: Final = frozenset({"true", "yes", "y", "1", "on"})
_FALSE: Final = frozenset({"false", "no", "n", "0", "off"})
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
    """The value in one of the parameter's types, or MISSING."""
    if param.enum:
        wanted = str(value).strip().casefold()
        return next((item for item in param.enum if item.casefold() == wanted), MISSING)
    if value is None:
        return MISSING
    for kind in param.kinds or ("string",):
        fitted = _FITTERS[kind](value, param.schema) if kind in _FITTERS else MISSING
        if fitted is not MISSING:
            return fitted
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
        return _EMPTY.get(kinds[0] if kinds else "null")
    if isinstance(value, dict) and (not kinds or "object" in kinds):
        return _build_dict(schema, cast(dict[str, Any], value), top, depth)
    if isinstance(value, list) and (not kinds or "array" in kinds):
        items = as_object(schema.get("items"))
        return [build_object(items, item, top, depth + 1) for item in cast(list[Any], value)]
    if _is_kind(value, kinds):
        return cast(Any, value)
    if "object" in kinds:
        return _build_dict(schema, {}, top, depth)
    return _EMPTY.get(kinds[0]) if kinds else cast(Any, value)


def _build_dict(schema: Schema, value: dict[str, Any], root: Schema, depth: int) -> dict[str, Any]:
    properties = as_object(schema.get("properties"))
    if not properties and schema.get("additionalProperties") is not False:
        return value
    required = as_list(schema.get("required"))
    return {
        name: build_object(prop, value.get(name), root, depth + 1)
        for name, prop in properties.items()
        if name in value or name in required
    }


_EMPTY: Final[dict[str, Any]] = {
    "string": "",
    "integer": 0,
    "number": 0,
    "boolean": False,
    "array": [],
    "object": {},
    "null": None,
}


def _is_kind(value: Any, kinds: tuple[str, ...]) -> bool:
    if isinstance(value, bool):
        return "boolean" in kinds
    if isinstance(value, int):
        return "integer" in kinds or "number" in kinds
    if isinstance(value, float):
        return "number" in kinds
    return isinstance(value, str) and "string" in kinds


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


def _fit_string(value: Any, schema: Schema) -> Any:
    if isinstance(value, dict | list):
        return MISSING
    text = str(value).strip() if not isinstance(value, bool) else str(value).lower()
    limit = schema.get("maxLength")
    if isinstance(limit, int):
        text = text[:limit].strip()
    if len(text) < int(schema.get("minLength") or 0) or not _is_matching(text, schema):
        return MISSING
    return text


def _is_matching(text: str, schema: Schema) -> bool:
    pattern = schema.get("pattern")
    if not isinstance(pattern, str):
        return True
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return True


def _fit_integer(value: Any, schema: Schema) -> Any:
    number = _fit_number(value, schema)
    return int(number) if number is not MISSING and float(number).is_integer() else MISSING


def _fit_number(value: Any, schema: Schema) -> Any:
    if isinstance(value, bool):
        return MISSING
    try:
        number = value if isinstance(value, int | float) else float(str(value))
    except ValueError:
        return MISSING
    if not -1e15 < number < 1e15:
        return MISSING
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    return number if _is_in_range(number, schema) else MISSING


def _is_in_range(number: float, schema: Schema) -> bool:
    return (
        _get_bound(schema, "minimum", -math.inf)
        <= number
        <= _get_bound(schema, "maximum", math.inf)
        and _get_bound(schema, "exclusiveMinimum", -math.inf) < number
        and number < _get_bound(schema, "exclusiveMaximum", math.inf)
    )


def _get_bound(schema: Schema, key: str, default: float) -> float:
    value = schema.get(key)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else default


def _fit_boolean(value: Any, schema: Schema) -> Any:
    word = str(value).strip().casefold()
    return True if word in _TRUE else False if word in _FALSE else MISSING


def _fit_array(value: Any, schema: Schema) -> Any:
    given: list[Any] = cast(list[Any], value) if isinstance(value, list) else str(value).split(",")
    item = _read_param("", schema.get("items"), False, schema)
    fitted = [fit_value(item, entry) for entry in given]
    return [entry for entry in fitted if entry is not MISSING]


_FITTERS: Final = {
    "string": _fit_string,
    "integer": _fit_integer,
    "number": _fit_number,
    "boolean": _fit_boolean,
    "array": _fit_array,
}
