"""Hazard: a server that sends JSON of another shape must not look like a bug of ours.

A bug ends a run without a retry and leaves its ledger row open; a model error does neither.
"""

from __future__ import annotations

import json
import os
import random
import re
from typing import Any

import pytest

from plainloop.agent.errors import ModelError
from tests.providers.asking import HELLO, ask
from tests.providers.conversations import connect
from tests.providers.local_server import Reply, run_local
from tests.providers.test_own_fixtures import STREAMS, TEXT, load

SEEDS = int(os.environ.get("AGENT_FUZZ_EXAMPLES") or 60)
ODD: tuple[Any, ...] = (None, 1, -1, "x", True, [], {}, [1], [None], [{}], {"a": 1})
EVENT_STREAM = {"content-type": "text/event-stream"}


def distort(value: Any, chance: random.Random) -> Any:
    """Here and there another value, a missing key, a missing item."""
    if chance.random() < 0.04:
        return chance.choice(ODD)
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if chance.random() > 0.02}
        return {key: distort(item, chance) for key, item in kept.items()}
    if isinstance(value, list):
        return [distort(item, chance) for item in value if chance.random() > 0.02]
    return value


def distort_stream(name: str, seed: int) -> bytes:
    chance = random.Random(seed)

    def replace(match: re.Match[bytes]) -> bytes:
        return json.dumps(distort(json.loads(match[0]), chance)).encode()

    return re.sub(rb"(?m)\{.*\}", replace, load(name))


@pytest.mark.parametrize("name", STREAMS)
async def test_distorted_streams_give_an_answer_or_a_model_error(name: str):
    failed = 0
    async with run_local(Reply(b"")) as local:
        provider = connect(name, local.url)
        for seed in range(SEEDS):
            local.replies = [Reply(distort_stream(name, seed), headers=EVENT_STREAM)]
            try:
                async for _ in provider.generate_stream(HELLO):
                    pass
            except ModelError as error:
                failed += 1
                assert error.message.startswith(f"{provider.provider}: ")
    assert failed > SEEDS / 10


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize(
    "body",
    [
        {"choices": [None], "content": [None], "output": [None], "candidates": [{"content": 1}]},
        {"choices": {"0": 1}, "content": 3, "output": "x", "message": [1], "candidates": 5},
        {"choices": [{"message": {"tool_calls": [1]}}], "content": [{"type": "text", "text": 5}]},
    ],
)
async def test_unexpected_answer_shapes_are_model_errors_or_empty(name: str, body: Any):
    async with run_local(Reply(json.dumps(body).encode())) as local:
        try:
            answer = await ask(connect(name, local.url), stream=False)
        except ModelError:
            return
    assert answer.text == ""


@pytest.mark.parametrize("name", ["anthropic", "openai", "responses"])
async def test_stream_events_that_are_not_objects_are_skipped(name: str):
    noise = b'data: null\n\n: comment\n\ndata: "ping"\n\ndata: []\n\n'
    async with run_local(Reply(noise + load(name), headers=EVENT_STREAM)) as local:
        assert (await ask(connect(name, local.url), stream=True)).text == TEXT


async def test_an_anthropic_compatible_answer_needs_no_stop_reason():
    body = {"content": [{"type": "text", "text": "Hi"}], "usage": {"input_tokens": 1}}
    async with run_local(Reply(json.dumps(body).encode())) as local:
        answer = await ask(connect("anthropic", local.url), stream=False)
    assert (answer.text, answer.stop, answer.stop_raw) == ("Hi", "end", None)
