"""A shadow: a share of finished runs is asked again of a candidate, beside live traffic.

`PLAINLOOP_SHADOW_RUNS=400` sends so many live runs (30 by default), and
`PLAINLOOP_SHADOW_REPLICAS=8` lets so many work under one budget (3).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from packages.lab.tests.rolling import (
    CANDIDATE,
    PricedModels,
    is_candidate,
    is_drawn,
    is_worker,
    load_salt,
    say,
)
from packages.lab.tests.test_gate_told import add_hook, list_told
from plainloop.agent.service.variants import Variant
from plainloop.agent.store.erasure import erase_thread_rows
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop_lab.decide.gate import judge_all
from plainloop_lab.decide.outcomes import Place, list_report, read_side
from plainloop_lab.decide.rules import Rule, Rules
from plainloop_lab.report.live_report import report_replay
from plainloop_lab.routes.host import ReplayHost
from plainloop_lab.service.rollout_host import RolloutHost
from plainloop_lab.service.rollouts import ShadowOptions, start_canary, start_shadow, stop_rollout
from plainloop_lab.store import replays as store_replays
from plainloop_lab.store import rollouts as store_rollouts
from plainloop_lab.store.replays import ReplayInfo
from plainloop_lab.store.rollouts import Rollout
from tests.machine.running import TENANT, USER
from tests.machine.scripted import text, tools, triage
from tests.runs.conftest import Replica, StartReplica
from tests.runs.conftest import replica as replica
from tests.server.conftest import until

RUNS = int(os.environ.get("PLAINLOOP_SHADOW_RUNS") or 30)
REPLICAS = int(os.environ.get("PLAINLOOP_SHADOW_REPLICAS") or 3)
NOTES = "select count(*) as n from notes where tenant_id = $1"


def act(request: ChatRequest) -> LLMResponse:
    """Both write; the candidate also writes what was never asked for."""
    if not is_worker(request):
        return triage("note_writer")
    if request.messages[-1]["role"] == "tool":
        return text("It is noted.")
    calls: list[Any] = [("a", "add_note", {"text": "milk"})]
    if is_candidate(request):
        calls += [("b", "add_note", {"text": "more"}), ("c", "list_notes", {})]
    return tools(*calls)


@pytest.fixture
async def start(replica: StartReplica) -> AsyncIterator[Any]:
    """A replica as the server has it: it works on replays, and looks after rollouts."""
    async with AsyncExitStack() as stack:

        async def begin(answer: Any = act, **changes: Any) -> Replica:
            one = await replica(*[answer] * 2_000, **changes)
            one.service.models = PricedModels(one.provider)  # type: ignore[assignment]
            for host in (ReplayHost(one.service), RolloutHost(one.service)):
                await host.start()
                stack.push_async_callback(host.drain)
            return one

        yield begin


async def load(one: Replica, rollout_id: str) -> tuple[Rollout, ReplayInfo]:
    rows = one.service.store.read(TENANT)
    found = await store_rollouts.load_rollout(rows, rollout_id)
    return found, await store_replays.load_replay(rows, None, found.replay_id or "")


async def begin_shadow(one: Replica, share: float, usd: str = "100", **rest: Any) -> str:
    options = ShadowOptions(share, Decimal(usd), **rest)
    return await start_shadow(one.service.store, TENANT, USER, CANDIDATE, options)


async def wait_for_items(one: Replica, rollout_id: str, count: int) -> ReplayInfo:
    async def is_done() -> bool:
        return (await load(one, rollout_id))[1].items == {"succeeded": count}

    await until(is_done)
    return (await load(one, rollout_id))[1]


async def wait_for_end(one: Replica, rollout_id: str) -> Rollout:
    async def has_ended() -> bool:
        return (await load(one, rollout_id))[0].status != "running"

    await until(has_ended)
    return (await load(one, rollout_id))[0]


async def test_a_shadow_replays_its_share_of_runs_without_executing_tools(
    start: Any, tmp_path: Path
) -> None:
    ones = [await start() for _ in range(2)]
    rollout_id = await begin_shadow(ones[0], 0.2, beside=3)
    salt = await load_salt(ones[0])
    drawn: list[str] = []
    runs = 0
    while runs < RUNS or not drawn:  # ids fall as they fall
        one = ones[runs % 2]
        runs += 1
        run_id = await one.submit(await one.create_thread(), "note milk")
        await one.collect(run_id)
        drawn += [run_id] if is_drawn(salt, run_id, 0.2) else []
    info = await wait_for_items(ones[0], rollout_id, len(drawn))
    store = ones[0].service.store
    assert await store.read(TENANT).fetchval(NOTES, TENANT) == runs
    report = tmp_path / "report"
    await report_replay(store, TENANT, info, report)
    rules = Rules(rule=(Rule(measure="failed"), Rule(measure="unrecorded_changes", at_most=0.0)))
    sides = [
        read_side(Place(report), rules, is_baseline=is_baseline) for is_baseline in (True, False)
    ]
    assert set(sides[1]) == set(drawn)
    result = judge_all(rules, sides[0], {"shadow": sides[1]})
    failed, changes = result["candidates"][0]["rules"]
    assert (failed["baseline"], failed["candidate"]) == (0.0, 0.0)
    assert changes["candidate"] == 1.0, "one call more that would have written"


async def test_a_running_shadows_verdict_waits_for_its_end(start: Any) -> None:
    """Its replay ends whenever nothing waits, and each report is of all its conversations."""
    one = await start()
    rollout_id = await begin_shadow(one, 1.0)
    store, rows = one.service.store, one.service.store.read(TENANT)

    async def has_ended() -> bool:
        return (await load(one, rollout_id))[1].ended_at is not None

    for count in (1, 2):
        await one.collect(await one.submit(await one.create_thread(), "note milk"))
        await wait_for_items(one, rollout_id, count)
        await until(has_ended)
        rollout, info = await load(one, rollout_id)
        assert (rollout.status, info.verdict) == ("running", None)
        assert await store_replays.find_due_verdict(store) is None
        assert not await rows.fetchval("select plainloop_has_replays()")
    await stop_rollout(store, TENANT, rollout)

    async def is_known() -> bool:
        return (await load(one, rollout_id))[1].verdict is not None

    await until(is_known)


async def test_due_verdicts_are_selected_by_one_sql_function(start: Any) -> None:
    """What wakes a process and what it finds must agree, or it would poll for ever."""
    one = await start()
    rows = one.service.store.read(TENANT)
    found = await rows.fetch("select proname from pg_proc where prosrc like '%verdict_due <=%'")
    assert [row["proname"] for row in found] == ["lab_due_verdicts"]
    assert "<=" not in store_replays.SQL["find_due_verdict"]


async def test_a_running_shadow_tells_webhooks_nothing(start: Any) -> None:
    """Else each run of a user would be told as the end of a replay."""
    one = await start()
    store = one.service.store
    await add_hook(store, TENANT, None, "replay.ended", "rollout.ended")
    rollout_id = await begin_shadow(one, 1.0)

    async def has_ended() -> bool:
        return (await load(one, rollout_id))[1].ended_at is not None

    for count in (1, 2):
        await one.collect(await one.submit(await one.create_thread(), "note milk"))
        await wait_for_items(one, rollout_id, count)
        await until(has_ended)
    assert await list_told(store, TENANT) == []
    await stop_rollout(store, TENANT, (await load(one, rollout_id))[0])
    assert [item["event"] for item in await list_told(store, TENANT)] == ["rollout.ended"]


async def test_a_shadow_counts_a_threads_turns_as_one_task(start: Any, tmp_path: Path) -> None:
    one = await start()
    store = one.service.store
    rollout_id = await begin_shadow(one, 1.0)
    thread_id = await one.create_thread()
    for n in range(3):
        await one.collect(await one.submit(thread_id, "note milk", tags=(f"day-{n}",)))
    info = await wait_for_items(one, rollout_id, 3)
    async with store.transaction(TENANT) as tx:
        await store_replays.save_verdict(tx, USER, info.replay_id, 1, "worse", "")
    await report_replay(store, TENANT, info, tmp_path / "report")
    side = read_side(Place(tmp_path / "report"), Rules(rule=(Rule("failed"),)), is_baseline=False)
    assert [outcome.task for outcome in side.values()] == [thread_id] * 3
    assert [{*outcome.labels["tag"]} for outcome in side.values()] == [
        {"day-0"},
        {"day-1"},
        {"day-2"},
    ]
    told = [found.get("people") for found in list_report(tmp_path / "report/report.json")[1]]
    assert told == [None, "worse", None]
    asked = [r for r in one.provider.requests if is_candidate(r)]
    users = [[m for m in r.messages if m["role"] == "user"] for r in asked]
    assert sorted(map(len, users)) == [1, 1, 2, 2, 3, 3], "each sees what was said before it"


async def test_a_shadows_budget_holds_with_many_replicas(start: Any) -> None:
    ones = [await start(max_output_tokens=30) for _ in range(REPLICAS)]
    # A call reserves up to $0.003 and costs $0.0005: the last of it is never spent.
    rollout_id = await begin_shadow(ones[0], 1.0, "0.005", beside=100)
    for n in range(12):
        await say(ones[n % REPLICAS], await ones[n % REPLICAS].create_thread(), "note milk")
    found = await wait_for_end(ones[0], rollout_id)
    assert found.status == "returned"
    assert str(found.reason).startswith("the next request may cost up to $0.0")
    assert "of the replay's limit of $0.005 was left" in str(found.reason)
    rows = ones[0].service.store.read(TENANT)
    spent = await store_replays.load_spending(rows, found.replay_id or "")
    assert Decimal(0) < spent.cost_usd + spent.open_usd <= Decimal("0.005")


async def test_a_model_without_a_price_stops_the_shadow_with_a_reason(start: Any) -> None:
    one = await start()
    one.service.models = PricedModels(one.provider, {})
    rollout_id = await begin_shadow(one, 1.0)
    await say(one, await one.create_thread(), "note milk")
    told = (await wait_for_end(one, rollout_id)).reason
    assert told == "scripted:scripted-1: the price is unknown, so the cost limit cannot be enforced"


async def test_the_shadow_waits_while_users_are_served(start: Any) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def answer(request: ChatRequest) -> LLMResponse:
        if "slowly" in str(request.messages) and is_worker(request) and not is_candidate(request):
            asked.set()
            await go_on.wait()
        return act(request)

    one = await start(answer)
    rollout_id = await begin_shadow(one, 1.0)
    slow = await one.submit(await one.create_thread(), "note milk slowly")
    await asked.wait()
    await say(one, await one.create_thread(), "note milk")

    async def is_claimed() -> bool:
        return (await load(one, rollout_id))[1].items == {"running": 1}

    await until(is_claimed)
    assert not any(map(is_candidate, one.provider.requests))
    go_on.set()
    await one.collect(slow)
    await wait_for_items(one, rollout_id, 2)


async def test_a_canarys_answers_are_not_used_as_the_shadows_baseline(start: Any) -> None:
    one = await start()
    rollout_id = await begin_shadow(one, 1.0)
    guards = Rules(rule=(Rule("failed"),))
    await start_canary(one.service.store, TENANT, USER, CANDIDATE, 0.2, guards)
    salt = await load_salt(one)
    threads = [await one.create_thread() for _ in range(8)]
    for thread_id in threads:
        await say(one, thread_id, "note milk")

    async def is_taken() -> bool:
        rows = one.service.store.read(TENANT)
        sides = await store_rollouts.count_sides(rows, rollout_id)
        return sum(side.waiting for side in sides) == 0

    await until(is_taken)
    own = {thread_id for thread_id in threads if not is_drawn(salt, thread_id, 0.2)}
    rows = await one.service.store.read(TENANT).fetch("select thread_id from replay_items")
    assert {row["thread_id"] for row in rows} == own


async def test_a_shadows_judge_sees_the_earlier_turns(start: Any) -> None:
    def answer(request: ChatRequest) -> LLMResponse:
        is_judge = "Answer A:" in str(request.messages)
        return text('{"reason": "alike", "winner": "tie"}') if is_judge else act(request)

    one = await start(answer)
    rollout_id = await begin_shadow(one, 1.0, judge=Variant())
    thread_id = await one.create_thread()
    await say(one, thread_id, "note milk")
    await say(one, thread_id, "note honey")
    await wait_for_items(one, rollout_id, 4)
    asked = [str(r.messages) for r in one.provider.requests if "Answer A:" in str(r.messages)]
    about = [told for told in asked if "request:\\nnote honey" in told]
    assert len(asked) == 4 and len(about) == 2, "both turns, in both orders"
    assert all("User: note milk\\nAssistant: It is noted." in told for told in about)


async def test_an_erased_thread_leaves_nothing_in_the_shadow(start: Any) -> None:
    one = await start()
    rollout_id = await begin_shadow(one, 1.0)
    thread_id = await one.create_thread()
    await say(one, thread_id, "note milk")
    await wait_for_items(one, rollout_id, 1)
    async with one.service.store.transaction(TENANT) as tx:
        await erase_thread_rows(tx, USER, thread_id)
    rows = one.service.store.read(TENANT)
    assert await rows.fetch("select run_id from rollout_runs") == []
    assert await rows.fetch("select n from replay_items") == []
