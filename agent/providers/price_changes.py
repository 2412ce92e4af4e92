"""Dated price changes: when the public price list says that a model's price changes."""

from __future__ import annotations

from bisect import bisect_left
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Final

from ..dataclasses import dataclass, replace
from ..types import Usage
from .answered_models import price_call
from .endings import format_start
from .pricing import Prices

# Days from now between which the price list is searched: each next pair with different prices.
_SEARCHED: Final = (-30, 0, 30, 60, 90)
_SAMPLE: Final = 1_000  # tokens: below the point where a list's next tier begins
_MILLION: Final = 1_000_000
ONE_CALL: Final = Usage(input_tokens=_SAMPLE, output_tokens=_SAMPLE)


@dataclass(frozen=True, slots=True)
class Rates:
    """A model's prices in USD per million tokens; None: unknown."""

    input: Decimal | None
    output: Decimal | None

    def describe(self) -> str:
        """Describe the prices of a million input and output tokens, such as `$0.75 / $3.50`.

        >>> Rates(Decimal("0.75"), Decimal("3.5")).describe(), Rates(None, None).describe()
        ('$0.75 / $3.50', 'unknown')
        """
        if self.input is None or self.output is None:
            return "unknown"
        return f"{_format_price(self.input)} / {_format_price(self.output)}"

    def to_record(self) -> dict[str, str | None]:
        """Convert the prices to a JSON record, as decimal text."""
        amounts = {"input": self.input, "output": self.output}
        return {
            name: None if usd is None else f"{usd.normalize():f}" for name, usd in amounts.items()
        }


@dataclass(frozen=True, slots=True)
class PriceChange:
    """A change of the price of one model's calls, and what some usage costs before and after."""

    at: date  # the first day with the new price, in UTC
    old: Rates
    new: Rates
    old_usd: Decimal | None  # None: unknown
    new_usd: Decimal | None

    @property
    def usd(self) -> Decimal | None:
        """Return by how many US dollars the usage's cost rises; None if unknown."""
        if self.old_usd is None or self.new_usd is None:
            return None
        return self.new_usd - self.old_usd

    def describe(self, today: date | None = None) -> str:
        """Describe the price change as a phrase, such as `costs 100 % more from 1 January 2027`.

        >>> rates = Rates(Decimal(1), Decimal(4)), Rates(Decimal(2), Decimal(8))
        >>> change = PriceChange(date(2027, 1, 1), *rates, Decimal(3), Decimal(6))
        >>> change.describe(date(2026, 12, 2)).partition(": ")[0]
        'costs 100 % more from 1 January 2027 (in 30 days)'
        """
        when = format_start(self.at, today)
        return f"costs {self.describe_effect()} {when}: {self.describe_rates()}"

    def describe_rates(self) -> str:
        """Describe the old and the new price per million tokens."""
        return f"{self.old.describe()} → {self.new.describe()} per million input / output tokens"

    def describe_effect(self) -> str:
        """Describe by how much the cost of the usage changes.

        >>> free = PriceChange(date.min, *[Rates(None, None)] * 2, Decimal(0), Decimal(3))
        >>> free.describe_effect(), replace(free, old_usd=Decimal(4)).describe_effect()
        ('money (free before)', '25 % less')
        """
        if self.old_usd is None or self.new_usd is None:
            return "another amount"
        if not self.old_usd:
            return "money (free before)" if self.new_usd else "as much"
        percent = 100 * (self.new_usd / self.old_usd - 1)
        digits = 0 if abs(percent) >= 1 or not percent else 1
        return f"{abs(percent):.{digits}f} % {'less' if percent < 0 else 'more'}"

    def multiply(self, factor: Decimal) -> PriceChange:
        """Return the effect of this price change on `factor` times the usage."""
        old_usd, new_usd = (
            None if usd is None else usd * factor for usd in (self.old_usd, self.new_usd)
        )
        return replace(self, old_usd=old_usd, new_usd=new_usd)

    def add(self, other: PriceChange) -> PriceChange:
        """Return the effect of a price change on two usages together.

        Prices that differ become unknown.
        """
        old = self.old if self.old == other.old else Rates(None, None)
        new = self.new if self.new == other.new else Rates(None, None)
        old_usd, new_usd = (
            None if usd is None or more is None else usd + more
            for usd, more in ((self.old_usd, other.old_usd), (self.new_usd, other.new_usd))
        )
        return PriceChange(self.at, old, new, old_usd, new_usd)


def list_price_changes(
    prices: Prices, provider: str, requested: str, answered: str | None, usage: Usage, now: datetime
) -> list[PriceChange]:
    """List a model's price changes of the last 30 and the next 90 days, earliest first.

    usage: whose cost is compared, at noon of each day because prices may differ by hour. Prices
    that the operator set have no dates.
    """
    noon = get_noon(now.date())

    def price(day: int) -> Decimal | None:
        at = noon + timedelta(days=day)
        return price_call(prices, provider, requested, answered, usage, at).amount

    changes: list[PriceChange] = []
    for start, end in zip(_SEARCHED, _SEARCHED[1:], strict=False):
        before = price(start)
        if price(end) == before:
            continue
        # By bisection, as the first query for a day takes milliseconds.
        days = range(start, end + 1)
        first = days[bisect_left(days, True, key=lambda day, old=before: price(day) != old)]
        at = noon + timedelta(days=first)
        old, new = (
            load_rates(prices, provider, requested, answered, each)
            for each in (at - timedelta(days=1), at)
        )
        changes.append(PriceChange(at.date(), old, new, before, price(first)))
    return changes


def get_noon(day: date) -> datetime:
    """Return a day's noon in UTC, so that a day's price queries share one cache entry."""
    return datetime.combine(day, time(12, tzinfo=UTC))


def load_rates(
    prices: Prices, provider: str, requested: str, answered: str | None, at: datetime
) -> Rates:
    """Return a model's prices per million tokens at a time."""
    amounts = (
        price_call(prices, provider, requested, answered, usage, at).amount
        for usage in (Usage(_SAMPLE, output_tokens=0), Usage(0, output_tokens=_SAMPLE))
    )
    return Rates(*(None if usd is None else usd * _MILLION / _SAMPLE for usd in amounts))


def _format_price(usd: Decimal) -> str:
    digits = max(2, -int(usd.normalize().as_tuple().exponent))
    return f"${usd:.{digits}f}"
