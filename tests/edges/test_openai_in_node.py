"""openai-node, @ai-sdk/openai-compatible and @ai-sdk/openai, unmodified, talking to an agent."""

from __future__ import annotations

import pytest

from plainloop.agent.errors import ModelAuthError
from tests.edges.conftest import ServeNotes
from tests.edges.node_clients import get_end, require_node
from tests.machine.scripted import Cut, text, tools, triage

PROGRAM = "openai_clients.mjs"
ADD = ("c1", "add_note", {"text": "milk"})
PACKAGES = {
    "node": "openai",
    "node_responses": "openai",
    "compatible": "@ai-sdk/openai-compatible",
    "provider": "@ai-sdk/openai",
}


@pytest.mark.parametrize("scenario", [*PACKAGES])
async def test_the_answer_and_what_it_took(scenario: str, serve: ServeNotes) -> None:
    require_node(PACKAGES[scenario])
    script = (triage("note_writer"), tools(ADD, said="Let me note that."), text("Noted: milk."))
    end = await get_end(await serve(*script), PROGRAM, scenario)
    taken = {key.replace("_", "").lower(): count for key, count in end["usage"].items()}

    assert end["text"] == "Let me note that.\n\nNoted: milk."
    assert taken["totaltokens"] == 45


@pytest.mark.parametrize("scenario", ["node", "compatible"])
async def test_a_failure_in_the_stream_is_one_in_the_client(
    scenario: str, serve: ServeNotes
) -> None:
    require_node(PACKAGES[scenario])
    served = await serve(triage("note_writer"), Cut("Half of it", ModelAuthError("wrong key")))
    end = await get_end(served, PROGRAM, scenario)

    assert "text" not in end and end["error"]
