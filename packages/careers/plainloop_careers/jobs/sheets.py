"""The tracker as CSV, out and in; a JSON list of jobs is a sheet too."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, cast

import msgspec

from plainloop.agent.base.text import FORMULA_STARTS, disarm_cell
from plainloop.agent.errors import InputError, ToolError
from plainloop.agent.store.database import Row

from ..files import describe_fault
from ..tools_jobs import LONG_FIELDS, SHORT_FIELDS, create_job
from .fields import check_fields, clean_fields
from .imports import load_labels
from .salaries import parse_period, parse_salary

COLUMNS: Final = (*SHORT_FIELDS[:-1], *LONG_FIELDS, "applied_at", "created_at")
MAX_ROWS: Final = 5_000
_KNOWN: Final = frozenset(create_job.arguments_type.__struct_fields__)
# A spreadsheet takes a cell that begins so for a formula and runs it.


@dataclass(slots=True)
class FoundJobs:
    """Holds what a file says: fields to store, and (row, why) of what cannot be."""

    jobs: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    rejected: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])


def write_csv(rows: Iterable[Row]) -> str:
    """Jobs with a head line; times in ISO 8601, formulas disarmed by a leading apostrophe."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([_to_cell(row[name]) for name in COLUMNS])
    return target.getvalue()


def read_rows(text: str, name: str) -> FoundJobs | None:
    """Jobs from CSV (comma, semicolon or tab); None when the text is none.

    Raises: InputError when the text as a whole cannot be read; single rows are `rejected`.
    """
    start = text.lstrip()[:1]
    head = text.lstrip().partition("\n")[0].lower()
    is_sheet = start != "{" and "company" in head and "title" in head and bool({*head} & {*",;\t"})
    return read_items(_list_csv(text, name), name) if is_sheet else None


def read_items(
    items: Sequence[Any],
    name: str,
    read_posting: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda _: None,
) -> FoundJobs:
    """Read each object of a list as a job: by `read_posting`, else as a row with our columns.

    Raises: InputError for another list; what cannot be stored is `rejected`, an empty row ignored.
    """
    if not all(isinstance(item, dict) for item in items):
        raise InputError(f"{name} is not a list of jobs", hint=_HINT)
    found = FoundJobs()
    for number, item in enumerate(_bound(items, name), 1):
        if not any(value not in (None, "") for value in item.values()):
            continue
        try:
            posting = read_posting(item)
            fields = _read_row(item) if posting is None else {**posting, "source": "import"}
            found.jobs.append(_check_row(fields))
        except ToolError as error:
            found.rejected.append((number, error.message))
        except msgspec.ValidationError as error:
            found.rejected.append((number, describe_fault(error)))
    return found


_HINT: Final = "A CSV file needs a header line with at least `company` and `title`."


def _to_cell(value: Any) -> str:
    if value is None:
        return ""
    text = value.isoformat() if isinstance(value, datetime) else str(value)
    return disarm_cell(text)


def _list_csv(text: str, name: str) -> list[dict[str, Any]]:
    head = text.lstrip().partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    try:
        reader = csv.DictReader(io.StringIO(text.lstrip(), newline=""), delimiter=delimiter)
        rows = [cast(dict[str, Any], row) for row in reader]
    except csv.Error as error:
        raise InputError(f"{name} cannot be read as CSV: {error}", hint=_HINT) from error
    return rows


def _bound(rows: Sequence[dict[str, Any]], name: str) -> Sequence[dict[str, Any]]:
    if len(rows) > MAX_ROWS:
        raise InputError(
            f"{name} has {len(rows):,} rows; at most {MAX_ROWS:,} are allowed", code="FILE_TOO_LONG"
        )
    return rows


def _read_row(row: dict[str, Any]) -> dict[str, Any]:
    """The row under our names: "Job title" is `title`; unknown columns are left out."""
    fields: dict[str, Any] = {}
    for name, value in row.items():
        words = " ".join(re.findall(r"[a-z]+", str(name).lower()))
        column = words.replace(" ", "_")
        column = column if column in _KNOWN else load_labels("labels").get(words, "")
        cell = value.strip() if isinstance(value, str) else value
        if column and cell not in (None, ""):
            is_quoted = isinstance(cell, str) and cell.startswith("'")
            if is_quoted and cell[1:].startswith(FORMULA_STARTS):
                cell = cell[1:]
            fields.setdefault(column, cell)
    if "salary" in fields:
        fields = parse_salary(str(fields.pop("salary"))) | fields
    return fields


def _check_row(fields: dict[str, Any]) -> dict[str, Any]:
    """Raises: ToolError, msgspec.ValidationError."""
    for name in ("status", "remote_type"):
        if isinstance(fields.get(name), str):
            fields[name] = fields[name].lower()
    mode = fields.get("remote_type")
    if isinstance(mode, str | bool):
        word = str(mode).lower()
        fields["remote_type"] = load_labels("remote_types").get(word, word) or None
    for name in ("salary_min", "salary_max"):
        if isinstance(fields.get(name), str) and (found := parse_salary(fields[name])):
            fields = found | fields | {name: found.get(name)}
    if isinstance(fields.get("salary_period"), str):
        fields["salary_period"] = parse_period(fields["salary_period"]) or fields["salary_period"]
    # A column of the tracker is a parameter of create_job, so its checks are the same.
    values = {name: value for name, value in fields.items() if value is not None}
    missing = [name for name in ("company", "title") if not values.get(name)]
    if missing:
        raise ToolError(f"it has no {' and no '.join(missing)}")
    cleaned = clean_fields(create_job.read_arguments(values))
    check_fields(cleaned)
    return {name: value for name, value in cleaned.items() if value is not None}
