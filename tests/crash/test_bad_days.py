"""The same random crashes, and with them something that befalls the whole service.

`AGENT_CRASH_SEEDS=200` for the long run (200 of each day), `AGENT_CRASH_FIRST_SEED` to begin
elsewhere, `AGENT_CRASH_FULL_S=60` for a disk that is full for so long.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import asyncpg
import pytest

from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import StoreError
from plainloop.agent.store.embedded.cluster import get_binaries
from plainloop.agent.store.opening import connect_store
from tests.crash.conftest import NOTES_MIGRATIONS, Scene, play, serve_script
from tests.crash.test_seeds import FIRST_SEED, Nemesis, survive
from tests.fixtures import (
    DEBIAN_BINARIES,
    debian_server,
    embedded_server,
    make_database_url,
    make_settings,
    run_sql,
    server_folder,
)
from tests.runs.test_full_disk import fill, make_room

SEEDS = int(os.environ.get("AGENT_CRASH_SEEDS") or 1)
FULL_S = float(os.environ.get("AGENT_CRASH_FULL_S") or 2)
SEED_RANGE = range(FIRST_SEED, FIRST_SEED + SEEDS)
ROLE, LIMIT = "crash_narrow", 12

every_seed = pytest.mark.parametrize("seed", SEED_RANGE)


@every_seed
async def test_no_run_is_lost_if_two_machines_have_one_name(seed: int, scene: Scene) -> None:
    await survive(seed, scene, boots=("one", "two"))


@every_seed
async def test_no_run_is_lost_with_only_twelve_database_connections(
    seed: int, scene: Scene
) -> None:
    url = scene.replicas.environ["DATABASE_URL"]
    await run_sql(
        url,
        f"drop role if exists {ROLE}",
        f"create role {ROLE} login connection limit {LIMIT}",
        f"grant plainloop_app, plainloop_operator to {ROLE}",
        f"grant select on all tables in schema public to {ROLE}",
    )
    try:
        scene.replicas.environ["DATABASE_URL"] = url.replace("postgres@", f"{ROLE}@", 1)
        assert ROLE in scene.replicas.environ["DATABASE_URL"]
        await survive(seed, scene)
    finally:
        await run_sql(url, f"drop owned by {ROLE}")


@every_seed
async def test_no_run_is_lost_while_the_database_reports_a_full_disk(
    seed: int, scene: Scene
) -> None:
    async def fill_up(scene: Scene, nemesis: Nemesis) -> None:
        await fill(scene.store)
        await asyncio.sleep(FULL_S)  # the length of the outage is the test
        await make_room(scene.store)

    await survive(seed, scene, fill_up)


@every_seed
async def test_no_run_is_lost_while_the_disk_is_full(
    seed: int, small_disk: Path, tmp_path: Path
) -> None:
    """The embedded server cannot extend its log, goes down and comes back when there is room."""
    ballast = small_disk / "ballast"

    def fill_up(until: float) -> None:
        with ballast.open("ab", buffering=0) as file:
            while time.monotonic() < until:  # what the server gives back is taken as well
                with suppress(OSError):
                    while file.write(bytes(2**16)):
                        pass
                time.sleep(0.05)  # the length of the outage is the test
        ballast.unlink()

    async def overflow(scene: Scene, nemesis: Nemesis) -> None:
        filling = asyncio.to_thread(fill_up, time.monotonic() + FULL_S)
        await asyncio.gather(filling, use_up_the_log(scene))

    async def use_up_the_log(scene: Scene) -> None:
        """It ends when the server cannot write: the next file of its log finds no room."""
        with suppress(StoreError, asyncpg.PostgresError):
            while True:
                await scene.create_thread()
                async with scene.store.database.connection() as connection:
                    await connection.execute("select pg_switch_wal()")

    settings = load_settings({"AGENT_DATA_DIR": str(small_disk)})
    async with serve_script() as wire, play(settings, tmp_path, wire) as scene:
        await survive(seed, scene, overflow)


@every_seed
async def test_no_run_is_lost_when_the_embedded_server_is_killed(
    seed: int, data_dir: Path, tmp_path: Path
) -> None:
    async def kill(scene: Scene, nemesis: Nemesis) -> None:
        for _ in range(2):
            pid_file = data_dir / "postgres" / "data" / "postmaster.pid"
            pid = int(pid_file.read_text().split()[0])
            os.kill(pid, signal.SIGKILL)
            while not pid_file.exists() or pid_file.read_text().split()[0] == str(pid):
                await asyncio.sleep(0.05)
            await nemesis.strike()

    settings = load_settings({"AGENT_DATA_DIR": str(data_dir)})
    async with serve_script() as wire, play(settings, tmp_path, wire) as scene:
        await survive(seed, scene, kill)


@pytest.fixture(scope="session")
def other_cluster(pytestconfig: pytest.Config) -> Iterator[str]:
    is_debian = pytestconfig.getoption("--postgres") == "debian15"
    server = debian_server if is_debian else embedded_server
    with server_folder() as folder, server(folder) as url:
        yield url


@every_seed
async def test_no_run_is_lost_when_moving_to_a_new_postgres_cluster(
    seed: int, scene: Scene, other_cluster: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """All replicas die; what they left goes on where no role of ours is."""
    is_debian = pytestconfig.getoption("--postgres") == "debian15"
    binaries = DEBIAN_BINARIES if is_debian else get_binaries()
    name, dump = f"restored_{os.getpid()}_{seed}", str(tmp_path / "dump")
    there = make_database_url(other_cluster, name)

    async def move(scene: Scene, nemesis: Nemesis) -> None:
        nemesis.kill_all()
        here = scene.replicas.environ["DATABASE_URL"]
        await run_sql(other_cluster, f"create database {name}")
        await run(binaries / "pg_dump", "-Fc", "-f", dump, here)
        # Errors for roles that are not there yet: the start makes them.
        await run(binaries / "pg_restore", "--no-owner", "-d", there, dump, may_fail=True)
        await scene.store.close()
        scene.store = await connect_store(
            make_settings(there, tmp_path / "data"), migration_folders=[NOTES_MIGRATIONS]
        )
        scene.replicas.environ["DATABASE_URL"] = there
        for _ in range(2):
            await nemesis.start_one()

    await survive(seed, scene, move)
    await scene.store.close()
    await run_sql(
        other_cluster,
        f"drop database {name} with (force)",
        "drop role plainloop_app, plainloop_operator, plainloop_backup",
    )


async def run(*command: object, may_fail: bool = False) -> None:
    def wait() -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([*map(str, command)], capture_output=True, check=False)

    done = await asyncio.to_thread(wait)
    assert may_fail or done.returncode == 0, done.stderr.decode()
