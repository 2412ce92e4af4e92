"""Fast paths asked twice in one turn: a live replay answers as often as was recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from plainloop.agent.core.context import Node
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop_lab.live.fast_rows import collect_fast_rows, make_fast_node
from plainloop_lab.live.tools import RecordedResults
from plainloop_lab.replay.sources.recording import RecordedStep
from plainloop_lab.store import replays as store_replays
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.machine.scripted import tools
from tests.wire_fixtures import StartWire

from .test_live import Candidate, be_curious, load_turns, write_rooms

MISSED = {"missed": True}
TODAY = {"read": "today"}
ASKED: dict[str, Any] = {"fast_intent": "list", "entity_type": "jobs", "query": {"limit": 0}}
RULE, TRIAGE = {"rule": "english.list"}, {"language": "english"}


async def test_a_replayed_fast_path_without_a_result_goes_to_triage_once(
    plainloop: Command, wire_server: StartWire, store: Store
) -> None:
    server = await wire_server()
    environ = point_at("openai", server.openai_url)
    asked = await plainloop("ask", "list my jobs at Acme", **environ)
    before = len(server.requests)
    done = await plainloop("replay", "live", "--model", "gpt-4.1", **environ)

    assert (asked.code, done.code) == (0, 0), (asked, done)
    assert len(server.requests) - before == 2, "one call a lane, as was recorded"
    for lane in ("baseline", "candidate"):
        (turn,) = await load_turns(store, lane)
        assert turn["path"].count("fast_list") == 2, "the rule's, then triage's"
        assert (turn["calls"], turn["error"], turn["path"][-1]) == (1, None, "format_result")
        assert turn["text"] in asked.out
    assert "Nothing got worse." in done.out


async def test_a_replayed_turn_with_too_many_calls_ends_as_limited(
    plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    server = await wire_server(Candidate(be_curious))
    environ = point_at("anthropic", server.base_url) | {"AGENT_LIMITS_REPLAY_CALLS": "1"}
    done = await plainloop(*write_rooms(tmp_path), **environ)

    turns = [await load_turns(store, lane) for lane in ("baseline", "candidate")]
    reason = "the replayed turn used all its 1 model calls, so it was stopped"
    ends = [(turn["calls"], turn["error"], turn["limit"]) for lane in turns for turn in lane]
    assert ends == [(1, "LIMIT_REACHED", reason)] * 4
    told = f"baseline 2 ({reason}), candidate 2 ({reason})"
    assert f"both sides ended otherwise than the recording: {told}" in done.out
    (info,) = await store_replays.list_replays(store.read("local"), None, 10)
    other = await store_replays.list_replays(store.read("another"), None, 10)
    assert (info.status, other) == ("succeeded", [])


def ask(result: Any) -> Any:
    return {**ASKED, "result": result}


def record(*found: tuple[bool, Any]) -> list[RecordedStep]:
    """By a rule or not, and what was found; one after the other."""
    steps: list[RecordedStep] = []
    for by_rule, rows in found:
        steps.append(RecordedStep("intent_classifier", ask(RULE if by_rule else TRIAGE), ""))
        steps.append(RecordedStep("fast_list", {"result": rows}, ""))
    return steps


@pytest.mark.parametrize(
    ("recorded", "asked", "given"),
    [
        ([(True, MISSED), (False, {"n": 0})], [RULE, TRIAGE], [MISSED, {"n": 0}]),
        # What a remembered rule had missed, triage asks at once.
        ([(True, MISSED), (False, {"n": 0})], [TRIAGE], [{"n": 0}]),
        ([(True, {"n": 1})], [TRIAGE, TRIAGE], [{"n": 1}, {"n": 1}]),
        ([(False, {"n": 1}), (False, {"n": 2})], [TRIAGE] * 3, [{"n": 1}, {"n": 2}, {"n": 2}]),
        # A miss alone: what a model asks is read, for a miss would ask it again.
        ([(True, MISSED)], [RULE, TRIAGE, RULE], [MISSED, TODAY, TODAY]),
    ],
)
async def test_recorded_fast_rows_are_matched_by_node_and_occurrence(
    recorded: list[Any], asked: list[Any], given: list[Any]
) -> None:
    async def read_today(state: Any, ctx: Any) -> Any:
        return {"result": TODAY}, "format_result"

    rows = collect_fast_rows(record(*recorded))["fast_list"]
    node = make_fast_node(cast(Node, read_today), rows)
    found = [await node(cast(Any, ask(result)), cast(Any, None)) for result in asked]

    assert [update.get("result") for update, _ in found] == given
    is_again = [next_node == "intent_classifier" for _, next_node in found]
    assert is_again == [result == MISSED for result in given]


def test_a_replayed_call_prefers_a_recorded_result_of_its_own_turn() -> None:
    def say(number: int) -> list[Any]:
        call = {"type": "tool_call", "id": f"c{number}", "name": "find", "arguments": {}}
        told = {"type": "tool_result", "id": f"c{number}", "name": "find", "result": number}
        return [{"role": "assistant", "parts": [call]}, {"role": "tool", "parts": [told]}]

    results = RecordedResults.collect([(n, say(n)) for n in range(3)])
    results.begin_turn(1)  # turn 0 asked nothing
    taken = [results.take("find", {}) for _ in range(4)]

    assert [found["result"] if found else None for found, _ in taken] == [1, 0, 2, 1]
    assert [is_spent for _, is_spent in taken] == [False, False, False, True]
    assert results.take("other", {}) == (None, False)


async def test_a_replayed_turn_makes_at_most_five_times_the_recorded_calls(
    plainloop: Command, wire_server: StartWire, store: Store
) -> None:
    asked = iter(range(1_000))

    def never_ends(request: ChatRequest) -> LLMResponse:
        return tools((f"c{next(asked)}", "list_jobs", {"limit": next(asked)}))

    server = await wire_server()
    environ = point_at("openai", server.openai_url) | {"AGENT_DESIGN": "react"}
    await plainloop("ask", "what can you do?", **environ)
    assert len(server.requests) == 1
    again = await wire_server(Candidate(never_ends))
    environ |= point_at("openai", again.openai_url)
    done = await plainloop("replay", "live", "--model", "gpt-4.1", "--no-share", **environ)

    for lane in ("baseline", "candidate"):
        (turn,) = await load_turns(store, lane)
        assert (turn["calls"], turn["error"]) == (5, "LIMIT_REACHED")
    assert "Not decided: both sides ended otherwise than the recording" in done.out, done
