"""Real processes, killed or stopped while three helpers are at work: each is begun once, and what
they do happens as often as it would without a crash. One fate at each boundary, and with
AGENT_CRASH_CELLS=all each of them.
"""

from __future__ import annotations

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.store.helper_runs import list_helpers
from tests.crash.boundaries import BOUNDARIES, World
from tests.crash.checking import check_effects, check_ledger, check_run, read_world
from tests.crash.conftest import HELPED, OpenScene, Scene
from tests.crash.striking import choose_fates, naming, strike
from tests.crash.worker import TENANT, USER, make_effects_pack
from tests.replaying import load_stored, replay_stored

ASKED = "lead them"


@pytest.mark.parametrize("boundary", BOUNDARIES)
async def test_helper_runs_survive_their_processs_crash(
    boundary: str, open_scene: OpenScene
) -> None:
    for fate in choose_fates(BOUNDARIES.index(boundary)):
        async with open_scene() as scene:
            with naming(boundary, fate):
                await play_cell(scene, boundary, fate)


async def play_cell(scene: Scene, boundary: str, fate: str) -> None:
    client = await strike(scene, boundary, fate, ASKED)
    run_id = client.run_id
    statuses = await check_run(scene.store, run_id, ASKED, client.events)
    assert statuses == {"ask_note_writer": "succeeded"}
    await check_ledger(scene.store, scene.wire.requests)
    read = scene.store.read(TENANT)
    begun = await list_helpers(read, run_id)
    assert [item.status for item in begun] == ["succeeded"] * len(HELPED), begun
    world, done = read_world(scene.world_log), set[str]()
    for item in begun:
        assert item.run_id is not None
        for call in await scene.store.list_tool_calls(TENANT, item.run_id):
            check_effects(world, item.run_id, call.name, call.status)
            done.add(call.name)
    assert done == {*HELPED}
    pack = make_effects_pack(World(scene.world_log, stop_nowhere))
    run = await scene.store.load_run(TENANT, USER, run_id)
    for thread_id in (run.thread_id, *(str(item.thread_id) for item in begun)):
        stored = await load_stored(scene.store, TENANT, thread_id)
        replayed = await replay_stored(stored, {pack.name: pack}, Settings())
        assert [turn.outcome for turn in replayed.turns] == ["same"], replayed
    assert len(await read.fetch("select from runs")) == 1 + len(HELPED), "each begins once"
    assert len(await read.fetch("select from notes")) == 1, "a write happens exactly once"


async def stop_nowhere(boundary: str) -> None: ...
