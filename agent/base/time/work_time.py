"""Time limits for work that pause while the work waits for a shared resource.

Code that waits does not know the time limits around it, a run's and a tool's. So they are stored in
the context, which tasks inherit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Final

_LIMITS: Final[ContextVar[tuple[WorkLimit, ...]]] = ContextVar("work_limits", default=())


class WorkLimit:
    """A time limit like `asyncio.timeout` that does not count time inside `standing_still`.

    limit_s None: there is none, and only waiting is measured.
    """

    def __init__(self, limit_s: float | None) -> None:
        self._timeout = asyncio.timeout(limit_s)
        self._outer: tuple[WorkLimit, ...] = ()
        self._is_open = False
        self._end: float | None = None
        self._waiting = 0  # calls at once
        self._since = 0.0
        self._waited_s = 0.0

    async def __aenter__(self) -> WorkLimit:
        await self._timeout.__aenter__()
        self._outer = _LIMITS.get()
        _LIMITS.set((*self._outer, self))
        self._is_open = True
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        self._is_open = False
        _LIMITS.set(self._outer)
        return await self._timeout.__aexit__(kind, error, traceback)

    @property
    def waited_s(self) -> float:
        """Return the seconds spent waiting for shared resources, counting parallel waits once."""
        now = _now()
        return self._waited_s + (now - self._since if self._waiting else 0.0)

    def expired(self) -> bool:
        """Whether the time limit ended the work."""
        return self._timeout.expired()

    def stop(self) -> None:
        """Begin a wait, during which the time limit's clock is stopped."""
        if not self._waiting:
            self._since = _now()
            self._end = self._timeout.when()
            self._move(None)
        # Parallel waits stop the clock once
        # (test_parallel_waits_for_a_rate_count_once).
        self._waiting += 1

    def go_on(self) -> None:
        """End a wait; the time limit's clock runs again after the last parallel wait."""
        waited_s = self.waited_s
        self._waiting -= 1
        if not self._waiting:
            # Move the end by the time waited: the time that the work used before still counts
            # (test_waiting_for_a_rate_does_not_use_up_the_runs_time).
            moved_s, self._waited_s = waited_s - self._waited_s, waited_s
            self._move(None if self._end is None else self._end + moved_s)

    def _move(self, end: float | None) -> None:
        # A task that was begun inside may wait longer than the block lasts.
        if self._is_open and not self.expired():
            self._timeout.reschedule(end)


@contextmanager
def standing_still() -> Generator[None]:
    """Stop all enclosing time limits while the block waits for a shared resource."""
    limits = _LIMITS.get()
    for limit in limits:
        limit.stop()
    try:
        yield
    finally:
        for limit in limits:
            limit.go_on()


def get_waited_s() -> float:
    """Return for how many seconds the outermost time limit was stopped; 0 without a limit."""
    limits = _LIMITS.get()
    return limits[0].waited_s if limits else 0.0


class Stopwatch:
    """Measures the seconds since its construction, with and without waits."""

    def __init__(self) -> None:
        self._began = _now()
        self._waited_s = get_waited_s()

    @property
    def passed_s(self) -> float:
        return _now() - self._began

    @property
    def worked_s(self) -> float:
        """Return the seconds worked since the start, without waits."""
        return self.passed_s - (get_waited_s() - self._waited_s)


def _now() -> float:
    return asyncio.get_running_loop().time()
