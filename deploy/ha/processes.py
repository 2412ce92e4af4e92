"""Programs that run in a folder: started once each, found again by their number, ended together."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WAIT_S = 240  # on a machine that is busy with other things
PATH = os.environ["PATH"] + ":/usr/sbin"


@dataclass(frozen=True)
class Program:
    """is_ready: whether the next one may start; None: at once."""

    name: str
    host: str
    command: tuple[str, ...]
    is_ready: Callable[[], bool] | None = None


def spawn(folder: Path, name: str, command: Sequence[str], enter: Sequence[str] = ()) -> None:
    """Unless it runs already; as `postgres` where we are root. Its output is in DIR/NAME.log.

    Its home is its own: two pg_autoctl that begin at once and make `.config` in the same one end
    each other (`Failed to create state directory …: File exists`), and only the first goes on.

    enter: what comes before the command, to run it elsewhere.
    """
    pid_file = folder / f"{name}.pid"
    if pid_file.exists() and is_running(folder, name):
        return
    program = shutil.which(command[0], path=PATH)
    if program is None:
        sys.exit(f"{command[0]} is not installed")
    home = folder / f"{name}.home"
    make_folder(home)
    with (folder / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            [*enter, *as_postgres(), program, *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            env={"PATH": PATH, "LANG": "C.UTF-8", "HOME": str(home), "XDG_RUNTIME_DIR": str(home)},
            start_new_session=True,
        )
    pid_file.write_text(str(process.pid))


def make_folder(folder: Path) -> None:
    """One that `postgres` may write to."""
    folder.mkdir(parents=True, exist_ok=True)
    if os.geteuid() == 0:
        owner = pwd.getpwnam("postgres")
        os.chown(folder, owner.pw_uid, owner.pw_gid)


def as_postgres() -> tuple[str, ...]:
    """Postgres refuses root."""
    if os.geteuid() != 0:
        return ()
    return ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")


def end_all(folder: Path, names: Iterable[str]) -> None:
    """By SIGKILL, with all that they started, and with the Postgres in DIR/NAME."""
    roots = list[int]()
    for name in names:
        for file in (folder / f"{name}.pid", folder / name / "postmaster.pid"):
            if file.exists():
                roots.append(int(file.read_text().split()[0]))
    send(signal.SIGKILL, freeze([pid for pid in roots if is_of(pid, folder)]))


def freeze(roots: Iterable[int]) -> list[int]:
    """Those, and all that they started. Stopped, so that none of them starts another meanwhile."""
    found = list[int]()
    while new := [
        pid
        for root in dict.fromkeys(roots)
        for pid in (root, *list_children(root))
        if pid not in found
    ]:
        new = list(dict.fromkeys(new))
        send(signal.SIGSTOP, new)
        found += new
    return found


def send(number: signal.Signals, pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


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


def wait_for(
    what: str, look: Callable[[], Any], folder: Path | None = None, names: Iterable[str] = ()
) -> Any:
    """What `look` finds. Without it, or when one of the programs in DIR ends: what they wrote."""
    deadline = time.monotonic() + WAIT_S
    why = f"did not come within {WAIT_S} s"
    while time.monotonic() < deadline:
        if found := look():
            return found
        if folder and (gone := [name for name in names if not is_running(folder, name)]):
            names, why = gone, f"will not come: {', '.join(gone)} ended"
            break
        time.sleep(0.2)
    told = [read_end(folder / f"{name}.log") for name in names] if folder else []
    sys.exit("\n".join([f"{what} {why}", *told]))


def is_running(folder: Path, name: str) -> bool:
    return is_alive(int((folder / f"{name}.pid").read_text()))


def read_end(log: Path, lines: int = 12) -> str:
    return "\n".join([f"{log.name}:", *log.read_text(errors="replace").splitlines()[-lines:]])


def find_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for item in sockets:
        item.bind(("127.0.0.1", 0))
    ports = [item.getsockname()[1] for item in sockets]
    for item in sockets:
        item.close()
    return ports
