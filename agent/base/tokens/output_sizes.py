"""Learns how long the answers of each role get, from the counts that providers reported."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Final

REVIEW: Final = "review"  # in the place of a role, with a worker's name in that of a label
KEPT: Final = 60  # answers of a role, the latest
ENOUGH: Final = 5  # from so many on they tell more than the past does
UNKNOWN_TOKENS: Final = 1024
MARGIN: Final = 1.25
OVERHEAD: Final = 32
SHARE: Final = 0.95


class OutputSizes:
    """Learns how many output tokens answers take, by model label ("provider:model") and role.

    >>> sizes = OutputSizes()
    >>> sizes.get("a:b", "worker")
    1024
    >>> for tokens in range(100):
    ...     sizes.learn("a:b", "worker", tokens)
    >>> sizes.get("a:b", "worker")
    152
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], deque[int]] = {}
        self._past: dict[tuple[str, str], int] = {}

    def get(self, label: str, role: str) -> int:
        """Return a generous estimate of an answer's output tokens, to reserve before the call.

        It is the size that 19 of 20 recent answers do not exceed, plus a quarter as margin.
        """
        seen = sorted(self._seen.get((label, role), ()))
        known = seen[round(SHARE * (len(seen) - 1))] if seen else 0
        # Use the ledger's past, or a guess, until a few answers were seen: after a restart, too
        # little must not be reserved.
        if len(seen) < ENOUGH:
            known = max(known, self._past.get((label, role), UNKNOWN_TOKENS))
            return known if (label, role) not in self._past else _widen(known)
        return _widen(known)

    def learn(self, label: str, role: str, tokens: int) -> None:
        self._seen.setdefault((label, role), deque(maxlen=KEPT)).append(tokens)

    def get_mean(self, label: str, role: str) -> int | None:
        """Return the mean output tokens of a model's recent answers in a role; None if unknown."""
        seen = self._seen.get((label, role))
        return round(sum(seen) / len(seen)) if seen else self._past.get((label, role))

    def start(self, past: Mapping[tuple[str, str], int]) -> None:
        """Set usual answer sizes from a tenant's ledger, for models and roles not yet set."""
        for key, tokens in past.items():
            self._past.setdefault(key, tokens)


def _widen(tokens: int) -> int:
    return round(tokens * MARGIN) + OVERHEAD
