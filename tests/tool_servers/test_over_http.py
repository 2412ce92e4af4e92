"""Our client over HTTP, against the official server in both eras and against foul play."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import mcp_types as types
import pytest
from mcp.server import Server

from plainloop.agent.config.mcp import McpServer
from plainloop.agent.mcp.headers import build_param_headers, find_param_headers
from plainloop.agent.mcp.session import LEGACY, MODERN
from plainloop.agent.mcp.wire import ServerError
from tests.providers.local_server import Reply, run_local
from tests.tool_servers.conftest import Connect, get_definition, serve_app

REGION = {"type": "string", "x-mcp-header": "Region"}
TOOLS = [
    types.Tool(name="add", input_schema={"type": "object", "properties": {"a": {}, "b": {}}}),
    types.Tool(name="note", input_schema={"type": "object", "properties": {"region": REGION}}),
    types.Tool(name="wait", input_schema={"type": "object", "properties": {}}),
]


@dataclass
class Official:
    """The official server, and what it has seen."""

    url: str = ""
    headers: list[dict[str, str]] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    refuse: Callable[[dict[str, str]], int | None] = lambda _: None  # a status instead
    ended: asyncio.Event = field(default_factory=asyncio.Event)


async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=TOOLS)


@pytest.fixture
async def official() -> AsyncIterator[Official]:
    official = Official()

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        official.calls.append(params.name)
        given = params.arguments or {}
        if params.name == "wait":
            try:
                await asyncio.sleep(3600)
            finally:
                official.ended.set()
        told = str(given["a"] + given["b"]) if params.name == "add" else "noted"
        return types.CallToolResult(content=[types.TextContent(text=told)])

    server: Server[Any] = Server("official", on_list_tools=list_tools, on_call_tool=call_tool)
    app = server.streamable_http_app()

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            headers = {name.decode(): value.decode() for name, value in scope["headers"]}
            official.headers.append(headers)
            if status := official.refuse(headers):
                await send({"type": "http.response.start", "status": status, "headers": []})
                await send({"type": "http.response.body", "body": b""})
                return
        await app(scope, receive, send)

    async with serve_app(guarded) as official.url:
        yield official


def make_server(url: str, *tools: str, **more: Any) -> McpServer:
    quick = {"connect_timeout_s": 10.0, "idle_timeout_s": 10.0}
    return McpServer("web", tools or ("add",), url=url, **{**quick, **more})


def is_discovery(headers: dict[str, str]) -> int | None:
    return 400 if headers.get("mcp-method") == "server/discover" else None


@pytest.mark.parametrize("era", [MODERN, LEGACY[0]])
async def test_servers_of_both_protocol_eras_are_listed_and_called(
    era: str, official: Official, connect: Connect
):
    if era != MODERN:
        official.refuse = is_discovery
    web = await connect(make_server(official.url, "*"))

    assert web.listing.problems == ()
    assert [item.name for item in web.listing.definitions] == ["web__add", "web__note", "web__wait"]
    result = await web.call(get_definition(web, "add"), {"a": 2, "b": 3})
    assert result["content"] == [{"type": "text", "text": "5"}]
    assert official.headers[-1]["mcp-protocol-version"] == era
    assert official.headers[-1].get("mcp-name") == ("add" if era == MODERN else None)


async def test_an_abandoned_call_is_cancelled_at_the_server(official: Official, connect: Connect):
    web = await connect(make_server(official.url, "wait"))
    calling = asyncio.create_task(web.call(get_definition(web, "wait"), {}))
    while "wait" not in official.calls:
        await asyncio.sleep(0.01)

    calling.cancel()

    await asyncio.wait_for(official.ended.wait(), 10)


async def test_an_annotated_argument_is_sent_as_a_header(official: Official, connect: Connect):
    web = await connect(make_server(official.url, "note"))

    await web.call(get_definition(web, "note"), {"region": "früh"})

    assert official.headers[-1]["mcp-param-region"] == "=?base64?ZnLDvGg=?="


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"type": "object", "x-mcp-header": "A"}}},
        {"properties": {"a": {"type": "string", "x-mcp-header": "A B"}}},
        {"properties": {"a": {"type": "string", "x-mcp-header": 7}}},
        {"properties": {"a": {"items": {"type": "string", "x-mcp-header": "A"}}}},
        {
            "properties": {
                "a": {"type": "string", "x-mcp-header": "A"},
                "b": {"type": "string", "x-mcp-header": "a"},
            }
        },
    ],
)
def test_an_impossible_header_annotation_drops_its_tool(schema: dict[str, Any]):
    with pytest.raises(ServerError):
        find_param_headers(schema)


def test_tool_arguments_are_encoded_as_header_values():
    names = find_param_headers(
        {
            "properties": {
                "n": {"type": "integer", "x-mcp-header": "N"},
                "deep": {"properties": {"on": {"type": "boolean", "x-mcp-header": "On"}}},
            }
        }
    )

    assert build_param_headers(names, {"n": 3, "deep": {"on": True}}) == {
        "mcp-param-n": "3",
        "mcp-param-on": "true",
    }
    assert build_param_headers(names, {"deep": 7}) == {}


@pytest.mark.parametrize("effect", ["read", "external"])
async def test_a_lost_session_restarts_and_repeats_only_reads(
    effect: str, official: Official, connect: Connect
):
    official.refuse = is_discovery
    web = await connect(make_server(official.url, effects={"add": effect}))
    lost = {
        headers["mcp-session-id"] for headers in official.headers if "mcp-session-id" in headers
    }
    official.refuse = lambda headers: 404 if headers.get("mcp-session-id") in lost else None
    calling = web.call(get_definition(web, "add"), {"a": 2, "b": 3})

    if effect == "read":
        assert (await calling)["content"][0]["text"] == "5"
    else:
        with pytest.raises(ServerError, match="ended the session: call the tool again"):
            await calling
        assert official.calls == []
        again = await web.call(get_definition(web, "add"), {"a": 2, "b": 3})
        assert again["content"][0]["text"] == "5"
    assert official.calls == ["add"]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(b"", 302, {"location": "http://127.0.0.1:1/"}), "redirects are not followed"),
        (Reply(b"<html>", 200, {"content-type": "text/html"}), "answered with text/html"),
        (
            Reply(
                gzip.compress(b"{}"),
                200,
                {"content-type": "application/json", "content-encoding": "gzip"},
            ),
            "compressed its answer",
        ),
        (Reply(b" " * 5_000_000), "too large"),
        (
            Reply(b"data: [1]\n\n", 200, {"content-type": "text/event-stream"}),
            "is not a JSON-RPC message",
        ),
        (Reply(b"", 200, {"content-type": "text/event-stream"}), "ended without an answer"),
        (Reply(b"", 401), "HTTP 401: check the server's headers"),
        (Reply(b"[" * 100_000), "not JSON"),
    ],
)
async def test_an_invalid_answer_affects_only_that_server(
    reply: Reply, told: str, connect: Connect
):
    async with run_local(reply) as local:
        web = await connect(make_server(f"{local.url}/mcp"))

    assert web.listing.definitions == ()
    assert told in web.listing.problems[0]


async def test_a_secret_header_is_sent_but_never_shown(official: Official, connect: Connect):
    server = make_server(official.url, headers={"authorization": "Bearer ${WEB_TOKEN}"})

    web = await connect(server, _environ={"WEB_TOKEN": "s3cret"})

    assert web.listing.definitions
    assert official.headers[-1]["authorization"] == "Bearer s3cret"
    assert "s3cret" not in repr(web.server)


async def test_urls_of_packs_servers_are_guarded_like_pages(official: Official, connect: Connect):
    web = await connect(make_server(official.url, is_from_pack=True))

    assert "resolves to a private or reserved address" in web.listing.problems[0]
    assert official.headers == []


async def test_surrogates_and_nuls_are_removed_from_results(connect: Connect):
    found = {"tools": [{"name": "add", "description": "a\x00b\ud800", "inputSchema": {}}]}
    replies = [
        Reply(
            json.dumps(
                {"jsonrpc": "2.0", "id": 1, "result": {"supportedVersions": [MODERN]}}
            ).encode()
        ),
        Reply(json.dumps({"jsonrpc": "2.0", "id": 2, "result": found}).encode()),
    ]
    async with run_local(*replies) as local:
        web = await connect(make_server(f"{local.url}/mcp"))

    assert web.listing.definitions[0].description == "ab\ufffd"
