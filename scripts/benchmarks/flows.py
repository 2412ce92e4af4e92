"""`bench flows`: six messages through ours and through plain SDK loops, over the wire server.

Count, lookup, one tool call, three tool calls with synthesis, a letter with one evaluator retry,
one tool call on a thread of 40 stored messages; 16 tools, 3 workers, Anthropic's wire.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import uvloop

from scripts.benchmarks.counts import measure as measure_counts
from scripts.benchmarks.counts import print_counts
from scripts.benchmarks.efforts import measure as measure_efforts
from scripts.benchmarks.efforts import print_efforts
from scripts.benchmarks.flow.measure import count_tokens, run_rounds, summarize
from scripts.benchmarks.flow.ours import open_plainloop
from scripts.benchmarks.flow.raw import LEAN, open_raw_loops
from scripts.benchmarks.flow.runs import MODEL
from scripts.benchmarks.flow.texts import FLOWS, Flow, build_script, lengthen, renew
from scripts.benchmarks.rig.postgres import open_probe, scratch_postgres
from scripts.benchmarks.rig.process import measure_process
from scripts.benchmarks.rig.report import print_json, print_table, to_ratio
from scripts.benchmarks.rig.wire import WireProcess, start_wire

OURS: Final = "ours"
LOOPS: Final = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}
Result = dict[str, Any]


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench flows", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="measured runs of each flow")
    parser.add_argument(
        "--loop", choices=LOOPS, default="uvloop", help="of all contenders; we serve with uvloop"
    )
    parser.add_argument(
        "--pieces",
        type=int,
        nargs="+",
        default=[],
        help="instead: the tool call and the letter, with answers of so many pieces each",
    )
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    parser.add_argument("--starts", type=int, default=5, help="starts of whole processes, each")
    options = parser.parse_args(argv)
    if options.pieces:
        longer = {
            n: measure(options.rounds, lengthen(n), loop=options.loop) for n in options.pieces
        }
        if options.json:
            print_json(longer)
        for pieces, result in () if options.json else longer.items():
            print(f"\nAnswers of {pieces} pieces")
            print_medians(result)
        return
    result = measure(options.rounds, loop=options.loop, starts=options.starts)
    if options.json:
        print_json({**result, "efforts": measure_efforts()})
    else:
        print_result(result)
        print_counts(measure_counts())
        print_efforts(measure_efforts())


def measure(
    rounds: int, flows: Sequence[Flow] = FLOWS, *, loop: str = "uvloop", starts: int = 0
) -> Result:
    """All figures: `{"tokens": {contender: {flow: …}}, "medians": {…}, "processes": {…}}`."""
    with scratch_postgres() as database_url, start_wire(build_script(flows)) as wire:
        with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
            result = runner.run(_measure_flows(rounds, flows, database_url, wire))
        if starts:
            result["processes"] = measure_processes(database_url, wire, starts)
    return result


async def _measure_flows(
    rounds: int, flows: Sequence[Flow], database_url: str, wire: WireProcess
) -> Result:
    with tempfile.TemporaryDirectory(prefix="plainloop-bench-") as folder:
        async with (
            open_probe(database_url) as probe,
            open_plainloop(database_url, wire.base_url, Path(folder)) as ours,
            open_raw_loops(database_url, wire.base_url) as raw_loops,
        ):
            contenders = [ours, *raw_loops]
            counts = {
                item.name: await count_tokens(item, flows, wire, probe) for item in contenders
            }
            samples = await run_rounds(contenders, [*renew(flows), *flows], rounds, probe)
    return {
        "loop": type(asyncio.get_running_loop()).__module__.partition(".")[0],
        "rounds": rounds,
        "tokens": {
            name: {flow: asdict(count) for flow, count in flows.items()}
            for name, flows in counts.items()
        },
        "medians": {
            name: {flow: summarize(taken) for flow, taken in flows.items()}
            for name, flows in samples.items()
        },
    }


def measure_processes(database_url: str, wire: WireProcess, starts: int) -> Result:
    """Whole processes: what a start costs, with and without an SDK."""
    python = sys.executable
    env = {
        "AGENT_PROVIDER": "anthropic",
        "AGENT_MODEL": MODEL,
        "AGENT_API_BASE": wire.base_url,
        "ANTHROPIC_API_KEY": "bench",
        "DATABASE_URL": database_url,
    }
    question = "how many jobs do I have?"
    commands = {
        "plainloop --help": [python, "-m", "plainloop", "--help"],
        "plainloop ask (fast path)": [python, "-m", "plainloop", "ask", question],
        "raw: import anthropic, asyncpg": [python, "-c", "import anthropic, asyncpg"],
    }
    return {name: measure_process(command, env, starts) for name, command in commands.items()}


def print_result(result: Result) -> None:
    tokens = result["tokens"]
    names = list(tokens)
    print_table(
        "Input tokens as the wire server counts them (model calls)",
        ["", *names],
        [
            *(
                [flow.name, *(_show_tokens(tokens[name][flow.name]) for name in names)]
                for flow in FLOWS
            ),
            *_build_sums(tokens),
        ],
    )
    print(f"dearer than the lean loop: {', '.join(list_dearer(tokens)) or 'none'}")
    print_medians(result)
    processes = result.get("processes", {})
    if processes:
        rows = [[name, cost["wall_s"], cost["peak_mb"]] for name, cost in processes.items()]
        print_table("Whole processes", ["", "seconds", "peak MB"], rows)


def print_medians(result: Result) -> None:
    medians = result["medians"]
    rounds = f"{result['rounds']} interleaved rounds, all on {result['loop']}"
    print(f"\nMedians of {rounds}; in brackets: that many times ours")
    for key, title in (
        ("cpu_ms", "CPU, ms"),
        ("database_cpu_ms", "CPU of Postgres, ms"),
        ("wall_ms", "Time, ms"),
        ("wal_bytes", "Bytes that Postgres logs"),
        ("first_token_ms", "First token of the last model call, ms"),
    ):
        rows = [[flow, *_compare(medians, flow, key)] for flow in medians[OURS]]
        print_table(title, ["", *medians], rows)


def list_dearer(tokens: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """List the flows that cost more input tokens than the lean loop's, each with by how much."""
    more = {
        flow.name: tokens[OURS][flow.name]["input_tokens"] / count - 1
        for flow in FLOWS
        if (count := tokens[LEAN.name][flow.name]["input_tokens"])
    }
    return [f"{name} (+{share:.1%})" for name, share in more.items() if share > 0]


def _show_tokens(count: Mapping[str, Any]) -> str:
    return f"{count['input_tokens']:,} ({count['calls']})"


def _build_sums(tokens: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    rows: list[list[str]] = []
    for key, title in (("input_tokens", "all six"), ("cached_price", "all six at cached price")):
        sums = {name: sum(c[key] for c in flows.values()) for name, flows in tokens.items()}
        shown = [
            f"{value:,.0f}" if name == OURS else f"{value:,.0f} [{to_ratio(sums[OURS], value)}]"
            for name, value in sums.items()
        ]
        rows.append([title, *shown])
    return rows


def _compare(medians: Mapping[str, Any], flow: str, key: str) -> list[Any]:
    ours = medians[OURS][flow][key]
    cells: list[Any] = [ours]
    for name, flows in medians.items():
        if name != OURS:
            value = flows[flow][key]
            cells.append(None if value is None else f"{value:,.2f} [{to_ratio(ours or 0, value)}]")
    return cells
