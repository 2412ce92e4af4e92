"""Learns each model's ratio of its own tokens to our estimated ones, from reported counts."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final

# Measured factors lie between 0.97 (GPT) and 1.7 (DeepSeek, in Hindi): beyond these bounds it is
# the count that is wrong, and histories would be cut by it.
LEAST: Final = 0.5
MAX_FACTOR: Final = 3.0
SHARE_OF_NEW: Final = 0.1  # how much one call moves the factor
SMALL_TOKENS: Final = 200  # of smaller requests the wire's own overhead is the larger part
STEADY_WITHIN: Final = 0.15  # relative: less than that moves no cut of a history


class TokenFactors:
    """Token factors by model label ("provider:model"), shared by all calls of a process.

    >>> factors = TokenFactors()
    >>> factors.learn("a:b", estimated_tokens=1000, reported_tokens=1200)
    >>> factors.get("a:b"), factors.get("a:c")
    (1.2, 1.0)
    """

    def __init__(self) -> None:
        self._factors: dict[str, float] = {}
        self._steady: dict[str, float] = {}
        self._tenants: set[str] = set()

    def get(self, label: str) -> float:
        """Return the model's tokens per estimated token (its token factor); 1.0 if unknown."""
        return self._factors.get(label, 1.0)

    def get_steady(self, label: str) -> float:
        """Return a rarely changing token factor, by which histories are cut.

        It changes only by steps of over 15 %. It moves rarely, because a moved cut ends a
        provider's cache.
        """
        factor, kept = self.get(label), self._steady.get(label, 1.0)
        if abs(factor - kept) > STEADY_WITHIN * kept:
            self._steady[label] = kept = factor
        return kept

    def learn(self, label: str, estimated_tokens: int, reported_tokens: int) -> None:
        """Update the model's factor from one call's estimated and reported input tokens."""
        if estimated_tokens < SMALL_TOKENS or reported_tokens <= 0:
            return
        seen = _bound(reported_tokens / estimated_tokens)
        known = self._factors.get(label)
        self._factors[label] = seen if known is None else known + SHARE_OF_NEW * (seen - known)

    @contextmanager
    def starting(self, tenant_id: str) -> Generator[Callable[[dict[str, float]], None]]:
        """Yield a function that sets a tenant's unknown token factors.
        The caller reads them from the tenant's ledger, once per tenant.
        If the block fails, the tenant's ledger is read again the next time.
        """
        # Marked as read before reading, so that parallel calls of the tenant do not read it too.
        self._tenants.add(tenant_id)
        try:
            yield self._start
        except BaseException:
            self._tenants.discard(tenant_id)
            raise

    def _start(self, medians: dict[str, float]) -> None:
        for label, median in medians.items():
            self._factors.setdefault(label, _bound(median))

    def has_tenant(self, tenant_id: str) -> bool:
        """Whether the tenant's ledger was already read for token factors."""
        return tenant_id in self._tenants


def _bound(factor: float) -> float:
    return min(MAX_FACTOR, max(LEAST, factor))
