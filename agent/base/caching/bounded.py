"""Caches that are bounded in bytes, whatever texts users send.

`functools.lru_cache` counts entries: with texts as keys it kept 52 MB of two users' files for each
message. So a function of texts is cached by one of these, and `lru_cache` stays for what has few
possible arguments (tests/test_caches.py walks both).
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, Final, ParamSpec, TypeVar, cast

Params = ParamSpec("Params")
Result = TypeVar("Result")
Item = TypeVar("Item")

MAX_BYTES: Final = 4 * 2**20  # of one cache, unless it says otherwise
SHARE_OF_ONE: Final = 8  # an entry above this part of a cache is not kept
ENTRY_BYTES: Final = 200  # of a dict's slot, a key's tuple and the entry itself
SHORT_CHARS: Final = 64  # a word or a name; four bytes a character at most
DIGEST_BYTES: Final = 16
_caches: list[Callable[[], None]] = []  # what empties each


class BoundedCache:
    """Hold values by key, at most `max_bytes` of them; the oldest go first."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self.max_bytes = max_bytes
        self.size_bytes = 0
        self._entries: dict[Hashable, tuple[Any, int]] = {}
        self._lock = Lock()  # several threads read files and judge replays
        self.get = self._entries.get
        _caches.append(self.clear)

    def put(self, key: Hashable, value: Any, size_bytes: int) -> None:
        """Keep the value, unless it alone is a large part of the cache."""
        size_bytes += ENTRY_BYTES
        if size_bytes > self.max_bytes // SHARE_OF_ONE:
            return
        with self._lock:
            self.size_bytes -= self._entries.pop(key, (None, 0))[1]
            self._entries[key] = value, size_bytes
            self.size_bytes += size_bytes
            while self.size_bytes > self.max_bytes:
                self.size_bytes -= self._entries.pop(next(iter(self._entries)))[1]

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self.size_bytes = 0


def clear_caches() -> None:
    """Forget all cached texts: some were erased."""
    for clear in _caches:
        clear()


def cached_by_bytes(
    max_bytes: int = MAX_BYTES,
) -> Callable[[Callable[Params, Result]], Callable[Params, Result]]:
    """Cache a pure function of positional, hashable arguments, at most `max_bytes` of both."""

    def decorate(build: Callable[Params, Result]) -> Callable[Params, Result]:
        cache = BoundedCache(max_bytes)

        @wraps(build)
        def look(*args: Params.args, **kwargs: Params.kwargs) -> Result:
            if (entry := cache.get(args)) is not None:
                return entry[0]
            result = build(*args, **kwargs)
            cache.put(args, result, measure(args) + measure(result))
            return result

        return look

    return decorate


def cached_by_identity(
    measure_result: Callable[[Any], int], max_bytes: int = MAX_BYTES
) -> Callable[[Callable[[Item], Result]], Callable[[Item], Result]]:
    """Cache a function of an object that nobody changes, by which object it is.

    measure_result: bytes that the result and the object, which is kept too, take together.
    """

    def decorate(build: Callable[[Item], Result]) -> Callable[[Item], Result]:
        cache = BoundedCache(max_bytes)

        @wraps(build)
        def look(item: Item) -> Result:
            entry = cache.get(id(item))
            # The object is kept, so that its id stays its own.
            if entry is not None and entry[0][0] is item:
                return entry[0][1]
            result = build(item)
            cache.put(id(item), (item, result), measure_result(result))
            return result

        return look

    return decorate


def cached_if_short(
    max_chars: int = SHORT_CHARS, max_entries: int = 1024
) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Cache a function of a text where the text has at most `max_chars`: words and names."""

    def decorate(build: Callable[..., Result]) -> Callable[..., Result]:
        cached = lru_cache(max_entries)(build)
        _caches.append(cached.cache_clear)

        @wraps(build)
        def look(text: str, *args: Any) -> Result:
            return cached(text, *args) if len(text) <= max_chars else build(text, *args)

        return look

    return decorate


def digest_text(text: str) -> bytes:
    """Return 16 bytes that stand for the text."""
    raw = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(raw, digest_size=DIGEST_BYTES).digest()


def measure(value: Any) -> int:
    """Estimate the bytes that a value of plain data takes.

    >>> measure("a" * 1000) > 1000, measure(("a" * 1000, {"b": ["c" * 1000]})) > 2000
    (True, True)
    """
    total, waiting = 0, [value]
    while waiting:
        item = waiting.pop()
        total += sys.getsizeof(item)
        if isinstance(item, Mapping):
            mapping = cast("Mapping[Any, Any]", item)
            waiting += [*mapping.keys(), *mapping.values()]
        elif isinstance(item, list | tuple | set | frozenset):
            waiting += cast("list[Any]", [*item])
        elif hasattr(item, "__dataclass_fields__"):
            waiting += [getattr(item, name) for name in item.__dataclass_fields__]
    return total
