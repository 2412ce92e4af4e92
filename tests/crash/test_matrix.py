"""Real processes, killed or stopped at every boundary of a run: what is promised holds.

The promise is in `docs/runs.md`. A cell is: where the process stands still, what happens to it
(killed and restarted; killed, another takes over; stopped past its lease, another takes over, then
continued), and the effect of the tool that the run calls.
"""

from __future__ import annotations

import asyncio
import os

import pytest

from tests.crash.boundaries import BOUNDARIES, TOOL_BOUNDARIES
from tests.crash.checking import check_effects, check_ledger, check_run, read_world
from tests.crash.conftest import OpenScene, Scene
from tests.crash.striking import FATES, strike
from tests.crash.worker import TENANT

EFFECTS = ("look", "note", "pay", "mail")
AT_ONCE = 3
# AGENT_CRASH_MIXED=all: at every boundary.
FEW = ("mid_stream", "tool_acted", "done_before_seen")
MIXED = BOUNDARIES if os.environ.get("AGENT_CRASH_MIXED") == "all" else FEW


@pytest.mark.parametrize("boundary", BOUNDARIES)
async def test_what_is_promised_holds(boundary: str, open_scene: OpenScene) -> None:
    effects = EFFECTS if boundary in TOOL_BOUNDARIES else ("note",)
    places = asyncio.Semaphore(AT_ONCE)

    async def play(fate: str, tool: str) -> None:
        async with places, open_scene() as scene:
            try:
                await play_cell(scene, boundary, fate, tool)
            except BaseException as error:
                error.add_note(f"cell: {boundary}, {fate}, {tool}")
                raise

    await asyncio.gather(*(play(fate, tool) for fate in FATES for tool in effects))


@pytest.mark.parametrize("boundary", MIXED)
async def test_what_is_promised_holds_where_other_code_goes_on(
    boundary: str, open_scene: OpenScene
) -> None:
    """Left to the code that began it, as long as that one seems to be there; then taken, once."""
    for fate in FATES:
        async with open_scene() as scene:
            scene.replicas.environ |= {"AGENT_DEPLOY_JUDGE": "warn", "AGENT_DEPLOY_LEFT_S": "0.5"}
            try:
                await play_cell(scene, boundary, fate, "note", ("old", "new"))
            except BaseException as error:
                error.add_note(f"cell: {boundary}, {fate}, note, other code")
                raise


async def play_cell(
    scene: Scene, boundary: str, fate: str, tool: str, codes: tuple[str, str] = ("", "")
) -> None:
    asked = f"{tool} it for me"
    client = await strike(scene, boundary, fate, asked, codes)
    run_id = client.run_id
    statuses = await check_run(scene.store, run_id, asked, client.events)
    assert list(statuses) == [tool]
    await check_ledger(scene.store, scene.wire.requests)
    check_effects(read_world(scene.world_log), run_id, tool, statuses[tool])
    notes = await scene.store.read(TENANT).fetch("select text from notes")
    assert len(notes) == (tool == "note"), "a write happens exactly once"
