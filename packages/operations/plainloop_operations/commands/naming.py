"""Finds the row that a command names, and prints those that it lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.rendering import render_table
from plainloop.agent.errors import InputError, NotFoundError

Row = TypeVar("Row")


def find_named(kind: str, text: str, rows: Iterable[tuple[str, str, Row]]) -> Row:
    """Find the one row with this name, or whose id begins with the text.

    >>> find_named("schedule", "ab", [("abc", "mail", 1), ("b", "news", 2)])
    1

    Raises: NotFoundError; InputError when several are called so.
    """
    found = [
        row for row_id, name, row in rows if text and (row_id.startswith(text) or name == text)
    ]
    if not found:
        raise NotFoundError(
            f"no such {kind}: {text}", hint=f"`plainloop {kind}s list` shows all of them."
        )
    if len(found) > 1:
        raise InputError(
            f"several {kind}s match {text!r}",
            hint=f"Give more of the id; `plainloop {kind}s list` shows all ids.",
        )
    return found[0]


def print_rows(
    found: Sequence[Row],
    heads: Sequence[str],
    to_cells: Callable[[Row], list[str]],
    *,
    nothing: str,
    as_json: bool,
) -> None:
    """Print rows as JSON or as a table. nothing: the text to print if there are none."""
    if as_json:
        output.write_line(msgspec.json.encode(found).decode())
    elif found:
        output.write_lines(render_table(heads, [to_cells(row) for row in found]))
    else:
        output.write_line(nothing)
