"""The number of runs that this process may hold, at work or queued, and each tenant's share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager

from ..dataclasses import dataclass
from .settings import RunLimits


@dataclass(slots=True)
class RunSlot:
    """A slot of the quota held for a run that is about to begin. is_kept: the run began."""

    is_kept: bool = False


class RunQuota:
    """Limits the runs in this process by tenant: `runs_per_free_place` for each free slot.
    So there is always room for tenants with few, however many others send: with 8, one tenant alone
    fills eight ninths of it, two eight seventeenths each.
    """

    def __init__(self, limits: RunLimits) -> None:
        self._max_runs = limits.runs_at_once + limits.runs_waiting
        self._per_free_place = limits.runs_per_free_place
        self._held = Counter[str]()

    def is_open_to(self, tenant_id: str) -> bool:
        """Whether this process has a slot for a new run of the tenant."""
        return self._held[tenant_id] < self._per_free_place * self._count_free()

    def count_claimable(self) -> int:
        """Return how many stored runs this process may claim, reserving some slots for new runs."""
        return self._count_free() - self._max_runs // (self._per_free_place + 1)

    def enter(self, tenant_id: str) -> None:
        """Add one to the count of the tenant's runs in this process. `leave` must follow."""
        self._held[tenant_id] += 1

    def leave(self, tenant_id: str) -> None:
        """Subtract one from the count of the tenant's runs in this process."""
        self._held[tenant_id] -= 1
        # A Counter keeps a key of 0: every tenant ever seen would stay in it.
        if not self._held[tenant_id]:
            del self._held[tenant_id]

    @contextmanager
    def held(self, tenant_id: str) -> Generator[RunSlot]:
        """Reserve a slot for a tenant's new run, and release it after the block unless kept."""
        self.enter(tenant_id)
        place = RunSlot()
        try:
            yield place
        finally:
            if not place.is_kept:
                self.leave(tenant_id)

    def _count_free(self) -> int:
        """Count the free slots; below 0 when more runs came at once than fit."""
        return self._max_runs - self._held.total()
