"""Which processes are a cluster's server. The kernel tells it by where they work."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from .cluster import STOP_TIMEOUT_S, get_socket_folder, make_error

ORPHANS_S: Final = 5.0  # that a dead server's processes get to see that it is dead


def wait_for_shutdown(folder: Path) -> None:
    """Wait for a server that still shuts down; forget one that is gone.

    Stale files must go: their process id may be somebody else's now, or a zombie's, and Postgres
    would then refuse to start. But with them goes what keeps a new server from a killed one's
    processes, which may still write: first those have to be gone
    (test_a_killed_server_is_started_again_by_whoever_needs_it).
    """
    pid_file = folder / "data" / "postmaster.pid"
    deadline = time.monotonic() + STOP_TIMEOUT_S
    while _is_our_server(pid_file):
        if time.monotonic() > deadline:
            raise make_error(folder, "an earlier server of this directory does not stop")
        time.sleep(0.05)
    if pid_file.exists():
        _end_orphans(folder / "data")
    pid_file.unlink(missing_ok=True)
    (get_socket_folder(folder) / ".s.PGSQL.5432.lock").unlink(missing_ok=True)


def _is_our_server(pid_file: Path) -> bool:
    try:
        pid = int(pid_file.read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return False
    if not Path("/proc/self/cwd").exists():
        return _is_process(pid)
    return _works_in(pid, pid_file.parent)


def _end_orphans(data: Path) -> None:
    """Processes that a killed server left behind: they end by themselves, or are killed."""
    deadline = time.monotonic() + ORPHANS_S
    while left := [pid for pid in _list_processes() if _works_in(pid, data)]:
        if time.monotonic() > deadline:
            for pid in left:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            deadline += ORPHANS_S
        time.sleep(0.05)


def _list_processes() -> list[int]:
    """Empty where the kernel does not tell."""
    with suppress(OSError):
        return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return []


def _works_in(pid: int, folder: Path) -> bool:
    """One that has ended works nowhere, even while nobody has noticed its end."""
    try:
        return Path(f"/proc/{pid}/cwd").readlink() == folder
    except OSError:
        return False


def _is_process(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
