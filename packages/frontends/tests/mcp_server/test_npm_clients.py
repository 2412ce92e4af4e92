"""`/mcp` by the clients that npm has, unmodified."""

from __future__ import annotations

import pytest

from packages.frontends.tests.mcp_server.test_server import offer_sentence
from plainloop.agent.mcp.session import LEGACY, MODERN
from tests.protocols.node_clients import get_end, require_node
from tests.server.conftest import Served


@pytest.mark.parametrize(
    ("client", "version", "can_ask"),
    [
        ("client@auto", MODERN, True),
        ("client@default", LEGACY[0], True),
        ("sdk@asks", LEGACY[0], True),
        ("sdk@only", LEGACY[0], False),
    ],
)
async def test_npm_clients_of_both_protocol_eras_call_tools_and_runs(
    client: str, version: str, can_ask: bool, served: Served
) -> None:
    require_node("@modelcontextprotocol/client")
    offer_sentence(served)
    end = await get_end(served, "mcp_clients.mjs", client)

    assert end["version"] == version
    assert end["tools"][:2] == ["ask_default", "get_run"]
    assert [job["company"] for job in end["jobs"]] == ["Cafe Uno"]
    assert "1 job" in end["answer"]
    assert end["prompt"] == "list my saved jobs"
    assert "plainloop://api/jobs" in end["resources"]
    assert [job["company"] for job in end["read"]] == ([] if can_ask else ["Cafe Uno"])
    assert [("Cafe Uno" in message) for message in end["asked"]] == ([True] if can_ask else [])
    assert end["deleted"]["isError"] is not can_ask
