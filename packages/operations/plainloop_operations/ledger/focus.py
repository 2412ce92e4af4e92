"""The ledger row by row, for other programs: plain, or as FOCUS (FinOps cost and usage) columns.

Source: FOCUS 1.3, focus.finops.org; `x_` columns are ours, as it allows. ProviderName and
PublisherName, which 1.3 replaces, stay for programs that read 1.2.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, Final

import orjson

from plainloop.agent.config.zones import UTC_ZONE, begin_day, begin_next_month, find_zone
from plainloop.agent.providers.defaults import name_provider
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.types import TOKEN_BUCKETS, sum_known
from plainloop.agent.usage.dimensions import FILTERS, list_ledger_columns
from plainloop.agent.usage.ledger_columns import SUMMED

SQL: Final = load_sql(Path(__file__).parent / "sql" / "focus.sql")
LIST_ROWS: Final = SQL["list_ledger_rows"].replace("{dimensions}", list_ledger_columns())
COSTS: Final = ("cost_usd", "most_usd", *(item.name for item in SUMMED if item.unit == "usd"))
AT_ONCE: Final = 1_000
_NO_CALL: Final = "00000000-0000-0000-0000-000000000000"
# Of a row of the ledger, shown as they are: `x_InputTokens` and so on.
_OWN: Final = (
    *(it.column for it in FILTERS.values() if it.kind != "list" and not it.condition),
    "tenant_id",
    "call_id",
    "usage_source",
    "price_version",
    *TOKEN_BUCKETS,
    *(column.name for column in SUMMED),
)


async def list_ledger_rows(
    db: Queryable, since: datetime, until: datetime, zone: str = UTC_ZONE
) -> AsyncGenerator[dict[str, Any]]:
    """Yield the ledger's calls as rows, oldest first.

    They are those of the tenant of `db`, or of all tenants without one. Times are ISO text in the
    zone, costs decimal text.
    """
    place = find_zone(zone)
    last = _NO_CALL
    while True:
        rows = await db.fetch(LIST_ROWS, db.tenant_id or None, last, since, until, AT_ONCE)
        if not rows:
            return
        last = rows[-1]["call_id"]
        for row in rows:
            costs = {name: row[name] for name in COSTS if row[name] is not None}
            yield {
                **row,
                "created_at": to_iso(row["created_at"], place),
                **{name: f"{cost:f}" for name, cost in costs.items()},
            }


def to_focus(row: Mapping[str, Any], zone: str = UTC_ZONE) -> dict[str, Any]:
    """Convert one call of the ledger to one charge of FOCUS, a format for cloud costs.

    zone: of the billing periods only; times are UTC.

    FOCUS has no cost that is not known: it is 0 there, and `x_IsCostKnown` tells. A call through a
    provider's batch API has a price of its own in the price list, so it is another SKU price, at
    the category of predetermined rates (pricingcategory.md). The ledger knows no invoice: then
    `InvoiceId` must be null (invoiceid.md).
    """
    place = find_zone(zone)
    at = datetime.fromisoformat(row["created_at"]).astimezone(UTC)
    today = at.astimezone(place).date()
    hour = at.replace(minute=0, second=0, microsecond=0)
    is_batch = row["processing"] == "batch"
    model = row["model_answered"] or row["model"]
    publisher = name_provider(row["provider"], "publisher")
    tokens = sum_known(*(row[name] for name in TOKEN_BUCKETS)) or 0
    cost = row["cost_usd"] or "0"
    return {
        "BilledCost": cost,
        "BillingAccountId": row["tenant_id"],
        "BillingAccountName": row["tenant_id"],
        "BillingAccountType": "Tenant",
        "BillingCurrency": "USD",
        "BillingPeriodEnd": to_iso(begin_next_month(today, place)),
        "BillingPeriodStart": to_iso(begin_day(today.replace(day=1), place)),
        "ChargeCategory": "Usage",
        "ChargeClass": None,
        "ChargeDescription": f"{model}: {'batch' if is_batch else 'model'} call, {row['status']}",
        "ChargeFrequency": "Usage-Based",
        "ChargePeriodEnd": to_iso(hour + timedelta(hours=1)),
        "ChargePeriodStart": to_iso(hour),
        "ConsumedQuantity": tokens,
        "ConsumedUnit": "Tokens",
        "ContractedCost": cost,
        "EffectiveCost": cost,
        "HostProviderName": publisher,  # whose machines: the service does not say
        "InvoiceId": None,
        "InvoiceIssuerName": publisher,
        "ListCost": cost,
        "PricingCategory": "Standard",
        "PricingCurrency": "USD",
        "PricingQuantity": tokens,
        "PricingUnit": "Tokens",
        "ProviderName": publisher,
        "PublisherName": publisher,
        "ResourceId": model,
        "ResourceName": model,
        "ResourceType": "Model",
        "ServiceCategory": "AI and Machine Learning",
        "ServiceName": f"{publisher} API",
        "ServiceProviderName": publisher,
        "ServiceSubcategory": "Generative AI",
        "SkuId": f"{row['provider']}:{model}",
        "SkuMeter": "Tokens, batch" if is_batch else "Tokens",
        "SkuPriceDetails": orjson.dumps({"x_Processing": row["processing"] or "single"}).decode(),
        "SkuPriceId": f"{row['provider']}:{model}{':batch' if is_batch else ''}",
        "SubAccountId": row["user_id"],
        "SubAccountName": row["user_id"],
        "SubAccountType": "User",
        # A tag has no value: FOCUS says true then.
        "Tags": orjson.dumps(dict.fromkeys(row["tags"], True)).decode(),
        "x_IsCostKnown": row["cost_usd"] is not None,
        "x_AtMostCost": row["most_usd"] if row["cost_usd"] is None else None,
        "x_ModelAnswered": row["model_answered"],
        **{f"x_{name.title().replace('_', '')}": row[name] for name in _OWN},
    }


def to_iso(at: datetime, zone: tzinfo = UTC) -> str:
    text = at.astimezone(zone).isoformat(timespec="seconds")
    return text.replace("+00:00", "Z") if zone is UTC else text
