"""One thread, each turn over another wire: nothing is lost, repeated or refused on the way."""

from __future__ import annotations

import pytest

from packages.careers.tests.flows.conftest import COMPATIBLE, OpenService, PlayInProcess
from packages.careers.tests.flows.playing import (
    USER,
    Played,
    import_files,
    load_rows,
    play,
    play_turn,
)
from packages.careers.tests.flows.turns import PLAIN, ROUNDABOUT
from plainloop_wire.serving import WIRES
from tests.wire_fixtures import StartWire

PROVIDERS = (*WIRES, *COMPATIBLE)


@pytest.mark.parametrize("first", range(0, len(PROVIDERS), 3))
async def test_the_provider_can_change_between_turns_of_a_thread(
    open_wire: OpenService, wire_server: StartWire, play_in_process: PlayInProcess, first: int
):
    server = await wire_server()
    order = [*PROVIDERS[first:], *PROVIDERS[:first]][: len(ROUNDABOUT)]
    in_process = await play_in_process(ROUNDABOUT)
    chosen = [await open_wire(wire, server) for wire in order]

    await import_files(chosen[0], "switched")
    thread = await chosen[0].ensure_thread("switched", USER, None, "six turns")
    switched = Played()
    for service, text in zip(chosen, ROUNDABOUT, strict=True):
        await play_turn(service, "switched", thread.thread_id, text, switched)
    switched.rows = await load_rows(chosen[0], "switched")

    assert switched.turns == in_process.turns
    assert switched.rows == in_process.rows
    assert {entry["status"] for entry in server.requests} == {200}
    notes = [note for calls in switched.calls for call in calls for note in call.notes]
    assert any(note.startswith("dropped provider_state of ") for note in notes)


async def test_each_role_can_use_its_own_provider(
    open_wire: OpenService, wire_server: StartWire, play_in_process: PlayInProcess
):
    server = await wire_server()
    in_process = await play_in_process(PLAIN)
    over_wires = await play(
        await open_wire(
            "anthropic",
            server,
            GEMINI_API_KEY="any",
            AGENT_AGENTS_CLASSIFIER_PROVIDER="gemini",
            AGENT_AGENTS_CLASSIFIER_API_BASE=server.base_url,
            AGENT_AGENTS_EVALUATOR_PROVIDER="ollama",
            AGENT_AGENTS_EVALUATOR_API_BASE=server.base_url,
            AGENT_AGENTS_PARSER_PROVIDER="openai",
            AGENT_AGENTS_PARSER_API_KEY="any",
            AGENT_AGENTS_PARSER_API_BASE=server.openai_url,
        ),
        "roles",
        PLAIN,
    )

    assert over_wires.turns == in_process.turns
    assert over_wires.rows == in_process.rows
    called = {(call.role, call.provider) for calls in over_wires.calls for call in calls}
    assert called == {("classifier", "gemini"), ("worker", "anthropic"), ("evaluator", "ollama")}
