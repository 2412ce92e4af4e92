"""Runs that change hands: each claim has one winner, in order, and only what is nobody's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace

import pytest

from plainloop.agent.base.ids import make_id
from plainloop.agent.errors import LeaseLost, NotFoundError
from plainloop.agent.store import ledger as store_ledger
from plainloop.agent.store.leases import make_owner
from plainloop.agent.store.outcomes import ending
from plainloop.agent.store.records import Run, RunEnd, RunStart
from plainloop.agent.store.store import Store
from plainloop.agent.types import RunOptions, ToolSchema
from tests.core.store_samples import (
    answer,
    begin_run,
    create_thread,
    get_texts,
    make_call_start,
    make_step,
    make_text,
    wait_for_lock,
)

Connect = Callable[[], Awaitable[Store]]


def make_start(thread_id: str, text: str) -> RunStart:
    return RunStart("ann", thread_id, make_text("user", text), "default", "tracker")


async def test_each_lost_run_is_claimed_by_one_process(store: Store, connect: Connect) -> None:
    runs = [
        await begin_run(
            store, await create_thread(store, tenant), tenant_id=tenant, owner="x/1/1", lease_s=0.0
        )
        for tenant in ("acme", "umbrella") * 10
    ]
    stores = [await connect() for _ in range(4)]
    claimed = await asyncio.gather(
        *(each.queue.claim_lost_runs(f"y/{n}/1", 30) for n, each in enumerate(stores * 3))
    )
    taken = [claim.run.run_id for claims in claimed for claim in claims]
    assert sorted(taken) == sorted(run.run_id for run in runs)
    assert {claim.run.fence for claims in claimed for claim in claims} == {2}
    assert {claim.run.attempt for claims in claimed for claim in claims} == {2}
    assert await store.queue.claim_lost_runs("z/1/1", 30) == []


async def test_a_call_started_during_a_takeover_is_recorded_or_not_made(store: Store) -> None:
    run = await begin_run(store, await create_thread(store), lease_s=0.0)
    start = make_call_start(run, fence=run.fence)
    async with store.transaction("acme") as tx:
        await store_ledger.record_call_start(tx, start)
        assert await store.queue.claim_lost_runs("y/1/1", 30) == [], "not before it can be seen"
    (claim,) = await store.queue.claim_lost_runs("y/1/1", 30)
    await store.queue.load_resume_point(claim)
    (call,) = await store.list_calls("acme", run.run_id)
    assert (call.status, call.error_code) == ("cut", "INTERRUPTED")

    async with store.transaction("acme") as tx:
        await tx.execute(
            "with found as (select from runs for update)"
            " update runs set fence = fence + 1 where exists (select from found)"
        )
        late = make_call_start(run, fence=claim.run.fence)
        calling = asyncio.create_task(store.record_call_start(late))
        await wait_for_lock(store)
    with pytest.raises(LeaseLost):
        await calling


async def test_a_call_that_begins_while_its_run_ends_is_closed_or_not_made(store: Store) -> None:
    run = await begin_run(store, await create_thread(store))
    start = make_call_start(run, fence=run.fence)
    async with store.transaction("acme") as tx:
        await store_ledger.record_call_start(tx, start)  # cancelled, say, but still on its way
        finishing = asyncio.create_task(store.finish_run(run, RunEnd("cancelled", "CANCELLED", "")))
        await wait_for_lock(store)
    await finishing
    (call,) = await store.list_calls("acme", run.run_id)
    assert (call.status, call.error_code) == ("cut", "CANCELLED")

    run = await begin_run(store, await create_thread(store))
    async with store.transaction("acme") as tx:
        await ending.end_run(tx, run, RunEnd("cancelled", "CANCELLED", ""))
        late = make_call_start(run, fence=run.fence)
        calling = asyncio.create_task(store.record_call_start(late))
        await wait_for_lock(store)
    with pytest.raises(LeaseLost):
        await calling
    assert await store.list_calls("acme", run.run_id) == []


async def test_only_runs_without_an_owner_are_claimed(store: Store) -> None:
    mine = await begin_run(store, await create_thread(store), owner="me/1/1")
    theirs = await begin_run(store, await create_thread(store), owner="other/1/1")
    late = await begin_run(store, await create_thread(store), owner="me/1/1", lease_s=0.0)
    queue = store.queue
    dropped = [mine.run_id, theirs.run_id]
    claims = await queue.claim_lost_runs("me/1/1", 30, dropped=dropped, held=[late.run_id])
    assert [claim.run.run_id for claim in claims] == [mine.run_id]
    dead = f"{make_owner()}0"  # our process id, but started at another time
    change = "update runs set owner = $2 where run_id = $1"
    await store.read("acme").execute(change, theirs.run_id, dead)
    claims = await queue.claim_lost_runs("new/1/1", 30, held=[late.run_id])
    assert [claim.run.run_id for claim in claims] == [theirs.run_id]
    assert await queue.claim_lost_runs("new/1/1", 30, run_id=theirs.run_id) == []
    (taken,) = await queue.claim_lost_runs("new/1/1", 30, run_id=late.run_id)
    assert taken.run.fence == 2


async def test_a_handed_back_run_is_claimable_and_counts_as_no_crash(store: Store) -> None:
    run = await begin_run(store, await create_thread(store), owner="me/1/1")
    await store.queue.hand_back(run)
    (claim,) = await store.queue.claim_lost_runs("new/1/1", 30)
    assert (claim.run.attempt, claim.run.fence) == (1, 2)
    await store.queue.hand_back(run)
    assert await store.queue.claim_lost_runs("third/1/1", 30) == [], "it was not the old one's"
    await store.queue.hand_back_all("new/1/1")
    assert len(await store.queue.claim_lost_runs("third/1/1", 30)) == 1


async def test_a_paused_run_has_no_owner_and_counts_as_no_crash(store: Store) -> None:
    thread, others = await create_thread(store), await create_thread(store, "evil")
    run = await begin_run(store, thread, owner="me/1/1")
    await begin_run(store, others, tenant_id="evil", owner="me/1/1")
    place = (thread.thread_id, [])
    assert not await store.queue.is_held_up("acme", *place), "its owner works on it"
    assert await store.queue.is_held_up("acme", thread.thread_id, [run.run_id])
    await store.queue.hand_back(run, pause_s=3600.0)
    for owner in ("me/1/1", "new/1/1"):
        assert await store.queue.claim_lost_runs(owner, 30, dropped=[run.run_id]) == []
    assert await store.queue.is_held_up("acme", *place)
    assert not await store.queue.is_held_up("evil", *place)
    assert not await store.queue.is_held_up("evil", others.thread_id, [])
    await store.read("acme").execute("update runs set lease_until = now()")
    (claim,) = await store.queue.claim_lost_runs("new/1/1", 30)
    assert (claim.run.run_id, claim.run.attempt, claim.run.fence) == (run.run_id, 1, 2)
    assert not await store.queue.is_held_up("acme", *place)


async def test_after_a_crash_only_runs_waiting_for_a_model_resume_at_once(store: Store) -> None:
    waits, acts = [
        await begin_run(store, await create_thread(store), owner="x/1/1", lease_s=0.0)
        for _ in range(2)
    ]
    await store.record_call_start(make_call_start(waits, fence=waits.fence))
    claims = await store.queue.claim_lost_runs("y/1/1", 30, pause_s=60.0, attempts=3)
    assert {claim.run.run_id: claim.is_paused for claim in claims} == {
        waits.run_id: False,
        acts.run_id: True,
    }
    assert await store.queue.claim_lost_runs("z/1/1", 30, pause_s=60.0, attempts=3) == []
    with pytest.raises(LeaseLost):
        await store.record_steps(acts, [make_step()])  # its owner, if it wakes up
    await end_pauses(store)
    (taken,) = await store.queue.claim_lost_runs("z/1/1", 30, pause_s=60.0, attempts=3)
    assert (taken.run.run_id, taken.run.attempt, taken.is_paused) == (acts.run_id, 2, False)


async def end_pauses(store: Store) -> None:
    for tenant_id in ("acme", "umbrella"):
        sql = "update runs set lease_until = now() where owner is null"
        await store.read(tenant_id).execute(sql)


async def test_runs_that_crashed_twice_are_retried_one_at_a_time_everywhere(
    store: Store, connect: Connect
) -> None:
    for tenant_id in ("acme", "umbrella") * 3:
        thread = await create_thread(store, tenant_id)
        run = await begin_run(store, thread, tenant_id=tenant_id, owner="x/1/1", lease_s=0.0)
        await store.read(tenant_id).execute(
            "update runs set attempt = 2 where run_id = $1", run.run_id
        )
    quarantine = {"pause_s": 60.0, "attempts": 3}
    paused = await store.queue.claim_lost_runs("y/1/1", 30, **quarantine)
    assert [claim.is_paused for claim in paused] == [True] * 6
    await end_pauses(store)
    assert await store.queue.claim_lost_runs("y/1/1", 30, **quarantine) == []
    stores = [await connect() for _ in range(4)]
    for _ in range(6):
        tries = (each.queue.claim_suspect(f"y/{n}/1", 30) for n, each in enumerate(stores))
        (one,) = [claim for claim in await asyncio.gather(*tries) if claim is not None]
        await answer(store, one.run)
    assert await store.queue.claim_suspect("y/1/1", 30) is None


async def test_a_run_that_crashed_too_often_is_claimed_to_be_ended(store: Store) -> None:
    run = await begin_run(store, await create_thread(store), owner="x/1/1", lease_s=0.0)
    await store.read("acme").execute("update runs set attempt = 3 where run_id = $1", run.run_id)
    (claim,) = await store.queue.claim_lost_runs("y/1/1", 30, pause_s=60.0, attempts=3)
    assert (claim.run.attempt, claim.is_paused) == (4, False)


async def test_queued_runs_of_a_thread_start_in_order(store: Store) -> None:
    thread = await create_thread(store)
    first = await begin_run(store, thread, "one")
    queued = [
        await store.queue.enqueue_run("acme", make_start(thread.thread_id, text))
        for text in ("two", "three")
    ]
    assert await store.queue.claim_queued_run("me/1/1", 30) is None
    assert get_texts(await store.load_messages("acme", thread.thread_id)) == ["one"]
    await answer(store, first)
    for run_id in queued:
        claims = await asyncio.gather(
            *(store.queue.claim_queued_run(f"me/{n}/1", 30) for n in range(4))
        )
        (claim,) = [claim for claim in claims if claim is not None]
        assert claim.run.run_id == run_id
        point = await store.queue.load_resume_point(claim)
        assert (point.run.is_resumed, point.run.next_seq, point.kind) == (False, 1, "chat")
        await answer(store, point.run)
    texts = get_texts(await store.load_messages("acme", thread.thread_id))
    assert texts == ["one", "done", "two", "done", "three", "done"]


async def enqueue_many(store: Store, tenant_id: str, count: int) -> list[str]:
    """Runs in threads of their own, in their order."""
    queued = list[str]()
    for n in range(count):
        thread = await create_thread(store, tenant_id)
        start = make_start(thread.thread_id, str(n))
        queued.append(await store.queue.enqueue_run(tenant_id, start))
    return queued


async def test_claims_of_queued_runs_are_shared_among_tenants(store: Store) -> None:
    many = await enqueue_many(store, "acme", 30)
    few = await enqueue_many(store, "umbrella", 5)
    claims = [await store.queue.claim_queued_run("me/1/1", 30) for _ in range(35)]
    order = [claim.run for claim in claims if claim is not None]
    assert [run.tenant_id for run in order[:10]] == ["acme", "umbrella"] * 5
    assert [run.run_id for run in order if run.tenant_id == "acme"] == many
    assert [run.run_id for run in order if run.tenant_id == "umbrella"] == few


async def test_claims_of_lost_runs_are_shared_among_tenants(store: Store) -> None:
    for tenant_id, count in (("acme", 30), ("umbrella", 2)):
        for _ in range(count):
            thread = await create_thread(store, tenant_id)
            await begin_run(store, thread, tenant_id=tenant_id, owner="x/1/1", lease_s=0.0)
    claims = await store.queue.claim_lost_runs("y/1/1", 30)
    tenants = [claim.run.tenant_id for claim in claims]
    assert (tenants.count("acme"), tenants.count("umbrella")) == (18, 2)


async def test_a_cancel_ends_unowned_runs_and_notifies_owners(store: Store) -> None:
    thread = await create_thread(store)
    run = await begin_run(store, thread, owner="me/1/1")
    waiting = await store.queue.enqueue_run("acme", make_start(thread.thread_id, "later"))
    assert await store.queue.cancel("acme", "ann", thread.thread_id) == run.run_id
    assert await store.queue.list_cancel_requests("me/1/1") == [run.run_id]
    await store.queue.hand_back(run)
    assert await store.queue.cancel("acme", "ann", thread.thread_id) == run.run_id
    assert (await store.load_run("acme", "ann", run.run_id)).status == "cancelled"
    assert await store.queue.cancel("acme", "ann", thread.thread_id) == waiting
    assert (await store.load_run("acme", "ann", waiting)).status == "cancelled"
    assert [e["event"] for e in await store.load_events("acme", waiting)] == ["error"]
    assert await store.queue.cancel("acme", "ann", thread.thread_id) is None


async def test_other_tenants_cannot_reach_a_run(store: Store) -> None:
    thread = await create_thread(store)
    run = await begin_run(store, thread)
    for tenant_id, user_id in (("umbrella", "ann"), ("acme", "bob")):
        with pytest.raises(NotFoundError):
            await store.queue.find_active(tenant_id, user_id, thread.thread_id)
        with pytest.raises(NotFoundError):
            await store.queue.cancel(tenant_id, user_id, thread.thread_id)
        with pytest.raises(NotFoundError):
            await store.queue.list_approvals(tenant_id, user_id, run.run_id)
    with pytest.raises(NotFoundError):
        await store.queue.enqueue_run("umbrella", make_start(thread.thread_id, "mine"))
    assert await store.queue.find_active("acme", "ann", thread.thread_id) == run.run_id


async def test_idempotency_keys_are_scoped_to_the_user(store: Store) -> None:
    ann, bob = await create_thread(store), await create_thread(store, user_id="bob")
    await begin_run(store, ann, idempotency_key="k", request_hash="h")
    other = await begin_run(store, bob, idempotency_key="k", request_hash="other")
    found = await store.load_run_by_key("acme", "bob", "k")
    assert found is not None
    assert found.run_id == other.run_id


OPTIONS = RunOptions(("nightly",), (ToolSchema("look", "", {"b": 1, "a": 2}),), True)


async def take_up(store: Store) -> Run:
    """What another process finds of the one run that nobody works on."""
    claim = await store.queue.claim_queued_run("other/1/1", 30)
    claims = [claim] if claim else await store.queue.claim_lost_runs("other/1/1", 30)
    return (await store.queue.load_resume_point(claims[0])).run


@pytest.mark.parametrize("is_queued", [True, False])
async def test_a_claimed_run_has_all_its_options(store: Store, is_queued: bool) -> None:
    thread = await create_thread(store)
    start = replace(make_start(thread.thread_id, "hi"), options=OPTIONS)
    if is_queued:
        await store.queue.enqueue_run("acme", start)
    else:
        await store.begin_run("acme", start, "x/1/1", 0.0)
    taken = (await take_up(store)).options
    assert (taken, [*taken.client_tools[0].parameters]) == (OPTIONS, ["b", "a"])


async def test_a_run_of_an_older_version_is_claimed_with_its_options(store: Store) -> None:
    thread = await create_thread(store)
    await store.read("acme").execute(
        """
        insert into runs
            (tenant_id, user_id, thread_id, run_id, status, design, pack, idempotency_key,
            request_hash, pending_input, tags, client_tools, tells_reasoning)
        select tenant_id, user_id, thread_id, $2, 'queued', 'default', 'tracker', null, null,
            $3, '{nightly}', $4, true
        from threads where thread_id = $1
        """,
        thread.thread_id,
        make_id(),
        make_text("user", "hi"),
        [asdict(tool) for tool in OPTIONS.client_tools],
    )
    assert (await take_up(store)).options == OPTIONS


async def test_run_options_are_also_in_columns_for_older_versions(store: Store) -> None:
    thread = await create_thread(store)
    start = replace(make_start(thread.thread_id, "hi"), options=OPTIONS)
    await store.begin_run("acme", start, "x/1/1", 30)
    sql = "select tags, client_tools, tells_reasoning from runs where run_id = $1"
    row = await store.read("acme").fetchrow(sql, start.run_id)
    assert row == {
        "tags": ["nightly"],
        "client_tools": [asdict(tool) for tool in OPTIONS.client_tools],
        "tells_reasoning": True,
    }
