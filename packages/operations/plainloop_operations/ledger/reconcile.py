"""Our ledger beside a provider's own account, by day and model: tokens and money kept apart."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError
from plainloop.agent.providers.answered_models import is_rerouted
from plainloop.agent.store.database import Queryable
from plainloop.agent.types import sum_known
from plainloop.agent.usage.report import UsageFilter, summarize_usage

from .stated import ALL_MODELS, Account, Stated, merge_stated

CENT: Final = Decimal("0.01")
_BUCKETS: Final = {
    "input": "input_tokens",
    "cached": "cache_read_tokens",
    "written": "cache_write_tokens",
    "written_long": "cache_write_long_tokens",
    "output": "output_tokens",
}
_MORE: Final = "more tokens than in the ledger: calls made elsewhere with this key, or not recorded"
# "claude-haiku-4-5-20251001" and "gpt-4o-2024-11-20": dated versions of a model.
_DATE: Final = re.compile(r"-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One day and model in the export (theirs) and the ledger (ours); None: missing there.

    day: or the days from one to another, of an export whose rows cover a month.
    has_tokens, has_money: what the export tells at all. reasons: why they may differ.
    """

    day: str
    model: str
    theirs: Stated | None
    ours: Stated | None
    has_tokens: bool = True
    has_money: bool = True
    unreported_calls: int = 0  # of ours
    estimated_calls: int = 0
    rerouted: tuple[str, ...] = ()  # models requested in our calls that this one answered
    is_running: bool = False  # the day is not over: both sides may still grow

    @property
    def token_gaps(self) -> dict[str, int]:
        """Return how many more tokens the export has than the ledger, by kind.

        Kinds that agree are left out.
        """
        if not self.has_tokens:
            return {}
        gaps: dict[str, int] = {}
        for name, bucket in _BUCKETS.items():
            theirs: int | None = getattr(self.theirs, bucket) if self.theirs else 0
            ours: int = (getattr(self.ours, bucket) if self.ours else 0) or 0
            # An export may count the input without cached and written tokens: the same amount.
            apart = 0
            if name == "input" and self.theirs and self.theirs.cache_read_tokens is not None:
                apart = self.theirs.cache_read_tokens + (self.theirs.cache_write_tokens or 0)
            if theirs is not None and ours not in (theirs, theirs + apart):
                gaps[name] = theirs - ours
        return gaps

    @property
    def money_gap(self) -> Decimal | None:
        """Return how much more the export's cost is than the ledger's.

        None if either is unknown.
        """
        if not self.has_money:
            return None
        theirs = self.theirs.cost_usd if self.theirs else Decimal(0)
        ours = self.ours.cost_usd if self.ours else Decimal(0)
        return None if theirs is None or ours is None else theirs - ours

    @property
    def has_same_money(self) -> bool | None:
        """Return whether both costs agree to the cent.

        None if either is unknown. A cost that one side lacks never agrees, however small.
        """
        gap = self.money_gap
        if gap and (self.theirs is None or self.ours is None):
            return False
        return None if gap is None else abs(gap) < CENT

    @property
    def differs(self) -> bool:
        return bool(self.token_gaps) or self.has_same_money is False

    @property
    def fault(self) -> str:
        """Return the first difference, as a key of `Reconciliation.faults`; "": none."""
        if not self.differs:
            return ""
        if self.ours is None:
            return "not_in_ledger"
        if self.theirs is None:
            return "not_in_export"
        return "cost" if self.has_same_money is False else "tokens"

    @property
    def has_other_price(self) -> bool:
        """Return whether the export states the ledger's tokens and yet another cost."""
        stated = self.theirs and None not in (self.theirs.input_tokens, self.theirs.output_tokens)
        return bool(stated) and self.fault == "cost" and not self.token_gaps

    def guess(self) -> str:
        """Guess why the export differs from the ledger.

        "" without a guess.
        """
        reasons: list[str] = []
        # What runs is in the ledger at once; a provider's figures come later, and are then fewer.
        is_more = bool(self.theirs and self.ours) and max(self.token_gaps.values(), default=0) > 0
        if self.has_other_price:
            reasons.append("another price: the tokens are the same")
        elif is_more:
            reasons.append(_MORE)
        elif self.is_running:
            # Growth alone makes nothing dearer for fewer tokens.
            is_dearer = bool(self.theirs and self.ours and self.token_gaps)
            is_dearer = is_dearer and (self.money_gap or 0) >= CENT
            price = "another price: a higher cost for fewer tokens"
            reasons.append(price if is_dearer else "the day (UTC) is still running: both may grow")
        if self.ours is None:
            reasons.append("not in the ledger: does another program use the same key?")
        if self.theirs is None:
            reasons.append("not in the export: another account, or not complete yet?")
        if self.ours is None or self.theirs is None:
            return ", ".join(reasons)
        read, written = self.ours.cache_read_tokens or 0, self.ours.cache_write_tokens or 0
        missing = -self.token_gaps.get("input", 0)
        no_column = "its input leaves out {:,} tokens {} the cache: the file has no column for them"
        if written and missing == written and self.theirs.cache_write_tokens is None:
            reasons.append(no_column.format(written, "written to"))
        elif read and missing == read and self.theirs.cache_read_tokens is None:
            reasons.append(no_column.format(read, "read from"))
        elif missing and missing == read + written:
            reasons.append("its input leaves out cached and written tokens, ours includes them")
        if self.unreported_calls:
            reasons.append(f"{self.unreported_calls:,} calls with unknown usage")
        if self.estimated_calls:
            reasons.append(f"{self.estimated_calls:,} estimated by plainloop")
        if self.rerouted:
            reasons.append(f"includes answers to requests for {', '.join(self.rerouted)}")
        return ", ".join(reasons)

    def list_tokens(self, stated: Stated | None) -> dict[str, int]:
        """List one side's tokens, by kind; kinds that it does not state are left out."""
        counts = ((name, getattr(stated, bucket, None)) for name, bucket in _BUCKETS.items())
        return {name: count for name, count in counts if count is not None}

    def to_record(self) -> dict[str, Any]:
        gap = self.money_gap
        return {
            "day": self.day,
            "model": self.model,
            "is_in_export": self.theirs is not None,
            "is_in_ledger": self.ours is not None,
            "token_gaps": self.token_gaps,
            "money_gap_usd": None if gap is None else f"{gap:f}",
            "unreported_calls": self.unreported_calls if self.ours else None,
            "estimated_calls": self.estimated_calls if self.ours else None,
            "rerouted_from": list(self.rerouted),
            "is_running": self.is_running,
        }


async def compare_usage(
    db: Queryable, account: Account, provider: str | None = None
) -> list[Comparison]:
    """Compare an export's usage with the ledger, by day and model.

    An export whose rows cover a month is compared by model. Only the export's days are compared.
    provider: None for the one that the export names.

    Raises: InputError for an export without a day.
    """
    if not account.rows:
        raise InputError(
            "the export contains no usage",
            hint="Export the usage of a period in which the provider was called.",
        )
    try:
        told = [*(row.day for row in account.rows), *([account.until] if account.until else [])]
        days = [datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC) for day in told]
    except ValueError as error:
        raise InputError(f"invalid date: {error}", hint="Write dates like YYYY-MM-DD.") from error
    whose = {"provider": provider or account.provider}
    only = UsageFilter(whose, min(days), max(days) + timedelta(days=1))
    is_grouped = any(row.model != ALL_MODELS for row in account.rows)
    by = ("day", "model", "requested") if is_grouped else ("day",)
    by = by[1:] if account.until else by
    period = f"{min(days):%Y-%m-%d} to {account.until}"
    found = await summarize_usage(db, by, only)
    # What they call a model ("Claude Haiku 4.5") where that is no name of ours.
    known = {row.keys.get("model") or "" for row in found}
    theirs = {(period if account.until else row.day, row.model): row for row in account.rows}
    named = {model for _, model in theirs}
    simple = {_simplify(name): name for name in named - known}
    unreported, estimated = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    rerouted = defaultdict[tuple[str, str], set[str]](set)
    own: list[Stated] = []
    for row in found:
        model, requested = row.keys.get("model", ALL_MODELS) or "", row.keys.get("requested") or ""
        is_other = is_rerouted(requested, model) and bool(requested)
        # An account may be kept by the answered model's name or by the one that was requested.
        names = (model, requested) if is_other else (model,)
        listed = [it if it in named else simple.get(_simplify(it)) for it in names]
        model = next(filter(None, listed), model)
        cost = None if row.cost_usd is None else Decimal(row.cost_usd)
        cached, long = row.cache_read_tokens, row.cache_write_long_tokens
        written = sum_known(row.cache_write_tokens, long)
        day, made = row.keys.get("day", period) or "", row.output_total
        own.append(Stated(day, model, row.input_total, cached, written, made, cost, long))
        unreported[day, model] += row.unreported_calls
        estimated[day, model] += row.estimated_calls
        if is_other:
            rerouted[day, model].add(requested)
    ours = {(row.day, row.model): row for row in merge_stated(own)}
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    has_tokens = any(row.input_tokens is not None for row in account.rows)
    has_money = any(row.cost_usd is not None for row in account.rows)
    return [
        Comparison(
            *key,
            theirs.get(key),
            ours.get(key),
            has_tokens,
            has_money,
            unreported[key],
            estimated[key],
            tuple(sorted(rerouted[key])),
            (account.until or key[0]) == today,
        )
        for key in sorted({*ours, *theirs})
    ]


def _simplify(name: str) -> tuple[str, ...]:
    """Reduce a model's name to its sorted words, so that different spellings compare equal.

    >>> _simplify("claude-3-7-sonnet-20250219") == _simplify("Claude Sonnet 3.7")
    True
    """
    words = re.split(r"[^a-z0-9]+", _DATE.sub("", name.lower()))
    return tuple(sorted(filter(None, words)))
