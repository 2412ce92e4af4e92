"""A server process that is measured from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
# So that nothing but the machine is the limit.
LIMITS: Final = {
    "AGENT_PROVIDER": "offline",
    "AGENT_LIMITS_REQUESTS_PER_MINUTE": "1000000000",
    "AGENT_LIMITS_MESSAGES_PER_MINUTE": "1000000000",
    "AGENT_LIMITS_RUNS_PER_USER": "1000000",
    "AGENT_LIMITS_STREAMS_PER_USER": "1000000",
    "AGENT_LIMITS_DRAIN_S": "1",
}


@dataclass(frozen=True, slots=True)
class ServerProcess:
    """url: where it listens."""

    url: str
    pid: int

    def read_cpu_s(self) -> float:
        """CPU time that the process and its workers have taken, in the kernel as well."""
        process = psutil.Process(self.pid)
        times = [one.cpu_times() for one in (process, *process.children())]
        return sum(time.user + time.system for time in times)

    def read_resident_bytes(self) -> int:
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * PAGE_BYTES


@contextmanager
def start_server(command: Sequence[str], database_url: str, folder: str) -> Iterator[ServerProcess]:
    """A server of this database; the last word of its first line is its URL."""
    environ = {
        **{name: value for name, value in os.environ.items() if not name.startswith("AGENT_")},
        **LIMITS,
        "DATABASE_URL": database_url,
        "AGENT_DATA_DIR": folder,
    }
    process = subprocess.Popen(
        [sys.executable, *command],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline().split()
        if not first:
            raise RuntimeError("the server did not start")
        yield ServerProcess(first[-1], process.pid)
    finally:
        process.terminate()
        process.wait(20)
