"""Scorers that hold an answer against an expected one, without a model.

The names are those of promptfoo's assertions (equals, similar) and Inspect's scorers (numbers).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import orjson

from plainloop.agent.errors import ConfigError

# A space or apostrophe groups thousands only before three digits: "12 13 May" are two numbers. A
# hyphen after a letter or digit is no sign: "3-5 days".
_NUMBER: Final = re.compile(
    r"(?:(?<!\w)[-−])?(?:\d{1,3}(?:['’\u00a0\u202f ]\d{3}(?!\d))+|\d+)(?:[.,]\d+)*"
)
_STEP: Final = re.compile(r"\.([^\W\d][\w-]*)|\[(\d+)\]|\[(\*)\]|\['([^']*)'\]")
_MISSING: Final = object()


def list_accepted(expected: Any) -> list[Any]:
    """List the accepted answers: the items of a list, or the one value."""
    return cast("list[Any]", expected) if isinstance(expected, list) else [expected]


def score_equals(answer: str, expected: Any) -> bool:
    """Whether the whole answer equals an accepted one, apart from white space.

    Of JSON, the order of fields and the form of numbers do not count either.

    >>> score_equals("  Paris ", ["Paris", "paris"]), score_equals('{"b": 1.0}', {"b": 1})
    (True, True)
    """
    for one in list_accepted(expected):
        if isinstance(one, str) and one.split() == answer.split():
            return True
        if not isinstance(one, str) and equals_json(one, read_json(answer)):
            return True
    return False


def equals_json(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal.

    1 equals 1.0, but not true, as it does in Python.

    >>> equals_json({"a": [1]}, {"a": [1.0]}), equals_json([True], [1])
    (True, False)
    """
    if isinstance(one, dict) and isinstance(other, dict):
        left, right = cast("dict[str, Any]", one), cast("dict[str, Any]", other)
        return left.keys() == right.keys() and all(
            equals_json(value, right[name]) for name, value in left.items()
        )
    if isinstance(one, list) and isinstance(other, list):
        values, others = cast("list[Any]", one), cast("list[Any]", other)
        return len(values) == len(others) and all(map(equals_json, values, others))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def score_numbers(answer: str, expected: Any, tolerance: float) -> bool:
    """Whether the answer contains all numbers of an accepted answer.

    tolerance: relative, of each number. Signs of money and of thousands do not count.

    >>> score_numbers("It costs $1,250.50 for 2 nights.", "1250.5 for 2", 0)
    True
    """
    found = [*list_numbers(answer)]
    for one in list_accepted(expected):
        text = one if isinstance(one, str) else orjson.dumps(one).decode()
        wanted = [*list_numbers(text)]
        if wanted and all(has_number(found, values, tolerance) for values in wanted):
            return True
    return False


def list_numbers(text: str) -> Iterator[set[float]]:
    """Yield each number in a text with its possible values.

    1.234 is also 1234.

    >>> [sorted(values) for values in list_numbers("1.234 or -2,5")]
    [[1.234, 1234.0], [-2.5]]
    """
    for found in _NUMBER.finditer(text):
        plain = re.sub(r"['’\u00a0\u202f ]", "", found[0].replace("−", "-"))
        last = max(plain.rfind("."), plain.rfind(","))
        grouped = re.fullmatch(r"-?\d{1,3}(?:[.,]\d{3})+", plain)
        values = {float(re.sub("[.,]", "", plain))} if grouped or last < 0 else set[float]()
        is_decimal = last >= 0 and plain.count(plain[last]) == 1
        if is_decimal:
            values.add(float(f"{re.sub('[.,]', '', plain[:last])}.{plain[last + 1 :]}"))
        yield values or {float(re.sub("[.,]", "", plain))}


def has_number(found: Sequence[set[float]], wanted: set[float], tolerance: float) -> bool:
    """Whether any of these numbers equals the wanted one within the tolerance."""
    return any(
        abs(one - other) <= tolerance * abs(other) + 1e-9
        for values in found
        for one in values
        for other in wanted
    )


def score_json_path(answer: str, paths: Mapping[str, Any] | Sequence[str], expected: Any) -> bool:
    """Whether the answer is JSON with the expected values at these paths.

    paths: values by path; or only the paths, whose values are those of the expected answer.

    >>> score_json_path('{"items": [{"sku": "a"}]}', {"$.items[*].sku": ["a"]}, None)
    True
    """
    document = read_json(answer)
    if document is _MISSING:
        return False
    if isinstance(paths, Mapping):
        return all(equals_json(read_path(document, path), paths[path]) for path in paths)
    for one in list_accepted(expected):
        wanted = read_json(one) if isinstance(one, str) else one
        if wanted is not _MISSING and all(
            equals_json(read_path(document, path), read_path(wanted, path)) for path in paths
        ):
            return True
    return False


def read_json(text: str) -> Any:
    """Parse text as JSON, or return a sentinel that equals no expected value."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return _MISSING


def read_path(document: Any, path: str) -> Any:
    """Return the value at a JSONPath.

    It is a list if the path has [*]. Raises: ConfigError.
    """
    steps = parse_path(path)
    found = [document]
    for step in steps:
        found = [item for value in found for item in take_step(value, step)]
    if "*" in steps:
        return found
    return found[0] if found else _MISSING


def parse_path(path: str) -> list[str | int]:
    """Parse a JSONPath (RFC 9535) of names, positions and [*] to its steps.

    >>> parse_path("$.order.items[*]['a b'][0]")
    ['order', 'items', '*', 'a b', 0]

    Raises: ConfigError for any other form.
    """
    steps: list[str | int] = []
    place = 1
    while path[:1] == "$" and place < len(path):
        found = _STEP.match(path, place)
        if found is None:
            break
        name, number, every, quoted = found.groups()
        steps.append(int(number) if number else (every or name or quoted or ""))
        place = found.end()
    if path[:1] != "$" or place < len(path):
        raise ConfigError(
            f"json_path: {path!r} is not a supported path",
            hint="Write it like $.order.items[0].sku, $['a name'] or $.items[*].",
        )
    return steps


def take_step(value: Any, step: str | int) -> list[Any]:
    """Return the values that one step of a path leads to.

    [] if there is none.
    """
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        if step == "*":
            return [*fields.values()]
        return [fields[step]] if step in fields else []
    if isinstance(value, list):
        items = cast("list[Any]", value)
        if step == "*":
            return items
        return [items[step]] if isinstance(step, int) and step < len(items) else []
    return []
