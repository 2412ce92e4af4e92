"""The database: its schema, its roles, and whether its connections are enough."""

from __future__ import annotations

from ..base.text.cleaning import format_count
from ..config.installed import load_entries
from ..config.settings import Settings
from ..errors import StoreError
from ..packs.loading import list_migration_folders, load_served_packs
from ..store.admin.api_keys import count_ending_keys
from ..store.api import Capacity, load_capacity
from ..store.connecting.settings import DatabaseSettings
from ..store.migrations import list_migrations
from ..store.roles import check_roles
from ..store.store import Store
from ..store.transactions import operate_alone
from .findings import Finding
from .providers import check_answers


async def check_database(settings: Settings, store: Store) -> list[Finding]:
    """Check the database: schema, roles, connections, and what installed packages check in it."""
    is_embedded = settings.get_table(DatabaseSettings).url is None
    which = "embedded Postgres" if is_embedded else "DATABASE_URL"
    folders = list_migration_folders(load_served_packs(settings))
    async with store.database.connection() as connection:
        server: str = await connection.fetchval("show server_version")
    migrations = await list_migrations(store.database, folders)
    pending = [item.name for item in migrations if item.applied_at is None]
    missing: list[str] = []
    capacity = None
    # A pending migration may create the objects that these functions read.
    if not pending:
        missing = await check_roles(store.database)
        capacity = await load_capacity(store)
    found = [Finding("ok", "database", f"{which}, Postgres {server}")]
    if pending:
        todo = "Run `plainloop migrate`, or any command that uses the database."
        found.append(Finding("note", "schema", f"{len(pending)} migrations pending", todo))
    else:
        found.append(Finding("ok", "schema", f"{len(migrations)} migrations, none pending"))
    if missing:
        text = "row-level security is off: its database roles cannot be used"
        todo = (
            "Queries still filter by tenant. To add row-level security, an "
            "administrator has to run: "
        )
        found.append(Finding("warn", "database", text, todo + " ".join(missing)))
    if capacity is not None:
        found.append(add_up(capacity, settings))
        for find in load_entries("findings").values():
            found += await find(store)
        found += await check_replica(settings, store)
        found += [] if missing else await check_answers(settings, store)
        found += tell_keys(await count_ending_keys(operate_alone(store.database)))
        for pack in load_served_packs(settings):
            found += await pack.examine(settings, store) if pack.examine else []
    return found


async def check_replica(settings: Settings, store: Store) -> list[Finding]:
    """Report how far the read replica lags behind; [] if none is set."""
    most_s = settings.get_table(DatabaseSettings).read_lag_s
    if settings.get_table(DatabaseSettings).read_url is None:
        return []
    todo = "Reports and lists read the primary database until the replica has caught up."
    try:
        age_s = await store.measure_lag()
    # A warning: reads go to the primary meanwhile (test_doctor_reports_the_read_replicas_lag).
    except StoreError as error:
        return [
            Finding(
                "warn", "database", f"the read replica cannot be reached: {error.message}", todo
            )
        ]
    if age_s is None:
        return [Finding("note", "database", "the read replica does not report its lag")]
    if age_s > most_s:
        text = f"the read replica is {age_s:,.0f} s behind; the limit is {most_s:g} s"
        return [Finding("warn", "database", text, todo + " (database.read_lag_s)")]
    return [Finding("ok", "database", f"the read replica is {age_s:.1f} s behind")]


def tell_keys(count: int) -> list[Finding]:
    """Build the finding that `count` API keys expire within two weeks; [] for 0."""
    text = f"{format_count(count, 'API key')} will expire within two weeks"
    todo = "`plainloop keys list --tenant TENANT` shows the keys."
    return [Finding("note", "keys", text, todo)] if count else []


def add_up(capacity: Capacity, settings: Settings) -> Finding:
    """Report how many replicas the database's connection limit allows."""
    # A pooler's open connections do not show how many connections a replica may have.
    if settings.get_table(DatabaseSettings).transaction_pooler:
        text = (
            "connections go through a pooler, whose max_client_conn must be enough for "
            "all replicas together"
        )
        return Finding("note", "", text)
    each, free = settings.get_table(DatabaseSettings).connections, capacity.room - capacity.others
    text = (
        f"{capacity.room} connections, of which other programs use {capacity.others}; each "
        f"replica needs {each}, so there is room for {max(0, free // each)} replicas "
        f"({capacity.replicas} running)"
    )
    # A replica that starts just now has no row yet
    # (test_doctor_adds_up_the_connections_of_all_replicas).
    if max(1, capacity.replicas) * each <= free:
        return Finding("ok", "", text)
    # Two is the setting's minimum.
    share = max(2, free // max(1, capacity.replicas))
    todo = (
        "Queries will wait for a free connection. Raise max_connections (or the "
        f"role's CONNECTION LIMIT), or set AGENT_DATABASE_CONNECTIONS={share}."
    )
    return Finding("warn", "database", text, todo)
