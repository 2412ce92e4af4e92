"""One long thread on Claude through all that changes what stands before its thinking."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import mcp_types as types
import pytest
from mcp.server import Server

from plainloop.agent.config.mcp import McpServer
from plainloop.agent.config.settings import RoleSettings, Settings
from plainloop.agent.core.models import Models
from plainloop.agent.core.seams import RunView
from plainloop.agent.core.spec import Pack
from plainloop.agent.packs.prompts import change_workers
from plainloop.agent.store import budgets
from plainloop_wire.faults import Fault, Faults
from plainloop_wire.script import parse_script
from plainloop_wire.serving import open_listener
from tests.machine.conftest import StartMachine
from tests.machine.notes_pack import make_pack
from tests.machine.running import Machine
from tests.machine.test_bound_thinking import (
    LOOKS,
    MODEL,
    NOTE,
    POEM,
    RETRY,
    SAY,
    STEPS,
    ask_all,
    limit_run,
    list_sent,
    settings_for,
    step,
)
from tests.tool_servers.conftest import accept_all, serve_app
from tests.wire_fixtures import StartWire, WireServer

APPENDED = "the {} changed: appended, what the thread began with stays"


@pytest.fixture
def port() -> int:
    """Where the tool server is, as often as it comes back."""
    with open_listener("127.0.0.1", 0) as listener:
        return listener.getsockname()[1]


@pytest.fixture
def settings(settings: Settings, port: int) -> Settings:
    return replace(settings, outbound_allow=(f"127.0.0.1:{port}",))


async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
    schema = {"type": "object", "properties": {}}
    return types.ListToolsResult(tools=[types.Tool(name="weather", input_schema=schema)])


async def call_tool(ctx: Any, params: Any) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text="sun")])


def make_tool_server() -> Any:
    server = Server("official", on_list_tools=list_tools, on_call_tool=call_tool)
    return server.streamable_http_app()


class Thread:
    """The thread, whoever serves it: a pack that changes, and the server of its tool."""

    def __init__(self, start: StartMachine, server: WireServer) -> None:
        self._start = start
        self.server = server
        self.profile = "Profile: Ann, a baker."
        self.thread_id = ""

    async def restart(self, url: str, **changes: Any) -> Machine:
        """Another process, which finds the tool server at this address."""
        own = RoleSettings(fallback=("anthropic:claude-opus-5-5",))
        settings = replace(settings_for(self.server), agents={"worker": own})
        quick: dict[str, Any] = {"connect_timeout_s": 5.0, "idle_timeout_s": 5.0}
        tools = McpServer("web", ("weather",), url=url, workers=("note_writer",), **quick)
        pack = replace(make_pack(), mcp_servers=(tools,), load_prompt_context=self._load)
        run = await self._start(
            models=Models(settings, "anthropic"), pack=pack, model_attempts=2, **changes
        )
        self.thread_id = run.thread_id = self.thread_id or run.thread_id
        await run.service.tool_servers.start()
        await accept_all(run.service)
        return run

    async def _load(self, ctx: RunView) -> str:
        return self.profile

    def list_kept(self, since: int) -> list[int]:
        """How much thinking each request to a worker brought, from this one on."""
        sent = list_sent(self.server)
        assert {status for status, _ in sent} <= {200, 529}
        return [kept for _, kept in sent[since:]]


async def test_a_claude_thread_with_tools_keeps_its_thinking(
    machine: StartMachine, wire_server: StartWire, monkeypatch: pytest.MonkeyPatch, port: int
):
    twice = step({"json": RETRY}, times=2, schema="verdict", user="roses")
    ends = step({"text": "Done.", "reasoning": "Enough."}, user="nearly used up")
    server = await wire_server(script=parse_script([twice, *STEPS, ends, LOOKS, SAY]))
    thread = Thread(machine, server)
    async with serve_app(make_tool_server(), port) as url:
        run = await thread.restart(url)
        await ask_all(run, f"{NOTE}, look first", f"{POEM} on roses", f"{NOTE}, look first")
        # Its own worker's two parts of thinking go back, in the turn all of it.
        assert thread.list_kept(0) == [0, 1, 0, 1, 2, 2, 3]

        thread.profile = "Profile: Ann, a carpenter since today."
        notes = await ask_all(run, NOTE, POEM, NOTE)
        assert notes.count(APPENDED.format("prompt")) == 2, "once for each worker"
        assert thread.list_kept(7) == [4, 3, 5]
        shown = json.dumps(get_worker_bodies(server)[-1]["messages"])
        assert shown.count("a carpenter since today") == 1
        assert "baker" in json.dumps(get_worker_bodies(server)[-1]["system"])

    run = await thread.restart(url)  # the tool server is gone
    notes = await ask_all(run, NOTE)
    assert APPENDED.format("tools") in notes
    async with serve_app(make_tool_server(), port) as url:
        run = await thread.restart(url)
        notes = await ask_all(run, NOTE)
        assert APPENDED.format("tools") in notes
        assert thread.list_kept(10) == [6, 7]

        run.service.packs = tuple(map(shorten_prompts, run.service.packs))
        notes = await ask_all(run, NOTE)
        assert APPENDED.format("prompt") in notes

        server.wire.faults.load(Faults(series=(Fault(status=529, skip=1),)))
        await ask_all(run, NOTE, NOTE)
        assert thread.list_kept(12) == [8, 9, 9], "what the fallback thought is not its own"

        monkeypatch.setattr(budgets, "NEAR_SHARE", 0.0)
        await limit_run(run, 30_000)
        await ask_all(run, NOTE, NOTE)
        assert "nearly used up" in json.dumps(get_worker_bodies(server)[-1]["messages"])
        await limit_run(run, 10_000_000)
        monkeypatch.undo()

        run = await thread.restart(url, window_tokens=600)
        since = len(list_sent(server))
        await ask_all(run, *[f"{NOTE}, look first: " + "many words " * 40] * 5)
        kept = thread.list_kept(since)
        assert 0 in kept and max(kept) >= 2, "each cut begins anew, between them all goes back"


def shorten_prompts(pack: Pack) -> Pack:
    return change_workers(pack, lambda worker: replace(worker, prompt=f"{worker.prompt} Be short."))


def get_worker_bodies(server: WireServer) -> list[dict[str, Any]]:
    return [entry["body"] for entry in server.requests if entry["body"]["model"] == MODEL]
