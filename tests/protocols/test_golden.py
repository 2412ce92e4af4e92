"""The recorded runs are what the machine still tells."""

from __future__ import annotations

import os

import pytest

from tests.machine.running import check_shape, fold_text
from tests.protocols.golden import (
    RUNS,
    Golden,
    Recorder,
    load_golden,
    record,
    save_golden,
    to_outline,
)
from tests.runs.conftest import StartReplica

IS_RECORDING = bool(os.environ.get("PLAINLOOP_UPDATE_GOLDEN"))


@pytest.mark.parametrize("recorder", RUNS, ids=lambda item: item.__name__)
async def test_the_golden_events_equal_what_the_engine_emits(
    recorder: Recorder, replica: StartReplica
) -> None:
    told = await record(recorder, replica)
    if IS_RECORDING:
        keep(told)
    known = {item.name: item for item in load_golden()}[recorder.__name__]

    assert to_outline(told.events) == to_outline(known.events)
    assert told.answer == known.answer == fold_text(known.events)
    for event in known.events:
        check_shape(event)


def keep(told: Golden) -> None:
    known = {item.name: item for item in load_golden()}
    known[told.name] = told
    save_golden([known[item.__name__] for item in RUNS if item.__name__ in known])
