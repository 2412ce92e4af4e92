"""Fixtures for all tests: a real Postgres, started once; each test gets its own database.

The template database is migrated once; a test's database is a clone of it.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import asyncpg
import hypothesis
import psutil
import pytest
import uvicorn.server

from plainloop.agent.base.text import secrets
from plainloop.agent.config.installed import load_entries, load_hook
from plainloop.agent.config.settings import Limits, Settings, list_known_settings, load_settings
from plainloop.agent.config.values import Secret
from plainloop.agent.core import llm
from plainloop.agent.packs.loading import list_pack_names, load_packs
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.embedded.server import start_embedded, stop_embedded
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.store import Store
from plainloop.server.console import serving as console

# A busy machine is no failure: how long an example takes is for benchmarks. What fails is the
# change's doing: examples are the same each time, and drawn anew only where more are asked for.
IS_SEARCH = bool({"AGENT_FUZZ_EXAMPLES", "AGENT_MACHINE_EXAMPLES"} & {*os.environ})
hypothesis.settings.register_profile("plainloop", deadline=None, derandomize=not IS_SEARCH)
hypothesis.settings.load_profile("plainloop")

# What a service or command says without a package, and Python of what a test itself imports.
MISSING = re.compile(r"needs plainloop-([a-z0-9]+), which is not installed")
ROOT = Path(__file__).resolve().parents[1]
TESTS_PACK = "tests.tracker"  # what is served where a test says nothing else
# The stand-in behind wires knows what packs taught it; here, of all of them, in every process.
load_packs([*list_pack_names(), TESTS_PACK])

TEMPLATE = "plainloop_template"
# Waits until this process is gone, in whatever way, and leaves neither its server nor its files.
CLEAN_UP = """
import os, pathlib, shutil, signal, sys
sys.stdin.read()
for pid_file in pathlib.Path(sys.argv[1]).rglob("postmaster.pid"):
    try:
        os.kill(int(pid_file.read_text().split()[0]), signal.SIGQUIT)
    except (OSError, ValueError):
        pass
shutil.rmtree(sys.argv[1], ignore_errors=True)
"""
DEBIAN_BINARIES = Path("/usr/lib/postgresql/15/bin")
ENOUGH_BYTES = 4 * 2**30  # a server takes about 200 MB, and there is one for each processor
_numbers = itertools.count(1)
_left: list[str] = []


def make_database_url(server_url: str, name: str) -> str:
    return server_url.replace("/postgres?", f"/{name}?")


async def run_sql(url: str, *statements: str) -> None:
    connection: Any = await asyncpg.connect(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


def list_pack_migrations() -> list[Path]:
    """Every installed folder of migrations, the packages' first; that of the tests too."""
    packs = load_packs([*list_pack_names(), TESTS_PACK])
    installed: list[Path] = [*load_entries("migrations").values()]
    return installed + [pack.migrations for pack in packs if pack.migrations is not None]


def make_settings(url: str, data_dir: Path) -> Settings:
    """Settings that see no variable of the machine, with this database and the tests' own pack."""
    environ = {"AGENT_DATA_DIR": str(data_dir), "AGENT_PACKS": TESTS_PACK, "AGENT_TITLES": "false"}
    settings = load_settings(environ)
    return settings.change(DatabaseSettings, url=Secret(url))


def change_table(settings: Settings, table: str, **values: Any) -> Settings:
    """Return settings with these values of one table, each in the class that declares it."""
    owners = {row.key: row.owner for row in list_known_settings()}
    changes: dict[type, dict[str, Any]] = {}
    for name, value in values.items():
        changes.setdefault(owners[f"{table}.{name}"], {})[name] = value
    limits = replace(settings.limits, **changes.pop(Limits, {}))
    for owner, own in changes.items():
        settings = settings.change(owner, **own)
    return replace(settings, limits=limits)


@pytest.fixture(autouse=True, scope="session")
def quick_ends() -> Iterator[None]:
    """uvicorn looks ten times a second whether it is to end and who is still connected, which is
    most of what a served test waits for at its end: here, a hundred times a second. And where a
    provider wishes no pause, a failed call waits half a second: here, a hundredth of it. And each
    replica strips the console's files of comments: here, once for all replicas of a process."""

    async def sleep(delay_s: float) -> None:
        await asyncio.sleep(delay_s / 10)

    with pytest.MonkeyPatch.context() as patch:
        quick = SimpleNamespace(**{**vars(asyncio), "sleep": sleep})
        patch.setattr(uvicorn.server, "asyncio", quick)
        patch.setattr(llm, "BACKOFF_FIRST_S", llm.BACKOFF_FIRST_S / 100)
        patch.setattr(console, "strip_comments", functools.cache(console.strip_comments))
        yield


@pytest.fixture(autouse=True)
def known_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget after each test the keys that it used: a process masks what it knows in every text,
    and another test's words may contain one."""
    monkeypatch.setattr(secrets, "_known", secrets._known.copy())
    monkeypatch.setattr(secrets, "_passing", secrets._passing.copy())


def pytest_configure() -> None:
    # Started in the background of a script, a process ignores Ctrl-C, and so would all that the
    # tests start and interrupt.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Under nohup it ignores hang-ups, and goes on doing so; what it starts must not inherit that:
    # with a handler of its parent's a program begins with the default again.
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, Any, Any]:
    with skipping_without_packages():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, Any, Any]:
    with skipping_without_packages():
        return (yield)


@contextmanager
def skipping_without_packages() -> Iterator[None]:
    """Skip a test that needs a package of ours which is not installed.

    Its import must not stand in the service itself, which needs none.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        files = [Path(frame.filename) for frame in traceback.extract_tb(error.__traceback__)]
        ours = [path for path in files if path.is_relative_to(ROOT) and ".venv" not in path.parts]
        top = ours[-1].relative_to(ROOT).parts[0] if ours else ""
        package = (error.name or "").partition(".")[0]
        if package.startswith("plainloop_") and top in ("tests", "packages", "scripts"):
            pytest.skip(f"needs {package.replace('_', '-')}, which is not installed")
        raise
    except Exception as error:
        skip_without_package(str(error))
        raise


def skip_without_package(told: str) -> None:
    """Skip the test whose service or command was refused for want of a package."""
    match = MISSING.search(told)
    if match is not None and find_spec(f"plainloop_{match[1]}") is None:
        pytest.skip(match[0])


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--postgres",
        choices=("embedded", "debian15"),
        default="embedded",
        help="the server that all tests use: the embedded one, or Debian's Postgres 15",
    )


@contextmanager
def debian_server(folder: Path) -> Iterator[str]:
    """Debian's Postgres 15 on a socket in `folder`; skips where it is not installed."""
    if not (DEBIAN_BINARIES / "initdb").exists():
        pytest.skip("Debian's Postgres 15 is not installed (apt-get install postgresql-15)")
    identity: dict[str, Any] = {}
    if os.geteuid() == 0:  # Postgres refuses root
        account = pwd.getpwnam("postgres")
        identity = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        os.chown(folder, account.pw_uid, account.pw_gid)
        for parent in folder.parents:
            parent.chmod(parent.stat().st_mode | 0o001)

    def run(program: str, *arguments: str) -> None:
        command = [str(DEBIAN_BINARIES / program), "-D", str(folder / "data"), *arguments]
        log = (folder / "out").open("ab")
        subprocess.run(command, cwd="/", stdout=log, stderr=log, check=True, **identity)

    run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8")
    run("pg_ctl", "start", "-w", "-o", f"-c listen_addresses= -k '{folder}'")
    try:
        yield f"postgresql://postgres@/postgres?host={folder}"
    finally:
        run("pg_ctl", "stop", "-m", "immediate")


@contextmanager
def embedded_server(folder: Path) -> Iterator[str]:
    yield start_embedded(folder)
    stop_embedded(folder)


def find_memory() -> str | None:
    """Where files are kept in memory, if there is plenty of it: a database for each test is a
    thousand small files, which keeps a disk busy for most of the suite's time."""
    memory = "/dev/shm"
    is_writable = os.access(memory, os.W_OK | os.X_OK)
    if not is_writable or shutil.disk_usage(memory).free < ENOUGH_BYTES:
        return None
    return memory if psutil.virtual_memory().available >= ENOUGH_BYTES else None


@contextmanager
def server_folder() -> Iterator[Path]:
    """A folder for a server's files, gone afterwards. Not pytest's own: each session that starts
    closes the folder above to everybody else, and under root the server is somebody else."""
    folder = Path(tempfile.mkdtemp(prefix="plainloop-test-", dir=find_memory()))
    folder.chmod(0o711)  # a pooler has an account of its own, and goes through to the socket
    watch = (sys.executable, "-S", "-c", CLEAN_UP, str(folder))
    with subprocess.Popen(watch, stdin=subprocess.PIPE, start_new_session=True, cwd="/"):
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """An empty data directory for a test that starts an embedded server in it."""
    with server_folder() as folder:
        yield folder
        stop_embedded(folder)


@pytest.fixture
def small_disk(data_dir: Path) -> Iterator[Path]:
    """A data directory on a file system of its own, which is soon full."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=300m,mode=711", "tmpfs", str(data_dir)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a file system, and not everywhere")
    try:
        yield data_dir
    finally:
        stop_embedded(data_dir)
        subprocess.run(["umount", "--lazy", str(data_dir)], check=True)


@pytest.fixture(scope="session")
def postgres_url(pytestconfig: pytest.Config) -> Iterator[str]:
    """A server of our own for the whole session; its maintenance database."""
    is_debian = pytestconfig.getoption("--postgres") == "debian15"
    server = debian_server if is_debian else embedded_server
    with server_folder() as folder, server(folder) as url:
        relax_server(url)
        yield url


def relax_server(url: str) -> None:
    """The machine may lose power during a test run; nobody will miss the data."""
    asyncio.run(
        run_sql(
            url,
            "alter system set fsync = off",
            "alter system set synchronous_commit = off",
            "alter system set full_page_writes = off",  # each new database asks for a checkpoint
            "alter system set max_wal_size = '512MB'",
            "select pg_reload_conf()",
        )
    )


@pytest.fixture(scope="session")
def template_url(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The migrated database that tests are cloned from. Nobody may stay connected to it."""

    async def migrate() -> None:
        await run_sql(postgres_url, f"create database {TEMPLATE}")
        settings = make_settings(
            make_database_url(postgres_url, TEMPLATE), tmp_path_factory.mktemp("template")
        )
        store = await connect_store(settings, migration_folders=list_pack_migrations())
        if os.environ.get("PLAINLOOP_TEST_MONTHS"):  # every test that has the template
            await load_hook("months").begin_months(store.database)
        await store.close()

    asyncio.run(migrate())
    return postgres_url


async def make_database(server_url: str, options: str = "") -> str:
    """Its name. Those that earlier tests left go first, over the same connection."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    drops = [f"drop database {left} with (force)" for left in _left]
    _left.clear()
    await run_sql(server_url, *drops, f"create database {name} {options}")
    return name


@pytest.fixture
async def database_url(template_url: str) -> AsyncIterator[str]:
    """A database of this test alone, migrated."""
    name = await make_database(template_url, f"template {TEMPLATE} strategy file_copy")
    yield make_database_url(template_url, name)
    _left.append(name)


@pytest.fixture
async def empty_database_url(postgres_url: str) -> AsyncIterator[str]:
    """A database of this test alone, with nothing in it."""
    name = await make_database(postgres_url)
    yield make_database_url(postgres_url, name)
    _left.append(name)


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    """Settings of this test: its database, its data directory, no key, nothing else set."""
    return make_settings(database_url, tmp_path / "data")


@pytest.fixture
async def store(settings: Settings) -> AsyncIterator[Store]:
    """The store of this test's database."""
    opened = await connect_store(settings, migrate=False)
    yield opened
    await opened.close()


@pytest.fixture
async def connect(settings: Settings) -> AsyncIterator[Callable[[], Awaitable[Store]]]:
    """Further stores of the same database, as other processes would have them."""
    opened: list[Store] = []

    async def connect_another() -> Store:
        opened.append(await connect_store(settings, migrate=False))
        return opened[-1]

    yield connect_another
    for another in opened:
        await another.close()
