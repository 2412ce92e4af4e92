"""Requests that tools buy elsewhere, a search for example, as rows of the ledger."""

from __future__ import annotations

import hashlib
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from plainloop.agent.core.attempts import build_start, record_start
from plainloop.agent.core.seams import RunView
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.records import CallSettled, CallStatus
from plainloop.agent.types import NOT_BEGUN, Usage

ROLE: Final = "search"


@asynccontextmanager
async def recorded_request(provider: str, body: str, ctx: RunView) -> AsyncGenerator[None]:
    """Record a paid request, which the block makes, in the usage ledger.

    The price is in `[prices."provider:search"]`. A request that failed costs nothing. Without a
    price nothing is written: a budget in money would refuse a request without a price.

    Raises: BudgetExceeded, BudgetBusy, LeaseLost.
    """
    prices = Prices(ctx.settings.prices)
    cost = prices.price(provider, ROLE, Usage())
    if cost.amount_usd is None:
        yield
        return
    handle = replace(ctx.models.resolve("worker"), provider=provider, model=ROLE, prices=prices)
    start = build_start(
        handle,
        1,
        ctx,
        role=ROLE,
        worker=None,
        estimated_input_tokens=0,
        fingerprint=hashlib.sha256(body.encode()).hexdigest(),
        system_hash=None,
        tools_hash=None,
        first_position=None,
        last_position=None,
    )
    await record_start(start, ctx)
    began = time.perf_counter()
    status: CallStatus = "failed"
    try:
        yield
        status = "succeeded"
    finally:
        paid = cost if status == "succeeded" else replace(cost, amount_usd="0", version=NOT_BEGUN)
        settled = CallSettled(
            start.call_id,
            ctx.tenant_id,
            status,
            Usage(),
            round((time.perf_counter() - began) * 1000),
            model_answered=ROLE,
            cost_usd=paid.amount_usd,
            price_version=paid.version,
            response={},  # so that the row does not claim the step's message as its answer
        )
        await ctx.store.settle_calls(ctx.tenant_id, [settled])
