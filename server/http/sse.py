"""A run's events as Server-Sent Events. The run is not ours: whoever watches may come and go.

    id: 7
    event: text_delta
    data: {"content":"Hello"}

A stream ends after `done` or `error`. One that breaks off without either wants to be opened again
with `Last-Event-ID`; the connection is cut then, since a polite end looks like success to many
clients. A comment in silence keeps proxies awake.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from typing import Any, Final, Protocol

import orjson
from starlette.types import Receive, Scope, Send

from ...agent.base.finishing import end_tasks
from ...agent.core.api import ApiRequest
from ...agent.errors import AgentError, TooManyRequests
from ...agent.events import TERMINAL, WAITING, Event
from ...agent.service.changes import Change
from ...agent.service.runs import ViewerDropped
from ...agent.service.settings import RunLimits
from ..auth.identity import get_identity
from .endpoint import AppContext, to_error_response, wait_until_gone
from .error_table import add_action
from .silence import get_silence

logger = logging.getLogger(__name__)

EVENT_STREAM: Final = "text/event-stream"
RUN_HEADER: Final = "x-run-id"
# In the scope: closes the socket at once, and closes it when all that was sent has left.
ABORT_KEY: Final = "plainloop.abort"
CUT_KEY: Final = "plainloop.cut"
# `retry` of HTML's event streams (9.2.6); without it Firefox waits five seconds, Chrome three.
_RETRY_MS: Final = 1000  # a browser's pause before it comes again
_HEADERS: Final = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # or nginx collects it
)


def to_sse(event: Event | Change) -> bytes:
    """Encode a run's event or a change as one SSE message: id, event name, JSON data.

    >>> to_sse({"seq": 7, "event": "text_delta", "data": {"content": "Hi"}})
    b'id: 7\\nevent: text_delta\\ndata: {"content":"Hi"}\\n\\n'
    """
    data: Any = event["data"]
    if event["event"] == "error":
        data = add_action(data, data["code"])
    # One `data:` line is enough: orjson escapes line breaks, which would end it.
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (
        event["seq"],
        event["event"].encode(),
        orjson.dumps(data),
    )


class StreamWriter(Protocol):
    """Protocol that writes events as the bytes of one stream."""

    def open(self) -> bytes:
        """Return the bytes that open the stream, before its first event."""
        ...

    def write(self, events: list[Any]) -> bytes: ...

    def close(self) -> bytes | None:
        """Return the stream's last bytes, or None to drop the connection.

        The client then reconnects.
        """
        ...


class SseWriter:
    """Writes events by name and number, in plainloop's own form.
    may_wait: a polite end where the run waits for its user; whoever decides opens another stream.
    """

    def __init__(self, *, may_wait: bool = False) -> None:
        self._ends = TERMINAL | WAITING if may_wait else TERMINAL
        self._last = ""

    def open(self) -> bytes:
        return b"retry: %d\n\n" % _RETRY_MS

    def write(self, events: list[Event]) -> bytes:
        self._last = events[-1]["event"]
        return b"".join(map(to_sse, events))

    def close(self) -> bytes | None:
        return b"" if self._last in self._ends else None


class EventStream:
    """The ASGI response that streams a run; a lost client ends only this response."""

    def __init__(
        self,
        batches: AsyncIterator[list[Any]],
        *,
        headers: Mapping[str, str],
        limits: RunLimits,
        share: AbstractContextManager[None],
        writer: StreamWriter | None = None,
    ) -> None:
        """Stream batches of events to a client. batches: of what the writer writes. share: entered
        while it is shown; what it raises is told instead. writer: None: ours.
        """
        self._batches = batches
        self._writer = writer or SseWriter()
        self._share = share
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]
        self._quiet = get_silence(limits.keep_alive_s)
        self._stuck = get_silence(limits.viewer_timeout_s)
        self._send: Send
        self._drop: Callable[[], None]
        self._comment = self._begin_comment  # one object, by which it is known
        self._commenting: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with self._share:
                await self._serve(scope, receive, send)
        # The share raises it, before the head is sent (test_streams_and_runs_per_user_are_limited).
        except TooManyRequests as error:
            await to_error_response(error)(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"status": 200, "headers": [*_HEADERS, *self._headers]}
        await send({"type": "http.response.start", **start})
        abort: Callable[[], Any] = scope.get(ABORT_KEY, lambda: None)
        # Not `task.cancel()` to end the view: a cancellation from outside could not be told from
        # ours.
        showing = asyncio.timeout(None)

        def end(_: object = None) -> None:
            with suppress(RuntimeError):  # it has ended
                showing.reschedule(0)

        def drop() -> None:
            logger.info("viewer_dropped")
            abort()
            end()

        self._send, self._drop = send, drop
        # A hang-up arrives by `receive` alone: uvicorn lets a send to a lost client succeed
        # (test_a_disconnected_client_ends_its_view_at_once).
        gone = asyncio.create_task(wait_until_gone(receive))
        gone.add_done_callback(end)
        try:
            async with showing:
                await self._show(scope.get(CUT_KEY))
        except TimeoutError:
            if not showing.expired():
                raise
        finally:
            self._quiet.leave(self._comment)
            self._stuck.leave(drop)
            await end_tasks(gone, *([self._commenting] if self._commenting else []))
        # Otherwise a task's error would be lost with the task.
        for task in (gone, self._commenting):
            if task and not task.cancelled() and (error := task.exception()):
                raise error

    async def _show(self, cut: Callable[[], Any] | None) -> None:
        writer = self._writer
        await self._tell(writer.open())
        try:
            async for batch in self._batches:
                await self._tell(writer.write(batch))
        except ViewerDropped:
            logger.info("viewer_dropped")
        # The status 200 has been sent. The stream is cut, and the client learns the reason when it
        # comes again (test_a_lost_database_cuts_streams_without_an_end_event).
        # The database is away, the run was erased, or the caller's key revoked.
        except AgentError as error:
            logger.warning("view_ended", extra={"code": error.code})
        last_words = writer.close()
        self._quiet.leave(self._comment)
        # A client that reads no more is dropped here too: uvicorn waits for a full buffer before it
        # writes, so the end waits for what came before it
        # (test_a_viewer_stuck_at_the_end_is_dropped).
        self._stuck.join(self._drop)
        if last_words is None and cut is not None:
            # Closed, not aborted, which would drop what the client has not read yet.
            cut()
            await asyncio.Event().wait()  # until the client is gone
        last = {"type": "http.response.body", "body": last_words or b"", "more_body": False}
        await self._send(last)

    async def _tell(self, body: bytes) -> None:
        self._quiet.leave(self._comment)
        self._stuck.join(self._drop)
        await self._send({"type": "http.response.body", "body": body, "more_body": True})
        self._stuck.leave(self._drop)
        self._quiet.join(self._comment)

    def _begin_comment(self) -> None:
        """Send a keep-alive comment, as nothing was sent for a while."""
        self._commenting = asyncio.create_task(self._tell(b": keep-alive\n\n"))


def open_stream(
    app: AppContext,
    request: ApiRequest,
    batches: AsyncGenerator[list[Any]],
    *,
    headers: Mapping[str, str] | None = None,
    writer: StreamWriter | None = None,
    ends_at_expiry: bool = False,
) -> EventStream:
    """Return the response that streams to a request's caller until their API key is revoked.

    ends_at_expiry: also until their token expires.
    """
    identity = get_identity(request)
    if not ends_at_expiry:
        # A request with a valid token is answered whole: many tokens live for a minute
        # (test_an_answer_is_sent_whole_though_its_token_expires).
        identity = replace(identity, expires_at=None)
    return EventStream(
        app.auth.show_while_held(identity, batches),
        headers=headers or {},
        limits=request.settings.get_table(RunLimits),
        share=app.streams.held(*request.owner),
        writer=writer,
    )
