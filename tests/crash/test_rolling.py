"""The version before this one beside this one, on one database, under load, both ways.

Nothing acknowledged is lost or done twice while the new one comes and the old one goes, nor when it
goes back. Its size is PLAINLOOP_ROLLING_STREAMS (2); it reads the version before from the history
of this checkout, and is skipped where that is missing.
"""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import tarfile
import tomllib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest

from tests.cli.conftest import Command, make_environ
from tests.crash.test_failover import (
    Load,
    Replica,
    check,
    start_provider,
    start_replica,
    wait_until,
)
from tests.server.test_serving import stop_server

STREAMS = int(os.environ.get("PLAINLOOP_ROLLING_STREAMS", "2"))
BEFORE = os.environ.get("PLAINLOOP_VERSION_BEFORE", "66985392")  # a commit, or a tag
MORE = 2  # messages of each client between two changes
ROOT = Path(__file__).parents[2]
LIBRARIES = ROOT / ".venv" / "version-before"  # those of its libraries that this one has not


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """The tree of the version before."""
    packed = subprocess.run(["git", "archive", BEFORE], cwd=ROOT, capture_output=True)
    if packed.returncode:
        pytest.skip(f"the history of this checkout has no {BEFORE}")
    if not LIBRARIES.is_dir():
        pytest.skip("libraries of the version before are not there: ./scripts/packages")
    folder = tmp_path / "before"
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as files:
        files.extractall(folder, filter="data")
    for package in (ROOT / "packages").iterdir():
        describe(folder, package.name)
    return folder


def describe(folder: Path, package: str) -> None:
    """Hide what is installed of the package behind what it was: its entry points are others."""
    own = folder / "packages" / package / "pyproject.toml"
    project = tomllib.loads(own.read_text())["project"] if own.is_file() else {}
    info = folder / f"plainloop_{package}-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: plainloop-{package}\nVersion: 0.1.0\n")
    groups = project.get("entry-points", {}).items()
    lines = [f"[{group}]\n" + "\n".join(map(" = ".join, items.items())) for group, items in groups]
    (info / "entry_points.txt").write_text("\n".join(lines))


@pytest.fixture
async def command(tmp_path: Path) -> AsyncIterator[Command]:
    command = Command(make_environ(tmp_path), tmp_path)
    yield command
    await command.close()


async def test_old_and_new_version_serve_one_database_in_both_directions(
    before: Path, command: Command, empty_database_url: str
):
    tree = os.pathsep.join(map(str, [before, *(before / "packages").iterdir(), LIBRARIES]))
    known = {k: v for k, v in command.environ.items() if k != "AGENT_TITLES"}  # younger than it
    of_before = replace(command, environ={**known, "PYTHONPATH": tree})
    # One for both: a provider takes signed thinking back only if it has signed it itself, and each
    # version's double signs in its own way.
    provider = await start_provider(command)
    old = await start_replica(of_before, empty_database_url, provider=provider)
    load = Load([old.client])
    talking = [asyncio.create_task(load.talk(number)) for number in range(STREAMS)]

    async def talk_on() -> None:
        enough = len(load.acknowledged) + MORE * STREAMS
        await wait_until(
            lambda: len(load.acknowledged) >= enough or any(task.done() for task in talking)
        )

    async def come() -> Replica:
        new = await start_replica(command, empty_database_url, provider=provider)
        load.replicas.append(new.client)
        await talk_on()
        return new

    async def go(one: Replica) -> None:
        load.replicas.remove(one.client)
        assert await stop_server(one.process) == 0
        await one.client.aclose()
        await talk_on()

    await talk_on()
    # Of a version before the last release; else there is nothing to do.
    older = await command("migrate", "--from-older", DATABASE_URL=empty_database_url)
    assert older.code == 0, older.err
    await talk_on()
    await go(await come())  # there and back: the old one serves on, over the new one's schema
    last = await come()
    await go(old)
    load.stop.set()
    await asyncio.gather(*talking)
    connection = await asyncpg.connect(empty_database_url)
    try:
        await check(connection, load)
    finally:
        await connection.close()
        await last.client.aclose()
