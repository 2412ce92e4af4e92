"""Parses the JSON object in a model's text; ambiguous text is refused, not guessed.

Forgives what models do around the object (fences, prose, thinking) and nothing inside it, except
raw control characters in strings and a comma before a closing bracket: both have one meaning only.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn, cast

from ...errors import InputError
from .cleaning import clean_json

_THINKING = re.compile(r"<(think|thinking)>.*?(?:</\1>|\Z)", re.DOTALL)
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.?)*+"?|,(?=\s*[}\]])', re.DOTALL)
_INT64 = range(-(2**63), 2**63)  # beyond that no JSON of ours goes


def parse_int(digits: str) -> int | float:
    """Parse an integer, as a float if it is too large to store."""
    number = int(digits)
    return number if number in _INT64 else float(digits)


def refuse_number(text: str) -> NoReturn:
    raise ValueError(f"the number {text[:40]} is too large: send it as text")


def parse_exact_int(digits: str) -> int:
    """Parse an integer that can be stored. Raises: ValueError for a larger one."""
    number = int(digits)
    return number if number in _INT64 else refuse_number(digits)


_DECODER = json.JSONDecoder(strict=False, parse_int=parse_int)
_ARGUMENTS = json.JSONDecoder(strict=False, parse_int=parse_exact_int, parse_constant=refuse_number)
_MAX_STARTS = 200  # braces tried as the start of the object; a wall of them is no answer


def parse_json_object(text: str) -> dict[str, Any]:
    """Parse the text as a JSON object, or else the largest object within it.

    Raises: InputError when there is no object, or it is cut off.

    >>> parse_json_object('Sure! ```json\\n{"a": [1, 2,]}\\n``` Done.')
    {'a': [1, 2]}
    """
    stripped = text.strip()
    places = [stripped]
    if not stripped.startswith(("{", "`")):  # first behind the thinking, then everywhere
        places.insert(0, _THINKING.sub("", stripped).rpartition("</think>")[2])
    for searched in places:
        objects = _find_objects(searched)
        if not objects:  # perhaps a comma stands before a closing bracket
            plain = _STRING_OR_COMMA.sub(lambda it: "" if it[0] == "," else it[0], searched)
            objects = _find_objects(plain)
        if objects:
            break
    else:
        raise InputError(
            f"the model's answer contains no complete JSON object; it began with: {stripped[:80]}",
            hint="Try again. If it recurs, choose a model that follows JSON instructions.",
            code="INVALID_JSON",
        )
    return clean_json(max(objects, key=lambda item: item[1])[0])


def parse_arguments(text: str) -> dict[str, Any] | None:
    """Parse a tool call's arguments as a JSON object; None if the text is no JSON object.

    An empty text is {}. Never repaired: a guessed argument would be executed.
    """
    if not text.strip():
        return {}
    try:
        value: object = _ARGUMENTS.decode(text)
    # A thousand nested brackets raise RecursionError
    # (tests/core/test_json_text.py::test_deeply_nested_json_is_an_error_not_a_crash).
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _find_objects(text: str) -> list[tuple[dict[str, Any], int]]:
    """Top-level objects in the text, each with its length."""
    objects: list[tuple[dict[str, Any], int]] = []
    at = text.find("{")
    for _ in range(_MAX_STARTS):
        if at < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
        else:
            objects.append((cast("dict[str, Any]", value), end - at))
            at = text.find("{", end)
    return objects
