"""The whole service as commands open it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from ...config.settings import Settings
from ...service import service as runner
from ...service.service import Service
from .opening import STARTING
from .output import progress

OFFLINE = "offline"
OFFLINE_NOTICE = "offline rule-based stand-in, no language model"


@asynccontextmanager
async def open_service(settings: Settings, *, loads_sdk: bool = False) -> AsyncGenerator[Service]:
    """Models, packs and the store, with progress while the database starts."""
    opened = runner.open_service(settings, loads_sdk=loads_sdk)
    with progress(STARTING):
        service = await opened.__aenter__()
    try:
        yield service
    finally:
        await opened.__aexit__(None, None, None)


def describe_model(service: Service) -> str:
    """Who answers: `anthropic:claude-…`; offline says what it is."""
    handle = service.models.resolve("worker")
    return OFFLINE_NOTICE if handle.provider == OFFLINE else handle.label
