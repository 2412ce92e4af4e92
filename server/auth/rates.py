"""How often one user may ask: token buckets of this process.

Several replicas each count alone: a limit is per replica, which is told in the settings' help.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final

from ...agent.errors import TooManyRequests

# Beyond it the user who was idle for longest loses their bucket, and begins with a full one.
MAX_KEYS: Final = 10_000
Clock = Callable[[], float]


class OpenLimit:
    """Counts a user's open connections or runs. limit: the maximum; None: no limit."""

    def __init__(self, limit: int | None, what: str, setting: str) -> None:
        self._limit = limit
        self._what = what
        self._setting = setting
        self._open: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def held(self, tenant_id: str, user_id: str) -> Generator[None]:
        """Count a connection of the user as open inside the block. Raises: TooManyRequests."""
        key = (tenant_id, user_id)
        # No await between check and count: two requests cannot both get the last free place.
        if self._limit is not None and self._open[key] >= self._limit:
            hint = f"Close one first. {self._setting} sets the maximum ({self._limit})."
            raise TooManyRequests(f"the user has too many {self._what}", hint=hint)
        self._open[key] += 1
        try:
            yield
        finally:
            self._open[key] -= 1
            # Otherwise the counter would keep a key of each user ever seen.
            if not self._open[key]:
                del self._open[key]


class RateLimit:
    """Allows `per_minute` requests at once, refilled over a minute; one bucket per key.
    None: any number of them.
    """

    def __init__(self, per_minute: int | None, clock: Clock = time.monotonic) -> None:
        self._capacity = math.inf if per_minute is None else float(per_minute)
        self._per_s = self._capacity / 60
        self._clock = clock
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}  # left, at

    def take(self, tenant_id: str, user_id: str) -> None:
        """Count one request against the user's rate.

        Raises: TooManyRequests above the rate, with the seconds until the next one is allowed.
        """
        key, now = (tenant_id, user_id), self._clock()
        left, at = self._buckets.pop(key, (self._capacity, now))
        left = min(self._capacity, left + (now - at) * self._per_s)
        if left < 1:
            self._buckets[key] = (left, now)
            raise TooManyRequests("too many requests", retry_after_s=(1 - left) / self._per_s)
        # Put back at the end, so that the first is the one that was not used for longest.
        self._buckets[key] = (left - 1, now)
        if len(self._buckets) > MAX_KEYS:
            self._buckets.pop(next(iter(self._buckets)))
