"""The ledger's columns that reports show, as the fields that store them describe them (`records`).

A field's `Meta` has the extra `{"by", "sums"}` (and `kind`) where reports group and filter by its
column: the dimension's name, and which tables of sums keep it apart, by letter. Where they add it
up it is `{"unit", "label"}`, and every table of sums has the column. Reports and their SQL, filters
of CLI and HTTP, sums and exports are made of that.
"""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

from msgspec import Meta, structs

from ..dataclasses import dataclass
from ..store.records import CallSettled, CallStart

Table = Literal["usage_hours", "usage_days", "usage_runs", "llm_calls"]
_SUMS: Final[dict[str, Table]] = {"h": "usage_hours", "d": "usage_days", "r": "usage_runs"}


@dataclass(frozen=True, slots=True)
class LedgerColumn:
    """A ledger column that reports group by or add up, as its field's metadata declares it.
    by: the dimension's name; "": it is added up. tables: that have it. unit: of its sum. label:
    what people read before its sum.
    """

    name: str
    by: str
    tables: frozenset[Table]
    kind: Literal["text", "uuid"]
    unit: Literal["", "usd", "tokens", "ms"]
    label: str


def list_columns(*records: type[Any]) -> list[LedgerColumn]:
    """Make a ledger column of each field of these classes that has report metadata."""
    return [
        LedgerColumn(
            item.name,
            extra.get("by", ""),
            frozenset({*(_SUMS[letter] for letter in extra.get("sums", "")), "llm_calls"}),
            extra.get("kind", "text"),
            extra.get("unit", ""),
            extra.get("label", ""),
        )
        for kind in records
        for item in structs.fields(kind)
        for extra in _list_extras(item.type)
    ]


def _list_extras(hint: Any) -> list[dict[str, Any]]:
    return [meta.extra for meta in get_args(hint) if isinstance(meta, Meta) and meta.extra]


COLUMNS: Final = list_columns(CallStart, CallSettled)
SUMMED: Final = [column for column in COLUMNS if column.unit]
