"""Rewrites lists of equal objects as tables, which cost a model fewer tokens.

The form is made of a result's text alone, whenever a request is written: what was sent before is
sent again byte for byte, and a provider's cache keeps its prefix. Threads, events and recordings
keep what the tool returned.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, Final, cast

import orjson

from ..caching.functions import cached_by_bytes
from .json_text import parse_exact_int, refuse_number

COLUMNS: Final = "columns"
ROWS: Final = "rows"
_OVERHEAD_CHARS: Final = 24  # the two names and their brackets, and what is around a key
_OBJECTS: Final = re.compile(r"\}\s*,\s*\{")


@cached_by_bytes(8 * 2**20)  # a result is part of every later request of its turn
def compact_json(text: str) -> str:
    """Rewrite lists in a JSON text as tables where that is shorter and lossless.

    >>> compact_json('[{"room": 1, "usd": 80}, {"room": 2, "usd": 95}, {"room": 3, "usd": 70}]')
    '{"columns":["room","usd"],"rows":[[1,80],[2,95],[3,70]]}'
    """
    # Most results are no lists: they are not parsed at all.
    if not _OBJECTS.search(text):
        return text
    value = read_json(text)
    table = text if isinstance(value, str) else to_tables(value)
    return text if table == value or isinstance(table, str) else orjson.dumps(table).decode()


def compact_value(value: Any) -> Any:
    """Rewrite the lists in a JSON value or JSON text as tables, if that is shorter."""
    if isinstance(value, str):
        return compact_json(value)
    text = orjson.dumps(value).decode()
    return value if (table := compact_json(text)) == text else orjson.loads(table)


def read_json(text: str) -> Any:
    """Parse a text as a JSON list or object; return the text itself if that fails or loses data."""
    if text.lstrip()[:1] not in ("[", "{"):
        return text
    try:
        return json.loads(
            text,
            object_pairs_hook=_to_object,
            parse_float=_to_float,
            parse_int=parse_exact_int,
            parse_constant=refuse_number,
        )
    except (ValueError, RecursionError):
        return text


def to_tables(value: Any) -> Any:
    """Turn each list of objects with equal keys into a table if that is shorter.
    `from_tables` reverses it. A value that already holds an object in a table's form stays as it
    is, because it would be read as a table.

    >>> to_tables([{"room": n, "usd": 80} for n in range(3)])
    {'columns': ['room', 'usd'], 'rows': [[0, 80], [1, 80], [2, 80]]}
    """
    return value if _has_table(value) else _encode(value)


def from_tables(value: Any) -> Any:
    """Convert tables made by `to_tables` back to lists of objects, at any depth.

    >>> from_tables({"columns": ["id"], "rows": [[1], [2]]})
    [{'id': 1}, {'id': 2}]
    """
    if isinstance(value, list):
        return [from_tables(item) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    items = cast("dict[str, Any]", value)
    columns, rows = items.get(COLUMNS), items.get(ROWS)
    if list(items) != [COLUMNS, ROWS] or not isinstance(columns, list):
        return {key: from_tables(item) for key, item in items.items()}
    keys = cast("list[str]", columns)
    return [dict(zip(keys, map(from_tables, row), strict=True)) for row in cast("list[Any]", rows)]


def _encode(value: Any) -> Any:
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value)
        return {key: _encode(item) for key, item in items.items()}
    if not isinstance(value, list):
        return value
    rows = [_encode(item) for item in cast("list[Any]", value)]
    dicts = [cast("dict[str, Any]", row) for row in rows if isinstance(row, dict)]
    keys = list(dicts[0]) if dicts else []
    if len(dicts) < len(rows) or any(list(row) != keys for row in dicts) or keys == [COLUMNS, ROWS]:
        return rows
    if (len(rows) - 1) * sum(len(key) + len('"":') for key in keys) <= _OVERHEAD_CHARS:
        return rows
    return {COLUMNS: keys, ROWS: [[row[key] for key in keys] for row in dicts]}


def _has_table(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_has_table, cast("list[Any]", value)))
    if not isinstance(value, dict):
        return False
    items = cast("dict[str, Any]", value)
    return list(items) == [COLUMNS, ROWS] or any(map(_has_table, items.values()))


def _to_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    items = dict(pairs)
    # If a key occurs twice, one of its values would be lost without an error.
    if len(items) < len(pairs):
        raise ValueError("a JSON object contains the same key twice: remove one of them")
    return items


def _to_float(text: str) -> float:
    value = float(text)
    # A number with more digits than a float has would reach the model as another number
    # (tests/base/test_tables.py::test_results_that_a_table_cannot_represent_are_sent_as_json).
    if Decimal(repr(value)) != Decimal(text):
        raise ValueError(text)
    return value
