"""Providers' batch APIs: many requests handed in at once, answered within a day, at half price.

What one of them does is a `BatchApi`; it holds no state. Requests are made, and answers read, by
the converters of live calls.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Collection, Hashable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal, Protocol, TypedDict

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import ModelError, ModelOverloaded, ModelTimeout, RateLimited, StreamCut
from plainloop.agent.providers.http.exchange import Wire
from plainloop.agent.providers.http.failures import (
    build_model_error,
    check_stop,
    parse_failure,
    read_answer,
)
from plainloop.agent.providers.http.json_values import parse_json
from plainloop.agent.providers.http.sdk_channel import SdkChannel
from plainloop.agent.providers.provider_state import SentCall, Target
from plainloop.agent.types import ChatRequest, LLMResponse

CALL_TIMEOUT_S: Final = 600.0  # a batch's file takes a while on a slow line
ROOM_PAUSE_S: Final = 60.0  # after a request that the account's queue had no room for
CLOCK_SKEW_S: Final = 300.0  # that the provider's clock may differ from the database's

OutcomeKind = Literal["succeeded", "errored", "expired", "canceled"]


class Outcome(TypedDict):
    """The outcome of one request of a batch. body: the answer or error, as the provider sent it."""

    kind: OutcomeKind
    status: int | None  # of HTTP, where the provider tells it
    request_id: str | None
    body: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class BatchState:
    """The progress of a batch. answered: as far as the provider reports it before the end."""

    batch_id: str
    is_ended: bool
    answered: int
    created_at: datetime
    expires_at: datetime | None
    details: Any  # the SDK's own object


@dataclass(frozen=True, slots=True)
class Sighting:
    """A batch found at the provider; if not `is_certain`, it may be another one's."""

    state: BatchState
    is_certain: bool


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """Limits of one batch. bytes: below the provider's limit, whose way of counting is unknown."""

    requests: int
    bytes: int


def make_group(channel: SdkChannel, path: str) -> Hashable:
    """Return the key that requests share if one batch can contain them.

    It is made of endpoint, model and path.
    """
    return channel.endpoint, channel.target.provider, channel.target.model, path


class BatchApi(Protocol):
    """A model's access to its provider's batch API. All methods raise ModelError subclasses."""

    endpoint: str  # the path that the requests would have gone to one by one
    limits: BatchLimits
    group: Hashable  # requests of the same group may be in one batch

    def to_line(self, custom_id: str, request: ChatRequest) -> dict[str, Any]:
        """Convert a request to its entry in a batch."""
        ...

    async def create(self, mark: str, lines: Sequence[Mapping[str, Any]]) -> BatchState:
        """Create a batch of these entries at the provider and return its state.

        mark: what `find` finds it by; every custom_id begins with it.
        """
        ...

    async def find(
        self, mark: str, requests: int, since: datetime, foreign: Collection[str]
    ) -> Sighting | None:
        """Search the provider for our batch with this mark.

        Only batches created at or after `since` are considered. foreign: ids of other batches.
        """
        ...

    async def load_state(self, batch_id: str) -> BatchState: ...

    def list_outcomes(self, state: BatchState) -> AsyncGenerator[tuple[str, Outcome]]:
        """Yield the outcomes of an ended batch as (custom_id, outcome), in any order.

        Some may be missing.
        """
        ...

    def explain_missing(self, state: BatchState) -> Outcome:
        """Return the outcome for a request that an ended batch does not mention."""
        ...

    async def cancel(self, batch_id: str) -> None:
        """Cancel a batch at the provider.

        Requests that have not begun stay unanswered. An ended batch is unchanged.
        """
        ...

    def read(self, outcome: Outcome, request: ChatRequest | None = None) -> LLMResponse:
        """Convert an outcome to a model's response, or raise its error.

        request: the answered one; None: only the usage counts.

        Raises: ModelError for any other outcome.
        """
        ...


def read_outcome(
    wire: Wire, target: Target, outcome: Outcome, request: ChatRequest | None
) -> LLMResponse:
    """Convert a batch's outcome to a model's response, or raise its error.

    For any protocol.
    """
    body = outcome["body"] or {}
    if outcome["kind"] != "succeeded":
        raise build_outcome_error(outcome, target)
    original = request or ChatRequest("", [])
    sent, notes = ({}, []) if request is None else wire.to_body(request, target)
    exchange = SentCall(original, target, sent, notes, outcome["request_id"])
    answer = read_answer(lambda: wire.from_body(body, exchange), target)
    return check_stop(answer, target) if wire.may_give_up else answer


def build_outcome_error(outcome: Outcome, target: Target) -> ModelError:
    """Build the ModelError for a batch request that expired, was canceled or failed."""
    if outcome["kind"] == "expired":
        return ModelTimeout(f"{target.provider}: the batch expired before this request was started")
    if outcome["kind"] == "canceled":
        return ModelOverloaded(f"{target.provider}: the batch was canceled at the provider")
    failure = parse_failure(outcome["body"], outcome["status"], {}, fallback="no answer")
    error = build_model_error(failure, target)
    if isinstance(error, RateLimited):
        error.retry_after_s = ROOM_PAUSE_S
    return error


async def read_json_lines(chunks: AsyncIterator[bytes]) -> AsyncGenerator[dict[str, Any]]:
    """Yield the objects of a JSONL file as its bytes arrive.

    Only a line feed ends a line: text may hold other breaks. Raises: StreamCut where one is cut.
    """
    rest = b""
    try:
        async for chunk in chunks:
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if line.strip():
                    yield parse_json(line)
        if rest.strip():
            yield parse_json(rest)
    except ValueError as error:  # a proxy may end a file as if it were whole
        raise StreamCut(
            f"the file of the batch's results is incomplete: {error}",
            hint="It is read again; if it recurs, check the proxy before the provider.",
        ) from error
