"""`plainloop usage export`, `reconcile` and `statement`: the ledger beside files."""

from __future__ import annotations

import csv
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, TextIO

import orjson

from ...base.text import format_count
from ...config.settings import load_settings
from ...errors import InputError
from ...usage.focus import list_ledger_rows, to_focus
from ...usage.reconcile import Comparison, compare_usage
from ...usage.report import FIRST, LAST
from ...usage.rollup import roll_up_usage
from ...usage.stated import parse_export
from ...usage.statement import load_statement, parse_month, render_statement
from ..terminal import output
from ..terminal.opening import open_store
from ..terminal.rendering import render_table

ExportForm = Literal["csv", "jsonl", "focus"]
DIFFERENT = 1


async def export(
    tenant: str,
    target: Path | None,
    form: ExportForm,
    since: datetime | None,
    until: datetime | None,
) -> None:
    """Target None: stdout."""
    count = 0
    async with open_store(load_settings()) as store, store.transaction(tenant) as tx:
        with _open_target(target) as file, output.progress("exporting the ledger …"):
            writer: Any = None
            async for row in list_ledger_rows(tx, since or FIRST, until or LAST):
                count += 1
                if form == "jsonl":
                    file.write(orjson.dumps(row).decode() + "\n")
                    continue
                shown = to_focus(row) if form == "focus" else row
                if writer is None:
                    writer = csv.DictWriter(file, fieldnames=[*shown], lineterminator="\n")
                    writer.writeheader()
                writer.writerow(shown)
    output.write_status(f"{format_count(count, 'call')} exported")


@contextmanager
def _open_target(target: Path | None) -> Generator[TextIO]:
    """A file appears under its name only when it is whole."""
    if target is None:
        yield sys.stdout
        return
    part = target.with_name(target.name + ".part")
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            yield file
        part.replace(target)
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


async def reconcile(
    tenant: str, file: Path, mapping: str | None, provider: str | None, *, as_json: bool
) -> int:
    """Exit code 1 when anything differs. Raises: InputError."""
    columns = _read_mapping(mapping) if mapping else None
    stated = parse_export(_read_file(file), columns)
    async with open_store(load_settings()) as store:
        await roll_up_usage(store)
        async with store.transaction(tenant) as tx:
            found = await compare_usage(tx, stated, provider)
    if as_json:
        output.write_line(orjson.dumps([_to_record(item) for item in found]).decode())
    else:
        for line in render_comparison(found):
            output.write_line(line)
    differs = any(item.token_gaps or item.has_same_money is False for item in found)
    return DIFFERENT if differs else 0


def _read_file(file: Path) -> bytes:
    """- reads stdin. Raises: InputError."""
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror or error}") from error


def render_comparison(found: Sequence[Comparison]) -> Iterator[str]:
    """A row per day and model that differs, then both verdicts."""
    different = [item for item in found if item.token_gaps or item.has_same_money is False]
    if different:
        heads = ["day", "model", "tokens: theirs less ours", "money: theirs less ours", "perhaps"]
        yield from render_table(heads, [_to_cells(item) for item in different])
        yield ""
    same_tokens = sum(not item.token_gaps for item in found)
    known = [item for item in found if item.has_same_money is not None]
    same_money = sum(item.has_same_money is True for item in known)
    yield f"tokens: {same_tokens} of {format_count(len(found), 'day and model')} alike"
    yield (
        f"money: {same_money} of {len(known)} alike to the cent; "
        f"{len(found) - len(known)} not known on one side"
    )


def _to_cells(item: Comparison) -> list[str]:
    gaps = ", ".join(f"{name} {gap:+,}" for name, gap in item.token_gaps.items()) or "alike"
    money = "not known" if item.money_gap is None else f"{item.money_gap:+f}"
    return [item.day, item.model, gaps, money, _guess(item)]


def _guess(item: Comparison) -> str:
    """Why they may differ, as far as the ledger itself says."""
    if item.ours is None:
        return "not in the ledger: another program with the same key?"
    if item.theirs is None:
        return "not in the export: another account, or not closed yet?"
    reasons: list[str] = []
    if item.ours.unreported_calls:
        reasons.append(f"{item.ours.unreported_calls:,} calls whose usage we do not know")
    if item.ours.estimated_calls:
        reasons.append(f"{item.ours.estimated_calls:,} estimated by us")
    return ", ".join(reasons)


def _to_record(item: Comparison) -> dict[str, Any]:
    gap = item.money_gap
    return {
        "day": item.day,
        "model": item.model,
        "is_in_export": item.theirs is not None,
        "is_in_ledger": item.ours is not None,
        "token_gaps": item.token_gaps,
        "money_gap_usd": None if gap is None else f"{gap:f}",
        "unreported_calls": item.ours.unreported_calls if item.ours else None,
        "estimated_calls": item.ours.estimated_calls if item.ours else None,
    }


def _read_mapping(text: str) -> dict[str, str]:
    columns: dict[str, str] = {}
    for part in text.split(","):
        name, is_given, column = part.partition("=")
        if not is_given:
            raise InputError(f"--map takes date=COLUMN,model=COLUMN,…, not {part!r}")
        columns[name.strip()] = column.strip()
    return columns


async def make_statement(
    tenant: str, month: str | None, target: Path | None, markup_percent: Decimal
) -> None:
    """month: "2026-11"; None: the one before this. Raises: InputError."""
    begins = parse_month(month)
    async with open_store(load_settings()) as store:
        await roll_up_usage(store)
        async with store.transaction(tenant) as tx:
            page = await load_statement(tx, tenant, begins, markup_percent)
    path = target or Path(f"usage-{tenant}-{begins:%Y-%m}.html")
    with _open_target(path) as file:
        file.write(render_statement(page))
    output.write_line(str(path))
