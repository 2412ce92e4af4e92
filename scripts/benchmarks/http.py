"""`bench http`: what HTTP costs beside the same runs in-process; a thousand open streams.

Runs: a count that needs no model (the cheapest run there is, so the largest share of HTTP), and a
job that the offline stand-in adds; over HTTP against `RunHost` in this process, in turns.
Streams: a model in the server says the time; how late each piece arrives, once all streams are
open, is what the service adds (and this client, who reads them all). Beside it the floor: the same
pieces, streamed by Starlette and uvicorn alone, in turns.
With `--workers 1 2`, instead: the same runs over HTTP against servers of so many processes, in
turns, each with a database of its own. Clients and Postgres share the machine: compare what the
processes do only where it has cores for all of them.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, Final

import uvloop

from plainloop.agent.config.settings import load_settings
from plainloop.agent.config.values import Secret
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.runs import RunHost
from plainloop.agent.service.service import LOCAL_TENANT, LOCAL_USER
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.types import RunRequest
from scripts.benchmarks.http_rig.clients import (
    Connection,
    Gate,
    begin_conversations,
    get_percentile,
)
from scripts.benchmarks.http_rig.served import ServerProcess, start_server
from scripts.benchmarks.rig.postgres import scratch_postgres
from scripts.benchmarks.rig.report import print_json, print_table, to_ratio

SERVE: Final = ("-m", "plainloop", "serve", "--port", "0")
PACED: Final = ("-m", "scripts.benchmarks.http_rig.paced_server")
FLOOR: Final = ("-m", "scripts.benchmarks.http_rig.floor_server")
WARMING: Final = 20  # the first streams of a server, which are short
LOADS: Final = {"floor": FLOOR, "own runs": PACED, "one run": PACED}
MESSAGES: Final = {
    "count, no model": "how many jobs have I applied to?",
    "one tool call": "add a job: Cook at Cafe Uno",
}
Result = dict[str, Any]


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench http", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="of both sides; 0: streams alone")
    parser.add_argument("--runs", type=int, default=100, help="runs per round and side")
    parser.add_argument("--clients", type=int, default=16, help="clients at once")
    parser.add_argument("--streams", type=int, default=1000, help="open streams at once")
    parser.add_argument("--rate", type=float, default=10, help="tokens a second and stream")
    parser.add_argument("--tokens", type=int, default=200, help="tokens of one stream")
    parser.add_argument("--turns", type=int, default=1, help="of all streams; medians of them")
    parser.add_argument("--loads", nargs="+", choices=LOADS, default=[*LOADS], help="of streams")
    parser.add_argument(
        "--workers", type=int, nargs="+", default=[], help="instead: servers of so many processes"
    )
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    options = parser.parse_args(argv)
    result = measure_workers(options) if options.workers else measure(options)
    if options.json:
        print_json(result)
    elif options.workers:
        print_workers(result)
    else:
        print_result(result)


def measure(options: argparse.Namespace) -> Result:
    with scratch_postgres() as database_url, tempfile.TemporaryDirectory() as folder:
        result: Result = {}
        if options.rounds:
            with start_server(SERVE, database_url, folder) as server:
                result["runs"] = _run(_measure_runs(options, server, database_url, folder))
                result["idle_viewers"] = _run(_measure_idle_viewers(options.streams, server))
        pace = (str(options.rate), str(options.tokens), str(WARMING))
        taken: dict[str, list[Result]] = {name: [] for name in options.loads}
        for _ in range(options.turns):
            # Each on a server of its own: memory that one load gave back would hide the next one's.
            for name, found in taken.items():
                counts = (1, options.streams) if name == "one run" else (options.streams, 1)
                with start_server((*LOADS[name], *pace), database_url, folder) as server:
                    found.append(_run(_measure_streams(server, *counts)))
        streams: Result = {"rate": options.rate, "tokens": options.tokens}
        for name, found in taken.items():
            streams[name] = {key: median(one[key] for one in found) for key in found[0]}
    return {**result, "streams": streams}


def measure_workers(options: argparse.Namespace) -> Result:
    """`{message's name: {number of processes: figures}}`."""
    with ExitStack() as stack:
        servers: dict[int, ServerProcess] = {}
        for count in options.workers:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            database_url = stack.enter_context(scratch_postgres())
            command = (*SERVE, "--workers", str(count))
            servers[count] = stack.enter_context(start_server(command, database_url, folder))
        return _run(_take_turns(options, servers))


async def _take_turns(options: argparse.Namespace, servers: dict[int, ServerProcess]) -> Result:
    """Each round begins with another server."""
    result: Result = {}
    for name, message in MESSAGES.items():
        samples: dict[int, list[tuple[float, float]]] = {count: [] for count in servers}
        for number in range(options.rounds + 1):
            for count in [*servers] if number % 2 else reversed(servers):
                samples[count].append(await _run_over_http(servers[count], message, options))
        # The first round warms up.
        result[name] = {str(count): _summarize(taken[1:]) for count, taken in samples.items()}
    return result


def _run(work: Any) -> Result:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


async def _measure_runs(
    options: argparse.Namespace, server: ServerProcess, database_url: str, folder: str
) -> Result:
    settings = replace(load_settings({}), provider="offline", data_dir=Path(folder))
    settings = settings.change(DatabaseSettings, url=Secret(database_url))
    result: Result = {}
    async with open_service(settings) as service:
        host = RunHost(service)
        await host.start()
        for name, message in MESSAGES.items():
            over_http: list[tuple[float, float]] = []
            in_process: list[tuple[float, float]] = []
            for _ in range(options.rounds + 1):
                over_http.append(await _run_over_http(server, message, options))
                in_process.append(await _run_in_process(host, service, message, options))
            result[name] = {
                "http": _summarize(over_http[1:]),  # the first round warms up
                "in-process": _summarize(in_process[1:]),
            }
        health = await _measure_health(server, options)
        await host.drain(1)
    return {**result, "GET /api/health": {"http": health}}


async def _run_over_http(
    server: ServerProcess, message: str, options: argparse.Namespace
) -> tuple[float, float]:
    """Runs a second, and the server's CPU seconds per run."""
    conversations = await begin_conversations(server.url, options.clients)
    share = max(1, options.runs // options.clients)

    async def talk(conversation: str) -> None:
        connection = await Connection.open(server.url)
        path = f"/api/chat/conversations/{conversation}/messages"
        for _ in range(share):
            await connection.send("POST", path, {"content": message}, "text/event-stream")
            last = await connection.read_stream()
            if b"event: done" not in last:
                raise RuntimeError(last.decode())
        connection.close()

    cpu, started = server.read_cpu_s(), time.perf_counter()
    await asyncio.gather(*map(talk, conversations))
    total = share * len(conversations)
    return total / (time.perf_counter() - started), (server.read_cpu_s() - cpu) / total


async def _run_in_process(
    host: RunHost, service: Any, message: str, options: argparse.Namespace
) -> tuple[float, float]:
    """The same through the same host, without any HTTP."""
    share = max(1, options.runs // options.clients)
    threads = [
        await service.ensure_thread(LOCAL_TENANT, LOCAL_USER, None, message)
        for _ in range(options.clients)
    ]

    async def talk(thread_id: str) -> None:
        for _ in range(share):
            ticket = await host.submit(LOCAL_TENANT, LOCAL_USER, thread_id, RunRequest(message))
            async for _ in host.watch_batches(LOCAL_TENANT, LOCAL_USER, ticket.run_id):
                pass

    cpu, started = time.process_time(), time.perf_counter()
    await asyncio.gather(*(talk(thread.thread_id) for thread in threads))
    total = share * len(threads)
    return total / (time.perf_counter() - started), (time.process_time() - cpu) / total


async def _measure_health(server: ServerProcess, options: argparse.Namespace) -> Result:
    """The floor of one request."""
    count = options.runs * 2

    async def ask() -> None:
        connection = await Connection.open(server.url)
        for _ in range(count):
            await connection.ask("GET", "/api/health")
        connection.close()

    cpu, started = server.read_cpu_s(), time.perf_counter()
    await asyncio.gather(*(ask() for _ in range(options.clients)))
    total = count * options.clients
    elapsed_s = time.perf_counter() - started
    return _summarize([(total / elapsed_s, (server.read_cpu_s() - cpu) / total)])


def _summarize(samples: list[tuple[float, float]]) -> Result:
    return {
        "per_s": round(median(per_s for per_s, _ in samples), 1),
        "cpu_ms": round(median(cpu_s for _, cpu_s in samples) * 1000, 3),
    }


async def _measure_idle_viewers(count: int, server: ServerProcess) -> Result:
    """Memory of a kept-alive connection, the floor of what a stream can take."""
    before = server.read_resident_bytes()
    connections = [await Connection.open(server.url) for _ in range(count)]
    await asyncio.gather(*(item.ask("GET", "/api/health") for item in connections))
    grown = server.read_resident_bytes() - before
    for item in connections:
        item.close()
    return {"connections": count, "bytes_per_connection": round(grown / count)}


async def _measure_streams(server: ServerProcess, runs: int, viewers: int) -> Result:
    # A first, small load: what a process needs once is not the streams'.
    await _stream(server, WARMING, viewers=1)
    return await _stream(server, runs, viewers)


async def _stream(server: ServerProcess, runs: int, viewers: int) -> Result:
    conversations = await begin_conversations(server.url, runs)
    before = server.read_resident_bytes()
    connections: list[Connection] = []
    gate = Gate(runs * viewers)
    peak = 0

    async def watch(conversation: str, is_first: bool) -> None:
        connection = await Connection.open(server.url)
        connections.append(connection)
        path = f"/api/chat/conversations/{conversation}"
        try:
            if is_first:
                body = {"content": "tell me what time it is, please"}
                await connection.send("POST", f"{path}/messages", body)
            else:
                await connection.send("GET", f"{path}/stream")
        finally:
            gate.pass_one()  # one that is refused too, or all would wait for it without end
        last = await connection.read_stream(gate)
        if b"event: done" not in last:
            raise RuntimeError(last.decode())

    async def look() -> None:
        nonlocal peak
        while True:
            peak = max(peak, server.read_resident_bytes())
            await asyncio.sleep(0.2)

    looking = asyncio.create_task(look())
    posted = [asyncio.create_task(watch(item, True)) for item in conversations]
    if viewers > 1:
        await asyncio.sleep(0.3)
        posted += [asyncio.create_task(watch(conversations[0], False)) for _ in range(viewers - 1)]
    await gate.opened.wait()
    cpu, started = server.read_cpu_s(), time.perf_counter()
    await asyncio.gather(*posted)
    looking.cancel()
    elapsed_s = time.perf_counter() - started
    delays = [delay for item in connections for delay in item.delays_ms]
    gaps = [gap for item in connections for gap in item.gaps_ms]
    for item in connections:
        item.close()
    return {
        "streams": len(connections),
        "bytes_per_stream": round((peak - before) / len(connections)),
        "tokens_per_s": round(len(delays) / elapsed_s),
        "delay_ms_p50": _round_percentile(delays, 0.5),
        "delay_ms_p99": _round_percentile(delays, 0.99),
        "gap_ms_p99": _round_percentile(gaps, 0.99),
        "cpu_cores": round((server.read_cpu_s() - cpu) / elapsed_s, 2),
    }


def _round_percentile(values: list[float], share: float) -> float | None:
    """None where all had ended before all were there."""
    return round(get_percentile(values, share), 2) if values else None


def print_result(result: Result) -> None:
    if "runs" in result:
        _print_runs(result)
    streams = result["streams"]
    keys = ("streams", "bytes_per_stream", "tokens_per_s", "delay_ms_p50", "delay_ms_p99")
    keys = (*keys, "gap_ms_p99", "cpu_cores")
    print_table(
        f"Streams at {streams['rate']:g} tokens/s each (delay: model to viewer)",
        ("viewers of", *keys),
        [[name, *(streams[name][key] for key in keys)] for name in LOADS if name in streams],
    )


def print_workers(result: Result) -> None:
    """Print the figures of each number of processes, beside the first one's runs a second."""
    rows: list[list[Any]] = []
    for name, counts in result.items():
        first = next(iter(counts.values()))["per_s"]
        for count, figures in counts.items():
            per_s = figures["per_s"]
            rows.append([name, int(count), per_s, figures["cpu_ms"], round(per_s / first, 2)])
    columns = ("run", "processes", "HTTP /s", "CPU ms", "times the first")
    print_table("Runs by number of processes (medians over rounds)", columns, rows)


def _print_runs(result: Result) -> None:
    rows = [
        [
            name,
            sides["http"]["per_s"],
            sides["http"]["cpu_ms"],
            sides.get("in-process", {}).get("per_s"),
            sides.get("in-process", {}).get("cpu_ms"),
            to_ratio(sides["in-process"]["cpu_ms"], sides["http"]["cpu_ms"])
            if "in-process" in sides
            else None,
        ]
        for name, sides in result["runs"].items()
    ]
    columns = ("run", "HTTP /s", "CPU ms", "in-process /s", "CPU ms", "HTTP costs")
    print_table("Runs (medians over rounds)", columns, rows)
    idle = result["idle_viewers"]
    print(
        f"\n  {idle['connections']} idle connections: {idle['bytes_per_connection']:,} bytes each"
    )
