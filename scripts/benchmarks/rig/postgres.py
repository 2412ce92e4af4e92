"""A scratch Postgres for one benchmark, gone afterwards."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import asyncpg
import psutil

from plainloop.agent.store.embedded.server import start_embedded, stop_embedded

SCHEDULER_KEEPS_TIMES: Final = Path("/proc/self/schedstat").exists()
REST_S: Final = 0.003
RESTING_MS: Final = 0.02  # that all of them take in that time beside a poll


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


async def read_server_cpu(probe: Any) -> dict[int, float]:
    """Milliseconds of CPU that each of the server's processes has taken, by its id, once all of
    them rest: an answer is there before the work for it has ended.
    """
    taken = _list_cpu_ms(probe)
    while True:
        await asyncio.sleep(REST_S)
        before, taken = taken, _list_cpu_ms(probe)
        if sum_cpu_ms(before, taken) <= RESTING_MS:
            return taken


def sum_cpu_ms(before: Mapping[int, float], after: Mapping[int, float]) -> float:
    """What all have taken between two readings; without those that ended in between.

    >>> sum_cpu_ms({1: 5.0, 2: 70.0}, {1: 5.5, 3: 0.25})
    0.75
    """
    return sum(taken - before.get(process_id, 0.0) for process_id, taken in after.items())


def _list_cpu_ms(probe: Any) -> dict[int, float]:
    server = psutil.Process(probe.get_server_pid()).parent()
    assert server is not None
    taken: dict[int, float] = {}
    for process in (server, *server.children()):
        with suppress(psutil.NoSuchProcess, ProcessLookupError, FileNotFoundError):
            taken[process.pid] = _read_cpu_ms(process)
    return taken


def _read_cpu_ms(process: psutil.Process) -> float:
    """By the scheduler, in nanoseconds; where it keeps no such account, by the system's ticks."""
    if SCHEDULER_KEEPS_TIMES:
        return int(Path(f"/proc/{process.pid}/schedstat").read_text().split()[0]) / 1e6
    times = process.cpu_times()
    return (times.user + times.system) * 1000


async def read_wal_position(probe: Any) -> int:
    """Bytes that the server has written to its log since it was made."""
    return int(await probe.fetchval("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn"))
