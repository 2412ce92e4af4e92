"""JSON files of the careers domain: parsed, cleaned, or told where the fault is."""

from __future__ import annotations

import json
from typing import Any

import orjson

from ...base.text import clean_json
from ...errors import InputError


def parse_json(text: str, name: str) -> Any:
    """The JSON value in the text, cleaned.

    Raises: InputError with line and column of the first fault.
    """
    try:
        return clean_json(orjson.loads(text))
    except orjson.JSONDecodeError:
        return _parse_exactly(text, name)


def _parse_exactly(text: str, name: str) -> Any:
    """The standard parser: it says where the fault is, and takes lone surrogates (cleaned here)."""
    try:
        return clean_json(json.loads(text))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{name} is no valid JSON: {error.msg} at {place}") from error
    except RecursionError as error:
        raise InputError(f"{name} is no valid JSON: nested too deeply") from error
