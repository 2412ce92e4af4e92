"""`bench chunks`: CPU time per streamed chunk, our readers beside the SDKs' own loops.

Both read the same bytes from a loopback server of its own process, by turns.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import time
from collections import defaultdict
from statistics import median
from typing import Any

from plainloop.agent.providers.http.clients import close_clients
from scripts.benchmarks.chunk.readers import Reader, make_our_readers, make_sdk_readers
from scripts.benchmarks.chunk.replay import start_replay
from scripts.benchmarks.chunk.streams import FORMATS, make_pieces
from scripts.benchmarks.rig.report import print_json, print_table, to_ratio

WARM_UP_ROUNDS = 2


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench chunks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="measured streams of each reader")
    parser.add_argument("--pieces", type=int, default=1000, help="text pieces of one stream")
    parser.add_argument(
        "--events-per-write", type=int, default=8, help="events that the server sends together"
    )
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    options = parser.parse_args(argv)
    result = measure(options.rounds, options.pieces, options.events_per_write)
    if options.json:
        print_json(result)
    else:
        print_result(result)


def measure(rounds: int, pieces: int, events_per_write: int) -> dict[str, Any]:
    """`{"cpu_us_per_chunk": {format: {"ours": …, "sdk": …}}}`, medians."""
    with start_replay(pieces, events_per_write) as url:
        taken = asyncio.run(_read_by_turns(url, rounds, pieces))
    return {
        "rounds": rounds,
        "pieces": pieces,
        "events_per_write": events_per_write,
        "cpu_us_per_chunk": {
            name: {kind: round(median(values), 2) for kind, values in kinds.items()}
            for name, kinds in taken.items()
        },
    }


async def _read_by_turns(url: str, rounds: int, pieces: int) -> dict[str, dict[str, list[float]]]:
    taken: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    readers = {"ours": make_our_readers(url), "sdk": make_sdk_readers(url)}
    expected = "".join(make_pieces(pieces))
    warm_up = WARM_UP_ROUNDS if rounds > 1 else 0
    gc.freeze()  # what was there before is looked through no more
    for number in range(warm_up + rounds):
        kinds = list(readers) if number % 2 else list(reversed(readers))
        for name in FORMATS:
            for kind in kinds:
                cpu_s = await _time_reader(readers[kind][name], expected, f"{kind}, {name}")
                if number >= warm_up:
                    taken[name][kind].append(cpu_s / pieces * 1e6)
    await close_clients()
    return taken


async def _time_reader(reader: Reader, expected: str, name: str) -> float:
    """CPU seconds for one whole stream. Raises: RuntimeError when its text is not what was sent."""
    gc.collect()  # nobody pays for what the one before left behind
    before = time.process_time()
    text = await reader()
    cpu_s = time.process_time() - before
    if text != expected:
        raise RuntimeError(f"{name}: read {len(text)} characters of {len(expected)}")
    return cpu_s


def print_result(result: dict[str, Any]) -> None:
    print_table(
        f"CPU per streamed chunk, µs (medians of {result['rounds']} streams of "
        f"{result['pieces']} chunks, request included)",
        ["", "ours", "plain loop", "ratio"],
        [
            [name, cost["ours"], cost["sdk"], to_ratio(cost["ours"], cost["sdk"])]
            for name, cost in result["cpu_us_per_chunk"].items()
        ],
    )
