"""`/a2a` by the client that npm has, unmodified."""

from __future__ import annotations

import pytest

from tests.machine.scripted import text, triage
from tests.protocols.node_clients import get_end, require_node
from tests.server.conftest import Serve


@pytest.mark.parametrize("binding", ["JSONRPC", "HTTP+JSON"])
async def test_the_javascript_client_can_run_a_task(binding: str, serve: Serve) -> None:
    require_node("@a2a-js/sdk")
    turns = [
        step for said in ("Hello to you.", "Again.") for step in (triage("general"), text(said))
    ]
    end = await get_end(await serve(*turns), "a2a.mjs", binding)

    assert end["shown"] == end["stored"] == "Hello to you."
    assert end["whole"] == "Again."
    assert {"task", "artifactUpdate", "statusUpdate"} <= {*end["kinds"]}
