"""Who works on a run: a text that tells a living process from a dead one on the same machine."""

from __future__ import annotations

import os
import socket
from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def _make_host() -> str:
    """Host name plus process-id namespace: containers may share a name, never both."""
    try:
        namespace = str(Path("/proc/self/ns/pid").readlink()).strip("pid:[]")
    except OSError:
        namespace = "0"
    return f"{socket.gethostname()}.{namespace}"


def make_owner() -> str:
    """This process as `host/pid/start`; the start time guards against a reused pid."""
    pid = os.getpid()
    return f"{_make_host()}/{pid}/{_load_start(pid)}"


def is_owner_dead(owner: str | None) -> bool:
    """Whether the owner surely no longer runs. Another machine's owner is never known to be dead.

    >>> is_owner_dead(make_owner()), is_owner_dead("elsewhere/1/1"), is_owner_dead(None)
    (False, False, False)
    """
    if not owner or owner.count("/") < 2:
        return False
    host, pid, start = owner.rsplit("/", 2)
    if host != _make_host() or not pid.isdecimal():
        return False
    return _load_start(int(pid)) != start


def _load_start(pid: int) -> str | None:
    """When the process started, in the kernel's own units; None when it is gone or a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return None if Path("/proc/self/stat").exists() else _load_start_portable(pid)
    except ProcessLookupError:
        return None
    # The command's name may hold spaces and parentheses: fields count from its last ")".
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else fields[19]


def _load_start_portable(pid: int) -> str | None:
    import psutil  # comes with the embedded Postgres; slow to import, so only where /proc is not

    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else str(process.create_time())
    except psutil.NoSuchProcess:
        return None
