"""Programs that run in a folder: started once each, found again by their number, ended together."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

WAIT_S = 240  # on a machine that is busy with other things
PATH = os.environ["PATH"] + ":/usr/sbin"


def spawn(folder: Path, name: str, command: Sequence[str], enter: Sequence[str] = ()) -> None:
    """Unless it runs already; as `postgres` where we are root. Its output is in DIR/NAME.log.

    enter: what comes before the command, to run it elsewhere.
    """
    pid_file = folder / f"{name}.pid"
    if pid_file.exists() and is_alive(int(pid_file.read_text())):
        return
    program = shutil.which(command[0], path=PATH)
    if program is None:
        sys.exit(f"{command[0]} is not installed")
    with (folder / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            [*enter, *as_postgres(), program, *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            env={"PATH": PATH, "HOME": str(folder), "LANG": "C.UTF-8"},
            start_new_session=True,
        )
    pid_file.write_text(str(process.pid))


def as_postgres() -> tuple[str, ...]:
    """Postgres refuses root."""
    if os.geteuid() != 0:
        return ()
    return ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")


def end_all(folder: Path, names: Iterable[str]) -> None:
    """By SIGKILL, with all that they started, and with the Postgres in DIR/NAME."""
    for name in names:
        roots = list[int]()
        for file in (folder / f"{name}.pid", folder / name / "postmaster.pid"):
            if file.exists():
                roots.append(int(file.read_text().split()[0]))
        for pid in [item for root in roots for item in (root, *list_children(root))]:
            if is_of(pid, folder):
                os.kill(pid, signal.SIGKILL)


def is_of(pid: int, folder: Path) -> bool:
    """Whether it runs in there: the numbers of dead processes are given to others."""
    try:
        return Path(f"/proc/{pid}/cwd").readlink().is_relative_to(folder.resolve())
    except OSError:
        return False


def list_children(parent: int) -> list[int]:
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            child = int(path.parent.name)
            found += [child, *list_children(child)]
    return found


def is_alive(pid: int) -> bool:
    """A zombie, whose parent did not ask for it, is dead."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def wait_for(what: str, look: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        if found := look():
            return found
        time.sleep(0.2)
    sys.exit(f"{what} did not come within {WAIT_S} s")


def find_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for item in sockets:
        item.bind(("127.0.0.1", 0))
    ports = [item.getsockname()[1] for item in sockets]
    for item in sockets:
        item.close()
    return ports
