"""`bench growth`: a year of a large database, in plain tables and in tables kept by months.

The database makes the rows: ledger, events, runs and steps of the twelve months until now, with the
ids of their time, once in each form on one server. Measured in turns: a chat turn, `usage --by
day,model`, `explain`; at the end, what it takes to forget the oldest month.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, Final

from plainloop.agent.store.connecting.settings import UsageSettings
from plainloop.agent.store.store import Store
from plainloop.agent.usage.report import summarize_usage
from plainloop.agent.usage.retention import delete_old_rows
from plainloop.agent.usage.rollup import roll_up_usage
from plainloop_operations.months.partitions import begin_months, keep_months, next_month
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
FORMS: Final = ("plain", "monthly")
WARM_UP: Final = 20
SOME_RUNS: Final = "select run_id from runs where tenant_id = $1 order by random() limit $2"
FLOW: Final = next(flow for flow in FLOWS if flow.name == "one tool")

Samples = dict[str, dict[str, list[float]]]  # by what is measured, by form


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench growth", description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000_000, help="rows of the ledger")
    parser.add_argument("--turns", type=int, default=100, help="times that each is measured")
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    options = parser.parse_args(argv)
    result = asyncio.run(measure(options.calls // CALLS_OF_A_RUN, options.turns))
    print_json(result) if options.json else print_result(result, options.calls)


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two databases."""

    form: str
    ours: Plainloop
    probe: Any
    run_ids: list[str]

    @property
    def store(self) -> Store:
        return self.ours.store


async def measure(runs: int, turns: int) -> dict[str, dict[str, float]]:
    """`{measure: {form: figure}}`: milliseconds where nothing else is said."""
    now = datetime.now(UTC)
    first = datetime(now.year - (now.month < MONTHS), (now.month - MONTHS) % 12 + 1, 1, tzinfo=UTC)
    samples: Samples = defaultdict(lambda: defaultdict(list))
    async with AsyncExitStack() as stack:
        url = stack.enter_context(scratch_postgres())
        wire = stack.enter_context(start_wire(build_script()))
        folder = Path(stack.enter_context(TemporaryDirectory()))
        sides: list[Side] = []
        for form in FORMS:
            async with open_probe(url) as root:
                await root.execute(f"create database {form}")
            own_url = url.replace("/postgres?", f"/{form}?")
            ours = await stack.enter_async_context(open_plainloop(own_url, wire.base_url, folder))
            probe = await stack.enter_async_context(open_probe(own_url))
            if form == "monthly":
                await begin_months(ours.store.database, first)
                await keep_months(ours.store.database, now)
            await _fill(probe, ours.store, runs, first, now)
            found = await probe.fetch(SOME_RUNS, TENANT, turns)
            sides.append(Side(form, ours, probe, [str(row["run_id"]) for row in found]))
        await _measure_turns(sides, turns, samples)
        await _measure(sides, turns, samples, "usage by day, model", _report)
        await _measure(sides, turns, samples, "explain", _explain)
        for side in sides:
            await _forget_a_month(side, first, now, samples)
    return _sum_up(samples)


async def _fill(probe: Any, store: Store, runs: int, first: datetime, now: datetime) -> None:
    await probe.execute("alter table runs disable trigger user")  # nobody looks at what changes
    for begin in range(0, runs, RUNS_AT_ONCE):
        for statement in FILLS:
            await probe.execute(statement, begin, min(runs, begin + RUNS_AT_ONCE), runs, first, now)
    await probe.execute("alter table runs enable trigger user")
    await probe.execute("vacuum analyze")
    await roll_up_usage(store)
    await keep_months(store.database, now)
    await probe.execute("vacuum analyze")
    await probe.execute("checkpoint")


async def _measure_turns(sides: Sequence[Side], turns: int, samples: Samples) -> None:
    threads = {
        side.form: [await side.ours.prepare(FLOW) for _ in range(WARM_UP + turns)] for side in sides
    }

    async def answer(side: Side, n: int) -> None:
        await side.ours.run(threads[side.form][n], FLOW)

    for side in sides:
        await reset_domain(side.probe)
        for n in range(turns, turns + WARM_UP):
            await answer(side, n)
    await _measure(sides, turns, samples, "turn", answer)


async def _report(side: Side, _n: int) -> None:
    await summarize_usage(side.store.read(TENANT), ("day", "model"))


async def _explain(side: Side, n: int) -> None:
    run_id = side.run_ids[n % len(side.run_ids)]
    await side.store.load_run(TENANT, None, run_id)
    await side.store.load_steps(TENANT, run_id)
    await side.store.list_calls(TENANT, run_id)
    await side.store.list_tool_calls(TENANT, run_id)


async def _forget_a_month(side: Side, first: datetime, now: datetime, samples: Samples) -> None:
    days = (now - next_month(first)).days
    keep = UsageSettings(keep_calls_days=days, keep_events_days=days)

    async def forget(side: Side, _n: int) -> None:
        await delete_old_rows(side.store, keep, now)

    await _measure([side], 1, samples, "forget a month", forget)


async def _measure(
    sides: Sequence[Side],
    times: int,
    samples: Samples,
    name: str,
    work: Callable[[Side, int], Awaitable[Any]],
) -> None:
    """Both in turns, so that a busy machine is busy for both."""
    for n in range(times):
        for side in sides:
            logged, began = await read_wal_position(side.probe), time.perf_counter()
            await work(side, n)
            samples[name][side.form].append((time.perf_counter() - began) * 1000)
            logged = await read_wal_position(side.probe) - logged
            samples[f"{name}, bytes logged"][side.form].append(logged)


def _sum_up(samples: Samples) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for name, forms in samples.items():
        found[name] = {form: median(values) for form, values in forms.items()}
        if len(forms["plain"]) > 1 and "bytes" not in name:
            ends = {form: quantiles(values, n=20)[-1] for form, values in forms.items()}
            found[f"{name}, p95"] = ends
    return found


def print_result(result: dict[str, dict[str, float]], calls: int) -> None:
    rows = [
        (name, *(it[form] for form in FORMS), it["monthly"] / it["plain"] if it["plain"] else None)
        for name, it in result.items()
    ]
    title = f"{calls:,} calls and {2 * calls:,} events of {MONTHS} months; ms, the middle one"
    print_table(title, ("", *FORMS, "ratio"), rows)
