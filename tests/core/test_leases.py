"""Who counts as dead, and what a process that stood still is told."""

from __future__ import annotations

import os
import re
import shutil
import socket
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from plainloop.agent.errors import StoreError
from plainloop.agent.store import leases, migrations
from plainloop.agent.store.leases import is_owner_dead, make_owner, parse_owner
from plainloop.agent.store.migrations import CORE_MIGRATIONS, apply_migrations
from plainloop.agent.store.store import Store
from tests.core.store_samples import begin_run, create_thread


def test_run_owners_on_machines_with_equal_names_are_distinguished() -> None:
    host, pid, start = make_owner().rsplit("/", 2)
    name, boot, namespace = host.rsplit(".", 2)
    other = f"{name}.{boot[::-1]}.{namespace}"
    assert is_owner_dead(f"{host}/{pid}/{start}0"), "here: the process id is somebody else's now"
    assert not is_owner_dead(f"{other}/{pid}/{start}0"), "there: nobody can know"
    assert pid == str(os.getpid())


def test_a_run_owners_id_contains_boot_and_process_namespace() -> None:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    namespace = Path("/proc/self/ns/pid").stat().st_ino
    assert make_owner().startswith(f"{socket.gethostname()}.{boot}.{namespace}/{os.getpid()}/")


@pytest.fixture
def without_proc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine that has no /proc, as macOS."""
    make_host: Any = leases._make_host  # type: ignore[reportPrivateUsage]
    make_host.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(leases, "Path", lambda path: Path(f"/nowhere{path}"))
        yield
    make_host.cache_clear()


@pytest.mark.usefixtures("without_proc")
def test_without_proc_a_run_owners_id_contains_the_network_card() -> None:
    owner = make_owner()
    host = f"{socket.gethostname()}.{uuid.getnode():x}.0"
    assert owner.startswith(f"{host}/{os.getpid()}/")
    assert not is_owner_dead(owner)
    assert is_owner_dead(f"{owner}0"), "the process id is another process's now"
    assert is_owner_dead(f"{host}/{2**22 + 1}/1")


@pytest.mark.parametrize(
    ("owner", "process"),
    [
        ("web.boot.1/17/2", ("web", "17")),
        ("web.eu.acme.example.boot.1/17/2", ("web.eu.acme.example", "17")),
        ("replica/3/1", ("replica", "3")),
        ("elsewhere", ("elsewhere", "")),
        ("", ("", "")),
    ],
)
def test_a_run_owner_is_displayed_as_host_and_process_id(
    owner: str, process: tuple[str, str]
) -> None:
    assert parse_owner(owner) == process


@pytest.mark.parametrize("owner", [None, "", "elsewhere", "a/b", "web.boot.1/17/2"])
def test_run_owners_on_other_machines_are_never_declared_dead(owner: str | None) -> None:
    assert is_owner_dead(owner) is False


def test_a_run_owner_without_a_process_id_is_not_declared_dead() -> None:
    host, _, start = make_owner().rsplit("/", 2)
    assert is_owner_dead(f"{host}/none/{start}") is False
    assert is_owner_dead(f"{host}/{2**22 + 1}/{start}") is True


async def test_a_frozen_process_gets_a_store_error_on_waking(store: Store) -> None:
    for end in ("statement", "commit"):
        tx = await store.database.begin("acme")
        await tx.execute("set local idle_in_transaction_session_timeout = 50")
        backend = await tx.fetchval("select pg_backend_pid()")
        while psutil.pid_exists(backend):  # the server ends the session; this loop stands still
            time.sleep(0.01)
        with pytest.raises(StoreError):
            await (tx.commit() if end == "commit" else tx.fetchval("select 1"))
        await tx.rollback()
    await begin_run(store, await create_thread(store))


@pytest.mark.parametrize(("line", "code"), [("", None), ("-- contracts: b goes", "SCHEMA_NEWER")])
async def test_an_incompatible_newer_schema_is_refused_readably(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str, code: str | None
) -> None:
    newer = tmp_path / "newer"
    shutil.copytree(CORE_MIGRATIONS, newer)
    (newer / "9999_core_later.sql").write_text(
        f"{line}\nalter table threads add column later text;"
    )
    with monkeypatch.context() as patched:
        patched.setattr(migrations, "CORE_MIGRATIONS", newer)
        assert await apply_migrations(store.database) == ["9999_core_later.sql"]
    if code is None:
        assert await apply_migrations(store.database) == []
        await begin_run(store, await create_thread(store))
        return
    with pytest.raises(StoreError, match="newer version") as refused:
        await apply_migrations(store.database)
    assert refused.value.code == code


def test_every_destructive_migration_is_marked_as_contracting() -> None:
    taking = re.compile(
        r"drop (column|table|type)|\brename\b|set not null|alter column \w+ type", re.I
    )
    later = [path for path in sorted(CORE_MIGRATIONS.glob("*.sql")) if path.name >= "0210"]
    found = [path.name for path in later if taking.search(path.read_text())]
    assert [
        name for name in found if "-- contracts:" not in (CORE_MIGRATIONS / name).read_text()
    ] == []


async def test_queued_runs_follow_the_databases_clock(store: Store) -> None:
    thread = await create_thread(store)
    await store.read("acme").execute(
        """
        insert into runs
            (tenant_id, run_id, thread_id, user_id, design, pack, status, pending_input,
            created_at)
        select 'acme', run_id, $1::uuid, 'ann', 'default', 'tracker', 'queued', '{}', created_at
        from (values
            ('00000000-0000-7000-8000-000000000001'::uuid, now()),
            ('ffffffff-0000-7000-8000-000000000001'::uuid, now() - interval '1 minute')
        ) as came (run_id, created_at)
        """,
        thread.thread_id,
    )
    claim = await store.queue.claim_queued_run("me/1/1", 30)
    assert claim is not None
    assert claim.run.run_id.startswith("ffffffff")
