"""`plainloop migrate`: applies the missing migrations, or lists them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from ...config.installed import load_hook
from ...config.settings import load_settings
from ...errors import ConfigError
from ...packs.loading import list_migration_folders, load_served_packs
from ...store.migrations import apply_migrations, reset_edited
from ...store.migrations import list_migrations as load_migrations
from ...store.roles import check_roles, mend_roles
from ...store.store import Store
from ..terminal import output
from ..terminal.opening import open_store
from ..terminal.rendering import format_time

Folders = Sequence[Path]


async def open_as_it_is(work: Callable[..., Awaitable[None]], **more: Any) -> None:
    """Open the store without migrating it, run `work(store, folders, …)`, close the store."""
    settings = load_settings()
    folders = list_migration_folders(load_served_packs(settings))
    async with open_store(settings, migrate=False) as store:
        await work(store, folders, **more)


async def repair(store: Store, folders: Folders) -> None:
    """Recreate roles, grants and row policies, and verify them.

    Raises: StoreError ROLES_UNUSABLE with what an administrator has to run.
    """
    await apply_migrations(store.database, folders)
    await mend_roles(store.database)
    missing = await check_roles(store.database)
    if missing:
        output.write_status(
            "row-level security is off; to turn it on, an administrator of the database has to run:"
        )
        output.write_line("\n".join(missing))
    else:
        output.write_status(
            "roles, grants and policies work: a probe could write and see only its own rows"
        )


async def migrate(
    store: Store, folders: Folders, *, dry_run: bool = False, from_older: bool = False
) -> None:
    """Apply the missing migrations.
    dry_run: run everything and roll it back. from_older: only those of the versions before this
    one.
    """
    with output.progress("migrating …"):
        names = await apply_migrations(
            store.database, folders, dry_run=dry_run, from_older=from_older
        )
    for name in names:
        output.write_line(f"{'would apply' if dry_run else 'applied'}  {name}")
    if from_older and names:
        output.write_status("now run `plainloop migrate`")
    elif not names:
        output.write_status("nothing to do: all migrations are applied")


async def begin_months(store: Store) -> None:
    """Partition the growing tables by month from now on; replicas may keep running."""
    if (months := load_hook("months")) is None:
        raise ConfigError(
            "`--by-months` needs plainloop-operations, which is not installed",
            hint="Install plainloop-operations.",
        )
    names = await months.begin_months(store.database, tell=output.write_status)
    if not names:
        output.write_status("nothing to do: the tables are already partitioned by month")


async def reset(store: Store, folders: Folders) -> None:
    """Drop and recreate the tables of packs whose migrations were edited, for development."""
    for name in await reset_edited(store.database, folders):
        output.write_line(f"edited   {name}: the tables of its pack are created again")
    for name in await apply_migrations(store.database, folders):
        output.write_line(f"applied  {name}")


async def list_migrations(store: Store, folders: Folders) -> None:
    for item in await load_migrations(store.database, folders):
        when = format_time(item.applied_at) if item.applied_at else "pending"
        output.write_line(f"{when:<16}  {item.name}")
