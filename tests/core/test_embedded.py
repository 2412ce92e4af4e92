"""The embedded Postgres, and what a database that is not there looks like."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import asyncpg
import pytest

from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.config.values import Secret
from plainloop.agent.errors import StoreError
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.embedded import cluster, keeping
from plainloop.agent.store.embedded.server import start_embedded, stop_embedded
from plainloop.agent.store.leases import is_owner_dead
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.outages import keep_trying
from plainloop.agent.store.store import Store
from tests.core.store_samples import begin_run, create_thread, get_texts
from tests.fixtures import run_sql, server_folder

BUSY_PROCESS = """
    import asyncio, sys
    from plainloop.agent.config.settings import load_settings
    from plainloop.agent.store.leases import make_owner
    from plainloop.agent.store.records import RunStart
    from plainloop.agent.store.opening import connect_store

    async def main():
        store = await connect_store(load_settings(ENVIRON))
        thread = await store.create_thread("acme", "ann", pack="tracker")
        message = {"role": "user", "parts": [{"type": "text", "text": "hello"}]}
        start = RunStart("ann", thread.thread_id, message, "default", "tracker")
        run = await store.begin_run("acme", start, make_owner(), 3600)
        print(thread.thread_id, run.run_id, make_owner(), flush=True)
        await asyncio.sleep(600)

    asyncio.run(main())
"""


def start_process(environ: dict[str, str]) -> tuple[subprocess.Popen[str], list[str]]:
    """A process that has begun a run and hangs in it; with what it printed."""
    program = textwrap.dedent(BUSY_PROCESS).replace("ENVIRON", repr(environ))
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, process.stdout.readline().split()


def kill(process: subprocess.Popen[str], *, reap: bool = True) -> None:
    process.send_signal(signal.SIGKILL)
    if reap:
        process.communicate()
    else:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)


def use_database(settings: Settings, url: str) -> Settings:
    return settings.change(DatabaseSettings, url=Secret(url))


async def test_a_killed_process_leaves_the_embedded_database_usable(data_dir: Path) -> None:
    environ = {"AGENT_DATA_DIR": str(data_dir / "data with space")}
    settings = load_settings(environ)
    process, (thread_id, run_id, owner) = start_process(environ)
    store = await connect_store(settings)
    thread = await store.load_thread("acme", "ann", thread_id)
    with pytest.raises(Exception, match="busy"):
        await begin_run(store, thread, "too early")
    kill(process)
    assert is_owner_dead(owner)
    run = await begin_run(store, thread, "and again")
    assert get_texts(await store.load_messages("acme", thread_id)) == ["hello", "and again"]
    assert (await store.load_run("acme", "ann", run_id)).error_code == "INTERRUPTED"
    await store.close()
    assert stop_embedded(settings.data_dir), "a killed process must not count as a user"

    again = await connect_store(settings)
    assert (await again.load_run("acme", "ann", run.run_id)).status == "running"
    await again.close()
    assert stop_embedded(settings.data_dir)


async def test_a_killed_embedded_server_recovers_its_data(data_dir: Path) -> None:
    settings = load_settings({"AGENT_DATA_DIR": str(data_dir)})
    store = await connect_store(settings)
    thread = await create_thread(store)
    pid_file = data_dir / "postgres" / "data" / "postmaster.pid"
    pid = int(pid_file.read_text().split()[0])
    os.kill(pid, signal.SIGQUIT)  # an immediate stop: no checkpoint, recovery on start
    while Path(f"/proc/{pid}").exists() and "\nState:\tZ" not in _load_status(pid):
        await asyncio.sleep(0.01)
    # As after a power cut, with the process id taken by somebody else since.
    pid_file.write_text(
        f"{os.getpid()}\n{pid_file.parent}\n1\n5432\n{pid_file.parent}\n\n\nready\n"
    )
    start_embedded(data_dir)
    assert (await store.load_thread("acme", "ann", thread.thread_id)) == thread
    await store.close()
    assert stop_embedded(data_dir)


def kill_server(data_dir: Path) -> None:
    pid_file = data_dir / "postgres" / "data" / "postmaster.pid"
    os.kill(int(pid_file.read_text().split()[0]), signal.SIGKILL)


def count_starts(data_dir: Path) -> int:
    log = data_dir / "postgres" / "data" / "server.log"
    return log.read_text().count("database system is ready to accept connections")


async def test_a_killed_embedded_server_is_restarted_on_demand(data_dir: Path) -> None:
    settings = load_settings({"AGENT_DATA_DIR": str(data_dir)})
    stores = [await connect_store(settings) for _ in range(3)]
    thread = await create_thread(stores[0])
    busy = asyncio.create_task(stores[1].read("acme").fetchval("select 1 from pg_sleep(60)"))
    await asyncio.sleep(0)
    kill_server(data_dir)

    async def load(store: Store) -> Any:
        return await keep_trying(lambda: store.load_thread("acme", "ann", thread.thread_id))

    assert await asyncio.gather(*(load(store) for store in stores * 5)) == [thread] * 15
    assert count_starts(data_dir) == 2, "one of them started it, once"
    with pytest.raises(StoreError):
        await busy
    for store in stores:
        await store.close()


async def wait_for_failure(ask: Callable[[], Awaitable[Any]]) -> str:
    """What is told of the server that was killed. Its processes for open connections outlive it
    for a moment: they may still answer, then the connection breaks off.
    """
    async with asyncio.timeout(60):
        while True:
            try:
                await ask()
            except StoreError as error:
                if re.search("does not start|its files have been deleted", str(error)):
                    return str(error)


async def test_a_failing_embedded_server_is_retried_with_a_reason(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(keeping, "PAUSES_S", (600.0,))
    store = await connect_store(load_settings({"AGENT_DATA_DIR": str(data_dir)}))
    thread = await create_thread(store)
    config = data_dir / "postgres" / "data" / "postgresql.conf"
    good = config.read_text()
    config.write_text(good + "\nno_such_setting = on\n")
    kill_server(data_dir)
    for _ in range(3):
        told = await wait_for_failure(lambda: store.load_thread("acme", "ann", thread.thread_id))
        assert re.search("Postgres does not start: .*contains errors", told)
    tried = [record for record in caplog.records if record.getMessage() == "embedded_server_gone"]
    assert len(tried) == 1
    config.write_text(good)
    monkeypatch.setattr(keeping, "PAUSES_S", (0.0,))
    again = await connect_store(load_settings({"AGENT_DATA_DIR": str(data_dir)}))
    assert await store.load_thread("acme", "ann", thread.thread_id) == thread
    await store.close()
    await again.close()


async def test_lost_database_files_are_not_replaced_by_an_empty_cluster(data_dir: Path) -> None:
    store = await connect_store(load_settings({"AGENT_DATA_DIR": str(data_dir)}))
    kill_server(data_dir)
    data = data_dir / "postgres" / "data"
    data.rename(data_dir / "elsewhere")
    assert "its files have been deleted" in await wait_for_failure(lambda: create_thread(store))
    assert not data.exists()
    await store.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only as root does another account run the server")
async def test_an_embedded_server_started_as_root_opens_no_folder_to_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with server_folder() as folder:  # that only root may enter
        package = Path(str(cluster.get_binaries().parents[1]))
        closed = folder / "closed"
        closed.mkdir(mode=0o700)
        for part in (package, *package.parent.glob(f"{package.name}.libs")):
            shutil.copytree(part, closed / part.name, symlinks=True)
        programs = closed / package.name / "pginstall18" / "bin"
        monkeypatch.setattr(cluster, "get_binaries", lambda: programs)
        open_to_all = Path(tempfile.mkdtemp())
        open_to_all.chmod(0o755)
        monkeypatch.setattr(cluster, "SHARED", open_to_all / "plainloop")
        before = {path: path.stat().st_mode for path in (folder, closed, *folder.parents)}
        try:
            for _ in range(2):
                store = await connect_store(load_settings({"AGENT_DATA_DIR": str(closed / "d")}))
                await create_thread(store)
                await store.close()
                assert stop_embedded(closed / "d")
            assert {path: path.stat().st_mode for path in before} == before
            assert (closed / "d" / "postgres").stat().st_uid == 0
        finally:
            shutil.rmtree(open_to_all)


def _load_status(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return "\nState:\tZ"


async def test_a_stopping_embedded_server_is_not_reused(data_dir: Path) -> None:
    for _ in range(5):
        url = await asyncio.to_thread(start_embedded, data_dir)
        connection: Any = await asyncpg.connect(url)
        assert await connection.fetchval("select 1") == 1
        await connection.close()
        assert stop_embedded(data_dir, wait=False)

    # Nor one whose last user was killed between the mark and the signal.
    await asyncio.to_thread(start_embedded, data_dir)
    (data_dir / "postgres" / "stopping").touch()
    url = await asyncio.to_thread(start_embedded, data_dir)
    await (await asyncpg.connect(url)).close()
    assert not (data_dir / "postgres" / "stopping").exists()


async def test_a_long_data_path_leaves_no_stray_socket_folder(data_dir: Path) -> None:
    deep = data_dir / ("a long name with blanks " * 4).strip()
    url = await asyncio.to_thread(start_embedded, deep)
    sockets = Path(unquote(url.partition("host=")[2]))
    connection: Any = await asyncpg.connect(url)
    await connection.close()
    assert stop_embedded(deep)
    assert data_dir not in sockets.parents
    assert not sockets.exists()


async def test_a_shared_embedded_server_is_not_stopped(data_dir: Path) -> None:
    environ = {"AGENT_DATA_DIR": str(data_dir)}
    process, (_, _, owner) = start_process(environ)
    store = await connect_store(load_settings(environ))
    assert not is_owner_dead(owner)
    assert not stop_embedded(data_dir)
    assert await store.list_threads("acme", "ann", limit=1)
    await store.close()
    kill(process, reap=False)
    assert is_owner_dead(owner)
    process.communicate()
    start_embedded(data_dir)
    assert stop_embedded(data_dir)


async def test_an_unwritable_data_directory_gives_a_readable_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no directory")
    with pytest.raises(StoreError) as refused:
        await connect_store(load_settings({"AGENT_DATA_DIR": str(blocked / "data")}))
    assert (refused.value.code, str(blocked) in refused.value.message) == (
        "STORE_UNAVAILABLE",
        True,
    )
    assert "AGENT_DATA_DIR" in (refused.value.hint or "")


async def test_a_damaged_data_directory_gives_a_readable_error(data_dir: Path) -> None:
    data = data_dir / "postgres" / "data"

    async def refuse() -> None:
        with pytest.raises(StoreError) as refused:
            await connect_store(load_settings({"AGENT_DATA_DIR": str(data_dir)}))
        assert refused.value.code == "STORE_UNAVAILABLE"
        assert "\n" not in refused.value.message
        assert "move it away" in (refused.value.hint or "")
        assert data.exists(), "nothing is deleted"

    data.mkdir(parents=True)
    (data / "holiday.jpg").write_text("x")
    await refuse()
    shutil.rmtree(data_dir / "postgres")
    start_embedded(data_dir)
    stop_embedded(data_dir)
    version = (data / "PG_VERSION").read_text()
    (data / "PG_VERSION").write_text("12\n")
    await refuse()
    (data / "PG_VERSION").write_text(version)
    (data / "global" / "pg_control").unlink()
    await refuse()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://nobody@127.0.0.1:1/nowhere",
        "postgresql://nobody@no-such-host.invalid/nowhere",
        "mysql://somewhere/else",
        "not a url",
    ],
)
async def test_an_unreachable_database_gives_a_readable_error(settings: Settings, url: str) -> None:
    with pytest.raises(StoreError) as refused:
        await connect_store(use_database(settings, url))
    assert refused.value.code == "STORE_UNAVAILABLE"
    assert "\n" not in refused.value.message
    assert "DATABASE_URL" in (refused.value.hint or "")


async def test_without_row_security_the_explicit_tenant_filter_holds(
    empty_database_url: str, settings: Settings, postgres_url: str, caplog: Any
) -> None:
    name = empty_database_url.split("/")[3].split("?")[0]
    role = f"plain_{name}"
    await run_sql(
        postgres_url, f"create role {role} login", f"alter database {name} owner to {role}"
    )
    url = empty_database_url.replace("postgres@", f"{role}@")
    store = await connect_store(use_database(settings, url))
    try:
        assert not store.database.has_roles
        assert "row_level_security_off" in caplog.text
        thread = await create_thread(store)
        run = await begin_run(store, thread)
        assert await store.queue.heartbeat(run.owner, [run.run_id], 30) == {run.run_id: False}
        assert await store.list_threads("umbrella", "ann", limit=5) == []
    finally:
        await store.close()
        await run_sql(postgres_url, f"alter database {name} owner to postgres")
        await run_sql(empty_database_url, f"drop owned by {role}", f"drop role {role}")


async def test_statements_run_without_a_prepared_statement_cache(database_url: str) -> None:
    from plainloop.agent.store.database import open_database

    database = await open_database(database_url, statement_cache=0)
    await database.detect_roles()
    store = Store(database)
    run = await begin_run(store, await create_thread(store))
    assert (await store.load_run("acme", "ann", run.run_id)).status == "running"
    await store.close()


async def test_opening_a_fresh_database_logs_no_warning(
    data_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = load_settings({"AGENT_DATA_DIR": str(data_dir)})
    store = await connect_store(settings, migrate=False)
    await store.close()

    # Under root the folders above are opened to the server's account, which is told.
    assert [record.getMessage() for record in caplog.records] == []
