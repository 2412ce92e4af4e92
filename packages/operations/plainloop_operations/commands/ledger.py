"""`plainloop usage export`, `reconcile`, `statement` and `recost`: the ledger beside files and
prices. The tenant `*` is everybody.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, TextIO

import orjson

from plainloop.agent.base.text.cleaning import disarm_cell, format_count
from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.rendering import render_table
from plainloop.agent.cli.usage.tables import format_usd
from plainloop.agent.config.settings import load_settings
from plainloop.agent.config.zones import UTC_ZONE
from plainloop.agent.errors import InputError
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.usage.report import EVERYBODY, FIRST, LAST, list_tenants, open_ledger
from plainloop.agent.usage.rollup import roll_up_usage

from ..ledger.focus import list_ledger_rows, to_focus
from ..ledger.parquet import AddRow, open_parquet
from ..ledger.reconcile import Comparison, compare_usage
from ..ledger.recost import Recosting, recost_calls
from ..ledger.stated import parse_columns, parse_export
from ..ledger.statement import load_statement, name_statement, parse_month, render_statement

ExportForm = Literal["csv", "jsonl", "focus", "parquet"]
DIFFERENT = 1


async def export(
    tenant: str,
    target: Path | None,
    form: ExportForm,
    since: datetime | None,
    until: datetime | None,
    zone: str = UTC_ZONE,
) -> None:
    """Export the ledger to a file.

    target None: to stdout. zone: of the calls' times, and of the months in FOCUS. Raises:
    InputError for Parquet without a file or without calls; ConfigError without pyarrow.
    """
    if form == "parquet" and target is None:
        raise InputError("Parquet output needs a file name", hint="Use --output FILE.parquet.")
    count = 0
    async with open_store(load_settings()) as store, open_ledger(store, tenant) as db:
        with _open_export(target, form, zone) as add, output.progress("exporting the ledger …"):
            async for row in list_ledger_rows(db, since or FIRST, until or LAST, zone):
                count += 1
                add(row)
    if form == "parquet" and not count:  # an older file of this name is not of this period
        raise InputError(
            f"{target}: not written, because there are no calls in this period",
            hint="Choose another period with --since and --until.",
        )
    output.write_status(f"{format_count(count, 'call')} exported")


@contextmanager
def _open_export(target: Path | None, form: ExportForm, zone: str) -> Generator[AddRow]:
    if form == "parquet" and target is not None:
        with _become_whole(target) as part, open_parquet(part) as add:
            yield add
        return
    with _open_target(target) as file:
        writer: csv.DictWriter[str] | None = None

        def write(row: Mapping[str, Any]) -> None:
            nonlocal writer
            if form == "jsonl":
                file.write(orjson.dumps(row).decode() + "\n")
                return
            shown = to_focus(row, zone) if form == "focus" else row
            if writer is None:
                writer = csv.DictWriter(file, fieldnames=[*shown], lineterminator="\n")
                writer.writeheader()
            # Tags are a list: one field of a CSV.
            tags = {"tags": ",".join(row["tags"])} if "tags" in shown else {}
            cells = {**shown, **tags}
            writer.writerow({name: disarm_cell(value) for name, value in cells.items()})

        yield write


@contextmanager
def _open_target(target: Path | None) -> Generator[TextIO]:
    if target is None:
        yield sys.stdout
        return
    with _become_whole(target) as part, part.open("w", encoding="utf-8", newline="") as file:
        yield file


@contextmanager
def _become_whole(target: Path) -> Generator[Path]:
    """Write to a temporary file that gets its name when the block ends without an error."""
    part = target.with_name(target.name + ".part")
    try:
        yield part
        if part.exists():
            part.replace(target)
    except OSError as error:
        raise InputError(
            f"{target}: cannot be written: {error.strerror or error}",
            hint="Choose a folder that you can write to.",
        ) from error
    finally:
        part.unlink(missing_ok=True)


async def reconcile(
    tenant: str, file: Path, mapping: str | None, provider: str | None, *, as_json: bool
) -> int:
    """Compare the ledger with a provider's export and print the differences.

    Returns the exit code, 1 if anything differs. Raises: InputError.
    """
    columns = parse_columns(mapping or "", "--map")
    account = parse_export(_read_file(file), columns or None)
    async with open_store(load_settings()) as store:
        await roll_up_usage(store)
        async with open_ledger(store, tenant) as db:
            found = await compare_usage(db, account, provider)
    if as_json:
        output.write_line(orjson.dumps([item.to_record() for item in found]).decode())
    else:
        output.write_lines(render_comparison(found))
    return DIFFERENT if any(item.differs for item in found) else 0


def _read_file(file: Path) -> bytes:
    """Read a file, or stdin for `-`. Raises: InputError."""
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise InputError(
            f"{file}: cannot be read: {error.strerror or error}",
            hint="Check the path and the file's permissions.",
        ) from error


def render_comparison(found: Sequence[Comparison]) -> Iterator[str]:
    """Render the comparison of the ledger with an invoice as lines.

    The days and models that differ come first, then how much agrees.
    """
    different = [item for item in found if item.differs]
    if different:
        heads = [
            "day",
            "model",
            "token difference (invoice − ledger)",
            "cost difference (invoice − ledger)",
            "perhaps",
        ]
        rows: list[list[str]] = []
        for item in different:
            gaps = ", ".join(f"{name} {gap:+,}" for name, gap in item.token_gaps.items())
            money = "not known" if item.money_gap is None else f"{item.money_gap:+f}"
            rows.append([item.day, item.model, gaps or "alike", money, item.guess()])
        yield from render_table(heads, rows)
        yield ""
    if all(item.has_tokens for item in found):
        same_tokens = sum(not item.token_gaps for item in found)
        yield f"tokens: {same_tokens} of {len(found)} rows match"
    else:
        yield "tokens: the export contains none"
    known = [item for item in found if item.has_same_money is not None]
    same_money = sum(item.has_same_money is True for item in known)
    yield (
        f"money: {same_money} of {len(known)} rows match to the cent; "
        f"{len(found) - len(known)} not known on one side"
    )
    if known:
        gaps = [item.money_gap or Decimal(0) for item in known]
        rest = sum((item.money_gap or Decimal(0) for item in known if not item.differs), Decimal(0))
        yield f"cost difference in total: {sum(gaps):+f}, {rest:+f} of it in rows that match"


async def make_statement(
    tenant: str, month: str | None, target: Path | None, markup_percent: Decimal, zone: str
) -> None:
    """Write a month's statement as an HTML page.

    Raises: InputError. month: as `parse_month`; None: the previous one.
    """
    begins = parse_month(month, zone)
    async with open_store(load_settings()) as store:
        await roll_up_usage(store)
        async with open_ledger(store, tenant) as db:
            page = await load_statement(db, begins, markup_percent, zone)
    name = "all" if tenant == EVERYBODY else tenant
    path = target or Path(name_statement(name, begins, markup_percent))
    with _open_target(path) as file:
        file.write(render_statement(page))
    output.write_line(str(path))


async def recost(
    tenant: str, since: datetime | None, until: datetime | None, *, is_trial: bool
) -> None:
    """Recalculate the costs of ledger calls, a transaction per tenant, and print a summary."""
    settings = load_settings()
    prices = Prices(settings.prices)
    done: list[Recosting] = []
    async with open_store(settings) as store:
        with output.progress("pricing calls again …"):
            for name in await list_tenants(store, tenant):
                async with store.transaction(name) as tx:
                    done.append(
                        await recost_calls(
                            tx, prices, since or FIRST, until or LAST, is_trial=is_trial
                        )
                    )
    changed = sum(item.changed for item in done)
    before, after = (sum(item.before_usd for item in done), sum(item.after_usd for item in done))
    verb = "would change" if is_trial else "changed"
    output.write_line(
        f"{format_count(sum(item.calls for item in done), 'call')} with known usage,"
        f" {changed:,} {verb}: {format_usd(str(before))} → {format_usd(str(after))},"
        f" {sum(item.newly_known for item in done):,} of them had no price before"
    )
    if reported := sum(item.reported for item in done):
        output.write_line(f"{format_count(reported, 'call')} left: the source reported the cost")
    if changed and not is_trial:
        output.write_line("the previous costs are stored in the ledger's rows (former_costs)")
