"""`plainloop mcp`: the official client starts us itself and speaks over our stdin and stdout."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters

from packages.frontends.tests.mcp_server.test_server import get_data
from tests.cli.conftest import Command, plainloop

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
