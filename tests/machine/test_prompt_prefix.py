"""Hazard: a prompt whose beginning moves at every call is never read from the provider's cache."""

from __future__ import annotations

import random
from dataclasses import replace

import orjson
import pytest

from plainloop.agent.base.tokens.estimate import estimate_request_tokens
from plainloop.agent.types import ChatRequest, LLMResponse, Usage
from tests.machine.scripted import text, tools, triage

TURNS = 40
WINDOW_TOKENS = 600


def strip_sizes(messages) -> list[bytes]:
    return [orjson.dumps([message["role"], message["parts"]]) for message in messages]


def measure(response: LLMResponse, factor: float, dice: random.Random):
    """The answer with the input tokens that a provider would report: ours times its factor."""

    def answer(request: ChatRequest) -> LLMResponse:
        schemas = [{"name": item.name, **item.parameters} for item in request.tools]
        estimated = estimate_request_tokens(request.system, request.messages, schemas)
        reported = round(estimated * factor * dice.uniform(0.95, 1.05))
        return replace(response, usage=Usage(input_tokens=reported, output_tokens=9))

    return answer


@pytest.mark.parametrize("factor", [0.5, 1.0, 1.3])
async def test_each_request_extends_the_previous_prefix_except_at_cuts(machine, factor):
    dice = random.Random(7)
    run = await machine(window_tokens=WINDOW_TOKENS, history_tokens=WINDOW_TOKENS * 3 // 2)
    for turn in range(TURNS):
        answers = (
            triage("note_writer"),
            tools((f"c{turn}", "set_mood", {"mood": f"mood {turn}"})),
            text(f"Answer {turn}: " + "word " * 30),
        )
        run.provider.script[:] = [measure(answer, factor, dice) for answer in answers]
        assert (await run.ask(f"question {turn}: " + "why " * 10)).error is None

    requests = [r for r in run.provider.requests if r.system.startswith("You keep notes.")]
    assert len(requests) == 2 * TURNS
    assert {(r.system, r.tools == requests[0].tools) for r in requests} == {
        (requests[0].system, True)
    }
    shown = [strip_sizes(request.messages) for request in requests]
    cuts = [n for n in range(1, len(shown)) if shown[n][: len(shown[n - 1])] != shown[n - 1]]
    assert 0 < len(cuts) <= TURNS // 2, cuts
    assert all(later - earlier > 2 for earlier, later in zip(cuts, cuts[1:], strict=False)), cuts
    for n in cuts:
        # Nothing but the older request's beginning was dropped.
        first = shown[n - 1].index(shown[n][0])
        kept = shown[n - 1][first:]
        assert first > 0
        assert shown[n][: len(kept)] == kept
