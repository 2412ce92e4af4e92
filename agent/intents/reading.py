"""What the intent rules have understood so far of one sentence, and when that is certain."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..types import FastIntent, FastQuery, Filter
from .lexicon import Lexicon, ValuePhrase


@dataclass(frozen=True, slots=True)
class Condition:
    """A `Filter` that can be compared and hashed."""

    field: str
    op: str
    value: str | int | float | bool


@dataclass(frozen=True, slots=True)
class Reading:
    """One interpretation of the words so far."""

    conditions: tuple[Condition, ...] = ()
    order: tuple[str, bool] | None = None  # field, descending
    is_time_order: bool = False
    limit: int = 0
    picks_one: bool = False  # "the highest paid …": one will do when the noun is singular
    needs_order: bool = False  # "top 3 …": by what?
    is_owned: bool = False  # "my", "I have": surely the user's own rows
    is_definite: bool = False  # "the": may mean rows that the talk was about before
    is_whole: bool = False  # "all"
    has_state: bool = False  # a value that only stored rows have: "saved"
    has_property: bool = False  # any other condition

    def add(self, field: str, op: str, value: str | int | float | bool) -> Reading | None:
        """With one more condition; None when that field has one already."""
        if any(item.field == field for item in self.conditions):
            return None
        return replace(
            self,
            conditions=(*self.conditions, Condition(field, op, value)),
            has_property=True,
        )

    def add_value(self, phrase: ValuePhrase) -> Reading | None:
        added = self.add(phrase.field, "eq", phrase.value)
        if added is None or not phrase.is_state:
            return added
        return replace(added, has_state=True, has_property=self.has_property)

    def set_order(self, field: str, descending: bool, *, is_time: bool = False) -> Reading | None:
        """With an order; None when there is one already."""
        if self.order is not None:
            return None
        return replace(self, order=(field, descending), is_time_order=is_time)

    def set_limit(self, limit: int) -> Reading | None:
        return None if self.limit else replace(self, limit=limit)


def is_certain(reading: Reading, intent: FastIntent, lexicon: Lexicon, *, takes_bare: bool) -> bool:
    """Whether a reading leaves no doubt what is asked, and of which rows."""
    if intent == "lookup":
        has_name = any(item.op in ("contains", "id") for item in reading.conditions)
        return has_name and reading.order is None and not reading.limit
    if intent == "count" and (reading.order or reading.limit):
        return False
    if reading.needs_order and reading.order is None:
        return False
    if reading.is_time_order and lexicon.has_many_dates and reading.has_state:
        return False  # "the last 3 I applied to": by which of its dates?
    if reading.is_owned:
        return True
    if reading.order or reading.limit or reading.has_property:
        return False
    return reading.has_state or reading.is_whole or (takes_bare and not reading.is_definite)


def to_fast_query(reading: Reading) -> FastQuery:
    """The reading as the query of a fast path; `limit` 0 leaves the number of rows to settings."""
    filters = [_to_filter(item) for item in reading.conditions]
    field, descending = reading.order or (None, False)
    return {
        "filters": sorted(filters, key=lambda item: item["field"]),
        "order_by": field,
        "descending": descending,
        "limit": reading.limit,
    }


def _to_filter(item: Condition) -> Filter:
    op = "eq" if item.op == "id" else item.op
    return {"field": item.field, "op": op, "value": item.value}  # pyright: ignore[reportReturnType]
