"""Replicas without work ask their database no more often than one of them would."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from plainloop.agent.config.installed import load_entries
from plainloop.agent.service.watcher import WORK
from plainloop.agent.store.store import Store
from plainloop.agent.types import RunRequest
from tests.core.store_samples import begin_run, create_thread
from tests.machine.scripted import text, triage
from tests.runs.conftest import Replica, StartReplica

LONG_S = 1000.0  # so long that what a test takes is nothing beside it


async def look(store: Store, owner: str, longest_s: float = 1e9) -> int:
    """In how many times LONG_S the owner looks again."""
    pause_s, _ = await store.queue.poll_all(owner, LONG_S, longest_s)
    return round(pause_s / LONG_S)


@pytest.mark.parametrize("replicas", [1, 2, 8, 32])
async def test_idle_replicas_poll_one_after_another(store: Store, replicas: int) -> None:
    owners = [f"host/{n}/1" for n in range(replicas)]
    pauses = [await look(store, owner) for owner in owners]
    assert pauses == [*range(1, replicas + 1)]
    # Whoever looks next does so again when all others have.
    assert await look(store, owners[0]) == replicas


async def test_the_queue_is_polled_soon_after_many_replicas_stopped(store: Store) -> None:
    for n in range(32):
        assert await look(store, f"host/{n}/1", longest_s=3 * LONG_S) <= 3
    sql = "update replicas set looks_at = now()"  # their time has passed, and nobody was there
    async with store.database.operate() as tx:
        await tx.execute(sql)
    assert await look(store, "host/0/1") == 1


def count_statements(one: Replica) -> list[str]:
    """What a replica asks its database from now on."""
    database: Any = one.service.store.database
    asked, call, begin = list[str](), database.call, database.begin

    async def count_call(function: str, *args: Any, **rest: Any) -> Any:
        asked.append(function)
        return await call(function, *args, **rest)

    async def count_begin(*args: Any, **rest: Any) -> Any:
        asked.append("begin")
        return await begin(*args, **rest)

    database.call, database.begin = count_call, count_begin
    return asked


async def start_hosts(one: Replica) -> list[Any]:
    made = [make_host(one.service) for make_host in load_entries("hosts").values()]
    hosts = [host for host in made if host is not None]  # one that has nothing to do is none
    for host in hosts:
        await host.start()
    for kind in WORK & one.service.watcher.pollers.keys():
        await one.service.watcher.pollers[kind].has_looked.wait()
    return hosts


async def test_an_idle_poll_is_one_statement(replica: StartReplica) -> None:
    one = await replica(recovery_s=3600.0)
    hosts = await start_hosts(one)
    asked = count_statements(one)
    for _ in range(5):
        await one.service.watcher.poll_all()
        for _ in range(20):
            await asyncio.sleep(0)  # whoever was poked would ask now
    assert len(asked) == 5
    assert "begin" not in asked
    for host in hosts:
        await host.drain()


async def test_a_run_queued_elsewhere_is_claimed(replica: StartReplica) -> None:
    answers = (triage("note_writer"), text("here"))
    one = await replica(*answers, recovery_s=3600.0)
    full = await replica(runs_at_once=1, recovery_s=3600.0)
    thread_id = await full.create_thread()
    thread = await full.service.store.load_thread("acme", "ann", thread_id)
    start = full.service.make_start(thread, RunRequest("please do it"))
    run_id = await full.service.store.queue.enqueue_run("acme", start)
    await one.service.watcher.poll_all()
    assert (await one.collect(run_id))[-1]["data"] == {"content": "here"}


async def test_more_lost_runs_than_one_claim_takes_are_found_at_once(
    replica: StartReplica, store: Store
) -> None:
    for _ in range(45):
        await begin_run(store, await create_thread(store), owner="x/1/1", lease_s=0.0)
    # Its first look is over now, and nobody may take up what it has put aside.
    await replica(recovery_s=3600.0, quarantine_s=3600.0)
    assert await store.queue.claim_lost_runs("y/1/1", 30.0) == []


async def test_an_unreadable_run_delays_no_other_run(replica: StartReplica, store: Store) -> None:
    runs = [await begin_run(store, await create_thread(store), owner="x/1/1") for _ in range(6)]
    for run in runs:
        await store.queue.hand_back(run)
    unreadable, *others = [run.run_id for run in runs]
    async with store.transaction("acme") as tx:  # as a newer version may have stored it
        sql = "update runs set options = $2 where run_id = $1"
        await tx.execute(sql, unreadable, {"tags": 5})
    one = await replica(recovery_s=3600.0)
    for run_id in others:
        is_live = one.service.live.get(run_id) is not None
        assert is_live or (await store.load_run("acme", "ann", run_id)).ended_at is not None
    async with store.transaction("acme") as tx:
        left = await tx.fetchrow("select owner, attempt from runs where run_id = $1", unreadable)
    assert left is not None and (left["owner"], left["attempt"]) == (one.service.live.owner, 1)
    assert one.service.live.get(unreadable) is None, "its lease runs out, which counts"
