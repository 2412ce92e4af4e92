"""`bench idle`: what replicas ask of their database, without anything to do or with a steady load.

A model call takes half a second, and each run is watched where it runs and from another replica.
Each replica is a process of its own, as `plainloop serve` starts it; they are forked from one that
has imported everything, so that many of them start quickly.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import asyncpg
import httpx2

from plainloop.agent.config.settings import load_settings
from plainloop.agent.service.opening import open_service
from plainloop.agent.store.embedded.server import start_embedded
from plainloop.server.serving import Replica
from plainloop_wire.serving import build_environ, open_listener

NUMBERS = """
select sum(xact_commit + xact_rollback)::bigint as transactions,
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as wal_bytes,
    (select count(*) from pg_stat_activity where application_name = 'plainloop') as connections
from pg_stat_database
"""


def serve(environ: dict[str, str], urls: Any) -> None:
    async def run() -> None:
        settings = load_settings(environ)
        async with open_service(settings) as service:
            replica = Replica(service, open_listener("127.0.0.1", 0))
            await replica.serve(urls.put)

    with suppress(KeyboardInterrupt):
        asyncio.run(run())


async def measure(
    url: str, environ: dict[str, str], count: int, runs_per_s: float, options: argparse.Namespace
) -> str:
    context = multiprocessing.get_context("fork")
    urls = context.SimpleQueue()
    replicas = [context.Process(target=serve, args=(environ, urls)) for _ in range(count)]
    addresses: list[str] = []
    try:
        for replica in replicas:  # one after the other: many at once would wait for each other
            replica.start()
            addresses.append(await asyncio.to_thread(urls.get))
        await asyncio.sleep(options.settle)
        async with Load(addresses, runs_per_s) as load:
            if runs_per_s:
                await asyncio.sleep(options.settle)
            connection = await asyncpg.connect(url)
            before, begun = await connection.fetchrow(NUMBERS), load.ended
            await asyncio.sleep(options.seconds)
            after, ended = await connection.fetchrow(NUMBERS), load.ended - begun
            await connection.close()
    finally:
        for replica in replicas[: len(addresses)]:
            replica.kill()
            replica.join()
    seconds = options.seconds
    transactions = (after["transactions"] - before["transactions"]) / seconds
    wal_kb = (after["wal_bytes"] - before["wal_bytes"]) / seconds / 1000
    return (
        f"{count:>3} replicas  {ended / seconds:5.1f} runs/s  {transactions:7.1f} transactions/s  "
        f"{wal_kb:7.2f} kB WAL/s  {after['connections']:>4} connections"
    )


class Load:
    """Runs that begin one after the other, on the replicas in turn, while inside."""

    def __init__(self, addresses: list[str], runs_per_s: float) -> None:
        limits = httpx2.Limits(max_connections=None)
        self._clients = [
            httpx2.AsyncClient(base_url=url, timeout=60, trust_env=False, limits=limits)
            for url in addresses
        ]
        self._runs_per_s = runs_per_s
        self.ended = 0

    async def __aenter__(self) -> Load:
        self._task = asyncio.create_task(self._begin_always())
        return self

    async def __aexit__(self, *error: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        for client in self._clients:
            await client.aclose()

    async def _begin_always(self) -> None:
        async with asyncio.TaskGroup() as group:
            for number in itertools.count():
                if not self._runs_per_s:
                    return
                group.create_task(self._run(number))
                await asyncio.sleep(1 / self._runs_per_s)

    async def _run(self, number: int) -> None:
        client, other = (self._clients[(number + n) % len(self._clients)] for n in (0, 1))
        chat = "/api/chat/conversations"
        conversation = (await client.post(chat, json={})).json()["id"]
        path = f"{chat}/{conversation}"
        headers = {"accept": "text/event-stream"}
        words = {"content": f"add a job: Cook at Firm{number}"}
        async with client.stream("POST", f"{path}/messages", json=words, headers=headers) as told:
            told.raise_for_status()
            query = {"run_id": told.headers["x-run-id"]}
            async with asyncio.TaskGroup() as group:
                group.create_task(other.get(f"{path}/stream", params=query, headers=headers))
                group.create_task(told.aread())
        self.ended += 1


@contextmanager
def start_wire(environ: dict[str, str]) -> Iterator[dict[str, str]]:
    """A provider that takes its time; what points there."""
    command = [sys.executable, "-m", "plainloop", "wire-server", "--port", "0", "--first-ms", "500"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) as process:
        assert process.stdout
        line = process.stdout.readline()
        yield build_environ("anthropic", next(word for word in line.split() if "http" in word))
        process.kill()


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench idle", description=__doc__)
    numbers = {"type": int, "nargs": "+", "default": [2, 8, 32]}
    parser.add_argument("--replicas", **numbers, help="one measurement for each number of them")
    parser.add_argument("--seconds", type=float, default=60.0, help="that are measured")
    rates = {"type": float, "nargs": "+", "default": [0.0]}
    parser.add_argument("--runs", **rates, help="that begin each second, in all; likewise")
    settle = "seconds until it is measured: migrations and first looks are over"
    parser.add_argument("--settle", type=float, default=20.0, help=settle)
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        url = start_embedded(Path(folder))
        environ = {"DATABASE_URL": url, "AGENT_DATA_DIR": folder}
        environ |= {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        with start_wire(environ) as wire:
            for count, runs_per_s in itertools.product(options.replicas, options.runs):
                own = environ | wire
                told = asyncio.run(measure(url, own, count, runs_per_s, options))
                print(told, flush=True)
