"""`bench counts`: what a turn does, counted; the same on every machine.

Round trips to Postgres, transactions, Python calls, bytes written to sockets, and the bytes that
Postgres logs, which differ a little with how full a page is.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import uvloop

from plainloop.agent.core import attempts
from scripts.benchmarks.flow.ours import open_plainloop
from scripts.benchmarks.flow.raw import open_raw_loops
from scripts.benchmarks.flow.runs import Contender
from scripts.benchmarks.flow.seed import reset_domain
from scripts.benchmarks.flow.texts import FLOWS, Flow, build_script, renew
from scripts.benchmarks.rig.counting import Traffic, counted_calls, counted_http, counted_postgres
from scripts.benchmarks.rig.postgres import open_probe, read_wal_position, scratch_postgres
from scripts.benchmarks.rig.report import print_json, print_table
from scripts.benchmarks.rig.wire import start_wire

WARM_UP_ROUNDS: Final = 3  # a sentence said so often is remembered: triage needs no model for it
ROUNDS: Final = 4  # the quietest of them: what came round by its clock is no part of a run
EQUAL_WAL: Final = 64  # bytes by which turns that log the same differ, as their pages are filled
# What happens beside a run that lasts, by a clock, is no part of one that does not.
BY_THE_CLOCK: Final = {"EVENT_FLUSH_MS": "60000", "CANCEL_POLL_S": "60"}
LONG_S: Final = 60.0  # until an answer that still comes has its request's id stored


@dataclass(frozen=True, slots=True)
class Counts:
    """What one turn took."""

    round_trips: int
    transactions: int
    python_calls: int
    wal_bytes: int
    database_bytes: int
    model_bytes: int


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench counts", description=__doc__)
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    parser.add_argument("--ours", action="store_true", help="without the raw loops")
    options = parser.parse_args(argv)
    result = measure(with_raw_loops=not options.ours)
    print_json(result) if options.json else print_counts(result)


def measure(*, with_raw_loops: bool = True) -> dict[str, Any]:
    """`{contender: {flow's label: Counts}}`."""
    with (
        scratch_postgres() as database_url,
        start_wire(build_script()) as wire,
        counted_postgres(database_url) as (counted_url, database),
        counted_http(wire.base_url) as (wire_url, models),
    ):
        setattr(attempts, "START_FLUSH_DELAY_S", LONG_S)  # noqa: B010 in this process; it is a constant
        urls = (database_url, counted_url, wire_url)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # as it is served
            return runner.run(_count_all(*urls, (database, models), with_raw_loops))


async def _count_all(
    database_url: str,
    counted_url: str,
    wire_url: str,
    traffic: tuple[Traffic, Traffic],
    with_raw_loops: bool,
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="plainloop-bench-") as folder:
        async with (
            open_probe(database_url) as probe,
            open_plainloop(counted_url, wire_url, Path(folder), **BY_THE_CLOCK) as ours,
            open_raw_loops(counted_url, wire_url) as raw_loops,
        ):
            return {
                item.name: {
                    flow.label: asdict(await _count(item, flow, probe, traffic))
                    for flow in (*FLOWS, *renew())
                }
                for item in ([ours, *raw_loops] if with_raw_loops else [ours])
            }


async def _count(
    contender: Contender, flow: Flow, probe: Any, traffic: tuple[Traffic, Traffic]
) -> Counts:
    """One whole turn: of those measured the quietest.

    Of turns that log the same, it is the one with the fewest Python calls: under load an answer
    comes in more reads, each with calls of its own.
    """
    found = [
        await _count_once(contender, flow.word(number), probe, traffic)
        for number in range(WARM_UP_ROUNDS + ROUNDS)
    ]
    measured = found[WARM_UP_ROUNDS:]
    least = min(measured, key=lambda counts: (counts.round_trips, counts.wal_bytes))
    equal = (
        counts
        for counts in measured
        if counts.round_trips == least.round_trips
        and counts.wal_bytes <= least.wal_bytes + EQUAL_WAL
    )
    return min(equal, key=lambda counts: counts.python_calls)


async def _count_once(
    contender: Contender, flow: Flow, probe: Any, traffic: tuple[Traffic, Traffic]
) -> Counts:
    database, models = traffic
    await reset_domain(probe)
    thread_id = await contender.prepare(flow)
    logged = await read_wal_position(probe)
    before = (database.round_trips, database.transactions, database.sent_bytes, models.sent_bytes)
    with counted_calls() as calls:
        await contender.run(thread_id, flow)
    after = (database.round_trips, database.transactions, database.sent_bytes, models.sent_bytes)
    trips, transactions, *sent = (b - a for a, b in zip(before, after, strict=True))
    wal_bytes = await read_wal_position(probe) - logged
    return Counts(trips, transactions, calls[0], wal_bytes, *sent)


def print_counts(result: dict[str, Any]) -> None:
    """The tool call and the letter, as a new sentence and a known one, beside the raw loops."""
    columns = [name.replace("_", " ") for name in Counts.__annotations__]
    for flow in renew():
        rows: Sequence[Any] = [
            [f"{name}, {said}", *flows[label].values()]
            for name, flows in result.items()
            for said, label in (("new sentence", flow.label), ("known sentence", flow.name))
        ]
        print_table(f"Counted, {flow.name}", ["", *columns], rows)
