"""Hazard: token counts are foreign data. No number loses an answer or buys it again."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import ModelError
from plainloop.agent.store.store import Store
from plainloop.agent.types import LLMResponse
from tests.core.model_calls import FixedModels, make_caller
from tests.providers.asking import ask
from tests.providers.conversations import connect
from tests.providers.documented import LINES, to_ndjson, to_sse
from tests.providers.local_server import Reply, run_local

WIRES = ("anthropic", "openai", "responses", "gemini", "ollama")
SSE = {"content-type": "text/event-stream"}


def make_usage(wire: str, prompt: Any, output: Any, **more: Any) -> Any:
    """The wire's own usage; more: read, write, reasoning."""
    read, write, reasoning = (more.get(name) for name in ("read", "write", "reasoning"))
    usage: dict[str, dict[str, Any]] = {
        "anthropic": {"input_tokens": prompt, "output_tokens": output},
        "openai": {
            "prompt_tokens": prompt,
            "completion_tokens": output,
            "prompt_tokens_details": {"cached_tokens": read, "cache_write_tokens": write},
            "completion_tokens_details": {"reasoning_tokens": reasoning},
        },
        "responses": {
            "input_tokens": prompt,
            "output_tokens": output,
            "input_tokens_details": {"cached_tokens": read, "cache_write_tokens": write},
            "output_tokens_details": {"reasoning_tokens": reasoning},
        },
        "gemini": {"promptTokenCount": prompt, "candidatesTokenCount": output},
        "ollama": {"prompt_eval_count": prompt, "eval_count": output},
    }
    return usage[wire]


def make_reply(wire: str, usage: Any, *, stream: bool) -> Reply:
    """An answer that says "fine", with this usage."""
    message: dict[str, Any]
    match wire:
        case "anthropic":
            message = {"type": "message", "role": "assistant", "model": "claude-test"}
            content = [{"type": "text", "text": "fine"}]
            events = [
                {"type": "message_start", "message": {**message, "content": []}},
                {"type": "content_block_start", "index": 0, "content_block": content[0]},
                {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage},
                {"type": "message_stop"},
            ]
            whole = {**message, "content": content, "stop_reason": "end_turn", "usage": usage}
        case "openai":
            said = {"content": "fine"}
            choice = {"index": 0, "delta": said, "finish_reason": "stop"}
            events = [{"choices": [choice]}, {"choices": [], "usage": usage}, "data: [DONE]"]
            whole = {"choices": [{"message": said, "finish_reason": "stop"}], "usage": usage}
        case "responses":
            part = {"type": "output_text", "text": "fine"}
            item = {"type": "message", "role": "assistant", "content": [part]}
            whole = {"status": "completed", "output": [item], "usage": usage}
            delta = {"type": "response.output_text.delta", "output_index": 0, "delta": "fine"}
            events = [delta, {"type": "response.completed", "response": whole}]
        case "gemini":
            candidate = {"content": {"parts": [{"text": "fine"}]}, "finishReason": "STOP"}
            whole = {"candidates": [candidate], "usageMetadata": usage}
            events = [whole]
        case _:
            counts = usage if isinstance(usage, dict) else {"prompt_eval_count": usage}
            whole = {"message": {"content": "fine"}, "done": True, **counts}
            return Reply(to_ndjson(whole), headers=LINES)
    if not stream:
        return Reply(json.dumps(whole).encode())
    return Reply(to_sse(*events), headers=SSE)


async def say_fine(wire: str, usage: Any, *, stream: bool) -> LLMResponse:
    async with run_local(make_reply(wire, usage, stream=stream)) as local:
        answer = await ask(connect(wire, local.url), stream=stream)
    assert answer.text == "fine"
    assert len(local.requests) == 1
    return answer


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("wire", WIRES)
async def test_fractional_token_counts_are_rounded(wire: str, stream: bool):
    answer = await say_fine(wire, make_usage(wire, 10.0, 5.4), stream=stream)
    assert (answer.usage.input_total, answer.usage.output_total) == (10, 5)
    assert (type(answer.usage.input_total), answer.usage.source) == (int, "provider")


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("wire", WIRES)
async def test_invalid_token_counts_are_treated_as_missing(wire: str, stream: bool):
    odd: Any
    for odd in (-3, 10**12, 10**30, "12", [7], True, {"a": 1}, 0):
        usage = (await say_fine(wire, make_usage(wire, odd, odd), stream=stream)).usage
        found = (usage.source, usage.input_total, usage.output_total)
        assert found == ("missing", None, None), odd
    for odd in ([1, 2], "many", 7, True) if wire != "ollama" else ():
        assert (await say_fine(wire, odd, stream=stream)).usage.source == "missing", odd


@pytest.mark.parametrize("stream", [False, True])
async def test_zero_output_tokens_are_kept_if_only_reasoning_was_returned(stream: bool):
    item = {"type": "reasoning", "id": "rs_1", "encrypted_content": "gAAA", "summary": []}
    whole = {
        "status": "incomplete",
        "incomplete_details": {"reason": "max_output_tokens"},
        "output": [item],
        "usage": make_usage("responses", 30, 0, read=0, reasoning=0),
    }
    events = [
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.incomplete", "response": whole},
    ]
    sent = Reply(to_sse(*events), headers=SSE) if stream else Reply(json.dumps(whole).encode())
    async with run_local(sent) as local:
        answer = await ask(connect("responses", local.url), stream=stream)
    usage = answer.usage
    assert (answer.stop, usage.source) == ("length", "provider")
    assert (usage.output_tokens, usage.reasoning_tokens, usage.output_total) == (0, 0, 0)


@pytest.mark.parametrize("wire", ["openai", "responses"])
async def test_token_parts_above_their_total_are_ignored(wire: str):
    usage = make_usage(wire, 2168, 30, read=2161, write=2161, reasoning=99)
    found = (await say_fine(wire, usage, stream=True)).usage
    assert (found.input_total, found.output_total, found.source) == (None, None, "missing")


async def test_every_answer_has_token_counts_in_the_ledger(store: Store, settings: Settings):
    given = [(wire, odd) for wire in WIRES for odd in (10.0, -1, "12", [1])]
    ours = await make_caller(store, settings)
    for wire, odd in given:
        async with run_local(make_reply(wire, make_usage(wire, odd, odd), stream=True)) as local:
            models: Any = FixedModels(connect(wire, local.url))
            ours.ctx = replace(ours.ctx, models=models)
            await ours.call(stream=True)
    for row, (_, odd) in zip(await ours.list_rows(), given, strict=True):
        assert row.status == "succeeded"
        assert row.usage.source == ("provider" if odd == 10.0 else "estimated")
        assert row.usage.input_total
        assert row.usage.output_total


async def test_usage_stated_beside_an_error_is_kept():
    chunk = {"choices": [{"index": 0, "delta": {"content": "fi"}}]}
    broken = {
        "choices": [],
        "error": {"message": "upstream failed", "code": 502},
        "usage": make_usage("openai", 40, 2),
    }
    async with run_local(Reply(to_sse(chunk, broken), headers=SSE)) as local:
        with pytest.raises(ModelError) as caught:
            await ask(connect("openai", local.url), stream=True)
    partial = caught.value.partial
    assert partial is not None
    assert (partial.usage.input_total, partial.usage.output_total) == (40, 2)
