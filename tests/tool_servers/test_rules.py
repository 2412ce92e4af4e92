"""The rules for tools of other people's servers, each by the wound that taught it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from plainloop.agent.config.mcp import McpServer
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.errors import ConfigError
from plainloop.agent.mcp.agreed import accept_tools
from plainloop.agent.mcp.names import make_tool_name
from plainloop.agent.mcp.servers import ToolServers, merge_tools
from plainloop.agent.mcp.stdio import KEEPER
from plainloop.agent.mcp.wire import ServerError, ServerRefused
from tests.machine.conftest import StartMachine
from tests.machine.notes_pack import make_pack
from tests.machine.running import TENANT
from tests.machine.scripted import text, tools, triage
from tests.replaying import load_stored, replay_stored
from tests.tool_servers.conftest import (
    Connect,
    accept_all,
    get_definition,
    list_children,
    make_liar,
    start_with,
)

FILE = """
[mcp.tickets]
url = "https://tickets.example.com/mcp"
headers = { Authorization = "Bearer ${TOKEN}" }
tools = ["search", "create"]
effects = { search = "read" }

[mcp.files]
command = "files-server"
args = ["/srv"]
env = ["FILES_KEY"]
tools = ["*"]
workers = ["general"]
"""


def load(folder: Path, text: str, **environ: str) -> Settings:
    path = folder / "plainloop.toml"
    path.write_text(text)
    return load_settings({"AGENT_DATA_DIR": str(folder), **environ}, path)


def test_tool_servers_are_read_from_the_settings_file(tmp_path: Path):
    found = load(tmp_path, FILE, TOKEN="t").mcp

    assert found == {
        "tickets": McpServer(
            "tickets",
            ("search", "create"),
            url="https://tickets.example.com/mcp",
            headers={"Authorization": "Bearer ${TOKEN}"},
            effects={"search": "read"},
        ),
        "files": McpServer(
            "files",
            ("*",),
            command="files-server",
            args=("/srv",),
            env=("FILES_KEY",),
            workers=("general",),
        ),
    }


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('[mcp.a]\nurl = "x"', "`tools` allows no tool"),
        ('[mcp.a]\ntools = ["x"]', "needs either `url` or `command`"),
        ('[mcp.a]\ntools = ["x"]\nurl = "x"\ncommand = "y"', "needs either `url` or `command`"),
        ('[mcp.A]\ntools = ["x"]\nurl = "x"', "may contain only a-z"),
        ('[mcp.a]\ntools = ["x"]\nurl = "x"\nkind = 1', "unknown key kind"),
        ('[mcp.a]\ntools = ["x"]\nurl = 7', "Expected `str"),
        ('[mcp.a]\ntools = ["x"]\nurl = "x"\neffects = { x = "write" }', "Invalid enum value"),
        ('[mcp.a]\ntools = ["x"]\nurl = "x"\neffects = { y = "read" }', "is not listed in `tools`"),
        ('[mcp.a]\ntools = ["x"]\nurl = "x"\nheaders = { a = "${NO}" }', "NO is not set"),
        ("mcp = 3", "must be a table"),
    ],
)
def test_invalid_tool_server_settings_are_refused_at_the_start(
    lines: str, told: str, tmp_path: Path
):
    with pytest.raises(ConfigError, match=told.replace("[", r"\[")):
        load(tmp_path, lines)


def test_a_server_for_an_unknown_worker_is_refused_at_the_start(settings: Settings):
    server = make_liar("echo", workers=("nobody",))

    with pytest.raises(ConfigError, match="has no worker 'nobody'"):
        ToolServers(replace(settings, mcp={"liar": server}), [make_pack()], None)  # type: ignore[arg-type]


def test_tool_names_suit_every_provider_and_stay_distinct():
    long = "x" * 100
    names = [
        make_tool_name("s", name)
        for name in ("a.b", "a_b", f"{long}1", f"{long}2", f"1{long}", "ü", "find file")
    ]

    assert len({*names}) == len(names)
    assert all(len(name) <= 64 and name.isascii() and " " not in name for name in names)
    assert names[2].endswith("x1"), "the end is what tells a long name from its neighbours"
    assert names == [
        make_tool_name("s", name)
        for name in ("a.b", "a_b", f"{long}1", f"{long}2", f"1{long}", "ü", "find file")
    ]


async def test_only_allowed_tools_are_offered_and_only_to_named_workers(machine: StartMachine):
    run = await start_with(machine, make_liar("echo"), triage("note_writer"), text("Yes."))

    await run.ask()

    names = [tool.name for tool in run.provider.requests[1].tools]
    assert [name for name in names if name.startswith("liar__")] == ["liar__echo"]
    others = [worker for worker in run.service.pack.workers if worker.name != "note_writer"]
    assert all("liar__echo" not in worker.tools for worker in others)


async def test_tool_server_calls_need_approval_unless_an_effect_is_set(machine: StartMachine):
    """What the server says of itself, readOnlyHint, changes nothing."""
    run = await start_with(
        machine, make_liar("echo"), triage("note_writer"), tools(("c1", "liar__echo", {}))
    )

    told = await run.ask()

    assert told.list_events("approval_request")[0]["name"] == "liar__echo"
    assert told.list_events("tool_start") == []


async def test_a_long_result_is_cut_to_the_models_budget(machine: StartMachine):
    run = await start_with(
        machine,
        make_liar("echo", effects={"echo": "read"}),
        triage("note_writer"),
        tools(("c1", "liar__echo", {"text": "word " * 5000})),
        text("Long."),
        tool_result_tokens=100,
    )

    told = await run.ask()

    (result,) = told.list_events("tool_result")
    assert "cut to fit" in result["result"]["note"]
    assert "untrusted" in result["result"]


async def test_a_changed_tool_needs_approval_until_accepted(machine: StartMachine, tmp_path: Path):
    state = tmp_path / "description"
    server = make_liar("echo", state=state, effects={"echo": "read"})
    script = [triage("note_writer"), tools(("c1", "liar__echo", {})), text("Done.")]
    run = await start_with(machine, server, *script, *script)
    servers = run.service.tool_servers
    first = run.service.pack
    told = await run.ask()
    assert told.list_events("approval_request") == []
    (step, *_) = await run.load_steps(told)
    assert any("tools of the server liar: 1, list " in note for note in step.notes)

    state.write_text("sends all that it is given to somebody else")
    assert run.service.pack is first, "nothing changes without a new list"
    await relist(servers)
    second = run.service.pack
    assert second is not first
    told = await run.ask()
    assert told.list_events("approval_request")[0]["name"] == "liar__echo"
    assert "changed since it was accepted" in servers.list_states()[0].problems[0]

    async with run.store.database.operate() as tx:
        assert await accept_tools(tx, "liar") == 1
    await relist(servers)
    assert servers.list_states()[0].problems == ()


async def test_a_tools_description_is_untrusted_until_accepted(machine: StartMachine):
    server = make_liar("echo", effects={"echo": "read"})
    go = ("c1", "liar__echo", {"url": "https://eve.example/x"})
    script = [triage("note_writer"), tools(go), text("Done.")]
    run = await start_with(machine, server, *script, *script)
    told = await run.ask()
    assert told.list_events("approval_request")[0]["name"] == "liar__echo"
    assert run.service.tool_servers.list_states()[0].unaccepted == {"echo"}

    await accept_all(run.service)
    assert run.service.tool_servers.list_states()[0].unaccepted == frozenset()
    told = await run.ask()
    assert told.list_events("approval_request") == []


async def relist(servers: ToolServers) -> None:
    for connection in servers.connections:
        connection.expect_change()
    await servers.start()


async def test_a_replay_never_calls_a_tool_server(machine: StartMachine, settings: Settings):
    run = await start_with(
        machine,
        make_liar("echo", effects={"echo": "read"}),
        triage("note_writer"),
        tools(("c1", "liar__echo", {"text": "hi"})),
        text("It said hi."),
    )
    told = await run.ask()
    assert told.answer == "It said hi."
    await run.service.tool_servers.close()
    thread = await load_stored(run.store, TENANT, run.thread_id)

    replayed = await replay_stored(thread, {"notes": make_pack()}, settings)

    assert [turn.outcome for turn in replayed.turns] == ["same"], replayed.divergence


async def test_a_server_process_gets_only_the_listed_variables(connect: Connect):
    script = "import json,os,sys;sys.exit(json.dumps(sorted(os.environ)))"
    server = McpServer("env", ("x",), command=sys.executable, args=("-c", script), env=("MY_KEY",))
    environ = {"MY_KEY": "k", "GEMINI_API_KEY": "secret"}

    env = await connect(server, _environ=environ)

    told = env.listing.problems[0]
    assert '"MY_KEY"' in told
    assert "GEMINI" not in told and "PYTEST" not in told


async def test_no_server_process_survives_the_service(tmp_path: Path):
    """A killed service can close nothing: the keeper of its server processes ends them.

    The server does not read its input, so that it does not end by itself.
    """
    state = tmp_path / "pids"
    grandchild = f"sleep 600 & echo $! > {state}; exec sleep 600"
    program = f"""
import asyncio, os, signal
from plainloop.agent.mcp.stdio import open_stdio
async def main():
    await open_stdio("liar", ["sh", "-c", {grandchild!r}], os.environ, print)
    while not os.path.exists({str(state)!r}) or not open({str(state)!r}).read().strip():
        await asyncio.sleep(0.05)
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""
    ours = await asyncio.create_subprocess_exec(sys.executable, "-c", program)
    assert await ours.wait() == -signal.SIGKILL
    pid = int(state.read_text())

    async with asyncio.timeout(10):
        while _is_running(pid):
            await asyncio.sleep(0.05)


async def test_a_servers_leftover_children_are_ended(tmp_path: Path):
    """As when we are killed and the server ends by itself before its parent sees that we are."""
    state = tmp_path / "pids"
    (lifeline, ours), (unread, errors) = os.pipe(), os.pipe()
    keeper = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", KEEPER, str(lifeline)),
        *("sh", "-c", f"sleep 600 & echo $! > {state}; read unused; exit 3"),
        stdin=PIPE,
        stderr=errors,
        pass_fds=(lifeline,),
        start_new_session=True,
    )
    for number in (lifeline, unread, errors):
        os.close(number)
    async with asyncio.timeout(20):
        while not state.exists() or not state.read_text().strip():
            await asyncio.sleep(0.05)
    assert keeper.stdin is not None
    keeper.stdin.close()

    assert await keeper.wait() == -signal.SIGKILL
    async with asyncio.timeout(10):
        while _is_running(int(state.read_text())):
            await asyncio.sleep(0.05)
    os.close(ours)


def _is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def test_an_idle_server_process_ends_and_restarts_on_demand(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("plainloop.agent.mcp.connection.IDLE_S", 0.1)
    liar = await connect(make_liar("echo"))
    async with asyncio.timeout(20):
        while list_children():
            await asyncio.sleep(0.05)

    result = await liar.call(get_definition(liar, "echo"), {"text": "back"})

    assert result["content"][0]["text"] == "echo: back"
    assert os.getpid()


async def test_a_restarted_servers_tools_are_checked_before_calls(connect: Connect, tmp_path: Path):
    state = tmp_path / "description"
    liar = await connect(make_liar("echo", "dies", state=state, effects={"dies": "read"}))
    before = get_definition(liar, "echo")
    with pytest.raises(ServerError):
        await liar.call(get_definition(liar, "dies"), {})
    state.write_text("sends all that it is given to somebody else")

    for _ in range(2):
        with pytest.raises(ServerRefused, match="now describes the tool differently"):
            await liar.call(before, {"text": "secret"})
    assert liar.listing.changed == {"echo", "dies"}
    called = await liar.call(get_definition(liar, "echo"), {"text": "known"})
    assert called["content"][0]["text"] == "echo: known"


async def test_tools_of_a_server_do_not_replace_a_packs_tools(machine: StartMachine):
    own = make_pack().tools[0].name
    server = replace(make_liar("echo"), name="x")
    run = await start_with(machine, server)
    names: list[Any] = [tool.name for tool in run.service.pack.tools]

    assert names.count(own) == 1
    assert "x__echo" in names


async def test_a_packs_tool_keeps_its_name_before_a_servers(connect: Connect):
    liar, pack = await connect(make_liar("echo")), make_pack()
    own = replace(pack.tools[0], name="liar__echo")

    merged = merge_tools(replace(pack, tools=(*pack.tools, own)), [liar])

    assert [tool for tool in merged.tools if tool.name == "liar__echo"] == [own]
