"""What a batch brought, as its rows: each request's outcome, and its settlement in the ledger."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from plainloop.agent.base.text.cleaning import clean_json
from plainloop.agent.base.tokens.estimate import estimate_tokens
from plainloop.agent.errors import ModelError
from plainloop.agent.providers.answered_models import price_call
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.reading.answer_reader import AnswerReader
from plainloop.agent.store.records import CallSettled
from plainloop.agent.types import ChatRequest, LLMResponse, Usage

from ..store.batches import OpenRequest, ProviderBatch
from .api import BatchApi, Outcome


def settle_outcome(
    batch: ProviderBatch,
    request: OpenRequest,
    outcome: Outcome,
    api: BatchApi,
    handle: ModelHandle,
    tenant_id: str,
) -> tuple[dict[str, Any], CallSettled]:
    """Convert a request's outcome to what the database stores of it.

    Returns (the fields of the request's row, the settlement of its ledger row). handle: with the
    prices of a batch.

    An answer counts as a live one does: an empty one is an error that was paid for. The call that
    waits for it reads it once more, with its tools.
    """
    duration_ms = round((datetime.now(UTC) - batch.created_at).total_seconds() * 1000)
    call = CallSettled(
        call_id=request.call_id,
        tenant_id=tenant_id,
        status="failed",
        usage=Usage(source="missing"),
        duration_ms=max(0, duration_ms),
        request_id=outcome["request_id"],
    )
    answer: LLMResponse | None
    try:
        answer = AnswerReader(ChatRequest("", []), handle).finish(api.read(outcome))
        call = replace(call, status="succeeded", stop=answer.stop, notes=answer.notes)
    except ModelError as error:
        answer = error.partial  # answered all the same, and paid for
        told = {"error_code": error.code, "error_message": error.message}
        call = replace(call, status="cut" if answer else "failed", **told)
    status = "succeeded" if call.status == "succeeded" else "failed"
    # Cleaned: one that cannot be stored would keep those beside it from being recorded, each time
    # (test_a_nul_in_a_batch_answer_loses_no_answer).
    row = {"place": request.place, "status": status, "outcome": clean_json(outcome)}
    if answer is None:
        return row, call
    usage = answer.usage
    if usage.source == "missing":
        factor = handle.token_factor
        usage = Usage(
            input_tokens=round(request.estimated_input_tokens * factor),
            output_tokens=round(estimate_tokens(answer.text) * factor),
            source="estimated",
        )
    cost = price_call(handle.prices, handle.provider, handle.model, answer.model, usage)
    return row, replace(
        call,
        usage=usage,
        model_answered=answer.model,
        request_id=call.request_id or answer.request_id,
        cost_usd=cost.amount_usd,
        price_version=cost.version,
    )
