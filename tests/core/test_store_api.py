"""What pages, operators and replays read: conversations, tickets, replicas, recordings."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import pytest

from plainloop.agent.base.ids import make_id
from plainloop.agent.errors import NotFoundError
from plainloop.agent.store.api import (
    ConversationFilter,
    RunCount,
    StoredMessage,
    TicketOwner,
    UnfinishedRun,
    count_unfinished_runs,
    end_session,
    find_session,
    list_conversations,
    list_facts,
    list_messages,
    list_replicas,
    list_unfinished_runs,
    load_answer_position,
    load_capacity,
    record_replica,
    redeem_ticket,
    save_ticket,
)
from plainloop.agent.store.outcomes.failures import FailureCause, list_failures
from plainloop.agent.store.outcomes.ratings import list_ratings, save_rating
from plainloop.agent.store.recordings import load_code_parts, save_code_parts
from plainloop.agent.store.records import RunEnd, RunStart
from plainloop.agent.store.runs import load_cut_result
from plainloop.agent.store.store import Store
from plainloop.agent.types import RunOptions
from tests.core.store_samples import (
    answer,
    begin_run,
    create_thread,
    make_call_start,
    make_settled,
    make_step,
    make_text,
    make_tool_call,
    make_tool_use,
)

NOW = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("role", "is_call", "next_role", "run_status", "status"),
    [
        ("user", False, None, "failed", "complete"),
        ("tool", False, "assistant", "running", "complete"),
        ("assistant", False, None, "succeeded", "complete"),
        ("assistant", False, None, "cancelled", "cancelled"),
        ("assistant", False, None, "failed", "failed"),
        ("assistant", False, None, "limit", "limit"),
        ("assistant", False, None, "running", "complete"),
        ("assistant", False, "assistant", None, "superseded"),
        ("assistant", True, "assistant", None, "complete"),
        ("assistant", False, "tool", None, "complete"),
    ],
)
def test_a_listed_message_states_whether_its_answer_was_finished(
    role: Any, is_call: bool, next_role: Any, run_status: Any, status: str
):
    parts = (make_tool_use("c1") if is_call else make_text("assistant", "a"))["parts"]
    message = StoredMessage(3, role, parts, "r", NOW, next_role, run_status)
    assert (message.status, message.message) == (status, {"role": role, "parts": parts})


async def test_a_page_of_messages_ends_below_a_position(store: Store):
    thread = await create_thread(store)
    await store.save_message("acme", thread.thread_id, None, make_text("user", "before"))
    run = await begin_run(store, thread, "hello")
    said: Any = {"messages": [make_text("assistant", "draft"), make_text("assistant", "done")]}
    await store.record_steps(run, [make_step(update=said, end=RunEnd("succeeded"))])
    db = store.read("acme")

    async def show(limit: int, before: int | None) -> list[tuple[Any, ...]]:
        listed = await list_messages(db, thread.thread_id, limit, before)
        return [(m.position, m.role, m.run_id, m.next_role, m.run_status) for m in listed]

    whole = [
        (0, "user", None, None, None),
        (1, "user", run.run_id, "assistant", None),
        (2, "assistant", run.run_id, "assistant", None),
        (3, "assistant", run.run_id, None, "succeeded"),
    ]
    assert (await show(9, None), await show(2, None), await show(2, 3)) == (
        whole,
        whole[2:],
        whole[1:3],
    )
    assert await load_answer_position(db, thread.thread_id, run.run_id) == 3
    assert await load_answer_position(db, thread.thread_id, make_id()) is None
    theirs = store.read("umbrella")
    assert await list_messages(theirs, thread.thread_id, 9, None) == []
    assert await load_answer_position(theirs, thread.thread_id, run.run_id) is None


async def test_each_filter_selects_the_matching_conversations(store: Store):
    first, second, theirs = [
        await store.create_thread("acme", user_id, pack="tracker", title=title)
        for user_id, title in (("ann", "Jobs"), ("ann", "Notes of Cook"), ("bob", "Bob's"))
    ]
    await store.create_thread("acme", "ann", pack="tracker", kind="parse")
    run = await begin_run(store, first, "Find me a cook", options=RunOptions(tags=("vip",)))
    await store.record_call_start(start := make_call_start(run, worker="baker"))
    step = make_step(calls=(make_settled(start),), end=RunEnd("succeeded"))
    update: Any = {"fast_intent": "count"}
    tool_calls = (make_tool_call("c1", name="look", status="failed"),)
    await store.record_steps(run, [replace(step, update=update, tool_calls=tool_calls)])
    async with store.transaction("acme") as tx:
        await save_rating(tx, "ann", run.run_id, "down", "")
    names = {item.thread_id: name for item, name in ((first, 1), (second, 2), (theirs, 3))}
    db, hour = store.read("acme"), timedelta(hours=1)

    async def show(user_id: str | None = "ann", limit: int = 9, **rest: Any) -> list[int]:
        wanted = ConversationFilter(**rest)
        found = await list_conversations(db, user_id, "chat", limit, None, wanted)
        return [names[item.thread_id] for item in found]

    assert (await show(), await show(None), await show("bob")) == ([1, 2], [1, 3, 2], [3])
    assert (await show(None, 1), await show("eve")) == ([1], [])
    chosen: dict[str, Any]
    for chosen in (
        {"tag": "vip"},
        {"design": "default"},
        {"status": "succeeded"},
        {"worker": "baker"},
        {"tool": "look"},
        {"intent": "count"},
        {"text": "FIND ME"},
        {"problem": "tool"},
        {"problem": "rating", "tool": "look"},
        {"model": start.model},
    ):
        assert await show(**chosen) == [1], chosen
    for name in ("tag", "design", "status", "worker", "tool", "intent", "text"):
        chosen = {name: "nothing"}
        assert await show(**chosen) == [], name
    assert await show(problem="run") == []
    facts = await list_facts(db, [first.thread_id, second.thread_id, theirs.thread_id])
    seen = {names[key]: (it.models, it.tool_failed, it.rated_bad) for key, it in facts.items()}
    nothing = ([], False, False)
    assert seen == {1: ([start.model], True, True), 2: nothing, 3: nothing}
    assert (await show(text="cook"), await show(text="cook", limit=1)) == ([1, 2], [1])
    assert (await show(text="co"), await show(text="notes of"), await show(text="zz")) == (
        [1, 2],
        [2],
        [],
    )
    assert (await show(since=datetime.now(UTC) - hour), await show(since=datetime.now(UTC))) == (
        [1, 2],
        [],
    )
    assert (await show(until=datetime.now(UTC)), await show(until=datetime.now(UTC) - hour)) == (
        [1, 2],
        [],
    )
    last = (await list_conversations(db, None, "chat", 1, None))[0]
    assert last.last_status == "succeeded"
    for wanted in (ConversationFilter(), ConversationFilter(text="notes")):
        after = (last.updated_at, last.thread_id)
        page = await list_conversations(db, "ann", "chat", 9, after, wanted)
        assert [names[item.thread_id] for item in page] == [2]


async def test_runs_without_an_answer_are_found_as_problems(store: Store):
    first, _ = [
        await store.create_thread("acme", "ann", pack="tracker", title=title) for title in "ab"
    ]
    run = await begin_run(store, first, "Stop")
    await store.record_steps(run, [make_step(end=RunEnd("limit"))])
    expected: dict[Literal["run", "tool", "rating"], list[str]]
    expected = {"run": ["a"], "tool": [], "rating": []}
    for problem, found in expected.items():
        wanted = ConversationFilter(problem=problem)
        listed = await list_conversations(store.read("acme"), "ann", "chat", 9, None, wanted)
        assert [thread.title for thread in listed] == found, problem


@pytest.mark.parametrize("at_once", [2, 3, 8])
async def test_a_search_continues_until_its_page_is_full(
    at_once: int, store: Store, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("plainloop.agent.store.api.SEARCHED_AT_ONCE", at_once)
    titles = ["rare 1", "rare 2", "x", "x", "rare 3", "x", "x", "rare 4"]
    for title in titles:
        await store.create_thread("acme", "ann", pack="tracker", title=title)
    for limit in (1, 2, 3, 4, 9):
        wanted = ConversationFilter(text="rare")
        found = await list_conversations(store.read("acme"), "ann", "chat", limit, None, wanted)
        newest = ["rare 4", "rare 3", "rare 2", "rare 1"]
        assert [item.title for item in found] == newest[:limit]


async def test_a_ticket_works_once_and_a_session_until_its_end(store: Store):
    db, until = store.read("acme"), datetime.now(UTC) + timedelta(days=1)
    whole: dict[str, Any] = {"is_admin": True, "valid_s": 60.0, "identity_expires_at": until}
    plain: dict[str, Any] = {"is_admin": False, "valid_s": 60.0, "identity_expires_at": None}
    key_id = make_id()
    await save_ticket(db, "ticket", "ann", **whole)
    await save_ticket(db, "session", "bob", **plain, is_session=True, key_id=key_id)
    await save_ticket(db, "late", "ann", **{**plain, "valid_s": -1.0})
    await save_ticket(db, "late session", "ann", **{**plain, "valid_s": -1.0}, is_session=True)

    for secret in ("late", "session", "other"):
        assert await redeem_ticket(db, secret) is None
    assert await redeem_ticket(store.read("umbrella"), "ticket") is None
    assert await redeem_ticket(db, "ticket") == TicketOwner("ann", True, until)
    assert await redeem_ticket(db, "ticket") is None
    owner = TicketOwner("bob", False, None, key_id)
    assert [await find_session(db, "session") for _ in range(2)] == [owner, owner]
    for secret in ("late session", "ticket", "other"):
        assert await find_session(db, secret) is None
    assert await find_session(store.read("umbrella"), "session") is None
    await end_session(store.read("umbrella"), "session")
    assert await find_session(db, "session") == owner
    await end_session(db, "session")
    assert await find_session(db, "session") is None


async def test_replicas_register_and_unregister(store: Store):
    before = (await load_capacity(store)).replicas
    await record_replica(store, "one", is_draining=False)
    await record_replica(store, "two", is_draining=False)
    await record_replica(store, "two", is_draining=True)
    listed = await list_replicas(store)
    assert [(it.owner, it.is_draining, it.is_silent) for it in listed] == [
        ("one", False, False),
        ("two", True, False),
    ]
    capacity = await load_capacity(store)
    assert (before, capacity.replicas) == (0, 1)
    assert capacity.room > 0 and capacity.others >= 0


async def test_runs_that_have_not_ended_are_listed_oldest_first(store: Store):
    thread, other = await create_thread(store), await create_thread(store, user_id="bob")
    run = await begin_run(store, thread, owner="me")
    start = RunStart("bob", other.thread_id, make_text("user", "x"), "default", "tracker")
    queued = await store.queue.enqueue_run("acme", start)
    await answer(store, await begin_run(store, await create_thread(store)))
    db = store.read("acme")
    found = await list_unfinished_runs(db, 9)
    assert [replace(item, created_at=NOW) for item in found] == [
        UnfinishedRun(run.run_id, thread.thread_id, "ann", "running", "me", 1, None, NOW),
        UnfinishedRun(queued, other.thread_id, "bob", "queued", None, 0, None, NOW),
    ]
    assert [item.run_id for item in await list_unfinished_runs(db, 1)] == [run.run_id]
    counts = sorted(await count_unfinished_runs(db), key=lambda item: item.status)
    assert counts == [
        RunCount("queued", None, 1, found[1].created_at),
        RunCount("running", "me", 1, found[0].created_at),
    ]
    assert await list_unfinished_runs(store.read("umbrella"), 9) == []
    assert await count_unfinished_runs(store.read("umbrella")) == []


async def test_failures_are_counted_by_their_cause(store: Store):
    runs: list[Any] = []
    for user_id, code in (("ann", "E1"), ("ann", "E2"), ("bob", "E1"), ("ann", None)):
        run = await begin_run(store, await create_thread(store, user_id=user_id))
        await store.record_call_start(start := make_call_start(run))
        call = make_settled(start, status="failed", error_code=code, error_message="down")
        end = RunEnd("failed", code, "it failed") if code else RunEnd("succeeded")
        await store.record_steps(run, [make_step(calls=(call,), end=end)])
        runs.append(run)
    hour = timedelta(hours=1)
    async with store.transaction("acme") as tx:
        now = datetime.now(UTC)
        found = await list_failures(tx, now - hour, None, 9)
        assert await list_failures(tx, now - hour, now + hour, 1) == found[:1]
        assert await list_failures(tx, now - hour, now - hour, 9) == []
        assert await list_failures(tx, now + hour, None, 9) == []
    async with store.transaction("umbrella") as tx:
        assert await list_failures(tx, now - hour, None, 9) == []
    one, two = (replace(item, first_at=NOW, last_at=NOW) for item in found)
    model = ("anthropic", "some-model", "down")
    assert one == FailureCause("E1", *model, 2, 2, NOW, NOW, [runs[2].run_id, runs[0].run_id])
    assert two == FailureCause("E2", *model, 1, 1, NOW, NOW, [runs[1].run_id])


async def test_a_users_newest_rating_replaces_the_older_one(store: Store):
    thread = await create_thread(store)
    await answer(store, run := await begin_run(store, thread))
    async with store.transaction("acme") as tx:
        made = await save_rating(tx, "ann", run.run_id, "up", "good")
        again = await save_rating(tx, "ann", run.run_id, "down", "")
        listed = await list_ratings(tx, thread.thread_id)
        assert await list_ratings(tx, thread.thread_id, run.run_id) == listed == [again]
        assert await list_ratings(tx, thread.thread_id, make_id()) == []
        with pytest.raises(NotFoundError):
            await save_rating(tx, "bob", run.run_id, "up", "")
        assert await save_rating(tx, "bob", run.run_id, None, "") is None
        assert await list_ratings(tx, thread.thread_id) == listed
        assert await save_rating(tx, "ann", run.run_id, None, "") is None
        assert await list_ratings(tx, thread.thread_id) == []
    assert made and again
    assert (made.rating, made.note, again.rating, again.note) == ("up", "good", "down", "")


async def test_code_versions_are_stored_by_part_under_their_first_name(store: Store):
    await save_code_parts(store, "ab", {"core": "1"})
    await save_code_parts(store, "ab", {"core": "2"})
    async with store.transaction("acme") as tx:
        assert await load_code_parts(tx, "ab") == {"core": "1"}
        assert await load_code_parts(tx, "cd") == {}


async def test_the_newest_cut_result_is_loaded_whole(store: Store):
    thread = await create_thread(store)
    for n in range(3):
        run = await begin_run(store, thread)
        receipt = {"whole": n} if n else {}
        record = make_tool_call("c1", name="look", receipt=receipt)
        step = make_step(tool_calls=(record,), end=RunEnd("succeeded"))
        await store.record_steps(run, [step])
    async with store.transaction("acme") as tx:
        found = [await load_cut_result(tx, thread.thread_id, "look", back) for back in range(3)]
        assert found == [2, 1, None]
        assert await load_cut_result(tx, thread.thread_id, "other", 0) is None
        assert await load_cut_result(tx, make_id(), "look", 0) is None


async def test_a_step_transactions_connection_is_counted_as_plainloops(store: Store):
    run = await begin_run(store, await create_thread(store))
    tx = await store.open_step_transaction(run)
    sql = (
        "select count(*) from pg_stat_activity"
        " where datid is not null and application_name not like 'plainloop%'"
    )
    counts: tuple[int, int, int] = (0, 1, 2)
    for _ in range(100):  # other tests open and close connections of theirs meanwhile
        before = await store.read("acme").fetchval(sql)
        others = (await load_capacity(store)).others
        counts = (before, others, await store.read("acme").fetchval(sql))
        if len({*counts}) == 1:
            break
    assert len({*counts}) == 1, counts
    await tx.rollback()
