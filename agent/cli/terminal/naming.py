"""Finds the row that a command names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from ...errors import InputError, NotFoundError

Row = TypeVar("Row")


def find_named(
    kind: str, text: str, rows: Iterable[tuple[str, str, Row]], command: str | None = None
) -> Row:
    """Find the one row with this name, or whose id begins with the text.

    command: the group whose `list` shows the rows; default: the plural of `kind`.

    >>> find_named("schedule", "ab", [("abc", "mail", 1), ("b", "news", 2)])
    1

    Raises: NotFoundError; InputError when several rows match.
    """
    shown_by = f"`plainloop {command or kind + 's'} list` shows all"
    found = [
        row for row_id, name, row in rows if text and (row_id.startswith(text) or name == text)
    ]
    if not found:
        raise NotFoundError(f"no such {kind}: {text}", hint=f"{shown_by} {kind}s.")
    if len(found) > 1:
        hint = f"Give more of the id; {shown_by} ids."
        raise InputError(f"several {kind}s match {text!r}", hint=hint)
    return found[0]
