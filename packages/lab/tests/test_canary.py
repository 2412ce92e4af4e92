"""A canary answers a share of threads for real, the same on every replica, and is taken back."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from packages.lab.tests.rolling import (
    CANDIDATE,
    PricedModels,
    is_candidate,
    is_drawn,
    load_salt,
    load_sides,
    reply,
    say,
)
from plainloop.agent.errors import ConfigError, ConflictError, InputError, ModelRequestError
from plainloop.agent.service.variants import Variant
from plainloop.agent.types import ChatRequest, LLMResponse, RunRequest
from plainloop_lab.decide.guarding import read_guards, watch_canary
from plainloop_lab.decide.rules import Rules
from plainloop_lab.service.rollout_host import RolloutHost
from plainloop_lab.service.rollouts import check_variant, start_canary, stop_rollout
from plainloop_lab.store import rollouts as store_rollouts
from plainloop_lab.store.rollouts import Rollout
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.machine.running import TENANT, USER
from tests.machine.scripted import text
from tests.runs.conftest import Replica, StartReplica
from tests.runs.conftest import replica as replica
from tests.runs.test_detached import Gate
from tests.runs.test_takeover import SLOW, expire_leases
from tests.server.conftest import until

MANY = [reply] * 400
WAIT_S = 300.0  # for an open run
# A thousand threads that others began.
FIRST_TURNS = """
insert into rollout_runs (tenant_id, run_id, rollout_id, thread_id, side, turn, share, taken_at)
select $1, gen_random_uuid(), $2, gen_random_uuid(), 'baseline', 1, 0.2, now()
from generate_series(1, 1000)
"""


def fail(request: ChatRequest) -> LLMResponse:
    """The candidate's model refuses every request."""
    if is_candidate(request):
        raise ModelRequestError("bad request")
    return reply(request)


async def begin(
    one: Replica, share: float = 0.2, variant: Variant = CANDIDATE, guards: Rules | None = None
) -> str:
    store = one.service.store
    return await start_canary(store, TENANT, USER, variant, share, guards or read_guards(None))


async def load(one: Replica, rollout_id: str) -> Rollout:
    return await store_rollouts.load_rollout(one.service.store.read(TENANT), rollout_id)


async def watch(one: Replica, rollout_id: str) -> dict[str, Any] | None:
    return await watch_canary(one.service.store, TENANT, rollout_id, WAIT_S)


async def find_thread(one: Replica, rollout_side: str) -> str:
    """A new thread that the running canary gives to this side."""
    salt = await load_salt(one)
    while True:
        thread_id = await one.create_thread()
        if is_drawn(salt, thread_id, 0.2) == (rollout_side == "candidate"):
            return thread_id


async def test_a_thread_stays_on_one_side_of_a_canary_on_every_replica(
    replica: StartReplica,
) -> None:
    ones = [await replica(*MANY) for _ in range(3)]
    before = await ones[0].create_thread()
    assert await say(ones[0], before) == "as ever"
    await begin(ones[0])
    salt = await load_salt(ones[0])
    threads = [before, *[await ones[0].create_thread() for _ in range(11)]]
    for turn in range(2):
        for n, thread_id in enumerate(threads):
            drawn = is_drawn(salt, thread_id, 0.2)
            told = await say(ones[(n + turn) % 3], thread_id)
            assert told == ("the candidate" if drawn else "as ever")
    sides = await load_sides(ones[0])
    noted = [
        run.run_id
        for thread_id in threads
        for run in await ones[0].service.store.list_runs(TENANT, thread_id)
        for step in await ones[0].service.store.load_steps(TENANT, run.run_id)
        if any("the canary" in note for note in step.notes)
    ]
    assert len(noted) == 2 * sum(is_drawn(salt, thread_id, 0.2) for thread_id in threads)
    assert sides == {
        thread_id: {"candidate" if is_drawn(salt, thread_id, 0.2) else "baseline"}
        for thread_id in threads
    }


async def test_a_resumed_run_keeps_its_canary_candidate(replica: StartReplica) -> None:
    late = Gate(text("too late"))
    first = await replica(reply, late, **SLOW)
    rollout_id = await begin(first)
    thread_id = await find_thread(first, "candidate")
    run_id = await first.submit(thread_id, "please do it")
    await late.asked.wait()
    await stop_rollout(first.service.store, TENANT, await load(first, rollout_id))
    await expire_leases(first)
    second = await replica(*MANY)
    events = await second.collect(run_id)
    assert events[-1]["data"] == {"content": "the candidate"}
    assert await say(second, thread_id) == "as ever", "nobody is given to an ended canary"
    late.open.set()


async def test_a_queued_run_is_assigned_when_it_begins(replica: StartReplica) -> None:
    late = Gate(text("as ever"))
    one = await replica(reply, late, *MANY)
    thread_id = await one.create_thread()
    first = await one.submit(thread_id, "please do it")
    await late.asked.wait()
    second = await one.submit(thread_id, "and that", when_busy="enqueue")
    assert await load_sides(one) == {}
    await begin(one)
    salt = await load_salt(one)
    late.open.set()
    await one.collect(first)
    events = await one.collect(second)
    drawn = is_drawn(salt, thread_id, 0.2)
    assert events[-1]["data"] == {"content": "the candidate" if drawn else "as ever"}
    assert await load_sides(one) == {thread_id: {"candidate" if drawn else "baseline"}}


async def test_a_worse_canary_is_rolled_back_and_its_verdict_stored(replica: StartReplica) -> None:
    one = await replica(*[fail] * 400)
    rollout_id = await begin(one)
    failed = 0
    while await watch(one, rollout_id) is None:
        failed += await say(one, await one.create_thread()) != "as ever"
        assert failed < 40
    found = await load(one, rollout_id)
    assert found.status == "returned" and found.verdict is not None
    assert found.verdict["measure"] == "failed"
    assert (found.verdict["candidate"], found.verdict["baseline"]) == (1.0, 0.0)
    assert found.verdict["runs"]["candidate"] == failed
    assert str(found.reason).startswith("failed is 100.0% in")
    for _ in range(6):
        assert await say(one, await one.create_thread()) == "as ever"


async def test_several_replicas_count_each_canary_run_once(replica: StartReplica) -> None:
    ones = [await replica(*MANY) for _ in range(2)]
    rollout_id = await begin(ones[0])
    threads = [await ones[0].create_thread() for _ in range(6)]
    for thread_id in threads * 2:
        await say(ones[0], thread_id)
    hosts = [RolloutHost(one.service) for one in ones * 2]
    await asyncio.gather(*(host.look() for host in hosts))

    async def is_seen() -> bool:
        await hosts[0].look()
        found = await store_rollouts.list_ended_runs(
            ones[0].service.store.read(TENANT), rollout_id, 100, WAIT_S
        )
        return not found

    await until(is_seen)
    state = (await load(ones[0], rollout_id)).state
    assert state is not None
    counted = [sum(guard["counts"].values()) for guard in state["guards"]]
    assert counted == [12, 12, 0], "nothing of these was reviewed"


async def test_runs_count_in_the_order_of_assignment(replica: StartReplica) -> None:
    """A slower side's first runs end late: in the order of their ends, the other side's lead."""
    late = Gate(text("at last"))
    one = await replica(reply, late, *MANY)
    rows = one.service.store.read(TENANT)
    rollout_id = await begin(one)

    async def list_counted(wait_s: float = WAIT_S) -> list[str]:
        ended = await store_rollouts.list_ended_runs(rows, rollout_id, 10, wait_s)
        return [run.run_id for run in ended]

    slow = await one.submit(await one.create_thread(), "please do it")
    await late.asked.wait()
    quick = [await one.submit(await one.create_thread(), "please do it") for _ in range(2)]
    for run_id in quick:
        await one.collect(run_id)
    assert await list_counted() == [], "the first one is open"
    assert await list_counted(0.0) == quick, "it is waited for no longer"
    late.open.set()
    await one.collect(slow)
    assert await list_counted() == [slow, *quick]


async def test_a_canary_does_not_count_runs_that_users_cancel(replica: StartReplica) -> None:
    late = Gate(text("too late"))
    one = await replica(reply, late)
    rollout_id = await begin(one)
    thread_id = await one.create_thread()
    run_id = await one.submit(thread_id, "please do it")
    await late.asked.wait()
    await one.host.cancel(TENANT, USER, thread_id)
    await one.collect(run_id)
    assert await watch(one, rollout_id) is None
    state = (await load(one, rollout_id)).state
    assert state is not None and all(not guard["counts"] for guard in state["guards"])


async def test_an_unusable_canary_is_rolled_back_and_its_thread_answered(
    replica: StartReplica,
) -> None:
    one = await replica(*MANY)
    rollout_id = await begin(one, variant=Variant({"AGENT_PROVIDER": "anthropic"}))
    assert await say(one, await find_thread(one, "candidate")) == "as ever"
    found = await load(one, rollout_id)
    assert found.status == "returned"
    assert str(found.reason).startswith("the candidate cannot be used: ")


async def test_a_canary_does_not_change_threads_of_other_tenants(replica: StartReplica) -> None:
    one = await replica(*MANY)
    await begin(one)
    thread_id = await one.create_thread("other", "bob")
    ticket = await one.host.submit("other", "bob", thread_id, RunRequest("please do it"))
    events = [e async for e in one.host.watch("other", "bob", ticket.run_id)]
    assert events[-1]["data"] == {"content": "as ever"}
    assert await load_sides(one) == {}


async def test_only_one_canary_runs_at_a_time(replica: StartReplica) -> None:
    one = await replica()
    await begin(one)
    with pytest.raises(ConflictError) as refused:
        await begin(one)
    assert refused.value.code == "ROLLOUT_RUNS"


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ('measure = "same_tools"', "has no measure same_tools"),
        ('measure = "failed"\nmargin = "5%"', "in points"),
        ('measure = "cost_usd"\nmargin = 0.1', "in percent"),
        ('measure = "duration_ms"\nbetter = "more"', "because higher values are better"),
        ('measure = "failed"\nat_most = 0.1', "not_worse"),
        ('measure = "failed"\nwhere = { worker = "a" }', "counts all runs"),
    ],
)
def test_a_canary_refuses_rules_it_cannot_check(tmp_path: Any, rule: str, told: str) -> None:
    path = tmp_path / "guards.toml"
    path.write_text(f"[[rule]]\n{rule}\n")
    with pytest.raises(ConfigError, match=told):
        read_guards(path)


async def wait_for_verdict(one: Replica, rollout_id: str, most: int) -> dict[str, Any]:
    """Say something in threads, so many at most, until the canary is taken back."""
    for _ in range(most):
        await say(one, await one.create_thread())
        if verdict := await watch(one, rollout_id):
            return verdict
    pytest.fail("it was never taken back")


async def test_a_packs_own_checks_can_guard_a_canary(replica: StartReplica, tmp_path: Any) -> None:
    path = tmp_path / "guards.toml"
    path.write_text('[check.polite]\nlacks = "candidate"\n[[rule]]\nmeasure = "polite"\n')
    one = await replica(*MANY)
    rollout_id = await begin(one, guards=read_guards(path))
    verdict = await wait_for_verdict(one, rollout_id, 60)
    assert (verdict["candidate"], verdict["baseline"]) == (0.0, 1.0)


def count_words(answer: str, calls: list[Any]) -> float:
    return float(len(answer.split()))


def raise_error(answer: str, calls: list[Any]) -> float:
    raise LookupError("no luck")


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (f"{__name__}:count_words", "count_words' returned 2.0, which is not from 0 to 1"),
        (f"{__name__}:raise_error", "LookupError: no luck"),
        ("nobody:nothing", "No module named 'nobody'"),
    ],
)
async def test_a_canary_whose_guard_cannot_be_measured_is_rolled_back(
    replica: StartReplica, tmp_path: Any, function: str, told: str
) -> None:
    """The run that cannot be measured would come first for ever: nothing would end the canary."""
    path = tmp_path / "guards.toml"
    path.write_text(f'[check.own]\npython = "{function}"\n[[rule]]\nmeasure = "own"\n')
    one = await replica(*MANY)
    rollout_id = await begin(one, guards=read_guards(path))
    await say(one, await one.create_thread())
    assert await watch(one, rollout_id) is None
    found = await load(one, rollout_id)
    assert (found.status, found.verdict) == ("returned", None)
    assert str(found.reason).startswith("a guard cannot be measured: ") and told in str(
        found.reason
    )
    assert await say(one, await find_thread(one, "candidate")) == "as ever"


async def test_a_too_expensive_canary_is_rolled_back(replica: StartReplica, tmp_path: Any) -> None:
    path = tmp_path / "guards.toml"
    path.write_text('[[rule]]\nmeasure = "cost_usd"\nmargin = "20%"\n')

    def talk(request: ChatRequest) -> LLMResponse:
        answer = reply(request)
        tokens = 500 if is_candidate(request) else 5
        return replace(answer, usage=replace(answer.usage, output_tokens=tokens))

    one = await replica(*[talk] * 1_000)
    one.service.models = PricedModels(one.provider)  # type: ignore[assignment]
    rollout_id = await begin(one, guards=read_guards(path))
    verdict = await wait_for_verdict(one, rollout_id, 300)
    assert verdict["candidate"] > 20 * verdict["baseline"] > 0
    assert str((await load(one, rollout_id)).reason).startswith("cost_usd is $0.05")


async def test_changing_a_canarys_share_keeps_each_threads_side(replica: StartReplica) -> None:
    one = await replica(*MANY)
    rollout_id = await begin(one, 0.5)
    salt = await load_salt(one)

    async def find_between() -> str:
        """A new thread that half of all would have, and a fifth not."""
        while True:
            thread_id = await one.create_thread()
            if is_drawn(salt, thread_id, 0.5) and not is_drawn(salt, thread_id, 0.2):
                return thread_id

    early = await find_between()
    assert await say(one, early) == "as ever"
    rows = one.service.store.read(TENANT)
    await rows.execute(FIRST_TURNS, TENANT, rollout_id)
    assert await say(one, await find_between()) == "the candidate"
    assert await say(one, early) == "as ever"
    ended = await store_rollouts.list_ended_runs(rows, rollout_id, 10, WAIT_S)
    assert [run.share for run in ended] == [0.2, 0.5, 0.2]


async def test_a_canary_without_an_effective_change_is_refused(replica: StartReplica) -> None:
    service = (await replica()).service
    packs = {pack.name: pack for pack in service.packs}
    with pytest.raises(InputError, match="is the same as today's configuration"):
        await check_variant(Variant(), service.settings, packs)
    with pytest.raises(ConfigError, match="the prompt 'nobody' belongs to no worker"):
        await check_variant(Variant(prompts={"nobody": "x"}), service.settings, packs)
    with pytest.raises(ConfigError, match="AGENT_API_BASE cannot be changed"):
        address = {"AGENT_API_BASE": "https://example.com"}
        await check_variant(Variant(address), service.settings, packs)


async def test_a_shadow_with_a_cost_limit_but_no_price_is_refused(plainloop: Command) -> None:
    model = ("--provider", "openai", "--model", "nobody-knows-1")
    refused = await plainloop(
        *("shadow", "start", "--max-cost-usd", "1", *model), OPENAI_API_KEY="k"
    )
    assert refused.code == 6, refused
    assert "openai:nobody-knows-1: the price is unknown" in refused.err
    assert '[prices."openai:nobody-knows-1"]' in refused.err
    assert "there is no shadow" in (await plainloop("shadow", "status")).err


async def test_the_cli_starts_shows_and_stops_shadows_and_canaries(
    plainloop: Command, tmp_path: Any
) -> None:
    for arguments in (("canary", "--share", "10%"), ("shadow", "--max-cost-usd", "0.005")):
        command, *options = arguments
        begun = await plainloop(command, "start", "--model", "other", *options)
        assert begun.code == 0, begun
    assert (await plainloop("ask", "how many jobs do I have?")).code == 0
    canary = await plainloop("canary", "status")
    assert canary.code == 0, canary
    assert "running" in canary.out and "AGENT_MODEL=other" in canary.out
    assert "1 threads" in canary.out and "failed not worse" in canary.out
    shadow = await plainloop("shadow", "status", "--report", "report")
    assert shadow.code == 0, shadow
    assert "share 20.0%" in shadow.out and "spent: $0.0000 of $0.0050" in shadow.out
    assert (tmp_path / "report" / "report.json").exists()
    for command in ("canary", "shadow"):
        ended = await plainloop(command, "stop")
        assert (ended.code, ended.out.endswith("has ended\n")) == (0, True), ended
