"""The tracker as CSV, out and in; other trackers' sheets by what their columns are called."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from plainloop.agent.base.text.cleaning import FORMULA_STARTS, disarm_cell
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import InputError, ToolError
from plainloop.agent.store.database import Row
from plainloop_documents.reading.dates import Order, find_order, parse_day
from plainloop_documents.reading.pay import parse_currency, parse_period
from plainloop_documents.reading.tables import Table, read_objects

from ..files import describe_fault
from ..tools_jobs import LONG_FIELDS, SHORT_FIELDS, create_job
from .fields import check_fields, clean_fields
from .imports import load_labels, split_heading
from .salaries import parse_salary
from .status import STATUSES

DATES: Final = ("applied_at", "created_at", "updated_at")
COLUMNS: Final = (*SHORT_FIELDS[:-1], *LONG_FIELDS, *DATES)
MAX_URL_CHARS: Final = 2_000
MAX_FAILED_DATES: Final = 50  # of a column; looking a text up in twelve languages takes a while
HEADINGS: Final = ("company - title", "title - company")
_KNOWN: Final = frozenset(create_job.arguments_type.__struct_fields__)
FIELDS: Final = (*sorted(_KNOWN), "salary", *DATES, "heading", *HEADINGS, "ignored")
# A row of another table, as Notion exports it: "Acme (https://www.notion.so/Acme-1f0c)".
_NOTION_PAGE: Final = re.compile(r"(?<=\S) \(https://www\.notion\.so/[^\s()]+\)")
# Of a label, as Trello exports it: "hot (red), fish (lime_dark)".
_TRELLO_COLOUR: Final = re.compile(
    r" \((?:green|yellow|orange|red|purple|blue|sky|lime|pink|black)(?:_dark|_light)?\)(?=,|$)"
)
# Money has no three decimals, so `float` would make 45 of "45.000".
_THOUSANDS: Final = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_BETWEEN: Final = re.compile(r"(?<!\s)(?:\s+[-–—|·:]\s+|:\s+)")

Mapped = Mapping[str, Mapping[str, str]]  # {"columns": {name: field}, "statuses": {text: status}}


@dataclass(slots=True)
class Column:
    """A column of a sheet, and the job's field that it fills.

    field: "notes" keeps the values under the column's name; None: unknown.
    """

    name: str
    field: str
    sample: str
    is_known: bool  # by its name, or by the person who sent it; else it only goes to the notes


@dataclass(slots=True)
class FoundJobs:
    """Jobs that a file contains, and the rows and values that cannot be stored as fields.

    `rejected`: (row, why). `unread`: (row, value), certain enough only for the notes. `incomplete`:
    a person has to add the company or the title.
    """

    jobs: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    rejected: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    columns: list[Column] = field(default_factory=list[Column])
    unread: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    incomplete: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


def write_csv(rows: Iterable[Row]) -> str:
    """Write jobs as CSV text with a header and ISO 8601 times.

    Formulas in it are made harmless.
    """
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([_to_cell(row[name]) for name in COLUMNS])
    return target.getvalue()


def _to_cell(value: Any) -> str:
    if value is None:
        return ""
    text = value.isoformat() if isinstance(value, datetime) else str(value)
    return disarm_cell(text)


def count_known(names: Sequence[str], mapped: Collection[str] = ()) -> int:
    """Count the known column names in a line, to find a sheet's header."""
    fields = {find_field(name) for name in names} - {None}
    known = len(fields) if fields & {"company", "title", "heading"} else 0
    return known + len({name.strip() for name in names}.intersection(mapped))


def find_field(name: str) -> str | None:
    """Return the tracker's field that a column's name stands for; None if it is unknown.

    >>> [find_field(name) for name in ("Job Url", "salaryRangeMin", "Recruiter:in", "Mood")]
    ['url', 'salary_min', 'contact_name', None]
    """
    words = _to_words(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))
    column = words.replace(" ", "_")
    bare = " ".join(word for word in words.split() if word not in ("is", "range"))
    labels = load_labels("labels")
    return column if column in _KNOWN else labels.get(words) or labels.get(bare)


def _to_words(text: str) -> str:
    """Normalise a column's name to lower-case letters, without brackets and "/in", ":in"."""
    plain = unicodedata.normalize("NFKC", text[:200]).casefold()
    plain = re.sub(r"\([^()]*\)|(?<=\w)[/:*·](?:in|e|a)\b", " ", plain)
    return " ".join(re.findall(r"[^\W\d_]+", plain))


def read_items(
    items: Sequence[Any],
    name: str,
    mapping: Mapped,
    read_posting: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda _: None,
) -> FoundJobs:
    """Read a list of JSON objects as jobs, each as a posting or else as a sheet's row.

    Raises: InputError for another list; what cannot be stored is `rejected`, an empty row ignored.
    """
    if not all(isinstance(item, dict) for item in items):
        raise InputError(f"{name} is not a list of jobs", hint=_HINT)
    table = read_objects(items, name)
    postings = {number: read_posting(items[number - 1]) for number, _ in table.rows}
    return read_table(table, mapping, postings)


def read_table(
    table: Table, mapping: Mapped, postings: Mapping[int, dict[str, Any] | None] | None = None
) -> FoundJobs:
    """Read the jobs of a sheet; the result also lists rejected rows and uncertain cells.

    mapping: by a column's name, what it fills. postings: rows that are no sheet's.

    Raises: InputError for a mapping to no field of the tracker.
    """
    found = FoundJobs(columns=_map_columns(table, mapping))
    orders = _find_orders(table, found.columns)
    for number, cells in table.rows:
        try:
            posting = (postings or {}).get(number)
            if posting is None:
                row = _Row(found.columns, cells)
                posting = row.read(orders, mapping.get("statuses", {}))
                found.unread += [(number, said) for said in row.unread]
            else:
                posting = {**posting, "source": "import"}
            found.jobs.append(check_row(posting))
        except ToolError as error:
            found.rejected.append((number, error.message))
        except msgspec.ValidationError as error:
            found.rejected.append((number, describe_fault(error)))
    return found


_HINT: Final = "A sheet has a line with the columns' names, among them the company and the title."


def _map_columns(table: Table, mapping: Mapped) -> list[Column]:
    chosen, statuses = mapping.get("columns", {}), mapping.get("statuses", {})
    for said, what, known in ((chosen, "field", FIELDS), (statuses, "status", STATUSES)):
        for wrong in (name for name in said.values() if name not in known):
            listed = {"field": "Fields", "status": "Statuses"}[what]
            hint = f"{listed}: {', '.join(known)}."
            raise InputError(f"the job tracker has no {what} {wrong!r}", hint=hint)
    columns: list[Column] = []
    for at, name in enumerate(table.head):
        meant = chosen.get(name) or find_field(name)
        sample = next(
            (cells[at][:80] for _, cells in table.rows if "".join(cells[at : at + 1])), ""
        )
        columns.append(Column(name, meant or "notes", sample, meant is not None))
    fields = {column.field for column in columns}
    for column in columns:  # of Notion, whose first column is "Name" unless somebody renames it
        missing = {"company", "title", "heading", *HEADINGS} - fields
        if (
            not column.is_known
            and column.name.casefold() == "name"
            and fields & {"company", "title"}
        ):
            column.field = "title" if "title" in missing else "company"
            column.is_known = True
            break
    return columns


def _find_orders(table: Table, columns: Sequence[Column]) -> dict[str, Order | None]:
    """Return, by field, the day-month order of each column that holds dates."""
    orders: dict[str, Order | None] = {}
    # A sheet writes all its dates in one way: a deadline tells for the others.
    order = find_order(cell for _, cells in table.rows for cell in cells)
    for at, column in enumerate(columns):
        if column.field in DATES:
            cells = [cells[at] for _, cells in table.rows if "".join(cells[at : at + 1])]
            # Looking a text up in twelve languages takes a while.
            first = cells[:MAX_FAILED_DATES]
            if any(parse_day(cell, order) for cell in first) or not cells:
                orders.setdefault(column.field, order)
    return orders


class _Row:
    """Converts one line of a sheet to a job's fields; uncertain cells go to the notes."""

    def __init__(self, columns: Sequence[Column], cells: Sequence[str]) -> None:
        self.unread: list[str] = []
        self._values: dict[str, tuple[Column, str]] = {}
        self._fields: dict[str, Any] = {}
        self._notes: list[str] = []
        for column, said in zip(columns, cells, strict=False):
            cell = said[1:] if said[:1] == "'" and said[1:].startswith(FORMULA_STARTS) else said
            cell = _NOTION_PAGE.sub("", cell)
            if not cell or column.field == "ignored":
                continue
            if column.field == "notes" and column.name.casefold() == "notes":
                self._notes.insert(0, cell)
            elif column.field == "notes" or column.field in self._values:
                self._notes.append(f"{column.name}: {cell}")
            else:
                self._values[column.field] = (column, cell)

    def read(
        self, orders: Mapping[str, Order | None], statuses: Mapping[str, str]
    ) -> dict[str, Any]:
        """Convert the row's cells to a job's fields.

        orders: of the dates' columns; a column that is missing there is none.

        Raises: ToolError where the columns do not say which side is the company.
        """
        for name in ("heading", *HEADINGS):
            if name in self._values:
                self._fields |= _split_heading(self._values.pop(name)[1], name)
        for name in DATES:
            if name in self._values:
                self._read_date(name, orders)
        for name in ("salary_min", "salary_max"):
            if name in self._values:
                self._read_end(name, *self._values.pop(name))
        for name, read in _READERS.items():
            self._set(name, read)
        self._set("status", lambda cell: statuses.get(cell) or _find_status(cell))
        if "salary" in self._values:
            column, cell = self._values.pop("salary")
            pay = parse_salary(f"{cell} {_in_brackets(column.name)}") or parse_salary(cell)
            self._fields = pay | self._fields
            if not pay:
                self._keep(column, cell)
        fields = {name: cell for name, (_, cell) in self._values.items()} | self._fields
        if "@" in fields.get("contact_name", "") and "contact_email" not in fields:
            fields["contact_email"] = fields.pop("contact_name")
        if fields.get("applied_at"):
            fields.setdefault("status", "applied")
        if "tags" in fields:
            fields["tags"] = _TRELLO_COLOUR.sub("", fields["tags"]).replace(";", ",")
        return {**fields, "notes": "\n".join(self._notes) or None}

    def _read_date(self, name: str, orders: Mapping[str, Order | None]) -> None:
        column, cell = self._values.pop(name)
        word = load_labels("remote_types").get(cell.casefold())
        if name == "applied_at" and word in ("remote", "onsite"):  # "Applied: yes"
            self._fields["status"] = "applied" if word == "remote" else "saved"
            return
        moment = parse_day(cell, orders[name]) if name in orders else None
        if moment is None:
            self._keep(column, cell)
        else:
            self._fields[name] = moment

    def _read_end(self, name: str, column: Column, cell: str) -> None:
        """Set one end of the pay from a cell, with the currency and period beside it."""
        try:
            number = cell.replace(".", "") if _THOUSANDS.fullmatch(cell) else cell
            pay: dict[str, Any] = {name: float(number)}
        except ValueError:
            pay = parse_salary(f"{cell} {_in_brackets(column.name)}") or parse_salary(cell)
        if name not in pay:
            self._keep(column, cell)
            return
        other = "salary_min" if name == "salary_max" else "salary_max"
        self._fields = {key: item for key, item in pay.items() if key != other} | self._fields

    def _set(self, name: str, read: Callable[[str], Any]) -> None:
        """Set a field to its cell as `read` converts it; else keep the cell as a note."""
        if name not in self._values:
            return
        column, cell = self._values.pop(name)
        value = read(cell)
        if value is None:
            self._keep(column, cell)
        else:
            self._fields[name] = value

    def _keep(self, column: Column, cell: str) -> None:
        self._notes.append(f"{column.name}: {cell}")
        self.unread.append(f"{column.name}: {cell[:80]}")


def _find_status(text: str) -> str | None:
    """Return the status that a text names, also in parts that mean the same one.

    >>> _find_status("Applied - No Response"), _find_status("Applied, then rejected")
    ('applied', None)
    """
    known = load_labels("statuses")
    parts = {known.get(_to_words(part)) for part in re.split(r"\s[-–—/|]\s|[,;:(]", text)}
    return known.get(_to_words(text)) or (parts.pop() if len(parts) == 1 else None)


def _in_brackets(name: str) -> str:
    """Return what stands in brackets in a column's name: `Salary (k€)` → `k€`"""
    return " ".join(re.findall(r"\(([^()]*)\)", name))


def _split_heading(text: str, kind: str) -> dict[str, Any]:
    """Split a cell that holds title and company into these two fields.

    Raises: ToolError when the text does not say which side is the company.
    """
    if kind == "heading":
        title, company = split_heading(text)
        if title and company:
            return {"title": title, "company": company}
        hint = "map its column to " + " or ".join(repr(name) for name in HEADINGS)
        raise ToolError(f"in {text[:80]!r}, it is unclear which side is the company: {hint}")
    parts = _BETWEEN.split(text, maxsplit=1)
    if len(parts) != 2:
        raise ToolError(f"{text[:80]!r} lacks the title or the company: write both")
    return dict(zip(kind.split(" - "), parts, strict=True))


# What a cell must be, to fill its field; None: it is not, and goes to the notes.
_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "remote_type": lambda cell: load_labels("remote_types").get(_to_words(cell)),
    "salary_currency": parse_currency,
    "salary_period": parse_period,
    "job_fit": lambda cell: int(cell) if re.fullmatch(r"[0-5]", cell) else None,
    "url": lambda cell: cell if re.fullmatch(rf"\S{{1,{MAX_URL_CHARS}}}", cell) else None,
}


def check_row(fields: dict[str, Any]) -> dict[str, Any]:
    """Check and clean a job's fields from a sheet by the rules of the tool create_job.

    Raises: ToolError, msgspec.ValidationError.
    """
    # A column of the tracker is a parameter of create_job, so its checks are the same.
    dates = {name: fields[name].isoformat() for name in DATES if fields.get(name)}
    values = {key: value for key, value in fields.items() if value is not None and key not in DATES}
    missing = [name for name in ("company", "title") if not values.get(name)]
    if missing:
        raise ToolError(f"the row has no {' and no '.join(missing)}: fill in the cells")
    cleaned = clean_fields(create_job.read_arguments(values))
    check_fields(cleaned)
    return {name: value for name, value in (cleaned | dates).items() if value is not None}
