"""What is due after a time without news, for all streams of a process: one timer for each kind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final
from weakref import WeakKeyDictionary


class Silence:
    """A shared timer: calls each registered callback after so many seconds of silence."""

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s
        self._since: dict[Callable[[], None], float] = {}  # the oldest first
        self._timer: asyncio.TimerHandle | None = None

    def join(self, due: Callable[[], None]) -> None:
        """Start or restart a timer that calls `due`, unless `join` is called within `after_s`."""
        self.leave(due)
        loop = asyncio.get_running_loop()
        # Removed and put in again, so the dict stays in the order of time: the first entry is due
        # next, and one timer serves all (test_keep_alives_need_no_task_per_viewer).
        now = self._since[due] = loop.time()
        if self._timer is None:
            self._timer = loop.call_at(now + self._after_s, self._look)

    def leave(self, due: Callable[[], None]) -> None:
        """Stop the timer that would call `due`, if it runs."""
        self._since.pop(due, None)

    def _look(self) -> None:
        self._timer = None
        loop = asyncio.get_running_loop()
        latest = loop.time() - self._after_s
        over: list[Callable[[], None]] = []
        for due, since in self._since.items():
            if since > latest:
                self._timer = loop.call_at(since + self._after_s, self._look)
                break
            over.append(due)
        # After the loop over the dict, which `due` may change by joining again.
        for due in over:
            self.leave(due)
            due()


# By event loop: as in tests, another one is another process's.
_silences: Final = WeakKeyDictionary[asyncio.AbstractEventLoop, dict[float, Silence]]()


def get_silence(after_s: float) -> Silence:
    """Return the event loop's shared timer for `after_s` seconds of silence."""
    own = _silences.setdefault(asyncio.get_running_loop(), {})
    if after_s not in own:
        own[after_s] = Silence(after_s)
    return own[after_s]
