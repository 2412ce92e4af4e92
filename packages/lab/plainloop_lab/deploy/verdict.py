"""What a deploy was judged to be, as it is stored."""

from __future__ import annotations

import msgspec


class Difference(msgspec.Struct):
    """One kind of divergence, without a word of what was said. thread_id: the first that has it."""

    head: str  # pack/design kind node
    thread_id: str
    allowed: str | None = None  # why; None: nothing allows it
    turns: int = 1


class Verdict(msgspec.Struct):
    """Holds what a deploy was judged to be."""

    conversations: int = 0
    turns: int = 0
    unjudged: int = 0  # turns of designs that run as one step, which nobody can follow
    differences: list[Difference] = []
    unseen: list[str] = []  # what was not run and is another than then, in words
    changed: list[Difference] = []  # the same, part by part, as allowances name it

    @property
    def refused(self) -> list[Difference]:
        """List the differences that no allowance covers."""
        return [item for item in self.differences if item.allowed is None]

    @property
    def unaccepted(self) -> list[str]:
        """List the changed code parts that no replay ran and no allowance covers."""
        return [item.head for item in self.changed if item.allowed is None]

    def describe(self) -> list[str]:
        """Describe each kind of difference in one line of text."""
        return [
            (
                f"{item.head}: {item.turns} of {self.turns} turns, first in "
                f"conversation {item.thread_id}"
            )
            + (f"; allowed: {item.allowed}" if item.allowed else "")
            for item in self.differences
        ]
