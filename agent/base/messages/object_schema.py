"""The JSON Schema of an object as strict JSON modes want it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ...errors import InputError
from ..text.foreign_json import as_list, as_object, to_list

MAX_STEPS: Final = 20_000  # of a check: choices and references multiply
_MULTIPLYING: Final = ("$ref", "anyOf", "oneOf", "allOf", "if", "dependentSchemas")
# Not checked: what takes more than linear time. The model's provider is told of it all the same.
_UNCHECKED: Final = (
    *("pattern", "patternProperties", "uniqueItems", "$dynamicRef"),
    *("unevaluatedItems", "unevaluatedProperties"),
)


def make_object_schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Build the schema of an object with exactly these properties, all of them required."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def check_schema(schema: Mapping[str, Any]) -> None:
    """Raise InputError unless a schema is valid, describes an object and refers only to itself."""
    from jsonschema import Draft202012Validator  # a tenth of a second, for those who need it
    from jsonschema.exceptions import SchemaError

    if schema.get("type", "object") != "object":
        raise InputError(
            f"the schema's root type is {str(schema['type'])[:40]!r}, not an object",
            hint="Put the schema into a property of an object.",
        )
    outside = [ref for ref in _list_references(schema) if not ref.startswith("#")]
    if outside:
        raise InputError(
            f"the schema refers to another document: {outside[0][:80]!r}",
            hint="Copy the referenced part into the schema's own $defs.",
        )
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise InputError(
            f"the schema is not valid JSON Schema: {error.message[:200]}",
            hint="Correct the schema; it is read as draft 2020-12.",
        ) from error
    except RecursionError as error:
        raise InputError("the schema is nested too deeply", hint="Use fewer levels.") from error


def _list_references(schema: object) -> Iterator[str]:
    waiting: list[Any] = [schema]
    while waiting:
        part = waiting.pop()
        waiting += [*as_object(part).values(), *as_list(part)]
        if isinstance(reference := as_object(part).get("$ref"), str):
            yield reference


def find_shape_problem(value: dict[str, Any], schema: Mapping[str, Any]) -> str | None:
    """Find the first place where the object breaks the schema; None if it conforms.

    >>> find_shape_problem({"a": "1"}, {"properties": {"a": {"type": "integer"}}})
    "a: '1' is not of type 'integer'"
    """
    if not schema:
        return None
    # jsonschema's own validator, with some keywords counted and others ignored: clients write these
    # schemas, and a `pattern` alone can take exponential time.
    from jsonschema import validators
    from referencing.exceptions import Unresolvable

    known: Any = validators
    plain: Mapping[str, Any] = known.Draft202012Validator.VALIDATORS
    steps = itertools.count()

    def count(keyword: str) -> Any:
        def check(validator: Any, wanted: Any, instance: Any, inside: Any) -> Iterable[Any]:
            if [next(steps) for _ in to_list(wanted)][-1] > MAX_STEPS:
                raise RecursionError
            return plain[keyword](validator, wanted, instance, inside) or ()

        return check

    def ignore(*_: Any) -> Iterable[Any]:
        return ()

    changed = {name: count(name) for name in _MULTIPLYING} | dict.fromkeys(_UNCHECKED, ignore)
    checker = known.extend(known.Draft202012Validator, changed)
    try:
        wrong: Any = next(checker(schema).iter_errors(value), None)
    except RecursionError:
        return "the value is nested too deeply to be validated against its schema"
    except Unresolvable as error:
        return f"the schema contains a reference that does not resolve: {str(error)[:80]}"
    if wrong is None:
        return None
    where = "/".join(str(key) for key in wrong.absolute_path)
    return f"{where}: {wrong.message[:200]}" if where else wrong.message[:200]
