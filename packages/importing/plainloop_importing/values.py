"""Values of foreign JSON as the types that they should be, and what is made of them."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final, cast

import orjson

from plainloop.agent.base.text.cleaning import clean_json

NEVER: Final = datetime(1970, 1, 2, tzinfo=UTC)  # of what has no time
# What sources name a conversation by, in what they let their users add.
NAMES: Final = ("thread_id", "session_id", "conversation_id")
_FAMILY: Final = uuid.UUID("3a1d6f0e-5c3b-4f57-9d0e-1f6f7a2b9c44")
_MS_PER_S: Final = 1_000
_MOST_DIGITS: Final = 20  # of 64 bits
_MOST_USD: Final = 10**9  # of one call
_LAST_YEAR: Final = 9_998  # the day after must be a time too


def as_dict(value: Any) -> dict[str, Any]:
    """Return the value if it is an object, else {}."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return the value if it is a list, else []."""
    return cast("list[Any]", value) if isinstance(value, list | tuple) else []


def as_text(value: Any) -> str:
    """Convert a value to text: text unchanged, "" for null, anything else as JSON.

    >>> as_text("a"), as_text(None), as_text({"n": 1})
    ('a', '', '{"n":1}')
    """
    if isinstance(value, str):
        return value
    return "" if value is None else dump(value).decode()


def as_count(value: Any) -> int | None:
    """Parse a token count from a number or text.

    None if it is not one.

    >>> as_count("12"), as_count(-1), as_count(None)
    (12, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        count = int(value)
    except (ValueError, OverflowError):
        return None
    return count if 0 <= count < 2**31 else None


def as_money(value: Any) -> Decimal | None:
    """Parse a call's cost in US dollars from a number or text.

    None if it is not an amount that a call can cost.

    >>> as_money("0.10"), as_money(""), as_money("-1"), as_money(1e300)
    (Decimal('0.10'), None, None, None)
    """
    if not isinstance(value, int | float | str):
        return None
    try:
        amount = Decimal(str(value))
        return amount if 0 <= amount < _MOST_USD else None
    except ArithmeticError:  # also of NaN
        return None


def find_named(about: dict[str, Any], names: Sequence[str] = NAMES) -> str | None:
    """Return the first non-empty value under these names as text, or None."""
    return next((as_text(about[name]) for name in names if about.get(name)), None)


def parse_json(text: Any) -> Any:
    """Parse JSON text, and return any other value unchanged.

    None for invalid JSON.
    """
    if not isinstance(text, str | bytes):
        return text
    whole = text if isinstance(text, str) else text.decode(errors="replace")
    try:
        found = orjson.loads(whole)
    except orjson.JSONDecodeError:
        # orjson refuses half a character, which JavaScript writes where it has cut a text
        # (test_half_a_surrogate_pair_does_not_lose_its_text).
        if "\\ud" not in whole.lower():
            return None
        try:
            found = json.loads(whole, parse_int=parse_integer)
        except (ValueError, RecursionError):
            return None
    return clean_json(found) if "\\u" in whole else found


def parse_integer(text: str) -> int | float:
    """Parse digits as an integer of 64 bits.

    A larger number becomes a float, as orjson makes it.

    >>> parse_integer("18446744073709551615"), parse_integer("18446744073709551616")
    (18446744073709551615, 1.8446744073709552e+19)
    """
    if len(text) > _MOST_DIGITS:
        return float(text)
    value = int(text)
    return value if -(2**63) <= value < 2**64 else float(text)


def dump(value: Any) -> bytes:
    """Serialize a value as JSON with sorted keys, so that equal values give equal bytes."""
    options = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS
    return orjson.dumps(value, option=options, default=str)


def parse_time(value: Any) -> datetime | None:
    """Parse a time in ISO text or Unix time.

    ISO text without a zone is UTC; Unix time may be seconds, milliseconds or nanoseconds. None for
    anything else.

    >>> parse_time("2026-11-23T15:18:29.328480").isoformat()
    '2026-11-23T15:18:29.328480+00:00'
    """
    try:
        if isinstance(value, str) and not value.isdigit():
            found = datetime.fromisoformat(value)
            found = found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
        else:
            number = float(value)
            seconds = number / 1e9 if number > 1e15 else number / 1e3 if number > 1e11 else number
            found = datetime.fromtimestamp(seconds, UTC) if seconds > 0 else None
    except (TypeError, ValueError, OverflowError, OSError):
        return None
    return found if found is not None and found.year <= _LAST_YEAR else None


def parse_moment(value: Any) -> datetime:
    """Parse a time as `parse_time` does, or return NEVER if the value is not a time."""
    return parse_time(value) or NEVER


def make_name_id(*names: str) -> str:
    """Derive a UUID from these names, so that equal names give equal ids."""
    return str(uuid.uuid5(_FAMILY, "\0".join(names)))


def make_dated_id(when: datetime, *names: str) -> str:
    """Derive a UUID from a time and names, so that equal input gives the same id.

    It begins with the time, as the service's own ids do.
    """
    digest = int.from_bytes(hashlib.sha256("\0".join(names).encode()).digest()[:10])
    value = int(when.timestamp() * _MS_PER_S) << 80 | digest
    value = value & ~(0xF << 76) | 0x7 << 76
    return str(uuid.UUID(int=value & ~(0x3 << 62) | 0x2 << 62))
