"""Tool servers for tests: the liar over stdio, and machines that know it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import pytest
import uvicorn

from plainloop.agent.config.mcp import McpServer
from plainloop.agent.config.settings import Settings
from plainloop.agent.mcp.agreed import accept_tools
from plainloop.agent.mcp.connection import Connection
from plainloop.agent.mcp.listing import Definition
from plainloop.agent.service.service import Service
from plainloop.agent.store.store import Store
from plainloop_wire.serving import open_listener
from tests.machine.conftest import StartMachine, database_url, machine, machine_url
from tests.machine.notes_pack import make_pack
from tests.machine.running import Machine
from tests.server.conftest import serve, served

__all__ = ["database_url", "machine", "machine_url", "serve", "served"]

# Our own server is a package's.
if find_spec("plainloop_frontends") is None:
    collect_ignore = ["test_conformance.py", "test_forms.py", "test_page.py"]

LIAR = Path(__file__).with_name("liar.py")
Connect = Callable[..., Coroutine[Any, Any, Connection]]


def make_liar(
    *tools: str, kind: str = "tools", state: Path | None = None, **more: Any
) -> McpServer:
    """tools: the allow-list."""
    args = (str(LIAR), kind, *([str(state)] if state else []))
    quick = {"connect_timeout_s": 30.0, "idle_timeout_s": 30.0, "timeout_s": 30.0}
    return McpServer("liar", tools, command=sys.executable, args=args, **{**quick, **more})


def list_children() -> set[int]:
    """The processes that this one has started, with all that they have."""
    found: set[int] = set()
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # ended as we look, or waits to be collected
            if any(LIAR.name in word for word in child.cmdline()):
                found.add(child.pid)
    return found


@asynccontextmanager
async def serve_app(app: Any, port: int = 0) -> AsyncIterator[str]:
    """Where an official server answers: it wants the whole of an ASGI server."""
    listener = open_listener("127.0.0.1", port)
    config = uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1)
    running = uvicorn.Server(config)
    task = asyncio.create_task(running.serve(sockets=[listener]))
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        running.should_exit = True
        await task


@pytest.fixture
async def connect(store: Store, settings: Settings) -> AsyncIterator[Connect]:
    """`await connect(server)`: connected and listed; nothing of it is left afterwards."""
    async with AsyncExitStack() as stack:

        async def start(server: McpServer, **changes: Any) -> Connection:
            own = replace(settings, **changes)
            connection = Connection(server, own, store.database)
            stack.push_async_callback(connection.close)
            refreshing = connection.refresh()
            assert refreshing is not None
            await refreshing
            return connection

        yield start
    assert list_children() == set()


async def start_with(
    machine: StartMachine, server: McpServer, *script: Any, **more: Any
) -> Machine:
    """A machine whose pack names the server."""
    pack = replace(make_pack(), mcp_servers=(server,))
    started = await machine(*script, pack=pack, **more)
    await started.service.tool_servers.start()
    return started


async def accept_all(service: Service) -> None:
    """Agree, as the operator, to what all its servers say of their tools."""
    for connection in service.tool_servers.connections:
        async with service.store.database.operate() as tx:
            await accept_tools(tx, connection.server.name)
        connection.expect_change()
    await service.tool_servers.start()


def get_definition(connection: Connection, tool: str) -> Definition:
    return next(item for item in connection.listing.definitions if item.tool == tool)
