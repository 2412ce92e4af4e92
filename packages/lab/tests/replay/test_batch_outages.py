"""Batches where the database, the provider or a claim's answer is lost: each is bought once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from packages.lab.tests.replay.test_batch_api import (
    Bench,
    check_bought_once,
    check_usage,
    finish_batches,
    list_created,
    load_batches,
    load_calls,
    make_environ,
)
from packages.lab.tests.replay.test_live import Candidate, be_curious
from plainloop.agent.packs.loading import list_migration_folders
from plainloop.agent.providers.http.clients import close_clients
from plainloop.agent.store.embedded.server import start_embedded
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.store import Store
from plainloop_lab.batches import batch_run
from plainloop_lab.batches.batch_run import cancel_orphans
from plainloop_lab.live.plan import LivePlan
from plainloop_lab.service.lanes import open_lanes
from plainloop_wire.faults import Faults, parse_faults
from tests.fixtures import make_settings
from tests.runs.test_database_restarts import restart_server
from tests.wire_fixtures import StartWire, WireServer

LONGEST_S = 120.0
WIRES = ("anthropic", "openai")


async def wait_until(work: asyncio.Task[Any], happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONGEST_S):
        while not happened():
            if work.done():
                raise AssertionError(f"it ended before: {work.result()}")
            await asyncio.sleep(0.01)


async def test_database_crashes_during_a_batch_buy_nothing_twice(
    data_dir: Path, tmp_path: Path, wire_server: StartWire
) -> None:
    """While a batch is created, while it is worked on, and among its results."""
    server = await wire_server(Candidate(be_curious))
    url = await asyncio.to_thread(start_embedded, data_dir)
    hold = {"status": 0, "dialect": "anthropic_batches", "after": True, "hold_ms": 500}
    server.wire.faults.load(parse_faults({"batch_ms": 1e9, "series": [hold]}))
    async with AsyncExitStack() as stack:
        own = make_settings(url, tmp_path / "data")
        store = await connect_store(own, migration_folders=list_migration_folders(()))
        stack.push_async_callback(store.close)
        environ = make_environ("anthropic", server) | {"AGENT_LIMITS_LEASE_S": "3"}
        bench = Bench(store, environ)
        await bench.write(3)
        work = asyncio.create_task(bench.work())
        stack.callback(work.cancel)

        await wait_until(work, lambda: len(server.wire.batches) == 1)
        await restart_server(data_dir)
        finish_batches(server)

        server.wire.faults.load(parse_faults({"batch_ms": 1e9}))
        await wait_until(work, lambda: len(server.wire.batches) == 2)
        await restart_server(data_dir)
        stuck = {"cut_after_events": 2, "hold_ms": 500, "dialect": "anthropic_results"}
        finish_batches(server)
        server.wire.faults.load(parse_faults({"series": [stuck]}))

        second = list(server.wire.batches)[1]
        results = f"/v1/messages/batches/{second}/results"
        await wait_until(work, lambda: any(e["path"] == results for e in server.requests))
        await restart_server(data_dir)

        info = await work
        assert (info.status, info.items) == ("succeeded", {"succeeded": 3})
        check_bought_once(server, 3)
        assert {status for _, status, _, _ in await load_batches(store)} == {"ended"}
        await check_usage(server, store)


async def test_a_batch_with_a_lost_claim_is_resumed_after_its_lease(
    store: Store, wire_server: StartWire
) -> None:
    """The claim is written, the claimer does not know it: its heartbeat must not keep the batch."""
    server = await wire_server(Candidate(be_curious), faults=parse_faults({"batch_ms": 1e9}))
    bench = Bench(store, make_environ("anthropic", server) | {"AGENT_LIMITS_LEASE_S": "2"})
    await bench.write(2)
    first = asyncio.create_task(bench.work())
    await wait_until(first, lambda: bool(server.wire.batches))
    async with asyncio.timeout(LONGEST_S):
        while await load_batches(store) != [(1, "open", 2, 0)]:
            await asyncio.sleep(0.01)
    first.cancel()
    with suppress(asyncio.CancelledError):
        await first
    other = "update replay_batches set owner = 'away', lease_until = 'infinity'"
    assert await _execute(store, other) == 1
    second = asyncio.create_task(bench.work())
    claimed = (
        "update replay_batches set owner = item.owner, fence = fence + 1, "
        "lease_until = now() + interval '1 s' from ("
        "select owner from replay_items where owner is not null limit 1) as item"
    )
    async with asyncio.timeout(LONGEST_S):
        while await _execute(store, claimed) == 0:
            await asyncio.sleep(0.01)
    finish_batches(server)
    assert (await second).items == {"succeeded": 2}
    check_bought_once(server, 2)


async def test_a_batch_that_cannot_be_stored_ends_its_conversations(
    store: Store, wire_server: StartWire
) -> None:
    """By an error of the database that nobody foresaw: nobody waits for what never comes."""
    server = await wire_server(Candidate(be_curious))
    bench = Bench(store, make_environ("anthropic", server))
    await bench.write(2)
    async with store.database.connection() as connection:
        await connection.execute("alter table replay_batches add check (false) not valid")

    assert (await bench.work()).items == {"failed": 2}
    assert list_created(server) == []


async def test_a_batch_claimed_by_another_process_is_not_submitted(
    store: Store, wire_server: StartWire
) -> None:
    """Its heartbeat goes on, but the lease was lost while it waited to try again, as it does when
    a process was frozen."""
    busy = {"status": 429, "dialect": "anthropic_batches", "retry_after_s": 1.0}
    faults = parse_faults({"batch_ms": 500, "series": [busy]})
    server = await wire_server(Candidate(be_curious), faults=faults)
    bench = Bench(store, make_environ("anthropic", server))
    await bench.write(2)
    work = asyncio.create_task(bench.work())
    await wait_until(work, lambda: bool(list_created(server)))
    assert await _execute(store, "update replay_batches set owner = null, fence = fence + 1") == 1
    assert (await work).items == {"succeeded": 2}
    assert [status for _, status, _, _ in await load_batches(store)] == ["lost", *["ended"] * 4]
    assert len(list_created(server)) == 5
    check_bought_once(server, 2)


@pytest.mark.parametrize("wire", WIRES)
async def test_a_batch_that_is_not_found_for_a_moment_is_not_bought_again(
    wire: str, store: Store, wire_server: StartWire
) -> None:
    """As Anthropic's was (anthropic-sdk-python, issue 1432): just created, and at its results."""
    files = "anthropic_results" if wire == "anthropic" else "openai_files"
    faults: list[Any] = [
        {"status": 404, "dialect": f"{wire}_batches", "skip": 1, "times": 2},
        {"status": 404, "dialect": files, "skip": 0 if wire == "anthropic" else 1, "times": 2},
    ]
    server = await wire_server(Candidate(be_curious), faults=parse_faults({"series": faults}))
    bench = Bench(store, make_environ(wire, server))
    await bench.write(2)
    assert (await bench.work()).items == {"succeeded": 2}
    assert [e["status"] for e in server.requests if e["status"] != 200] == [404] * 4
    assert len(list_created(server)) == 4
    check_bought_once(server, 2)
    assert {call["attempt"] for call in await load_calls(store)} == {1}


async def test_a_batch_that_the_provider_lost_is_submitted_again(
    store: Store, wire_server: StartWire
) -> None:
    server = await wire_server(Candidate(be_curious), faults=parse_faults({"batch_ms": 1e9}))
    bench = Bench(store, make_environ("anthropic", server))
    await bench.write(1)
    work = asyncio.create_task(bench.work())
    await wait_until(work, lambda: bool(server.wire.batches))
    server.wire.batches.clear()
    server.wire.faults.load(Faults())
    assert (await work).items == {"succeeded": 1}
    codes = Counter(call["error_code"] for call in await load_calls(store))
    assert codes == {None: 4, "MODEL_TIMEOUT": 1}


async def test_cancelling_a_batch_ends_even_if_the_provider_does_not_answer(
    store: Store, wire_server: StartWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await wire_server(Candidate(be_curious), faults=parse_faults({"batch_ms": 1e9}))
    bench = Bench(store, make_environ("openai", server))
    await bench.write(1)
    work = asyncio.create_task(bench.work())
    async with asyncio.timeout(LONGEST_S):
        while await load_batches(store) != [(1, "open", 1, 0)]:
            await asyncio.sleep(0.01)
    work.cancel()
    with suppress(asyncio.CancelledError):
        await work
    before = len(server.requests)
    silent = {"status": 0, "dialect": "openai_batches", "after": True, "hold_ms": 3_000}
    silent |= {"times": 1_000}
    server.wire.faults.load(parse_faults({"batch_ms": 1e9, "series": [silent]}))
    monkeypatch.setattr(batch_run, "CANCEL_LEASE_S", 1.0)
    plan = LivePlan.from_json((await bench.load()).candidate)
    lanes = await open_lanes(plan, bench.environ)

    async with asyncio.timeout(LONGEST_S):
        cancelled = await cancel_orphans(store, "local", bench.replay_id, lanes)
    await close_clients()
    assert (cancelled, len(server.requests) - before) == (0, 1)


@pytest.mark.parametrize("wire", WIRES)
async def test_batch_requests_are_retried_after_failures_at_each_step(
    wire: str, store: Store, wire_server: StartWire
) -> None:
    """At creation, at the search for the batch, at each look at it, at its results; no call of a
    conversation takes notice."""
    of_batches = {"dialect": f"{wire}_batches", "retry_after_s": 0.0}
    of_results = (
        {"dialect": "anthropic_results"}
        if wire == "anthropic"
        else {"dialect": "openai_files"}  # where each creation uploads before it
    )
    faults: list[Any] = [
        {"status": 429, **of_batches},
        {"status": 500, **of_batches},
        {"status": 429, **of_batches},
        {"status": 500, **of_batches},
        {"status": 429, "skip": 3, **of_batches},  # twice not found, created
        {"status": 500, **of_batches},
        {"status": 429, "skip": 0 if wire == "anthropic" else 3, **of_results},
        {"status": 500, **of_results},
    ]
    server = await wire_server(Candidate(be_curious), faults=parse_faults({"series": faults}))
    bench = Bench(store, make_environ(wire, server))
    await bench.write(2)
    assert (await bench.work()).items == {"succeeded": 2}
    refused = [e["status"] for e in server.requests if e["status"] != 200]
    assert refused == [429, 500] * 4
    assert len(list_created(server)) == 6
    check_bought_once(server, 2)
    assert await load_batches(store) == [(n, "ended", 2, 2) for n in (1, 2, 3, 4)]
    assert {call["attempt"] for call in await load_calls(store)} == {1}


def make_overdue(server: WireServer) -> Any:
    """Make the server's batch one of yesterday, half of which is answered; later ones are quick."""
    server.wire.faults.load(Faults())
    (batch,) = server.wire.batches.values()
    passed_s = 26 * 3600.0
    batch.takes_s = passed_s * 2
    batch.created_s -= passed_s
    return batch


@pytest.mark.parametrize("wire", WIRES)
async def test_an_overdue_batch_is_cancelled_and_its_answers_are_used(
    wire: str, store: Store, wire_server: StartWire
) -> None:
    server = await wire_server(Candidate(be_curious), faults=parse_faults({"batch_ms": 1e9}))
    bench = Bench(store, make_environ(wire, server))
    await bench.write(4)
    work = asyncio.create_task(bench.work())
    await wait_until(work, lambda: bool(server.wire.batches))
    batch = make_overdue(server)
    assert (await work).items == {"succeeded": 4}
    assert Counter(line.result for line in batch.lines) == {"succeeded": 2, "canceled": 2}
    check_bought_once(server, 4)


async def test_answers_of_an_overdue_batch_are_waited_for(
    store: Store, wire_server: StartWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For longer than those of a cancelled replay, which `resume` reads."""
    monkeypatch.setattr(batch_run, "CANCEL_WAIT_S", -1.0)
    server = await wire_server(Candidate(be_curious), faults=parse_faults({"batch_ms": 1e9}))
    bench = Bench(store, make_environ("openai", server))
    await bench.write(4)
    work = asyncio.create_task(bench.work())
    await wait_until(work, lambda: bool(server.wire.batches))
    make_overdue(server)
    assert (await work).items == {"succeeded": 4}
    check_bought_once(server, 4)


@pytest.mark.parametrize("wire", WIRES)
async def test_a_completely_expired_batch_is_submitted_again(
    wire: str, store: Store, wire_server: StartWire
) -> None:
    expired = {"result": "expired", "dialect": "batch_line", "times": 2}
    server = await wire_server(Candidate(be_curious), faults=parse_faults({"series": [expired]}))
    bench = Bench(store, make_environ(wire, server))
    await bench.write(2)
    assert (await bench.work()).items == {"succeeded": 2}
    check_bought_once(server, 2)
    codes = Counter(call["error_code"] for call in await load_calls(store))
    assert codes == {None: 8, "MODEL_TIMEOUT": 2}


async def _execute(store: Store, statement: str) -> int:
    """How many rows it changed."""
    async with store.transaction("local") as tx:
        return await tx.execute(statement)
