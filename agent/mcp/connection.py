"""One tool server of this process: connected when it is needed, listed between runs, let go when
it is idle, and left in peace for a while when it fails.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlsplit

from ..base.finishing import end_tasks
from ..config.mcp import McpServer
from ..config.settings import Settings
from ..errors import ConfigError, StoreError
from ..outbound.addresses import parse_allow_list
from ..store.database import Database
from .agreed import see_tools
from .headers import build_param_headers
from .listing import Definition, Listing, build_listing
from .session import Session, TimedOut
from .stdio import open_stdio
from .wire import ServerError, ServerGone, ServerRefused, SessionLost, Wire

logger = logging.getLogger(__name__)

TOOL_REPLACED: Final = 409
FORM_WANTED: Final = "input_required"
# Servers leak: 213 orphaned pairs (openai/codex #17832), 58.8 GB in six days
# (NousResearch/hermes-agent PR #60509).
IDLE_S: Final = 300.0  # without a call: then its process ends, until the next one
REFRESH_S: Final = 300.0  # after that its list is asked for again, between runs
FIRST_PAUSE_S: Final = 1.0  # after a failure to connect; doubled each time
# Each run reads the list; without a pause, each would wait for a connection to a server that is
# down.
LONGEST_PAUSE_S: Final = 120.0
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
# What programs need to start and to find their files; nothing of what we know.
_KEPT_VARIABLES: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")


class Connection:
    """Keeps one MCP server connected and its tool list current; calls its tools.
    listing: the server's latest tool list; until the first one, empty with a problem.
    """

    def __init__(
        self,
        server: McpServer,
        settings: Settings,
        database: Database,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.server = server
        self.listing = Listing()
        self._settings = settings
        self._database = database
        self._clock = clock
        self._session: Session | None = None
        self._lock = asyncio.Lock()  # of connecting and letting go
        self._calls = 0  # that are under way
        self._used_at = clock()
        self._listed_at = 0.0
        self._is_stale = True
        self._is_seen = False  # whether the server has listed its tools since it was begun
        # A restarted process may be another program. The tool definitions that earlier runs still
        # have are compared with these (test_a_restarted_servers_tools_are_checked_before_calls).
        self._replaced = set[str]()  # digests of what its tools were before it was begun anew
        self._pause_s = 0.0
        self._failed_at = 0.0
        self._failure = ""
        self._has_died = False  # in the last call
        self._is_closed = False
        self._closing: set[asyncio.Task[None]] = set()
        self._refreshing: asyncio.Task[None] | None = None
        self._idling: asyncio.Task[None] | None = None

    def refresh(self) -> asyncio.Task[None] | None:
        """Start to read the server's tool list again if it may have changed; return that task."""
        # One listing at a time: every run calls this when it begins.
        if self._refreshing is not None and not self._refreshing.done():
            return self._refreshing
        is_old = self._is_stale or self._clock() - self._listed_at > REFRESH_S
        if not is_old or self.is_pausing:
            return None
        self._refreshing = asyncio.create_task(self._list(), name=f"mcp {self.server.name} list")
        return self._refreshing

    async def call(
        self,
        definition: Definition,
        arguments: dict[str, Any],
        answers: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Call a tool of the server; return the raw result, which may be a form.
        answers: to a form.

        Raises: ServerError, ServerGone.
        """
        params = {"name": definition.tool, "arguments": arguments, **(answers or {})}
        self._calls += 1
        try:
            try:
                result = await self._call(definition, params)
            except ServerGone as error:
                # Resend only a call that never reached the server: one that was lost on its way may
                # have been executed (test_a_call_that_reached_a_server_is_not_sent_again).
                if error.was_sent or self.is_pausing:
                    raise
                result = await self._call(definition, params)  # a process that had ended
            self._pause_s, self._has_died = 0.0, False
            return result
        finally:
            self._calls -= 1
            self._used_at = self._clock()

    async def close(self) -> None:
        """Close the connection, end the server's process, and reconnect no more."""
        self._is_closed = True
        await end_tasks(*(task for task in (self._refreshing, self._idling) if task is not None))
        if self._session is not None:
            self._drop(self._session)
        await asyncio.gather(*self._closing, return_exceptions=True)

    async def _call(self, definition: Definition, params: dict[str, Any]) -> dict[str, Any]:
        session = await self._connect()
        try:
            await self._look_again(session, definition)
            return await self._send_call(session, definition, params)
        except SessionLost as error:
            # Source of this rule: sparfenyuk/mcp-proxy #149. Restart once, and repeat only reads:
            # the lost session may have executed a write
            # (test_a_lost_session_restarts_and_repeats_only_reads).
            await session.initialize()
            self._is_seen = False
            if self.server.effects.get(definition.tool) != "read":
                raise ServerRefused(
                    404, "the server has ended the session: call the tool again"
                ) from error
            await self._look_again(session, definition)
            return await self._send_call(session, definition, params)
        except TimedOut:
            # A process that is stuck in one call would answer no other
            # (test_a_broken_answer_fails_only_its_call).
            # Over HTTP each request has a connection of its own; and a process that serves others
            # is not ended for one call.
            if self.server.command is not None and self._calls == 1:
                self._drop(session)
            raise
        except ServerGone as error:
            if self._has_died:  # twice in a row: no third time at once
                self._note_failure(str(error))
            self._has_died = error.was_sent and self.server.command is not None
            self._drop(session)
            raise

    async def _look_again(self, session: Session, definition: Definition) -> None:
        """Check, before a tool is called, that a restarted server still lists it: it may be
        another program by now.

        Raises: ServerRefused for a tool that is another one since; ServerError.
        """
        if not self._is_seen:
            try:
                async with asyncio.timeout(self.server.connect_timeout_s):
                    tools = await session.list_tools()
            except SessionLost:
                raise
            except (ServerError, TimeoutError) as error:
                raise ServerGone(
                    f"the server does not list its tools: {error}. Run `plainloop mcp` to check it",
                    was_sent=False,
                ) from error
            await self._take_list(session, tools)
        if definition.digest in self._replaced:
            raise ServerRefused(
                TOOL_REPLACED,
                "the tool was not called: the server restarted and now describes the tool "
                "differently. Send another message to use the new description",
            )

    async def _send_call(
        self, session: Session, definition: Definition, params: dict[str, Any]
    ) -> dict[str, Any]:
        server, named = self.server, definition.param_headers
        # Only over HTTP: on stdio there are no headers, and the arguments are in the body anyway.
        headers = build_param_headers(named, params["arguments"]) if server.url else {}
        result = await session.request(
            "tools/call", params, server.idle_timeout_s, server.timeout_s, headers
        )
        kind: Any = result.get("resultType", "complete")
        if kind != "complete" and not (server.forms and kind == FORM_WANTED):
            raise ServerError(
                f"the server answered the call with {str(kind)[:40]}, which is not supported. "
                "Use another tool"
            )
        return result

    async def _list(self) -> None:
        """Load the server's list of tools; if that fails, keep the last and note the problem."""
        session: Session | None = None
        try:
            async with asyncio.timeout(self.server.connect_timeout_s):
                session = await self._connect()
                try:
                    tools = await session.list_tools()
                except SessionLost:
                    await session.initialize()
                    self._is_seen = False
                    tools = await session.list_tools()
        except (ServerError, ConfigError, TimeoutError) as error:
            # `_connect` has noted its own failures: noting one twice would double the pause.
            if session is not None or isinstance(error, TimeoutError):  # else it is noted
                self._note_failure(str(error) or "the server did not list its tools in time")
            if session is not None:
                self._drop(session)
            return
        await self._take_list(session, tools)

    async def _take_list(self, session: Session, tools: Sequence[Any]) -> None:
        """Offer these tools from now on, unless the server was restarted since it listed them."""
        listing = await self._find_changes(build_listing(self.server, tools))
        # The server was restarted during the database query: this list is of a process that has
        # ended.
        if session is not self._session:
            return
        known, now = ({item.digest for item in of.definitions} for of in (self.listing, listing))
        if not self._is_seen:
            self._replaced |= known
        self._replaced -= now
        self.listing, self._is_seen = listing, True
        self._listed_at, self._is_stale, self._pause_s = self._clock(), False, 0.0
        for problem in self.listing.problems:
            logger.warning("mcp_problem", extra={"server": self.server.name, "problem": problem})

    async def _find_changes(self, listing: Listing) -> Listing:
        """Mark tools that changed since they were accepted, so that each call needs approval."""
        digests = {item.tool: item.digest for item in listing.definitions}
        try:
            async with self._database.operate() as tx:
                unaccepted = await see_tools(tx, self.server.name, digests)
            foreign = unaccepted.keys() & digests.keys()
            changed = {tool for tool in foreign if unaccepted[tool]}
        except StoreError:
            changed = foreign = digests.keys()  # nobody knows: asking is safe
        listing = replace(listing, unaccepted=frozenset(foreign))
        if not changed:
            return listing
        problem = (
            f"{', '.join(sorted(changed))} changed since it was accepted, so "
            "every call needs approval. `plainloop mcp accept "
            f"{self.server.name}` accepts the new description"
        )
        return replace(listing, problems=(*listing.problems, problem), changed=frozenset(changed))

    async def _connect(self) -> Session:
        """Return the open session, or start one.

        Raises: ServerError, also while it is left in peace.
        """
        async with self._lock:
            if self._is_closed:  # a call whose process it took away tries again
                raise ServerGone(
                    "the connection to the tool server is closed: call the tool again",
                    was_sent=False,
                )
            if self._session is not None:
                return self._session
            if self.is_pausing:
                raise ServerGone(
                    f"the tool server is not available: {self._failure}. Run `plainloop mcp` to "
                    "check it",
                    was_sent=False,
                )
            session = Session(self.expect_change, takes_forms=self.server.forms)
            try:
                wire = await self._open_wire(session)
                await session.open(wire, self.server.connect_timeout_s)
            # A cancelled handshake must leave no process either.
            except BaseException as error:
                await session.close()
                if isinstance(error, (ServerError, ConfigError)):
                    self._note_failure(str(error))
                if isinstance(error, TimedOut):
                    raise ServerGone(str(error), was_sent=False) from error
                raise
            self._session, self._used_at, self._is_seen = session, self._clock(), False
            if self.server.command is not None:
                self._idling = asyncio.create_task(self._let_go_when_idle(session))
            return session

    async def _open_wire(self, session: Session) -> Wire:
        server, settings = self.server, self._settings
        if server.command is not None:
            # Pass only these variables and those that the settings name: our own environment has
            # the providers' keys (test_a_server_process_gets_only_the_listed_variables).
            kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
            environment = {name: self._get_variable(name) for name in server.env}
            command = (server.command, *server.args)
            return await open_stdio(server.name, command, {**kept, **environment}, session.receive)
        url = server.url or ""
        # The operator's own address may be a private one; a pack's needs to be opened by name.
        # A pack is third-party code, so its URL is guarded as a page's is
        # (tests/tool_servers/test_over_http.py::test_urls_of_packs_servers_are_guarded_like_pages).
        opened = () if server.is_from_pack else _list_opened(url)
        allow = parse_allow_list((*settings.outbound_allow, *opened))
        headers = {
            name: _VARIABLE.sub(lambda match: self._get_variable(match[1]), value)
            for name, value in server.headers.items()
        }
        from .http import HttpWire

        return HttpWire(url, headers, allow, session.receive)

    def _get_variable(self, name: str) -> str:
        value = self._settings.get_env(name)
        if value is None:
            raise ConfigError(
                f"the environment variable {name} is not set",
                hint=f"Set {name}, or remove it from the MCP server's settings.",
            )
        return value.reveal()

    def _drop(self, session: Session) -> None:
        """Close the session in the background, as a process may take its time."""
        if self._session is session:
            self._session = None
        closing = asyncio.create_task(session.close())
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    async def _let_go_when_idle(self, session: Session) -> None:
        while self._session is session:
            idle_s = self._clock() - self._used_at
            if idle_s >= IDLE_S and not self._calls:
                self._drop(session)
                return
            # Wake when the idle time may be over, not for each call; sleep at least a second, as
            # each call moves the end.
            await asyncio.sleep(max(1.0, IDLE_S - idle_s))

    def expect_change(self) -> None:
        """Mark the tool list as possibly changed, so that the next `refresh` reads it again."""
        self._is_stale = True

    @property
    def is_pausing(self) -> bool:
        return self._pause_s > 0 and self._clock() - self._failed_at < self._pause_s

    def _note_failure(self, reason: str) -> None:
        self._failed_at = self._clock()
        self._pause_s = min(LONGEST_PAUSE_S, max(FIRST_PAUSE_S, self._pause_s * 2))
        self._failure = reason
        if not self.listing.definitions:
            self.listing = Listing((), (reason,))
        logger.warning("mcp_unavailable", extra={"server": self.server.name, "reason": reason})


def _list_opened(url: str) -> tuple[str, ...]:
    """Return the host and port of a URL as an entry of an allow-list; () for an invalid URL.

    >>> _list_opened("http://[::1]:9000/mcp"), _list_opened("https://tools.example.com/mcp")
    (('[::1]:9000',), ('tools.example.com:443',))
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or {"http": 80}.get(parts.scheme, 443)
    except ValueError:
        return ()
    if not host:
        return ()
    return (f"[{host}]:{port}" if ":" in host else f"{host}:{port}",)
