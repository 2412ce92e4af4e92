"""`plainloop migrate`: bring the database to this version's schema, or say how far it is."""

from __future__ import annotations

from ...config.settings import load_settings
from ...store.migrations import apply_migrations
from ...store.migrations import list_migrations as load_migrations
from ..terminal import output
from ..terminal.opening import list_migration_folders, open_store
from ..terminal.rendering import format_time


async def migrate(*, dry_run: bool) -> None:
    """dry_run: everything is run against the database, then rolled back."""
    settings = load_settings()
    folders = list_migration_folders(settings)
    async with open_store(settings, migrate=False) as store:
        with output.progress("migrating …"):
            names = await apply_migrations(store.database, folders, dry_run=dry_run)
    for name in names:
        output.write_line(f"{'would apply' if dry_run else 'applied'}  {name}")
    if not names:
        output.write_status("nothing to do: the schema is up to date")


async def list_migrations() -> None:
    settings = load_settings()
    folders = list_migration_folders(settings)
    async with open_store(settings, migrate=False) as store:
        for item in await load_migrations(store.database, folders):
            when = format_time(item.applied_at) if item.applied_at else "pending"
            output.write_line(f"{when:<16}  {item.name}")
