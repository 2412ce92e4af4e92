"""All tool servers of this process, and the packs with what their servers offer at the moment.

A run sees one list from its beginning to its end: a pack is merged once per change, and whoever
holds the merged pack keeps its tools.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, Final

from ..base.messages.object_schema import make_object_schema
from ..config.mcp import McpServer, check_server
from ..config.settings import Settings
from ..core.spec import Pack
from ..core.taint import UNTRUSTED
from ..core.tools import Tool, ToolContext, ToolOutcome, make_unknown
from ..dataclasses import dataclass, replace
from ..errors import ConfigError, InputError, NotFoundError, ToolError
from ..provenance.marking import Reach
from ..store.database import Database
from .connection import FORM_WANTED, Connection
from .forms import (
    describe_form,
    get_call_id,
    keep_form,
    load_filled,
    load_form,
    make_ask_name,
    read_form,
    to_answers,
)
from .listing import Definition, Listing
from .results import make_failure, make_note, make_receipt, to_outcome
from .wire import ServerError, ServerRefused

SOURCE: Final = "mcp"
_FORM_ID: Final = make_object_schema(
    {"form_id": {"type": "string", "description": "as the tool's result gave it"}}
)


@dataclass(frozen=True, slots=True)
class ServerState:
    """A tool server's state for users. tools: the names that models use."""

    server: McpServer
    tools: tuple[Definition, ...]
    problems: tuple[str, ...]
    unaccepted: frozenset[str] = frozenset()  # tools, by the server's names for them


class ToolServers:
    """All configured tool servers. Call `start` before use and `close` after."""

    def __init__(self, settings: Settings, packs: Sequence[Pack], database: Database) -> None:
        """Collect the servers of settings and packs; connect to none.

        Raises: ConfigError for two servers of a name, or one for a worker that is not there.
        """
        self._packs = {pack.name: pack for pack in packs}
        self._served = packs[0].name if packs else ""
        servers = [*settings.mcp.values()]
        for pack in packs:
            for server in pack.mcp_servers:
                check_server(server)
                named = replace(server, is_from_pack=True, packs=server.packs or (pack.name,))
                servers.append(named)
        names = [server.name for server in servers]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ConfigError(
                f"several tool servers have the name {', '.join(twice)}",
                hint="Rename all but one; both [mcp] and the packs define servers.",
            )
        for server in servers:
            for name in self._list_packs(server):
                if (pack := self._packs.get(name)) is None:
                    raise ConfigError(
                        f"[mcp.{server.name}]: the pack {name!r} is not served",
                        hint=f"Served packs: {', '.join(self._packs)}.",
                    )
                known = [worker.name for worker in pack.workers]
                if unknown := [worker for worker in server.workers if worker not in known]:
                    raise ConfigError(
                        f"[mcp.{server.name}]: the pack {name!r} has no worker {unknown[0]!r}",
                        hint=f"Workers of the pack: {', '.join(known)}.",
                    )
        self.connections = [Connection(server, settings, database) for server in servers]
        # The merged pack is kept: with an equal one for each run, node tables and tool texts would
        # be built, and caches filled, for each.
        self._merged: dict[str, tuple[Pack, tuple[Listing, ...], Pack]] = {}

    async def start(self) -> None:
        """Read the tool lists of all servers; wait until each has answered or timed out.

        Servers that are late keep trying.
        """
        started = [task for item in self.connections if (task := item.refresh())]
        if started:
            # Bounded by each server's time to connect: one that is down delays the start, and does
            # not stop it (test_a_server_that_cannot_start_only_lacks_its_tools).
            await asyncio.wait(started)

    async def close(self) -> None:
        await asyncio.gather(*(item.close() for item in self.connections))

    def list_states(self) -> list[ServerState]:
        return [
            ServerState(
                *(item.server, item.listing.definitions, item.listing.problems),
                item.listing.unaccepted,
            )
            for item in self.connections
        ]

    def merge(self, pack: Pack) -> Pack:
        """Return the pack with the current tools of its servers.

        It is cached until a tool list changes.
        """
        mine = [item for item in self.connections if pack.name in self._list_packs(item.server)]
        if not mine:
            return pack
        for connection in mine:
            connection.refresh()
        listings = tuple(item.listing for item in mine)
        known = self._merged.get(pack.name)
        if known is not None and known[0] is pack:
            # By identity: comparing all definitions would cost time whenever a run begins.
            if all(one is other for one, other in zip(known[1], listings, strict=True)):
                return known[2]
        merged = merge_tools(pack, mine)
        self._merged[pack.name] = (pack, listings, merged)
        return merged

    def describe(self, pack: Pack) -> list[str]:
        """Describe the current tool lists of the pack's servers, one line each, for run records."""
        return [
            f"tools of the server {item.server.name}: {len(item.listing.definitions)}, "
            f"list {item.listing.digest}"
            for item in self.connections
            if pack.name in self._list_packs(item.server) and item.listing.definitions
        ]

    def _list_packs(self, server: McpServer) -> tuple[str, ...]:
        return server.packs or (self._served,)


def merge_tools(pack: Pack, connections: Iterable[Connection]) -> Pack:
    """Return the pack with these servers' tools, except tools whose name the pack has."""
    tools = {tool.name: tool for tool in pack.tools}
    workers = {worker.name: worker for worker in pack.workers}
    for connection in connections:
        new = [make_tool(connection, item) for item in connection.listing.definitions]
        if connection.server.forms and new:
            asks = make_ask_tool(connection)
            new = [*(tool for tool in new if tool.name != asks.name), asks]
        # A server must not take over a call that a pack's own tool is meant for
        # (tests/tool_servers/test_rules.py::test_a_packs_tool_keeps_its_name_before_a_servers).
        new = [tool for tool in new if tool.name not in tools]
        tools.update({tool.name: tool for tool in new})
        for name in connection.server.workers or (pack.default_worker,):
            if name in workers:
                worker = workers[name]
                tools_of = (*worker.tools, *(tool.name for tool in new))
                workers[name] = replace(worker, tools=tools_of)
    return replace(pack, tools=tuple(tools.values()), workers=tuple(workers.values()))


def make_tool(connection: Connection, definition: Definition) -> Tool:
    """Build a tool that calls this tool of a server. The settings decide its effect."""
    server = connection.server
    # Annotations (readOnlyHint) are claims of the server, so they are ignored
    # (test_tool_server_calls_need_approval_unless_an_effect_is_set).
    effect = server.effects.get(definition.tool, "external")
    needs_question = effect == "external" and definition.tool not in server.unasked

    async def call(tool: ToolContext, /, **arguments: Any) -> ToolOutcome:
        return await _call(connection, definition, tool, arguments)

    return Tool(
        name=definition.name,
        description=definition.description,
        effect=effect,
        function=call,
        needs_approval=needs_question or definition.tool in connection.listing.changed,
        parameters=definition.parameters,
        is_described_outside=definition.tool in connection.listing.unaccepted,
        source=SOURCE,
        timeout_s=server.connect_timeout_s + server.timeout_s,
    )


def make_ask_tool(connection: Connection) -> Tool:
    """Build the tool that has the user fill in a server's form and then repeats the call."""
    server = connection.server

    async def ask(tool: ToolContext, /, form_id: str) -> str:
        form, _ = await load_form(tool.db, tool.ctx.run.run_id, form_id)
        return f"{server.name} asks: {form.message}"

    async def call(tool: ToolContext, /, form_id: str) -> ToolOutcome:
        try:
            form, first = await load_form(tool.db, tool.ctx.run.run_id, form_id)
            filled = await load_filled(tool, get_call_id(tool), form.fields)
        except (NotFoundError, InputError) as error:
            raise ToolError(error.public_message) from error
        for definition in connection.listing.definitions:
            if definition.name == first.name:
                answers = to_answers(form, filled)
                return await _call(connection, definition, tool, first.arguments, answers)
        raise ToolError(
            f"the tool server {server.name} no longer has the tool {first.name}: use another tool"
        )

    return Tool(
        name=make_ask_name(server.name),
        description=f"Show the user a form that a tool of {server.name} asked for, and go on with "
        "that tool's call. The user fills it in, not you.",
        effect="external",
        function=call,
        needs_approval=True,
        reach=Reach(),
        ask=ask,
        parameters=_FORM_ID,
        source=SOURCE,
        timeout_s=server.connect_timeout_s + server.timeout_s,
    )


async def _call(
    connection: Connection,
    definition: Definition,
    tool: ToolContext,
    arguments: dict[str, Any],
    answers: dict[str, Any] | None = None,
) -> ToolOutcome:
    """Call a server's tool; a form that it asks for becomes the result.

    Raises: ToolError for what our own settings lack.
    """
    server = connection.server
    try:
        result = await connection.call(definition, arguments, answers)
        if result.get("resultType") != FORM_WANTED:
            return to_outcome(server.name, definition, result)
        form, call_id = read_form(result), get_call_id(tool)
        shown_form = {
            **describe_form(server.name, form, call_id),
            UNTRUSTED: make_note(server.name),
        }
        receipt = make_receipt(server.name, definition, result)
        return ToolOutcome(shown_form, receipt={**receipt, **keep_form(form)})
    except ServerError as error:
        receipt = make_receipt(server.name, definition, None)
        failed = make_failure(server.name, f"{server.name}: {error}")
        # It did nothing where nothing reached it, or where it said itself that it failed.
        is_idle = isinstance(error, ServerRefused) or not getattr(error, "was_sent", True)
        if is_idle or server.effects.get(definition.tool) == "read":
            return ToolOutcome(failed, is_error=True, receipt=receipt)
        unknown = make_unknown(f"{server.name}: {error}")
        return replace(unknown, result={**failed, **unknown.result}, receipt=receipt)
    except ConfigError as error:
        raise ToolError(f"{server.name}: {error.message}") from error
