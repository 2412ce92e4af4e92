"""openai-node, @ai-sdk/openai-compatible and @ai-sdk/openai, unmodified, talking to an agent."""

from __future__ import annotations

import pytest

from packages.frontends.tests.test_openai_chat import list_threads
from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.errors import ModelAuthError
from tests.machine.scripted import Cut, text, tools, triage
from tests.protocols.conftest import ServeNotes, get_model
from tests.protocols.node_clients import get_end, require_node

PROGRAM = "openai_clients.mjs"
ADD = ("c1", "add_note", {"text": "milk"})
PACKAGES = {
    "node": "openai",
    "node_responses": "openai",
    "compatible": "@ai-sdk/openai-compatible",
    "provider": "@ai-sdk/openai",
}


@pytest.mark.parametrize("scenario", [*PACKAGES])
async def test_the_node_client_gets_answer_and_usage(scenario: str, serve: ServeNotes) -> None:
    require_node(PACKAGES[scenario])
    script = (triage("note_writer"), tools(ADD, said="Let me note that."), text("Noted: milk."))
    end = await get_end(await serve(*script), PROGRAM, scenario)
    taken = {key.replace("_", "").lower(): count for key, count in end["usage"].items()}

    assert end["text"] == "Let me note that.\n\nNoted: milk."
    assert taken["totaltokens"] == 45


@pytest.mark.parametrize("scenario", ["node", "compatible"])
async def test_a_failure_in_the_stream_raises_in_the_node_client(
    scenario: str, serve: ServeNotes
) -> None:
    require_node(PACKAGES[scenario])
    served = await serve(triage("note_writer"), Cut("Half of it", ModelAuthError("wrong key")))
    end = await get_end(served, PROGRAM, scenario)

    assert "text" not in end and end["error"]


async def test_previous_response_id_continues_the_conversation(serve: ServeNotes) -> None:
    require_node("@ai-sdk/openai")
    script = (triage("note_writer"), text("One."), triage("note_writer"), text("Two."))
    served = await serve(*script)
    end = await get_end(served, PROGRAM, "turns")
    asked = get_model(served).requests[-1].messages

    assert end["texts"] == ["One.", "Two."]
    assert "item_reference" in end["sent"]
    assert [get_text(item) for item in asked] == ["please do it", "One.", "and now?"]
    assert len(await list_threads(served)) == 1
