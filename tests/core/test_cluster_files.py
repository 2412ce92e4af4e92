"""The embedded server's files and processes, without a server: what is refused, what stays."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from plainloop.agent.errors import StoreError
from plainloop.agent.store.embedded import cluster, keeping, processes, server
from plainloop.agent.store.embedded.keeping import Keeper

SLEEP = "import sys, time; print('ready', flush=True); time.sleep(600)"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What would be run of the server's programs; each answers with code 0 and no text."""
    made: list[tuple[str, ...]] = []

    def run(folder: Path, program: str, *arguments: str, cluster: Path | None = None) -> Any:
        made.append((program, *arguments))
        return SimpleNamespace(returncode=0, stdout="postgres (PostgreSQL) 18.1\n")

    monkeypatch.setattr(cluster, "_run", run)
    monkeypatch.setattr(cluster, "_get_account", lambda: None)
    return made


@pytest.fixture
def worker() -> Iterator[Any]:
    """Starts processes that work in a folder; none is left behind."""
    started: list[subprocess.Popen[bytes]] = []

    def start(folder: Path) -> subprocess.Popen[bytes]:
        started.append(
            subprocess.Popen([sys.executable, "-c", SLEEP], cwd=folder, stdout=subprocess.PIPE)
        )
        assert started[-1].stdout is not None and started[-1].stdout.readline() == b"ready\n"
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def write_reason(log: Path) -> Any:
    log.write_text("FATAL: first time\n")
    return SimpleNamespace(returncode=1, stdout="")


def fail(text: str) -> Any:
    return lambda *_, **__: SimpleNamespace(returncode=1, stdout=text)


def test_an_embedded_database_is_created_in_a_temporary_folder_and_moved(
    tmp_path: Path, calls: Any
):
    (tmp_path / "data.new").mkdir()
    (tmp_path / "data.new" / "half").touch()
    (tmp_path / "data").mkdir()
    cluster.make_cluster(tmp_path)
    assert (tmp_path / "data").exists() and not (tmp_path / "data.new").exists()
    assert not (tmp_path / "data" / "half").exists(), "half a cluster never counts"
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert calls == [
        (
            *("initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"),
            *("--no-instructions", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
        )
    ]


def test_a_failed_initdb_is_an_error_that_names_the_reason(
    tmp_path: Path, calls: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cluster, "_run", fail("working\ninitdb: error: no space\nhint\n"))
    with pytest.raises(StoreError) as failed:
        cluster.make_cluster(tmp_path)
    told = f"the embedded database in {tmp_path}: initdb failed: initdb: error: no space"
    assert failed.value.message == told
    assert not (tmp_path / "data").exists()


def test_a_data_folder_of_another_postgres_version_is_refused(tmp_path: Path, calls: Any):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "PG_VERSION").write_text("18\n")
    cluster.make_cluster(tmp_path)
    assert calls == [("postgres", "--version")]
    (tmp_path / "data" / "PG_VERSION").write_text("1\n")
    with pytest.raises(StoreError) as refused:
        cluster.make_cluster(tmp_path)
    shown = "postgres (PostgreSQL) 18.1"
    told = f"the data was written by Postgres 1, but the installed version is {shown}"
    assert refused.value.message == f"the embedded database in {tmp_path}: {told}"


def test_a_folder_with_other_files_is_not_overwritten(tmp_path: Path, calls: Any):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "thesis.txt").touch()
    with pytest.raises(StoreError) as refused:
        cluster.make_cluster(tmp_path)
    told = f"{tmp_path / 'data'} is not empty, but contains no database"
    assert refused.value.message == f"the embedded database in {tmp_path}: {told}"
    assert calls == []


def test_an_embedded_server_listens_only_on_its_socket(tmp_path: Path, calls: Any):
    (tmp_path / "data").mkdir()
    cluster.start_server(tmp_path)
    options = "-c listen_addresses= -c io_method=sync -c log_checkpoints=off"
    place = "." if cluster.get_socket_folder(tmp_path) == tmp_path / "data" else None
    assert place == "."
    told = ("-l", "server.log", "-o", f"{options} -k '.'")
    assert calls == [("pg_ctl", "start", "-w", "-t", "120", *told)]


def test_a_failing_server_start_reports_the_last_log_line(
    tmp_path: Path, calls: Any, monkeypatch: pytest.MonkeyPatch
):
    log = tmp_path / "data" / "server.log"
    log.parent.mkdir()
    log.write_text("FATAL: last time\n")

    def run(*_: Any, **__: Any) -> Any:
        with log.open("a") as file:
            file.write("LOG: begins\nFATAL: this time\n")
        return SimpleNamespace(returncode=1, stdout="pg_ctl: could not start\n")

    monkeypatch.setattr(cluster, "_run", run)
    with pytest.raises(StoreError) as failed:
        cluster.start_server(tmp_path)
    assert failed.value.message.endswith(": Postgres does not start: FATAL: this time")
    log.unlink()
    monkeypatch.setattr(cluster, "_run", lambda *_, **__: write_reason(log))
    with pytest.raises(StoreError) as failed:
        cluster.start_server(tmp_path)
    assert failed.value.message.endswith(": Postgres does not start: FATAL: first time")
    log.unlink()
    monkeypatch.setattr(cluster, "_run", fail("waiting\npg_ctl: could not start\n"))
    with pytest.raises(StoreError) as failed:
        cluster.start_server(tmp_path)
    assert failed.value.message.endswith(": Postgres does not start: pg_ctl: could not start")


def test_an_embedded_server_is_stopped_in_fast_mode(
    tmp_path: Path, calls: Any, monkeypatch: pytest.MonkeyPatch
):
    assert cluster.stop_server(tmp_path, wait=True) is True
    assert cluster.stop_server(tmp_path, wait=False) is True
    assert calls == [
        ("pg_ctl", "stop", "-m", "fast", "-w", "-t", "30"),
        ("pg_ctl", "stop", "-m", "fast", "-W"),
    ]
    monkeypatch.setattr(cluster, "_run", fail("no server"))
    assert cluster.stop_server(tmp_path, wait=True) is False


def test_a_temporary_socket_folder_is_private_and_removed(tmp_path: Path, calls: Any):
    long = tmp_path / ("x" * 90)
    (long / "data").mkdir(parents=True)
    elsewhere = cluster.get_socket_folder(long)
    assert elsewhere.parent == Path(tempfile.gettempdir())
    assert elsewhere.name.startswith(f"plainloop-{os.getuid()}-")
    assert len(elsewhere.name.rpartition("-")[2]) == 12
    cluster.start_server(long)
    try:
        assert elsewhere.stat().st_mode & 0o777 == 0o700
        assert calls[0][-1].endswith(f" -k '{elsewhere}'")
        cluster.stop_server(long, wait=False)
        assert elsewhere.exists()
    finally:
        cluster.stop_server(long, wait=True)
    assert not elsewhere.exists()
    elsewhere.mkdir()
    (elsewhere / "left").touch()
    try:
        assert cluster.stop_server(long, wait=True) is True, "what is left there is not ours"
    finally:
        (elsewhere / "left").unlink()
        elsewhere.rmdir()


def test_the_limit_of_a_socket_paths_length_counts_bytes(tmp_path: Path):
    room = cluster.MAX_SOCKET_PATH_BYTES - len("/data/.s.PGSQL.5432")
    for count, is_inside in ((room, True), (room + 1, False)):
        folder = Path("/" + "x" * (count - 1))
        assert (cluster.get_socket_folder(folder) == folder / "data") is is_inside
    other = cluster.get_socket_folder(Path("/" + "y" * 200))
    assert other != cluster.get_socket_folder(Path("/" + "x" * 200))


def test_programs_run_in_their_cluster_without_the_callers_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    made: list[Any] = []
    monkeypatch.setattr(cluster.subprocess, "run", lambda *args, **rest: made.append((args, rest)))
    monkeypatch.setattr(cluster, "_get_account", lambda: None)
    monkeypatch.setattr(cluster, "get_binaries", lambda: Path("/pg/bin"))
    for name in ("PGHOST", "LC_TIME", "LANG"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("OTHER", "kept")
    cluster._run(tmp_path, "initdb", "-A", cluster=tmp_path / "data.new")
    cluster._run(tmp_path, "pg_ctl")
    ((command,), rest), (_, later) = made
    assert command == ["/pg/bin/initdb", "-A"]
    env = rest["env"]
    assert (env["OTHER"], env["LC_ALL"], env["PGDATA"]) == (
        *("kept", "C"),
        str(tmp_path / "data.new"),
    )
    assert not {"PGHOST", "LC_TIME", "LANG"} & env.keys()
    assert (rest["cwd"], later["cwd"]) == (tmp_path / "data.new", tmp_path / "data")
    assert "user" not in rest and rest["start_new_session"] is True and rest["check"] is False

    account: Any = SimpleNamespace(pw_uid=7, pw_gid=8)
    monkeypatch.setattr(cluster, "_get_account", lambda: account)
    monkeypatch.setattr(cluster, "_reach", lambda binaries, account: binaries)
    cluster._run(tmp_path, "pg_ctl")
    rest = made[-1][1]
    assert (rest["user"], rest["group"], rest["extra_groups"]) == (7, 8, [])
    assert rest["env"]["PGDATA"] == "/proc/self/cwd"


def test_unreadable_postgres_programs_are_copied_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    shared = tmp_path / "var" / "shared"
    monkeypatch.setattr(cluster, "SHARED", shared)
    binaries = tmp_path / "private" / "package" / "pginstall18" / "bin"
    binaries.mkdir(parents=True)
    (binaries / "postgres").write_text("program")
    libraries = tmp_path / "private" / "package.libs"
    libraries.mkdir()
    (libraries / "lib.so").write_text("library")
    account: Any = SimpleNamespace(pw_uid=2**20, pw_gid=2**20, pw_name="nobody")
    assert cluster._reach(binaries, None) == binaries
    (tmp_path / "private").chmod(0o700)
    reached = cluster._reach(binaries, account)
    assert (reached / "postgres").read_text() == "program"
    copy = reached.parents[2]
    assert (copy.parent, copy.stat().st_mode & 0o777) == (shared, 0o755)
    assert (copy / "package.libs" / "lib.so").read_text() == "library"
    (copy / "mark").touch()
    assert cluster._reach(binaries, account) == reached and (copy / "mark").exists()
    assert [*shared.iterdir()] == [copy]
    monkeypatch.setattr(cluster, "_may_pass", lambda target, account: True)
    assert cluster._reach(binaries, account) == binaries


def test_failing_to_copy_postgres_programs_gives_a_readable_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "shared").touch()  # no folder
    package, copy = tmp_path / "package", tmp_path / "shared" / "postgres-1"
    package.mkdir()
    account: Any = SimpleNamespace(pw_name="nobody")
    with pytest.raises(StoreError) as failed:
        cluster._copy_programs(package, copy, account)
    assert failed.value.message == (
        f"Postgres cannot run as root. The user nobody cannot read {package}, and no copy can be "
        f"made in {copy}: File exists"
    )
    assert failed.value.hint == (
        "Run plainloop as another user, from a folder that this user may read, or set DATABASE_URL."
    )


def test_access_to_a_folder_is_checked_by_its_mode_bits(tmp_path: Path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    stranger: Any = SimpleNamespace(pw_uid=2**20)
    owner: Any = SimpleNamespace(pw_uid=os.getuid())
    inner.chmod(0o700)
    assert cluster._may_pass(inner, owner) is True
    assert cluster._may_pass(inner, stranger) is False
    inner.chmod(0o077)
    assert cluster._may_pass(inner, owner) is False
    inner.chmod(0o711)
    inner.parent.chmod(0o700)
    assert cluster._may_pass(inner, stranger) is False


def test_a_socket_folder_of_another_account_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = tmp_path / "sockets"
    cluster._make_private_folder(folder, None)
    cluster._make_private_folder(folder, None)
    assert folder.stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr(cluster.os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(PermissionError, match="belongs to another user"):
        cluster._make_private_folder(folder, None)


def test_files_of_a_dead_server_are_removed(tmp_path: Path):
    (tmp_path / "data").mkdir()
    pid_file, lock = (tmp_path / "data" / name for name in ("postmaster.pid", ".s.PGSQL.5432.lock"))
    for pid in ("", "no number", str(os.getpid()), str(2**22 + 1)):
        pid_file.write_text(f"{pid}\nmore\n")
        lock.touch()
        processes.wait_for_shutdown(tmp_path)
        assert not pid_file.exists() and not lock.exists()
    processes.wait_for_shutdown(tmp_path)


def test_a_running_servers_stop_is_awaited_before_starting(
    tmp_path: Path, worker: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(processes, "STOP_TIMEOUT_S", 0.1)
    (tmp_path / "data").mkdir()
    process = worker(tmp_path / "data")
    pid_file = tmp_path / "data" / "postmaster.pid"
    pid_file.write_text(f"{process.pid}\n")
    with pytest.raises(StoreError) as waited:
        processes.wait_for_shutdown(tmp_path)
    told = "the Postgres server that still uses this folder does not stop"
    assert waited.value.message == f"the embedded database in {tmp_path}: {told}"
    assert pid_file.exists() and process.poll() is None
    process.kill()  # a zombie works nowhere
    processes.wait_for_shutdown(tmp_path)
    assert not pid_file.exists()


def test_processes_left_by_a_killed_postgres_are_ended(
    tmp_path: Path, worker: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(processes, "ORPHANS_S", 0.1)
    (tmp_path / "data").mkdir()
    orphan, other = worker(tmp_path / "data"), worker(tmp_path)
    (tmp_path / "data" / "postmaster.pid").write_text(f"{2**22 + 1}\n")
    processes.wait_for_shutdown(tmp_path)
    assert psutil.pid_exists(other.pid) and other.poll() is None
    assert orphan.wait(10) != 0


def test_postgres_processes_that_survive_a_kill_are_killed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    now_s, killed_s = [0.0], list[float]()

    class Orphan:
        def cwd(self) -> str:
            return str(tmp_path / "data")

        def kill(self) -> None:
            killed_s.append(now_s[0])

    def sleep(delay_s: float) -> None:
        now_s[0] += delay_s

    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "postmaster.pid").touch()
    clock = SimpleNamespace(monotonic=lambda: now_s[0], sleep=sleep)
    monkeypatch.setattr(processes, "time", clock)
    monkeypatch.setattr(psutil, "process_iter", lambda: [Orphan()][: 3 - len(killed_s)])
    processes.wait_for_shutdown(tmp_path)
    assert killed_s == pytest.approx([5, 10, 15], abs=0.2)


async def test_restarts_of_the_embedded_server_have_growing_pauses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    tried: list[tuple[Path, bool]] = []
    outcome: list[Exception | None] = [StoreError("no")]
    now = [100.0]

    def start(data_dir: Path, *, may_be_new: bool) -> str:
        tried.append((data_dir, may_be_new))
        if outcome[0] is not None:
            raise outcome[0]
        return ""

    monkeypatch.setattr(keeping, "start_embedded", start)
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now[0])
    keeper = Keeper(tmp_path)

    async def revive() -> int:
        """How often it was tried by now."""
        try:
            await keeper.revive()
        except StoreError as error:
            assert error is outcome[0]
        return len(tried)

    count = 0
    for pause_s in (0.0, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 30.0, 30.0):
        with caplog.at_level(logging.WARNING):
            assert await revive() == count + 1
        count += 1
        if pause_s:
            now[0] += pause_s - 0.01
            assert await revive() == count
        now[0] += 0.01 if pause_s else 0.0
    assert tried == [(tmp_path, False)] * count
    (record, *_) = caplog.records
    told: Any = record
    assert (record.msg, told.data_dir) == ("embedded_server_gone", str(tmp_path))
    outcome[0] = None
    assert await revive() == count + 1
    outcome[0] = StoreError("again")
    assert [await revive(), await revive()] == [count + 2, count + 3], "the pauses begin anew"


def test_stop_embedded_returns_false_if_no_server_was_started(tmp_path: Path):
    assert server.stop_embedded(tmp_path) is False


def test_an_unusable_data_directory_error_names_the_setting(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError) as refused:
        server.start_embedded(tmp_path / "file")
    told = f"the data directory {tmp_path / 'file'} cannot be used: Not a directory"
    assert refused.value.message == told
    assert refused.value.hint == (
        "Set AGENT_DATA_DIR to a folder that you can write to, or set DATABASE_URL to your own "
        "Postgres."
    )
