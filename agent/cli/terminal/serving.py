"""The whole service as commands open it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from ...config.settings import Settings
from ...service import opening
from ...service.service import Service
from .opening import STARTING
from .output import progress

OFFLINE = "offline"
OFFLINE_NOTICE = "offline rule-based stand-in, no language model"


@asynccontextmanager
async def open_service(
    settings: Settings, *, loads_sdk: bool = False, ready: asyncio.Event | None = None
) -> AsyncGenerator[Service]:
    """Open the whole service, with a spinner in the terminal while its database starts."""
    async with AsyncExitStack() as stack:
        with progress(STARTING):
            opened = opening.open_service(settings, loads_sdk=loads_sdk, ready=ready)
            service = await stack.enter_async_context(opened)
        yield service


def describe_model(service: Service) -> str:
    """Return the label of the workers' model, or a notice that it is the offline rules."""
    handle = service.models.resolve("worker")
    return OFFLINE_NOTICE if handle.provider == OFFLINE else handle.label
