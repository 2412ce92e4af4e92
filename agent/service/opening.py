"""The way from settings to a running service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Final

from ..base.text.secrets import remember_secret
from ..config.settings import Settings
from ..core.models import ROLES, connect_models
from ..core.spec import Pack
from ..designs.base import load_design
from ..intents.rules import prepare_rules
from ..packs.checking import check_tables
from ..packs.code_parts import NamedParts, digest_named
from ..packs.loading import list_migration_folders, load_served_packs
from ..providers.http.clients import hold_calls, preload
from ..store.opening import connect_store
from ..store.outages import keep_trying, try_once
from ..store.recordings import save_code_parts
from ..store.store import Store
from .service import Service
from .setup import check_rates
from .variants import check_roles, load_variants

SAVE_S: Final = 5.0  # so long a service that ends waits until its code's digests are saved


@asynccontextmanager
async def open_service(settings: Settings, *, loads_sdk: bool = True) -> AsyncGenerator[Service]:
    """Open a service that is ready to run: database migrated, models chosen, packs loaded.

    loads_sdk: beside the work, and builds what the rules read sentences with while the database
    starts, so that no turn waits for that; it takes seconds, which a command whose answer may need
    no model does not have. Only a first call waits for the SDK.

    Raises: ConfigError, StoreError.
    """
    for secret in settings.list_secrets():
        remember_secret(secret)
    packs = load_served_packs(settings)
    check_roles(settings, packs)
    check_rates(settings)
    load_design(settings.agent.design)
    folders = list_migration_folders(packs)
    models = await connect_models(settings)
    provider = models.resolve("worker").provider
    for name in (name for name, own in settings.agents.items() if own.temperature is not None):
        models.resolve(name if name in ROLES else "worker", name)  # or refused at the first call
    load_variants().check(settings, models)
    entities = (pack.entities for pack in packs if pack.entities)
    rules = (asyncio.to_thread(prepare_rules, some) for some in entities)
    digest = None if loads_sdk else start_digest(packs, settings)
    store, _ = await asyncio.gather(
        connect_store(settings, migration_folders=folders),
        try_once("rules", asyncio.gather(*(rules if loads_sdk else ()))),
    )
    digest = digest or start_digest(packs, settings)
    service = Service(settings, store, models, packs, digest)
    saving: asyncio.Task[bool] | None = None
    try:
        await check_tables(store.database, packs)
        await service.tool_servers.start()
        saving = asyncio.create_task(try_once("code_parts", save_parts(store, digest)))
        if loads_sdk:
            hold_calls(asyncio.create_task(try_once("preload", preload(provider))))
        yield service
    finally:
        if saving is not None:
            await asyncio.wait({saving}, timeout=SAVE_S)
            saving.cancel()
        await service.close()


def start_digest(packs: Sequence[Pack], settings: Settings) -> Future[NamedParts]:
    """Start to digest the code in a thread, which takes 0.1 s that opening need not wait for."""
    with_one = ThreadPoolExecutor(1, "code-parts")
    digest = with_one.submit(digest_named, packs, settings)
    with_one.shutdown(wait=False)
    return digest


async def save_parts(store: Store, digest: Future[NamedParts]) -> None:
    """Save the digests of the code with which the service's runs begin, for replays."""
    name, parts = await asyncio.wrap_future(digest)
    await keep_trying(lambda: save_code_parts(store, name, parts))
