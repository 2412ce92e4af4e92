"""Six turns of one thread, on every wire: the machine does the same whoever carries the words."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages.careers.tests.flows.conftest import COMPATIBLE, OpenService, PlayInProcess
from packages.careers.tests.flows.playing import play
from packages.careers.tests.flows.turns import PLAIN, ROUNDABOUT
from plainloop_wire.serving import WIRES
from tests.wire_fixtures import StartWire

SAMPLES = Path(__file__).parents[5] / "shared" / "data" / "jsonresume"
FAST = ["intent_classifier", "fast_{}", "format_result"]
CRM = ["intent_classifier", "agent_router", "crm_worker", "crm_worker.tools", "crm_worker"]
LETTER = [
    "intent_classifier",
    "agent_router",
    "cover_letter",
    "cover_letter.tools",
    "cover_letter",
    "cover_letter.evaluator",
]


def fast(kind: str) -> list[str]:
    return [node.format(kind) for node in FAST]


async def test_six_turns_take_their_expected_routes_and_store_their_rows(
    play_in_process: PlayInProcess,
):
    played = await play_in_process(PLAIN)

    assert [turn.path for turn in played.turns] == [
        fast("count"),
        CRM,
        fast("list"),
        fast("lookup"),
        CRM,
        LETTER,
    ]
    jobs = {row["company"]: row["status"] for row in played.rows["careers_jobs"]}
    assert jobs == {"Contoso": "saved", "Globex": "applied"}
    (letter,) = played.rows["careers_document_versions"]
    assert (letter["passed"], letter["problems"]) == (True, [])
    assert letter["content"] == played.turns[-1].answer
    assert "Northwind Freight" in letter["content"]


@pytest.mark.parametrize("wire", WIRES)
async def test_six_turns_give_equal_answers_over_each_wire_and_in_process(
    open_wire: OpenService, wire_server: StartWire, play_in_process: PlayInProcess, wire: str
):
    server = await wire_server()
    in_process = await play_in_process(ROUNDABOUT)
    over_wire = await play(await open_wire(wire, server), wire, ROUNDABOUT)

    assert over_wire.turns == in_process.turns
    assert over_wire.rows == in_process.rows
    spoken = {(entry["dialect"], entry["status"]) for entry in server.requests}
    assert spoken == {("openai_chat" if wire == "openai" else wire, 200)}


@pytest.mark.parametrize("wire", WIRES)
async def test_the_react_design_gives_equal_answers_over_each_wire(
    open_wire: OpenService, play_in_process: PlayInProcess, wire: str
):
    turns = (PLAIN[1], PLAIN[4], PLAIN[5])
    in_process = await play_in_process(turns, AGENT_DESIGN="react")
    over_wire = await play(await open_wire(wire, AGENT_DESIGN="react"), wire, turns)

    assert over_wire.turns == in_process.turns
    assert over_wire.rows == in_process.rows


async def test_the_published_samples_get_equal_answers_over_the_wire(
    open_wire: OpenService, play_in_process: PlayInProcess
):
    if not SAMPLES.is_dir():
        pytest.skip(f"no published samples at {SAMPLES}")
    files = {"resume": SAMPLES / "sample.resume.json", "job": SAMPLES / "sample.job.json"}
    in_process = await play_in_process(PLAIN, **files)
    over_wire = await play(await open_wire("anthropic"), "anthropic", PLAIN, **files)

    assert over_wire.turns == in_process.turns
    assert over_wire.rows == in_process.rows
    (letter,) = over_wire.rows["careers_document_versions"]
    assert (letter["passed"], letter["problems"]) == (True, [])


@pytest.mark.parametrize("provider", COMPATIBLE)
async def test_openai_compatible_providers_give_equal_answers_to_six_turns(
    open_wire: OpenService, play_in_process: PlayInProcess, provider: str
):
    in_process = await play_in_process(ROUNDABOUT)
    over_wire = await play(await open_wire(provider), provider, ROUNDABOUT)

    assert over_wire.turns == in_process.turns
    assert over_wire.rows == in_process.rows
    answered = {call.provider for calls in over_wire.calls for call in calls}
    assert answered == {provider}
