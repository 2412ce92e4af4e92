"""Random crashes: several runs, two replicas, and a nemesis that kills, stops and drains them.

A seed decides everything but the operating system's scheduling. `AGENT_CRASH_SEEDS=1000` for the
long run; `AGENT_CRASH_FIRST_SEED` to begin elsewhere.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Sequence

import pytest

from plainloop_wire.faults import Faults
from tests.crash.checking import check_effects, check_ledger, check_run, read_world
from tests.crash.conftest import Scene
from tests.crash.replicas import PATIENCE_S, Client, Replica
from tests.crash.worker import TENANT

SEEDS = int(os.environ.get("AGENT_CRASH_SEEDS") or 2)
FIRST_SEED = int(os.environ.get("AGENT_CRASH_FIRST_SEED") or 0)
EFFECTS = ("look", "note", "pay", "mail")
RUNS = 6
BLOWS = 3


Disaster = Callable[["Scene", "Nemesis"], Awaitable[None]]


class Nemesis:
    """Strikes at the replicas at random moments; there is always one that can go on afterwards."""

    def __init__(self, scene: Scene, dice: random.Random, boots: Sequence[str]) -> None:
        """boots: the machines, by turns, on which replicas are started."""
        self._boots = boots
        self._scene = scene
        self._dice = dice
        self._count = 0
        self.replicas: list[Replica] = []

    async def start_one(self) -> Replica:
        self._count += 1
        boot = self._boots[self._count % len(self._boots)]
        replica = await self._scene.replicas.start(f"r{self._count}", BOOT=boot)
        self.replicas.append(replica)
        return replica

    def choose(self) -> Replica:
        return self._dice.choice([item for item in self.replicas if not item.is_stopped])

    def kill_all(self) -> None:
        while self.replicas:
            self.replicas.pop().kill()

    async def strike(self) -> None:
        # The moment is what is random here, not something waited for.
        await asyncio.sleep(self._dice.uniform(0.0, 0.5))
        victim = self.choose()
        blow = self._dice.choice(("kill", "stop", "drain"))
        if blow == "stop":
            victim.stop()
            await asyncio.sleep(self._dice.uniform(0.2, 1.6))
            victim.go_on()
            return
        self.replicas.remove(victim)
        if blow == "kill":
            victim.kill()
        else:
            victim.ask("drain", grace_s=self._dice.choice((0.0, 0.3)))
            await victim.wait_for("drained")
            victim.kill()
        await self.start_one()


async def follow_to_the_end(client: Client, nemesis: Nemesis) -> None:
    """As a browser does: reconnect, with the cursor, to whoever answers."""
    while not client.is_done:
        if nemesis.replicas:
            await client.follow(nemesis.choose())
        await asyncio.sleep(0.01)


async def describe_runs(scene: Scene, clients: list[Client]) -> str:
    """What the database says of each run, and how far its client has come."""
    sql = (
        "select run_id::text, status, owner, fence, attempt, lease_until - now() as lease,"
        " (select max(n) from steps where steps.run_id = runs.run_id) as step,"
        " (select json_agg(json_build_array(step, role, status, created_at)) from llm_calls"
        " where llm_calls.run_id = runs.run_id) as calls from runs"
    )
    rows = {row["run_id"]: row for row in await scene.store.read(TENANT).fetch(sql)}
    return "\n".join(
        f"seen {client.cursor}, {client.is_done}: {rows[client.run_id]}" for client in clients
    )


async def survive(
    seed: int,
    scene: Scene,
    disaster: Disaster | None = None,
    boots: Sequence[str] = ("",),
    replicas: int = 2,
) -> None:
    """disaster: what happens beside the nemesis's blows, between the first and the last."""
    dice = random.Random(seed)
    scene.wire.wire.faults.load(Faults(first_ms=dice.choice((0, 40)), delay_ms=5))
    nemesis = Nemesis(scene, dice, boots)
    for _ in range(replicas):
        await nemesis.start_one()
    runs: list[tuple[str, str]] = []
    for n in range(RUNS):
        tool = dice.choice(EFFECTS)
        thread_id = await scene.create_thread()
        run_id = await nemesis.choose().submit(thread_id, f"{tool} it for me", f"key{n}")
        runs.append((run_id, tool))
    clients = [Client(run_id) for run_id, _ in runs]
    following = asyncio.gather(*(follow_to_the_end(client, nemesis) for client in clients))
    for n in range(BLOWS):
        if n == 1 and disaster is not None:
            await disaster(scene, nemesis)
        await nemesis.strike()
    try:
        await asyncio.wait_for(following, PATIENCE_S)
    except TimeoutError as error:
        error.add_note(await describe_runs(scene, clients))
        raise

    world = read_world(scene.world_log)
    for (run_id, tool), client in zip(runs, clients, strict=True):
        statuses = await check_run(scene.store, run_id, f"{tool} it for me", client.events)
        check_effects(world, run_id, tool, statuses[tool])
    await check_ledger(scene.store, scene.wire.requests)
    notes = await scene.store.read(TENANT).fetch("select text from notes")
    assert len(notes) == sum(tool == "note" for _, tool in runs), "writes happen exactly once"


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + SEEDS))
async def test_no_promise_breaks_at_random_crashes(seed: int, scene: Scene) -> None:
    await survive(seed, scene)


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + (SEEDS + 1) // 2))
async def test_no_promise_breaks_at_crashes_with_queued_runs(seed: int, scene: Scene) -> None:
    """Who waits has no task: it is cancelled, left and taken over all the same."""
    scene.replicas.environ["AGENT_LIMITS_RUNS_AT_ONCE"] = "1"
    await survive(seed, scene)
