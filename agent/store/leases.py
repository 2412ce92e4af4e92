"""Leases of runs: claim, heartbeat, hand back, and the fence that every write names.

Runs change hands like this, and so do a replay's items and batches (plainloop-lab):

    claim     one statement with `skip locked`, by the database's clock; it adds one to the fence
    extend    the heartbeat; what is missing from the answer has gone to somebody else
    release   nobody works on it: the next one that looks takes it at once

The lease only invites a new owner; the fence decides. A write that names an old fence finds no row.
"""

from __future__ import annotations

import os
import socket
import uuid
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeVar

from ..errors import LeaseLost
from .database import Queryable
from .sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "leases.sql")
T = TypeVar("T")


async def list_dead(tx: Queryable) -> list[str]:
    """List the owners of unfinished runs that are dead processes of this machine.
    Runs of other machines become free when their leases expire.
    """
    # The kernel shows at once that a process of this machine was killed; the lease would show it
    # after half a minute.
    owners = await tx.fetch(SQL["list_owners"])
    return [row["owner"] for row in owners if is_owner_dead(row["owner"])]


def require_held(found: T | None, what: str) -> T:
    """Return the result of a write that only the run's owner may make; raise if it is None.

    Raises: LeaseLost; the transaction must then be rolled back.
    """
    if found is None:
        raise LeaseLost(
            f"{what} has ended, or another process has taken it over",
            hint="Nothing was written; read the run to see its state.",
        )
    return found


@lru_cache(maxsize=1)
def _make_host() -> str:
    """Return an id of this machine: host name, boot id and process-id namespace.
    Machines may share a name, and the first namespace has one number everywhere: only the boot's id
    is a machine's own (tests/core/test_leases.py).
    """
    boot, namespace = f"{uuid.getnode():x}", "0"
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        # Two containers of one machine share its boot id, and each has a process 1
        # (test_a_run_owners_id_contains_boot_and_process_namespace).
        namespace = str(Path("/proc/self/ns/pid").readlink()).strip("pid:[]")
    return f"{socket.gethostname()}.{boot}.{namespace}"


def make_owner() -> str:
    """Return the name by which this process owns leases, as `host/pid/start`.
    The start time guards against a reused process id.
    """
    pid = os.getpid()
    return f"{_make_host()}/{pid}/{_load_start(pid)}"


def parse_owner(owner: str) -> tuple[str, str]:
    """Split a lease owner's name into (host name, process id) for display.

    >>> parse_owner("web.1.boot.4026531836/17/2") == ("web.1", "17"), parse_owner("elsewhere")
    (True, ('elsewhere', ''))
    """
    host, _, rest = owner.partition("/")
    return (host.rsplit(".", 2)[0] if rest else host), rest.partition("/")[0]


def is_owner_dead(owner: str | None) -> bool:
    """Whether a lease's owner was a process of this machine that has ended.

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
    """Return a process's start time in kernel ticks; None if it is gone or a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return None if Path("/proc/self/stat").exists() else _load_start_portable(pid)
    # ESRCH: it ended after its file was opened, and before it was read.
    except ProcessLookupError:
        return None
    # The command's name may hold spaces and parentheses: fields count from its last ")".
    fields = stat.rpartition(")")[2].split()
    # proc_pid_stat(5): state is field 3, the first after the name, and starttime field 22. A zombie
    # works on nothing, and stays for as long as its parent does not wait for it.
    return None if fields[0] in "ZX" else fields[19]


def _load_start_portable(pid: int) -> str | None:
    """Return a process's start time where there is no /proc; None if it is gone."""
    import psutil  # comes with the embedded Postgres; slow to import, so only where /proc is not

    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else str(process.create_time())
    except psutil.NoSuchProcess:
        return None
