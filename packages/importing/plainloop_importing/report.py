"""Report what an import took over, repaired and left out, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.dataclasses import dataclass, field

from .conversations import Conversation
from .target import Money
from .writing import Outcome

EXAMPLES: Final = 3
_WORDS: Final[dict[Outcome, str]] = {
    "new": "taken",
    "grown": "continued with messages that the source had added",
    "same": "here already",
    "apart": "left unchanged: continued here, or changed in the source",
    "numbers": "usage only: the source stored no text",
}

_TITLES: Final = {"gaps": "not whole", "notes": "repaired or left out", "refused": "not read"}


@dataclass(slots=True)
class Tally:
    """How often something occurred, and the first conversations in which it did."""

    count: int = 0
    names: list[str] = field(default_factory=list[str])

    def add(self, name: str) -> None:
        self.count += 1
        if len(self.names) < EXAMPLES:
            self.names.append(name)


@dataclass(slots=True)
class Report:
    """Counts of an import, bounded in size whatever is imported."""

    source: str
    outcomes: Counter[Outcome] = field(default_factory=Counter["Outcome"])
    messages: int = 0
    tool_calls: int = 0
    waiting: int = 0
    gaps: dict[str, Tally] = field(default_factory=dict[str, Tally])
    notes: dict[str, Tally] = field(default_factory=dict[str, Tally])
    refused: dict[str, Tally] = field(default_factory=dict[str, Tally])
    money: Money = field(default_factory=Money)
    # Of datasets' rows: lines of a file for `--expected` of the gate.
    expected: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def add(self, whole: Conversation, outcome: Outcome) -> None:
        self.outcomes[outcome] += 1
        self.messages += len(whole.messages)
        self.waiting += bool(whole.waiting)
        for message in whole.messages:
            self.tool_calls += sum(part["type"] == "tool_call" for part in message["parts"])
        for kept, said in ((self.gaps, whole.gaps), (self.notes, whole.notes)):
            for text in said:
                _tell(kept, text, whole.name)

    def refuse(self, name: str, reason: str) -> None:
        """Count an item that cannot be imported, under the reason."""
        _tell(self.refused, reason, name)

    @property
    def conversations(self) -> int:
        return sum(self.outcomes.values())

    def list_lines(self) -> Iterator[str]:
        counted = {
            "conversation": self.conversations,
            "message": self.messages,
            "tool call": self.tool_calls,
        }
        yield " · ".join(format_count(count, noun) for noun, count in counted.items())
        for outcome, word in _WORDS.items():
            if count := self.outcomes[outcome]:
                yield f"  {count:,} {word}"
        if self.waiting:
            yield (f"  {self.waiting:,} are waiting for approval: `plainloop approvals` lists them")
        if self.money.calls:
            money = self.money
            told = [f"{format_count(money.calls, 'model call')} added to the ledger"]
            if money.stated_usd:
                told.append(f"${money.stated_usd:.6f} as reported by the source")
            told.append(f"${money.priced_usd:.6f} by today's price list")
            if money.unpriced:
                told.append(f"{money.unpriced:,} without a known price")
            if money.estimated:
                told.append(f"{money.estimated:,} with tokens estimated by plainloop")
            yield " · ".join(told)
        for name, title in _TITLES.items():
            kept: dict[str, Tally] = getattr(self, name)
            if kept:
                yield f"{title}:"
            for text, tally in sorted(kept.items(), key=lambda item: -item[1].count):
                more = ", …" if tally.count > len(tally.names) else ""
                yield f"  {tally.count:,} × {text} ({', '.join(tally.names)}{more})"

    def to_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for name in _TITLES:
            kept: dict[str, Tally] = getattr(self, name)
            told[name] = {
                text: {"count": one.count, "first": one.names} for text, one in kept.items()
            }
        return {
            "source": self.source,
            "conversations": self.conversations,
            "outcomes": dict(self.outcomes),
            "messages": self.messages,
            "tool_calls": self.tool_calls,
            "waiting": self.waiting,
            "calls": self.money.calls,
            "calls_estimated": self.money.estimated,
            "calls_unpriced": self.money.unpriced,
            "stated_usd": str(self.money.stated_usd),
            "priced_usd": str(self.money.priced_usd),
            **told,
        }


def _tell(kept: dict[str, Tally], text: str, name: str) -> None:
    if text not in kept and len(kept) >= 1_000:
        text = "other reasons"
    kept.setdefault(text, Tally()).add(name)
