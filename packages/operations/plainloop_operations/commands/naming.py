"""Prints the rows that a command lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.rendering import render_table

Row = TypeVar("Row")


def print_rows(
    found: Sequence[Row],
    heads: Sequence[str],
    to_cells: Callable[[Row], list[str]],
    *,
    nothing: str,
    as_json: bool,
) -> None:
    """Print rows as JSON or as a table.

    nothing: the text to print if there are no rows.
    """
    if as_json:
        output.write_line(msgspec.json.encode(found).decode())
    elif found:
        output.write_lines(render_table(heads, [to_cells(row) for row in found]))
    else:
        output.write_line(nothing)
