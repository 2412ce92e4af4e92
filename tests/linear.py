"""Whether reading a text takes time in proportion to its length."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

SHORT: Final = 16_000
LONG: Final = 100_000  # 6.25 times as long; a square takes 39 times
GROWTH: Final = 16.0
FLOOR_S: Final = 0.005  # less is noise
TRIES: Final = 5  # a busy machine slows single ones, of either length


def is_linear(read: Callable[[str], object], kind: str) -> bool:
    """Return whether `read` takes little more CPU for 100,000 characters than for 16,000.

    kind: what the text repeats. A measurement that looks too slow is repeated, and the fastest of
    each length counts.
    """
    shorts: list[float] = []
    longs: list[float] = []
    for _ in range(TRIES):
        shorts.append(measure(read, (kind * SHORT)[:SHORT]))
        longs.append(measure(read, (kind * LONG)[:LONG]))
        if min(longs) < GROWTH * max(min(shorts), FLOOR_S):
            return True
    return False


def measure(read: Callable[[Any], object], text: str | bytes) -> float:
    """Return the CPU seconds that reading the text takes this process."""
    began = time.process_time()
    read(text)
    return time.process_time() - began
