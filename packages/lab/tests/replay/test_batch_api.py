"""Live replay by providers' batch APIs: batch by batch, at half price, each batch bought once."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson
import pytest

from packages.lab.tests.replay.test_live import (
    ROOMS,
    SCHEMAS,
    Candidate,
    answer,
    be_curious,
    load_results,
    wait_for_batch,
    write_rooms,
)
from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.errors import BudgetBusy
from plainloop.agent.providers.http.clients import close_clients
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.budgets import Budget, list_budget_usage, save_budget
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.records import CallStart, Granted, Reserved
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage
from plainloop_lab.live.plan import LanePlan, LivePlan
from plainloop_lab.live.spend_limit import ReplayStopped
from plainloop_lab.replay.sources.tool_schemas import read_tool_file
from plainloop_lab.service.lanes import open_lanes
from plainloop_lab.service.worker import NewItem, ReplayWorker, create_replay
from plainloop_lab.store import replays as store_replays
from plainloop_lab.store.replays import ReplayInfo
from plainloop_operations.ledger.recost import recost_calls
from plainloop_wire.call import Rules
from plainloop_wire.faults import Faults, parse_faults
from tests.cli.conftest import Command, Finished, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.core.store_samples import begin_run, create_thread, make_call_start, make_settled
from tests.wire_fixtures import StartWire, WireServer

Happened = Callable[[], Awaitable[bool]]
WIRES = ("anthropic", "openai", "openai_responses")
MODELS = {"anthropic": "claude-haiku-4-5", "openai": "gpt-4o-mini", "openai_responses": "gpt-4o"}
# AGENT_BATCH_WIRES=all: by both providers, where one shows the same.
IS_THOROUGH = os.environ.get("AGENT_BATCH_WIRES") == "all"
KILLED_WIRES = ("anthropic", "openai") if IS_THOROUGH else ("anthropic",)
QUICK = {
    "AGENT_LIMITS_BATCH_POLL_S": "0.1",
    "AGENT_LIMITS_LEASE_S": "10",
    "AGENT_LIMITS_HEARTBEAT_S": "0.3",
}


def write_talks(folder: Path, count: int) -> tuple[str, ...]:
    """So many conversations; how to replay them by batches, without a baseline."""
    arguments = write_rooms(folder)
    line = orjson.loads(ROOMS)
    lines = [orjson.dumps({**line, "conversation_id": f"r{n}"}) for n in range(count)]
    (folder / "rooms.jsonl").write_bytes(b"\n".join(lines))
    return (*arguments, "--no-baseline", "--batch-api")


def make_environ(wire: str, server: WireServer) -> dict[str, str]:
    return {**point_at(wire, server.base_url), **QUICK, "AGENT_MODEL": MODELS[wire]}


def list_created(server: WireServer) -> list[Any]:
    """The requests that created a batch."""
    return [
        entry
        for entry in server.requests
        if entry["method"] == "POST" and entry["path"].endswith("/batches")
    ]


def list_lines(server: WireServer) -> list[Any]:
    """The requests inside of batches that were worked on."""
    return [entry for entry in server.requests if "batch" in entry]


async def load_calls(store: Store) -> list[dict[str, Any]]:
    found = await store.read("local").fetch(
        "select status, processing, usage_raw, cost_usd, price_version, error_code, attempt, "
        "input_tokens, output_tokens from llm_calls where tenant_id = 'local' order by call_id"
    )
    return [dict(row) for row in found]


async def load_batches(store: Store) -> list[tuple[int, str, int, int]]:
    """(number, status, requests, answered) of each."""
    found = await store.read("local").fetch(
        "select n, status, requests, answered from replay_batches where tenant_id = 'local' "
        "order by n"
    )
    return [(row["n"], row["status"], row["requests"], row["answered"]) for row in found]


def test_a_batch_call_without_a_listed_batch_price_costs_half() -> None:
    usage = Usage(input_tokens=1001, cache_read_tokens=500, output_tokens=33)
    own = Prices({"openai:mine": OwnPrice(input=Decimal(3), output=Decimal(5))})
    of_a_share = Prices({"openai:*": OwnPrice(share=Decimal("0.8"))})
    for prices, model in (
        (own, ("openai", "mine")),
        (Prices(), ("anthropic", "claude-sonnet-4-20250514")),
        (of_a_share, ("openai", "gpt-6-luna")),
    ):
        full = prices.price(*model, usage).amount
        half = prices.at_batch_rates().price(*model, usage).amount
        assert full is not None
        assert half == (full / 2).quantize(Decimal("1e-8"))
    assert Prices().at_batch_rates().price("openai", "nobody", usage).amount is None


def check_prices(wire: str, calls: Sequence[dict[str, Any]]) -> None:
    provider = wire.partition("_")[0]
    for call in calls:
        usage = Usage(input_tokens=call["input_tokens"], output_tokens=call["output_tokens"])
        full = Prices().price(provider, MODELS[wire], usage).amount
        assert full is not None
        assert call["cost_usd"] == (full / 2).quantize(Decimal("1e-8")), call
        assert call["price_version"].endswith(", batch")


class Bench:
    """A replay in this process: its batch, worked on until it has ended."""

    def __init__(self, store: Store, environ: dict[str, str]) -> None:
        self.store = store
        self.environ = environ
        self.told: list[str] = []
        self.replay_id = ""

    async def write(self, count: int, max_cost_usd: str | None = None, **changes: Any) -> None:
        """changes: of the plan."""
        shapes = read_tool_file(orjson.dumps(SCHEMAS))
        plan = LivePlan({"candidate": LanePlan()}, shapes=shapes, batch_api=True)
        plan = replace(plan, **changes)
        line = orjson.loads(ROOMS)
        items = [NewItem(conversation={**line, "conversation_id": f"r{n}"}) for n in range(count)]
        limit = None if max_cost_usd is None else Decimal(max_cost_usd)
        whose = self.store, "local", "local"
        self.replay_id = await create_replay(*whose, items, plan, "rooms", limit)

    async def work(self, concurrency: int = 100) -> ReplayInfo:
        info = await self.load()
        plan = LivePlan.from_json(info.candidate)
        lanes = await open_lanes(plan, self.environ)
        worker = ReplayWorker(self.store, "local", info, lanes, on_progress=self.told.append)
        try:
            async with asyncio.timeout(120):
                await worker.run(concurrency)
        finally:
            await close_clients()
        return await self.load()

    async def load(self) -> ReplayInfo:
        rows = self.store.read("local")
        return await store_replays.load_replay(rows, None, self.replay_id)


MakeBench = Callable[[str, WireServer], Bench]


@pytest.fixture
def make_bench(store: Store) -> MakeBench:
    return lambda wire, server: Bench(store, make_environ(wire, server))


@pytest.mark.parametrize("wire", WIRES)
async def test_a_conversations_later_calls_join_later_batches(
    wire: str, make_bench: MakeBench, wire_server: StartWire, store: Store
) -> None:
    server = await wire_server(Candidate(be_curious))
    bench = make_bench(wire, server)
    await bench.write(5)
    assert (await bench.work()).status == "succeeded"
    assert bench.told[-1] == "batch 4: 5/5 answered"
    assert await load_batches(store) == [(n, "ended", 5, 5) for n in (1, 2, 3, 4)]
    assert [item.status for item in await load_results(store)] == ["succeeded"] * 5
    calls = await load_calls(store)
    assert {(call["status"], call["processing"]) for call in calls} == {("succeeded", "batch")}
    check_prices(wire, calls)
    await check_usage(server, store)
    left = await store.read("local").fetch(
        "select outcome from replay_batch_requests where outcome is not null"
    )
    assert left == [], "the raw answers are kept until their conversations have taken them"
    since = datetime.now(UTC) - timedelta(days=1)
    async with store.transaction("local") as tx:
        recosted = await recost_calls(tx, Prices(), since, since + timedelta(days=2))
    assert (recosted.calls, recosted.changed) == (20, 0), "pricing again keeps to the half"
    assert len(list_created(server)) == 4
    outside = [e for e in server.requests if e["usage"] and "batch" not in e]
    assert outside == [], "nothing was asked at full price"


def check_bought_once(server: WireServer, talks: int) -> None:
    """Each of a conversation's four calls was answered once."""
    answered = [entry for entry in list_lines(server) if entry["status"] == 200]
    assert len(answered) == talks * 4


async def check_usage(server: WireServer, store: Store) -> None:
    """The ledger has what the provider told, line by line."""
    told = Counter(orjson.dumps(entry["usage"]) for entry in list_lines(server))
    kept = Counter(orjson.dumps(call["usage_raw"]) for call in await load_calls(store))
    assert kept == told


@pytest.mark.parametrize("wire", ["anthropic", "openai"])
async def test_failed_batch_requests_are_retried_and_invalid_ones_end_the_turn(
    wire: str, make_bench: MakeBench, wire_server: StartWire, store: Store
) -> None:
    lines = {"dialect": "batch_line"}
    faults: list[Any] = [
        {"result": "expired", **lines},
        {"result": "canceled", **lines},
        {"status": 529 if wire == "anthropic" else 500, **lines},
        {"status": 400, "message": "that cannot be answered", **lines},
    ]
    server = await wire_server(Candidate(be_curious), faults=parse_faults({"series": faults}))
    bench = make_bench(wire, server)
    await bench.write(5)
    info = await bench.work()
    assert (info.status, info.items) == ("succeeded", {"succeeded": 5})
    results = await load_results(store)
    turns = [turn for item in results for turn in (item.result or {})["turns"]]
    assert Counter(turn["error"] for turn in turns) == {None: 9, "MODEL_REQUEST": 1}
    assert {turn["duration_ms"] for turn in turns} == {None}
    calls = await load_calls(store)
    codes = Counter(call["error_code"] for call in calls)
    assert codes == {None: 18, "MODEL_TIMEOUT": 1, "MODEL_OVERLOADED": 2, "MODEL_REQUEST": 1}
    assert {c["attempt"] for c in calls if c["error_code"] is None} == {1, 2}
    failed = [call for call in calls if call["error_code"]]
    assert {call["usage_raw"] for call in failed} == {None}
    # What the provider refused cost nothing.
    unsure = {call["error_code"] for call in failed if call["cost_usd"] is None}
    assert unsure == {"MODEL_TIMEOUT"}
    told = [entry["usage"] for entry in list_lines(server) if entry["usage"]]
    assert len(told) == 18


@pytest.mark.parametrize("wire", ["anthropic", "openai"])
@pytest.mark.parametrize("after", [True, False])
async def test_a_failed_batch_creation_is_looked_up_before_resubmitting(
    after: bool, wire: str, make_bench: MakeBench, wire_server: StartWire
) -> None:
    """after: the provider had it, and the answer was lost."""
    lost = {"status": 0, "dialect": f"{wire}_batches", "after": after}
    server = await wire_server(Candidate(be_curious), faults=parse_faults({"series": [lost]}))
    bench = make_bench(wire, server)
    await bench.write(3)
    info = await bench.work()
    assert info.items == {"succeeded": 3}
    check_bought_once(server, 3)
    created = [(entry["path"], entry["status"]) for entry in list_created(server)]
    assert len(created) == (4 if after else 5), created


@pytest.mark.parametrize(
    "cut",
    [
        {"cut_after_events": 2},
        {"cut_after_events": 2, "end": "clean"},  # a proxy's: the length is not known
        {"cut_after_bytes": 900, "end": "clean"},
    ],
)
async def test_a_truncated_batch_results_file_is_downloaded_again(
    cut: dict[str, Any], make_bench: MakeBench, wire_server: StartWire, store: Store
) -> None:
    faults = parse_faults({"series": [{**cut, "dialect": "anthropic_results"}]})
    server = await wire_server(Candidate(be_curious), faults=faults)
    bench = make_bench("anthropic", server)
    await bench.write(3)
    info = await bench.work()
    assert info.items == {"succeeded": 3}
    check_bought_once(server, 3)
    assert {call["attempt"] for call in await load_calls(store)} == {1}


async def test_a_nul_in_a_batch_answer_loses_no_answer(
    make_bench: MakeBench, wire_server: StartWire, store: Store
) -> None:
    server = await wire_server(Candidate(lambda request: answer("Room 8\0 is free")))
    bench = make_bench("anthropic", server)
    await bench.write(3)
    assert (await bench.work()).items == {"succeeded": 3}
    assert [status for _, status, _, _ in await load_batches(store)] == ["ended", "ended"]


async def test_a_refused_api_key_ends_all_conversations_of_a_batch(
    make_bench: MakeBench, wire_server: StartWire, store: Store
) -> None:
    server = await wire_server(Candidate(be_curious), rules=Rules(key="another"))
    bench = make_bench("anthropic", server)
    await bench.write(2)
    info = await bench.work()
    assert info.items == {"failed": 2}
    assert {item.error_code for item in await load_results(store)} == {"MODEL_AUTH"}
    assert await load_batches(store) == [(1, "lost", 2, 0)]
    assert [call["status"] for call in await load_calls(store)] == ["failed"] * 2


async def test_batches_are_split_to_stay_within_the_cost_limit(
    make_bench: MakeBench, wire_server: StartWire, store: Store
) -> None:
    """A request may cost up to 2 cents until it is answered; then it has cost much less."""
    server = await wire_server(Candidate(be_curious))
    bench = make_bench("anthropic", server)
    await bench.write(5, "0.05")
    info = await bench.work()
    assert info.items == {"succeeded": 5}
    check_bought_once(server, 5)
    assert max(requests for _, _, requests, _ in await load_batches(store)) == 2


async def test_a_cost_limit_below_one_request_submits_nothing(
    make_bench: MakeBench, wire_server: StartWire
) -> None:
    server = await wire_server(Candidate(be_curious))
    bench = make_bench("anthropic", server)
    await bench.write(2, "0.01")
    with pytest.raises(ReplayStopped, match=r"the next request may cost up to \$0.02"):
        await bench.work()
    assert server.requests == []


async def test_a_hard_budget_delays_batch_calls_until_others_settle(
    make_bench: MakeBench, wire_server: StartWire, store: Store
) -> None:
    server = await wire_server(Candidate(be_curious))
    async with store.transaction("local") as tx:
        await save_budget(tx, Budget("tenant", "day", 20_000, None))
    bench = make_bench("anthropic", server)
    await bench.write(3)
    info = await bench.work()
    assert info.items == {"succeeded": 3}
    assert max(requests for _, _, requests, _ in await load_batches(store)) == 2
    (usage,) = await list_budget_usage(store.read("local"))
    used = sum(call["input_tokens"] + call["output_tokens"] for call in await load_calls(store))
    assert (usage.used_tokens, usage.reserved_tokens) == (used, 0)


@pytest.mark.parametrize(("has_batches", "limit"), [(True, "10"), (False, "10"), (False, None)])
async def test_a_replay_waits_for_a_busy_budget(
    has_batches: bool,
    limit: str | None,
    make_bench: MakeBench,
    wire_server: StartWire,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its calls fit its limit, but a call of a chat holds the tenant's budget until it ends."""
    server = await wire_server(Candidate(be_curious))
    async with store.transaction("local") as tx:
        await save_budget(tx, Budget("tenant", "day", 20_000, None))
    run = await begin_run(store, await create_thread(store, "local", "local"), tenant_id="local")
    chat = make_call_start(run, reserved=Reserved(15_000, Decimal(0)))
    store.budgets.forget("local")
    await store.record_call_start(chat)
    refused, reserve = asyncio.Event(), store.budgets.reserve

    async def note_refusals(tx: Queryable, start: CallStart) -> Granted | None:
        try:
            return await reserve(tx, start)
        except BudgetBusy:
            refused.set()
            raise

    monkeypatch.setattr(store.budgets, "reserve", note_refusals)
    bench = make_bench("anthropic", server)
    await bench.write(1, limit, batch_api=has_batches)
    work = asyncio.create_task(bench.work())
    await refused.wait()
    await store.settle_calls("local", [make_settled(chat)])
    assert (await work).items == {"succeeded": 1}
    assert sum(entry["status"] == 200 and bool(entry["usage"]) for entry in server.requests) == 4


async def test_requests_of_judge_and_variants_share_a_batch_per_model(
    make_bench: MakeBench, wire_server: StartWire, store: Store
) -> None:
    server = await wire_server(Candidate(be_curious))
    bench = make_bench("anthropic", server)
    lanes = {"baseline": LanePlan(), "candidate": LanePlan(prompts={"react": "Be quick."})}
    judge = LanePlan({"AGENT_AGENTS_EVALUATOR_PROVIDER": "anthropic"})
    await bench.write(2, lanes=lanes, judge=judge)
    assert (await bench.work()).items == {"succeeded": 6}
    assert {e["status"] for e in list_lines(server)} == {200}
    assert (await load_batches(store))[0][2] == 2, "the candidate waits for what it may share"


async def test_a_batch_buys_a_request_equal_in_both_variants_once(
    make_bench: MakeBench, wire_server: StartWire, store: Store
) -> None:
    server = await wire_server(Candidate(be_curious))
    bench = make_bench("anthropic", server)
    await bench.write(2, lanes={"baseline": LanePlan(), "candidate": LanePlan()})
    assert (await bench.work()).items == {"succeeded": 4}
    check_bought_once(server, 2)
    assert len(await load_calls(store)) == 8, "nothing of the candidate's is in the ledger"


async def wait_until(process: asyncio.subprocess.Process, happened: Happened) -> None:
    async with asyncio.timeout(60):
        while not await happened():
            assert process.returncode is None, await process.communicate()
            await asyncio.sleep(0.02)


async def kill(process: asyncio.subprocess.Process) -> None:
    process.kill()
    await process.wait()


def finish_batches(server: WireServer) -> None:
    """What the provider was slow with is answered at once, from now on."""
    server.wire.faults.load(Faults())
    for batch in server.wire.batches.values():
        batch.takes_s = 0.0


async def resume(plainloop: Command, store: Store, environ: dict[str, str]) -> Finished:
    return await plainloop("replay", "resume", await wait_for_batch(store), **environ)


async def go_on(store: Store, environ: dict[str, str], talks: int) -> Bench:
    """This process does what `resume` does: it starts none, and is as much another process."""
    bench = Bench(store, environ)
    bench.replay_id = await wait_for_batch(store)
    if (await bench.load()).ended_at is not None:
        async with store.transaction("local") as tx:
            await store_replays.reopen_replay(tx, bench.replay_id, None)
    info = await bench.work()
    assert (info.status, info.items) == ("succeeded", {"succeeded": talks})
    return bench


@pytest.mark.parametrize("wire", KILLED_WIRES)
async def test_a_process_killed_while_creating_a_batch_buys_none_twice(
    wire: str, plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    server = await wire_server(Candidate(be_curious))
    hold = {"status": 0, "dialect": f"{wire}_batches", "after": True, "hold_ms": 60_000}
    server.wire.faults.load(parse_faults({"series": [hold]}))
    environ = make_environ(wire, server)
    process = await plainloop.start(*write_talks(tmp_path, 3), **environ)

    async def is_created() -> bool:
        return bool(server.wire.batches)

    await wait_until(process, is_created)
    await kill(process)
    assert await load_batches(store) == [(1, "submitting", 3, 0)]
    bench = await go_on(store, environ, 3)
    check_bought_once(server, 3)
    assert len(list_created(server)) == 4
    assert bench.told[-1] == "batch 4: 3/3 answered"
    assert [status for _, status, _, _ in await load_batches(store)] == ["ended"] * 4
    assert {call["status"] for call in await load_calls(store)} == {"succeeded"}


async def test_a_process_killed_before_submitting_loses_no_conversation(
    plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    """The provider refuses connections for as long as the process lives."""
    server = await wire_server(Candidate(be_curious))
    drop = {"status": 0, "dialect": "anthropic_batches", "times": None}
    server.wire.faults.load(parse_faults({"series": [drop]}))
    environ = make_environ("anthropic", server)
    process = await plainloop.start(*write_talks(tmp_path, 2), **environ)

    async def is_tried() -> bool:
        return bool(list_created(server))

    await wait_until(process, is_tried)
    await kill(process)
    server.wire.faults.load(Faults())
    await go_on(store, environ, 2)
    check_bought_once(server, 2)
    assert [status for _, status, _, _ in await load_batches(store)] == ["lost", *["ended"] * 4]
    calls = Counter((call["status"], call["error_code"]) for call in await load_calls(store))
    assert calls == {("succeeded", None): 8, ("failed", "BATCH_LOST"): 2}


@pytest.mark.parametrize("wire", KILLED_WIRES)
async def test_a_process_killed_while_reading_batch_results_loses_none(
    wire: str, plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    """The provider falls silent after 21 of 25 answers; 20 are recorded at once."""
    server = await wire_server(Candidate(be_curious))
    stuck: dict[str, Any] = {"cut_after_events": 21, "hold_ms": 60_000}
    stuck |= (
        {"dialect": "anthropic_results"}
        if wire == "anthropic"
        else {"dialect": "openai_files", "skip": 1}  # the first is the upload
    )
    server.wire.faults.load(parse_faults({"series": [stuck]}))
    environ = make_environ(wire, server)
    process = await plainloop.start(*write_talks(tmp_path, 25), **environ)

    async def is_partly_recorded() -> bool:
        found = await store.read("local").fetch(
            "select count(*) as n from replay_batch_requests "
            "where tenant_id = 'local' and status = 'succeeded'"
        )
        return found[0]["n"] >= 20

    await wait_until(process, is_partly_recorded)
    await kill(process)
    await go_on(store, environ, 25)
    check_bought_once(server, 25)
    await check_usage(server, store)


@pytest.mark.parametrize("how", ["killed", "frozen"] if IS_THOROUGH else ["killed"])
async def test_another_process_continues_for_a_killed_or_frozen_one(
    how: str, plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    server = await wire_server(Candidate(be_curious))
    server.wire.faults.load(parse_faults({"batch_ms": 1e7}))
    environ = make_environ("openai", server) | {"AGENT_LIMITS_LEASE_S": "3"}
    options = ("--concurrency", "4")
    first = await plainloop.start(*write_talks(tmp_path, 12), *options, **environ)
    replay_id = await wait_for_batch(store)
    second = await plainloop.start("replay", "resume", replay_id, *options, **environ)

    async def has_two_owners() -> bool:
        found = await store.read("local").fetch(
            "select count(distinct owner) as n from replay_batches "
            "where tenant_id = 'local' and status = 'open'"
        )
        return found[0]["n"] == 2

    await wait_until(second, has_two_owners)
    if how == "killed":
        await kill(second)
    else:
        second.send_signal(signal.SIGSTOP)
    finish_batches(server)
    out, err = await first.communicate()
    assert first.returncode == 0, (out, err)
    if how == "frozen":
        second.send_signal(signal.SIGCONT)
        out, err = await second.communicate()
        assert second.returncode == 0, (out, err)
    check_bought_once(server, 12)
    results = await load_results(store)
    assert [(item.n, item.status) for item in results] == [(n, "succeeded") for n in range(12)]


@pytest.mark.parametrize("is_alive", [True, False])
async def test_a_cancelled_replay_cancels_its_batch_and_can_be_resumed(
    is_alive: bool, plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    """Of a process that lives, by itself; of one that was killed, by the command."""
    server = await wire_server(Candidate(be_curious))
    server.wire.faults.load(parse_faults({"batch_ms": 1e7}))
    environ = make_environ("openai", server)
    process = await plainloop.start(*write_talks(tmp_path, 2), **environ)

    async def is_open() -> bool:
        return await load_batches(store) == [(1, "open", 2, 0)]

    await wait_until(process, is_open)
    if not is_alive:
        await kill(process)
    done = await plainloop("replay", "cancel", await wait_for_batch(store), **environ)
    assert (done.code, "cancelled at the provider: 1" in done.err) == (0, not is_alive), done
    if is_alive:
        _, err = await process.communicate()
        assert (process.returncode, b"the replay was cancelled" in err) == (6, True), err
    (batch,) = server.wire.batches.values()
    assert [line.result for line in batch.lines] == ["canceled", "canceled"]
    server.wire.faults.load(Faults())
    if is_alive:
        await go_on(store, environ, 2)
    else:
        resumed = await resume(plainloop, store, environ)
        assert (resumed.code, "2 succeeded" in resumed.out) == (0, True), resumed
    check_bought_once(server, 2)


async def test_without_a_batch_api_a_batch_replay_is_refused_at_the_start(
    plainloop: Command, store: Store, tmp_path: Path
) -> None:
    arguments = write_talks(tmp_path, 1)
    done = await plainloop(*arguments, "--provider", "gemini", GEMINI_API_KEY="x")
    assert done.code == 2, done
    assert "gemini has no batch API" in done.err
    assert "--batch-api works for models of anthropic and openai" in done.err
    assert await store_replays.list_replays(store.read("local"), None, 1) == []
