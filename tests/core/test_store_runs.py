"""Runs and steps: one transaction per step, the fence, what a run's end leaves behind."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import accumulate
from typing import Any, cast

import asyncpg
import pytest

from plainloop.agent.base.messages.contents import INTERRUPTED, UNDONE
from plainloop.agent.errors import ConflictError, LeaseLost, NotFoundError, StoreError
from plainloop.agent.store import ledger as store_ledger
from plainloop.agent.store import runs as store_runs
from plainloop.agent.store.api import list_unfinished_runs
from plainloop.agent.store.events import leave_room
from plainloop.agent.store.learned.votes import Vote, build_vote, find_templates, from_rows, learn
from plainloop.agent.store.records import AvoidedCall, LastWords, RunEnd
from plainloop.agent.store.runs import load_prompt_read
from plainloop.agent.store.store import Store
from plainloop.agent.store.threads import insert_messages
from plainloop.agent.types import Usage
from tests.core.store_samples import (
    STARTED_AT,
    answer,
    begin_run,
    create_thread,
    get_texts,
    make_call_start,
    make_event,
    make_settled,
    make_step,
    make_text,
    make_tool_answer,
    make_tool_call,
    make_tool_use,
    wait_for_lock,
)


async def test_message_and_run_are_stored_before_anything_else(store: Store) -> None:
    thread = await create_thread(store)
    run = await begin_run(store, thread, "how many jobs?")
    assert (run.fence, run.attempt, run.input_position, run.next_seq) == (1, 1, 0, 1)
    info = await store.load_run("acme", "ann", run.run_id)
    assert (info.status, info.ended_at, info.input_position) == ("running", None, 0)
    messages = await store.load_messages("acme", thread.thread_id)
    assert messages == [{**make_text("user", "how many jobs?"), "tokens": 8, "offset": 0}]


async def test_beginning_a_run_returns_its_history_and_learned_templates(store: Store) -> None:
    thread = await create_thread(store)
    first = await begin_run(store, thread, "one", history_tokens=100, sentence=("one", "one"))
    assert (first.history, first.templates) == (None, []), "there is nothing to be read"
    await answer(store, first, "two")
    told = {"worker": "general"}
    for user_id in ("ann", "ben"):
        vote = Vote("say it", "say it", "say", told, "is said", is_within=False)
        await learn(store.read("acme"), [build_vote(user_id, "tracker", vote, None, 10)])
    second = await begin_run(store, thread, "3", history_tokens=100, sentence=("say it", "say"))
    await answer(store, second, "four")
    assert second.history == await store.load_messages(
        "acme", thread.thread_id, max_tokens=100, until_position=1
    )
    assert second.templates is not None
    found = await find_templates(store.read("acme"), "ann", "tracker", "say it", "say")
    assert from_rows(second.templates) == found != []

    third = await begin_run(store, thread, "five", history_tokens=1)
    assert third.history is not None
    assert get_texts(third.history) == ["3", "four"], "the newest exchange, whole"
    others = await create_thread(store, "evil")
    sentence = ("say it", "say")
    run = await begin_run(store, others, tenant_id="evil", history_tokens=9, sentence=sentence)
    assert (run.history, run.templates) == (None, [])


async def test_beginning_a_run_returns_the_results_of_the_packs_functions(store: Store) -> None:
    """The functions act as the run's tenant; what did not come is read when it is wanted."""
    async with store.database.connection() as connection:
        for name in ("first", "second"):
            await connection.execute(
                f"create function read_{name}(given json) returns json language sql as $$"
                f" select json_build_object('{name}', title, 'of', given ->> 'user_id')"
                " from threads where tenant_id = plainloop_act_as(given)"
                " and user_id = given ->> 'user_id' $$"
            )
    for tenant_id in ("evil", "acme"):
        thread = await store.create_thread(tenant_id, "ann", pack="tracker", title=tenant_id)
    reads = ("read_second", "read_first")
    run = await begin_run(store, thread, prompt_reads=reads)
    answers = {name: {name[5:]: "acme", "of": "ann"} for name in reads}
    assert run.prompt_read == answers
    bare, part = (replace(run, prompt_read=known) for known in (None, {"read_first": 1}))
    for name in reads:
        for known in (run, bare):
            assert await load_prompt_read(store.read("acme"), known, name) == answers[name]
    assert await load_prompt_read(store.read("acme"), part, "read_first") == 1
    assert await load_prompt_read(store.read("acme"), part, "read_second") == answers["read_second"]
    with pytest.raises(ConflictError, match="is busy"):
        await begin_run(store, thread, prompt_reads=reads)
    await answer(store, run)
    assert (await begin_run(store, thread)).prompt_read == {}
    other = await create_thread(store, user_id="bob")
    theirs = await begin_run(store, other, prompt_reads=("read_first",))
    assert theirs.prompt_read == {"read_first": {"first": "", "of": "bob"}}


async def test_messages_stored_while_a_run_waited_to_begin_are_read(store: Store) -> None:
    thread = await create_thread(store)
    await answer(store, await begin_run(store, thread, "one"), "two")
    async with store.transaction("acme") as tx:
        await insert_messages(tx, thread.thread_id, None, [make_text("assistant", "and this")])
        beginning = asyncio.create_task(begin_run(store, thread, "three", history_tokens=100))
        await wait_for_lock(store)
    run = await beginning
    assert (run.input_position, get_texts(run.history or [])) == (3, ["one", "two", "and this"])


async def test_steps_stored_together_update_the_thread_once(store: Store) -> None:
    thread = await create_thread(store)
    run = await begin_run(store, thread)
    said: list[Any] = [
        {"messages": [make_text("assistant", "one")], "data": {"a": 1, "b": 1}},
        {"data": {"b": 2}},
        {"messages": [make_text("assistant", "two"), make_text("user", "three")]},
    ]
    steps = [make_step(n, update=update, next_node=f"node{n}") for n, update in enumerate(said)]
    count = "select pg_stat_get_xact_tuples_updated('{}'::regclass)"
    tables = ("threads", "runs")
    async with store.transaction("acme") as tx:
        before = [await tx.fetchval(count.format(table)) for table in tables]
        await store_runs.record_steps(tx, run, steps)
        after = [await tx.fetchval(count.format(table)) for table in tables]

    # The run's row is only locked: the steps say where it stands.
    assert [a - b for b, a in zip(before, after, strict=True)] == [1, 0]
    (unfinished,) = await list_unfinished_runs(store.read("acme"), 9)
    assert (unfinished.run_id, unfinished.next_node) == (run.run_id, "node2")
    assert await list_unfinished_runs(store.read("umbrella"), 9) == []
    recorded = await store.load_steps("acme", run.run_id)
    assert [(step.next_node, get_texts(step.update.get("messages", []))) for step in recorded] == [
        ("node0", ["one"]),
        ("node1", []),
        ("node2", ["two", "three"]),
    ]
    loaded = await store.load_messages("acme", thread.thread_id)
    assert get_texts(loaded) == ["hello", "one", "two", "three"]
    tokens = [message.get("tokens", 0) for message in loaded]
    assert [message.get("offset") for message in loaded] == [0, *accumulate(tokens[:-1])]
    assert (await store.load_thread("acme", "ann", thread.thread_id)).data == {"a": 1, "b": 2}


async def test_a_stored_step_is_loaded_with_everything_in_it(store: Store) -> None:
    thread = await create_thread(store)
    run = await begin_run(store, thread)
    start = make_call_start(run)
    await store.record_call_start(start)
    own, ids = make_tool_call("c1"), ("acme", run.run_id)
    update: Any = {
        "messages": [make_tool_use("c1", status="saved", limit=3)],
        "tokens": {"in": 60, "out": 40},
        "data": {"b": 1, "a": [None, "é"]},
        "result": None,
    }
    step = make_step(
        update=update,
        next_node="worker.tools",
        calls=(make_settled(start),),
        tool_calls=(own, replace(own, tool_call_id="c2", idempotency_key=f"{run.run_id}:0:c2")),
        avoided=(AvoidedCall("evaluator", "too few tool calls", 700),),
        notes=("prompt read",),
        events=(make_event(1, "run_start", run_id=run.run_id),),
    )
    await store.record_steps(run, [step])
    (recorded,) = await store.load_steps("acme", run.run_id)
    sealed = {**update["messages"][0], "tokens": recorded.update["messages"][0]["tokens"]}
    assert (recorded.n, recorded.node, recorded.next_node) == (0, "worker", "worker.tools")
    assert recorded.update == {**update, "messages": [{**sealed, "offset": 5}]}
    assert (recorded.notes, recorded.avoided) == (step.notes, step.avoided)
    assert (recorded.started_at, recorded.duration_ms) == (STARTED_AT, 7)
    told = [(c.tool_call_id, c.idempotency_key) for c in await store.list_tool_calls(*ids)]
    assert told == [("c1", own.idempotency_key), ("c2", f"{run.run_id}:0:c2")]
    keys = await store.read("acme").fetch("select idempotency_key as key from tool_calls")
    assert {row["key"] for row in keys} == {own.idempotency_key, ""}
    assert (await store.load_thread("acme", "ann", thread.thread_id)).data == update["data"]
    (call,) = await store.list_calls("acme", run.run_id)
    assert call.usage == Usage(10, 20, 30, 40, None, raw={"input_tokens": 10})
    assert (call.status, call.cost_usd, call.first_token_ms) == ("succeeded", "0.00012", 120)
    assert (call.notes, call.stop, call.request_id) == (("asked once",), "end", "req_1")
    where = await store.read("acme").fetchval("select response_position from llm_calls")
    assert where == 1, "the answer is the thread's message, not a second copy"


async def test_the_key_order_of_arguments_survives(store: Store) -> None:
    # A changed order would break the provider's cached prefix from the next run on.
    thread = await create_thread(store)
    run = await begin_run(store, thread)
    message = make_tool_use("c1", zebra=1, apple=2, mango={"b": 1, "a": 2})
    await store.record_steps(run, [make_step(update={"messages": [message]})])
    loaded: Any = (await store.load_messages("acme", thread.thread_id))[1]
    arguments = loaded["parts"][0]["arguments"]
    assert list(arguments) == ["zebra", "apple", "mango"]
    assert list(arguments["mango"]) == ["b", "a"]


async def test_of_many_simultaneous_messages_one_starts_a_run(store: Store) -> None:
    thread = await create_thread(store)
    tries = [begin_run(store, thread, f"try {n}") for n in range(20)]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    refused = [o for o in outcomes if isinstance(o, ConflictError) and o.code == "THREAD_BUSY"]
    assert len(refused) == 19, outcomes
    assert all(item.hint for item in refused)
    assert len(await store.load_messages("acme", thread.thread_id)) == 1


async def test_an_expired_lease_allows_a_new_run(store: Store) -> None:
    thread = await create_thread(store)
    left = await begin_run(store, thread, owner="elsewhere/1/1", lease_s=0)
    step = make_step(
        update={"messages": [make_tool_use("c1"), make_tool_answer("c1", 1), make_tool_use("c2")]},
        next_node="worker.tools",
        tool_calls=(
            make_tool_call("c2", status="started", effect="external"),
            make_tool_call("c3", status="planned"),
        ),
        events=(make_event(1, "run_start"), make_event(2, "text_delta", content="I look")),
    )
    await store.record_steps(left, [step])
    await store.record_call_start(make_call_start(left))
    run = await begin_run(store, thread, "are you there?")

    closed = await store.load_run("acme", "ann", left.run_id)
    assert (closed.status, closed.error_code) == ("failed", "INTERRUPTED")
    assert closed.ended_at is not None
    messages = await store.load_messages("acme", thread.thread_id)
    assert [m["role"] for m in messages] == [
        *("user", "assistant", "tool", "assistant", "tool", "user")
    ]
    repaired: Any = messages[4]["parts"]
    assert [(p["id"], p["result"], p["is_error"]) for p in repaired] == [
        ("c2", {"error": INTERRUPTED}, True)
    ]
    last = (await store.load_events("acme", left.run_id))[-1]
    assert (last["seq"], last["event"], last["data"]["code"]) == (
        leave_room(2),
        "error",
        "INTERRUPTED",
    )
    statuses = {c.tool_call_id: c.status for c in await store.list_tool_calls("acme", left.run_id)}
    assert statuses == {"c2": "unknown", "c3": "interrupted"}
    assert [c.status for c in await store.list_calls("acme", left.run_id)] == ["cut"]
    with pytest.raises(LeaseLost):
        await answer(store, left)
    await answer(store, run)


@pytest.mark.parametrize(
    ("effect", "status", "told"),
    [
        ("external", "started", INTERRUPTED),
        ("external", "planned", UNDONE),
        ("write", "started", UNDONE),
        ("read", "started", UNDONE),
    ],
)
async def test_a_lost_call_says_whether_its_effect_was_undone(
    store: Store, effect: str, status: str, told: str
) -> None:
    for tenant in ("umbrella", "acme"):  # what another one's tool did outside tells nothing here
        thread = await create_thread(store, tenant)
        left = await begin_run(store, thread, owner="elsewhere/1/1", lease_s=0, tenant_id=tenant)
        what = ("external", "started") if tenant == "umbrella" else (effect, status)
        step = make_step(
            update={"messages": [make_tool_use("c1")]},
            next_node="worker.tools",
            tool_calls=(make_tool_call("c1", effect=what[0], status=what[1]),),
        )
        await store.record_steps(left, [step])
    await begin_run(store, thread, "are you there?")

    answered = (await store.load_messages("acme", thread.thread_id))[2]["parts"][0]
    assert answered["type"] == "tool_result"
    assert answered["result"] == {"error": told}


async def test_a_call_begins_when_it_is_recorded_not_with_its_transaction(store: Store) -> None:
    run = await begin_run(store, await create_thread(store))
    async with store.transaction("acme") as tx:
        await tx.execute("select")  # its transaction has begun
        opened_at = await tx.fetchval("select clock_timestamp()")
        await store_ledger.record_call_start(tx, make_call_start(run))
    (call,) = await store.list_calls("acme", run.run_id)
    assert call.created_at >= opened_at


async def test_an_owner_that_wakes_after_its_lease_writes_nothing(store: Store) -> None:
    thread = await create_thread(store)
    run = await begin_run(store, thread)
    stale = replace(run, fence=0)
    step = make_step(
        update={"messages": [make_text("assistant", "late")], "data": {"late": True}},
        events=(make_event(1, "node_start"),),
    )
    for write in (
        store.record_steps(stale, [step]),
        store.finish_run(
            stale, RunEnd("failed"), LastWords(messages=[make_text("assistant", "late")])
        ),
        store.open_step_transaction(stale),
    ):
        with pytest.raises(LeaseLost):
            await write
    late = [make_event(1, "text_delta", content="late")]
    assert await store.record_event_batches([(stale, late)]) == set()
    assert await store.load_steps("acme", run.run_id) == []
    assert await store.load_events("acme", run.run_id) == []
    assert len(await store.load_messages("acme", thread.thread_id)) == 1
    assert (await store.load_thread("acme", "ann", thread.thread_id)).data == {}
    await answer(store, run)


async def test_a_step_is_written_whole_or_not_at_all(store: Store) -> None:
    thread = await create_thread(store)
    run = await begin_run(store, thread)
    start = make_call_start(run)
    await store.record_call_start(start)
    good = make_step(
        update={"messages": [make_text("assistant", "x")]}, calls=(make_settled(start),)
    )
    broken = [
        replace(good, tool_calls=(make_tool_call("c1", effect="no such effect"),)),
        replace(good, calls=(make_settled(start, status="no such status"),)),
        replace(good, node=cast(Any, None)),
    ]
    for step in broken:
        with pytest.raises(Exception, match="(check|not-null) constraint"):
            await store.record_steps(run, [step])
    assert await store.load_steps("acme", run.run_id) == []
    assert len(await store.load_messages("acme", thread.thread_id)) == 1
    assert (await store.list_calls("acme", run.run_id))[0].status == "started"
    await store.record_steps(run, [good])
    assert get_texts(await store.load_messages("acme", thread.thread_id)) == ["hello", "x"]


WRONG = {
    "threads_kind_check": "update threads set kind = 'gossip'",
    "runs_status_check": "update runs set status = 'nearly', ended_at = now()",
    "ended_when_terminal": "update runs set ended_at = now()",
    "messages_role_check": "update messages set role = 'system'",
    "tool_calls_status_check": "update tool_calls set status = ''",
    "tool_calls_effect_check": "update tool_calls set effect = 'READ'",
    "llm_calls_status_check": "update llm_calls set status = 'started '",
}


@pytest.mark.parametrize("check", WRONG)
async def test_database_constraints_refuse_unknown_values(store: Store, check: str) -> None:
    run = await begin_run(store, await create_thread(store))
    await store.record_call_start(make_call_start(run))
    await store.record_steps(run, [make_step(tool_calls=(make_tool_call("c1"),))])
    async with store.database.connection() as connection:
        with pytest.raises(asyncpg.CheckViolationError) as refused:
            await connection.execute(WRONG[check])
    assert refused.value.as_dict()["constraint_name"] == check


async def test_a_step_that_another_owner_stored_is_a_store_error(store: Store) -> None:
    """The next owner ends the transaction of a process that stands still, and stores the step."""
    run = await begin_run(store, await create_thread(store))
    tx = await store.open_step_transaction(run)
    await store.read("acme").execute("update runs set fence = fence + 1")
    await store.record_steps(replace(run, fence=run.fence + 1), [make_step()])
    tx._connection.terminate()  # type: ignore[reportPrivateUsage]
    with pytest.raises(StoreError):
        await store.record_steps(run, [make_step()], tx, make_call_start(run, fence=run.fence))
    assert await store.list_calls("acme", run.run_id) == []


async def test_a_second_message_is_refused_at_once_while_a_tool_writes(store: Store) -> None:
    thread = await create_thread(store)
    run = await begin_run(store, thread)
    tx = await store.open_step_transaction(run)
    with pytest.raises(ConflictError) as refused:
        async with asyncio.timeout(10):
            await begin_run(store, thread, "hurry")
    assert refused.value.code == "THREAD_BUSY"
    await tx.rollback()


async def test_a_failed_run_keeps_its_partial_text_and_closes_open_calls(store: Store) -> None:
    thread = await create_thread(store)
    run = await begin_run(store, thread)
    start = make_call_start(run)
    await store.record_call_start(start)
    await store.record_steps(
        run,
        [
            make_step(
                update={"messages": [make_tool_use("c1")]},
                tool_calls=(make_tool_call("c1", status="planned"),),
            )
        ],
    )
    await store.finish_run(
        run,
        RunEnd("cancelled", "CANCELLED", "the run was cancelled"),
        LastWords(
            messages=[make_text("assistant", "so far")],
            calls=[make_settled(start, status="cancelled", usage=Usage(source="missing"))],
            tool_calls=[make_tool_call("c1", status="interrupted")],
            events=[make_event(1, "error", message="the run was cancelled", code="CANCELLED")],
            notes=["stopped by hand"],
        ),
    )
    messages = await store.load_messages("acme", thread.thread_id)
    assert [m["role"] for m in messages] == ["user", "assistant", "tool", "assistant"]
    assert [m["offset"] for m in messages[1:]] == [
        sum(m["tokens"] for m in messages[:n]) for n in (1, 2, 3)
    ]
    assert [e["event"] for e in await store.load_events("acme", run.run_id)] == ["error"]
    (call,) = await store.list_calls("acme", run.run_id)
    assert (call.status, call.usage.source, call.usage.input_tokens) == (
        "cancelled",
        "missing",
        None,
    )
    assert (await begin_run(store, thread, "next")).input_position == 4


async def test_a_reused_idempotency_key_starts_no_second_run(store: Store) -> None:
    thread = await create_thread(store)
    run = await begin_run(store, thread, idempotency_key="k1", request_hash="h1")
    await answer(store, run)
    with pytest.raises(ConflictError) as same:
        await begin_run(store, thread, idempotency_key="k1", request_hash="h1")
    with pytest.raises(ConflictError) as other:
        await begin_run(store, thread, idempotency_key="k1", request_hash="h2")
    assert (same.value.code, other.value.code) == ("RUN_EXISTS", "IDEMPOTENCY_REUSED")
    causes = [same.value.__cause__, other.value.__cause__]
    assert [type(cause) for cause in causes] == [asyncpg.UniqueViolationError] * 2
    found = await store.load_run_by_key("acme", "ann", "k1")
    assert found is not None
    assert found.run_id == run.run_id
    assert await store.load_run_by_key("acme", "bob", "k1") is None
    assert len(await store.load_messages("acme", thread.thread_id)) == 2


async def test_a_heartbeat_returns_the_runs_still_held(store: Store) -> None:
    first, second = await create_thread(store), await create_thread(store, "umbrella", "eve")
    mine = await begin_run(store, first, owner="me/1/1", lease_s=0.0)
    theirs = await begin_run(store, second, tenant_id="umbrella", owner="me/1/1", lease_s=0.0)
    await begin_run(store, await create_thread(store), owner="other/1/1")
    ids = [mine.run_id, theirs.run_id]
    assert await store.queue.cancel("umbrella", "eve", second.thread_id) == theirs.run_id
    assert await store.queue.heartbeat("me/1/1", ids, 30) == {
        mine.run_id: False,
        theirs.run_id: True,
    }
    with pytest.raises(ConflictError):
        await begin_run(store, first, "the lease was extended")
    await answer(store, mine)
    assert await store.queue.heartbeat("me/1/1", ids, 30) == {theirs.run_id: True}
    assert await store.queue.cancel("acme", "ann", first.thread_id) is None


async def test_a_run_in_a_missing_thread_is_refused(store: Store) -> None:
    thread = await create_thread(store)
    stranger = replace(thread, user_id="bob")
    for missing in (stranger, replace(thread, thread_id="no uuid")):
        with pytest.raises(NotFoundError):
            await begin_run(store, missing)
    assert await store.list_runs("acme", thread.thread_id) == []
