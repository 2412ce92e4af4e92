"""A job's fields from outside: cleaned, and checked against each other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.base.text.cleaning import clean_json
from plainloop.agent.errors import ToolError
from plainloop_documents.reading.pay import MOST, parse_currency

MAX_NAME_CHARS: Final = 300  # two of them, of four bytes each, fit into an index of contacts
_NAMES: Final = ("company", "title", "contact_name", "contact_email")
_SCHEME: Final = re.compile(r"\s*([a-z][a-z0-9+-]*):", re.IGNORECASE)
_CURRENCY: Final = re.compile(r"[A-Z]{3}|[$¥]|kr")


def check_fields(fields: Mapping[str, Any]) -> None:
    """Refuse wrong values of a job, such as an empty title or an unknown currency.

    Raises: ToolError.
    """
    empty = [name for name in ("company", "title") if name in fields and not fields[name]]
    if empty:
        raise ToolError(f"{' and '.join(empty)} must not be empty")
    long = next((name for name in _NAMES if len(fields.get(name) or "") > MAX_NAME_CHARS), None)
    if long is not None:
        raise ToolError(f"{long} is longer than {MAX_NAME_CHARS} characters: shorten it")
    check_url(fields.get("url"))
    currency = fields.get("salary_currency")
    if currency is not None and not _CURRENCY.fullmatch(currency):
        raise ToolError(
            f"salary_currency {currency!r} is not a currency: use a code such as EUR, or $"
        )
    low, high = fields.get("salary_min"), fields.get("salary_max")
    if any(not 0 <= salary <= MOST for salary in (low, high) if salary is not None):
        raise ToolError(f"a salary must be between 0 and {MOST}")
    if low is not None and high is not None and low > high:
        raise ToolError(f"salary_min {low} is above salary_max {high}: correct one of them")


def check_url(url: str | None) -> None:
    """Refuse a job's URL that is not a web address.

    The address is shown as a link, so nothing else may pass.

    >>> check_url("acme.example:8080/jobs/1")
    >>> check_url("javascript:alert(1)")
    Traceback (most recent call last):
    plainloop.agent.errors.ToolError: url must begin with http:// or https://
    """
    found = _SCHEME.match(url or "")
    if found and found[1].lower() not in ("http", "https", "localhost"):
        raise ToolError("url must begin with http:// or https://")


def clean_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """Clean the values of a job's fields: trim texts, unify lists, turn "" into None."""
    return {key: _clean_value(key, value) for key, value in given.items()}


def _clean_value(key: str, value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, str):
        return value
    text: str = clean_json(value)
    if key in ("requirements", "nice_to_haves"):
        return "\n".join(line.strip(" \t-•*") for line in text.splitlines() if line.strip()) or None
    if key == "tags":
        return ", ".join(part.strip() for part in text.split(",") if part.strip()) or None
    if key == "notes":
        return text.strip() or None
    if key == "salary_currency":
        return parse_currency(text) or clean_line(text)
    return clean_line(text)


def clean_line(text: str | None) -> str | None:
    """Clean a text to one line; None if it is empty."""
    return " ".join(clean_json(text).split()) or None if text else None
