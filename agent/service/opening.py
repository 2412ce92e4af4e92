"""Opens a running service from settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
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
async def open_service(
    settings: Settings, *, loads_sdk: bool = True, ready: asyncio.Event | None = None
) -> AsyncGenerator[Service]:
    """Open a service that is ready to run: database, models and packs are loaded.

    loads_sdk: in a thread, and builds the tables with which the rules read sentences; this takes
    a second, which a command whose answer may need no model does not have. First runs wait for
    the tables, only a first call waits for the SDK.
    ready: delays both until this is set, or until the first run or call needs them.

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
    digest = cache(partial(start_digest, packs, settings, builds_tables=loads_sdk))
    load_sdk = cache(lambda: asyncio.create_task(try_once("preload", preload(provider))))
    if ready is None:
        digest()
    # The digest is under way in its thread meanwhile.
    store = await connect_store(settings, migration_folders=folders)
    service = Service(settings, store, models, packs, digest)

    async def load() -> None:
        if ready is not None:
            await ready.wait()
        if loads_sdk:
            load_sdk()
        await try_once("code_parts", save_parts(store, digest()))

    loading: asyncio.Task[None] | None = None
    try:
        # After the migrations, which may have made the tables.
        await check_tables(store.database, packs)
        await service.tool_servers.start()
        if loads_sdk:
            hold_calls(load_sdk)
        loading = asyncio.create_task(load())
        yield service
    finally:
        if loading is not None:
            await asyncio.wait({loading}, timeout=0 if ready and not ready.is_set() else SAVE_S)
            loading.cancel()
        await service.close()


def start_digest(
    packs: Sequence[Pack], settings: Settings, *, builds_tables: bool = False
) -> Future[NamedParts]:
    """Start to digest the code in a thread; return the future of the digests.
    builds_tables: build those of the rules first.
    """

    def work() -> NamedParts:
        for pack in packs if builds_tables else ():
            with suppress(Exception):  # the first sentence reports it
                prepare_rules(pack.entities)
        return digest_named(packs, settings)

    with_one = ThreadPoolExecutor(1, "code-parts")
    digest = with_one.submit(work)
    # It takes no further work; its thread ends with this one.
    with_one.shutdown(wait=False)
    return digest


async def save_parts(store: Store, digest: Future[NamedParts]) -> None:
    """Store the digests of this version's code, so that replays can compare them."""
    name, parts = await asyncio.wrap_future(digest)
    await keep_trying(lambda: save_code_parts(store, name, parts))
