"""How many runs this process works on at once; further ones wait in the order in which they came.

A run that waits is stored and ours: its lease is extended, it can be stopped, whoever watches it is
told its place. When the process goes, others take it up.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from ..core.journal import RunLeft


class Turns:
    """most: so many have a turn at once. tell_s: how often one who waits is told its place."""

    def __init__(self, most: int, tell_s: float) -> None:
        self._most = most
        self._free = most
        self._tell_s = tell_s
        self._line: deque[asyncio.Future[None]] = deque()
        self._is_closed = False

    @property
    def taking(self) -> int:
        """How many have a turn."""
        return self._most - self._free

    @property
    def waiting(self) -> int:
        """How many wait for a turn."""
        return len(self._line)

    @asynccontextmanager
    async def taken(self, tell: Callable[[int], None]) -> AsyncGenerator[None]:
        """Inside is our turn. tell: is given our place, 1 is the next; only when we must wait.

        Raises: RunLeft when the process goes while we wait.
        """
        if self._free > 0:
            self._free -= 1
        else:
            await self._wait(tell)
        try:
            yield
        finally:
            self._pass_on()

    def close(self) -> None:
        """Nobody waits any more: others shall go on with those runs."""
        self._is_closed = True
        for turn in self._line:
            if not turn.done():
                turn.set_exception(RunLeft())

    async def _wait(self, tell: Callable[[int], None]) -> None:
        if self._is_closed:
            raise RunLeft
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._line.append(turn)
        told = 0
        try:
            while not turn.done():
                if told != (told := self._line.index(turn) + 1):
                    tell(told)
                await asyncio.wait({turn}, timeout=self._tell_s)
            turn.result()
        except BaseException:
            if turn in self._line:
                self._line.remove(turn)
            elif turn.exception() is None:  # it was given to us, and nobody takes it
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._line:
            turn = self._line.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
