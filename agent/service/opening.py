"""The way from settings to a running service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from ..base.secrets import remember_secret
from ..config.settings import Settings
from ..core.models import connect_models
from ..designs.base import load_design
from ..intents.matching import build_lexicons
from ..packs.checking import check_tables
from ..packs.code_parts import Parts, digest_parts, name_parts
from ..packs.loading import load_served_packs
from ..providers.http.clients import hold_calls, preload
from ..selection.choosing import ROLES, check_selection
from ..store.decide.deploys import save_code_parts
from ..store.opening import connect_store
from ..store.outages import try_once
from .service import Service
from .setup import check_rates
from .variants import check_roles


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
    folders = [pack.migrations for pack in packs if pack.migrations is not None]
    models = await connect_models(settings)
    provider = models.resolve("worker").provider
    for name in (name for name, own in settings.agents.items() if own.temperature is not None):
        models.resolve(name if name in ROLES else "worker", name)  # or refused at the first call
    check_selection(settings, models)
    lexicons = (asyncio.to_thread(build_lexicons, pack.entities) for pack in packs)
    store, parts, _ = await asyncio.gather(
        connect_store(settings, migration_folders=folders),
        asyncio.to_thread(digest_parts, packs, settings),
        try_once("lexicons", asyncio.gather(*(lexicons if loads_sdk else ()))),
    )
    service = Service(settings, store, models, packs)
    try:
        await check_tables(store.database, packs)
        await tell_parts(service, parts)
        await service.tool_servers.start()
        if loads_sdk:
            hold_calls(asyncio.create_task(try_once("preload", preload(provider))))
        yield service
    finally:
        await service.close()


async def tell_parts(service: Service, parts: Parts) -> None:
    """Let the service's runs keep by which code they began, so that a replay can tell."""
    name = name_parts(parts)
    await save_code_parts(service.store, name, parts)
    service.parts_name = name
