"""Finds the row that a command names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from plainloop.agent.errors import InputError, NotFoundError

Row = TypeVar("Row")


def find_named(kind: str, text: str, rows: Iterable[tuple[str, str, Row]]) -> Row:
    """Find the one row whose id begins so, or whose name it is. rows: (id, name, row) each.

    >>> find_named("schedule", "ab", [("abc", "mail", 1), ("b", "news", 2)])
    1

    Raises: NotFoundError; InputError when several are called so.
    """
    found = [
        row for row_id, name, row in rows if text and (row_id.startswith(text) or name == text)
    ]
    if not found:
        raise NotFoundError(f"no such {kind}: {text}", hint=f"`plainloop {kind}s list`")
    if len(found) > 1:
        raise InputError(f"several {kind}s are called {text!r}, or begin so")
    return found[0]
