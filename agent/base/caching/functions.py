"""Functions of texts, whose results are cached within a bound of bytes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Final, ParamSpec, TypeVar

from .bounded import MAX_BYTES, BoundedCache, add_cache

Params = ParamSpec("Params")
Result = TypeVar("Result")
Item = TypeVar("Item")

_COLLECTIONS: Final = (list, tuple, set, frozenset)
SHORT_CHARS: Final = 64  # a word or a name; four bytes a character at most


def cached_by_bytes(
    max_bytes: int = MAX_BYTES,
) -> Callable[[Callable[Params, Result]], Callable[Params, Result]]:
    """Decorate a pure function so that its results are cached in bounded memory.

    Cached arguments and results together take at most `max_bytes`.
    """

    def decorate(build: Callable[Params, Result]) -> Callable[Params, Result]:
        cache = BoundedCache(max_bytes)

        @wraps(build)
        def look(*args: Params.args, **kwargs: Params.kwargs) -> Result:
            if kwargs:  # no part of the key: never the result of another call
                return build(*args, **kwargs)
            if (entry := cache.get(args)) is not None:
                return entry[0]
            # Outside the lock: two threads may build the same value at once, but neither waits for
            # the other's long text.
            result = build(*args, **kwargs)
            cache.put(args, result, measure(args) + measure(result))
            return result

        return look

    return decorate


def cached_by_identity(
    measure_result: Callable[[Any], int], max_bytes: int = MAX_BYTES
) -> Callable[[Callable[[Item], Result]], Callable[[Item], Result]]:
    """Decorate a function of one immutable object so that results are cached by its identity.

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
    """Decorate a function so that its results for short texts are cached."""

    def decorate(build: Callable[..., Result]) -> Callable[..., Result]:
        cached = lru_cache(max_entries)(build)
        add_cache(cached.cache_clear)

        @wraps(build)
        def look(text: str, *args: Any) -> Result:
            return cached(text, *args) if len(text) <= max_chars else build(text, *args)

        return look

    return decorate


def measure(value: Any) -> int:
    """Estimate the memory in bytes that a value and everything nested in it takes.

    >>> measure("a" * 1000) > 1000, measure(("a" * 1000, {"b": ["c" * 1000]})) > 2000
    (True, True)
    """
    total, waiting = 0, [value]
    while waiting:
        item: Any = waiting.pop()
        total += sys.getsizeof(item)
        kind = item.__class__
        if kind is dict:
            waiting += item.keys()
            waiting += item.values()
        elif kind in _COLLECTIONS:
            waiting += item
        elif hasattr(item, "__dataclass_fields__"):
            waiting += [getattr(item, name) for name in item.__dataclass_fields__]
    return total
