"""What the intent rules have understood so far of one sentence, and when that is certain."""

from __future__ import annotations

from collections.abc import Iterable

from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.types import FastQuery, Filter

from .language import Rule
from .lexicon import Lexicon, ValuePhrase


@dataclass(frozen=True, slots=True)
class Condition:
    """A `Filter` that can be compared and hashed."""

    field: str
    op: str
    value: str | int | float | bool


@dataclass(frozen=True, slots=True)
class Reading:
    """One interpretation of the sentence's words so far."""

    conditions: tuple[Condition, ...] = ()
    order: tuple[str, bool] | None = None  # field, descending
    is_time_order: bool = False
    limit: int = 0
    is_owned: bool = False  # "my", "I have": surely the user's own rows
    is_definite: bool = False  # "the": may mean rows that the talk was about before
    is_whole: bool = False  # "all"
    has_state: bool = False  # a value that only stored rows have: "saved"
    has_property: bool = False  # any other condition
    is_own_noun: bool = False
    is_main_noun: bool = False  # the entity's own name
    is_ambiguous: bool = False
    is_recent: bool = False  # "last", "latest"
    is_stored: bool = False  # "that I added"
    period: tuple[str, str] | None = None  # in or since, and which
    asked: str | None = None  # the field whose value is asked for

    def add(self, field: str, op: str, value: str | int | float | bool) -> Reading | None:
        """Return a copy of the reading (a sentence's interpretation) with one more condition.

        None if the field already has a condition.
        """
        if any(item.field == field for item in self.conditions):
            return None
        return replace(
            self, conditions=(*self.conditions, Condition(field, op, value)), has_property=True
        )

    def add_value(self, phrase: ValuePhrase) -> Reading | None:
        added = self.add(phrase.field, "gte" if phrase.has_reached else "eq", phrase.value)
        if added is None or not phrase.is_state:
            return added
        return replace(added, has_state=True, has_property=self.has_property)

    def set_order(self, field: str, descending: bool, *, is_time: bool = False) -> Reading | None:
        """Return a copy of the reading (a sentence's interpretation) with this sort order.

        None if it already has an order.
        """
        if self.order is not None:
            return None
        return replace(self, order=(field, descending), is_time_order=is_time)


def settle(reading: Reading, lexicon: Lexicon) -> Reading | None:
    """Return the reading with its period of time as a condition on a date field.

    None if no date field fits.
    """
    if reading.period is None:
        return reading
    op, period = reading.period
    dated = [
        item
        for item in reading.conditions
        if (field := lexicon.entity.get_field(item.field)) and field.history is not None
    ]
    if len(dated) == 1:
        field = lexicon.entity.get_field(dated[0].field)
        is_first = field is not None and field.order[:1] == (dated[0].value,)
        begun = replace(dated[0], op="gte") if is_first else dated[0]
        rest = tuple(item for item in reading.conditions if item is not dated[0])
        return replace(
            reading, conditions=(*rest, begun, Condition(begun.field, op, period)), period=None
        )
    if not reading.is_stored or lexicon.stored_field is None:
        return None
    condition = Condition(lexicon.stored_field.name, op, period)
    return replace(reading, conditions=(*reading.conditions, condition), has_state=True)


def is_certain(reading: Reading, rule: Rule, lexicon: Lexicon) -> bool:
    """Return whether a sentence's interpretation is certain in its question and its rows."""
    intent = rule.intent
    if intent == "lookup":
        has_name = any(item.op in ("contains", "id") for item in reading.conditions)
        return has_name and reading.order is None and not reading.limit
    if intent == "count" and (reading.order or reading.limit):
        return False
    if reading.is_time_order and lexicon.has_many_dates and reading.has_state:
        return False  # "the last 3 I applied to": by which of its dates?
    if reading.is_recent and reading.is_ambiguous and not reading.is_stored:
        return False  # "my last two jobs": in the tracker, or held?
    # How much of something rows have: "pays at least 50,000".
    measures = [
        c for c in reading.conditions if c.op in ("gte", "lte") and isinstance(c.value, int)
    ]
    if intent == "count" and measures and len(measures) == len(reading.conditions):
        return True
    if reading.is_owned or (reading.is_own_noun and intent != "count"):
        return True
    if reading.order or reading.limit or reading.has_property:
        is_plain = rule.takes_bare or (rule.is_phrase and reading.is_whole)
        is_plain = is_plain or (rule.takes_definite and reading.is_definite)
        is_meant = reading.is_main_noun and (rule.takes_definite or not reading.is_definite)
        return is_plain and is_meant and reading.order is None and not reading.limit
    return reading.has_state or reading.is_whole or (rule.takes_bare and not reading.is_definite)


def to_fast_query(reading: Reading) -> FastQuery:
    """Convert the interpretation of a sentence to the query of a fast path."""
    filters: list[Filter] = [
        {"field": item.field, "op": "eq" if item.op == "id" else item.op, "value": item.value}
        for item in reading.conditions
    ]  # pyright: ignore[reportAssignmentType]
    field, descending = reading.order or (None, False)
    return make_fast_query(filters, field, descending, reading.limit)


def make_fast_query(
    filters: Iterable[Filter], order_by: str | None = None, descending: bool = False, limit: int = 0
) -> FastQuery:
    """Build a query whose filters have a fixed order, so that equal queries are equal.

    limit: 0 means the settings' limit.
    """
    return {
        "filters": sorted(filters, key=lambda item: (item["field"], item["op"])),
        "order_by": order_by,
        "descending": descending,
        "limit": limit,
    }
