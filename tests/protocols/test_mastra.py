"""Mastra's agent in JavaScript, unmodified, with a tool of its own and a shape that it wants.

`AGENT_TEST_CLIENTS=all ./scripts/packages` fetches it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.processes import run_program
from tests.protocols.behind import BEHIND, serve_behind
from tests.protocols.conftest import ServeNotes
from tests.protocols.node_clients import FOLDER as NODE
from tests.protocols.node_clients import find_node
from tests.protocols.test_python_clients import ANN, FOLDER, OSLO, answer
from tests.wire_fixtures import StartWire

MASTRA = FOLDER / "mastra"


@pytest.mark.skipif(
    not MASTRA.is_dir(), reason="mastra is not installed: AGENT_TEST_CLIENTS=all ./scripts/packages"
)
@pytest.mark.parametrize("behind", BEHIND)
async def test_a_mastra_agent_uses_tools_and_structured_output(
    behind: str, serve: ServeNotes, wire_server: StartWire, tmp_path: Path
) -> None:
    served = await serve_behind(behind, answer, serve, wire_server)
    told = await run_program(
        *(find_node(20), str(NODE / "mastra.mjs"), served.url, served.token(), str(MASTRA)),
        folder=tmp_path,
        timeout_s=300,
        environ={"MASTRA_TELEMETRY_DISABLED": "1"},
    )

    assert json.loads(told.strip().rpartition("\n")[2]) == {
        "whole": OSLO,
        "streamed": OSLO,
        "data": ANN,
    }
