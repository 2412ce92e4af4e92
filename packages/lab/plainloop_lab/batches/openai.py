"""OpenAI's Batch through the official SDK: a file of requests in, a file of answers out.

The batch carries our mark in its metadata: one whose creation was cut off is found by it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import orjson

from plainloop.agent.providers.http.clients import open_openai
from plainloop.agent.providers.http.exchange import Wire
from plainloop.agent.providers.http.sdk_channel import SdkChannel
from plainloop.agent.types import ChatRequest, LLMResponse

from .api import (
    CALL_TIMEOUT_S,
    CLOCK_SKEW_S,
    BatchLimits,
    BatchState,
    Outcome,
    OutcomeKind,
    Sighting,
    make_group,
    read_json_lines,
    read_outcome,
)

MARK: Final = "plainloop_batch"
PAGE: Final = 100
# Files stay for ever unless it is said how long; a month is the longest that can be said.
KEPT: Final = {"anchor": "created_at", "seconds": 2_592_000}
_LIMITS: Final = BatchLimits(requests=50_000, bytes=150_000_000)
_ENDED: Final = frozenset({"failed", "completed", "expired", "cancelled"})
# Codes of the error file that say why there is no answer.
_CODES: Final[Mapping[str, OutcomeKind]] = {
    "batch_expired": "expired",
    "batch_cancelled": "canceled",
}
_ROOM_CODES: Final = frozenset({"token_limit_exceeded", "request_limit_exceeded"})


class OpenAIBatches:
    """Batches of one model, by Chat Completions or Responses."""

    def __init__(self, wire: Wire, channel: SdkChannel) -> None:
        self._wire = wire
        self._channel = channel
        self.endpoint = f"/v1{wire.path}"
        self.limits = _LIMITS
        self.group = make_group(channel, self.endpoint)
        self._target = channel.target

    @property
    def _client(self) -> Any:
        return open_openai(self._channel.endpoint)

    def to_line(self, custom_id: str, request: ChatRequest) -> dict[str, Any]:
        body = self._wire.to_body(request, self._target)[0]
        return {"custom_id": custom_id, "method": "POST", "url": self.endpoint, "body": body}

    async def create(self, mark: str, lines: Sequence[Mapping[str, Any]]) -> BatchState:
        content = b"\n".join(map(orjson.dumps, lines)) + b"\n"
        with self._channel.converting():
            sent = await self._client.files.create(
                file=(f"{mark}.jsonl", content, "application/jsonl"),
                purpose="batch",
                expires_after=KEPT,
                timeout=CALL_TIMEOUT_S,
            )
            made = await self._client.batches.create(
                input_file_id=sent.id,
                endpoint=self.endpoint,
                completion_window="24h",
                metadata={MARK: mark},
                output_expires_after=KEPT,
            )
        return _to_state(made)

    async def find(
        self, mark: str, requests: int, since: datetime, foreign: Collection[str]
    ) -> Sighting | None:
        earliest = since - timedelta(seconds=CLOCK_SKEW_S)
        with self._channel.converting():
            async for batch in self._client.batches.list(limit=PAGE):
                state = _to_state(batch)
                if state.created_at < earliest:
                    return None  # the newest come first
                marks: dict[str, str] = batch.metadata or {}
                if marks.get(MARK) == mark:
                    return Sighting(state, is_certain=True)
        return None

    async def load_state(self, batch_id: str) -> BatchState:
        with self._channel.converting():
            return _to_state(await self._client.batches.retrieve(batch_id))

    async def list_outcomes(self, state: BatchState) -> AsyncGenerator[tuple[str, Outcome]]:
        for file_id in (state.details.output_file_id, state.details.error_file_id):
            if not file_id:
                continue
            content = self._client.files.with_streaming_response.content(
                file_id, timeout=CALL_TIMEOUT_S
            )
            with self._channel.converting():
                async with content as response:
                    async for result in read_json_lines(response.iter_bytes()):
                        yield result["custom_id"], _to_outcome(result)

    def explain_missing(self, state: BatchState) -> Outcome:
        """Return the outcome for a request that has no answer.

        It is the batch's first error, or the batch's status.
        """
        batch = state.details
        kind: OutcomeKind = "errored"
        if batch.status in ("expired", "cancelled"):
            kind = "expired" if batch.status == "expired" else "canceled"
        errors = batch.errors.data if batch.errors else None
        if not errors:
            return {"kind": kind, "status": None, "request_id": None, "body": None}
        first = errors[0]
        where = f" (line {first.line})" if first.line else ""
        body = {"message": f"the batch was refused: {first.message}{where}", "code": first.code}
        status = 429 if first.code in _ROOM_CODES else 400
        return {"kind": kind, "status": status, "request_id": None, "body": {"error": body}}

    async def cancel(self, batch_id: str) -> None:
        with self._channel.converting():
            await self._client.batches.cancel(batch_id)

    def read(self, outcome: Outcome, request: ChatRequest | None = None) -> LLMResponse:
        return read_outcome(self._wire, self._target, outcome, request)


def _to_state(batch: Any) -> BatchState:
    counts = batch.request_counts
    expires_at: int | None = batch.expires_at
    return BatchState(
        batch_id=batch.id,
        is_ended=batch.status in _ENDED,
        answered=counts.completed + counts.failed if counts else 0,
        created_at=datetime.fromtimestamp(batch.created_at, UTC),
        expires_at=None if expires_at is None else datetime.fromtimestamp(expires_at, UTC),
        details=batch,
    )


def _to_outcome(line: Mapping[str, Any]) -> Outcome:
    """Convert a line of OpenAI's result file to an outcome.

    It is `{"response": {"status_code", "request_id", "body"}, "error": {"code", "message"}}`, one
    of both null.
    """
    response: dict[str, Any] = line.get("response") or {}
    error: dict[str, Any] = line.get("error") or {}
    if error:
        reason: OutcomeKind = _CODES.get(error.get("code") or "", "errored")
        return {"kind": reason, "status": None, "request_id": None, "body": {"error": error}}
    status: int | None = response.get("status_code")
    kind: OutcomeKind = "succeeded" if status == 200 else "errored"
    return {
        "kind": kind,
        "status": status,
        "request_id": response.get("request_id"),
        "body": response.get("body"),
    }
