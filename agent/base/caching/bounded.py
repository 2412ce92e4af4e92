"""A cache that is bounded in bytes, whatever texts users send.

`functools.lru_cache` counts entries: with texts as keys it kept 52 MB of two users' files for each
message. It stays for what has few possible arguments (tests/test_caches.py walks both).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Final

MAX_BYTES: Final = 4 * 2**20  # of one cache, unless it says otherwise
# Without this bound, one large file would evict many small entries that are read often.
SHARE_OF_ONE: Final = 8  # an entry above this part of a cache is not kept
ENTRY_BYTES: Final = 200  # of a dict's slot, a key's tuple and the entry itself
_caches: list[Callable[[], None]] = []  # what empties each


def add_cache(clear: Callable[[], None]) -> None:
    """Register a cache's `clear` function, which `clear_caches` will call."""
    _caches.append(clear)


class BoundedCache:
    """A cache of at most `max_bytes`, which drops its oldest entries first."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self.max_bytes = max_bytes
        self.size_bytes = 0
        self._entries: dict[Hashable, tuple[Any, int]] = {}
        self._lock = Lock()  # several threads read files and judge replays
        # The dict's own method, without the lock: a lookup is atomic. Eviction is by age, not by
        # last use, because moving an entry at each lookup would need the lock.
        self.get = self._entries.get
        add_cache(self.clear)

    def put(self, key: Hashable, value: Any, size_bytes: int) -> None:
        """Cache a value under its key, unless it is larger than an eighth of the cache."""
        size_bytes += ENTRY_BYTES
        with self._lock:
            # Remove the old entry even if the new one is too large to cache: it is no longer valid.
            self.size_bytes -= self._entries.pop(key, (None, 0))[1]
            if size_bytes > self.max_bytes // SHARE_OF_ONE:
                return
            self._entries[key] = value, size_bytes
            self.size_bytes += size_bytes
            while self.size_bytes > self.max_bytes:
                self.size_bytes -= self._entries.pop(next(iter(self._entries)))[1]

    def clear(self) -> None:
        """Remove all entries."""
        with self._lock:
            self._entries.clear()
            self.size_bytes = 0


def clear_caches() -> None:
    """Empty every registered cache, because stored texts were erased."""
    for clear in _caches:
        clear()
