"""Python's cycle collector under a thousand streams: seldom whole, never through what stays."""

from __future__ import annotations

import gc
from typing import Final

# With the usual (700, 10, 10) a full collection comes every few seconds and stops all streams for
# 300 ms and more (1,000 runs; the service added 90 to 170 ms to a token at p99, and 17 ms so).
THRESHOLDS: Final = (5_000, 10, 200)


def tune_collector() -> None:
    """Exclude all existing objects from garbage collection, and set the collector's thresholds."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
