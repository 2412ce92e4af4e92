"""AG-UI's `HttpAgent`, unmodified, in both versions that are in use; and CopilotKit's routes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from plainloop.agent.errors import ModelAuthError
from tests.machine.scripted import Cut, Hang, text, tools, triage
from tests.protocols.conftest import ServeNotes, get_model
from tests.protocols.node_clients import get_end, require_node, run_client
from tests.protocols.posting import make_input
from tests.runs.test_detached import Gate
from tests.server.conftest import until

from .test_ai_sdk import list_threads, load_answer

PROGRAM = "agui.mjs"
ADD = ("c1", "add_note", {"text": "milk"})
LIST = ("c2", "list_notes", {})
BURN = tools(("c1", "burn_notes", {}), said="I would burn them.")
versions = pytest.mark.parametrize("version", ["1.0.0", "0.0.59"])


@pytest.fixture
def ag_ui() -> None:
    require_node("@ag-ui/client-0059")


def get_shown(end: dict[str, Any]) -> str:
    """What the assistant has said since the newest question, as it is shown."""
    last = max(n for n, item in enumerate(end["messages"]) if item["role"] == "user")
    said = [item for item in end["messages"][last:] if item["role"] == "assistant"]
    return "".join(item.get("content") or "" for item in said)


@pytest.mark.parametrize(("scenario", "version"), [("approve", "1.0.0"), ("deny", "0.0.59")])
@pytest.mark.usefixtures("ag_ui")
async def test_an_agui_approval_is_sent_as_an_interrupt(
    scenario: str, version: str, serve: ServeNotes
) -> None:
    served = await serve(triage("note_writer"), BURN, text("So be it."))
    waiting, end = [item async for item in run_client(served, PROGRAM, f"{scenario}@{version}")]
    [interrupt] = waiting["interrupts"]
    [result] = [item for item in end["messages"] if item["role"] == "tool"]

    assert (interrupt["reason"], interrupt["toolCallId"]) == ("tool_call", "c1")
    assert interrupt["message"] == "Burn all of your 0 notes?"
    assert [item["type"] for item in end["finished"]] == ["interrupt", "success"]
    assert ("error" in json.loads(result["content"])) == (scenario == "deny")
    assert end["types"].count("TOOL_CALL_START") == 1
    assert end["types"].count("STEP_STARTED") == end["types"].count("STEP_FINISHED")
    assert get_shown(end) == await load_answer(served) == "I would burn them.\n\nSo be it."
    assert end["errors"] == end["warnings"] == []


@pytest.mark.usefixtures("ag_ui")
async def test_an_agui_run_failure_is_a_run_error_event(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), Cut("Half of it", ModelAuthError("wrong key")))
    end = await get_end(served, PROGRAM, "plain@0.0.59")

    assert end["errors"] == [["MODEL_AUTH", "Replace the key"]]
    assert get_shown(end) == await load_answer(served) == "Half of it"


@pytest.mark.usefixtures("ag_ui")
async def test_a_stopping_server_ends_the_stream_while_the_run_continues(serve: ServeNotes) -> None:
    gate = Gate(text("In the end."))
    served = await serve(triage("note_writer"), gate, drain_s=60.0)

    async def stop() -> None:
        await gate.asked.wait()
        served.replica.stop()

    stopping = asyncio.create_task(stop())
    told = [item async for item in run_client(served, PROGRAM, "plain@1.0.0")]
    gate.open.set()
    await stopping

    assert told[-1]["errors"] == [["RECONNECT", None]]


@versions
@pytest.mark.usefixtures("ag_ui")
async def test_a_client_tools_call_is_executed_by_the_client(
    version: str, serve: ServeNotes
) -> None:
    ask = tools(("c1", "get_place", {}), said="Where are you?")
    served = await serve(triage("note_writer"), ask, text("Then it is Oslo."))
    called, end = [item async for item in run_client(served, PROGRAM, f"client_tool@{version}")]

    assert called["call"]["function"]["name"] == "get_place"
    assert get_shown(end) == await load_answer(served) == "Where are you?\n\nThen it is Oslo."
    assert [item["role"] for item in end["messages"]].count("tool") == 1
    [answered] = get_model(served).requests[-1].messages[-1]["parts"]
    assert answered["result"] == {"place": "Oslo"}


@pytest.mark.usefixtures("ag_ui")
async def test_posting_a_history_without_its_end_starts_a_branch(serve: ServeNotes) -> None:
    turns = [(triage("note_writer"), text(said)) for said in ("First.", "Second.", "Third.")]
    served = await serve(*(step for turn in turns for step in turn))
    end = await get_end(served, PROGRAM, "edit@1.0.0")
    branch, old = await list_threads(served)

    assert get_shown(end) == await load_answer(served, branch) == "Third."
    assert await load_answer(served, old) == "Second."
    assert len(await served.service.store.load_messages("acme", branch.thread_id)) == 2


def parse(answer: Any) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    blocks = [line for line in answer.text.split("\n\n") if line.startswith("data: ")]
    return [json.loads(line[6:]) for line in blocks]


async def test_a_repeated_run_id_joins_the_existing_run(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Once."))
    ann = await served.client()
    first, again = [await ann.post("/api/agui/default", json=make_input()) for _ in range(2)]

    assert parse(first) == parse(again)
    assert first.headers["x-run-id"] == again.headers["x-run-id"]


async def test_a_reloaded_copilotkit_page_shows_the_active_run(serve: ServeNotes) -> None:
    gate = Gate(text("And the rest."))
    first = (triage("note_writer"), text("Hello."))
    served = await serve(*first, triage("note_writer"), tools(LIST, said="I look."), gate)
    ann, kit = await served.client(), "/api/copilotkit"
    info = (await ann.get(f"{kit}/info")).json()
    await ann.post(f"{kit}/agent/default/run", json=make_input("r1"))
    running = asyncio.create_task(
        ann.post(f"{kit}/agent/default/run", json=make_input("r2", said="more"))
    )
    await gate.asked.wait()
    async with ann.stream("POST", f"{kit}/agent/default/connect", json=make_input("r3")) as page:
        gate.open.set()
        await page.aread()
    live, shown = parse(await running), parse(page)
    snapshot = next(item for item in shown if item["type"] == "MESSAGES_SNAPSHOT")
    said = "".join(item.get("delta", "") for item in shown if item["type"].endswith("_CONTENT"))
    idle = parse(await ann.post(f"{kit}/agent/default/connect", json=make_input("r4")))
    unknown = parse(await ann.post(f"{kit}/agent/default/connect", json=make_input("r5", "t9")))

    assert info["mode"] == "sse" and {"default", "notes"} <= info["agents"].keys()
    assert live[-1]["type"] == shown[-1]["type"] == "RUN_FINISHED"
    assert [item.get("content") for item in snapshot["messages"]] == [
        *("please do it", "Hello.", "more")
    ]
    assert said == "I look.\n\nAnd the rest."
    assert [item["type"] for item in idle] == ["RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]
    assert len(idle[1]["messages"]) == 6
    assert unknown == []


@pytest.mark.parametrize("scenario", ["run", "reload"])
async def test_copilotkits_client_works_without_a_node_runtime(
    scenario: str, serve: ServeNotes
) -> None:
    require_node("@copilotkit/core")
    gate = Gate(text("And the rest."))
    served = await serve(triage("note_writer"), tools(LIST, said="I look."), gate)
    if scenario == "run":
        gate.open.set()
    async for told in run_client(served, "copilotkit.mjs", scenario):
        if told["kind"] == "connected":
            gate.open.set()
        end = told

    answer = await load_answer(served)
    # What was said before the page was loaded again is a message of its own, without the gap.
    assert get_shown(end).split() == answer.split() == "I look. And the rest.".split()
    assert [item["role"] for item in end["messages"]] == ["user", "assistant", "tool", "assistant"]


async def test_an_agui_stop_request_cancels_the_run(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), Hang("Half of an"))
    ann = await served.client()
    body = {**make_input(), "protocolVersion": "1.0"}
    running = asyncio.create_task(ann.post("/api/agui/default", json=body))

    async def has_stopped() -> bool:
        answer = await ann.post("/api/copilotkit/agent/default/stop/t1", json={})
        return answer.status_code == 200 and answer.json()["stopped"]

    await until(has_stopped)
    assert parse(await running)[-1]["outcome"] == {"type": "cancelled"}


async def test_an_agui_thread_is_visible_only_to_its_user(serve: ServeNotes) -> None:
    turns = [step for _ in range(2) for step in (triage("note_writer"), text("Mine."))]
    served = await serve(*turns)
    ann, bob = await served.client(), await served.client("bob")
    first = await ann.post("/api/agui/default", json=make_input())
    resume = {**make_input("r2"), "resume": [{"interruptId": "x", "payload": {"approved": True}}]}
    for name in ("t1", first.headers["x-conversation-id"]):
        read = await bob.get(f"/api/agui/default/{name}/messages")
        stop = await bob.post(f"/api/copilotkit/agent/default/stop/{name}", json={})
        resumed = await bob.post("/api/agui/default", json={**resume, "threadId": name})
        assert (read.status_code, stop.status_code, resumed.status_code) == (404, 404, 404)
    own = await bob.post("/api/agui/default", json=make_input())

    assert own.headers["x-conversation-id"] != first.headers["x-conversation-id"]
    assert (await ann.get("/api/agui/nobody/t1/messages")).status_code == 404
