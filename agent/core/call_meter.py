"""Measures one attempt: time and tokens, as reported or estimated, for its ledger row."""

from __future__ import annotations

import time
from typing import Any, Final

from ..base.text.cleaning import cut_text
from ..base.text.streamed import StreamedText
from ..base.tokens.estimate import estimate_tokens
from ..base.tokens.output_sizes import REVIEW
from ..errors import ModelError
from ..providers.answered_models import price_call
from ..providers.model_handle import ModelHandle
from ..providers.reading.estimates import complete_usage, join_output, state_usage
from ..providers.refused_state import drop_all_state
from ..store.records import CallSettled, CallStart, CallStatus, price_nothing
from ..types import LLMResponse, StreamDelta, Usage
from .observing import tell_call

MAX_REASON_CHARS: Final = 600  # of what the ledger keeps of a failure


class CallMeter:
    """Measures time and streamed output of one attempt, and builds its settlement."""

    def __init__(self, start: CallStart, handle: ModelHandle) -> None:
        """Begin to measure a call."""
        self.start = start
        self._handle = handle
        self._began = time.perf_counter()
        self._first_ms: int | None = None
        self._received = StreamedText()
        self.request_id: str | None = None  # of the provider, by which support can find the call

    def see(self, delta: StreamDelta) -> None:
        """Count a streamed piece, and note when the first one arrived."""
        if self._first_ms is None:
            self._first_ms = self._elapsed_ms()
        written = (piece["content"] for piece in delta.calls)
        self._received.add("".join((delta.text, delta.reasoning, *written)))

    def settle_success(self, response: LLMResponse, *, keep_response: bool) -> CallSettled:
        """Build the ledger update for a successful attempt, and learn from its token counts.
        keep_response: no message of the thread holds the answer.
        """
        if response.usage.input_tokens is not None:
            counted, estimated = response.usage.input_total, self.start.estimated_input_tokens
            self._handle.factors.learn(self._handle.label, estimated, counted or 0)
        usage = state_usage(response, lambda: self.estimate(join_output(response)))
        output_tokens, start, outputs = usage.output_total or 0, self.start, self._handle.outputs
        outputs.learn(self._handle.label, start.role, output_tokens)
        if start.role == "evaluator" and start.worker:
            outputs.learn(start.worker, REVIEW, output_tokens + (usage.input_total or 0))
        if start.thread_id is not None:
            self._handle.pauses.note_answer(self._handle, start.thread_id, response)
        # Only a worker's answers are sent back; the others' state would be stored for nobody.
        said = response.message if start.role == "worker" else drop_all_state(response.message)
        kept = {"message": said, "stop": response.stop} if keep_response else None
        return self.settle(
            "succeeded",
            usage,
            model_answered=response.model,
            request_id=response.request_id,
            response_id=response.response_id,
            stop=response.stop,
            response=kept,
            notes=(*response.notes, *self._handle.notes),
        )

    def settle_failure(self, error: ModelError) -> CallSettled:
        """Build the ledger update for a failed attempt, which costs only what was streamed."""
        if error.partial is not None or self._received:
            return self.settle_cut("cut", error.code, error)
        return self.settle("failed", Usage(source="missing"), **_describe_failure(error))

    def settle_cut(
        self, status: CallStatus, code: str, error: ModelError | None = None
    ) -> CallSettled:
        """Build the ledger update for a cut attempt, with reported or estimated usage."""
        partial: LLMResponse | None = error.partial if error else None
        received = join_output(partial) if partial else str(self._received)
        usage = estimated = self.estimate(received)
        if partial and partial.stop != "error":  # whole, and worth nothing: as its provider says
            usage = state_usage(partial, lambda: estimated)
        elif partial and partial.usage.input_total is not None:
            usage = complete_usage(partial.usage, estimated)
        failure = {} if error is None else _describe_failure(error)
        return self.settle(status, usage, **{**failure, "error_code": code})

    def settle(self, status: CallStatus, usage: Usage, **details: Any) -> CallSettled:
        """Build the ledger update for an ended attempt, and pass it to observers."""
        start, answered = self.start, details.get("model_answered")
        details["request_id"] = details.get("request_id") or self.request_id
        cost = price_call(self._handle.prices, start.provider, start.model, answered, usage)
        settled = CallSettled(
            call_id=self.start.call_id,
            tenant_id=self.start.tenant_id,
            status=status,
            usage=usage,
            duration_ms=self._elapsed_ms(),
            first_token_ms=self._first_ms,
            cost_usd=cost.amount_usd,
            price_version=cost.version,
            base_url=self._handle.base_url,
            **details,
        )
        settled = price_nothing(settled)
        tell_call(self.start, settled)
        return settled

    def estimate(self, text: str) -> Usage:
        """Estimate an attempt's usage from its answer's text, if none was reported."""
        factor = self._handle.token_factor
        return Usage(
            input_tokens=round(self.start.estimated_input_tokens * factor),
            output_tokens=round(estimate_tokens(text) * factor),
            source="estimated",
        )

    def _elapsed_ms(self) -> int:
        return round((time.perf_counter() - self._began) * 1000)


def _describe_failure(error: ModelError) -> dict[str, str | None]:
    """Tell why a call failed, as the error has it: one line, without secrets."""
    message = cut_text(error.message, MAX_REASON_CHARS)
    return {"error_code": error.code, "error_message": message, "request_id": error.request_id}
