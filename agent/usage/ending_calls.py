"""Which share of the calls goes to models that are shut down, by the date."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from ..providers.endings import Ending, Endings
from ..store.database import Queryable
from .report import ALL, UsageFilter, summarize_usage

RECENT: Final = timedelta(days=30)  # what counts as today's use, unless a time is asked for


@dataclass(frozen=True, slots=True)
class EndingCalls:
    """How many calls go to models that are shut down on one day and have one successor."""

    ending: Ending
    models: tuple[str, ...]  # as called, the most called first
    calls: int
    all_calls: int  # of all models, in the same time

    @property
    def share(self) -> float:
        """Return the share of these calls among all calls of the period, from 0 to 1."""
        return self.calls / self.all_calls

    def to_record(self) -> dict[str, Any]:
        """Convert to a record of the usage report's JSON."""
        return {
            "provider": self.ending.provider,
            "models": list(self.models),
            "ends": self.ending.ends.isoformat(),
            "successor": self.ending.successor,
            "calls": self.calls,
            "share": round(self.share, 4),
            "rehearsal": self.ending.describe_rehearsal(),
        }


async def list_ending_calls(
    db: Queryable, endings: Endings, only: UsageFilter = ALL, now: datetime | None = None
) -> list[EndingCalls]:
    """List the calls to models that will be shut down, earliest first.
    Without a time in the filter: those of the last 30 days.
    """
    if only.since is None:
        only = replace(only, since=(now or datetime.now(UTC)) - RECENT)
    rows = await summarize_usage(db, ("provider", "requested", "model"), only)
    total = sum(row.calls for row in rows)
    groups: dict[tuple[Any, ...], EndingCalls] = {}
    for row in rows:
        provider, requested, answered = (value or "" for value in row.keys.values())
        ending = endings.find(provider, requested or answered)
        if ending is None or not row.calls:
            continue
        key = (ending.ends, provider, ending.successor or "")
        known = groups.get(key) or EndingCalls(ending, (), 0, total)
        models = tuple(dict.fromkeys((*known.models, requested or answered)))
        groups[key] = replace(known, models=models, calls=known.calls + row.calls)
    return [groups[key] for key in sorted(groups)]


def describe_ending_calls(calls: Sequence[EndingCalls]) -> Iterator[str]:
    """Yield lines for the terminal: which share of calls ends when, and how to try a successor."""
    for item in calls:
        names = ", ".join(f"{item.ending.provider}:{model}" for model in item.models)
        verb, _, when = item.ending.describe().partition(" ")
        verb = "end" if verb == "ends" else "went to models that ended"
        yield f"{item.share:.0%}".replace("%", " %") + f" of your calls {verb} {when}: {names}"
        yield f"  try {item.ending.successor or 'a successor'}: {item.ending.describe_rehearsal()}"
