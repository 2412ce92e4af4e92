"""`plainloop mcp`: the official client starts us itself and speaks over our stdin and stdout."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from typing import Any

import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters

from packages.frontends.tests.mcp_server.test_server import get_data
from plainloop.agent.store.threads import delete_thread
from plainloop.server.app import build_app_context
from plainloop.server.auth.identity import LOCAL
from plainloop_frontends.mcp.stdio import StdioServer
from tests.cli.conftest import Command, plainloop
from tests.machine.scripted import Hang, triage
from tests.protocols.conftest import get_model
from tests.server.conftest import Serve, until

__all__ = ["plainloop"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_stdio_client_can_call_tools_and_answer_elicitations(mode: Any, plainloop: Command):
    questions: list[str] = []

    async def answer(context: Any, params: Any) -> types.ElicitResult:
        questions.append(params.message)
        return types.ElicitResult(action="accept", content={})

    started = StdioServerParameters(
        command=sys.executable,
        args=["-m", "plainloop", "mcp"],
        env=plainloop.environ,
        cwd=plainloop.folder,
    )
    async with Client(started, mode=mode, elicitation_callback=answer) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        made, asked = await asyncio.gather(
            client.call_tool("create_job", {"title": "Cook", "company": "Cafe Uno"}),
            client.call_tool("ask_default", {"message": "how many jobs have I saved?"}),
        )
        listed = await client.call_tool("list_jobs", {})
        job_id = get_data(made)["job"]["job_id"]
        deleted = await client.call_tool("delete_job", {"job_id": job_id})

    assert names[:2] == ["ask_default", "get_run"]
    assert not made.is_error and not asked.is_error
    assert get_data(asked)["status"] == "succeeded"
    assert get_data(listed)["total"] == 1
    assert not deleted.is_error and len(questions) == 1


async def test_a_stdio_server_prints_only_messages_even_after_invalid_input(plainloop: Command):
    lines = [b"{", b"[]", b'{"jsonrpc":"2.0","id":"a","method":"ping"}', b""]

    done = await plainloop("mcp", stdin=b"\n".join(lines))

    told = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0, done.err
    assert [item.get("error", {}).get("code") for item in told] == [-32700, -32600, None]
    assert told[2] == {"jsonrpc": "2.0", "id": "a", "result": {}}


async def test_a_call_whose_run_is_erased_gets_an_error(serve: Serve):
    served = await serve(triage("general"), Hang("So far"))
    app = build_app_context(served.service, served.replica.runs)
    told: list[dict[str, Any]] = []
    answered = asyncio.Event()

    def hear(line: bytes) -> None:
        told.append(json.loads(line))
        answered.set()

    async def write_lines() -> AsyncIterator[bytes]:
        call = {"name": "ask_default", "arguments": {"message": "hello"}}
        request = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": call}
        yield json.dumps(request).encode()
        store, owner = served.service.store, (LOCAL.tenant_id, LOCAL.user_id)
        await until(lambda: get_model(served).requests[1:] != [])
        [thread] = await store.list_threads(*owner, limit=2)
        async with store.transaction(LOCAL.tenant_id) as tx:
            await delete_thread(tx, LOCAL.user_id, thread.thread_id)
        await answered.wait()

    async with asyncio.timeout(60):
        await StdioServer(app, hear).serve(write_lines())

    [answer] = told
    assert answer["id"] == 7 and "result" not in answer
    assert answer["error"]["data"]["code"] == "NOT_FOUND", answer
