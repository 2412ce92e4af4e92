"""Text is cleaned once, at the boundary: user input, tool results, model deltas."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from itertools import filterfalse
from typing import Any, Final

import orjson

from ...errors import InputError

MAX_TAGS: Final = 10
TAG_PATTERN: Final = r"^[\w.:/-]{1,64}$"
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_TAG: Final = re.compile(TAG_PATTERN)
# Postgres text refuses NUL; UTF-8 (orjson, asyncpg) refuses lone surrogates.
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def clean_text(text: str) -> str:
    """Remove characters that Postgres and JSON cannot hold.

    NUL disappears, a lone surrogate becomes U+FFFD; a surrogate *pair* in a Python string is
    two lone surrogates and is joined to its character.

    >>> clean_text("a\\x00b")
    'ab'
    """
    # `isascii` reads a flag: nearly every delta ends here.
    if (text.isascii() and "\0" not in text) or not _UNSTORABLE.search(text):
        return text
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return joined.replace("\x00", "")


def clean_json(value: Any) -> Any:
    """Remove NUL and replace lone surrogates in all strings of a JSON value, keys included.
    A clean value is returned itself.
    """
    with suppress(TypeError):  # of a lone surrogate, and of what JSON has not
        # One pass in C: a walk in Python takes longer than all other work on a result.
        if b"\\u0000" not in orjson.dumps(value):
            return value
    return _clean_each(value)


def _clean_each(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list | tuple):
        return [_clean_each(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {_clean_each(key): _clean_each(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value


def fold(text: str) -> str:
    """Convert a text to lower case without accents.

    >>> fold("Café")
    'cafe'
    """
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(filterfalse(unicodedata.combining, decomposed)).casefold()


def cut_text(text: str, max_chars: int, note: str = "…") -> str:
    """Cut the text to at most `max_chars` characters, ending in `note` when something was cut."""
    if len(text) <= max_chars:
        return text
    return text[: max(0, max_chars - len(note))] + note


def format_count(number: int, noun: str) -> str:
    """Format a number and its noun, in the plural where needed.
    >>> format_count(1, "model call"), format_count(1200, "model call")
    ('1 model call', '1,200 model calls')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def disarm_cell(value: Any) -> Any:
    """Prefix an apostrophe to a CSV cell that a spreadsheet would run as a formula.

    >>> disarm_cell("=1+1"), disarm_cell("@me"), disarm_cell("-0.5"), disarm_cell(-3)
    ("'=1+1", "'@me", '-0.5', -3)
    """
    # A negative number is no formula. Source: OWASP, CSV Injection.
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    # `csv` does not quote a lone \r where lines end with \n, and readers end the line there.
    text = re.sub(r"\r(?!\n)", "\n", value)
    return f"'{text}" if value.startswith(FORMULA_STARTS) else text


def check_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Return a run's tags without repeats. Raises: InputError for too many or an invalid one."""
    if len(tags) > MAX_TAGS:
        raise InputError(f"a run may have at most {MAX_TAGS} tags", hint="Remove some tags.")
    for tag in tags:
        if not _TAG.fullmatch(tag):
            raise InputError(
                f"{tag!r} is not a valid tag",
                hint="A tag has up to 64 letters, digits, `.`, `:`, `/`, `_` and `-`.",
            )
    return tuple(dict.fromkeys(tags))


def check_message(message: str, max_chars: int) -> str:
    """Return the message cleaned for storage. Raises: InputError if it is empty or too long."""
    text = clean_text(message).strip()
    if not text:
        raise InputError("the message is empty", code="EMPTY_MESSAGE", hint="Write a question.")
    if len(text) > max_chars:
        raise InputError(
            f"the message has {len(text):,} characters; the limit is {max_chars:,}",
            code="MESSAGE_TOO_LONG",
            hint="Shorten the message, or raise AGENT_LIMITS_MESSAGE_CHARS.",
        )
    return text


def make_title(message: str) -> str:
    """Make a thread's title: the first line of its first message, cut at a word."""
    line = next((part for part in message.strip().splitlines() if part.strip()), "")
    return line if len(line) <= 60 else line[:60].rsplit(" ", 1)[0] + "…"
