"""Opens the store from settings: connected, migrated, with its read replica."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ..base.text.secrets import remember_secret
from ..config.tables import Settings
from .connecting.settings import DatabaseSettings, DeploySettings
from .database import STATEMENT_CACHE, open_database
from .embedded.keeping import Keeper
from .embedded.server import start_embedded
from .migrations import apply_migrations
from .roles import secure
from .store import Store

logger = logging.getLogger(__name__)

# What a program without a service needs: `await load_messages(store, tenant_id, thread_id)`.
load_messages = Store.load_messages
save_message = Store.save_message


async def connect_store(
    settings: Settings, *, migrate: bool = True, migration_folders: Sequence[Path] = ()
) -> Store:
    """Open the store at DATABASE_URL, or at an embedded Postgres in the data directory.
    migrate: apply missing migrations first. migration_folders: the packs', after the core's.

    Raises: StoreError with a hint when there is no database to work with.
    """
    own = settings.get_table(DatabaseSettings)
    url = own.url
    keeper = Keeper(settings.data_dir) if url is None else None
    if url is None:
        # In a thread: `initdb` takes seconds, in which signals would not be handled.
        address = await asyncio.to_thread(start_embedded, settings.data_dir)
    else:
        address = url.reveal()
        # Unquoted, as in the driver's errors; from here on logs mask the password
        # (test_provider_keys_and_database_passwords_are_redacted_from_logs).
        remember_secret(unquote(urlsplit(address).password or ""))
    connect = partial(
        open_database,
        # asyncpg's FAQ: a pooler hands each transaction another server connection, which does not
        # know the statement (test_the_service_works_through_a_transaction_pooler).
        statement_cache=0 if own.transaction_pooler else STATEMENT_CACHE,
        connections=own.connections,
        wait_s=own.wait_s,
        silent_s=own.silent_s,
    )
    database = await connect(address, revive=keeper.revive if keeper else None)
    try:
        if migrate:
            judge = settings.get_table(DeploySettings).judge
            for name in await apply_migrations(database, migration_folders, judge=judge):
                logger.info("migration_applied", extra={"migration": name})
            # After the files, which make the tables that it protects.
            await secure(database)
        else:
            await database.detect_roles()
    except BaseException:
        await database.close()
        raise
    replica = None
    if own.read_url is not None:
        reading = own.read_url.reveal()
        remember_secret(unquote(urlsplit(reading).password or ""))
        replica = await connect(reading, copies=database)
    return Store(database, replica, settings.rates, own.read_lag_s)
