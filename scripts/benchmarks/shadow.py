"""`bench shadow`: what users wait for with a shadow beside them, and without one.

One server, whose model answers at a fixed pace; users arrive at random, as many a second either
way. Rounds take turns, without a shadow and with it, and so does which of them is first. A run's
latency is from its request to the end of its stream; the ratio's interval is of resampled runs.
The server's CPU time says the same with less noise: what the shadow takes from live runs is that.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import uvloop

from plainloop.agent.config.settings import load_settings
from plainloop.agent.config.values import Secret
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.service import LOCAL_TENANT, LOCAL_USER
from plainloop.agent.service.variants import Variant
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.store import Store
from plainloop_lab.service.rollouts import ShadowOptions, start_shadow, stop_rollout
from plainloop_lab.store import replays as store_replays
from plainloop_lab.store import rollouts as store_rollouts
from scripts.benchmarks.http_rig.clients import Connection, begin_conversations, get_percentile
from scripts.benchmarks.http_rig.served import ServerProcess, start_server
from scripts.benchmarks.rig.postgres import scratch_postgres
from scripts.benchmarks.rig.report import print_json, print_table

PACED: Final = ("-m", "scripts.benchmarks.http_rig.paced_server")
CANDIDATE: Final = Variant(prompts={"general": "You are another one."})
SIDES: Final = ("without", "with a shadow")
DRAWS: Final = 1_000
Result = dict[str, Any]


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench shadow", description=__doc__)
    parser.add_argument("--rounds", type=int, default=6, help="times that both sides take turns")
    parser.add_argument("--runs", type=int, default=100, help="runs per round and side")
    parser.add_argument("--per-second", type=float, default=4, help="users that arrive")
    parser.add_argument("--rate", type=float, default=50, help="tokens a second of the model")
    parser.add_argument("--tokens", type=int, default=10, help="tokens of one answer")
    parser.add_argument("--share", type=float, default=0.2, help="of runs, for the shadow")
    parser.add_argument("--beside", type=int, default=0, help="live runs that it works beside")
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    options = parser.parse_args(argv)
    with scratch_postgres() as url, tempfile.TemporaryDirectory() as folder:
        command = (*PACED, str(options.rate), str(options.tokens))
        with (
            start_server(command, url, folder) as server,
            asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        ):
            result = runner.run(measure(options, server, url, folder))
    if options.json:
        print_json(result)
    else:
        print_result(result)


async def measure(
    options: argparse.Namespace, server: ServerProcess, url: str, folder: str
) -> Result:
    settings = replace(load_settings({}), provider="offline", data_dir=Path(folder))
    settings = settings.change(DatabaseSettings, url=Secret(url))
    draw = random.Random(options.runs)
    took: dict[str, list[float]] = {side: [] for side in SIDES}
    cpu_s: dict[str, float] = dict.fromkeys(SIDES, 0.0)
    replayed = 0
    async with open_service(settings) as service:
        await _answer_users(server, options, draw)  # warms up
        for n in range(options.rounds):
            for side in SIDES if n % 2 else reversed(SIDES):
                rollout_id = None
                if side == SIDES[1]:
                    shadow = ShadowOptions(options.share, Decimal(1_000), options.beside)
                    rollout_id = await start_shadow(
                        service.store, LOCAL_TENANT, LOCAL_USER, CANDIDATE, shadow
                    )
                begun_s = server.read_cpu_s()
                took[side] += await _answer_users(server, options, draw)
                cpu_s[side] += server.read_cpu_s() - begun_s
                if rollout_id is not None:
                    replayed += await _end_shadow(service.store, rollout_id)
    return {
        "sides": {side: _summarize(values, cpu_s[side]) for side, values in took.items()},
        "ratio": {
            name: _compare(took, share, draw)
            for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
        },
        "replayed": replayed,
        "share": options.share,
    }


async def _answer_users(
    server: ServerProcess, options: argparse.Namespace, draw: random.Random
) -> list[float]:
    """By run, milliseconds; nobody waits for anybody else's answer to arrive."""

    async def ask(conversation: str) -> float:
        begun = time.perf_counter()
        connection = await Connection.open(server.url)
        path = f"/api/chat/conversations/{conversation}/messages"
        body = {"content": "tell me what time it is, please"}
        await connection.send("POST", path, body, "text/event-stream")
        last = await connection.read_stream()
        connection.close()
        if b"event: done" not in last:
            raise RuntimeError(last.decode())
        return (time.perf_counter() - begun) * 1_000

    asked: list[asyncio.Task[float]] = []
    for conversation in await begin_conversations(server.url, options.runs):
        asked.append(asyncio.create_task(ask(conversation)))
        await asyncio.sleep(draw.expovariate(options.per_second))
    return await asyncio.gather(*asked)


async def _end_shadow(store: Store, rollout_id: str) -> int:
    """How many conversations it has replayed."""
    rows = store.read(LOCAL_TENANT)
    rollout = await store_rollouts.load_rollout(rows, rollout_id)
    info = await store_replays.load_replay(rows, None, rollout.replay_id or "")
    await stop_rollout(store, LOCAL_TENANT, rollout)
    return info.items.get("succeeded", 0)


def _summarize(values: Sequence[float], cpu_s: float) -> Result:
    found = {f"p{share * 100:g}": get_percentile(values, share) for share in (0.5, 0.95, 0.99)}
    found["cpu_ms"] = cpu_s / len(values) * 1_000
    return {"runs": len(values), **{name: round(value, 1) for name, value in found.items()}}


def _compare(took: dict[str, list[float]], share: float, draw: random.Random) -> list[float]:
    """[the ratio, between which two it is with 95 %]."""
    without, beside = (took[side] for side in SIDES)
    drawn = sorted(
        get_percentile(draw.choices(beside, k=len(beside)), share)
        / get_percentile(draw.choices(without, k=len(without)), share)
        for _ in range(DRAWS)
    )
    ratio = get_percentile(beside, share) / get_percentile(without, share)
    return [round(value, 3) for value in (ratio, drawn[DRAWS // 40], drawn[-DRAWS // 40])]


def print_result(result: Result) -> None:
    rows = [[side, *values.values()] for side, values in result["sides"].items()]
    names = ("latency of live runs, ms", "runs", "p50", "p95", "p99", "CPU ms a run")
    print_table(f"A shadow of {result['share']:.0%} beside live runs", names, rows)
    for name, (ratio, low, high) in result["ratio"].items():
        print(f"  {name}: {ratio:.3f} times ({low:.3f} … {high:.3f})")
    print(f"  replayed meanwhile: {result['replayed']:,} conversations")
