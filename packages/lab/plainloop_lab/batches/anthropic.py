"""Anthropic's Message Batches through the official SDK.

A batch carries no mark of ours and there is no idempotency key: one whose creation was cut off is
known again by its results' custom_ids, which are there once it has ended. Until then it is one of
those with as many requests that were created since.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta
from typing import Any, Final

from plainloop.agent.errors import ModelNotFoundError
from plainloop.agent.providers.http.clients import open_anthropic
from plainloop.agent.providers.http.exchange import Wire
from plainloop.agent.providers.http.sdk_channel import SdkChannel
from plainloop.agent.types import ChatRequest, LLMResponse

from .api import (
    CALL_TIMEOUT_S,
    CLOCK_SKEW_S,
    BatchLimits,
    BatchState,
    Outcome,
    Sighting,
    make_group,
    read_json_lines,
    read_outcome,
)

PAGE: Final = 100
_LIMITS: Final = BatchLimits(requests=100_000, bytes=200_000_000)


class AnthropicBatches:
    """Batches of one Anthropic model."""

    def __init__(self, wire: Wire, channel: SdkChannel) -> None:
        self.endpoint = wire.path
        self.limits = _LIMITS
        self.group = make_group(channel, self.endpoint)
        self._target = channel.target
        self._wire = wire
        self._channel = channel

    @property
    def _batches(self) -> Any:
        return open_anthropic(self._channel.endpoint).messages.batches

    def to_line(self, custom_id: str, request: ChatRequest) -> dict[str, Any]:
        return {"custom_id": custom_id, "params": self._wire.to_body(request, self._target)[0]}

    async def create(self, mark: str, lines: Sequence[Mapping[str, Any]]) -> BatchState:
        needed = [self._channel.to_headers(line["params"]) for line in lines]
        headers = {name: value for each in needed for name, value in each.items()}
        with self._channel.converting():
            made = await self._batches.create(
                requests=lines, extra_headers=headers, timeout=CALL_TIMEOUT_S
            )
        return _to_state(made)

    async def find(
        self, mark: str, requests: int, since: datetime, foreign: Collection[str]
    ) -> Sighting | None:
        earliest = since - timedelta(seconds=CLOCK_SKEW_S)
        possible: Sighting | None = None
        with self._channel.converting():
            async for batch in self._batches.list(limit=PAGE):
                if batch.created_at < earliest:
                    break  # the newest come first
                counts = batch.request_counts
                ended = counts.succeeded + counts.errored + counts.canceled + counts.expired
                if batch.id in foreign or counts.processing + ended != requests:
                    continue
                state = _to_state(batch)
                if not state.is_ended:
                    possible = Sighting(state, is_certain=False)
                elif await self._has_mark(state, mark):
                    return Sighting(state, is_certain=True)
        return possible

    async def load_state(self, batch_id: str) -> BatchState:
        with self._channel.converting():
            return _to_state(await self._batches.retrieve(batch_id))

    async def list_outcomes(self, state: BatchState) -> AsyncGenerator[tuple[str, Outcome]]:
        lines = self._batches.with_streaming_response.results(
            state.batch_id, timeout=CALL_TIMEOUT_S
        )
        with self._channel.converting():
            async with lines as response:
                async for result in read_json_lines(response.iter_bytes()):
                    yield result["custom_id"], _to_outcome(result["result"])

    def explain_missing(self, state: BatchState) -> Outcome:
        return {"kind": "expired", "status": None, "request_id": None, "body": None}

    async def cancel(self, batch_id: str) -> None:
        with self._channel.converting():
            await self._batches.cancel(batch_id)

    def read(self, outcome: Outcome, request: ChatRequest | None = None) -> LLMResponse:
        return read_outcome(self._wire, self._target, outcome, request)

    async def _has_mark(self, state: BatchState, mark: str) -> bool:
        try:
            async with aclosing(self.list_outcomes(state)) as outcomes:
                async for custom_id, _ in outcomes:
                    return custom_id.startswith(mark)
        except ModelNotFoundError:
            pass  # deleted or archived: then it is none that we wait for
        return False


def _to_state(batch: Any) -> BatchState:
    counts = batch.request_counts
    return BatchState(
        batch_id=batch.id,
        is_ended=batch.processing_status == "ended",
        answered=counts.succeeded + counts.errored + counts.canceled + counts.expired,
        created_at=batch.created_at,
        expires_at=batch.expires_at,
        details=batch,
    )


def _to_outcome(result: Mapping[str, Any]) -> Outcome:
    """Convert a result of Anthropic's batch to an outcome.

    It is `{"type": "succeeded", "message"}`, `{"type": "errored", "error"}`, or a bare type.
    """
    error: dict[str, Any] = result.get("error") or {}
    return {
        "kind": result["type"],
        "status": None,
        "request_id": error.get("request_id"),
        "body": result.get("message") or error or None,
    }
