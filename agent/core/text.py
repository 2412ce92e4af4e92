"""Text is cleaned once, at the boundary: user input, tool results, model deltas."""

from __future__ import annotations

import re
from typing import Any, Final

# Postgres text refuses NUL; UTF-8 (orjson, asyncpg) refuses lone surrogates.
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def clean_text(text: str) -> str:
    """The text without what Postgres and JSON cannot hold.

    NUL disappears, a lone surrogate becomes U+FFFD; a surrogate *pair* in a Python string is
    two lone surrogates and is joined to its character.

    >>> clean_text("a\\x00b")
    'ab'
    """
    if not _UNSTORABLE.search(text):
        return text
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return joined.replace("\x00", "")


def clean_json(value: Any) -> Any:
    """A JSON value with every string in it, keys included, cleaned."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [clean_json(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {clean_json(key): clean_json(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value


def cut_text(text: str, max_chars: int, note: str = "…") -> str:
    """At most `max_chars` characters, ending in `note` when something was cut."""
    if len(text) <= max_chars:
        return text
    return text[: max(0, max_chars - len(note))] + note


def format_count(number: int, noun: str) -> str:
    """
    >>> format_count(1, "model call"), format_count(1200, "model call")
    ('1 model call', '1,200 model calls')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
