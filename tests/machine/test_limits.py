"""Every limit ends a run alike: one event, what was said is kept, the thread goes on."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from plainloop.agent.base.messages.contents import get_answer, list_open_calls
from plainloop.agent.core.context import RequestContext
from plainloop.agent.core.history import repair_history
from plainloop.agent.core.spec import Interview, WorkerSpec
from plainloop.agent.core.state import AgentState
from plainloop.agent.designs.base import NodeTable
from plainloop.agent.designs.default import build_orchestrator_nodes
from plainloop.agent.designs.interview import build_interview_nodes
from plainloop.agent.types import Update
from tests.machine.notes_pack import make_pack
from tests.machine.running import TENANT, Told
from tests.machine.scripted import Hang, text, tools, triage

RUN_S = 2.0  # enough for all steps on a busy machine: then it hangs


async def list_missing(state, ctx) -> tuple[str, ...]:
    return ("the weather",)


INTERVIEW = WorkerSpec(
    "interview", "", "You ask.", ("add_note",), interview=Interview(list_missing)
)


def list_different_calls(count: int, said: str = "") -> list:
    return [tools((f"c{n}", "add_note", {"text": f"note {n}"}), said=said) for n in range(count)]


def check_end(told: Told, reason: str) -> None:
    message = "Max iterations reached"
    assert told.last == ("error", {"message": message, "code": "LIMIT_REACHED", "reason": reason})


async def check_limit(run, told: Told, reason: str) -> None:
    assert told.error is None
    check_end(told, reason)
    told.check_stream()
    info = await run.load_run(told)
    assert (info.status, info.error_code, info.error_message) == (
        "limit",
        "LIMIT_REACHED",
        "Max iterations reached",
    )
    assert f"limit: {reason}" in info.notes
    messages = await run.load_messages()
    assert list_open_calls(messages) == []
    assert repair_history(messages)[1] == []
    assert told.text == told.answer == get_answer(messages)
    run.provider.script[:] = [triage("note_writer"), text("Here again.")]
    assert (await run.ask("and now?")).answer == "Here again."


async def test_a_run_stops_after_twenty_worker_turns(machine):
    run = await machine(triage("note_writer"), *list_different_calls(20, said="More."))
    told = await run.ask()

    assert told.nodes.count("note_writer") == 21
    assert len(run.provider.requests) == 21
    assert told.answer == "\n\n".join(["More."] * 20)
    assert len(await run.list_notes()) == 20
    await check_limit(run, told, "the run used all its 20 worker turns: send a message to continue")


async def test_the_react_design_stops_after_fifteen_turns(machine):
    run = await machine(*list_different_calls(15), design="react")
    told = await run.ask()

    assert len(run.provider.requests) == 15
    check_end(told, "the run used all its 15 worker turns: send a message to continue")
    run.provider.script[:] = [text("Here again.")]
    assert (await run.ask("and now?")).answer == "Here again."


async def test_an_interview_message_stops_after_six_turns(machine):
    pack = replace(make_pack(), onboarding=INTERVIEW)
    run = await machine(*list_different_calls(6), pack=pack)
    told = await run.ask_table(build_interview_nodes(pack), "hello")

    assert len(run.provider.requests) == 6
    await check_limit(run, told, "the run used all its 6 worker turns: send a message to continue")


async def test_the_same_call_three_times_in_a_row_stops_the_run(machine):
    same = [tools((f"c{n}", "add_note", {"text": "again"}), said="Trying.") for n in range(3)]
    run = await machine(triage("note_writer"), *same)
    told = await run.ask()

    assert await run.list_notes() == [("again", 0)] * 2
    await check_limit(run, told, "the same tool call was made 3 times in a row")


async def test_a_run_stops_at_its_time_limit(machine):
    run = await machine(
        triage("note_writer"),
        tools(("c1", "add_note", {"text": "kept"}), said="First."),
        Hang("Half of an answer"),
        run_timeout_s=RUN_S,
    )
    told = await run.ask()

    assert told.answer == "First.\n\nHalf of an answer"
    assert await run.list_notes() == [("kept", 0)]
    await check_limit(run, told, f"the run took longer than {RUN_S:g} s")


async def test_a_time_out_during_the_last_commit_keeps_the_answer(machine):
    """Its commit is finished: the run has succeeded, and says so to whoever waits for it."""
    run = await machine(run_timeout_s=RUN_S)
    is_locked, released = asyncio.Event(), asyncio.Event()

    async def hold_the_thread() -> None:
        async with run.store.transaction(TENANT) as tx:
            await tx.execute("SELECT 1 FROM threads WHERE tenant_id = $1 FOR UPDATE", TENANT)
            is_locked.set()
            await released.wait()

    async def answer_once_locked(_request):
        holders.append(asyncio.create_task(hold_the_thread()))
        await is_locked.wait()
        asyncio.get_running_loop().call_later(RUN_S + 0.5, released.set)  # after the run's time
        return text("Just in time.")

    holders: list[asyncio.Task[None]] = []
    run.provider.script[:] = [triage("note_writer"), answer_once_locked]
    told = await run.ask()
    await asyncio.gather(*holders)

    assert told.last == ("done", {"content": "Just in time."})
    assert (await run.load_run(told)).status == "succeeded"
    assert told.answer == "Just in time."
    assert told.outcome.state["done"] is True


async def test_endless_nodes_stop_at_the_step_limit(machine):
    async def ping(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        return {}, "pong"

    async def pong(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        return {}, "ping"

    run = await machine(worker_turns=2, react_turns=2, onboarding_turns=2)
    told = await run.ask_table(NodeTable({"ping": ping, "pong": pong}, "ping"), "hello")

    assert len(told.nodes) == 6, "each of the two nodes in two turns, and the way in and out"
    await check_limit(run, told, "the run used all its 6 steps: send a message to continue")


async def test_the_step_limit_suffices_for_every_design(machine):
    run = await machine(*list_different_calls(8), design="react", react_turns=8, worker_turns=1)
    told = await run.ask()

    assert len(run.provider.requests) == 8
    check_end(told, "the run used all its 8 worker turns: send a message to continue")


async def test_an_unknown_next_node_is_an_error_that_names_it(machine):
    async def ping(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        return {"feedback": "on"}, "nowhere"

    run = await machine()
    told = await run.ask_table(NodeTable({"ping": ping}, "ping"), "hello")

    assert str(told.error) == repr("the design has no node 'nowhere': return one of ping")
    assert told.last == ("error", {"message": "KeyError", "code": "INTERNAL_ERROR"})
    assert (await run.check_records(told.run_id, "hello"))["feedback"] == "on"


@pytest.mark.parametrize("error", [TimeoutError("a lookup"), RuntimeError("a bug")])
async def test_a_raising_node_fails_the_run_but_not_the_thread(machine, error):
    async def broken(state, ctx):
        raise error

    run = await machine()
    table = build_orchestrator_nodes(run.service.pack)
    nodes = {**table.nodes, "agent_router": broken}
    told = await run.ask_table(NodeTable(nodes, "agent_router"), "hello")

    assert told.error is error
    info = await run.load_run(told)
    assert (info.status, info.error_code) == ("failed", "INTERNAL_ERROR")
    assert told.last == ("error", {"message": type(error).__name__, "code": "INTERNAL_ERROR"})
    run.provider.script[:] = [triage("note_writer"), text("Here again.")]
    assert (await run.ask("and now?")).answer == "Here again."
