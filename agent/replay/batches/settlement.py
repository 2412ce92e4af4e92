"""What a batch brought, as its rows: each request's outcome, and its settlement in the ledger."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from ...base.tokens import estimate_tokens
from ...errors import ModelError
from ...providers.batching import BatchApi, Outcome
from ...providers.model_handle import ModelHandle
from ...providers.pricing import price_call
from ...store.batches import OpenRequest, ProviderBatch
from ...store.records import CallSettled, CallStatus
from ...types import LLMResponse, Usage

LOST: Final = "BATCH_LOST"  # the provider never had the request


def settle_outcome(
    batch: ProviderBatch,
    request: OpenRequest,
    outcome: Outcome,
    api: BatchApi,
    handle: ModelHandle,
    tenant_id: str,
) -> tuple[dict[str, Any], CallSettled]:
    """Return (the request's row, its ledger row's end). handle: with the prices of a batch."""
    duration_ms = round((datetime.now(UTC) - batch.created_at).total_seconds() * 1000)
    call = CallSettled(
        call_id=request.call_id,
        tenant_id=tenant_id,
        status="succeeded",
        usage=Usage(source="missing"),
        duration_ms=max(0, duration_ms),
        request_id=outcome["request_id"],
        is_reserved=True,
    )
    row = {"place": request.place, "status": "succeeded", "outcome": outcome}
    try:
        answer = api.read(outcome)
    except ModelError as error:
        partial: LLMResponse | None = error.partial
        failed = replace(call, error_code=error.code, status="failed")
        if partial is not None:  # it was answered, and paid for
            failed = _price(failed, "cut", partial, request, handle)
        return {**row, "status": "failed"}, failed
    return row, _price(replace(call, stop=answer.stop), "succeeded", answer, request, handle)


def settle_lost(request: OpenRequest, tenant_id: str, code: str) -> CallSettled:
    """The end of a ledger row whose request was not taken: nothing was used."""
    return CallSettled(
        request.call_id,
        tenant_id,
        "failed",
        Usage(source="missing"),
        duration_ms=0,
        error_code=code,
        is_reserved=True,
    )


def _price(
    call: CallSettled,
    status: CallStatus,
    answer: LLMResponse,
    request: OpenRequest,
    handle: ModelHandle,
) -> CallSettled:
    usage = answer.usage
    if usage.source == "missing":
        factor = handle.token_factor
        usage = Usage(
            input_tokens=round(request.estimated_input_tokens * factor),
            output_tokens=round(estimate_tokens(answer.text) * factor),
            source="estimated",
        )
    cost = price_call(handle.prices, handle.provider, handle.model, answer.model, usage)
    return replace(
        call,
        status=status,
        usage=usage,
        model_answered=answer.model,
        request_id=call.request_id or answer.request_id,
        cost_usd=cost.amount_usd,
        price_version=cost.version,
    )
