"""A random sample that can be drawn again."""

from __future__ import annotations

import random
from collections.abc import Collection


def choose_places(count: int, sample: int | None, seed: int) -> Collection[int]:
    """Choose which of `count` conversations are replayed; the same seed chooses the same.

    >>> choose_places(3, None, 0), len(choose_places(100, 5, seed=1))
    (range(0, 3), 5)
    """
    if sample is None or sample >= count:
        return range(count)
    return frozenset(random.Random(seed).sample(range(count), sample))
