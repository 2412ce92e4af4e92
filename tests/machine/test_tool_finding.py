"""Workers with many tools find the rarely used ones by search; what requests declare stays."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from plainloop.agent.base.shown.rare_tools import FIND, MORE, bundle_rare, list_findable
from plainloop.agent.core.spec import Pack
from plainloop.agent.core.tools import Tool, ToolContext
from plainloop.agent.designs.react import build_react_nodes
from plainloop.agent.errors import ConfigError
from plainloop.agent.packs.tool_finding import ToolIndex, describe_tools, narrow_pack
from plainloop.agent.types import ChatRequest
from tests.machine.notes_pack import make_pack
from tests.machine.running import TENANT
from tests.machine.scripted import text, tools, triage
from tests.providers.asking import ask
from tests.providers.conversations import assistant, call, connect, results, user
from tests.runs.conftest import replica as replica
from tests.runs.test_detached import Gate
from tests.runs.test_takeover import SLOW, expire_leases
from tests.wire_fixtures import StartWire

MAX_OFFERED = 40
THINGS = ("invoice", "order", "shipment", "refund", "customer", "supplier", "contract", "ticket")
ACTS = ("create", "list", "archive", "export", "assign")
FOUND = "refund_export"


def make_tool(name: str, description: str, **fields: Any) -> Tool:
    async def answer(tool: ToolContext, /, **arguments: Any) -> Any:
        return {"done": name, "for": arguments.get("note")}

    shape = {"type": "object", "properties": {"note": {"type": "string", "description": "why"}}}
    return Tool(name, description, "read", answer, parameters=shape, **fields)


def make_large_pack(**changes: Any) -> Pack:
    """41 tools: one often used, and 40 that a server offers."""
    named = [(f"{thing}_{act}", f"{act.title()} the {thing}.") for thing in THINGS for act in ACTS]
    offered = [make_tool(*item, source="mcp") for item in named]
    pack = make_pack()
    names = ("list_notes", *(tool.name for tool in offered))
    writer = replace(pack.workers[0], tools=names)
    every = (*pack.tools, *offered)
    return replace(pack, tools=every, workers=(writer, *pack.workers[1:]), **changes)


def search(key: str, query: str) -> Any:
    return tools((key, FIND, {"query": query}))


def use(key: str, name: str, **arguments: Any) -> Any:
    return tools((key, MORE, {"name": name, "arguments": arguments}))


def list_declared(request: ChatRequest) -> list[str]:
    return [tool.name for tool in request.tools]


async def test_a_worker_with_41_tools_finds_and_calls_a_hidden_one(machine: Any) -> None:
    script = (search("a", "export a refund"), use("b", FOUND, note="tax"), text("Done."))
    run = await machine(triage("note_writer"), *script, pack=make_large_pack())
    told = await run.ask("export the refund for tax")

    assert told.answer == "Done.", told.error
    first, second, third = run.provider.requests[1:]
    assert list_declared(first) == [FIND, "list_notes", MORE]
    assert len(list_findable([{"name": t.name, "description": t.description} for t in first.tools]))
    assert first.tools == second.tools == third.tools
    assert second.messages[: len(first.messages)] == first.messages
    assert third.messages[: len(second.messages)] == second.messages
    shown = second.messages[-1]["parts"][0]["result"]
    assert shown["tools"][0] == {
        "name": FOUND,
        "description": "Export the refund.",
        "parameters": make_tool(FOUND, "").schema.parameters,
    }
    calls = [(c.name, c.status, c.arguments) for c in await run.list_tool_calls(told)]
    assert calls == [
        (FIND, "succeeded", {"query": "export a refund"}),
        (FOUND, "succeeded", {"note": "tax"}),
    ]


@pytest.mark.parametrize(
    ("pack", "max_offered"),
    [(make_large_pack(finds_tools=False), MAX_OFFERED), (make_large_pack(), MAX_OFFERED + 1)],
    ids=["the pack opts out", "not more tools than offered"],
)
async def test_tools_up_to_the_offered_limit_are_all_declared(
    machine: Any, pack: Pack, max_offered: int
) -> None:
    run = await machine(triage("note_writer"), text("Hello."), pack=pack, offered_tools=max_offered)
    await run.ask()

    assert list_declared(run.provider.requests[1]) == sorted(pack.workers[0].tools)


async def test_a_resumed_run_declares_the_same_tools(replica: Any) -> None:
    late = Gate(text("Too late."))
    pack = make_large_pack()
    begun = (triage("note_writer"), search("a", "export a refund"), late)
    first = await replica(*begun, pack=pack, **SLOW)
    run_id = await first.submit(await first.create_thread(), "export the refund")
    await late.asked.wait()
    await expire_leases(first)
    second = await replica(use("b", FOUND, note="tax"), text("In time."), pack=make_large_pack())
    seen = await second.collect(run_id)
    late.open.set()

    assert seen[-1]["data"] == {"content": "In time."}
    before, after = first.provider.requests[-1], second.provider.requests[0]
    assert (after.system, after.tools, after.messages) == (
        before.system,
        before.tools,
        before.messages,
    )
    names = [c.name for c in await second.service.store.list_tool_calls(TENANT, run_id)]
    assert names == [FIND, FOUND]


async def test_a_recorded_thread_replays_with_the_tools_that_it_found(machine: Any) -> None:
    stored = pytest.importorskip("plainloop_lab.replay.engine.stored")
    sources = pytest.importorskip("plainloop_lab.replay.sources.stored")
    script = (search("a", "export a refund"), use("b", FOUND, note="tax"), text("Done."))
    run = await machine(triage("note_writer"), *script, pack=make_large_pack())
    await run.ask("export the refund for tax")
    thread = await sources.load_stored(run.store, TENANT, run.thread_id)
    settings = run.service.settings

    there = make_large_pack()
    writer = replace(there.workers[0], tools=("list_notes",))
    gone = replace(there, tools=make_pack().tools, workers=(writer, *there.workers[1:]))
    for pack in (there, gone):
        replayed = await stored.replay_stored(thread, {pack.name: pack}, settings)
        assert replayed.left_out is None
        assert replayed.divergence is None


@pytest.mark.parametrize("name", ["anthropic", "openai", "responses", "gemini", "ollama"])
async def test_every_wire_accepts_found_tools_and_their_calls(
    name: str, wire_server: StartWire
) -> None:
    pack = narrow_pack(make_large_pack(), MAX_OFFERED)
    worker, by_name = pack.workers[0], {tool.name: tool for tool in pack.tools}
    declared = bundle_rare(tuple(by_name[n].schema for n in worker.tools), worker.rare)
    found = describe_tools([by_name[FOUND]], 2_000).result
    request = ChatRequest(
        system="Be brief.",
        messages=[
            user("export the refund"),
            assistant(call("call_1", FIND, query="refund")),
            results(("call_1", FIND, found, False)),
            assistant(call("call_2", FOUND, note="tax")),
            results(("call_2", FOUND, {"done": True}, False)),
        ],
        tools=declared,
        max_tokens=100,
    )
    server = await wire_server()
    url = server.openai_url if name in ("openai", "responses") else server.base_url
    answer = await ask(connect(name, url), request, stream=True)

    assert answer.usage.source == "provider"


def test_a_search_prefers_names_then_rare_words() -> None:
    index = ToolIndex(make_large_pack().tools)

    def find(query: str) -> list[str]:
        return [tool.name for tool in index.search(query)]

    assert find("ticket_list, refund_export") == ["ticket_list", "refund_export"]
    assert find("give me the shipments")[0].startswith("shipment_")
    assert find("archiving invoices")[0] == "invoice_archive"
    assert find("x" * 400) == []
    assert index.search("archive all orders") == index.search("archive all orders")


def test_a_tool_search_returns_schemas_up_to_a_token_limit() -> None:
    many = [make_tool(f"tool_{n}", "word " * 200, is_described_outside=n == 1) for n in range(9)]
    outcome = describe_tools(many, 1_000)

    assert 1 < len(outcome.result["tools"]) < len(many)
    assert outcome.outside == ["tools/1"]
    assert len(describe_tools(many, 1).result["tools"]) == 1
    assert describe_tools([], 1).result["tools"] == []


def test_a_tool_search_names_matches_that_do_not_fit() -> None:
    many = [make_tool(f"tool_{n}", "word " * 200) for n in range(9)]
    shown = describe_tools(many, 1_000).result
    names = [tool["name"] for tool in shown["tools"]]
    left_out = ", ".join(tool.name for tool in many if tool.name not in names)

    assert f"for the schemas of {left_out} search once more" in shown["note"]
    assert "search once more" not in describe_tools(many[:1], 1_000).result["note"]


async def test_the_first_tool_search_builds_its_index_in_a_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[threading.Thread] = []
    plain = ToolIndex.__init__

    def note(self: ToolIndex, tools: Any) -> None:
        made.append(threading.current_thread())
        plain(self, tools)

    monkeypatch.setattr(ToolIndex, "__init__", note)
    narrow = narrow_pack(make_large_pack(), MAX_OFFERED)
    (finder,) = (tool for tool in narrow.tools if tool.name == FIND)
    assert not made

    context = make_context("note_writer.tools")
    for query in ("refund", "archive all orders"):
        outcome = await cast("Any", finder.function(context, query=query))
        assert outcome.result["tools"]
    assert len(made) == 1 and made[0] is not threading.main_thread()


def make_context(node: str) -> ToolContext:
    limits = SimpleNamespace(tool_result_tokens=2_000)
    view: Any = SimpleNamespace(journal=SimpleNamespace(node=node), limits=limits)
    return ToolContext(view, cast("Any", None), {}, "k")


def test_a_tool_search_returns_only_tools_of_the_worker() -> None:
    pack = make_large_pack()
    poet = replace(pack.workers[1], tools=tuple(f"own_{n}" for n in range(50)))
    own = [make_tool(name, "Write a refund poem.") for name in poet.tools]
    pack = replace(pack, tools=(*pack.tools, *own), workers=(pack.workers[0], poet))
    narrow = narrow_pack(pack, MAX_OFFERED)

    assert narrow.workers[1].rare == tuple(f"own_{n}" for n in range(40, 50))
    (finder,) = (tool for tool in narrow.tools if tool.name == FIND)

    def find(node: str, query: str) -> set[str]:
        context = make_context(node)
        outcome = asyncio.run(cast("Any", finder.function(context, query=query)))
        return {tool["name"].partition("_")[0] for tool in outcome.result["tools"]}

    assert find("note_writer.tools", "poem") == set()
    assert find(f"{poet.name}.tools", "poem") == find("react.tools", "poem") == {"own"}
    assert find("note_writer.tools", "refund") == find("react.tools", "refund") == {"refund"}


def test_tools_are_hidden_only_above_the_limit_and_if_the_pack_allows() -> None:
    pack = make_large_pack()
    assert [w.rare for w in narrow_pack(pack, MAX_OFFERED).workers] == [
        tuple(name for name in pack.workers[0].tools if name != "list_notes"),
        (),
    ]
    closed = replace(pack, finds_tools=False)
    assert narrow_pack(closed, MAX_OFFERED) is closed
    assert narrow_pack(pack, MAX_OFFERED + 1) is pack
    with pytest.raises(ConfigError, match="the service has a tool of that name"):
        own = make_tool(FIND, "Own.")
        narrow_pack(replace(pack, tools=(*pack.tools, own)), MAX_OFFERED)


async def test_the_react_design_offers_a_search_instead_of_many_tools(machine: Any) -> None:
    script = (search("a", "export a refund"), use("b", FOUND), text("Done."))
    run = await machine(*script, pack=make_large_pack(), design="react")
    told = await run.ask("export the refund")

    assert told.answer == "Done.", told.error
    assert FOUND not in list_declared(run.provider.requests[0])
    assert {FIND, MORE} <= {*list_declared(run.provider.requests[0])}
    assert build_react_nodes(make_pack()).start == "react"
