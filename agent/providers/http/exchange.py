"""Sends one request and reads its answer, whole or streamed, for all raw protocols.

What a protocol has of its own is its `Wire`; how an endpoint is reached is its `Channel`.
"""

from __future__ import annotations

from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
)
from contextlib import aclosing
from functools import partial
from typing import Any, Protocol, TypeVar

from ...dataclasses import dataclass
from ...errors import ModelError
from ...types import ChatRequest, LLMResponse, StreamDelta, join_deltas
from ..provider_state import SentCall, Target
from .bodies import BLANK, is_event_stream, parse_body, read_start
from .clients import wait_loaded
from .endpoints import Endpoint
from .failures import (
    SHAPE_ERRORS,
    build_cut_error,
    build_shape_error,
    check_stop,
    read_answer,
    try_partial,
)
from .sse import JsonEvent, UnreadableEvent, read_json_events

Event = TypeVar("Event")


class Response(Protocol):
    """Protocol of an arriving answer: the part of httpx2's responses that we use."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Return the headers by lower-case name."""
        ...

    @property
    def content(self) -> bytes:
        """Return the whole body of a response that was requested without `stream`."""
        ...

    def aiter_bytes(self) -> AsyncIterator[bytes]: ...

    async def aclose(self) -> None: ...


class Channel(Protocol):
    """Protocol of sending requests to one endpoint: by an SDK's client or plain HTTP."""

    @property
    def target(self) -> Target: ...

    @property
    def endpoint(self) -> Endpoint: ...

    def send(
        self, path: str, body: Mapping[str, Any], timeout_s: float, *, stream: bool = False
    ) -> Awaitable[Response]:
        """POST a body and return the response. stream: leaves the response's body unread.

        Raises: one of `failures`, or a ModelError.
        """
        ...

    def failures(self) -> tuple[type[Exception], ...]:
        """Return the classes of exceptions that calls on this channel may raise."""
        ...

    def convert_error(self, error: Exception, partial: LLMResponse | None = None) -> ModelError:
        """Convert an exception of these classes to a ModelError.

        partial: the part of the answer that arrived.
        """
        ...

    def read_request_id(self, headers: Mapping[str, str]) -> str | None: ...


class Fold(Protocol):
    """Folds the events of a stream into the answer that a call without streaming returns."""

    @property
    def is_complete(self) -> bool:
        """Whether the protocol's terminal event has arrived."""
        ...

    def add(self, event: JsonEvent, /) -> StreamDelta | None:
        """Add one event to the answer; return its displayable part, or None.

        Raises: ModelError.
        """
        ...

    def finish(self) -> LLMResponse:
        """Build the answer from the events so far (`stop` is "error" if they are incomplete)."""
        ...


@dataclass(frozen=True, slots=True)
class Wire:
    """The parts in which one wire protocol differs: path, converters, terminal event."""

    path: str
    terminal: str  # names the event without which a stream was cut
    to_body: Callable[[ChatRequest, Target], tuple[dict[str, Any], list[str]]]
    from_body: Callable[[dict[str, Any], SentCall], LLMResponse]
    make_fold: Callable[[SentCall], Fold]
    # The events of a body, its first bytes and then the rest as it comes: a list for each chunk.
    read_events: Callable[[bytes, AsyncIterable[bytes]], AsyncIterator[list[JsonEvent]]] = (
        read_json_events
    )
    # What a body that asks for a stream has beside `"stream": true`.
    stream_fields: Callable[[Target], Mapping[str, Any]] = lambda _: {}
    # Whether a body that begins so is the stream that was asked for.
    is_stream: Callable[[bytes], bool] = is_event_stream
    may_give_up: bool = False  # a finish reason may say that the server broke off


async def fetch_answer(wire: Wire, request: ChatRequest, channel: Channel) -> LLMResponse:
    """Send the request and return its whole answer, without streaming. Raises: ModelError."""
    body, notes = wire.to_body(request, channel.target)
    try:
        await wait_loaded()
        response = await channel.send(wire.path, body, _choose_timeout(request, channel))
    except channel.failures() as error:
        raise channel.convert_error(error) from error
    request_id = channel.read_request_id(response.headers)
    sent = SentCall(request, channel.target, body, notes, request_id)
    return _read_whole(wire, response.content, response.headers, sent)


async def stream_answer(
    wire: Wire, request: ChatRequest, channel: Channel
) -> AsyncGenerator[StreamDelta | LLMResponse]:
    """Send the request and stream its answer: deltas, then the whole answer.

    Closing the stream closes the connection.

    Raises: ModelError subclasses; `partial` is set once an answer had begun.
    """
    target = channel.target
    body, notes = wire.to_body(request, target)
    body = {**body, **wire.stream_fields(target), "stream": True}
    fold: Fold | None = None
    try:
        await wait_loaded()
        sent = await channel.send(wire.path, body, _choose_timeout(request, channel), stream=True)
        async with aclosing(sent) as response:
            request_id = channel.read_request_id(response.headers)
            # The id comes with the header, so that a call that is cut or cancelled later can still
            # be named to the vendor.
            if request_id and request.on_request_id:
                request.on_request_id(request_id)
            exchange = SentCall(request, target, body, notes, request_id)
            fold = wire.make_fold(exchange)
            chunks = response.aiter_bytes()
            # The first bytes, not the content type: compatible servers answer a stream's request in
            # one piece.
            start = await read_start(chunks)
            if not wire.is_stream(start.lstrip(BLANK)):
                raw = b"".join([start, *[chunk async for chunk in chunks]])
                answer = _read_whole(wire, raw, response.headers, exchange)
                parts = answer.message["parts"]
                thought = "".join(part["text"] for part in parts if part["type"] == "reasoning")
                if answer.text or thought:
                    yield StreamDelta(answer.text, thought)
                yield answer
                return
            async for events in wire.read_events(start, chunks):
                for delta in fold_events(fold.add, events):
                    yield delta
    except channel.failures() as error:
        # Behind the terminal event only the usage can be lost: not worth buying the answer twice
        # (tests/providers/test_documented_ollama.py, a line behind the end).
        if fold is None or not fold.is_complete:
            received = try_partial(fold.finish) if fold else None
            raise channel.convert_error(error, received) from error
    except UnreadableEvent as error:
        # Behind the terminal event it is the usage or the marker of the end that was cut.
        if fold is not None and not fold.is_complete:
            reason, partial = "unreadable event", try_partial(fold.finish)
            raise build_cut_error(target, reason, partial) from error
    # Only once an answer has begun: before that, such an error is a bug of ours, and is raised.
    except SHAPE_ERRORS as error:
        if fold is None:
            raise
        raise build_shape_error(error, target, fold.finish) from error
    assert fold is not None  # nothing is unreadable before the first byte
    answer = read_answer(fold.finish, target)
    if not fold.is_complete:
        raise build_cut_error(target, f"no {wire.terminal}", answer)
    yield check_stop(answer, target) if wire.may_give_up else answer


def build_sent(wire: Wire, request: ChatRequest, channel: Channel) -> tuple[str, Any]:
    """Return the (address, body) of a request, by which equal requests are recognized.

    The fields for streaming are left out.
    """
    body, _ = wire.to_body(request, channel.target)
    return f"{channel.endpoint.base_url}{wire.path}", body


def fold_events(
    add: Callable[[Event], StreamDelta | None], events: Iterable[Event]
) -> Iterator[StreamDelta]:
    """Add the events of one network read to the answer; yield their joined deltas.

    Everything else stays as it came, in order.

    Raises: ModelError, behind what came before it.
    """
    waiting: list[StreamDelta] = []
    kinds: list[str] = []
    failure: Exception | None = None
    for event in events:
        try:
            delta = add(event)
        # Raised at the end: what the same read brought before it was written by the model, and is
        # billed (test_text_read_together_with_a_failure_is_shown_first).
        except (ModelError, *SHAPE_ERRORS) as error:
            failure = error
            break
        if delta is None:
            continue
        # Several kinds in one delta have an order that joining would lose
        # (tests/providers/test_joined_reads.py::test_joined_delta_pieces_keep_their_order).
        before, kinds = kinds, delta.kinds
        if waiting and (len(kinds) > 1 or before != kinds):
            yield join_deltas(waiting)
            waiting = []
        waiting.append(delta)
    if waiting:
        yield join_deltas(waiting)
    if failure is not None:
        raise failure


def _choose_timeout(request: ChatRequest, channel: Channel) -> float:
    return channel.endpoint.timeout_s or request.timeout_s


def _read_whole(wire: Wire, raw: bytes, headers: Mapping[str, str], sent: SentCall) -> LLMResponse:
    answer = parse_body(raw, sent.target, headers)
    whole = read_answer(partial(wire.from_body, answer, sent), sent.target)
    return check_stop(whole, sent.target) if wire.may_give_up else whole
