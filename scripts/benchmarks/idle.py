"""What replicas without anything to do ask of their database: transactions and WAL per second.

    .venv/bin/python -m scripts.benchmarks.idle --replicas 2 8 32 --seconds 60

Each is a process of its own, as `plainloop serve` starts it; they are forked from one that has
imported everything, so that many of them start quickly.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncpg

from plainloop.agent.config.settings import load_settings
from plainloop.agent.offline.wire.serving import open_listener
from plainloop.agent.service.opening import open_service
from plainloop.agent.store.embedded.server import start_embedded
from plainloop.server.serving import Replica

SETTLE_S = 20.0  # after the last one is ready: migrations and first looks are over
NUMBERS = """
select sum(xact_commit + xact_rollback)::bigint as transactions,
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as wal_bytes,
    (select count(*) from pg_stat_activity where application_name = 'plainloop') as connections
from pg_stat_database
"""


def serve(environ: dict[str, str], ready: Any) -> None:
    async def run() -> None:
        settings = load_settings(environ)
        async with open_service(settings) as service:
            replica = Replica(service, open_listener("127.0.0.1", 0))
            await replica.serve(lambda url: ready.release())

    with suppress(KeyboardInterrupt):
        asyncio.run(run())


async def measure(url: str, environ: dict[str, str], count: int, seconds: float) -> str:
    context = multiprocessing.get_context("fork")
    ready = context.Semaphore(0)
    replicas = [context.Process(target=serve, args=(environ, ready)) for _ in range(count)]
    for replica in replicas:
        replica.start()
    try:
        for _ in replicas:
            await asyncio.to_thread(ready.acquire)
        await asyncio.sleep(SETTLE_S)
        connection = await asyncpg.connect(url)
        before = await connection.fetchrow(NUMBERS)
        await asyncio.sleep(seconds)
        after = await connection.fetchrow(NUMBERS)
        await connection.close()
    finally:
        for replica in replicas:
            replica.kill()
        for replica in replicas:
            replica.join()
    transactions = (after["transactions"] - before["transactions"]) / seconds
    wal_kb = (after["wal_bytes"] - before["wal_bytes"]) / seconds / 1000
    return (
        f"{count:>3} replicas  {transactions:7.1f} transactions/s  {wal_kb:7.2f} kB WAL/s  "
        f"{after['connections']:>4} connections"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicas", type=int, nargs="+", default=[2, 8, 32])
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        url = start_embedded(Path(folder))
        environ = {"DATABASE_URL": url, "AGENT_PROVIDER": "offline", "AGENT_DATA_DIR": folder}
        environ |= {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        for count in given.replicas:
            print(asyncio.run(measure(url, environ, count, given.seconds)), flush=True)


if __name__ == "__main__":
    main()
