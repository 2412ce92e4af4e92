"""A real browser: EventSource that comes back by itself, WebSocket, CORS and Origin."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from playwright.async_api import BrowserContext, Page
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route

from plainloop_wire.serving import serve_wire
from tests.machine.scripted import text, triage
from tests.protocols.pages import browse
from tests.protocols.proxying import cutting_proxy
from tests.server.conftest import Serve, begin
from tests.server.events import Sse, fold
from tests.server.held import Held

NAMES = "run_start node_start node_end text_delta text_reset usage done".split()
# Until the server says 204: the browser comes back after every other end.
WATCH = """([url, names]) => new Promise((resolve) => {
    const source = new EventSource(url), got = [];
    let opened = 0;
    source.onopen = () => { opened += 1; document.title = "watching" };
    for (const name of names)
        source.addEventListener(name, (e) => got.push([Number(e.lastEventId), name, e.data]));
    source.onerror = () => {
        if (source.readyState === EventSource.CLOSED) resolve({ got, opened });
    };
})"""
TALK = """([url, protocols, frame]) => new Promise((resolve) => {
    const socket = new WebSocket(url, protocols), got = [];
    socket.onopen = () => socket.send(JSON.stringify(frame));
    socket.onmessage = (e) => {
        got.push(JSON.parse(e.data));
        if (["complete", "error", "pong"].includes(got.at(-1).type)) socket.close();
    };
    socket.onclose = (e) => resolve({ got, code: e.code, protocol: socket.protocol });
})"""
FETCH = """async ([url, options]) => {
    try {
        const answer = await fetch(url, options);
        return [answer.status, answer.headers.get("x-request-id") !== null];
    } catch (error) {
        return String(error);
    }
}"""


@pytest.fixture
async def tabs(chromium: str) -> AsyncIterator[BrowserContext]:
    async with browse(chromium) as opened:
        yield opened


async def open_tab(tabs: BrowserContext, url: str) -> Page:
    page = await tabs.new_page()
    await page.goto(url)
    return page


@pytest.fixture
async def origins() -> AsyncIterator[list[str]]:
    """Two web pages of two origins."""

    async def show(request: Any) -> HTMLResponse:
        return HTMLResponse("<!doctype html><title>an app</title>")

    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(serve_wire(Starlette(routes=[Route("/", show)])))
            for _ in range(2)
        ]


def to_events(got: list[Any]) -> list[Sse]:
    return [Sse(seq, name, json.loads(data)) for seq, name, data in got]


async def test_event_source_reconnects_without_losing_events(
    serve: Serve, origins: list[str], tabs: BrowserContext
):
    story = " ".join(f"word{n}" for n in range(80))
    served = await serve(
        triage("general"), text(story), auth=False, server={"origins": tuple(origins[:1])}
    )
    local = await served.client()
    conversation = await begin(local)
    path = f"/api/chat/conversations/{conversation}"
    answer = await local.post(f"{path}/messages", json={"content": "tell me a story about work"})
    run_id = answer.headers["x-run-id"]
    page = await open_tab(tabs, origins[0])
    async with cutting_proxy(served.url, 900, 2500, 700) as url:
        seen = await page.evaluate(WATCH, [f"{url}{path}/stream?run_id={run_id}", NAMES])
    events = to_events(seen["got"])

    assert seen["opened"] >= 4
    assert [item.seq for item in events] == [*range(1, len(events) + 1)]
    assert events[-1].data == {"content": story}
    assert fold(events) == story


async def test_event_source_follows_a_running_run_to_its_end(
    serve: Serve, origins: list[str], tabs: BrowserContext
):
    held = Held()
    served = await serve(*held.script, auth=False, server={"origins": tuple(origins[:1])})
    local = await served.client()
    conversation = await begin(local)
    path = f"/api/chat/conversations/{conversation}"
    posted = asyncio.create_task(
        local.post(f"{path}/messages", json={"content": "tell me a story about work"})
    )
    await held.asked.wait()
    page = await open_tab(tabs, origins[0])
    async with cutting_proxy(served.url, 1500) as url:
        watching = asyncio.create_task(page.evaluate(WATCH, [f"{url}{path}/stream", NAMES]))
        await page.wait_for_function("document.title === 'watching'")
        held.open.set()
        seen = await watching
    await posted

    events = to_events(seen["got"])
    assert [item.seq for item in events] == [*range(1, len(events) + 1)]
    assert events[-1].data == {"content": "at last, all of it"}


async def test_only_allowed_origins_can_open_sockets_and_send_requests(
    serve: Serve, origins: list[str], tabs: BrowserContext
):
    served = await serve(triage("general"), text("yes"), server={"origins": tuple(origins[:1])})
    ann = await served.client()
    conversation = await begin(ann)
    token = served.token()
    message = {"type": "message", "conversation_id": conversation, "content": "what is work?"}
    by_protocol = [f"{served.ws_url}/ws/chat", ["plainloop", f"bearer.{token}"], message]
    ticket = (await ann.post("/ws/ticket")).json()["ticket"]
    by_ticket = [f"{served.ws_url}/ws/chat?ticket={ticket}", [], {"type": "ping"}]
    headers = {"authorization": f"Bearer {token}", "idempotency-key": "k"}
    request = [f"{served.url}/api/config", {"headers": headers}]
    listed, foreign = [await open_tab(tabs, url) for url in origins]
    talked = await listed.evaluate(TALK, by_protocol)
    pinged = await listed.evaluate(TALK, by_ticket)
    refused = await foreign.evaluate(TALK, by_protocol)
    fetched = await listed.evaluate(FETCH, request)
    blocked = await foreign.evaluate(FETCH, request)

    assert [frame["type"] for frame in talked["got"]] == ["token", "complete"]
    assert talked["protocol"] == "plainloop"
    assert pinged["got"] == [{"type": "pong"}]
    assert (refused["got"], refused["code"]) == ([], 1006)
    assert fetched == [200, True]
    assert "Failed to fetch" in blocked


async def test_a_page_of_another_origin_cannot_use_a_local_service(
    serve: Serve, origins: list[str], tabs: BrowserContext
):
    """No token is needed there: what guards it is the Origin."""
    served = await serve(auth=False)
    local = await served.client()
    path = f"{served.url}/api/chat/conversations"
    simple = {"method": "POST", "mode": "no-cors", "body": "{}"}
    foreign, own = [await open_tab(tabs, url) for url in (origins[1], f"{served.url}/docs")]
    await foreign.evaluate(FETCH, [path, simple])
    await foreign.evaluate(FETCH, [path, {"method": "POST"}])
    sent = await foreign.evaluate(TALK, [f"{served.ws_url}/ws/chat", [], {"type": "ping"}])
    title = await own.title()
    made = (await local.get("/api/chat/conversations")).json()["conversations"]

    assert made == []
    assert sent["got"] == []
    assert title.startswith("plainloop")
