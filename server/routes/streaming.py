"""A run as the answer of a request: its event stream, or its end as JSON."""

from __future__ import annotations

from typing import Final

from ...agent.core.api import ApiRequest
from ...agent.errors import AgentError, InputError, LimitReached, ServiceUnavailable
from ...agent.events import TERMINAL, Event
from ...agent.service.runs import RunTicket, ViewerDropped
from ...agent.store.api import load_answer_position
from ...agent.store.database import Queryable
from ..http.drafts import WholeTextWriter, find_drafts
from ..http.endpoint import AppContext
from ..http.sse import EVENT_STREAM, RUN_HEADER, EventStream, SseWriter, open_stream
from .shapes import Answer
from .showing import make_message_id, to_pending

CONVERSATION_HEADER: Final = "x-conversation-id"
DRAFTS_HEADER: Final = "x-plainloop-drafts"
MAX_KEY_CHARS: Final = 255
# As the column of events counts (integer).
MAX_SEQ: Final = 2**31 - 1
_MAX_DIGITS: Final = 20
# None (204): all of it was seen.
Shown = EventStream | Answer | None


class RunAnswers:
    """Answers requests with runs, as an event stream or as JSON, as they accept."""

    def __init__(self, app: AppContext) -> None:
        self._app = app
        self._runs = app.runs
        self._drafts = find_drafts(app.service.pack)

    async def respond(
        self,
        request: ApiRequest,
        ticket: RunTicket,
        after: int,
        wait: str = "open",
        drafts: bool | None = None,
    ) -> Shown:
        """Return a submitted run's event stream, or its finished answer if JSON is accepted.

        A cursor (`after`) counts for a client that joins a run: in a new one nothing was seen
        yet. drafts: as in `NewMessage`.
        """
        if wants_json(request):
            return await self._wait(request, ticket.run_id, ticket.thread_id)
        if ticket.is_new:
            return self._stream(request, ticket.run_id, ticket.thread_id, 0, wait, drafts)
        return await self.show(request, ticket.run_id, ticket.thread_id, after, wait, drafts)

    async def show(
        self,
        request: ApiRequest,
        run_id: str,
        thread_id: str,
        after: int,
        wait: str = "open",
        drafts: bool | None = None,
    ) -> EventStream | None:
        """Stream a run's events after the cursor.

        None (204) if the run has ended and no event is left. A stream without an end would be
        opened again and again.
        """
        run = await request.store.load_run(*request.owner, run_id)
        # 204 tells an EventSource to stop (HTML, 9.2); after any other end it comes again for ever.
        if run.ended_at is not None:
            if not await request.store.load_events(request.tenant_id, run.run_id, after):
                return None
        return self._stream(request, run.run_id, thread_id, after, wait, drafts)

    def _stream(
        self,
        request: ApiRequest,
        run_id: str,
        thread_id: str,
        after: int,
        wait: str,
        drafts: bool | None,
    ) -> EventStream:
        may_wait = wait == "close"
        watch = self._runs.watch_turn if may_wait else self._runs.watch_batches
        writer, begin = SseWriter(may_wait=may_wait), after
        if not shows_drafts(request, drafts):
            writer, begin = WholeTextWriter(self._drafts, after, may_wait=may_wait), 0
        return open_stream(
            self._app,
            request,
            watch(*request.owner, run_id, begin),
            headers={RUN_HEADER: run_id, CONVERSATION_HEADER: thread_id},
            writer=writer,
        )

    async def _wait(self, request: ApiRequest, run_id: str, thread_id: str) -> Answer:
        """Wait for the end of the run's turn and return its answer.

        Raises: the run's own error; ServiceUnavailable when this process is being stopped.
        """
        after = 0
        while True:
            last = await self._find_turn(request, run_id, after)
            if last is None:
                raise ServiceUnavailable(
                    f"this server is stopping, and another one continues the run {run_id}",
                    hint=f"GET /api/runs/{run_id} shows its status and answer.",
                )
            if last["event"] == "error":
                raise make_run_error(last)
            if last["event"] == "done":
                message_id = await load_answer_id(request.db, thread_id, run_id)
                content, output = str(last["data"]["content"]), last["data"].get("output")
                return Answer(run_id, thread_id, "succeeded", message_id, content, output=output)
            # If no approval is pending any more, a person has decided: the run continues, and so
            # does this wait.
            after = last["seq"]
            listed = await self._runs.list_approvals(*request.owner, run_id)
            pending = [to_pending(item) for item in listed if item.status == "pending"]
            if pending:
                return Answer(run_id, thread_id, "waiting", None, "", approvals=pending)

    async def _find_turn(self, request: ApiRequest, run_id: str, after: int) -> Event | None:
        """Return the next event that can be answered; None if the run was not seen to its end."""
        while True:
            try:
                async for event in self._runs.watch(*request.owner, run_id, after):
                    after = event["seq"]
                    if event["event"] in TERMINAL or event["event"] == "approval_request":
                        return event
            except ViewerDropped:  # only the end matters here: go on from where we were
                continue
            return None


async def load_answer_id(db: Queryable, thread_id: str, run_id: str) -> str | None:
    """Return the message id of the run's answer; None without one."""
    position = await load_answer_position(db, thread_id, run_id)
    return None if position is None else make_message_id(thread_id, position)


def make_run_error(event: Event) -> AgentError:
    """Convert the `error` event that ended a run to an error with its code and status."""
    code, message = str(event["data"]["code"]), str(event["data"]["message"])
    hint = (
        "The text so far is stored. Send a message to continue."
        if code == LimitReached.code
        else None
    )
    return AgentError(message, hint=hint, code=code)


def shows_drafts(request: ApiRequest, requested: bool | None) -> bool:
    """Return whether a stream shows drafts, answers that a review may still reject.

    requested: in body or query; None: the header decides, for pages that can change neither.

    Raises: InputError.
    """
    header = request.headers.get(DRAFTS_HEADER, "true").strip().lower()
    if header not in ("true", "false"):
        raise InputError(
            f"{DRAFTS_HEADER} must be true or false",
            hint=f"Send `{DRAFTS_HEADER}: true`, or leave the header out.",
        )
    return header == "true" if requested is None else requested


def wants_json(request: ApiRequest) -> bool:
    """Return whether the client accepts JSON and no event stream."""
    accepted = request.headers.get("accept", "").lower()
    # Not by quality values (RFC 9110, 12.5.1): a client that accepts streams at all gets one; `*/*`
    # of curl too.
    return "application/json" in accepted and EVENT_STREAM not in accepted


def read_idempotency_key(request: ApiRequest) -> str | None:
    """Return the Idempotency-Key header; None without it. Raises: InputError if it is invalid."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not key.strip() or len(key) > MAX_KEY_CHARS or not key.isprintable():
        raise InputError(
            f"Idempotency-Key must have 1 to {MAX_KEY_CHARS} printable characters",
            hint="Use a UUID, for example.",
            code="INVALID_IDEMPOTENCY_KEY",
        )
    return key.strip()


def read_cursor(request: ApiRequest, after: int | None = None) -> int:
    """Return the number of the last event that the client has seen, else 0.

    The query's `after` and the header `Last-Event-ID` state it. The newer of both counts: browsers
    reconnect to a page's old address with a new header.

    Raises: InputError.
    """
    # The newer one, or a page that was loaded with `?after=` would show events twice
    # (test_of_two_event_cursors_the_newer_one_is_used).
    return max(after or 0, read_last_event_id(request, MAX_SEQ) or 0)


def read_last_event_id(request: ApiRequest, max_id: int) -> int | None:
    """Return the `Last-Event-ID` header as a number; None without it.

    Raises: InputError if it is no number or above `max_id`.
    """
    text = request.headers.get("last-event-id", "").strip()
    if not text:
        return None
    # `isdigit` alone takes "²", and int() takes time quadratic in the digits.
    if not (text.isascii() and text.isdigit()) or len(text) > _MAX_DIGITS or int(text) > max_id:
        raise InputError(
            "Last-Event-ID must be the id of an event of this stream",
            hint="Send the last id that you received, or leave the header out.",
        )
    return int(text)


def has_cursor(request: ApiRequest, after: int | None) -> bool:
    return after is not None or "last-event-id" in request.headers
