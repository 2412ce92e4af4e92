"""Replays of what a test has run, by plainloop-lab; where it is absent, the rest is skipped."""

from __future__ import annotations

from typing import Any

import pytest

from tests.machine.running import TENANT, Machine

_ENGINE = "plainloop_lab.replay.engine.stored"
_STORED = "plainloop_lab.replay.sources.stored"
_RECORDING = "plainloop_lab.replay.sources.thread_recording"


async def replay_stored(*given: Any) -> Any:
    return await pytest.importorskip(_ENGINE).replay_stored(*given)


async def load_stored(*given: Any) -> Any:
    return await pytest.importorskip(_STORED).load_stored(*given)


async def load_recorded(*given: Any) -> Any:
    """The thread by way of a file: whatever it holds, its recording is whole there too."""
    recording = pytest.importorskip(_RECORDING)
    line = recording.to_line(await recording.load_recording(*given), {})
    parsed = recording.parse_recording(line, 1)
    assert parsed is not None
    return pytest.importorskip(_STORED).build_thread(parsed)


async def replay(run: Machine) -> Any:
    pack = run.service.pack
    thread = await load_recorded(run.store, TENANT, run.thread_id)
    return await replay_stored(thread, {pack.name: pack}, run.service.settings)


def explain(replayed: Any) -> Any:
    found = replayed.divergence
    return found and (found.kind, found.step, found.node, found.render_diff())
