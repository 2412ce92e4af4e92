"""Real processes, killed or stopped at every boundary of a run: what is promised holds.

The promise is in `docs/runs.md`. A cell is: where the process stands still, what happens to it
(killed and restarted; killed, another takes over; stopped past its lease, another takes over, then
continued), and the effect of the tool that the run calls. Every boundary meets every fate; around a
tool each effect meets every boundary and every fate, and what reaches the outside, once it has
acted, all of them; with AGENT_CRASH_CELLS=all everything meets everything.
"""

from __future__ import annotations

import asyncio

import pytest

from tests.crash.boundaries import BOUNDARIES, TOOL_BOUNDARIES
from tests.crash.checking import check_effects, check_ledger, check_run, read_world
from tests.crash.conftest import OpenScene, Scene
from tests.crash.striking import FATES, IS_WHOLE, choose_fates, naming, strike
from tests.crash.worker import TENANT

EFFECTS = ("look", "note", "pay", "mail")
AT_ONCE = 3
FEW = ("mid_stream", "tool_acted", "done_before_seen")
MIXED = BOUNDARIES if IS_WHOLE else FEW


def list_cells(boundary: str) -> list[tuple[str, str]]:
    """Fates and tools."""
    if boundary not in TOOL_BOUNDARIES:
        return [(fate, "note") for fate in FATES]
    cells: list[tuple[str, str]] = []
    for n, tool in enumerate(EFFECTS, TOOL_BOUNDARIES.index(boundary)):
        is_outside = boundary == "tool_acted" and tool in ("pay", "mail")
        cells += [(fate, tool) for fate in (FATES if is_outside else choose_fates(n))]
    return cells


def test_the_crash_matrix_covers_every_pair_of_its_three_parameters() -> None:
    cells = [(place, *cell) for place in TOOL_BOUNDARIES for cell in list_cells(place)]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        pairs = {(cell[a], cell[b]) for cell in cells}
        assert len(pairs) == len({cell[a] for cell in cells}) * len({cell[b] for cell in cells})


@pytest.mark.parametrize("boundary", BOUNDARIES)
async def test_no_promise_breaks_at_any_crash_point(boundary: str, open_scene: OpenScene) -> None:
    places = asyncio.Semaphore(AT_ONCE)

    async def play(fate: str, tool: str) -> None:
        async with places, open_scene() as scene:
            with naming(boundary, fate, tool):
                await play_cell(scene, boundary, fate, tool)

    await asyncio.gather(*(play(*cell) for cell in list_cells(boundary)))


@pytest.mark.parametrize("boundary", MIXED)
async def test_no_promise_breaks_when_another_version_takes_over(
    boundary: str, open_scene: OpenScene
) -> None:
    """Left to the code that began it, as long as that one seems to be there; then taken, once."""
    for fate in choose_fates(MIXED.index(boundary)):
        async with open_scene() as scene:
            scene.replicas.environ |= {"AGENT_DEPLOY_JUDGE": "warn", "AGENT_DEPLOY_LEFT_S": "0.5"}
            with naming(boundary, fate, "note", "other code"):
                await play_cell(scene, boundary, fate, "note", ("old", "new"))


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
