"""Between rows and the routes' shapes; ids and cursors as they stand in URLs."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from plainloop.agent.core.api import ApiRequest
from plainloop.agent.errors import (
    AgentError,
    InputError,
    NotFoundError,
    PayloadTooLarge,
    UnsupportedMedia,
)
from plainloop.agent.store.database import Row

from .. import store

T = TypeVar("T", bound=msgspec.Struct)

LARGEST_ID = 2_147_483_647


def to_shape(kind: type[T], row: Row, **more: Any) -> T:
    """Build a struct from a row's columns. more: fields that replace columns."""
    values = {name: row[name] for name in kind.__struct_fields__ if name in row}
    return kind(**{**values, **more})


def parse_row_id(text: str, what: str) -> int:
    """Parse the id of a row from a URL.

    Raises: NotFoundError for what no id can be: it is as good as missing.
    """
    number = int(text) if text.isdecimal() and text.isascii() and len(text) <= 10 else 0
    if not 0 < number <= LARGEST_ID:
        raise make_missing(what, text[:40])
    return number


def get_row_id(request: ApiRequest, what: str) -> int:
    """Return the id of a job or document from the request's path. Raises: NotFoundError."""
    return parse_row_id(request.params[f"{what}_id"], what)


def make_missing(what: str, row_id: int | str) -> NotFoundError:
    """Make the error for a row that the user does not have."""
    hint = "Check the id; only entries of the same user are visible."
    return NotFoundError(f"no such {what}: {row_id}", hint=hint)


def to_cursor(*parts: Any) -> str:
    """Encode the position after a page's last row as a cursor, by the row's sort values."""
    return base64.urlsafe_b64encode(msgspec.json.encode(parts)).decode().rstrip("=")


def from_cursor(text: str, kinds: tuple[type, ...]) -> tuple[Any, ...]:
    """Decode a cursor that `to_cursor` made, and return the sort values in it.

    Raises: InputError for anything that is not one of ours.
    """
    try:
        raw = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), b"-_", True)
        parts: list[Any] = msgspec.json.decode(raw, type=list[Any])
    except (binascii.Error, UnicodeEncodeError, msgspec.MsgspecError) as error:
        raise _make_cursor_error() from error
    if len(parts) != len(kinds) or not all(map(_is_kind, parts, kinds)):
        raise _make_cursor_error()
    return tuple(parts)


@contextmanager
def cursor_errors(cursor: str | None) -> Generator[None]:
    """Convert the database's error about a value in a cursor to an InputError.

    Raises: InputError. Its parts have the right types, but "abc" is no time and 2**60 no id.
    """
    try:
        yield
    except store.InvalidValueError as error:
        if cursor is None:
            raise
        raise _make_cursor_error() from error


def _is_kind(part: Any, kind: type) -> bool:
    return isinstance(part, kind) and not isinstance(part, bool)


def to_http_error(error: InputError) -> AgentError:
    """Convert the error for a refused file to HTTP status 415 or 413; return others unchanged."""
    if error.code == "FILE_UNSUPPORTED":
        return UnsupportedMedia(error.message, hint=error.hint, code=error.code)
    if error.code in ("FILE_TOO_LARGE", "FILE_TOO_LONG"):
        return PayloadTooLarge(error.message, hint=error.hint, code=error.code)
    return error


def _make_cursor_error() -> InputError:
    return InputError(
        "the cursor is not valid for this list and order",
        hint="Use `next_cursor` of the previous page, with the same filters.",
    )
