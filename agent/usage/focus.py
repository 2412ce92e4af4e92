"""The ledger row by row, for other programs: plain, or as FOCUS (FinOps cost and usage) columns.

Source: FOCUS 1.2, focus.finops.org; `x_` columns are ours, as it allows.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from ..providers.defaults import name_provider
from ..store.database import Queryable
from ..store.sql_blocks import load_sql
from ..types import sum_known

SQL: Final = load_sql(Path(__file__).parent / "sql" / "focus.sql")
AT_ONCE: Final = 1_000
_NO_CALL: Final = "00000000-0000-0000-0000-000000000000"


async def list_ledger_rows(
    db: Queryable, since: datetime, until: datetime
) -> AsyncGenerator[dict[str, Any]]:
    """Every call in the order in which they were made; times as ISO text, costs as decimal text."""
    last = _NO_CALL
    while True:
        sql = SQL["list_ledger_rows"]
        rows = await db.fetch(sql, db.tenant_id, last, since, until, AT_ONCE)
        if not rows:
            return
        last = rows[-1]["call_id"]
        for row in rows:
            cost = row["cost_usd"]
            yield {
                **row,
                "created_at": to_iso(row["created_at"]),
                "cost_usd": None if cost is None else f"{cost:f}",
            }


def to_focus(row: Mapping[str, Any]) -> dict[str, Any]:
    """One call as one charge. A cost that is not known is left empty: it is not 0."""
    at = datetime.fromisoformat(row["created_at"])
    month = at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    next_month = (month + timedelta(days=32)).replace(day=1)
    hour = at.replace(minute=0, second=0, microsecond=0)
    model = row["model_answered"] or row["model"]
    publisher = name_provider(row["provider"], "publisher")
    tokens = sum_known(
        row["input_tokens"],
        row["cache_read_tokens"],
        row["cache_write_tokens"],
        row["output_tokens"],
        row["reasoning_tokens"],
    )
    cost = row["cost_usd"]
    return {
        "BilledCost": cost,
        "BillingAccountId": row["tenant_id"],
        "BillingCurrency": "USD",
        "BillingPeriodStart": to_iso(month),
        "BillingPeriodEnd": to_iso(next_month),
        "ChargeCategory": "Usage",
        "ChargeClass": None,
        "ChargeDescription": f"{model}: model call, {row['status']}",
        "ChargeFrequency": "Usage-Based",
        "ChargePeriodStart": to_iso(hour),
        "ChargePeriodEnd": to_iso(hour + timedelta(hours=1)),
        "ConsumedQuantity": tokens,
        "ConsumedUnit": "Tokens",
        "ContractedCost": cost,
        "EffectiveCost": cost,
        "InvoiceIssuerName": publisher,
        "ListCost": cost,
        "PricingQuantity": tokens,
        "PricingUnit": "Tokens",
        "ProviderName": publisher,
        "PublisherName": publisher,
        "ResourceId": model,
        "ResourceType": "Model",
        "ServiceCategory": "AI and Machine Learning",
        "ServiceName": f"{publisher} API",
        "SkuId": f"{row['provider']}:{model}",
        "SubAccountId": row["user_id"],
        "x_TenantId": row["tenant_id"],
        "x_UserId": row["user_id"],
        "x_ThreadId": row["thread_id"],
        "x_RunId": row["run_id"],
        "x_CallId": row["call_id"],
        "x_Node": row["node"],
        "x_Role": row["role"],
        "x_Origin": row["origin"],
        "x_InputTokens": row["input_tokens"],
        "x_CacheReadTokens": row["cache_read_tokens"],
        "x_CacheWriteTokens": row["cache_write_tokens"],
        "x_OutputTokens": row["output_tokens"],
        "x_ReasoningTokens": row["reasoning_tokens"],
        "x_UsageSource": row["usage_source"],
        "x_PriceVersion": row["price_version"],
    }


def to_iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
