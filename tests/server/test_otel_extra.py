"""`plainloop[otel]` as docs/run.md says to use it, against a collector on loopback."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import TIMEOUT_S, Command, plainloop
from tests.project.test_dev import ask_service, find_free_port, wait_for

__all__ = ["plainloop"]
INSTRUMENT = shutil.which("opentelemetry-instrument", path=str(Path(sys.executable).parent))


@pytest.mark.skipif(INSTRUMENT is None, reason="the extra otel is not installed")
async def test_the_spans_of_a_run_reach_a_collector(plainloop: Command):
    received: list[bytes] = []
    has_span = asyncio.Event()

    async def collect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """OTLP over HTTP: a POST each, answered by an empty message."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.partition("content-length: ")[2].split()[0])
        received.append(head.encode() + await reader.readexactly(length))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()
        if b"run" in received[-1]:
            has_span.set()

    collector = await asyncio.start_server(collect, "127.0.0.1", 0)
    endpoint = f"http://127.0.0.1:{collector.sockets[0].getsockname()[1]}"
    port = find_free_port()
    process = await plainloop.start(
        *("serve", "--port", str(port)),
        program=(str(INSTRUMENT), *plainloop.program),
        OTEL_EXPORTER_OTLP_PROTOCOL="http/protobuf",
        OTEL_EXPORTER_OTLP_ENDPOINT=endpoint,
        OTEL_EXPORTER_OTLP_COMPRESSION="none",
        OTEL_METRICS_EXPORTER="none",
        OTEL_LOGS_EXPORTER="none",
        OTEL_BSP_SCHEDULE_DELAY="100",
    )
    try:
        await wait_for(process, "plainloop is ready")
        await asyncio.to_thread(ask_service, f"http://127.0.0.1:{port}", "list my jobs")
        async with asyncio.timeout(TIMEOUT_S):
            await has_span.wait()
    finally:
        process.terminate()
        await process.wait()
        collector.close()
    spans = b"".join(received)
    assert b"post /v1/traces" in spans
    assert b"node intent_classifier" in spans
