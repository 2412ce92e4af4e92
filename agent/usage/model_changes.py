"""Changes of the models that are called: shutdowns, price changes and re-routes, by the date."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, Final, Literal

from ..config.zones import UTC_ZONE
from ..dataclasses import dataclass, replace
from ..providers.answered_models import is_rerouted, price_call
from ..providers.endings import Ending, Endings, format_start
from ..providers.price_changes import PriceChange, get_noon, list_price_changes, load_rates
from ..providers.pricing import Prices, is_listed, load_prices
from ..store.database import Queryable
from ..types import TOKEN_BUCKETS, Usage
from .report import ALL, HOUR, UsageFilter, UsageRow, summarize_usage

RECENT: Final = timedelta(days=30)  # what counts as today's use, unless the filter has a time
LOOKED_BACK: Final = timedelta(days=365)  # for a re-route's first day: not through every month
LEDGER: Final = "ledger"  # the source of a re-route that only our own calls show
Kind = Literal["shutdown", "price", "reroute"]


@dataclass(frozen=True, slots=True)
class ModelChange:
    """A change of models that one provider's calls request, with the share of these calls."""

    kind: Kind
    provider: str
    models: tuple[str, ...]  # as called, the most called first
    at: date  # the first day after the change, in UTC
    to: str | None  # the successor, or the model that answers instead; None: none is known
    source: str | None  # the vendor's page, the price list's version, or `LEDGER`
    calls: int
    ending: Ending | None = None  # of the vendor's list
    price: PriceChange | None = None  # with the cost of these calls in 30 days
    all_calls: int = 0  # of all models, in the same time

    @property
    def share(self) -> float:
        """Return the share (0 to 1) of the period's calls that the change affects."""
        return self.calls / self.all_calls

    def describe(self, today: date | None = None) -> str:
        """Describe a model change in one line: affected calls, change, date and models."""
        when = format_start(self.at, today)
        word, _, day = when.partition(" ")
        if self.kind == "price" and self.price is not None:
            verb = f"cost {self.price.describe_effect()} {when}"
        elif self.kind == "reroute":
            verb = f"are answered by {self.to} {when}"
        else:
            verb = f"{'went to models that ended' if word == 'since' else 'end'} on {day}"
        names = ", ".join(f"{self.provider}:{model}" for model in self.models)
        percent = f"{100 * self.share:.0f}" if self.share > 0.005 else "under 1"
        return f"{percent} % of your calls {verb}: {names}"

    def describe_reroute(self) -> str:
        """Describe which model answers instead of the requested ones, and since when."""
        names = ", ".join(f"{self.provider}:{model}" for model in self.models)
        return f"{names}: {self.to} answers {format_start(self.at)}"

    def describe_cost(self) -> str | None:
        """Describe old and new prices and their effect per month; None if no price changes."""
        if self.price is None:
            return None
        text, usd = self.price.describe_rates(), self.price.usd
        if usd is None:
            return text
        if abs(usd) < 0.00005:
            return f"{text}; a month costs the same"
        digits = 2 if abs(usd) >= 1 else 4
        return f"{text}; ${abs(usd):,.{digits}f} {'less' if usd < 0 else 'more'} a month"

    def to_record(self) -> dict[str, Any]:
        """Convert the change to a JSON record, with prices per million tokens."""
        price = self.price
        usd, before = (price.usd, price.old_usd) if price else (None, None)
        return {
            "kind": self.kind,
            "provider": self.provider,
            "models": list(self.models),
            "date": self.at.isoformat(),
            "to": self.to,
            "calls": self.calls,
            "share": round(self.share, 4),
            "old_price": price and price.old.to_record(),
            "new_price": price and price.new.to_record(),
            "cost_change_usd": None if usd is None else f"{usd:.6f}",
            "cost_change_percent": round(float(100 * usd / before), 1) if usd and before else None,
            "source": self.source,
            "rehearsal": self.ending and self.ending.describe_rehearsal(),
            "text": self.describe(),
            "cost_text": self.describe_cost(),
        }

    def to_ending_record(self) -> dict[str, Any]:
        """Convert a shutdown to a JSON record of the report's list of shutdowns."""
        record = self.to_record()
        names = ("provider", "models", "calls", "share", "rehearsal")
        return {"ends": record["date"], "successor": self.to} | {n: record[n] for n in names}


async def list_model_changes(
    db: Queryable,
    endings: Endings,
    prices: Prices,
    only: UsageFilter = ALL,
    now: datetime | None = None,
) -> list[ModelChange]:
    """List the changes of models in use: prices, reroutes and shutdowns, earliest first.
    Without a time in the filter: of the calls of the last 30 days.
    """
    now = now or datetime.now(UTC)
    only = replace(only, since=only.since or now - RECENT)
    rows = await summarize_usage(db, ("provider", "requested", "model"), only)
    months = Decimal(RECENT / max((only.until or now) - (only.since or now), HOUR))
    # A model whose prices were not looked up today takes 20 ms, and the list itself 400.
    found = await asyncio.to_thread(_find_changes, rows, endings, prices, now)
    changes: list[ModelChange] = []
    for item in found:
        at = await _find_first_day(db, only, item, now) if item.source == LEDGER else item.at
        price = item.price and item.price.multiply(months)
        total = sum(row.calls for row in rows)
        changes.append(replace(item, at=at, price=price, all_calls=total))
    return sorted(changes, key=lambda item: (item.at, item.kind, item.provider, item.models))


def _find_changes(
    rows: Sequence[UsageRow], endings: Endings, prices: Prices, now: datetime
) -> list[ModelChange]:
    """List the changes of these groups of calls, each once."""
    groups: dict[tuple[Any, ...], ModelChange] = {}
    for row in rows:
        for item in _list_row_changes(row, endings, prices, now) if row.calls else ():
            place = (item.kind, item.provider, item.at, item.to or "")
            # Models that end on one day for one successor are one change; prices and re-routes are
            # each model's.
            key = (*place, *(() if item.ending else item.models))
            groups[key] = _join(groups[key], item) if key in groups else item
    return [*groups.values()]


def list_endings(changes: Sequence[ModelChange]) -> list[dict[str, Any]]:
    """List the shutdowns among these changes, as JSON records."""
    return [item.to_ending_record() for item in changes if item.ending]


def describe_changes(changes: Sequence[ModelChange]) -> Iterator[str]:
    """Describe model changes in lines for the terminal."""
    for item in changes:
        yield item.describe()
        if cost := item.describe_cost():
            yield f"  {cost}"
        if item.ending:
            yield f"  try {item.to or 'a successor'}: {item.ending.describe_rehearsal()}"


def _list_row_changes(
    row: UsageRow, endings: Endings, prices: Prices, now: datetime
) -> Iterator[ModelChange]:
    """List the changes of one group of calls, with the cost of these calls."""
    provider, requested, answered = (value or "" for value in row.keys.values())
    name = requested or answered
    sizes: dict[str, Any] = {n: round((getattr(row, n) or 0) / row.calls) for n in TOKEN_BUCKETS}
    usage = Usage(**sizes)

    def compare(to: str, at: date) -> PriceChange:
        sides = ((None, get_noon(now.date())), (to, get_noon(max(at, now.date()))))
        old, new = (load_rates(prices, provider, name, *side) for side in sides)
        old_usd, new_usd = (
            price_call(prices, provider, name, model, usage, day).amount for model, day in sides
        )
        return PriceChange(at, old, new, old_usd, new_usd).multiply(Decimal(row.calls))

    of_row = (provider, (name,))
    ending = endings.find(provider, name)
    if ending is not None:
        kind = "reroute" if ending.reroutes else "shutdown"
        price = compare(ending.successor or "", ending.ends) if ending.reroutes else None
        end = (ending.ends, ending.successor, ending.source, row.calls, ending)
        yield ModelChange(kind, *of_row, *end, price)
    is_announced = ending and ending.reroutes and not is_rerouted(ending.successor or "", answered)
    is_other = is_rerouted(name, answered) and is_listed(provider, name)
    if is_other and not is_announced:
        today = now.date()
        seen = (today, answered, LEDGER, row.calls, None, compare(answered, today))
        yield ModelChange("reroute", *of_row, *seen)
    for change in list_price_changes(prices, provider, name, answered, usage, now):
        price = change.multiply(Decimal(row.calls))
        to = answered if is_other else None
        version = f"genai-prices {load_prices().__version__}"
        yield ModelChange("price", *of_row, change.at, to, version, row.calls, None, price)


def _join(known: ModelChange, item: ModelChange) -> ModelChange:
    """Add a row's calls and their cost to a change."""
    return replace(
        known,
        models=tuple(dict.fromkeys((*known.models, *item.models))),
        calls=known.calls + item.calls,
        price=known.price.add(item.price) if known.price and item.price else None,
    )


async def _find_first_day(
    db: Queryable, only: UsageFilter, item: ModelChange, now: datetime
) -> date:
    """Find the first day of the last year on which another model answered for the requested one."""
    pair = {"provider": item.provider, "requested": item.models[0], "model": item.to}
    whole = UsageFilter({**only.values, **pair}, since=now - LOOKED_BACK, zone=UTC_ZONE)
    days = await summarize_usage(db, ("day",), whole, limit=1)
    return date.fromisoformat(days[0].keys["day"] or "") if days else item.at
