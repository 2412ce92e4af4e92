"""Tables for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """The first column is text, the others are figures (None: not measured)."""
    cells = [list(columns), *([_to_text(value) for value in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    print(f"\n{title}")
    for row in cells:
        first = row[0].ljust(widths[0])
        rest = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        print("  " + "  ".join([first, *rest]).rstrip())


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))


def to_ratio(ours: float, other: float) -> str:
    """How many times the other's figure is ours.

    >>> to_ratio(2, 5)
    '2.5x'
    """
    return f"{other / ours:.1f}x" if ours else "-"


def _to_text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.2f}" if abs(value) < 10 else f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
