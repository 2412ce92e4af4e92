"""Finds the server processes of a cluster by their working directory."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

from .cluster import STOP_TIMEOUT_S, get_socket_folder, make_error

ORPHANS_S: Final = 5.0  # that a dead server's processes get to see that it is dead


def wait_for_shutdown(folder: Path) -> None:
    """Wait until a Postgres server has shut down.

    The stale files of a dead server are removed. Stale files must go: their process id may be
    somebody else's now, or a zombie's, and Postgres would then refuse to start. But with them goes
    what keeps a new server from a killed one's processes, which may still write: first those have
    to be gone (test_a_killed_embedded_server_is_restarted_on_demand).
    """
    pid_file = folder / "data" / "postmaster.pid"
    deadline = time.monotonic() + STOP_TIMEOUT_S
    while _is_our_server(pid_file):
        if time.monotonic() > deadline:
            raise make_error(
                folder, "the Postgres server that still uses this folder does not stop"
            )
        time.sleep(0.05)
    # The server is gone and its file is not: it was killed, and may have left processes that write.
    if pid_file.exists():
        _end_orphans(folder / "data")
    pid_file.unlink(missing_ok=True)
    (get_socket_folder(folder) / ".s.PGSQL.5432.lock").unlink(missing_ok=True)


def _is_our_server(pid_file: Path) -> bool:
    """Whether the process that the pid file names is a server of this cluster."""
    try:
        process = psutil.Process(int(pid_file.read_text().split("\n", 1)[0]))
    except (FileNotFoundError, ValueError, psutil.Error):
        return False
    return _works_in(process, pid_file.parent)


def _end_orphans(data: Path) -> None:
    """Wait for processes that a killed server left behind, then kill them."""
    deadline = time.monotonic() + ORPHANS_S
    while left := [process for process in psutil.process_iter() if _works_in(process, data)]:
        if time.monotonic() > deadline:
            for process in left:
                with suppress(psutil.Error):
                    process.kill()
            deadline += ORPHANS_S
        time.sleep(0.05)


def _works_in(process: psutil.Process, folder: Path) -> bool:
    """Whether the process has this working directory; False once it has ended."""
    try:
        # A server works in its data folder; other programs may have its name and arguments.
        return process.cwd() == str(folder)
    except psutil.Error:
        return False
