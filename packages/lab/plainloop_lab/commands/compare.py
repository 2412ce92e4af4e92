"""`plainloop compare`: many candidates in one table."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import InputError
from plainloop.agent.providers.pricing import Prices

from ..decide.candidates import (
    MONTH_DAYS,
    choose_measure,
    compare_candidates,
    get_unit,
    render_page,
    render_rows,
    to_json,
)
from ..decide.rules import Rules, read_rules
from ..store.recordings import ThreadFilter, list_replay_threads
from .files import write_file, write_json
from .options import Comparing, TriedModels
from .reports import find_report

PAGE_FILE: Final = "compare.html"
JSON_FILE: Final = "compare.json"


async def compare(
    owner: Owner, reports: Sequence[str], tried: TriedModels, options: Comparing
) -> None:
    """Compare candidates by their reports in one table, and print it."""
    rules = Rules() if options.rules is None else read_rules(options.rules)
    per_month, folder = options.per_month, options.report
    named: dict[str, dict[str, str] | None] = {**dict.fromkeys(reports), **tried.list_settings()}
    if not named:
        raise InputError(
            "nothing to compare was named", hint="Name report folders, ids or --candidate."
        )
    if options.ledger:
        month = ThreadFilter(since=datetime.now(UTC) - timedelta(days=MONTH_DAYS))
        async with open_store(load_settings()) as store, store.transaction(owner.tenant_id) as tx:
            per_month = len(await list_replay_threads(tx, month))
    with tempfile.TemporaryDirectory() as made:
        places = [
            await find_report(owner, text, Path(made), settings) for text, settings in named.items()
        ]
        chosen = options.measure or choose_measure(places, rules)
        prices = Prices(load_settings().prices)
        rows = compare_candidates(places, chosen, rules, prices, per_month)
    unit = get_unit(chosen)
    output.write_lines(render_rows(rows, chosen, unit))
    if folder is not None:
        write_json(folder / JSON_FILE, to_json(rows, chosen, per_month))
        write_file(folder / PAGE_FILE, render_page(rows, chosen, unit, per_month))
        output.write_line(f"report: {folder / PAGE_FILE}")
