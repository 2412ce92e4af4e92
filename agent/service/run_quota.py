"""How many runs may be in this process, at work or waiting for a turn, and whose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from .settings import RunLimits


@dataclass(slots=True)
class RunSlot:
    """Holds a slot of the quota for a run that is about to come. is_kept: by a run that has come,
    and leaves it itself.
    """

    is_kept: bool = False


class RunQuota:
    """Limits each tenant to so many runs here for each slot that is free (`runs_per_free_place`).
    So there is always room for those who have few, however many others send: with 8, one tenant
    alone fills eight ninths of it, two eight seventeenths each.
    """

    def __init__(self, limits: RunLimits) -> None:
        self._max_runs = limits.runs_at_once + limits.runs_waiting
        self._per_free_place = limits.runs_per_free_place
        self._held = Counter[str]()

    def is_open_to(self, tenant_id: str) -> bool:
        """Whether one more run of the tenant's may come in."""
        return self._held[tenant_id] < self._per_free_place * self._count_free()

    def count_claimable(self) -> int:
        """Count the stored runs that may be taken up. They can wait where they are, so they leave
        as much room for new ones as a tenant alone does.
        """
        return self._count_free() - self._max_runs // (self._per_free_place + 1)

    def enter(self, tenant_id: str) -> None:
        """Count a run of the tenant's that is here now; it must `leave`."""
        self._held[tenant_id] += 1

    def leave(self, tenant_id: str) -> None:
        """Count a run of the tenant's no longer."""
        self._held[tenant_id] -= 1
        if not self._held[tenant_id]:
            del self._held[tenant_id]

    @contextmanager
    def held(self, tenant_id: str) -> Generator[RunSlot]:
        """Hold a slot inside the block for a tenant's run, which keeps it if the run comes."""
        self.enter(tenant_id)
        place = RunSlot()
        try:
            yield place
        finally:
            if not place.is_kept:
                self.leave(tenant_id)

    def _count_free(self) -> int:
        """Below 0 when more came at once than there was room for."""
        return self._max_runs - self._held.total()
