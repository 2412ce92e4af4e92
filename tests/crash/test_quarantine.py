"""A run that takes its processes down: paused, tried alone, ended with a reason; others go on."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from tests.crash.boundaries import tell_fence
from tests.crash.conftest import Scene
from tests.crash.replicas import PATIENCE_S, Client, Replica
from tests.crash.worker import TENANT, USER

TWICE: Final = {"AGENT_LIMITS_RUN_ATTEMPTS": "2"}
# Who is dead is known at once; a slow machine shall lose no lease here.
DEAD: Final = {**TWICE, "AGENT_LIMITS_LEASE_S": "60"}
LONG: Final = {**DEAD, "AGENT_LIMITS_QUARANTINE_S": "600"}


async def begin_bystander(scene: Scene, replica: Replica) -> str:
    """A run on a replica of the boundary `before_model_call`: it waits for a model's answer."""
    run_id = await replica.submit(await scene.create_thread(), "look it up for me", "bystander")
    await replica.wait_for("reached")
    return run_id


async def load_row(scene: Scene, run_id: str) -> Any:
    sql = (
        "select status, owner, attempt, lease_until > now() + interval '5 min' as is_paused"
        " from runs where run_id = $1"
    )
    return await scene.store.read(TENANT).fetchrow(sql, run_id)


async def wait_for_pause(scene: Scene, run_id: str) -> Any:
    async with asyncio.timeout(PATIENCE_S):
        while not (row := await load_row(scene, run_id))["is_paused"]:
            await asyncio.sleep(0.02)
    return row


async def wait_for_end(scene: Scene, run_id: str) -> tuple[str, str | None]:
    async with asyncio.timeout(PATIENCE_S):
        while (run := await scene.store.load_run(TENANT, USER, run_id)).ended_at is None:
            await asyncio.sleep(0.05)
    events = await scene.store.load_events(TENANT, run_id)
    assert [e["event"] for e in events if e["event"] in ("done", "error")] == ["error"]
    assert "is not tried again" in events[-1]["data"]["message"], "its user knows what to do"
    return run.status, run.error_code


async def tell_fences(scene: Scene, run_id: str) -> None:
    """Who stands still with the run goes on once it is another's, or has ended."""
    is_over = False
    while not is_over:
        sql = "select fence, ended_at is not null as is_over from runs where run_id = $1"
        row: Any = await scene.store.read(TENANT).fetchrow(sql, run_id)
        is_over = row["is_over"]
        tell_fence(scene.world_log, row["fence"])
        await asyncio.sleep(0.02)


def count_blows(scene: Scene, name: str) -> int:
    return scene.world_log.read_text().count(f"{name} ")


async def test_a_suspected_run_is_quarantined_and_others_resume_at_once(scene: Scene) -> None:
    first = await scene.replicas.start("first", "before_model_call", **LONG)
    bystander = await begin_bystander(scene, first)
    second = await scene.replicas.start("second", **LONG)
    bomb = await first.submit(await scene.create_thread(), "blow it up", "bomb")
    await asyncio.to_thread(first.process.join)
    client = Client(bystander)
    await asyncio.wait_for(client.follow_to_end(second), PATIENCE_S)
    row = await wait_for_pause(scene, bomb)

    assert client.events[-1]["event"] == "done"
    assert (row["status"], row["owner"], row["attempt"]) == ("running", None, 2)
    assert second.process.is_alive()
    assert count_blows(scene, "blow") == 1


async def test_a_run_that_kills_each_process_is_given_up(scene: Scene) -> None:
    replicas = [await scene.replicas.start(f"r{n}", **DEAD) for n in range(4)]
    bomb = await replicas[0].submit(await scene.create_thread(), "blow it up", "bomb")
    assert await wait_for_end(scene, bomb) == ("failed", "RUN_CRASHED")

    assert count_blows(scene, "blow") == 3
    (alive,) = [item for item in replicas if item.process.is_alive()]
    after = Client(await alive.submit(await scene.create_thread(), "look it up", "after"))
    await asyncio.wait_for(after.follow_to_end(alive), PATIENCE_S)
    assert after.events[-1]["event"] == "done"


async def test_a_run_that_blocks_the_event_loop_is_given_up(scene: Scene) -> None:
    first = await scene.replicas.start("first", "before_model_call", **TWICE)
    bystander = await begin_bystander(scene, first)
    second = await scene.replicas.start("second", **TWICE)
    stalled = await first.submit(await scene.create_thread(), "stall it for me", "stalled")
    telling = asyncio.create_task(tell_fences(scene, stalled))
    client = Client(bystander)
    await asyncio.wait_for(client.follow_to_end(second), PATIENCE_S)
    assert client.events[-1]["event"] == "done"
    assert await wait_for_end(scene, stalled) == ("failed", "RUN_CRASHED")
    await telling

    assert 1 <= count_blows(scene, "stall") <= 3
    assert first.process.is_alive() and second.process.is_alive()
