"""Computes growing pauses for runs whose steps cannot be stored, until a step is stored."""

from __future__ import annotations

import logging
import random
from typing import Final

from ..errors import AgentError

logger = logging.getLogger(__name__)

FIRST_PAUSE_S: Final = 0.5  # what a restart of the database takes at least
LONGEST_PAUSE_S: Final = 30.0  # so long after there is room again a run may still wait
GROWTH: Final = 2.0
JITTER: Final = 0.25  # of a pause: what was left together is not tried again together
KNOWN_RUNS: Final = 1000  # beyond it the one that failed longest ago begins with the first pause


class RetryPauses:
    """Computes growing pauses for runs whose steps cannot be stored; logs first failure and end."""

    def __init__(self) -> None:
        self._failed: dict[str, tuple[int, int]] = {}  # by run: the step, how often it failed

    def grow(self, run_id: str, step: int, error: Exception) -> float:
        """Count a failure to store a run's step; return the seconds to wait before the next try.

        A newly stored step resets it.
        """
        at, times = self._failed.pop(run_id, (step, 0))
        if step > at:
            times = 0
        self._failed[run_id] = step, times + 1
        if len(self._failed) > KNOWN_RUNS:
            del self._failed[next(iter(self._failed))]
        if not times:
            code = error.code if isinstance(error, AgentError) else type(error).__name__
            fields = {"run_id": run_id, "step": step, "code": code}
            logger.warning("run_left_unstored", extra=fields)
        # 2.0 ** 1024 is an OverflowError, and a disk may stay full for a night.
        pause_s = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * GROWTH ** min(times, 64))
        return pause_s * random.uniform(1 - JITTER, 1 + JITTER)

    def end(self, run_id: str) -> None:
        """Forget the failures of a run that ended or is suspended."""
        if (failed := self._failed.pop(run_id, None)) is not None:
            logger.warning("run_stored_again", extra={"run_id": run_id, "tries": failed[1] + 1})
