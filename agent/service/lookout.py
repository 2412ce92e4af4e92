"""Looks for work again and again: every few seconds, and at once when poked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from ..store.outages import try_once


class Lookout:
    """look: one look, which may fail; the next one is made. what: how the log calls it."""

    def __init__(self, look: Callable[[], Awaitable[object]], pause_s: float, what: str) -> None:
        self._look = look
        self._pause_s = pause_s
        self._what = what
        self._poked = asyncio.Event()
        self.has_looked = asyncio.Event()  # at least once, whatever came of it
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look, now."""
        self._task = asyncio.create_task(self._look_always())

    def poke(self) -> None:
        """Look at once: there is something to be found."""
        self._poked.set()

    async def stop(self) -> None:
        """Look no more; a look that is under way is cancelled."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _look_always(self) -> None:
        while True:
            self._poked.clear()
            await try_once(self._what, self._look())
            self.has_looked.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause_s):
                    await self._poked.wait()
