"""Approvals in the store: asked once, decided once by their user, bound to a call's arguments."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from plainloop.agent.base.ids import get_question_code, make_id
from plainloop.agent.errors import ConflictError, InputError, NotFoundError
from plainloop.agent.store.approvals import (
    Decided,
    answer_client_call,
    choose_pending,
    consume_approval,
    decide_approval,
    decide_approvals,
    find_approvals,
    hash_arguments,
    insert_approvals,
    list_approvals,
    list_inbox,
    make_next_id,
    word_pending,
)
from plainloop.agent.store.helper_runs import insert_helper
from plainloop.agent.store.records import Approval, ApprovalRequest, Run, WaitStart
from plainloop.agent.store.store import Store
from plainloop.agent.types import FunctionCall
from tests.core.store_samples import begin_run, create_thread

GIVEN = {"result": {"ok": True}, "is_error": False}


def make_call(call_id: str, name: str = "delete_job", **arguments: Any) -> FunctionCall:
    return {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments}


def request(call_id: str, *, is_client: bool = False, **arguments: Any) -> ApprovalRequest:
    call = make_call(call_id, **arguments)
    return ApprovalRequest(make_id(), call, f"Delete {call_id}?", is_client)


async def ask(store: Store, run: Run, *asked: ApprovalRequest, expire_s: float = 60.0) -> None:
    async with store.transaction(run.tenant_id) as tx:
        await insert_approvals(tx, run, asked, expire_s)


async def decide(
    store: Store, run: Run, asked: ApprovalRequest, approve: bool, user_id: str = "ann", **rest: Any
) -> Approval:
    async with store.transaction(run.tenant_id) as tx:
        key = (user_id, run.run_id, asked.approval_id)
        return await decide_approval(tx, *key, approve, "boss", **rest)


async def load(store: Store, run: Run) -> list[Approval]:
    async with store.transaction(run.tenant_id) as tx:
        return await list_approvals(tx, run.run_id)


@pytest.fixture
async def run(store: Store) -> Run:
    return await begin_run(store, await create_thread(store))


def test_an_approval_is_bound_to_the_tool_and_its_arguments_in_any_order():
    first = hash_arguments(make_call("c1", a=1, b=2))
    assert first == hash_arguments(make_call("c2", b=2, a=1))
    assert first != hash_arguments(make_call("c1", a=1, b=3))
    assert first != hash_arguments(make_call("c1", "delete_note", a=1, b=2))


def test_an_approval_request_and_a_client_call_emit_events():
    asked, client = request("c1", n=1), request("c2", is_client=True)
    call = {"id": "c1", "name": "delete_job", "arguments": {"n": 1}, "expires_s": 60.0}
    assert asked.to_event(60.0) == {
        "event": "approval_request",
        "data": {**call, "approval_id": asked.approval_id, "question": "Delete c1?"},
    }
    assert client.to_event(5.0) == {
        "event": "tool_request",
        "data": {"id": "c2", "name": "delete_job", "arguments": {}, "expires_s": 5.0},
    }


async def test_approval_requests_are_stored_once_and_listed_in_order(store: Store, run: Run):
    first, second = request("c1", n=1), request("c2", is_client=True)
    await ask(store, run, first, second)
    await ask(store, run, request("c1", n=9))
    one, two = await load(store, run)

    assert (one.approval_id, two.approval_id) == (first.approval_id, second.approval_id)
    assert (one.run_id, one.thread_id, one.user_id) == (run.run_id, run.thread_id, "ann")
    assert (one.tool_call_id, one.tool_name, one.arguments) == ("c1", "delete_job", {"n": 1})
    assert (one.question, one.status, one.decided_by) == ("Delete c1?", "pending", None)
    assert one.arguments_hash == hash_arguments(first.call)
    assert (one.is_client, two.is_client) == (False, True)
    assert (one.expires_at - one.created_at).total_seconds() == 60


async def test_a_decision_is_final_and_can_be_repeated(store: Store, run: Run):
    asked = request("c1")
    await ask(store, run, asked)
    made = await decide(store, run, asked, True, content={"size": 2})
    assert await decide(store, run, asked, True) == made
    with pytest.raises(ConflictError, match="already decided: approved") as refused:
        await decide(store, run, asked, False)

    assert (made.status, made.decided_by, made.answer) == ("approved", "boss", {"size": 2})
    assert (made.reason, made.decided_at is None) == (None, False)
    assert refused.value.code == "APPROVAL_DECIDED"


async def test_a_denial_keeps_its_reason_and_no_form(store: Store, run: Run):
    asked = request("c1")
    await ask(store, run, asked)
    made = await decide(store, run, asked, False, reason=" not today ", content={"size": 2})
    assert (made.status, made.reason, made.answer) == ("denied", "not today", None)
    with pytest.raises(ConflictError, match="already decided: denied"):
        await decide(store, run, asked, True)


async def test_a_reason_belongs_to_a_denial_and_has_a_bound(store: Store, run: Run):
    asked = request("c1")
    await ask(store, run, asked)
    with pytest.raises(InputError, match="only with a denial"):
        await decide(store, run, asked, True, reason="fine")
    with pytest.raises(InputError, match="longer than 1,000 characters"):
        await decide(store, run, asked, False, reason="x" * 1_001)
    assert (await decide(store, run, asked, False, reason="x" * 1_000)).status == "denied"


async def test_only_the_owner_decides_and_unknown_approvals_are_errors(store: Store, run: Run):
    asked = request("c1")
    await ask(store, run, asked)
    other = await begin_run(store, await create_thread(store, "umbrella"), tenant_id="umbrella")
    for whose, user_id, which in (
        (run, "bob", asked),
        (run, "ann", request("c1")),
        (replace(run, tenant_id="umbrella"), "ann", asked),
        (other, "ann", asked),
    ):
        with pytest.raises(NotFoundError, match="no such approval"):
            await decide(store, whose, which, True, user_id)
    assert [item.status for item in await load(store, run)] == ["pending"]


async def test_a_helpers_decision_resumes_all_its_callers(store: Store, run: Run):
    runs = [run] + [await begin_run(store, await create_thread(store)) for _ in range(2)]
    async with store.transaction("acme") as tx:
        for helper, caller in pairwise(runs):
            await insert_helper(tx, caller, "h1", "worker", 1, begun=helper)
    asked = pending = request("c1")
    for suspended in runs:
        await store.queue.park(suspended, WaitStart(2, [pending], 60.0, [], ()))
        pending = replace(pending, approval_id=make_next_id(pending.approval_id))
    sql = "select run_id::text from runs where lease_until <= now() order by run_id"
    assert await store.read("acme").fetch(sql) == []

    await decide(store, run, asked, False, reason="no")
    decided = [item for each in runs for item in await load(store, each)]
    assert [(item.status, item.reason) for item in decided] == [("denied", "no")] * 3
    resumed = await store.read("acme").fetch(sql)
    assert {row["run_id"] for row in resumed} == {each.run_id for each in runs}


async def test_an_approval_expires_after_its_time(store: Store, run: Run):
    asked, client = request("c1"), request("c2", is_client=True)
    await ask(store, run, asked, client, expire_s=0.0)
    with pytest.raises(ConflictError) as refused:
        await decide(store, run, asked, True)
    with pytest.raises(ConflictError) as late:
        async with store.transaction("acme") as tx:
            await answer_client_call(tx, "ann", run.run_id, "c2", GIVEN)

    assert (refused.value.code, late.value.code) == ("APPROVAL_EXPIRED", "APPROVAL_EXPIRED")
    assert [item.status for item in await load(store, run)] == ["expired", "expired"]


async def test_several_approvals_are_decided_together_or_not_at_all(store: Store, run: Run):
    asked = [request("c1"), request("c2"), request("c3")]
    await ask(store, run, *asked)
    yes, no = Decided(asked[0].approval_id, True), Decided(asked[1].approval_id, False, "no")
    with pytest.raises(NotFoundError):
        async with store.transaction("acme") as tx:
            await decide_approvals(tx, "ann", run.run_id, [yes, Decided(make_id(), True)], "ann")
    assert {item.status for item in await load(store, run)} == {"pending"}

    async with store.transaction("acme") as tx:
        made = await decide_approvals(tx, "ann", run.run_id, [no, yes], "ann")
    assert [(item.tool_call_id, item.status, item.reason) for item in made] == [
        ("c1", "approved", None),
        ("c2", "denied", "no"),
    ]


async def test_an_approved_call_runs_once_with_the_approved_arguments(store: Store, run: Run):
    asked, waiting = request("c1", n=1), request("c2", n=1)
    await ask(store, run, asked, waiting)
    await decide(store, run, asked, True)
    changed = make_call("c1", n=2)
    async with store.transaction("acme") as tx:
        used = [
            await consume_approval(tx, run.run_id, call)
            for call in (changed, waiting.call, asked.call, asked.call)
        ]
    assert used == [False, False, True, False]


async def test_a_client_calls_result_is_final_and_can_be_repeated(store: Store, run: Run):
    await ask(store, run, request("c1", is_client=True), request("c2"))
    other = {"result": "another", "is_error": False}
    for answer in (GIVEN, GIVEN):
        async with store.transaction("acme") as tx:
            await answer_client_call(tx, "ann", run.run_id, "c1", answer)
    with pytest.raises(ConflictError) as refused:
        async with store.transaction("acme") as tx:
            await answer_client_call(tx, "ann", run.run_id, "c1", other)
    for user_id, call_id in (("bob", "c1"), ("ann", "c2"), ("ann", "c9")):
        with pytest.raises(NotFoundError, match="no such call"):
            async with store.transaction("acme") as tx:
                await answer_client_call(tx, user_id, run.run_id, call_id, GIVEN)

    assert refused.value.code == "CALL_ANSWERED"
    first, second = await load(store, run)
    assert (first.status, first.answer, first.decided_by) == ("approved", GIVEN, "ann")
    assert second.status == "pending"


async def test_the_inbox_lists_pending_and_decided_approvals(store: Store, run: Run):
    theirs = await begin_run(store, await create_thread(store, user_id="bob"))
    asked = [request("c1"), request("c2"), request("c3", is_client=True)]
    late = request("c4")
    await ask(store, run, *asked)
    await ask(store, theirs, late, expire_s=5.0)
    await decide(store, run, asked[0], False)

    async def show(user_id: str | None, limit: int = 9, **rest: Any) -> list[str]:
        listed = await list_inbox(store.read("acme"), user_id, limit, **rest)
        return [item.tool_call_id for item in listed]

    assert (await show("ann"), await show("bob"), await show(None)) == (
        ["c2"],
        ["c4"],
        ["c4", "c2"],
    )
    assert await show(None, 1) == ["c4"]
    assert (await show("ann", is_decided=True), await show("bob", is_decided=True)) == (["c1"], [])
    assert await list_inbox(store.read("umbrella"), None, 9) == []


async def test_a_question_code_finds_only_its_approval_and_only_for_its_user(
    store: Store, run: Run
):
    first, second = request("c1"), request("c2")
    await ask(store, run, first, second)
    codes = [get_question_code(second.approval_id), "0" * 12]
    async with store.transaction("acme") as tx:
        found = await find_approvals(tx, "ann", codes)
        assert await find_approvals(tx, "bob", codes) == []
    assert [item.approval_id for item in found] == [second.approval_id]


async def test_an_unnamed_decision_applies_to_the_only_pending_round(store: Store, run: Run):
    asked = [request("c1"), request("c2")]
    await ask(store, run, *asked)
    await decide(store, run, asked[0], True)
    one_round = await load(store, run)
    assert [item.tool_call_id for item in choose_pending(one_round)] == ["c2"]

    await ask(store, run, later := request("c3"))
    two_rounds = await load(store, run)
    with pytest.raises(ConflictError) as refused:
        choose_pending(two_rounds)
    assert refused.value.code == "QUESTION_UNNAMED"
    codes = [get_question_code(item.approval_id) for item in (asked[1], later)]
    told = f"Delete c2? ({codes[0]}); Delete c3? ({codes[1]})"
    assert refused.value.message.endswith(f"approvals are pending: {told}")
    assert word_pending(choose_pending(one_round[:1])) == "nothing"
