"""A run's events as one protocol's frames: what every encoder is, and the stream that carries it.

An encoder is a pure fold over the events of one run: no clock, nothing random, its ids are made
from the log's. So a second encoding is equal to the first byte by byte, and to go on in the
middle is to encode from the start and to leave out what the client has.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol
from urllib.parse import quote

import orjson

from ...agent.core.api import ApiRequest
from ...agent.errors import ServiceUnavailable
from ...agent.events import TERMINAL, WAITING, Event
from ...agent.service.runs import ViewerDropped
from ..http.endpoint import AppContext
from ..http.sse import RUN_HEADER, EventStream, open_stream

Frame = dict[str, Any]
USAGE: Final = (
    *("input_tokens", "output_tokens"),
    *("cache_read_tokens", "cache_write_tokens", "reasoning_tokens"),
)


IGNORED_HEADER: Final = "x-plainloop-ignored"
_MAX_IGNORED_CHARS: Final = 2_000  # clients read heads of 8 kB and more
_VISIBLE: Final = "".join(map(chr, range(0x21, 0x7F)))


def tell_ignored(names: Sequence[str]) -> dict[str, str]:
    """Build the header that lists the client's ignored preferences.

    {} without any.

    The client chose the names: what no header may hold is percent-encoded, and a long list is cut.

    >>> tell_ignored(["seed", "_a\\r\\nb"])
    {'x-plainloop-ignored': 'seed, _a%0D%0Ab'}
    """
    listed = ", ".join(quote(name, safe=_VISIBLE) for name in names)
    if len(listed) > _MAX_IGNORED_CHARS:
        listed = listed[:_MAX_IGNORED_CHARS].rpartition(", ")[0] + ", ..."
    return {IGNORED_HEADER: listed} if names else {}


class Encoder(Protocol):
    """Encodes the events of one run in one protocol."""

    trailer: bytes  # after the last frame of a stream that ends as it should: `data: [DONE]`

    def encode(self, event: Event) -> list[Frame]:
        """Convert the next event to frames.

        `done` and `error` also give the stream's last frames.
        """
        ...

    def wait(self) -> list[Frame]:
        """Return the last frames of a stream whose run is suspended until its user decides."""
        ...

    def reopen(self) -> list[Frame]:
        """Return the first frames of a new stream for a run whose earlier stream `wait` ended."""
        ...

    def leave(self) -> list[Frame] | None:
        """Return the frames that end the stream of a run that another replica continues.

        None: cut the connection.
        """
        ...

    def to_bytes(self, frame: Frame) -> bytes: ...


def to_data(frame: Frame) -> bytes:
    """Encode a frame as the bytes of an SSE message without an event name.

    Bare LF: AG-UI's reader knows no other end.

    >>> to_data({"type": "finish"})
    b'data: {"type":"finish"}\\n\\n'
    """
    return b"data: %b\n\n" % orjson.dumps(frame)


def encode_events(encoder: Encoder, events: Iterable[Event], after: int = 0) -> list[Frame]:
    """Encode all events, but return only the frames of events above number `after`."""
    frames: list[Frame] = []
    for event in events:
        made = encoder.encode(event)
        # All are encoded, also those that the client has: an encoder numbers frames by what came
        # before.
        if event["seq"] > after:
            frames += made
    return frames


_STEPS: Final = (
    (("intent_classifier", "agent_router"), "Understanding the question"),
    (("fast_",), "Looking it up"),
)
_PARTS: Final = {"tools": "Using tools", "evaluator": "Checking the answer"}


def word_step(node: str) -> str:
    """Return a phrase for a node's work that users understand, for progress messages.

    >>> [word_step(node) for node in ("agent_router", "poet", "poet.tools", "poet.sources")]
    ['Understanding the question', 'Working on the answer', 'Using tools', 'Checking the answer']
    """
    _, _, part = node.partition(".")
    if part:  # what stands after a worker judges its answer
        return _PARTS.get(part, _PARTS["evaluator"])
    known = (words for names, words in _STEPS if node.startswith(names))
    return next(known, "Working on the answer")


def add_usage(sums: dict[str, int], usage: Mapping[str, Any]) -> None:
    """Add the token counts of a `usage` event to `sums`.

    Counts of cached and reasoning tokens are subtotals.
    """
    for name in USAGE:
        sums[name] = sums.get(name, 0) + (usage.get(name) or 0)  # events of before have not all


def to_usage(sums: Mapping[str, int]) -> dict[str, int]:
    """Convert summed usage to the camelCase fields of AI SDK and AG-UI."""
    return {
        "inputTokens": sums["input_tokens"],
        "outputTokens": sums["output_tokens"],
        "totalTokens": sums["input_tokens"] + sums["output_tokens"],
        "cachedInputTokens": sums["cache_read_tokens"],
        "cacheWriteInputTokens": sums["cache_write_tokens"],
        "reasoningTokens": sums["reasoning_tokens"],
    }


def list_questions(told: Sequence[Event]) -> list[Event]:
    """List the approvals that a run requested since it last resumed.

    Without any, all that it requested. A client has shown the earlier ones together with their
    decisions.
    """
    asked = [event for event in told if event["event"] in WAITING]
    # A run that goes on emits `run_start` again: its earlier approvals are decided.
    begun = max((event["seq"] for event in told if event["event"] == "run_start"), default=0)
    return [event for event in asked if event["seq"] > begun] or asked


class EncodedWriter:
    """Writes an event stream by an encoder; it must receive all events from the first on."""

    def __init__(self, encoder: Encoder, after: int = 0, opening: Sequence[Frame] = ()) -> None:
        """Write the events of a run in a protocol's frames. after: what the client has seen in an
        earlier stream. opening: what comes before all.
        """
        self._encoder = encoder
        self._opening = opening
        self._after = after
        self._last = ""

    def open(self) -> bytes:
        return self._to_bytes([*self._opening, *(self._encoder.reopen() if self._after else [])])

    def write(self, events: list[Event]) -> bytes:
        self._last = events[-1]["event"]
        return self._to_bytes(encode_events(self._encoder, events, self._after))

    def close(self) -> bytes | None:
        if self._last in TERMINAL:
            return self._encoder.trailer
        if self._last in WAITING:
            return self._to_bytes(self._encoder.wait()) + self._encoder.trailer
        words = self._encoder.leave()
        return None if words is None else self._to_bytes(words)

    def _to_bytes(self, frames: Iterable[Frame]) -> bytes:
        return b"".join(map(self._encoder.to_bytes, frames))


def show_run(
    app: AppContext,
    request: ApiRequest,
    run_id: str,
    encoder: Encoder,
    *,
    after: int = 0,
    opening: Sequence[Frame] = (),
    headers: Mapping[str, str] | None = None,
    batches: AsyncGenerator[list[Event]] | None = None,
) -> EventStream:
    """Return the response that streams a run until it ends or waits for its user."""
    return open_stream(
        app,
        request,
        batches or app.runs.watch_turn(*request.owner, run_id),
        headers={RUN_HEADER: run_id, **(headers or {})},
        writer=EncodedWriter(encoder, after, opening),
    )


async def collect_run(
    app: AppContext, request: ApiRequest, run_id: str, encoder: Encoder, *, after: int = 0
) -> tuple[list[Frame], Event]:
    """Collect a run's frames until it ends or is suspended for its user.

    Returns (its frames, its last event). For a response without streaming.

    Raises: ServiceUnavailable when this process is being stopped.
    """
    frames: list[Frame] = []

    def encode(events: list[Event]) -> None:
        frames.extend(encode_events(encoder, events, after))

    hint = "Send the same request again in a moment."
    last = await follow_run(app, request, run_id, hint, encode)
    return [*frames, *(encoder.wait() if last["event"] in WAITING else [])], last


async def follow_run(
    app: AppContext,
    request: ApiRequest,
    run_id: str,
    hint: str,
    on_events: Callable[[list[Event]], None] = lambda _: None,
) -> Event:
    """Pass a run's events to `on_events` until it ends or is suspended.

    Returns the last event. Raises: ServiceUnavailable with the hint when this process is being
    stopped.
    """
    last: Event | None = None
    while last is None or last["event"] not in TERMINAL | WAITING:
        seen = last["seq"] if last else 0
        with suppress(ViewerDropped):  # only the end matters here: go on from where we were
            async for events in app.runs.watch_turn(*request.owner, run_id, seen):
                last = events[-1]
                on_events(events)
            break
    if last is None or last["event"] not in TERMINAL | WAITING:
        reason = f"this server is stopping, and another one continues the run {run_id}"
        raise ServiceUnavailable(reason, hint=hint)
    return last


class ShownText:
    """The answer as a client shows it that can append text and drop its last part.

    A run's `text_reset` voids all that was said, and often most of it is said again: only what
    differs is dropped (test_after_a_reset_repeated_text_is_not_sent_again).
    """

    def __init__(self) -> None:
        self._closed = ""  # the parts that stand
        self._open: list[str] = []  # the last part, in pieces
        self._again: list[str] | None = None  # pieces since a reset; None: all is shown
        self._before = ""  # the text at that reset
        self._repeated = 0  # characters of it that were repeated so far

    @property
    def text(self) -> str:
        return self._closed + "".join(self._open)

    def append(self, content: str) -> tuple[bool, str]:
        """Append text to the answer, which may be a repeated one.

        Returns (whether sent text must be withdrawn, the text to send now).
        """
        if self._again is None:
            self._open.append(content)
            return False, content
        self._again.append(content)
        # Only the new piece is compared: an answer has 100,000 of them
        # (test_a_repeated_text_is_compared_once).
        if self._before.startswith(content, self._repeated):
            self._repeated += len(content)
            return False, ""
        return self._compare()

    def reset(self) -> None:
        """Begin to repeat the answer.

        Equal text is not sent again, different text replaces it.
        """
        self._again, self._before, self._repeated = [], self.text, 0

    def settle(self) -> tuple[bool, str]:
        """End a repeated answer, and return the same pair as `append`."""
        return (False, "") if self._again is None else self._compare()

    def close_part(self) -> None:
        """End the current text part; text that follows begins another one."""
        self._closed, self._open = self.text, []

    def _compare(self) -> tuple[bool, str]:
        replayed, shown = "".join(self._again or ()), self._before
        if replayed.startswith(shown):
            new, is_dropped = replayed[len(shown) :], False
        else:
            # Text of closed parts is of recorded steps: a run that goes on says it again as it was.
            new, is_dropped = replayed[len(self._closed) :], bool(self._open)
            self._open = []
        self._again = None
        if new:
            self._open.append(new)
        return is_dropped, new
