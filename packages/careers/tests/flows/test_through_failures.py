"""The six turns over wires that fail now and then: the same answers, every attempt on record."""

from __future__ import annotations

import pytest

from packages.careers.tests.flows.conftest import OpenService, PlayInProcess
from packages.careers.tests.flows.playing import play
from packages.careers.tests.flows.turns import PLAIN
from plainloop_wire.faults import Fault, Faults
from plainloop_wire.serving import WIRES
from tests.wire_fixtures import StartWire

# After the résumé's parser and the first triage: overloaded, then a stream that just ends, then a
# lost connection.
FAILURES = Faults(
    series=(
        Fault(status=503, retry_after_s=0.01, skip=2),
        Fault(cut_after_events=2, end="clean", skip=1),
        Fault(status=0, skip=1),
    )
)


@pytest.mark.parametrize("wire", WIRES)
async def test_occasional_provider_failures_do_not_change_the_answers(
    open_wire: OpenService, wire_server: StartWire, play_in_process: PlayInProcess, wire: str
):
    server = await wire_server(faults=FAILURES)
    in_process = await play_in_process(PLAIN)
    over_wire = await play(await open_wire(wire, server), wire, PLAIN)

    assert over_wire.turns == in_process.turns
    assert over_wire.rows == in_process.rows
    calls = [call for turn in over_wire.calls for call in turn]
    failed = [call for call in calls if call.status != "succeeded"]
    assert len(failed) == sum("fault" in entry for entry in server.requests) == 3
    # One more request: the parser's, which is in no run.
    assert len(calls) + 1 == len(server.requests)
