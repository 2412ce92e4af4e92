"""What a provider says was used, read from its export: by day (UTC) and model.

Anthropic    Admin API, usage_report/messages (bucket_width=1d, group_by[]=model), JSON
OpenAI       Admin API, organization/usage/completions (bucket_width=1d, group_by=model), JSON
any other    CSV with a header, and which column is what
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final, cast

import orjson

from ..errors import InputError

COLUMNS: Final = ("date", "model", "input", "cached", "written", "output", "cost")
_ZERO: Final = Decimal(0)


@dataclass(slots=True)
class Stated:
    """A day's use of one model. input: all of it, cached or not. None: not stated there."""

    day: str
    model: str
    input_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: Decimal | None = None


def parse_export(content: bytes, columns: Mapping[str, str] | None = None) -> list[Stated]:
    """The rows of a file, added up by day and model. columns: of a CSV, by our names.

    Raises: InputError for a file of no known form.
    """
    try:
        if columns:
            rows = _read_csv(content.decode("utf-8-sig"), columns)
        else:
            rows = _read_json(orjson.loads(content))
        return _merge(rows)
    except (orjson.JSONDecodeError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"the file cannot be read: {error}",
            hint="JSON of the provider's usage API, or a CSV with --map date=…,model=…,input=…",
        ) from error
    except (KeyError, TypeError, ValueError, InvalidOperation) as error:
        raise InputError(f"the file has another form than expected: {error!r}") from error


def _read_json(document: Any) -> Iterator[Stated]:
    """Pages may stand one after another in a list."""
    pages = cast("list[Any]", document if isinstance(document, list) else [document])
    for page in pages:
        for bucket in page["data"]:
            for result in bucket["results"]:
                yield (
                    _from_openai(bucket, result)
                    if "start_time" in bucket
                    else _from_anthropic(bucket, result)
                )


def _from_anthropic(bucket: Mapping[str, Any], result: Mapping[str, Any]) -> Stated:
    """Its `uncached_input_tokens` are without what was read from or written to the cache."""
    made = cast("dict[str, int]", result.get("cache_creation") or {})
    written = sum(made.values())
    read = result.get("cache_read_input_tokens") or 0
    return Stated(
        bucket["starting_at"][:10],
        _name(result),
        result["uncached_input_tokens"] + read + written,
        read,
        written,
        result["output_tokens"],
    )


def _from_openai(bucket: Mapping[str, Any], result: Mapping[str, Any]) -> Stated:
    """Its `input_tokens` contain the cached ones."""
    day = datetime.fromtimestamp(bucket["start_time"], UTC).strftime("%Y-%m-%d")
    cached = result.get("input_cached_tokens")
    return Stated(day, _name(result), result["input_tokens"], cached, None, result["output_tokens"])


def _name(result: Mapping[str, Any]) -> str:
    """Raises: InputError when the export was not grouped by model."""
    if not result.get("model"):
        raise InputError("the export names no model", hint="export it grouped by model and day")
    return str(result["model"])


def _read_csv(text: str, columns: Mapping[str, str]) -> Iterator[Stated]:
    unknown = sorted({*columns} - {*COLUMNS})
    if unknown or not {"date", "model"} <= {*columns}:
        raise InputError(f"--map needs date and model, and takes: {', '.join(COLUMNS)}")
    reader = csv.DictReader(io.StringIO(text))
    for name in columns.values():
        if name not in (reader.fieldnames or ()):
            raise InputError(f"the file has no column {name!r}")
    for row in reader:

        def count(what: str, row: dict[str, str] = row) -> int | None:
            text = row[columns[what]].replace(",", "").strip() if what in columns else ""
            return int(Decimal(text)) if text else None

        cost = row[columns["cost"]].strip().removeprefix("$") if "cost" in columns else ""
        yield Stated(
            row[columns["date"]].strip()[:10],
            row[columns["model"]].strip(),
            count("input"),
            count("cached"),
            count("written"),
            count("output"),
            Decimal(cost) if cost else None,
        )


def _merge(rows: Iterable[Stated]) -> list[Stated]:
    merged: dict[tuple[str, str], Stated] = {}
    for row in rows:
        kept = merged.setdefault((row.day, row.model), Stated(row.day, row.model))
        for name in ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens"):
            value = getattr(row, name)
            if value is not None:
                setattr(kept, name, (getattr(kept, name) or 0) + value)
        if row.cost_usd is not None:
            kept.cost_usd = (kept.cost_usd or _ZERO) + row.cost_usd
    return [merged[key] for key in sorted(merged)]
