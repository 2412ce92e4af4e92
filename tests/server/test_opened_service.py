"""A service that is opened on a new database finds every table there."""

from __future__ import annotations

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.packs.loading import list_migration_folders
from plainloop.agent.service.opening import open_service
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.migrations import list_migrations


async def test_migrations_of_all_installed_packages_are_applied(
    settings: Settings, empty_database_url: str
) -> None:
    """Those of packs may use the tables of packages (knowledge_documents, say)."""
    new = settings.change(DatabaseSettings, url=Secret(empty_database_url))
    async with open_service(new) as service:
        folders = list_migration_folders(service.packs)
        known = await list_migrations(service.store.database, folders)

    assert {one.name for one in known} >= {
        file.name for folder in folders for file in folder.glob("*.sql")
    }
    assert [one.name for one in known if one.applied_at is None] == []
