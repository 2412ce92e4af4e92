"""Tool servers in the terminal: what they offer, what is wrong, what has changed."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.text.cleaning import format_count
from ...base.tokens.estimate import estimate_json_tokens, estimate_tokens
from ...config.settings import Settings, load_settings
from ...errors import NotFoundError
from ...mcp.agreed import accept_tools
from ...mcp.listing import Definition
from ...mcp.servers import ServerState, ToolServers
from ...packs.loading import load_served_packs
from ...store.store import Store
from ..terminal import output
from ..terminal.failures import to_line
from ..terminal.opening import open_store


async def load_states(settings: Settings, store: Store) -> list[ServerState]:
    """Connect to each configured server, once, and return its tools and problems."""
    servers = ToolServers(settings, load_served_packs(settings), store.database)
    try:
        await servers.start()
        return servers.list_states()
    finally:
        await servers.close()


async def print_servers() -> int:
    """Print the tool servers with their tools and problems; return 1 if one has a problem."""
    settings = load_settings()
    async with open_store(settings) as store:
        states = await load_states(settings, store)
    if not states:
        output.write_line("no tool server is configured: see docs/mcp.md")
    for state in states:
        output.write_lines(render_state(state))
    return 1 if any(state.problems for state in states) else 0


def render_state(state: ServerState) -> Iterator[str]:
    count = format_count(len(state.tools), "tool")
    tokens = sum(map(estimate_definition, state.tools))
    yield f"{state.server.name}  {to_line(state.server.where)} · {count}, {tokens:,} tokens"
    for item in state.tools:
        effect = state.server.effects.get(item.tool, "external")
        is_agreed = item.tool not in state.unaccepted
        told = "" if is_agreed else ", description not accepted"
        yield f"    {item.name}  {effect}, {estimate_definition(item):,} tokens{told}"
    yield from (f"    WARN  {to_line(problem)}" for problem in state.problems)


def estimate_definition(item: Definition) -> int:
    """Estimate the tokens that a tool's definition adds to each request of its worker."""
    return estimate_tokens(item.name + item.description) + estimate_json_tokens(item.parameters)


async def accept_server(name: str) -> None:
    """Accept the tools that a server lists now, and print how many were new or changed.

    Raises: NotFoundError when no server of this name is set.
    """
    settings = load_settings()
    async with open_store(settings) as store:
        states = await load_states(settings, store)
        if name not in (state.server.name for state in states):
            known = ", ".join(state.server.name for state in states) or "none"
            raise NotFoundError(
                f"no tool server {name!r} is configured", hint=f"Configured servers: {known}."
            )
        async with store.database.operate() as tx:
            count = await accept_tools(tx, name)
    told = format_count(count, "tool") if count else "every tool was already accepted"
    output.write_line(f"{name}: {told}{' accepted' if count else ''}")
