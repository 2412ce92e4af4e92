"""`bench usage`: how long reports take over a large ledger, and what the ledger costs a call.

The rows are made by the database itself: a year's shape in 30 days, several tenants, users and
models, retries, failures and replays. Half of them belong to the tenant that is reported.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from plainloop.agent.config.settings import load_settings
from plainloop.agent.store.budgets import Budget, save_budget
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.records import CallSettled, Reserved
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage
from plainloop.agent.usage.report import list_avoided_calls, load_run_spreads, summarize_usage
from plainloop.agent.usage.rollup import roll_up_usage
from scripts.benchmarks.ledger.rows import FILL_CALLS, FILL_STEPS, make_start
from scripts.benchmarks.rig.postgres import open_probe, read_wal_position, scratch_postgres
from scripts.benchmarks.rig.report import print_json, print_table

REPORTS: Final[tuple[tuple[str, ...], ...]] = (
    (),
    ("day",),
    ("model",),
    ("user",),
    ("node", "model", "status"),
    ("day", "user", "model"),
    ("hour",),
    ("thread",),
    ("run",),
    ("run", "model"),
)
TENANT: Final = "acme"
ROWS_AT_ONCE: Final = 100_000
TIMES: Final = 5


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench usage", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the ledger")
    parser.add_argument("--calls", type=int, default=300, help="calls whose writing is measured")
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    options = parser.parse_args(argv)
    result = asyncio.run(measure(options.rows, options.calls))
    if options.json:
        print_json(result)
    else:
        print_result(result, options.rows)


async def measure(rows: int, calls: int) -> dict[str, Any]:
    """`{"reports": {name: ms}, "writing": {name: {"ms", "log_bytes"}}, …}`, medians."""
    with scratch_postgres() as url, tempfile.TemporaryDirectory() as folder:
        settings = load_settings({"AGENT_DATA_DIR": folder, "DATABASE_URL": url})
        store = await connect_store(settings)
        try:
            async with open_probe(url) as probe:
                writing = await measure_writing(store, probe, calls)
                for first in range(0, rows, ROWS_AT_ONCE):
                    await probe.execute(FILL_CALLS, first, min(rows, first + ROWS_AT_ONCE), rows)
                await probe.execute(FILL_STEPS, rows)
                await probe.execute("vacuum analyze llm_calls, steps, runs", timeout=600)
                began = time.perf_counter()
                await roll_up_usage(store)
                rolled_s = time.perf_counter() - began
                reports = await measure_reports(store)
        finally:
            await store.close()
    return {"reports": reports, "first_adding_up_s": rolled_s, "writing": writing}


async def measure_reports(store: Store) -> dict[str, float]:
    db = store.read(TENANT)
    timed: dict[str, Callable[[], Awaitable[Any]]] = {
        ",".join(by) or "total": lambda by=by: summarize_usage(db, by, limit=100) for by in REPORTS
    }
    timed["p50/p95 of all runs"] = lambda: load_run_spreads(db)
    timed["p50/p95 by user"] = lambda: load_run_spreads(db, ("user",))
    timed["avoided"] = lambda: list_avoided_calls(db)
    return {name: await _time(work) for name, work in timed.items()}


async def measure_writing(store: Store, probe: Any, calls: int) -> dict[str, dict[str, float]]:
    """One model call's row, written before and settled after: without a budget, and with three."""
    found = {"no budget": await _write_calls(store, probe, calls, None)}
    async with store.transaction(TENANT) as tx:
        await save_budget(tx, Budget("tenant", "month", None, Decimal(10**9)))
        await save_budget(tx, Budget("user", "day", 10**12, None))
        await save_budget(tx, Budget("run", "total", 10**12, None))
    store.budgets.forget(TENANT)
    reserved = Reserved(10_000, Decimal("0.05"))
    found["three budgets"] = await _write_calls(store, probe, calls, reserved)
    return found


async def _write_calls(
    store: Store, probe: Any, calls: int, reserved: Reserved | None
) -> dict[str, float]:
    times_ms: list[float] = []
    before = await read_wal_position(probe)
    for n in range(calls):
        start = replace(make_start(TENANT, n), reserved=reserved)
        settled = CallSettled(
            start.call_id,
            TENANT,
            "succeeded",
            Usage(900, 2_000, None, 300, None, raw={"input_tokens": 2_900, "output_tokens": 300}),
            duration_ms=900,
            model_answered="claude-sonnet-4-5-20250929",
            request_id="req_0123456789",
            first_token_ms=300,
            stop="end",
            cost_usd="0.0102",
            price_version="genai-prices",
        )
        began = time.perf_counter()
        await store.record_call_start(start)
        await store.settle_calls(TENANT, [settled])
        times_ms.append((time.perf_counter() - began) * 1000)
    log_bytes = (await read_wal_position(probe) - before) / calls
    return {"ms": statistics.median(times_ms), "log_bytes": log_bytes}


async def _time(work: Callable[[], Awaitable[Any]]) -> float:
    times: list[float] = []
    for _ in range(TIMES):
        began = time.perf_counter()
        await work()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def print_result(result: dict[str, Any], rows: int) -> None:
    print_table(
        f"reports over {rows:,} calls, median of {TIMES} (adding up all of them once: "
        f"{result['first_adding_up_s']:.1f} s)",
        ("by", "ms"),
        [*result["reports"].items()],
    )
    print_table(
        "the ledger's row of one call: two transactions; in a run the second is its step's",
        ("", "ms", "bytes of the database's log"),
        [(name, it["ms"], round(it["log_bytes"])) for name, it in result["writing"].items()],
    )
