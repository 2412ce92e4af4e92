"""The ledger as a Parquet file, for a warehouse: columns have types of their own."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from plainloop.agent.base.extras import load_extra
from plainloop.agent.types import TOKEN_BUCKETS
from plainloop.agent.usage.ledger_columns import SUMMED

from .focus import COSTS

ROWS_AT_ONCE: Final = 10_000  # of a row group: what is held in memory
DECIMALS: Final = 18  # of a cost
_NUMBERS: Final = (column.name for column in SUMMED if column.unit != "usd")
_COUNTS: Final = (*TOKEN_BUCKETS, *_NUMBERS, "step", "attempt", "duration_ms", "first_token_ms")
AddRow = Callable[[Mapping[str, Any]], None]


@contextmanager
def open_parquet(path: Path) -> Generator[AddRow]:
    """Open a Parquet file inside the block; yield the function that adds a ledger row.

    Costs are decimals, times have their zone. A file without rows has no columns either, and is not
    written.

    Raises: ConfigError without pyarrow.
    """
    arrow = load_extra("pyarrow", "parquet")
    parquet = load_extra("pyarrow.parquet", "parquet")
    schema: Any = None
    writer: Any = None
    rows: list[dict[str, Any]] = []

    def add(row: Mapping[str, Any]) -> None:
        rows.append({name: _to_value(name, value) for name, value in row.items()})
        if len(rows) >= ROWS_AT_ONCE:
            flush()

    def flush() -> None:
        nonlocal schema, writer
        if writer is None:
            text = arrow.string()
            types = {
                **dict.fromkeys(COSTS, arrow.decimal128(38, DECIMALS)),
                **dict.fromkeys(_COUNTS, arrow.int64()),
                "created_at": arrow.timestamp("us", tz="UTC"),
                "tags": arrow.list_(text),
            }
            schema = arrow.schema([(name, types.get(name, text)) for name in rows[0]])
            writer = parquet.ParquetWriter(path, schema, compression="zstd")
        writer.write_table(arrow.Table.from_pylist(rows, schema))
        rows.clear()

    try:
        yield add
        if rows:
            flush()
    finally:
        if writer is not None:
            writer.close()


def _to_value(name: str, value: Any) -> Any:
    if value is None or name in _COUNTS or name == "tags":
        return value
    if name in COSTS:
        # Of imported costs, which are sums of floats: pyarrow refuses digits that a column has not.
        return round(Decimal(value), DECIMALS)
    return datetime.fromisoformat(value) if name == "created_at" else str(value)
