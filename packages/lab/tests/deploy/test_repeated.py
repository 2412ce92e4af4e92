"""Code that was not changed repeats whatever was said, and is never refused for it: a replay brings
back what asked a person, whose words a result holds, what a client brought, a budget's end.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.base.messages.wishes import to_change
from plainloop.agent.core.spec import Pack
from plainloop.agent.store import threads
from plainloop.agent.store.budgets import Budget
from plainloop.agent.store.erasure import erase_thread_rows
from plainloop.agent.types import RunOptions, ToolChoice, ToolSchema, Wishes
from plainloop_frontends.openai.lookups import change_options
from plainloop_lab.deploy.judging import Judge, judge_stored
from plainloop_lab.deploy.verdict import Verdict
from plainloop_lab.replay.sources import thread_recording
from plainloop_lab.store.deploys import list_judged_threads
from tests.machine.running import TENANT, USER, Machine
from tests.machine.scripted import text, tools, triage
from tests.machine.test_budgets import ADD, MANY, save
from tests.machine.test_limits import RUN_S, Hang
from tests.runs.conftest import Replica, StartReplica
from tests.runs.conftest import replica as replica
from tests.runs.test_injections import ASK, EVIL, KNOW, READ, Outside, call, make_script

LOOK = ToolSchema("poll_all", "Look.", {"type": "object", "properties": {}})


async def judge(run: Machine | Replica, pack: Pack | None = None) -> Verdict:
    """What this code, or the changed pack, is judged to be by all that was said."""
    service = run.service
    packs = {item.name: item for item in ((pack,) if pack else service.packs)}
    threads = await list_judged_threads(service.store, None, 10)
    assert threads, "something was said"
    return await judge_stored(Judge(packs, service.settings), service.store, service.store, threads)


def change_tool(pack: Pack, name: str, **changes: Any) -> Pack:
    told = (replace(item, **changes) if item.name == name else item for item in pack.tools)
    return replace(pack, tools=tuple(told))


async def say(one: Replica, *, until: str) -> None:
    run_id = await one.submit(await one.create_thread(), ASK)
    async for event in one.host.watch(TENANT, USER, run_id):
        if event["event"] == until:
            return
    pytest.fail(f"the run ended without {until}")


@pytest.mark.parametrize("choice", [None, ToolChoice("required", LOOK.name)])
async def test_deploy_judging_replays_runs_with_their_client_tools(
    replica: StartReplica, choice: ToolChoice | None
):
    one = await replica(*make_script([call(LOOK.name)]), pack=Outside().make_pack())
    wishes = Wishes(tool_choice=choice)
    run_id = await one.submit(
        await one.create_thread(), "What is new?", client_tools=(LOOK,), wishes=wishes
    )
    async for event in one.host.watch(TENANT, USER, run_id):
        if event["event"] == "tool_request":
            break
    assert (await judge(one)).differences == [], "while the client looks"
    # The request that gives a result says anew what its program asks for: here nothing.
    async with one.service.store.transaction(TENANT) as tx:
        await change_options(tx, USER, run_id, to_change(RunOptions()))
    await one.host.answer_call(TENANT, USER, run_id, "c0", {"result": "grass", "is_error": False})
    async for _ in one.host.watch(TENANT, USER, run_id):
        pass
    assert (await judge(one)).differences == []


async def test_deploy_judging_replays_a_nearly_used_up_budget(machine: Any):
    run: Machine = await machine(
        triage("note_writer"),
        replace(tools(ADD), usage=MANY),
        tools(("c2", "add_note", {"text": "honey", "stars": 1})),
        text("Done."),
        max_output_tokens=500,
    )
    await save(run, Budget("run", "total", 11_000, None))
    told = await run.ask()
    assert told.list_events("budget"), "the model was told"
    assert (await judge(run)).differences == []


# What is called, how the run stops, a tool that is changed and how, what is found then.
RULES: dict[str, tuple[list[tuple[str, Any]], str, str, dict[str, Any], str]] = {
    "what was read asks": (
        [READ, KNOW, call("fetch", url=EVIL)],
        "approval_request",
        "fetch",
        {"needs_approval": True},
        "approval",
    ),
    "fields that others wrote are marked": (
        [call("list_posts")],
        "done",
        "list_posts",
        {"outside": ("body", "by")},
        "update",
    ),
    "nobody is asked any more": (
        [call("add_card", title="Cook", url="x"), call("drop_card", title="Cook")],
        "approval_request",
        "drop_card",
        {"needs_approval": False},
        "approval",
    ),
    "somebody is asked where nobody was": (
        [READ],
        "done",
        "fetch",
        {"needs_approval": True},
        "approval",
    ),
    # A write after text from outside asks, unless a tool is named that undoes it.
    "a write goes on unasked": (
        [READ, call("write_profile", content="new")],
        "approval_request",
        "write_profile",
        {"undone_by": "drop_card"},
        "approval",
    ),
}


@pytest.mark.parametrize("name", RULES)
async def test_deploy_judging_reports_a_tools_changed_rules(name: str, replica: StartReplica):
    calls, stop, tool, change, kind = RULES[name]
    one = await replica(*make_script(calls), pack=Outside().make_pack())
    await say(one, until=stop)
    assert (await judge(one)).differences == []
    [found] = (await judge(one, change_tool(one.service.pack, tool, **change))).refused
    assert found.head == f"notes/default {kind} note_writer.tools"


@pytest.mark.parametrize("shown", ["", "Half of an answer"])
async def test_deploy_judging_compares_a_timed_out_run_up_to_its_time_out(machine: Any, shown: str):
    """A clock is nothing that a replay repeats."""
    run: Machine = await machine(
        triage("note_writer"), tools(ADD), Hang(shown), run_timeout_s=RUN_S
    )
    await run.ask()
    assert (await judge(run)).differences == []


@pytest.mark.parametrize(
    ("owner", "where"), [(threads, "load_run_messages"), (thread_recording, "list_recorded_calls")]
)
async def test_deploy_judging_skips_a_conversation_erased_while_it_is_read(
    owner: Any, where: str, machine: Any, monkeypatch: pytest.MonkeyPatch
):
    run: Machine = await machine(triage("note_writer"), tools(ADD), text("Done."))
    await run.ask()
    load = getattr(owner, where)

    async def erase_first(*given: Any) -> Any:
        async with run.store.transaction(TENANT) as tx:
            await erase_thread_rows(tx, USER, run.thread_id)
        monkeypatch.setattr(owner, where, load)
        return await load(*given)

    monkeypatch.setattr(owner, where, erase_first)
    found = await judge(run)
    assert (found.turns, found.differences) == (0, [])
