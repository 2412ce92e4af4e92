"""How long a candidate's answers will be: from what the ledger has of its model, else a range."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from typing import Final, Literal

from plainloop.agent.dataclasses import dataclass

from ..store.recordings import AnswerSizes

Basis = Literal["same", "paired", "seen", "unknown"]
FEWEST: Final = 3  # conversations that both models answered, from which a ratio is known
FEW: Final = 5  # answers of each model, in any conversations
UNLIKE: Final = 1.3  # how far a ratio from different conversations may be off, either way
UNKNOWN: Final = (0.4, 2.5)  # of a model that has answered nothing here
RANKS: Final[dict[Basis, int]] = {"same": 0, "paired": 1, "seen": 2, "unknown": 3}


@dataclass(frozen=True, slots=True)
class Ratio:
    """Output tokens of one model per token of another, with its likely range.

    basis: what it comes from: the same model, conversations that both answered, answers of both in
    other conversations, or nothing.
    """

    mean: float = 1.0
    low: float = 1.0
    high: float = 1.0
    basis: Basis = "same"


SAME: Final = Ratio(low=0.9, high=1.15)
CHANGED_PROMPT: Final = Ratio(low=0.7, high=1.5, basis="unknown")


class Verbosity:
    """Compares models' answer lengths by role.

    >>> said = [AnswerSizes("a:small", "worker", str(n), 2, 200.0 + n) for n in range(9)]
    >>> said += [AnswerSizes("a:large", "worker", str(n), 2, 100.0) for n in range(9)]
    >>> found = Verbosity(said).compare("a:small", "a:large", "worker")
    >>> round(found.mean, 2), found.basis, found.low < found.mean < found.high
    (2.04, 'paired', True)
    >>> Verbosity(said).compare("a:tiny", "a:large", "worker")
    Ratio(mean=1.0, low=0.4, high=2.5, basis='unknown')
    """

    def __init__(self, sizes: Iterable[AnswerSizes]) -> None:
        self._known: dict[tuple[str, str, str], Ratio] = {}  # a replay has thousands of calls
        self._sizes: dict[tuple[str, str], dict[str, AnswerSizes]] = {}
        for item in sizes:
            self._sizes.setdefault((item.label, item.role), {})[item.thread_id] = item

    def compare(self, ours: str, theirs: str, role: str) -> Ratio:
        """Return how long answers of the model `ours` are, per token of the model `theirs`."""
        key = (ours, theirs, role)
        if key not in self._known:
            self._known[key] = self._compare(*key)
        return self._known[key]

    def _compare(self, ours: str, theirs: str, role: str) -> Ratio:
        if ours == theirs:
            return SAME
        one, other = (self._sizes.get((label, role), {}) for label in (ours, theirs))
        pairs = [
            (one[name].mean, other[name].mean)
            for name in one.keys() & other.keys()
            if other[name].mean > 0 and one[name].mean > 0
        ]
        if len(pairs) >= FEWEST:
            mean = sum(a for a, _ in pairs) / sum(b for _, b in pairs)
            spread = statistics.stdev(math.log(a / b) for a, b in pairs)
            off = math.exp(min(math.log(2), 0.1 + 2 * spread / math.sqrt(len(pairs))))
            return Ratio(mean, mean / off, mean * off, "paired")
        if min(sum(item.calls for item in side.values()) for side in (one, other)) >= FEW:
            means = [self.find_mean(label, role) for label in (ours, theirs)]
            if means[0] and means[1]:
                mean = means[0] / means[1]
                return Ratio(mean, mean / UNLIKE, mean * UNLIKE, "seen")
        return Ratio(1.0, *UNKNOWN, "unknown")

    def find_mean(self, label: str, role: str) -> float | None:
        """Return the mean output tokens of a model's answers in a role; None if there are none."""
        found = self._sizes.get((label, role), {}).values()
        calls = sum(item.calls for item in found)
        return sum(item.mean * item.calls for item in found) / calls if calls else None
