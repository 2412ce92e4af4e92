"""A person's approval: asked before the call, bound to it, used once, expiring, over restarts."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.core.tools import ToolContext
from plainloop.agent.errors import ConflictError, NotFoundError
from plainloop.agent.store.records import Approval
from plainloop.agent.types import ToolSchema
from tests.machine.running import TENANT, USER, check_shape, fold_text
from tests.machine.scripted import text, tools, triage
from tests.runs.conftest import Replica, StartReplica, get_names
from tests.runs.effects_pack import World

BURN = tools(("c1", "burn_notes", {}))


async def wait_for_request(
    replica: Replica, run_id: str, name: str = "approval_request"
) -> dict[str, Any]:
    """The data of the run's request, as a viewer gets it."""
    async for event in replica.host.watch(TENANT, USER, run_id):
        if event["event"] == name:
            return event["data"]
    raise AssertionError(await replica.collect(run_id))


async def decide(replica: Replica, run_id: str, approve: bool, reason: str = "") -> Approval:
    (asked,) = await replica.host.list_approvals(TENANT, USER, run_id)
    return await replica.host.decide_approval(
        TENANT, USER, run_id, asked.approval_id, approve, "ann", reason
    )


async def list_notes(replica: Replica) -> list[str]:
    rows = await replica.service.store.read(TENANT).fetch("select text from notes")
    return [row["text"] for row in rows]


@pytest.mark.parametrize(("approve", "left"), [(True, []), (False, ["keep"])])
async def test_a_run_waits_for_approval_and_follows_the_decision(
    approve: bool, left: list[str], replica: StartReplica
) -> None:
    one = await replica(
        *(triage("note_writer"), tools(("c0", "add_note", {"text": "keep"}))),
        *(BURN, text("So be it.")),
        pack=World().make_pack(),
    )
    thread_id = await one.create_thread()
    run_id = await one.submit(thread_id, "burn my notes")
    watching = asyncio.create_task(one.collect(run_id))
    asked = await wait_for_request(one, run_id)
    assert {key: asked[key] for key in ("id", "name", "arguments", "question")} == {
        "id": "c1",
        "name": "burn_notes",
        "arguments": {},
        "question": "Burn all of your 1 notes?",
    }
    assert (await one.service.store.load_run(TENANT, USER, run_id)).status == "waiting"
    assert one.service.live.list_all() == [], "nothing is held while it waits"
    with pytest.raises(ConflictError):
        await one.submit(thread_id, "in between")

    decided = await decide(one, run_id, approve)
    assert (decided.status, decided.decided_by) == ("approved" if approve else "denied", "ann")
    events = await watching
    assert get_names(events).count("approval_request") == 1
    for event in events:
        check_shape(event)
    assert events[-1]["data"] == {"content": "So be it."}
    assert fold_text(events) == "So be it."
    assert await list_notes(one) == left
    (approval,) = await one.host.list_approvals(TENANT, USER, run_id)
    assert approval.status == ("consumed" if approve else "denied")
    calls = {c.name: c.status for c in await one.service.store.list_tool_calls(TENANT, run_id)}
    assert calls["burn_notes"] == ("succeeded" if approve else "denied")
    await one.check_records(run_id, thread_id, "burn my notes")


@pytest.mark.parametrize("fails", [True, False])
async def test_an_approval_without_text_shows_name_and_arguments(
    fails: bool, replica: StartReplica
) -> None:
    async def ask(tool: ToolContext, text: str) -> str:
        raise RuntimeError("no words")

    pack = World().make_pack()
    wordless = [
        replace(item, ask=ask if fails else None) if item.name == "publish" else item
        for item in pack.tools
    ]
    publish = tools(("c1", "publish", {"text": "hello"}))
    one = await replica(
        *(triage("note_writer"), publish, text("Published.")),
        pack=replace(pack, tools=tuple(wordless)),
    )
    run_id = await one.submit(await one.create_thread(), "publish hello")
    asked = await wait_for_request(one, run_id)
    (listed,) = await one.host.list_approvals(TENANT, USER, run_id)
    assert asked["question"] == listed.question == 'publish {"text":"hello"}'
    await decide(one, run_id, True)
    assert (await one.collect(run_id))[-1]["data"] == {"content": "Published."}


async def test_only_the_owner_decides_an_approval_and_only_once(replica: StartReplica) -> None:
    world = World()
    one = await replica(
        triage("note_writer"), BURN, text("Done."), pack=world.make_pack(), recovery_s=60.0
    )
    run_id = await one.submit(await one.create_thread(), "burn my notes")
    asked = await wait_for_request(one, run_id)
    for tenant_id, user_id in (("umbrella", USER), (TENANT, "bob")):
        with pytest.raises(NotFoundError):
            await one.host.decide_approval(
                tenant_id, user_id, run_id, asked["approval_id"], True, "eve"
            )
    first = await decide(one, run_id, True)
    assert await decide(one, run_id, True) in (
        first,
        *await one.host.list_approvals(TENANT, USER, run_id),
    )
    with pytest.raises(ConflictError) as other_way:
        await decide(one, run_id, False)
    assert other_way.value.code == "APPROVAL_DECIDED"
    assert (await one.collect(run_id))[-1]["event"] == "done"


async def test_an_approval_request_survives_a_restart(replica: StartReplica) -> None:
    world = World()
    publish = tools(("c1", "publish", {"text": "hello"}))
    one = await replica(triage("note_writer"), publish, pack=world.make_pack())
    run_id = await one.submit(await one.create_thread(), "publish hello")
    await wait_for_request(one, run_id)
    await one.host.drain(0.0)
    await one.service.close()

    other = await replica(text("Published."), pack=world.make_pack())
    await decide(other, run_id, True)
    assert (await other.collect(run_id))[-1]["data"] == {"content": "Published."}
    assert world.list_effects("publish") == [f"{run_id}:3:c1"]


async def test_an_undecided_approval_expires_and_the_call_is_not_made(
    replica: StartReplica,
) -> None:
    world = World()
    publish = tools(("c1", "publish", {"text": "hello"}))
    one = await replica(
        *(triage("note_writer"), publish, text("Nobody said yes.")),
        pack=world.make_pack(),
        approval_s=0.2,
    )
    run_id = await one.submit(await one.create_thread(), "publish hello")
    asked = await wait_for_request(one, run_id)
    assert (await one.collect(run_id))[-1]["data"] == {"content": "Nobody said yes."}
    assert world.calls == []
    with pytest.raises(ConflictError) as late:
        await one.host.decide_approval(TENANT, USER, run_id, asked["approval_id"], True, "ann")
    assert late.value.code == "APPROVAL_EXPIRED"


async def test_a_waiting_run_can_be_cancelled(replica: StartReplica) -> None:
    one = await replica(triage("note_writer"), BURN, pack=World().make_pack())
    thread_id = await one.create_thread()
    run_id = await one.submit(thread_id, "burn my notes")
    asked = await wait_for_request(one, run_id)
    assert await one.host.cancel(TENANT, USER, thread_id) == run_id
    assert (await one.collect(run_id))[-1]["data"]["code"] == "CANCELLED"
    await one.check_records(run_id, thread_id, "burn my notes")
    with pytest.raises(ConflictError):
        await one.host.decide_approval(TENANT, USER, run_id, asked["approval_id"], True, "ann")


async def test_an_invalid_call_fails_without_requesting_approval(replica: StartReplica) -> None:
    wrong = tools(("c1", "publish", {"words": "hello"}))
    one = await replica(triage("note_writer"), wrong, text("Hm."), pack=World().make_pack())
    run_id = await one.submit(await one.create_thread(), "publish hello")
    events = await one.collect(run_id)
    assert "approval_request" not in get_names(events)
    assert events[-1]["event"] == "done"


async def test_all_approvals_of_a_step_are_decided_before_any_call(replica: StartReplica) -> None:
    world = World()
    both = tools(("c1", "publish", {"text": "a"}), ("c2", "publish", {"text": "b"}))
    one = await replica(triage("note_writer"), both, text("Half."), pack=world.make_pack())
    run_id = await one.submit(await one.create_thread(), "publish a and b")
    await wait_for_request(one, run_id)
    first, second = await one.host.list_approvals(TENANT, USER, run_id)
    await one.host.decide_approval(TENANT, USER, run_id, first.approval_id, True, "ann")
    assert world.calls == []
    await one.host.decide_approval(TENANT, USER, run_id, second.approval_id, False, "ann")
    assert (await one.collect(run_id))[-1]["data"] == {"content": "Half."}
    assert len(world.calls) == 1


def get_last_result(replica: Replica) -> dict[str, Any]:
    """The tool result that the model was shown last."""
    parts: Any = replica.provider.requests[-1].messages[-1]["parts"]
    return parts[0]


@pytest.mark.parametrize("approve", [True, False])
async def test_an_approved_read_runs_once_or_reports_the_denial(
    approve: bool, replica: StartReplica
) -> None:
    pack = World().make_pack()
    every = [replace(t, needs_approval=t.name == "list_notes") for t in pack.tools]
    one = await replica(
        *(triage("note_writer"), tools(("c1", "list_notes", {})), text("So be it.")),
        pack=replace(pack, tools=tuple(every)),
    )
    run_id = await one.submit(await one.create_thread(), "do it, please")
    await wait_for_request(one, run_id)
    await decide(one, run_id, approve, "" if approve else "not those")
    assert (await one.collect(run_id))[-1]["data"] == {"content": "So be it."}
    (approval,) = await one.host.list_approvals(TENANT, USER, run_id)
    assert approval.status == ("consumed" if approve else "denied")
    (call,) = await one.service.store.list_tool_calls(TENANT, run_id)
    assert call.status == ("succeeded" if approve else "denied")
    result = get_last_result(one)["result"]
    assert result == {"notes": []} if approve else "not those" in result["error"]


@pytest.mark.parametrize("is_error", [False, True])
async def test_a_client_tool_is_answered_by_the_client(
    is_error: bool, replica: StartReplica
) -> None:
    shape = ToolSchema("shout", "Shout.", {"type": "object", "properties": {}})
    one = await replica(
        *(triage("note_writer"), tools(("c1", "shout", {"word": "hi"})), text("Heard.")),
        pack=World().make_pack(),
    )
    thread_id = await one.create_thread()
    run_id = await one.submit(thread_id, "shout hi", client_tools=(shape,))
    asked = await wait_for_request(one, run_id, "tool_request")
    answer = {"result": {"error": "hoarse"} if is_error else {"loud": 9}, "is_error": is_error}
    await one.host.answer_call(TENANT, USER, run_id, "c1", answer)
    events = await one.collect(run_id)
    shown = get_last_result(one)

    assert (asked["id"], asked["name"], asked["arguments"]) == ("c1", "shout", {"word": "hi"})
    assert events[-1]["data"] == {"content": "Heard."}
    assert {"approval_request", "approval_decision"}.isdisjoint(get_names(events))
    told = [e["data"] for e in events if e["event"] in ("tool_result", "tool_error")]
    assert [(item["id"], item["result"]) for item in told] == [("c1", answer["result"])]
    assert get_names(events).count("tool_error") == int(is_error)
    assert (shown["result"], shown["is_error"]) == (answer["result"], is_error)
    assert shown["is_untrusted"] is True
    await one.check_records(run_id, thread_id, "shout hi")
