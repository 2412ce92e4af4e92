"""Setting prices again, on explicit request: what a call cost before stays in its row."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.providers.answered_models import price_call
from plainloop.agent.providers.pricing import Cost, Prices
from plainloop.agent.store.database import Queryable, Row
from plainloop.agent.store.records import REPORTED, is_free_failure
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.types import NOT_BEGUN, Usage, pick_buckets
from plainloop.agent.usage.report import DAY, FIRST
from plainloop.agent.usage.rollup import roll_again

SQL: Final = load_sql(Path(__file__).parent / "sql" / "recost.sql")
AT_ONCE: Final = 1_000
_NO_CALL: Final = "00000000-0000-0000-0000-000000000000"
_ZERO: Final = Decimal(0)


@dataclass(slots=True)
class Recosting:
    """Counts of recosted calls. Amounts in USD, only of the changed ones."""

    calls: int = 0
    changed: int = 0
    reported: int = 0  # their source stated the cost: never changed
    newly_known: int = 0
    before_usd: Decimal = _ZERO
    after_usd: Decimal = _ZERO
    first_day: datetime | None = None
    last_day: datetime | None = None


async def recost_calls(
    db: Queryable, prices: Prices, since: datetime, until: datetime, *, is_trial: bool = False
) -> Recosting:
    """Calculate the costs of a tenant's calls again, at the prices of their dates.

    The daily sums are then calculated again. A price that is not known now does not replace one
    that was. A cost that an import's source reported stays. is_trial: nothing is written.
    """
    done = Recosting()
    last = _NO_CALL
    while True:
        rows = await db.fetch(SQL["list_priced_calls"], db.tenant_id, last, since, until, AT_ONCE)
        if not rows:
            break
        last = rows[-1]["call_id"]
        changes = [change for row in rows if (change := _reprice(row, prices, done))]
        if changes and not is_trial:
            await db.execute(SQL["reprice_calls"], db.tenant_id, changes)
    if done.first_day and done.last_day and not is_trial:
        await roll_again(db, done.first_day, done.last_day + timedelta(days=1))
    return done


def _reprice(row: Row, prices: Prices, done: Recosting) -> dict[str, Any] | None:
    """Return a call's new cost, or None if it stays as it is."""
    if (row["price_version"] or "").startswith(REPORTED):
        done.reported += 1
        return None
    usage = Usage(**pick_buckets(row))
    at: datetime = row["created_at"]
    if row["processing"] == "batch":
        prices = prices.at_batch_rates()
    found = price_call(prices, row["provider"], row["model"], row["model_answered"], usage, at)
    if row["usage_source"] == "missing":
        if not is_free_failure(row["status"], row["error_code"]):
            return None
        found = Cost("0", NOT_BEGUN)
    done.calls += 1
    before: Decimal | None = row["cost_usd"]
    if found.amount is None or found.amount == before:
        return None
    done.changed += 1
    done.newly_known += before is None
    done.before_usd += before or _ZERO
    done.after_usd += found.amount
    day = at - (at - FIRST) % DAY
    done.first_day = min(done.first_day or day, day)
    done.last_day = max(done.last_day or day, day)
    return {"call_id": row["call_id"], "cost_usd": found.amount_usd, "price_version": found.version}
