"""Every test leaves its event loop without open connections."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from plainloop.agent.providers.http.clients import close_clients


@pytest.fixture(autouse=True)
async def no_connection_is_left_open() -> AsyncIterator[None]:
    yield
    await close_clients()
