"""A clock of the event loop that a test sets forward."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest


@pytest.fixture
async def pass_s() -> AsyncIterator[Callable[[float], None]]:
    """Lets the loop's time pass at once, for all that waits in it."""
    loop = asyncio.get_running_loop()
    passed, real = [0.0], loop.time
    loop.time = lambda: real() + passed[0]  # type: ignore[method-assign]
    yield lambda seconds: passed.append(passed.pop() + seconds)
    loop.time = real  # type: ignore[method-assign]
