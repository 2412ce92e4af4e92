"""`/mcp` of two replicas behind a round-robin proxy; one is killed in the middle of a call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from packages.frontends.tests.mcp_server.test_server import get_data, get_text
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.protocols.proxying import Proxy, proxying
from tests.server.test_serving import make_client, make_killable, start_server, stop_server

QUESTION = "what should I think about when I look for work?"


@asynccontextmanager
async def connect(proxy: Proxy, **headers: str) -> AsyncIterator[Client]:
    limits = httpx2.Limits(max_keepalive_connections=0)  # a connection for each request
    async with httpx2.AsyncClient(
        headers=headers, timeout=60, trust_env=False, limits=limits
    ) as http:
        wire = streamable_http_client(f"{proxy.url}/mcp", http_client=http)
        async with Client(wire, mode="auto") as client:
            yield client


async def ask(proxy: Proxy, heard: Any = None) -> Any:
    async with asyncio.timeout(120), connect(proxy, **{"idempotency-key": "k-1"}) as client:
        asked = {"message": QUESTION}
        return await client.call_tool("ask_default", asked, progress_callback=heard)


async def test_an_mcp_call_continues_when_its_replica_is_killed(
    plainloop: Command, wire_server: Any
) -> None:
    environ = await make_killable(wire_server)
    replicas = [await start_server(plainloop, **environ) for _ in range(2)]
    killed: list[int] = []

    async with proxying(*(url for _, url in replicas)) as proxy:
        async with connect(proxy) as client:
            for _ in range(4):
                assert (await client.list_tools()).tools[0].name == "ask_default"
        assert {*proxy.served} == {*proxy.ports}

        async def kill(progress: float, total: float | None, message: str | None) -> None:
            if not killed:
                killed.append(proxy.served[-1])
                replicas[proxy.ports.index(killed[0])][0].kill()

        first = None
        with suppress(Exception):  # its connection breaks; how that is told is the client's own
            first = await ask(proxy, kill)
        assert first is None
        again = await ask(proxy)
        left = next(n for n, port in enumerate(proxy.ports) if port not in killed)
        async with make_client(replicas[left][1]) as local:
            listed = (await local.get("/api/chat/conversations")).json()["conversations"]
            read = (await local.get(f"/api/chat/conversations/{listed[0]['id']}")).json()
        await stop_server(replicas[left][0])

    assert len(killed) == 1
    assert get_data(again)["status"] == "succeeded"
    assert [item["role"] for item in read["messages"]].count("user") == 1
    assert len(listed) == 1
    assert get_text(again) == read["messages"][-1]["content"]
