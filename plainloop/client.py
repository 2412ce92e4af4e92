"""A client of the HTTP API, sync and async: streams that take themselves up where a line broke.

    with Client("http://127.0.0.1:8000", token) as client:
        conversation = client.create_conversation()
        for event in client.ask(conversation["id"], "How many jobs do I have?"):
            print(event.data.get("content", "") if event.name == "text_delta" else "", end="")

Every event comes once and in order, whatever happens to the connection; the last one is `done`, or
the run's own error is raised as `RunFailed`. A message is sent with a key of its own: sent again
after a lost answer, it is still one run.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypedDict

import httpx2
import orjson

__all__ = ["ApiError", "AsyncClient", "Client", "Conversation", "RunEvent", "RunFailed"]

CONVERSATIONS: Final = "/api/chat/conversations"
TERMINAL: Final = ("done", "error")
PAUSES_S: Final = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)  # between attempts without a new event
MAX_WAIT_S: Final = 60.0  # longest pause that a server may request
WhenBusy = Literal["reject", "enqueue", "interrupt"]
Rating = Literal["up", "down"]


class Conversation(TypedDict):
    """A conversation as `GET /api/chat/conversations` lists it."""

    id: str
    title: str
    pack: str
    kind: str
    message_count: int
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class RunEvent:
    """One event of a run's stream; docs/http.md lists names and data."""

    seq: int
    name: str
    data: dict[str, Any]


class ApiError(Exception):
    """The server refused a request: status, code, message and perhaps a hint."""

    def __init__(self, status: int, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(message if hint is None else f"{message}. {hint}")
        self.status = status
        self.code = code
        self.retry_after_s = 0.0  # as the server requests; 0: not stated


class RunFailed(Exception):
    """The run ended without an answer. Its text so far stays in the conversation."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(slots=True)
class _Watch:
    """State of one followed run: what to request next, and the last event seen. Does no I/O."""

    conversation_id: str
    message: dict[str, Any] | None = None  # still to be sent
    # One key for all attempts: sent again after a lost answer, the message joins its run.
    key: str = field(default_factory=lambda: uuid.uuid4().hex)
    run_id: str | None = None
    seq: int = 0
    failures: int = 0  # in a row
    has_ended: bool = False
    _rest: str = ""

    def make_request(self) -> tuple[str, str, dict[str, Any]]:
        """Return (method, path, arguments) of the next request, which sends or reconnects."""
        one = f"{CONVERSATIONS}/{self.conversation_id}"
        # Drop a broken connection's half event: the server sends it whole again, after `seq`.
        self._rest = ""
        if self.run_id is None and self.message is not None:
            headers = {"idempotency-key": self.key, "accept": "text/event-stream"}
            return "POST", f"{one}/messages", {"json": self.message, "headers": headers}
        params: dict[str, Any] = {}
        if self.run_id is not None:
            params = {"run_id": self.run_id, "after": self.seq}
        return "GET", f"{one}/stream", {"params": params}

    def open(self, headers: Mapping[str, str]) -> None:
        """Store the run's id from the response's headers, for reconnecting."""
        self.run_id = headers.get("x-run-id", self.run_id)

    def read(self, text: str) -> Iterator[RunEvent]:
        """Parse a piece of the stream, and yield the complete new events in it."""
        *blocks, self._rest = (self._rest + text).split("\n\n")
        for block in blocks:
            # Only what our server writes: one `data:` line, `: ` behind names, no carriage returns.
            # Comments have an empty name.
            fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
            # What was seen before the connection broke may come once more; it is not yielded again
            # (test_the_python_client_resumes_a_stream_cut_anywhere).
            if "event" not in fields or int(fields["id"]) <= self.seq:
                continue
            event = RunEvent(int(fields["id"]), fields["event"], orjson.loads(fields["data"]))
            # Progress counts, not time: a stream may break as often as it likes if each brings an
            # event.
            self.seq, self.failures = event.seq, 0
            self.has_ended = event.name in TERMINAL
            if event.name == "error":
                raise RunFailed(event.data["code"], event.data["message"])
            yield event

    def take_pause(self, error: Exception | None) -> float:
        """Return how many seconds to wait before the next attempt.

        Raises `error` after too many failures.
        """
        self.failures += 1
        wait_s = error.retry_after_s if isinstance(error, ApiError) else 0.0
        # A call must not block for an hour without a sign: the caller decides then.
        if self.failures > len(PAUSES_S) or wait_s > MAX_WAIT_S:
            raise error or ConnectionError("the stream keeps ending early: try again later")
        return max(PAUSES_S[self.failures - 1], wait_s)


def _check(answer: httpx2.Response) -> None:
    """Raise ApiError for a response that is no success: status 300 or more."""
    status = answer.status_code
    if status < 300:
        return
    told: dict[str, Any] = {"code": "UNREADABLE", "message": answer.text[:200] or f"HTTP {status}"}
    if status < 400:  # not followed: it would make a GET of a POST (RFC 9110, 15.4.2)
        told["message"] = f"the server redirects to {answer.headers.get('location', '?')}"
        told["hint"] = "Use the address that it redirects to as base_url."
    # A proxy's body may be JSON of another shape: `{"error": "unauthorized"}`.
    with suppress(KeyError, TypeError, ValueError):
        told |= dict(orjson.loads(answer.content)["error"])
    error = ApiError(status, str(told["code"]), str(told["message"]), told.get("hint"))
    # The header may also hold a date (RFC 9110, 10.2.3), which our server never sends.
    if (wait := answer.headers.get("retry-after", "")).isdecimal():
        error.retry_after_s = float(wait)
    raise error


def _is_passing(error: ApiError) -> bool:
    """Whether the request may succeed when repeated: busy, or no replica ready."""
    # Not 500: a bug would fail again, and may have done half of its work. 502 and 504 come from a
    # proxy between two replicas.
    return error.status in (429, 502, 503, 504)


def _make_arguments(base_url: str, token: str | None) -> dict[str, Any]:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    timeout = httpx2.Timeout(30.0, read=60.0)  # a silent stream has a comment every 15 s
    return {"base_url": base_url, "headers": headers, "timeout": timeout}


def _make_message(content: str, when_busy: WhenBusy) -> dict[str, Any]:
    return {"content": content, "when_busy": when_busy}


class Client:
    """A blocking client of the HTTP API, usable as a context manager."""

    def __init__(self, base_url: str, token: str | None = None, **more: Any) -> None:
        """Open a client for a service. more: arguments of `httpx2.Client`."""
        self._http = httpx2.Client(**{**_make_arguments(base_url, token), **more})

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def create_conversation(self, title: str = "") -> Conversation:
        """Create a conversation and return its id, title and other fields."""
        return self.request("POST", CONVERSATIONS, json={"title": title})

    def list_conversations(self, limit: int = 20) -> list[Conversation]:
        """List the user's conversations, the latest activity first."""
        return self.request("GET", CONVERSATIONS, params={"limit": limit})["conversations"]

    def ask(
        self, conversation_id: str, content: str, when_busy: WhenBusy = "reject"
    ) -> Iterator[RunEvent]:
        """Send a message and yield the events of its run, reconnecting as needed.

        when_busy: refuse, queue, or stop the active run. Raises: RunFailed, ApiError.
        """
        return self._follow(_Watch(conversation_id, _make_message(content, when_busy)))

    def ask_text(self, conversation_id: str, content: str) -> str:
        """Send a message and return the finished answer. Raises: RunFailed, ApiError."""
        *_, last = self.ask(conversation_id, content)
        return last.data["content"]

    def watch(
        self, conversation_id: str, run_id: str | None = None, after: int = 0
    ) -> Iterator[RunEvent]:
        """Yield a run's events numbered above `after`.

        run_id: None follows the conversation's active run.
        """
        return self._follow(_Watch(conversation_id, run_id=run_id, seq=after))

    def cancel(self, conversation_id: str) -> str | None:
        """Stop the conversation's active run. Return the run's id, or None if no run was active."""
        return self.request("POST", f"{CONVERSATIONS}/{conversation_id}/cancel")["run_id"]

    def decide(self, run_id: str, approval_id: str, approve: bool) -> dict[str, Any]:
        """Approve or deny one `approval_request`. A decision cannot be changed."""
        path = f"/api/runs/{run_id}/approvals/{approval_id}"
        return self.request("POST", path, json={"approve": approve})

    def decide_all(self, run_id: str, approves: Mapping[str, bool]) -> dict[str, Any]:
        """Decide several `approval_request`s by id, all of them or none."""
        decisions = [{"approval_id": item, "approve": yes} for item, yes in approves.items()]
        path, body = f"/api/runs/{run_id}/approvals", {"decisions": decisions}
        return self.request("POST", path, json=body)

    def rate(self, run_id: str, rating: Rating | None, note: str = "") -> None:
        """Rate a run's answer. None removes an earlier rating."""
        self.request("PUT", f"/api/runs/{run_id}/rating", json={"rating": rating, "note": note})

    def request(self, method: str, path: str, **more: Any) -> Any:
        """Request any route and return its JSON. Raises: ApiError."""
        answer = self._http.request(method, path, **more)
        _check(answer)
        return answer.json() if answer.content else None

    def _follow(self, watch: _Watch) -> Iterator[RunEvent]:
        """Yield a run's events to its end; reconnect after each break, with growing pauses."""
        while not watch.has_ended:
            failure: Exception | None = None
            method, path, more = watch.make_request()
            try:
                with self._http.stream(method, path, **more) as answer:
                    if answer.status_code >= 300:
                        answer.read()
                    _check(answer)
                    if answer.status_code == 204:
                        return
                    watch.open(answer.headers)
                    for text in answer.iter_text():
                        yield from watch.read(text)
            except httpx2.TransportError as error:
                failure = error
            except ApiError as error:
                if not _is_passing(error):
                    raise
                failure = error
            if not watch.has_ended:
                time.sleep(watch.take_pause(failure))


class AsyncClient:
    """A client of the HTTP API for asyncio; methods as in `Client`."""

    def __init__(self, base_url: str, token: str | None = None, **more: Any) -> None:
        """Open a client for a service. more: arguments of `httpx2.AsyncClient`."""
        self._http = httpx2.AsyncClient(**{**_make_arguments(base_url, token), **more})

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def create_conversation(self, title: str = "") -> Conversation:
        return await self.request("POST", CONVERSATIONS, json={"title": title})

    async def list_conversations(self, limit: int = 20) -> list[Conversation]:
        """List the user's conversations, the latest activity first."""
        found = await self.request("GET", CONVERSATIONS, params={"limit": limit})
        return found["conversations"]

    def ask(
        self, conversation_id: str, content: str, when_busy: WhenBusy = "reject"
    ) -> AsyncIterator[RunEvent]:
        """Send a message and yield the events of its run; see `Client.ask`."""
        return self._follow(_Watch(conversation_id, _make_message(content, when_busy)))

    async def ask_text(self, conversation_id: str, content: str) -> str:
        """Send a message and return the finished answer. Raises: RunFailed, ApiError."""
        return [event async for event in self.ask(conversation_id, content)][-1].data["content"]

    def watch(
        self, conversation_id: str, run_id: str | None = None, after: int = 0
    ) -> AsyncIterator[RunEvent]:
        """Yield a run's events numbered above `after`; see `Client.watch`."""
        return self._follow(_Watch(conversation_id, run_id=run_id, seq=after))

    async def cancel(self, conversation_id: str) -> str | None:
        """Stop the conversation's active run. Return the run's id, or None if no run was active."""
        return (await self.request("POST", f"{CONVERSATIONS}/{conversation_id}/cancel"))["run_id"]

    async def decide(self, run_id: str, approval_id: str, approve: bool) -> dict[str, Any]:
        """Approve or deny one `approval_request`. A decision cannot be changed."""
        path = f"/api/runs/{run_id}/approvals/{approval_id}"
        return await self.request("POST", path, json={"approve": approve})

    async def decide_all(self, run_id: str, approves: Mapping[str, bool]) -> dict[str, Any]:
        """Decide several `approval_request`s by id, all of them or none."""
        decisions = [{"approval_id": item, "approve": yes} for item, yes in approves.items()]
        path, body = f"/api/runs/{run_id}/approvals", {"decisions": decisions}
        return await self.request("POST", path, json=body)

    async def rate(self, run_id: str, rating: Rating | None, note: str = "") -> None:
        """Rate a run's answer. None removes an earlier rating."""
        body = {"rating": rating, "note": note}
        await self.request("PUT", f"/api/runs/{run_id}/rating", json=body)

    async def request(self, method: str, path: str, **more: Any) -> Any:
        """Request any route and return its JSON. Raises: ApiError."""
        answer = await self._http.request(method, path, **more)
        _check(answer)
        return answer.json() if answer.content else None

    async def _follow(self, watch: _Watch) -> AsyncIterator[RunEvent]:
        while not watch.has_ended:
            failure: Exception | None = None
            method, path, more = watch.make_request()
            try:
                async with self._http.stream(method, path, **more) as answer:
                    if answer.status_code >= 300:
                        await answer.aread()
                    _check(answer)
                    if answer.status_code == 204:
                        return
                    watch.open(answer.headers)
                    async for text in answer.aiter_text():
                        for event in watch.read(text):
                            yield event
            except httpx2.TransportError as error:
                failure = error
            except ApiError as error:
                if not _is_passing(error):
                    raise
                failure = error
            if not watch.has_ended:
                await asyncio.sleep(watch.take_pause(failure))
