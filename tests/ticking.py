"""How often other tasks of the event loop had their turn while something was awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from plainloop.agent.base.finishing import end_tasks


class Ticks:
    """Counts the turns of a task that only passes its turn on."""

    count = 0


@asynccontextmanager
async def counted_ticks() -> AsyncGenerator[Ticks]:
    """Count the turns that another task has inside the block."""
    ticks = Ticks()

    async def tick() -> None:
        while True:
            await asyncio.sleep(0)
            ticks.count += 1

    task = asyncio.create_task(tick())
    try:
        yield ticks
    finally:
        await end_tasks(task)
