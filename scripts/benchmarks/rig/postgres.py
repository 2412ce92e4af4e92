"""A scratch Postgres for one benchmark, gone afterwards."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import psutil

from plainloop.agent.store.embedded.server import start_embedded, stop_embedded


@contextmanager
def scratch_postgres() -> Iterator[str]:
    """The URL of an embedded server in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="plainloop-bench-"))
    folder.chmod(0o711)  # as root the server runs under another account, and must pass through
    try:
        yield start_embedded(folder)
    finally:
        stop_embedded(folder)
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def open_probe(url: str) -> AsyncIterator[Any]:
    """A connection beside those that are measured; checkpoints, which would put whole pages into
    the log, stay away from the measurement.
    """
    connection: Any = await asyncpg.connect(url)
    try:
        for setting in ("checkpoint_timeout = '1h'", "max_wal_size = '8GB'"):
            await connection.execute(f"alter system set {setting}")
        await connection.execute("select pg_reload_conf()")
        yield connection
    finally:
        await connection.close()


def read_server_cpu(probe: Any) -> float:
    """Seconds of CPU that all of the server's processes have taken, those that ended as well."""
    server = psutil.Process(probe.get_server_pid()).parent()
    assert server is not None
    ended = server.cpu_times()
    total = ended.user + ended.system + ended.children_user + ended.children_system
    for process in server.children():
        times = process.cpu_times()
        total += times.user + times.system
    return total


async def read_wal_position(probe: Any) -> int:
    """Bytes that the server has written to its log since it was made."""
    return int(await probe.fetchval("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn"))
