"""Traces where each value of a call's arguments comes from, without a model.

`trace` says how sure it is that the user meant this value; what cannot be traced is unknown, and
counts as from outside. `tests/provenance/test_tracing.py` has the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final, Literal, get_args

from ..base.text.addresses import find_addresses, find_named, is_path, to_key
from ..dataclasses import dataclass
from .sources import Row, Sources
from .words import (
    count_minutes,
    fold,
    is_plain,
    is_time,
    list_clocks,
    list_days,
    list_words,
    to_number,
)

# From the surest to the least. user: said by the user. row: of a trusted row that the user named
# by another field of it. computed: of the user's numbers and such a row's. hint: of a row named by
# one word or number of it. trusted: in a trusted row that nobody named. outside: in a text of
# somebody outside. unknown: nowhere.
Origin = Literal["user", "row", "computed", "hint", "trusted", "outside", "unknown"]
ORIGINS: Final[tuple[Origin, ...]] = get_args(Origin)
_LEAST_CHARS: Final = 3  # of a word that names a row
_MAX_PARTS: Final = 40  # words of a label that is put together
_MAX_OPERANDS: Final = 30  # numbers of each kind that are computed with

Kind = Literal["text", "number", "day"]


@dataclass(frozen=True, slots=True)
class Traced:
    """The origin of one value of a call's arguments."""

    path: str  # "recipients/0"
    value: str
    origin: Origin
    kind: Kind

    @property
    def name(self) -> str:
        """Return the argument's name."""
        return self.path.partition("/")[0]


class Tracer:
    """Traces where the values of a message's tool calls come from, given these sources."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._named = list_named_rows(sources)
        # By field ("": any) and value, as it is and folded.
        self._holding = dict[tuple[str, str], Origin]()
        self._numbers: dict[Decimal, Origin] = {
            number: "trusted"
            for row in sources.rows
            for value in row.values
            if (number := to_number(value)) is not None
        }
        # The most trusted origin last, because the last one counts if two rows hold the same value.
        for row, origin in sorted(self._named, key=lambda item: -ORIGINS.index(item[1])):
            for name, value in zip(row.fields, row.values, strict=True):
                for key in (str(value).strip(), _to_label(value)):
                    self._holding[name, key] = self._holding["", key] = origin
                if (number := to_number(value)) is not None:
                    self._numbers[number] = origin

    def trace_name(self, path: str, value: Any, fields: tuple[str, ...] = ()) -> Traced:
        """Trace which origin a name, address or id among a call's arguments has.
        fields: of rows, in which it must stand there; (): in any.
        """
        return Traced(path, str(value), self._find_name(str(value), fields), "text")

    def trace_amount(self, path: str, value: Any, arguments: Mapping[str, Any]) -> Traced:
        """Trace which origin an amount or time among a call's arguments has.
        arguments: the call's; an end may be a start and a length.
        """
        text = str(value)
        if (number := to_number(value)) is not None:
            return Traced(path, text, self._find_number(number), "number")
        if is_time(text):
            return Traced(path, text, self._find_time(text, arguments), "day")
        return Traced(path, text, self._find_name(text), "text")

    def is_link_of_named_row(self, value: str) -> bool:
        """Whether a value is a link in a row that the user named."""
        key = to_key(value.strip())
        texts = (text for row, origin in self._named if origin == "row" for text in row.outside)
        return any(key in find_named(text) for text in texts)

    def is_known(self, address: str) -> bool:
        """Whether the user or a trusted source names this exact address."""
        return to_key(address) in self._sources.addresses

    def _find_name(self, text: str, fields: tuple[str, ...] = ()) -> Origin:
        known, unnamed = self._sources, "outside" if text in self._sources.outside else "unknown"
        # Look-alike letters: the user did not name "bоb@acme.example" with a Cyrillic о.
        if not is_plain(text):
            return "unknown"
        if is_path(text) and not known.is_path_named(text):  # "../fair.md" is not "fair.md"
            return unnamed
        addresses = [*find_addresses(text)]
        if not all(map(self.is_known, addresses)):
            return unnamed
        is_id = text.strip().isdigit()
        is_users = text in known.user and all(
            known.addresses[to_key(address)] == "user" for address in addresses
        )
        # A number names something only where the user says so: "June 13" is no file 13.
        if is_id:
            is_users = any(f"{word} {text}" in known.user for word in ("id", "number", "no"))
        if is_users:
            return "user"
        # The case of an address's letters may carry something out; a label's does not.
        key = text.strip() if addresses else _to_label(text)
        for name in fields or ("",):
            if origin := self._holding.get((name, key)):
                return origin
        is_trusted = _to_label(text) in known.labels or bool(addresses)
        if not is_id:
            is_trusted = is_trusted or text in known.trusted or self._is_put_together(text)
        return "trusted" if is_trusted else unnamed

    def _is_put_together(self, text: str) -> bool:
        """Whether each part of a label is a span of the user's words, or a trusted value."""
        words, at = list_words(text), 0
        if not 1 < len(words) <= _MAX_PARTS:
            return False
        while at < len(words):
            parts = ((end, " ".join(words[at:end])) for end in range(len(words), at, -1))
            known = self._sources.user, self._sources.labels
            end = next((end for end, part in parts if any(part in each for each in known)), None)
            if end is None:
                return False
            at = end
        return True

    def _find_number(self, number: Decimal) -> Origin:
        if number in self._sources.numbers:
            return "user"
        origin = self._numbers.get(number, "trusted" if number == 0 else "unknown")
        if origin in ("row", "hint"):
            return origin
        # A share of a number of a row that the user named, with or without something added: by
        # numbers of the user's, or any amount could be reached.
        numbers = self._sources.numbers.items()
        shares = [n for n, is_percent in numbers if is_percent][:_MAX_OPERANDS]
        added = [Decimal(0), *(n for n, is_percent in numbers if not is_percent)][:_MAX_OPERANDS]
        amounts = [n for n, held in self._numbers.items() if held in ("row", "hint")]
        for amount in amounts[:_MAX_OPERANDS]:
            for part in (amount * share / 100 for share in shares):
                if any(number in (part + more, amount + part + more) for more in added):
                    return "computed"
        is_outside = origin == "unknown" and str(number) in self._sources.outside
        return "outside" if is_outside else origin

    def _find_time(self, text: str, arguments: Mapping[str, Any]) -> Origin:
        known, origins = self._sources, list[Origin]()
        for year, month, day in list_days(text):
            if (year, month, day) in known.days:
                origins.append("user")
            elif (None, month, day) in known.days:
                # A year that nobody said is one that trusted texts are of.
                is_of = any(other[0] == year for other in known.trusted_days | known.days)
                origins.append("hint" if is_of else "unknown")
            else:
                is_trusted = (year, month, day) in known.trusted_days
                origins.append("trusted" if is_trusted else "unknown")
        origins += ["user" if minute in known.clocks else "unknown" for minute in list_clocks(text)]
        origin = ORIGINS[max(map(ORIGINS.index, origins))]
        if origin not in ("user", "hint"):
            for start in (str(value) for value in arguments.values() if str(value) != text):
                # The end of what begins when the user said, and takes as long as they said.
                if is_time(start) and count_minutes(start, text) in known.lengths:
                    begins = self._find_time(start, {})
                    return "computed" if begins in ("user", "hint") else origin
        return origin


def list_named_rows(sources: Sources) -> list[tuple[Row, Origin]]:
    """List the stored rows that the user named, each with how surely it is meant.

    A hint is one word or number of a row, which may mean no other row.
    """
    user, hinting = sources.user, dict[str, list[Row]]()
    named = dict[int, tuple[Row, Origin]]()
    for row in sources.rows:
        texts = [value for value in row.values if isinstance(value, str)]
        whole = (text for text in texts if len(text) >= _LEAST_CHARS and not text.isdigit())
        if row.is_only or any(text in user for text in whole):
            named[id(row)] = row, "row"
        words = {word for text in texts for word in list_words(text) if len(word) > _LEAST_CHARS}
        hints = {word for word in words if not word.isdigit() and word in user}
        amounts = {Decimal(str(value)) for value in row.values if isinstance(value, float)}
        for hint in (*hints, *map(str, amounts & {*sources.numbers})):
            hinting.setdefault(hint, []).append(row)
    for rows in hinting.values():
        # Several rows are one thing where they agree in amounts and in a name.
        amounts = [{value for value in row.values if isinstance(value, float)} for row in rows]
        shared = set[str].intersection(*({_to_label(v) for v in row.values} for row in rows))
        if len(rows) == 1 or (len(shared) > 1 and all(item == amounts[0] for item in amounts)):
            for row in rows:
                named.setdefault(id(row), (row, "hint"))
    return [*named.values()]


def _to_label(value: str | int | float) -> str:
    return fold(str(value)).strip()
