"""What a provider says was used or charged, read from its export: by day (UTC) and model.

Anthropic    usage_report/messages and cost_report of its Admin API (JSON), both exports of its
             console (CSV)
OpenAI       organization/usage/completions and organization/costs (JSON), both exports of its
             dashboard (CSV)
OpenRouter   both exports of its activity (CSV), by day or by request
Google       the cost table of Cloud Billing (CSV): its SKUs by the model that they name, in rows
             that cover a month
plainloop    its own report by day and model (CSV)
any other    CSV whose header has known names (NAMES), or which column is what

Whose file it is, its form tells.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final, cast

import msgspec
import orjson

from plainloop.agent.dataclasses import dataclass, fields, replace
from plainloop.agent.errors import InputError
from plainloop.agent.types import sum_known

# Of a CSV, by field: names of a column that need no mapping, the preferred first. `input` is all of
# it, `uncached` the part that was neither read from a cache nor written to one.
NAMES: Final = {
    "date": (
        *("date", "day", "usage_date", "usage_date_utc", "usage_start_date", "usage_start_time"),
        *("start_time_iso", "created_at", "timestamp"),
    ),
    "model": ("model", "model_version", "model_permaslug", "sku_description"),
    "input": ("input", "prompt_tokens", "tokens_prompt"),
    "uncached": ("uncached", "uncached_input_tokens", "usage_input_tokens_no_cache"),
    "cached": (
        *("cached", "cached_tokens", "cached_input_tokens", "input_cached_tokens", "tokens_cached"),
        *("cache_read", "cache_read_tokens", "cache_read_input_tokens"),
    ),
    "written": ("written", "cache_write", "cache_write_tokens", "cache_creation_input_tokens"),
    "written_long": ("written_long", "cache_write_long", "cache_write_long_tokens"),
    "output": ("output", "output_tokens", "completion_tokens", "tokens_completion"),
    "reasoning": ("reasoning", "reasoning_tokens"),
    "cost": ("unrounded_cost", "cost", "cost_usd", "cost_total", "total_cost", "spend"),
}
COLUMNS: Final = tuple(NAMES)
ALL_MODELS: Final = "(all models)"  # an account of money that was not grouped by model
_CENTS: Final = 100
_MOST: Final = 10**18
_MOST_DECIMALS: Final = 100
# The console's exports. Its input counts are disjoint; ours of `input` is all of it.
_ANTHROPIC_COSTS: Final = {"date": "usage_date_utc", "model": "model", "cost": "cost_usd"}
_ANTHROPIC_WRITTEN: Final = "usage_input_tokens_cache_write_5m"
_ANTHROPIC_WRITTEN_LONG: Final = "usage_input_tokens_cache_write_1h"
_ANTHROPIC_WRITTEN_ONCE: Final = "usage_input_tokens_cache_write"  # before there were two
_ANTHROPIC_READ: Final = "usage_input_tokens_cache_read"
_ANTHROPIC_USAGE: Final = {
    "usage_date_utc",
    "model_version",
    "usage_input_tokens_no_cache",
    "usage_output_tokens",
}
# The dashboard's exports. A day without usage is a row with its times only.
_OPENAI_COSTS: Final = {"start_time", "amount_value", "amount_currency", "line_item"}
_OPENAI_USAGE: Final = {"start_time", "num_model_requests", "input_tokens", "output_tokens"}
_OPENAI_COUNTS: Final = (
    *("input_tokens", "input_cached_tokens", "input_cache_write_tokens", "output_tokens"),
)
# By day: "Reasoning tokens are included in completion tokens" (its guide to the activity export).
_OPENROUTER_DAYS: Final = {
    "date": "Date",
    "model": "Slug",
    "input": "Prompt Tokens",
    "output": "Completion Tokens",
    "cost": "Usage",
}
# The cost table: of its rows, those of models; a total and a rounding error have no day.
_GOOGLE: Final = {"service_description", "sku_description", "usage_start_date", "usage_end_date"}
_GOOGLE_MODELS: Final = re.compile(r"gemini|vertex|generative|claude", re.I)
# "Generate content input token count gemini 2.5 flash short input text"
_GOOGLE_MODEL: Final = re.compile(
    r"\bgemini[ -]\d+(?:\.\d+)?(?:[ -](?:pro|flash|ultra|lite|nano))*", re.I
)
_CURRENCY: Final = re.compile(r"[€£¥₹]|\([A-Z]{3}\)")  # in a column's name: "Cost (€)"
_MOST_HEAD_LINES: Final = 20  # above the header: an invoice's number, its account and currency
_DOTTED_DAY: Final = re.compile(r"^(\d\d)\.(\d\d)\.(\d{4})")  # 30.11.2026
# How OpenAI's line items name what they charge for: "gpt-4o-2024-11-20, cached input".
_LINE_KINDS: Final = (" input", " output", " tokens")


@dataclass(slots=True)
class Stated:
    """The usage of one model on one day, as an export states it.

    input: all of it, cached or not. cache_write: for any lifetime; cache_write_long: part of it.
    None: not stated.
    """

    day: str
    model: str
    input_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: Decimal | None = None
    cache_write_long_tokens: int | None = None


AMOUNTS: Final = tuple(item.name for item in fields(Stated))[2:]


@dataclass(frozen=True, slots=True)
class Account:
    """The rows of a provider's export. provider: None if the file does not name it.

    until: the last day (inclusive) of rows that cover more than a day; their first day is the day
    of all of them. None: each row covers its day.
    """

    provider: str | None
    rows: list[Stated]
    until: str | None = None


def parse_columns(text: str, option: str) -> dict[str, str]:
    """Parse a text such as "date=Day,model=Model", or the same as a JSON object.

    Returns the export's column for each field. option: what an error calls the text.

    Raises: InputError.
    """
    if text.startswith("{"):  # names that contain a comma or "="
        try:
            return msgspec.json.decode(text, type=dict[str, str])
        except msgspec.DecodeError as error:
            hint = 'Write it like {"date": "Day", "model": "Model"}.'
            raise InputError(
                f"{option} is not a JSON object of names: {error}", hint=hint
            ) from error
    columns: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        name, is_given, column = part.partition("=")
        if not is_given:
            raise InputError(f"{option} must be date=COLUMN,model=COLUMN,…, not {part!r}")
        columns[name.strip()] = column.strip()
    return columns


def parse_export(content: bytes, columns: Mapping[str, str] | None = None) -> Account:
    """Parse a provider's usage export and sum it by day and model.

    columns: of a CSV file, by our names.

    Raises: InputError for a file of no known form.
    """
    try:
        content = content.removeprefix(codecs.BOM_UTF8)
        if columns or content.lstrip()[:1] not in (b"{", b"["):
            provider, rows, until = _read_csv(content.decode(), columns)
        else:
            document: Any = orjson.loads(content)
            pages = cast("list[Any]", document if isinstance(document, list) else [document])
            buckets: list[Any] = [bucket for page in pages for bucket in page["data"]]
            is_openai = any("start_time" in bucket for bucket in buckets)
            read = _from_openai if is_openai else _from_anthropic
            rows = [read(bucket, result) for bucket in buckets for result in bucket["results"]]
            provider = ("openai" if is_openai else "anthropic") if buckets else None
            until = None
        return Account(provider, merge_stated(rows), until)
    except (orjson.JSONDecodeError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"the file cannot be read: {error}",
            hint="Use JSON of the provider's usage API, or a CSV file.",
        ) from error
    except (AttributeError, ArithmeticError, KeyError, OSError, TypeError, ValueError) as error:
        raise InputError(
            f"the file does not have the form of a known usage export: {error}",
            hint="Export it again, or name its columns.",
        ) from error


def list_columns(content: bytes) -> tuple[list[str], dict[str, str]]:
    """List a CSV file's columns, and the column that each field is read from.

    Both are empty for a file that needs no mapping: JSON, or a known export.
    """
    content = content.removeprefix(codecs.BOM_UTF8)
    if content.lstrip()[:1] in (b"{", b"["):
        return [], {}
    try:
        heads = [*filter(None, _open_csv(content.decode())[0].fieldnames or ())]
    except (UnicodeDecodeError, csv.Error):
        return [], {}
    known = (_ANTHROPIC_USAGE, {*_ANTHROPIC_COSTS.values()}, _OPENAI_COSTS, _OPENAI_USAGE)
    if any({*heads} >= names for names in (*known, {*_OPENROUTER_DAYS.values()})):
        return [], {}
    return heads, _find_columns(heads)


def merge_stated(rows: Iterable[Stated]) -> list[Stated]:
    """Sum rows of an export that have the same day and model.

    A number that no row states stays None.
    """
    merged: dict[tuple[str, str], Stated] = {}
    for row in rows:
        kept = merged.setdefault((row.day, row.model), Stated(row.day, row.model))
        for name in AMOUNTS:
            value = getattr(row, name)
            if value is not None:
                setattr(kept, name, (getattr(kept, name) or 0) + value)
    return [merged[key] for key in sorted(merged)]


def _from_anthropic(bucket: Mapping[str, Any], result: Mapping[str, Any]) -> Stated:
    """Convert a result of Anthropic's usage or cost report, whose amounts are in cents.

    Its `uncached_input_tokens` exclude tokens read from or written to the cache.
    """
    day = bucket["starting_at"][:10]
    if "amount" in result:
        named = result.get("model") or result.get("cost_type") or result.get("description")
        return Stated(day, named or ALL_MODELS, cost_usd=_read_usd(result) / _CENTS)
    made = cast("dict[str, int]", result.get("cache_creation") or {})
    written = sum(made.values())
    read = result.get("cache_read_input_tokens") or 0
    total = result["uncached_input_tokens"] + read + written
    return Stated(
        day,
        _name(result),
        total,
        read,
        written,
        result["output_tokens"],
        cache_write_long_tokens=made.get("ephemeral_1h_input_tokens"),
    )


def _from_openai(bucket: Mapping[str, Any], result: Mapping[str, Any]) -> Stated:
    """Convert a result of OpenAI's usage or cost report; `input_tokens` include cached ones."""
    day = datetime.fromtimestamp(bucket["start_time"], UTC).strftime("%Y-%m-%d")
    if "amount" in result:
        item = result.get("line_item") or ALL_MODELS
        model, _, kind = item.rpartition(",")
        is_model = bool(model) and f" {kind.strip()}".endswith(_LINE_KINDS)
        amount = result["amount"]
        cost = _read_usd({"amount": amount["value"], "currency": amount.get("currency")})
        return Stated(day, model.strip() if is_model else item, cost_usd=cost)
    return Stated(
        day,
        _name(result),
        result["input_tokens"],
        result.get("input_cached_tokens"),
        result.get("input_cache_write_tokens"),
        result["output_tokens"],
    )


def _from_dashboard(row: Mapping[str, str]) -> Stated | None:
    """Convert a row of OpenAI's dashboard, which has the fields of its APIs; None: nothing used."""
    bucket = {"start_time": int(row["start_time"])}
    if "amount_value" in row:
        if not row["amount_value"]:
            return None
        amount = {"value": row["amount_value"], "currency": row["amount_currency"]}
        return _from_openai(bucket, {"amount": amount, "line_item": row["line_item"]})
    counts = {name: _to_count(row.get(name) or "") for name in _OPENAI_COUNTS}
    if counts["input_tokens"] is None and counts["output_tokens"] is None:
        return None
    return _from_openai(bucket, {**counts, "model": row.get("model")})


def _read_usd(result: Mapping[str, Any]) -> Decimal:
    """Return the result's amount in USD. Raises: InputError for another currency."""
    currency = result.get("currency") or "usd"
    if currency.lower() != "usd":
        raise InputError(
            f"the export is in {currency}, but the ledger is in USD",
            hint="Export the usage in USD.",
        )
    return _to_number(str(result["amount"]))


def _name(result: Mapping[str, Any]) -> str:
    """Return the result's model. Raises: InputError when the export is not grouped by model."""
    if not result.get("model"):
        raise InputError(
            "the export contains no model names", hint="Export the usage grouped by model and day."
        )
    return str(result["model"])


def _open_csv(text: str) -> tuple[csv.DictReader[str], str]:
    """Return a reader of a CSV file's rows, and the character between its cells."""
    text = _skip_head(text)
    delimiter = _find_delimiter(text)
    return csv.DictReader(io.StringIO(text), delimiter=delimiter), delimiter


def _find_delimiter(text: str) -> str:
    # Spreadsheets of countries with a decimal comma separate cells by semicolons.
    return max(",;\t", key=text.partition("\n")[0].count)


def _skip_head(text: str) -> str:
    """Return the text from the line with the columns' names on, if one below the first has them."""
    rest, above = text.lstrip(), dict[str, str]()
    for _ in range(_MOST_HEAD_LINES):
        line, _, after = rest.partition("\n")
        heads = next(csv.reader([line], delimiter=_find_delimiter(rest)), list[str]())
        if {"date", "model"} <= _find_columns(heads).keys():
            # In Google's, "Cost ($)" is in the invoice's currency, also in Australian dollars.
            _read_usd({"currency": above.get("currency"), "amount": "0"})
            return rest
        above |= {_normalize(heads[0]): heads[1].strip()} if len(heads) > 1 else {}
        rest = after
    return text.lstrip()


def _read_csv(
    text: str, columns: Mapping[str, str] | None
) -> tuple[str | None, Iterable[Stated], str | None]:
    """Return (the provider that the file's form names, its rows, the last day that they cover)."""
    reader, delimiter = _open_csv(text)
    heads = {*(reader.fieldnames or ())}
    if columns is None and heads >= _ANTHROPIC_USAGE:
        return "anthropic", map(_from_console, reader), None
    if columns is None and heads >= {*_ANTHROPIC_COSTS.values()}:
        return "anthropic", _read_columns(reader, _ANTHROPIC_COSTS), None
    if columns is None and (heads >= _OPENAI_COSTS or heads >= _OPENAI_USAGE):
        return "openai", filter(None, map(_from_dashboard, reader)), None
    if columns is None and heads >= {*_OPENROUTER_DAYS.values()}:
        return None, _read_columns(reader, _OPENROUTER_DAYS), None
    rows, is_found = [*reader], columns is None
    google = {_normalize(head): head for head in heads}
    if google.keys() >= _GOOGLE:
        rows = [row for row in rows if _is_googles_model(row, google)]
    columns = columns or _find_columns(heads)
    if unknown := sorted({*columns} - {*COLUMNS}):
        raise InputError(f"no field is named {unknown[0]!r}", hint=f"Fields: {', '.join(COLUMNS)}.")
    if missing := [name for name in ("date", "model") if name not in columns]:
        raise InputError(
            f"the file has no column for {' and '.join(missing)}",
            hint=f"Name the column. The file's columns are: {', '.join(sorted(heads))[:500]}.",
        )
    for name in columns.values():
        if name not in heads:
            known = ", ".join(sorted(heads))[:500]
            raise InputError(f"the file has no column {name!r}", hint=f"Its columns are: {known}.")
    if found := _CURRENCY.search(columns.get("cost", "")):
        _read_usd({"currency": found[0].strip("()"), "amount": "0"})
    has_decimal_comma = delimiter == ";"
    stated = [*_read_columns(rows, columns, has_decimal_comma=has_decimal_comma)]
    is_apart = any((row.cache_read_tokens or 0) > (row.input_tokens or 0) for row in stated)
    if is_found and is_apart and "input" in columns:  # more than all of it: cached ones are apart
        columns = {"uncached" if name == "input" else name: columns[name] for name in columns}
        stated = [*_read_columns(rows, columns, has_decimal_comma=has_decimal_comma)]
    if google.keys() >= _GOOGLE:
        return "gemini", *_join_periods(stated, {row[google["usage_end_date"]] for row in rows})
    return None, stated, None


def _is_googles_model(row: Mapping[str, str], heads: Mapping[str, str]) -> bool:
    """Whether a row of Google's cost table is the use of a model, on days that it names."""
    named = row[heads["service_description"]] + row[heads["sku_description"]]
    return bool(row[heads["usage_start_date"]] and _GOOGLE_MODELS.search(named))


def _join_periods(rows: list[Stated], ends: Collection[str]) -> tuple[list[Stated], str | None]:
    """Give rows that cover more than a day one period: (rows of its first day, its last day)."""
    days = {row.day for row in rows}
    if {*ends} == days or not rows:
        return rows, None
    return [replace(row, day=min(days)) for row in rows], max(ends)


def _find_columns(heads: Collection[str]) -> dict[str, str]:
    """Find the column of each field by its known names: `Cost (USD)` is `cost_usd`.

    `input_tokens` beside a column of cache reads or writes excludes them, as vendors' APIs and our
    own reports have it; otherwise it is all of the input.
    """
    by_name = {_normalize(head): head for head in sorted(heads)} | {head: head for head in heads}
    found = {
        field: by_name[name]
        for field, names in NAMES.items()
        for name in names[::-1]
        if name in by_name
    }
    is_apart = any(
        _normalize(found.get(name, "")).startswith("cache_") for name in ("cached", "written")
    )
    if "input_tokens" in by_name:
        found.setdefault("uncached" if is_apart else "input", by_name["input_tokens"])
    return found


def _normalize(head: str) -> str:
    """Return a column's name as NAMES writes it.

    >>> _normalize("Cost (USD)")
    'cost_usd'
    """
    return re.sub(r"[^a-z0-9]+", "_", head.lower()).strip("_")


def _from_console(row: Mapping[str, str]) -> Stated:
    long = _to_count(row.get(_ANTHROPIC_WRITTEN_LONG, ""))
    short = row.get(_ANTHROPIC_WRITTEN) or row.get(_ANTHROPIC_WRITTEN_ONCE) or ""
    written = (_to_count(short) or 0) + (long or 0)
    read = _to_count(row.get(_ANTHROPIC_READ, "")) or 0
    total = (_to_count(row["usage_input_tokens_no_cache"]) or 0) + read + written
    output = _to_count(row["usage_output_tokens"])
    day = row["usage_date_utc"][:10]
    counts = (total, read, written, output)
    return Stated(day, row["model_version"], *counts, cache_write_long_tokens=long)


def _read_columns(
    rows: Iterable[Mapping[str, str]],
    columns: Mapping[str, str],
    *,
    has_decimal_comma: bool = False,
) -> Iterator[Stated]:
    plain = _write_with_point if has_decimal_comma else str
    for number, row in enumerate(rows, 2):
        if None in row.values():
            raise InputError(
                f"line {number} of the file has fewer cells than its header",
                hint="Remove lines without a day, such as totals.",
            )
        found = {name: row[column].strip() for name, column in columns.items()}
        counts = {name: _to_count(plain(found.get(name, ""))) for name in COLUMNS[2:-1]}
        long, written = counts["written_long"], counts["written"]
        if _normalize(columns.get("written_long", "")).startswith(
            "cache_"
        ):  # beside `written`, not part of it
            written = sum_known(written, long)
        total = counts["input"]
        if total is None and counts["uncached"] is not None:
            total = sum_known(counts["uncached"], counts["cached"], written)
        cost = plain(found.get("cost", "").removeprefix("$")).replace(",", "")
        yield Stated(
            _DOTTED_DAY.sub(r"\3-\2-\1", found["date"])[:10],
            _find_model(found["model"]),
            total,
            counts["cached"],
            written,
            sum_known(counts["output"], counts["reasoning"]),
            cost_usd=_to_number(cost) if cost else None,
            cache_write_long_tokens=long,
        )


def _find_model(text: str) -> str:
    """Return the model that a cell names.

    >>> _find_model("Generate content input token count gemini 2.5 flash short input text")
    'gemini-2.5-flash'
    """
    named = _GOOGLE_MODEL.search(text)
    return named[0].lower().replace(" ", "-") if named and " " in text else text or ALL_MODELS


def _write_with_point(text: str) -> str:
    """Rewrite a number with a decimal comma. Of two separators, the last is the decimal one.

    >>> _write_with_point("1.234,5"), _write_with_point("0.25"), _write_with_point("1,234.5")
    ('1234.5', '0.25', '1234.5')
    """
    if text.rfind(".") > text.rfind(",") >= 0:
        return text.replace(",", "")
    return text.replace(".", "").replace(",", ".") if "," in text else text


def _to_count(text: str) -> int | None:
    text = text.replace(",", "").strip()
    if not text:
        return None
    number = _to_number(text)
    if number % 1:
        raise ValueError(f"{text[:40]!r} is not a whole number of tokens: correct this cell")
    return int(number)


def _to_number(text: str) -> Decimal:
    """Parse a number of a usual length. Raises: ArithmeticError, ValueError."""
    number = Decimal(text)
    exponent = number.as_tuple().exponent
    # Written out, "1E+999999999" is a gigabyte.
    if abs(number) > _MOST or not isinstance(exponent, int) or exponent < -_MOST_DECIMALS:
        raise ValueError(f"the number {text[:40]!r} is too long: correct this cell")
    return number
