"""A server that asks its caller's user in a call: a person answers, never the model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import mcp_types as types
import pytest
from mcp.server import Server
from playwright.async_api import expect

from packages.frontends.tests.mcp_server.test_server import open_client
from plainloop.agent.config.mcp import McpServer
from plainloop.agent.config.settings import Settings
from plainloop.agent.mcp.forms import read_form
from plainloop.agent.mcp.wire import ServerError
from tests.console.conftest import Look, look
from tests.machine.notes_pack import make_pack
from tests.machine.scripted import text, tools, triage
from tests.protocols.conftest import ServeNotes, get_model, serve
from tests.server.conftest import Served
from tests.tool_servers.conftest import accept_all, serve_app

__all__ = ["look", "serve"]

FIELDS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "seat": {"type": "string", "enum": ["window", "aisle"]},
        "bags": {"type": "integer", "minimum": 0},
    },
    "required": ["seat"],
}
BOOK = tools(("c1", "travel__book", {"to": "Oslo"}))
ASK_USER = tools(("c2", "travel__ask_user", {"form_id": "c1"}))


@dataclass
class Travel:
    url: str
    told: list[Any]  # each answer to its form


@pytest.fixture
async def travel() -> AsyncIterator[Travel]:
    """The official server, with a tool that wants a form."""
    told: list[Any] = []

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        book = types.Tool(name="book", input_schema={"type": "object", "properties": {"to": {}}})
        return types.ListToolsResult(tools=[book])

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> Any:
        if params.input_responses is None:
            asked = types.ElicitRequest(
                params=types.ElicitRequestFormParams(message="Which seat?", requested_schema=FIELDS)
            )
            return types.InputRequiredResult(input_requests={"seat": asked})
        told.append(
            (params.arguments, params.input_responses["seat"].model_dump(exclude_none=True))
        )
        return types.CallToolResult(content=[types.TextContent(text="booked")])

    server: Server[Any] = Server("travel", on_list_tools=list_tools, on_call_tool=call_tool)
    async with serve_app(server.streamable_http_app()) as url:
        yield Travel(url, told)


@pytest.fixture
def settings(settings: Settings, travel: Travel) -> Settings:
    return replace(settings, outbound_allow=(urlsplit(travel.url).netloc,))


async def begin(serve: ServeNotes, travel: Travel, *script: Any, forms: bool = True) -> Served:
    server = McpServer("travel", ("book",), url=travel.url, unasked=("book",), forms=forms)
    served = await serve(*script, pack=replace(make_pack(), mcp_servers=(server,)))
    await served.service.tool_servers.start()
    await accept_all(served.service)
    return served


async def ask(served: Served) -> tuple[Any, dict[str, Any]]:
    """The user's client, and what the run then waits for."""
    client = await served.client()
    thread = (await client.post("/api/chat/conversations", json={})).json()["id"]
    where = f"/api/chat/conversations/{thread}/messages?wait=close"
    headers = {"accept": "application/json"}
    said = (await client.post(where, json={"content": "book it"}, headers=headers)).json()
    listed = (await client.get(f"/api/runs/{said['run_id']}/approvals")).json()["approvals"]
    return client, listed[-1]


async def watch(served: Served, run_id: str) -> list[Any]:
    batches = served.replica.runs.watch_batches("acme", "ann", run_id, 0)
    return [event async for batch in batches for event in batch]


async def test_a_filled_in_form_is_sent_with_the_repeated_call(serve: ServeNotes, travel: Travel):
    served = await begin(serve, travel, triage("note_writer"), BOOK, ASK_USER, text("Booked."))
    client, approval = await ask(served)
    where = f"/api/runs/{approval['run_id']}/approvals/{approval['approval_id']}"
    wrong = [
        (await client.post(where, json={"approve": True, **more})).status_code
        for more in ({}, {"content": {"seat": "roof"}}, {"content": {"seat": "aisle", "x": 1}})
    ]
    content = {"seat": "aisle", "bags": 2}
    done = await client.post(where, json={"approve": True, "content": content})
    last = (await watch(served, approval["run_id"]))[-1]

    assert approval["question"] == "travel asks: Which seat?"
    assert approval["form"] == FIELDS
    assert (wrong, done.status_code) == ([400, 400, 400], 200)
    assert travel.told == [({"to": "Oslo"}, {"action": "accept", "content": content})]
    assert last["data"]["content"] == "Booked."
    shown = str([request.messages for request in get_model(served).requests])
    assert "aisle" not in shown  # not even the kinds of seat that there are


async def test_a_user_fills_in_a_tool_servers_form_when_approving(
    serve: ServeNotes, travel: Travel, look: Look, tmp_path: Path
):
    served = await begin(serve, travel, triage("note_writer"), BOOK, ASK_USER, text("Booked."))
    _, approval = await ask(served)
    viewer = await look(served)
    await viewer.sign_in()
    await viewer.go("#/approvals")
    page = viewer.page
    await page.select_option("[name=seat]", "window")
    await page.fill("[name=bags]", "3")
    await page.screenshot(path=tmp_path / "form.png")
    await page.click("button:text('Approve')")
    await expect(page.locator("article.question")).to_have_count(0)
    events = await watch(served, approval["run_id"])

    assert events[-1]["data"]["content"] == "Booked."
    assert [answer["content"] for _, answer in travel.told] == [{"seat": "window", "bags": 3}]
    assert (viewer.troubles, viewer.foreign) == ([], [])


async def test_an_mcp_client_of_our_server_can_fill_in_a_tool_servers_form(
    serve: ServeNotes, travel: Travel
):
    served = await begin(serve, travel, triage("note_writer"), BOOK, ASK_USER, text("Booked."))
    asked: list[Any] = []

    async def answer(context: Any, params: types.ElicitRequestFormParams) -> types.ElicitResult:
        asked.append(params.requested_schema)
        return types.ElicitResult(action="accept", content={"seat": "aisle"})

    async with open_client(served, "auto", elicitation_callback=answer) as client:
        done = await client.call_tool("ask_default", {"message": "book it"})

    assert asked == [FIELDS]
    assert [item["content"] for _, item in travel.told] == [{"seat": "aisle"}]
    assert "Booked." in str(done.content)


async def test_an_approval_without_the_form_sends_nothing(serve: ServeNotes, travel: Travel):
    served = await begin(serve, travel, triage("note_writer"), BOOK, ASK_USER, text("A pity."))
    _, approval = await ask(served)
    runs, run_id = served.replica.runs, approval["run_id"]
    await runs.decide_approval("acme", "ann", run_id, approval["approval_id"], True, "ann")
    events = await watch(served, run_id)

    assert travel.told == []
    [failed] = [event["data"] for event in events if event["event"] == "tool_error"]
    assert "the form's values do not match" in failed["error"]


async def test_servers_without_permission_see_no_form_capability(serve: ServeNotes, travel: Travel):
    script = (triage("note_writer"), BOOK, text("A pity."))
    served = await begin(serve, travel, *script, forms=False)
    client = await served.client()
    thread = (await client.post("/api/chat/conversations", json={})).json()["id"]
    where = f"/api/chat/conversations/{thread}/messages"
    said = await client.post(where, json={"content": "book it"})

    assert "tool_error" in said.text
    assert [item.name for item in get_model(served).requests[1].tools if "__" in item.name] == [
        "travel__book"
    ]


@pytest.mark.parametrize(
    "asked",
    [
        None,
        {},
        {"a": {"method": "sampling/createMessage", "params": {}}},
        {"a": {"method": "elicitation/create", "params": {"mode": "url", "url": "https://x"}}},
        {"a": {"method": "elicitation/create", "params": {"requestedSchema": {"type": "array"}}}},
        {
            "a": {
                "method": "elicitation/create",
                "params": {"requestedSchema": {"properties": {"a": {"type": "object"}}}},
            }
        },
        {"a": 1},
    ],
)
def test_a_tool_servers_requests_other_than_a_form_fail_the_call(asked: Any):
    with pytest.raises(ServerError):
        read_form({"resultType": "input_required", "inputRequests": asked})


SIZES = [{"const": "s", "title": "Small"}, {"const": "m", "title": "Medium"}]


def read_field(schema: Any) -> Any:
    asked = {"message": "?", "requestedSchema": {"type": "object", "properties": {"a": schema}}}
    requests = {"key": {"method": "elicitation/create", "params": asked}}
    return read_form({"inputRequests": requests}).fields["properties"]["a"]


def test_choices_with_titles_become_plain_choices():
    one = read_field({"type": "string", "title": "Size", "oneOf": SIZES})
    several = read_field({"type": "array", "items": {"anyOf": SIZES}, "maxItems": 2})

    choice = {"type": "string", "enum": ["s", "m"]}
    described = {"description": "s: Small; m: Medium"}
    assert one == {**choice, **described, "title": "Size"}
    assert several == {"type": "array", "items": choice, "maxItems": 2, **described}


def test_a_forms_field_keeps_its_title():
    assert read_field({"type": "boolean", "title": "Window seat"})["title"] == "Window seat"
