"""Fair sharing of the event loop: runs of different users are resumed in turn."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any, Final, TypeVar

from .fair_queue import FairQueue, Party

T = TypeVar("T")

# Resumptions of runs in one pass of the loop, when several users have runs. Then sockets and
# everything else are served: more would delay them, fewer cost a look at the sockets each.
RESUMED_AT_ONCE: Final = 4


class LoopShares:
    """Shares the event loop fairly: resumes the runs of different users in turn.

    While one user alone has runs, nothing waits and nothing is counted.
    """

    def __init__(self) -> None:
        self._runs: dict[Party, int] = {}
        self._waiting = FairQueue[asyncio.Future[None]]()
        self._left = RESUMED_AT_ONCE  # in this pass of the loop

    @coroutine
    def share(self, party: Party, work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
        """Run a coroutine in this task so that users share the event loop fairly.

        Before each resumption it waits for its user's turn. A cancellation or an error that it
        waits for reaches it at once.
        """
        self._runs[party] = self._runs.get(party, 0) + 1
        try:
            # A generator drives the work, not a task for each resumption: the loop gets the futures
            # that the work awaits unchanged, so results and cancellations reach the work directly.
            waits_for = work.send(None)
            while True:
                try:
                    yield waits_for
                    if len(self._runs) > 1 and not self._take():
                        yield from self._wait(party)
                except BaseException as error:  # noqa: BLE001 it is the work's, as if it waited itself
                    waits_for = work.throw(error)
                else:
                    waits_for = work.send(None)
        except StopIteration as end:
            return end.value
        finally:
            self._runs[party] -= 1
            if not self._runs[party]:
                del self._runs[party]

    def _take(self) -> bool:
        """Take one of this pass's shares; False if none is left or another task waits."""
        if self._left == RESUMED_AT_ONCE:  # the first one of this pass
            asyncio.get_running_loop().call_soon(self._begin_pass)
        # A task that becomes ready later never overtakes those that wait.
        if self._left <= 0 or self._waiting.length:
            return False
        self._left -= 1
        return True

    def _wait(self, party: Party) -> Generator[Any, None, None]:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.push(party, turn)
        try:
            yield from turn
        except BaseException:
            # `_begin_pass` would skip it, but until then all other tasks would wait behind it.
            self._waiting.remove(party, turn)
            raise

    def _begin_pass(self) -> None:
        """Resume the next ones; what becomes ready by itself has the rest of the pass."""
        self._left = RESUMED_AT_ONCE
        while self._waiting.length and self._left:
            turn = self._waiting.pop()
            if not turn.done():
                turn.set_result(None)
                self._left -= 1
        if self._left < RESUMED_AT_ONCE:
            asyncio.get_running_loop().call_soon(self._begin_pass)
