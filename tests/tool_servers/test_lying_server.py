"""A server that lies costs one tool, never the run, and leaves no process behind."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.core.taint import UNTRUSTED
from plainloop.agent.mcp.session import MODERN, Session, TimedOut
from plainloop.agent.mcp.stdio import open_stdio
from plainloop.agent.mcp.wire import Message, ServerError, ServerGone
from tests.machine.conftest import StartMachine
from tests.machine.scripted import text, tools, triage
from tests.tool_servers.conftest import (
    LIAR,
    Connect,
    accept_all,
    get_definition,
    list_children,
    make_liar,
    start_with,
)
from tests.tool_servers.liar import ODD


async def test_an_invalid_schema_drops_only_its_tool(connect: Connect):
    liar = await connect(make_liar(*ODD, kind="odd"))

    taken = {item.tool: item.parameters for item in liar.listing.definitions}
    itself = {"properties": {"child": {}}}
    plain = {"type": "object", "properties": {"text": {"type": "string"}}}
    assert taken == {
        "echo": plain,
        "no_schema": {"type": "object", "properties": {}},
        "untyped": {"type": "object", "properties": {"text": {}}},
        "local_ref": plain,
        "required_inside": plain,
        "loop": {"type": "object", "properties": {"child": {**itself, "type": "object"}}},
        "twisted": {"type": "object", "properties": {"text": {}}},
    }
    assert all("$ref" not in str(schema) for schema in taken.values())
    told = "\n".join(liar.listing.problems)
    for name in ODD.keys() - taken.keys():
        assert f"the server's tool {name!r} is left out" in told
    assert "without a name" in told and "'echo' twice" in told


async def test_a_star_in_allowed_tools_does_not_admit_300_tools(connect: Connect):
    liar = await connect(make_liar("*", "tool_7", kind="many"))

    assert [item.tool for item in liar.listing.definitions] == ["tool_7"]
    assert "the server lists 300 tools" in liar.listing.problems[0]


async def test_an_endless_tool_list_is_refused(connect: Connect):
    liar = await connect(make_liar("*", kind="endless"))

    assert liar.listing.definitions == ()
    assert liar.listing.problems == (
        "the server's list of tools is too long: configure the server to offer fewer tools",
    )


@pytest.mark.parametrize(
    ("tool", "told"),
    [
        ("hangs", "did not answer in time"),
        ("dies", "the server's process has ended"),
        ("large", "the server's answer is too large"),
        ("garbage", "not JSON"),
        ("empty", "neither `result` nor `error`"),
        ("refuses", "text is missing"),
    ],
)
async def test_a_broken_answer_fails_only_its_call(tool: str, told: str, connect: Connect):
    patience_s = 1.0 if tool == "hangs" else 30.0
    liar = await connect(make_liar("echo", tool, idle_timeout_s=patience_s))

    with pytest.raises(ServerError, match=told):
        await liar.call(get_definition(liar, tool), {"text": "hi"})
    result = await liar.call(get_definition(liar, "echo"), {"text": "hi"})
    assert result["content"] == [{"type": "text", "text": "echo: hi"}]


async def test_an_unreadable_answer_leaves_other_calls_waiting(connect: Connect):
    liar = await connect(make_liar("garbage", "slow"))

    broken, slow = await asyncio.gather(
        *(liar.call(get_definition(liar, name), {}) for name in ("garbage", "slow")),
        return_exceptions=True,
    )

    assert isinstance(broken, ServerError)
    assert not isinstance(slow, BaseException), slow


async def test_progress_keeps_a_slow_call_alive(connect: Connect):
    liar = await connect(make_liar("slow", idle_timeout_s=1.0))

    result = await liar.call(get_definition(liar, "slow"), {})

    assert result["content"][0]["text"] == "done at last"


async def test_progress_in_the_moment_of_a_time_out_ends_only_that_call():
    raised: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: raised.append(context))
    session = Session()

    class LateWire:
        """Reads a progress message in the pass of the loop in which the call's limit expires."""

        is_closed_by_request = True

        async def request(self, message: Message, headers: Mapping[str, str]) -> Message:
            progress = {"progressToken": message["id"], "progress": 1}
            note = {"method": "notifications/progress", "params": progress}
            asyncio.get_running_loop().call_soon(session.receive, note)
            return await asyncio.get_running_loop().create_future()

        async def send(self, message: Message, headers: Mapping[str, str]) -> None: ...

        async def close(self) -> None: ...

    session._wire = LateWire()
    session.version = MODERN
    with pytest.raises(TimedOut):
        await session.request("tools/call", {"name": "slow"}, idle_s=0)

    assert raised == []


async def test_a_run_survives_any_tool_server_failure(machine: StartMachine):
    names = ["fails", "dies", "odd", "unpromised", "links", "asks"]
    calls = [tools((f"c{n}", f"liar__{name}", {"text": "x"})) for n, name in enumerate(names)]
    reads = dict.fromkeys(names, "read")
    run = await start_with(
        machine,
        make_liar(*names, effects=reads),
        *(triage("note_writer"), *calls, text("That was all.")),
    )

    told = await run.ask()

    assert told.answer == "That was all."
    told.check_stream()
    shown = told.list_events("tool_result", "tool_error")
    assert [event["source"] for event in shown] == ["mcp"] * len(names)
    results = [
        part
        for message in await run.load_messages()
        for part in message["parts"]
        if part["type"] == "tool_result"
    ]
    assert all(part["result"].pop(UNTRUSTED) for part in results)
    fails, dies, odd, unpromised, links, asks = (part["result"] for part in results)
    assert fails == {"error": "no such ticket"}
    assert "ended with exit code" in dies["error"] or "has ended" in dies["error"]
    assert odd == {"result": {"n": 1.2345678901234568e29}}
    assert "does not match the tool's output schema" in unpromised["error"]
    assert links["also"] == [
        {"kind": "link", "url": "http://127.0.0.1:1/x", "name": "more"},
        {"kind": "image", "media_type": "image/png", "size_bytes": 5},
        {"kind": "news"},
    ]
    assert "is not supported" in asks["text"]
    records = await run.list_tool_calls(told)
    assert [record.receipt["tool"] for record in records] == names
    assert all(record.receipt["server"] == "liar" for record in records)


@pytest.mark.parametrize(("name", "status"), [("refuses", "failed"), ("dies", "unknown")])
async def test_a_tool_call_whose_answer_was_lost_has_an_unknown_outcome(
    machine: StartMachine, name: str, status: str
):
    run = await start_with(
        machine,
        make_liar(name, unasked=(name,)),
        triage("note_writer"),
        tools(("c1", f"liar__{name}", {})),
        text("Ask yourself."),
    )
    await accept_all(run.service)

    told = await run.ask()

    assert [record.status for record in await run.list_tool_calls(told)] == [status]


async def test_a_call_that_reached_a_server_is_not_sent_again(connect: Connect):
    liar = await connect(make_liar("dies"))

    with pytest.raises(ServerGone, match="out of memory"):
        await liar.call(get_definition(liar, "dies"), {})

    assert not liar.is_pausing, "it would pause after the second process that died"


async def test_a_call_to_a_process_that_just_ended_logs_no_error():
    raised: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: raised.append(context))
    wire: Any = await open_stdio("liar", (sys.executable, str(LIAR), "ordinary"), {}, raised.append)

    class BrokenPipe:
        """Fails when the reader has seen already that the process is gone."""

        def write(self, data: bytes) -> None: ...

        async def drain(self) -> None:
            wire._fail_all(ServerGone("the process has ended"))
            raise BrokenPipeError

        def close(self) -> None: ...

    whole, wire._process.stdin = wire._process.stdin, BrokenPipe()
    with pytest.raises(ServerGone):
        await wire.request({"id": 1, "method": "tools/call"}, {})
    wire._process.stdin = whole
    gc.collect()
    await wire.close()

    assert raised == []


async def test_a_server_that_cannot_start_only_lacks_its_tools(machine: StartMachine):
    server = make_liar("echo")
    run = await start_with(
        machine,
        type(server)("liar", ("echo",), command="/nowhere/server"),
        *(triage("note_writer"), text("Done without.")),
    )

    told = await run.ask()

    assert told.answer == "Done without."
    (state,) = run.service.tool_servers.list_states()
    assert state.tools == ()
    assert "/nowhere/server cannot be started" in state.problems[0]


async def test_each_concurrent_close_returns_only_when_the_connection_is_closed(connect: Connect):
    """A call that runs out of time lets its process go while the connection is being closed."""
    liar = await connect(make_liar("hangs"))
    session = await liar._connect()

    ends = await asyncio.gather(session.close(), session.close(), return_exceptions=True)

    assert ends == [None, None]
    assert list_children() == set()


async def test_closing_ends_even_hanging_server_processes(connect: Connect, tmp_path: Path):
    liar = await connect(make_liar("hangs"))
    calling = asyncio.create_task(liar.call(get_definition(liar, "hangs"), {}))
    await asyncio.sleep(0)
    assert list_children()

    await liar.close()

    result: Any = (await asyncio.gather(calling, return_exceptions=True))[0]
    assert isinstance(result, ServerError)
    assert list_children() == set()


async def test_a_call_does_not_reopen_a_closed_connection(connect: Connect):
    liar = await connect(make_liar("echo"))
    definition = get_definition(liar, "echo")
    await liar.close()

    with pytest.raises(ServerGone, match="the connection to the tool server is closed"):
        await liar.call(definition, {})

    assert list_children() == set()
