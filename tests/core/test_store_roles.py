"""Roles, grants and policies: whatever a cluster has, the service works or says what to run."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from plainloop.agent.errors import StoreError
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.embedded.cluster import get_binaries
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.store import Store
from tests.core.store_samples import answer, begin_run, create_thread
from tests.fixtures import (
    DEBIAN_BINARIES,
    debian_server,
    embedded_server,
    list_pack_migrations,
    make_database_url,
    make_settings,
    run_sql,
    server_folder,
)
from tests.runs.test_pooler import CONFIG as CONFIG_OF_ONE
from tests.runs.test_pooler import pooling

# What a pooler does to sessions is the same with each server.
KINDS = (("embedded", "pooled"), ("embedded", "direct"), ("debian15", "direct"))
Through = Callable[[str], str]
# Who logs in with it is who it is at the server.
CONFIG = CONFIG_OF_ONE.replace(" user=postgres", "").replace(
    "auth_type = any", "auth_type = trust\nauth_file = {folder}/users"
)


@pytest.fixture(params=KINDS, ids="-".join)
def kind(request: pytest.FixtureRequest) -> tuple[str, str]:
    """The server, and the way there."""
    return request.param


@pytest.fixture
def server(kind: tuple[str, str]) -> Iterator[tuple[str, Path]]:
    """A cluster of the test's own, with the superuser's URL: roles are the cluster's."""
    is_debian = kind[0] == "debian15"
    opened = debian_server if is_debian else embedded_server
    with server_folder() as folder, opened(folder) as url:
        yield url, (DEBIAN_BINARIES if is_debian else get_binaries())


@pytest.fixture
def through(kind: tuple[str, str]) -> Iterator[Through]:
    """The URL that the service is given for one of the cluster: as it is, or of a pooler."""
    with ExitStack() as stack:

        def pool(url: str) -> str:
            (folder,) = parse_qs(urlsplit(url).query)["host"]
            pooler = stack.enter_context(pooling(folder, CONFIG, "owner"))
            return url.replace(f"host={folder}", f"host={pooler}&port=6432")

        yield pool if kind[1] == "pooled" else str


def as_owner(url: str, name: str) -> str:
    return make_database_url(url, name).replace("//postgres@", "//owner@")


async def make_owner_database(url: str, name: str, rights: str = "createrole") -> str:
    """A database of a role that is no superuser: what managed Postgres gives."""
    await run_sql(url, f"create role owner login {rights}", f"create database {name} owner owner")
    return as_owner(url, name)


async def open_store(url: str, folder: Path) -> Store:
    settings = make_settings(url, folder)
    pooled = replace(settings.get_table(DatabaseSettings), transaction_pooler="port=6432" in url)
    settings = settings.with_tables(pooled)
    return await connect_store(settings, migration_folders=list_pack_migrations())


async def use(store: Store) -> None:
    """A run from its start to its end, as one tenant; another sees nothing of it."""
    thread = await create_thread(store)
    await answer(store, await begin_run(store, thread))
    assert await store.queue.claim_lost_runs("other/1/1", 30) == []
    assert len(await store.load_messages("acme", thread.thread_id)) == 2
    assert await store.list_threads("umbrella", "ann", limit=1) == []
    if store.database.has_roles:
        assert await store.read("umbrella").fetch("select * from threads") == []


async def test_a_second_database_of_the_cluster_does_not_harm_the_first(
    server: tuple[str, Path], tmp_path: Path, through: Through
) -> None:
    url = server[0]
    first = through(await make_owner_database(url, "first", "nocreaterole"))
    store = await open_store(first, tmp_path)
    assert not store.database.has_roles, "one lock: it may not create roles"
    await use(store)
    await store.close()
    # The roles come with somebody else's database, and an administrator lets the first have them.
    await (await open_store(make_database_url(url, "postgres"), tmp_path)).close()
    await run_sql(url, "grant plainloop_app, plainloop_operator, plainloop_backup to owner")
    store = await open_store(first, tmp_path)
    assert store.database.has_roles
    await use(store)
    await store.close()


async def test_roles_not_granted_to_the_owner_are_refused_with_the_sql_for_it(
    server: tuple[str, Path], tmp_path: Path, through: Through
) -> None:
    url = server[0]
    owned = through(await make_owner_database(url, "first"))
    await (await open_store(owned, tmp_path)).close()
    await run_sql(
        url,
        "alter role owner nocreaterole",
        "do $$ declare g record; begin for g in select r.rolname, m.grantor::regrole as given_by"
        " from pg_auth_members m join pg_roles r on r.oid = m.roleid"
        " where m.member = 'owner'::regrole loop"
        " execute format('revoke %I from owner granted by %s cascade', g.rolname, g.given_by);"
        " end loop; end $$",
    )
    with pytest.raises(StoreError) as refused:
        await open_store(owned, tmp_path)
    assert refused.value.code == "ROLES_UNUSABLE"
    statements = (refused.value.hint or "").partition("has to run: ")[2]
    assert "grant plainloop_app to owner" in statements
    await run_sql(url, *statements.split(";")[:-1])
    store = await open_store(owned, tmp_path)
    await use(store)
    await store.close()


@pytest.mark.parametrize("kind", KINDS[1:], ids="-".join)
async def test_a_missing_grant_is_restored_at_the_next_start(
    server: tuple[str, Path], tmp_path: Path
) -> None:
    owned = await make_owner_database(server[0], "first")
    await (await open_store(owned, tmp_path)).close()
    await run_sql(
        owned,
        "revoke all on all tables in schema public from plainloop_app, plainloop_operator",
        "drop policy tenant_only on threads",
    )
    store = await open_store(owned, tmp_path)
    await use(store)
    await store.close()


async def test_a_dump_by_the_owner_is_restored_into_a_new_cluster(
    server: tuple[str, Path], tmp_path: Path, through: Through
) -> None:
    url, binaries = server
    owned = await make_owner_database(url, "first")
    store = await open_store(owned, tmp_path)
    assert store.database.has_roles, "both locks: its role may create roles"
    await use(store)
    thread = await create_thread(store)
    await answer(store, await begin_run(store, thread), "kept")
    await store.close()
    dump = tmp_path / "dump"
    await run_tool(
        binaries / "pg_dump", "-Fc", "--enable-row-security", "--role=plainloop_backup",
        "-f", str(dump), owned,
    )  # fmt: skip
    opened = debian_server if binaries == DEBIAN_BINARIES else embedded_server
    with server_folder() as folder, opened(folder) as other:
        restored = await make_owner_database(other, "restored")
        # Policies and grants of roles that are not there yet fail: the start makes them again.
        await run_tool(
            binaries / "pg_restore", "--no-owner", "-d", restored, str(dump), may_fail=True
        )
        store = await open_store(through(restored), tmp_path)
        assert store.database.has_roles
        messages = await store.load_messages("acme", thread.thread_id)
        assert [message["role"] for message in messages] == ["user", "assistant"]
        await use(store)
        await store.close()


async def run_tool(program: Path, *arguments: str, may_fail: bool = False) -> None:
    done = await asyncio.to_thread(
        subprocess.run, [str(program), *arguments], capture_output=True, text=True, cwd="/"
    )
    assert may_fail or done.returncode == 0, done.stderr


async def test_a_member_of_the_backup_role_reads_nothing(
    server: tuple[str, Path], tmp_path: Path
) -> None:
    url = server[0]
    store = await open_store(await make_owner_database(url, "first"), tmp_path)
    assert store.database.has_roles
    await use(store)
    await create_thread(store)
    async with store.database.connection() as connection:
        await connection.execute("reset role")
        # What a member inherits before Postgres 16 by itself, later where the grant says so.
        inherits = await connection.fetchval(
            "select pg_has_role(current_user, 'plainloop_backup', 'usage')"
        )
        seen = await connection.fetchval("select count(*) from threads")
        await connection.execute("set role plainloop_backup")
        as_backup = await connection.fetchval("select count(*) from threads")
        await connection.execute("reset role")
        rules = await connection.fetch(
            "select distinct pg_get_expr(polqual, polrelid) as rule from pg_policy"
            " where polname = 'backup_all'"
        )
    await store.close()

    assert (seen, as_backup > 0) == (0, True), inherits
    assert [row["rule"] for row in rules] == ["(CURRENT_USER = 'plainloop_backup'::name)"]


async def test_a_role_reads_no_tenant_before_it_is_set(
    server: tuple[str, Path], tmp_path: Path
) -> None:
    store = await open_store(await make_owner_database(server[0], "first"), tmp_path)
    await use(store)
    seen: dict[str, dict[str, int]] = {}
    async with store.database.connection() as connection:
        for role in ("none", "plainloop_operator"):
            await connection.execute(f"set role {role}")
            tables = await connection.fetch(
                "select oid::regclass::text as name from pg_class where relforcerowsecurity"
                " and has_table_privilege(oid, 'select')"
            )
            counts = {
                table["name"]: await connection.fetchval(f"select count(*) from {table['name']}")
                for table in tables
            }
            seen[role] = {name: count for name, count in counts.items() if count}
        await connection.execute("reset role")
    await store.close()

    assert seen["none"] == {}
    assert seen["plainloop_operator"]["runs"] > 0
