"""How a judge answered over a replay, and why nothing may be decided by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass, field

from ..live.plan import CANDIDATE
from .statistics import compare_signs

ALPHA: Final = 0.05
LEAST_AGREEMENT: Final = 0.5  # of two orders: below it the place decides more than the answer
LEAST_TURNS: Final = 10  # asked about fewer, it cannot be told from one that judges the place
BORNE_MISSING: Final = 0.05  # of turns, of tasks: where more have no number, the rest may be luck


@dataclass(slots=True)
class JudgeTally:
    """Turns that both sides answered. asked: read in both orders. agreed: of them, the same side in
    both, or twice a tie. places: how often A, B and tie were said. alike: equal answers, of which
    nobody is asked. unread: what the judge said could not be read. missing: it said nothing.
    """

    asked: int = 0
    agreed: int = 0
    places: Counter[str] = field(default_factory=Counter[str])
    alike: int = 0
    unread: int = 0
    missing: int = 0

    def add(self, turn: Mapping[str, Any], reference: str) -> None:
        """Count how the judge decided a turn.

        turn: a `TurnComparison`, or a report's entry.
        """
        if not {reference, CANDIDATE} <= turn["lanes"].keys():
            return
        judged = turn["judgement"]
        if judged is None:
            self.missing += 1
        elif judged["winner"] is None:
            self.unread += 1
        elif not judged.get("answers"):
            self.alike += 1
        else:
            self.asked += 1
            self.agreed += is_agreed(*judged["answers"])
            self.places.update(judged["answers"])

    def merge(self, other: JudgeTally) -> None:
        """Add another tally's counts to this one's."""
        self.asked += other.asked
        self.agreed += other.agreed
        self.places.update(other.places)
        self.alike += other.alike
        self.unread += other.unread
        self.missing += other.missing

    @property
    def is_there(self) -> bool:
        """Whether the judge decided any turn."""
        return bool(self.asked or self.unread or self.alike)

    def find_doubt(self) -> str:
        """Explain why the judge's verdicts cannot be used, or return "".

        They may be too few or too biased.
        """
        every = self.asked + self.alike + self.unread + self.missing
        silent = self.unread + self.missing
        if silent > BORNE_MISSING * every:
            return f"the judge gave no readable verdict in {silent:,} of {every:,} turns"
        if self.asked < LEAST_TURNS:
            if self.asked <= BORNE_MISSING * every:
                return ""
            return (
                f"the judge was called for {self.asked:,} turns only: with fewer "
                f"than {LEAST_TURNS}, it is unknown whether it prefers a position"
            )
        for name, count in self.places.items():
            if count == 2 * self.asked:
                return f'the judge says "{name}" whatever the answers are'
        share = self.agreed / self.asked
        if share <= LEAST_AGREEMENT:
            first, second = self.places["A"], self.places["B"]
            leaning = compare_signs(first, second) < ALPHA
            place = f", mostly in favour of {'A' if first > second else 'B'}" if leaning else ""
            return (
                "the judge's verdict depends on the order of the answers in "
                f"{1 - share:.0%} of turns{place}"
            )
        return ""


def is_agreed(first: str, swapped: str) -> bool:
    """Whether a judge's verdicts in both orders prefer the same answer or are both ties.

    swapped: the verdict with the answers exchanged.

    >>> is_agreed("A", "B"), is_agreed("A", "A"), is_agreed("tie", "tie")
    (True, False, True)
    """
    return {first, swapped} == {"A", "B"} or (first, swapped) == ("tie", "tie")
