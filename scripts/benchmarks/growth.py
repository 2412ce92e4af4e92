"""`bench growth`: a year of a large database, in plain tables and in tables kept by months.

The database makes the rows: ledger, events, runs and steps of the twelve months until now, with the
ids of their time. Measured in both, one after the other: a chat turn, `usage --by day,model`,
`explain`, and what it takes to forget the oldest month.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, Final

from plainloop.agent.config.settings import UsageSettings
from plainloop.agent.store.store import Store
from plainloop.agent.usage.partitions import begin_months, keep_months, next_month
from plainloop.agent.usage.report import summarize_usage
from plainloop.agent.usage.retention import delete_old_rows
from plainloop.agent.usage.rollup import roll_up_usage
from scripts.benchmarks.flow.ours import Plainloop, open_plainloop
from scripts.benchmarks.flow.seed import reset_domain
from scripts.benchmarks.flow.texts import FLOWS, build_script
from scripts.benchmarks.ledger.year import FILLS, TENANT
from scripts.benchmarks.rig.postgres import open_probe, read_wal_position, scratch_postgres
from scripts.benchmarks.rig.report import print_json, print_table
from scripts.benchmarks.rig.wire import start_wire

RUNS_AT_ONCE: Final = 50_000
CALLS_OF_A_RUN: Final = 4
MONTHS: Final = 12
LAYOUTS: Final = ("plain", "by months")
WARM_UP: Final = 20
SOME_RUNS: Final = "select run_id from runs where tenant_id = $1 order by random() limit $2"
FLOW: Final = next(flow for flow in FLOWS if flow.name == "one tool")


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench growth", description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000_000, help="rows of the ledger")
    parser.add_argument("--turns", type=int, default=100, help="times that each is measured")
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    parser.add_argument("--only", choices=LAYOUTS, help="one of both, with no ratio")
    options = parser.parse_args(argv)
    layouts = (options.only,) if options.only else LAYOUTS
    result = asyncio.run(measure(options.calls // CALLS_OF_A_RUN, options.turns, layouts))
    print_json(result) if options.json else print_result(result, options.calls)


async def measure(
    runs: int, turns: int, layouts: Sequence[str] = LAYOUTS
) -> dict[str, dict[str, float]]:
    """`{measure: {layout: figure}}`: milliseconds where nothing else is said."""
    found = {name: await _measure_one(runs, turns, name == "by months") for name in layouts}
    return {
        measured: {name: figures[measured] for name, figures in found.items()}
        for measured in found[layouts[0]]
    }


async def _measure_one(runs: int, turns: int, monthly: bool) -> dict[str, float]:
    now = datetime.now(UTC)
    first = datetime(now.year - (now.month < MONTHS), (now.month - MONTHS) % 12 + 1, 1, tzinfo=UTC)
    with scratch_postgres() as url, start_wire(build_script()) as wire, TemporaryDirectory() as tmp:
        async with (
            open_probe(url) as probe,
            open_plainloop(url, wire.base_url, Path(tmp)) as ours,
        ):
            store = ours.store
            if monthly:
                await begin_months(store.database, first)
                await keep_months(store.database, now)
            await _fill(probe, runs, first, now)
            await roll_up_usage(store)
            await probe.execute("vacuum analyze", timeout=None)
            await probe.execute("alter table runs enable trigger user")
            await probe.execute("checkpoint", timeout=None)
            ids = [str(row["run_id"]) for row in await probe.fetch(SOME_RUNS, TENANT, turns)]
            return {
                **await _measure_turns(ours, probe, turns),
                **await _time("usage by day, model", turns, lambda n: _report(store)),
                **await _time("explain", turns, lambda n: _explain(store, ids[n % len(ids)])),
                **await _forget_a_month(store, probe, first, now),
            }


async def _fill(probe: Any, runs: int, first: datetime, now: datetime) -> None:
    await probe.execute("alter table runs disable trigger user")  # nobody looks at what changes
    for begin in range(0, runs, RUNS_AT_ONCE):
        for statement in FILLS:
            await probe.execute(
                statement, begin, min(runs, begin + RUNS_AT_ONCE), runs, first, now, timeout=None
            )


async def _measure_turns(ours: Plainloop, probe: Any, turns: int) -> dict[str, float]:
    async def answer(n: int) -> None:
        await ours.run(threads[n], FLOW)

    await reset_domain(probe)
    threads = [await ours.prepare(FLOW) for _ in range(WARM_UP + turns)]
    for _ in range(WARM_UP):
        await ours.run(threads.pop(), FLOW)
    logged = await read_wal_position(probe)
    found = await _time("turn", turns, answer)
    return {**found, "turn, bytes logged": (await read_wal_position(probe) - logged) / turns}


async def _report(store: Store) -> None:
    await summarize_usage(store.read(TENANT), ("day", "model"))


async def _explain(store: Store, run_id: str) -> None:
    await store.load_run(TENANT, None, run_id)
    await store.load_steps(TENANT, run_id)
    await store.list_calls(TENANT, run_id)
    await store.list_tool_calls(TENANT, run_id)


async def _forget_a_month(
    store: Store, probe: Any, first: datetime, now: datetime
) -> dict[str, float]:
    days = (now - next_month(first)).days
    logged, began = await read_wal_position(probe), time.perf_counter()
    await delete_old_rows(store, UsageSettings(keep_calls_days=days, keep_events_days=days), now)
    return {
        "forget a month, s": time.perf_counter() - began,
        "forget a month, MB logged": (await read_wal_position(probe) - logged) / 2**20,
    }


async def _time(name: str, times: int, work: Callable[[int], Awaitable[Any]]) -> dict[str, float]:
    taken: list[float] = []
    for n in range(times):
        began = time.perf_counter()
        await work(n)
        taken.append((time.perf_counter() - began) * 1000)
    return {f"{name}, p50": median(taken), f"{name}, p95": quantiles(taken, n=20)[-1]}


def print_result(result: dict[str, dict[str, float]], calls: int) -> None:
    rows: list[list[Any]] = []
    for name, figures in result.items():
        plain, monthly = (figures.get(layout) for layout in LAYOUTS)
        rows.append([name, plain, monthly, monthly / plain if plain and monthly else None])
    title = f"{calls:,} calls and {2 * calls:,} events of {MONTHS} months, ms"
    print_table(title, ("", *LAYOUTS, "ratio"), rows)
