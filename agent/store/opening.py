"""The way from settings to a store: a database that answers, migrated, with its read replica."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ..base.text.secrets import remember_secret
from ..config.settings import Settings
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
    """The store of `settings`: DATABASE_URL's, else an embedded Postgres in the data directory.

    migration_folders: the packs', after the core's.

    Raises: StoreError with a hint when there is no database to work with.
    """
    url = settings.database.url
    keeper = Keeper(settings.data_dir) if url is None else None
    if url is None:
        address = await asyncio.to_thread(start_embedded, settings.data_dir)
    else:
        address = url.reveal()
        remember_secret(unquote(urlsplit(address).password or ""))
    connect = partial(
        open_database,
        statement_cache=0 if settings.database.transaction_pooler else STATEMENT_CACHE,
        connections=settings.database.connections,
        wait_s=settings.database.wait_s,
        silent_s=settings.database.silent_s,
    )
    database = await connect(address, revive=keeper.revive if keeper else None)
    try:
        if migrate:
            judge = settings.deploy.judge
            for name in await apply_migrations(database, migration_folders, judge=judge):
                logger.info("migration_applied", extra={"migration": name})
            await secure(database)
        else:
            await database.detect_roles()
    except BaseException:
        await database.close()
        raise
    replica = None
    if settings.database.read_url is not None:
        reading = settings.database.read_url.reveal()
        remember_secret(unquote(urlsplit(reading).password or ""))
        replica = await connect(reading, copies=database)
    return Store(database, replica, settings.rates, settings.database.read_lag_s)
