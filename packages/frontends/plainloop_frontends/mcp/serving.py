"""`plainloop mcp`: our tools and runs for one client, over stdin and stdout."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator

from plainloop.agent.config.settings import load_settings
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.runs import RunHost
from plainloop.server.app import build_app_context
from plainloop.server.settings import ServerLimits

from .stdio import StdioServer


async def serve_stdio() -> None:
    """Serve MCP on stdin and stdout until the client closes its end.

    Only messages are written to stdout.
    """
    settings = load_settings()
    async with open_service(settings) as service:
        runs = RunHost(service)
        app = build_app_context(service, runs)
        await runs.start()
        try:
            await StdioServer(app, _write).serve(
                _read_lines(settings.get_table(ServerLimits).body_bytes)
            )
        finally:
            await runs.drain(settings.get_table(ServerLimits).drain_s)


async def _read_lines(max_bytes: int) -> AsyncIterator[bytes]:
    """Yield the lines of stdin; in place of one that is too long, one that is no JSON."""
    reader = asyncio.StreamReader(limit=max_bytes)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while True:
        try:
            line = await reader.readline()
        except ValueError:
            line = b"too long"
        if not line:
            return
        yield line


def _write(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
