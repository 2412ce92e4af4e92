"""A session with one tool server, of either protocol era: 2026-07-28, or the handshakes before.

    modern   server/discover ─► each request stands alone and says who we are
    legacy   initialize ─► notifications/initialized ─► requests of that session

We offer little that a server could ask of us: no sampling, no roots, and forms for the user only
where the settings allow them, of servers of today (one of before would have to be kept waiting).
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.metadata import version
from typing import Any, Final, cast

from ..base.text.foreign_json import as_list, as_object
from .headers import METHOD_HEADER, NAME_HEADER, NAMED_BY, VERSION_HEADER, encode_header
from .wire import Message, ServerError, ServerRefused, Wire, take_result

MODERN: Final = "2026-07-28"
LEGACY: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
META: Final = "io.modelcontextprotocol/"
METHOD_NOT_FOUND: Final = -32601
UNSUPPORTED_VERSION: Final = -32022
PROBE_SHARE: Final = (
    0.4  # of the time to connect: some old servers never answer what they don't know
)
LAST_WORD_S: Final = 1.0
MAX_PAGES: Final = 20
MAX_TOOLS: Final = 1000  # of a list: more is no list for anybody
_CLIENT: Final = {"name": "plainloop", "version": version("plainloop")}


class TimedOut(ServerError):
    """The server did not answer in time; it may have executed the request."""


class Session:
    """An MCP session of either protocol era. Call `open` before use and `close` after."""

    def __init__(
        self, on_list_changed: Callable[[], None] = lambda: None, *, takes_forms: bool = False
    ) -> None:
        self.version = ""
        self._capabilities: Message = {"elicitation": {"form": {}}} if takes_forms else {}
        self._wire: Wire | None = None
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Timeout] = {}  # by request
        self._idle_s: dict[int, float] = {}
        self._on_list_changed = on_list_changed
        self._replies: set[asyncio.Task[None]] = set()

    @property
    def is_modern(self) -> bool:
        return self.version == MODERN

    async def open(self, wire: Wire, timeout_s: float) -> None:
        """Negotiate the protocol version with the MCP server. Raises: ServerError."""
        self._wire = wire
        try:
            async with asyncio.timeout(timeout_s):
                # Discovery is a request of today's era: its headers and `_meta` must say so.
                self.version = MODERN
                if await self._discover(timeout_s * PROBE_SHARE):
                    return
                self.version = ""
                try:
                    await self.initialize()
                except ServerRefused as error:
                    # Perhaps it is of today after all: it was slow to start, and the question has
                    # reached it by now.
                    self.version = MODERN
                    if error.code != UNSUPPORTED_VERSION or not await self._discover(timeout_s):
                        raise
        except TimeoutError as error:
            raise TimedOut(
                f"the server did not answer within {timeout_s:g} s: check that it runs"
            ) from error

    async def _discover(self, timeout_s: float, *, is_again: bool = False) -> bool:
        """Return whether the server speaks the current version.
        One that refuses it and then names it may be one of several behind one address: it is
        queried again, once.
        """
        try:
            discovered = await self.request("server/discover", {}, timeout_s, timeout_s)
        except TimedOut:
            return False
        except ServerRefused as error:
            if error.status in (401, 403):
                raise
            known = as_list(as_object(error.data).get("supported"))
            if is_again or error.code != UNSUPPORTED_VERSION or MODERN not in known:
                return False
            return await self._discover(timeout_s, is_again=True)
        return MODERN in as_list(discovered.get("supportedVersions"))

    async def initialize(self) -> None:
        """Perform the `initialize` handshake of older MCP servers. Raises: ServerError."""
        # The newest that we speak: the server answers with the one that it chooses, which may be
        # older.
        hello = {"protocolVersion": LEGACY[0], "capabilities": {}, "clientInfo": _CLIENT}
        welcome = await self.request("initialize", hello)
        offered: Any = welcome.get("protocolVersion")
        if offered not in LEGACY:
            raise ServerError(
                f"the server uses protocol version {str(offered)[:40]!r}, which is not supported: "
                "update the server"
            )
        self.version = str(offered)
        await self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    async def list_tools(self) -> list[Any]:
        """List all tools of the server, page by page, unchecked.

        Not by a library's types: they refuse the whole list for one wrong entry.

        Raises: ServerError, also for a list without an end.
        """
        tools: list[Any] = []
        cursor: Any = None
        for _ in range(MAX_PAGES):
            listed = await self.request("tools/list", {"cursor": cursor} if cursor else {})
            page: Any = listed.get("tools")
            if not isinstance(page, list):
                raise ServerError(
                    "the server's list of tools has the wrong form: report this to the server's "
                    "developer"
                )
            tools += cast("list[Any]", page)
            cursor = listed.get("nextCursor")
            if len(tools) > MAX_TOOLS:
                break
            if not isinstance(cursor, str) or not cursor:
                return tools
        raise ServerError(
            "the server's list of tools is too long: configure the server to offer fewer tools"
        )

    async def request(
        self,
        method: str,
        params: dict[str, Any],
        idle_s: float | None = None,
        timeout_s: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """Send a request and return its result.
        idle_s: without progress; timeout_s: in all.

        Raises: ServerError. However it ends without an answer, the server is told to stop.
        """
        assert self._wire is not None
        number = next(self._numbers)
        meta: dict[str, Any] = {"progressToken": number} if method == "tools/call" else {}
        if self.is_modern:  # each request says of itself what a handshake said before
            meta[f"{META}protocolVersion"] = MODERN
            meta[f"{META}clientCapabilities"] = self._capabilities
            meta[f"{META}clientInfo"] = _CLIENT
        body = {**params, "_meta": meta} if meta else params
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": body}
        try:
            async with asyncio.timeout(timeout_s), asyncio.timeout(idle_s) as idle:
                if idle_s is not None:
                    self._waiting[number], self._idle_s[number] = idle, idle_s
                sent = {**self._build_headers(method, params), **(headers or {})}
                return take_result(await self._wire.request(message, sent))
        except TimeoutError as error:
            # Without a notification, the server would go on working.
            self._cancel(number, method)
            raise TimedOut(
                "the server did not answer in time: check whether it did what was requested before "
                "you try again"
            ) from error
        except asyncio.CancelledError:
            self._cancel(number, method)
            raise
        finally:
            self._waiting.pop(number, None)
            self._idle_s.pop(number, None)

    def receive(self, message: Message) -> None:
        """Handle a notification or request that the server sent on its own."""
        method: Any = message["method"]
        if "id" in message:
            answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
            if method == "ping":
                answer["result"] = {}
            else:
                refusal = f"{str(method)[:80]} is not supported"
                answer["error"] = {"code": METHOD_NOT_FOUND, "message": refusal}
            self._reply(answer)
        elif method == "notifications/progress":
            token: Any = as_object(message.get("params")).get("progressToken")
            waiting = self._waiting.get(token) if isinstance(token, int) else None
            # A limit that has just expired refuses a new time until its call has ended, one pass of
            # the loop later. Raised here, that would end the task that reads for all other calls
            # (test_progress_in_the_moment_of_a_time_out_ends_only_that_call).
            if waiting is not None and not waiting.expired():
                now = asyncio.get_running_loop().time()
                waiting.reschedule(now + self._idle_s[token])
        elif method == "notifications/tools/list_changed":
            self._on_list_changed()

    async def close(self) -> None:
        for task in self._replies:
            task.cancel()
        if self._wire is not None:
            await self._wire.close()

    def _build_headers(self, method: str, params: Mapping[str, Any]) -> dict[str, str]:
        if not self.version:
            return {}
        headers = {VERSION_HEADER: self.version}
        if self.is_modern:
            headers[METHOD_HEADER] = method
            if named := NAMED_BY.get(method):
                headers[NAME_HEADER] = encode_header(str(params.get(named)))
        return headers

    def _cancel(self, number: int, method: str) -> None:
        """Tell the server to stop, unless the closed connection has told it already."""
        assert self._wire is not None
        if method == "tools/call" and not (self.is_modern and self._wire.is_closed_by_request):
            params = {"requestId": number, "reason": "the request was given up"}
            self._reply({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})

    def _reply(self, message: Message) -> None:
        async def send() -> None:
            with suppress(ServerError, TimeoutError):
                async with asyncio.timeout(LAST_WORD_S):
                    await self._send(message)

        task = asyncio.create_task(send())
        self._replies.add(task)
        task.add_done_callback(self._replies.discard)

    async def _send(self, message: Message) -> None:
        assert self._wire is not None
        await self._wire.send(message, self._build_headers(str(message.get("method", "")), {}))
