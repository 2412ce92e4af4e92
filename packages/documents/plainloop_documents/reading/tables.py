"""Sheets of any usual kind as a head and rows of texts: CSV, TSV, Excel, JSON. For the child."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final, cast

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError

MAX_ROWS: Final = 5_000
MAX_COLUMNS: Final = 200
HEAD_WITHIN: Final = 30  # rows: lines of a title may stand above it
_DELIMITERS: Final = ",;\t|"
_HINT: Final = "The first line of a sheet must contain the names of its columns."


@dataclass(frozen=True, slots=True)
class Table:
    """A sheet: its columns' names, and each row that is not empty with its number."""

    head: list[str]
    rows: list[tuple[int, list[str]]]
    score: int  # how many of the names are known


CountKnown = Callable[[Sequence[str]], int]


def read_delimited(
    text: str, name: str, count_known: CountKnown, *, is_sheet: bool
) -> Table | None:
    """Parse CSV or TSV text to a table; None if it does not look like one.

    is_sheet: take it for a table all the same, with columns that a person has to map.

    Raises: InputError when it is too long, or broken.
    """
    said = re.match(r"sep=(.)\n", text.lstrip())
    body = text.lstrip()[said.end() :] if said else text
    tables: list[Table] = []
    broken: csv.Error | None = None
    for delimiter in said[1] if said else _DELIMITERS:
        if delimiter in body:
            # Spreadsheets end lines within a cell by \n alone.
            reader = csv.reader(io.StringIO(body, newline=""), delimiter=delimiter)
            try:
                table = _find_head(reader, count_known, is_sheet)
            except csv.Error as error:  # by a sign that parts no columns here, perhaps
                broken = error
            else:
                tables += [] if table is None else [table]
    if broken and not tables:
        raise InputError(f"{name} cannot be read as CSV: {broken}", hint=_HINT) from broken
    found = max(tables, key=lambda table: (table.score, len(table.head)), default=None)
    return found and _check_length(found, name)


def read_workbook(
    content: bytes, name: str, count_known: CountKnown, *, is_sheet: bool
) -> Table | None:
    """Read the Excel sheet that has the most known columns; None without a header.

    is_sheet: as for `read_delimited`.

    Raises: Refusal as `check_container`; InputError when it is too long.
    """
    import openpyxl

    from .word import check_container  # lxml: in the child alone

    check_container(content, r"xl/workbook\d*\.xml")
    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    tables: list[Table] = []
    for sheet in book.worksheets[:20]:
        sheet.reset_dimensions()  # some programs write a wrong size
        rows: Iterable[tuple[Any, ...]] = sheet.iter_rows(values_only=True, max_col=MAX_COLUMNS)
        cells = ([_to_text(cell) for cell in row] for row in rows)
        table = _find_head(cells, count_known, is_sheet)
        tables += [] if table is None else [table]
    found = max(tables, key=lambda table: table.score, default=None)
    return found and _check_length(found, name)


def _to_text(cell: Any) -> str:
    """Convert a cell to text as a person reads it: a date without midnight, a list with commas."""
    if cell is None:
        return ""
    if isinstance(cell, list):
        return ", ".join(map(_to_text, cast(list[Any], cell)))
    if isinstance(cell, dict):
        return json.dumps(cell, ensure_ascii=False)
    if isinstance(cell, datetime):
        return cell.isoformat().removesuffix("T00:00:00")
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def read_objects(items: Sequence[dict[str, Any]], name: str) -> Table:
    """Convert a list of JSON objects to a table, with their keys as columns.

    Raises: InputError when it is too long.
    """
    head = list(dict.fromkeys(key for item in items[: MAX_ROWS + 1] for key in item))[:MAX_COLUMNS]
    rows = [
        (number, [_to_text(item.get(key)).strip() for key in head])
        for number, item in enumerate(items, 1)
        if any(value not in (None, "") for value in item.values())
    ]
    return _check_length(Table(head, rows, len(head)), name)


def _find_head(cells: Iterator[list[str]], count_known: CountKnown, is_sheet: bool) -> Table | None:
    """Find the line with the column names among the first rows, and return the table below it."""
    above = list(itertools.islice(cells, HEAD_WITHIN))
    scores = [count_known(row) for row in above]
    best = max(scores, default=0)
    if best < 2:
        widths = [sum(bool(cell.strip()) for cell in row) for row in above]
        if not is_sheet or max(widths, default=0) < 2:
            return None
        scores, best = widths, max(widths)
    at = scores.index(best)
    head = [cell.strip() for cell in above[at][:MAX_COLUMNS]]
    rows = [
        (number, [cell.strip() for cell in row[:MAX_COLUMNS]])
        for number, row in enumerate(itertools.chain(above[at + 1 :], cells), 1)
        if any(cell.strip() for cell in row)
    ]
    return Table(head, rows, count_known(above[at]))


def _check_length(table: Table, name: str) -> Table:
    """Return the table, or refuse one of more than MAX_ROWS. Raises: InputError.

    Only the chosen one: by another sign the lines within a cell are rows of their own.
    """
    if len(table.rows) > MAX_ROWS:
        raise InputError(
            f"{name} has {len(table.rows):,} rows; the maximum is {MAX_ROWS:,}",
            hint="Split the file.",
            code="FILE_TOO_LONG",
        )
    return table
