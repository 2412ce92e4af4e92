"""Hazard: what a provider stated of its tokens is overwritten, clamped or left out.

Source: pydantic-ai #4056, #5260 and #5889, litellm #17136, earendil-works/pi #2048, Portkey
gateway #1754, vercel/ai #19515, envoyproxy ai-gateway #1631, sglang #20830, zai-org/GLM-5 #139,
kolega-code #473, ollama #3427 and #2068, stdapi.ai #252.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.providers.anthropic.wire import from_usage as from_messages_usage
from plainloop.agent.providers.http.stated_usage import fold_usage
from plainloop.agent.providers.openai.responses_wire import from_usage as from_responses_usage
from plainloop.agent.store.store import Store
from tests.core.model_calls import FixedModels, make_caller
from tests.odd_answers.five_wires import WIRES, Say, open_model
from tests.providers.asking import ask
from tests.providers.local_server import run_local

ESTIMATED = object()  # by us, and said so


def chat(prompt: Any, output: Any, total: Any = None, **more: Any) -> Any:
    """Chat Completions' usage; more: read, write, reasoning."""
    usage = {"prompt_tokens": prompt, "completion_tokens": output}
    if total is not None:
        usage["total_tokens"] = total
    parts = {"cached_tokens": more.get("read"), "cache_write_tokens": more.get("write")}
    if any(value is not None for value in parts.values()):
        usage["prompt_tokens_details"] = parts
    if "reasoning" in more:
        usage["completion_tokens_details"] = {"reasoning_tokens": more["reasoning"]}
    return usage


def responses(prompt: Any, output: Any, total: Any = None, **more: Any) -> Any:
    known = chat(prompt, output, total, **more)
    names = {"prompt": "input", "completion": "output"}
    return {
        key.replace(old, new) if old in key else key: value
        for key, value in known.items()
        for old, new in names.items()
        if old in key or (old == "prompt" and "completion" not in key)
    }


def claude(fresh: Any = None, output: Any = None, read: Any = None, write: Any = None) -> Any:
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens")
    counts: dict[str, Any] = {**dict(zip(names, (fresh, output, read), strict=True))}
    counts |= {"cache_creation_input_tokens": write}
    return {key: value for key, value in counts.items() if value is not None}


def google(prompt: Any = None, output: Any = None, total: Any = None, **more: Any) -> Any:
    names = {"read": "cachedContentTokenCount", "reasoning": "thoughtsTokenCount"}
    counts = {"promptTokenCount": prompt, "candidatesTokenCount": output, "totalTokenCount": total}
    counts |= {names[key]: value for key, value in more.items()}
    return {key: value for key, value in counts.items() if value is not None}


def local(prompt: Any = None, output: Any = None, read: Any = None) -> Any:
    names = ("prompt_eval_count", "eval_count", "prompt_eval_cached_count")
    counts = dict(zip(names, (prompt, output, read), strict=True))
    return {key: value for key, value in counts.items() if value is not None}


def is_(
    fresh: Any, output: Any, *, read: Any = None, write: Any = None, thought: Any = None
) -> Any:
    """What the ledger has then."""
    return fresh, read, write, output, thought


# Wire, what is stated one after the other, what the ledger has.
CASES: dict[str, tuple[str, list[Any], tuple[Any, ...]]] = {
    # The last statement of a stream takes nothing away.
    "chat: growing in every chunk": ("compatible", [chat(100, n) for n in (1, 2, 3)], is_(100, 3)),
    "chat: real, then zeros": ("compatible", [chat(100, 3, 103), chat(0, 0, 0)], is_(100, 3)),
    "chat: real, then null": ("compatible", [chat(100, 3, 103), None], is_(100, 3)),
    "chat: real, then no object": ("compatible", [chat(100, 3), [1, 2]], is_(100, 3)),
    "chat: real, then absurd": ("compatible", [chat(100, 3), chat(10**12, -1)], is_(100, 3)),
    "chat: real, then smaller": ("compatible", [chat(100, 30), chat(100, 2)], is_(100, 30)),
    "chat: details left out at the end": (
        "compatible",
        [chat(1000, 3, read=900), chat(1000, 4)],
        is_(100, 4, read=900),
    ),
    "chat: details null at the end": (
        "compatible",
        [chat(1000, 3, read=900), {**chat(1000, 4), "prompt_tokens_details": None}],
        is_(100, 4, read=900),
    ),
    "chat: details at the end only": (
        "compatible",
        [chat(1000, 3), chat(1000, 4, read=900)],
        is_(100, 4, read=900),
    ),
    "responses: null at the end": (
        "responses",
        [responses(1500, 60, 1560, read=1024), None],
        is_(476, 60, read=1024),
    ),
    "responses: zeros at the end": (
        "responses",
        [responses(1500, 60), responses(0, 0)],
        is_(1500, 60),
    ),
    "anthropic: zero behind the input": (
        "anthropic",
        [claude(1200, 1), claude(0, 5)],
        is_(1200, 5),
    ),
    "anthropic: zeros behind caches": (
        "anthropic",
        [claude(7, 1, 5000, 300), claude(0, 5, 0, 0)],
        is_(7, 5, read=5000, write=300),
    ),
    "anthropic: zeros, then numbers": (
        "anthropic",
        [claude(0, 0), claude(14, 5, 900)],
        is_(14, 5, read=900),
    ),
    "anthropic: no output behind 40": (
        "anthropic",
        [claude(100, 40), claude(output=0)],
        is_(100, 40),
    ),
    "anthropic: shrinking output": (
        "anthropic",
        [claude(100, 1), claude(output=50), claude(output=5)],
        is_(100, 50),
    ),
    "anthropic: split at the end": (
        "anthropic",
        [claude(5000, 1), claude(100, 5, 4900)],
        is_(100, 5, read=4900),
    ),
    "gemini: growing": ("gemini", [google(100, 1), google(100, 2), google(100, 9)], is_(100, 9)),
    "gemini: cached part left out at the end": (
        "gemini",
        [google(5000, 3, read=4000), google(5000, 4)],
        is_(1000, 4, read=4000),
    ),
    "gemini: thoughts left out at the end": (
        "gemini",
        [google(100, 3, reasoning=40), google(100, 4)],
        is_(100, 4, thought=40),
    ),
    "gemini: the prompt is counted anew": (
        "gemini",
        [google(169, total=169), google(79, 12, 91)],
        is_(79, 12),
    ),
    "gemini: zeros at the end": ("gemini", [google(100, 3), google(0, 0)], is_(100, 3)),
    "ollama: counts before the last line": ("ollama", [local(100, 3), {}], is_(100, 3)),
    "ollama: zeros at the end": ("ollama", [local(100, 3), local(0, 0)], is_(100, 3)),
    "ollama: its cached count": ("ollama", [local(1500, 4, 1024)], is_(476, 4, read=1024)),
    # What contradicts itself is decided by the total.
    "chat: cached beside the prompt": (
        "compatible",
        [chat(120, 50, 6170, read=6000)],
        is_(120, 50, read=6000),
    ),
    "chat: cached below, but beside it": (
        "compatible",
        [chat(6000, 50, 10050, read=4000)],
        is_(6000, 50, read=4000),
    ),
    "chat: cached within": (
        "compatible",
        [chat(6000, 50, 6050, read=4000)],
        is_(2000, 50, read=4000),
    ),
    "chat: read and written beside it": (
        "compatible",
        [chat(20, 5, 925, read=600, write=300)],
        is_(20, 5, read=600, write=300),
    ),
    "chat: reasoning beside the output": (
        "compatible",
        [chat(100, 20, 180, reasoning=60)],
        is_(100, 20, thought=60),
    ),
    "chat: both beside": (
        "compatible",
        [chat(120, 20, 6200, read=6000, reasoning=60)],
        is_(120, 20, read=6000, thought=60),
    ),
    "responses: cached beside": (
        "responses",
        [responses(120, 50, 6170, read=6000)],
        is_(120, 50, read=6000),
    ),
    "responses: reasoning within, once": (
        "responses",
        [responses(1500, 60, 1560, read=1024, reasoning=40)],
        is_(476, 20, read=1024, thought=40),
    ),
    "gemini: cached beside": (
        "gemini",
        [google(120, 50, 6170, read=6000)],
        is_(120, 50, read=6000),
    ),
    "gemini: thoughts within": (
        "gemini",
        [google(100, 60, 160, reasoning=40)],
        is_(100, 20, thought=40),
    ),
    # Without one it is unknown: estimated, and said so.
    "chat: more cached than prompt": ("compatible", [chat(120, 50, read=6000)], is_(ESTIMATED, 50)),
    "chat: more cached than the total": (
        "compatible",
        [chat(120, 50, 170, read=6000)],
        is_(ESTIMATED, 50),
    ),
    "chat: read and written above it": (
        "compatible",
        [chat(2168, 30, read=2161, write=2161)],
        is_(ESTIMATED, 30),
    ),
    "chat: more reasoning than output": (
        "compatible",
        [chat(100, 30, reasoning=99)],
        is_(100, ESTIMATED),
    ),
    "responses: more cached than prompt": (
        "responses",
        [responses(120, 50, read=6000)],
        is_(ESTIMATED, 50),
    ),
    "gemini: more cached than prompt": ("gemini", [google(120, 50, read=6000)], is_(ESTIMATED, 50)),
    "ollama: more cached than prompt": ("ollama", [local(120, 50, 6000)], is_(ESTIMATED, 50)),
    "anthropic: -1 beside a cache read": (
        "anthropic",
        [claude(-1, 1, 30), claude(output=5)],
        is_(ESTIMATED, 5, read=30),
    ),
    # A half that is not stated.
    "chat: only the prompt": ("compatible", [{"prompt_tokens": 100}], is_(100, ESTIMATED)),
    "chat: only the output": ("compatible", [{"completion_tokens": 5}], is_(ESTIMATED, 5)),
    "chat: prompt and total": (
        "compatible",
        [{"prompt_tokens": 100, "total_tokens": 105}],
        is_(100, 5),
    ),
    "chat: nothing": ("compatible", [], is_(ESTIMATED, ESTIMATED)),
    "responses: nothing": ("responses", [None], is_(ESTIMATED, ESTIMATED)),
    "anthropic: nothing": ("anthropic", [], is_(ESTIMATED, ESTIMATED)),
    "anthropic: only the beginning's token": ("anthropic", [claude(100, 1)], is_(100, ESTIMATED)),
    "gemini: only the prompt": ("gemini", [google(100)], is_(100, ESTIMATED)),
    "gemini: prompt and total": ("gemini", [google(100, total=105)], is_(100, 5)),
    "gemini: nothing": ("gemini", [], is_(ESTIMATED, ESTIMATED)),
    "ollama: a cached prompt is not counted": ("ollama", [local(output=5)], is_(ESTIMATED, 5)),
    "ollama: nothing": ("ollama", [{}], is_(ESTIMATED, ESTIMATED)),
}
TEXT = ["This is ", "an answer of ", "more than a few tokens, ", "so that its length tells."]


async def test_the_ledger_keeps_stated_usage_and_marks_estimates(store: Store, settings: Settings):
    ours = await make_caller(store, settings)
    for wire, stated, _ in CASES.values():
        async with run_local(Say(TEXT, usages=stated).encode(wire)) as local_server:
            models: Any = FixedModels(open_model(wire, local_server.url))
            ours.ctx = replace(ours.ctx, models=models)
            await ours.call(stream=True)
    rows = await ours.list_rows()
    for row, (name, (_, _, expected)) in zip(rows, CASES.items(), strict=True):
        usage = row.usage
        found = (usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
        counts = (*found, usage.output_tokens, usage.reasoning_tokens)
        is_stated = all(
            count == wanted if wanted is not ESTIMATED else count is not None
            for count, wanted in zip(counts, expected, strict=True)
        )
        assert is_stated, (name, counts)
        source = "estimated" if ESTIMATED in expected else "provider"
        assert (row.status, usage.source) == ("succeeded", source), name


@pytest.mark.parametrize("wire", WIRES)
async def test_usage_is_the_providers_for_plain_and_streamed_answers(wire: str):
    for stream in (True, False):
        async with run_local(Say(["fine"]).encode(wire, stream=stream)) as server:
            usage = (await ask(open_model(wire, server.url), stream=stream)).usage
        assert (usage.input_total, usage.output_total, usage.source) == (100, 5, "provider")


def test_folding_a_stream_loses_no_usage():
    known = {"a": 9, "deep": {"b": 8, "c": [1]}, "cost": 0.5, "tier": "x"}
    later: Any
    for later in (None, {}, 7, "x", [1], {"a": 0, "deep": None}, {"a": None, "deep": 3, "cost": 0}):
        assert fold_usage(known, later) == known
    assert fold_usage(known, {"tier": "y", "cost": 0.7, "new": 1}) == {
        **known,
        "tier": "y",
        "cost": 0.7,
        "new": 1,
    }
    assert fold_usage({"a": -1}, {"a": 4}) == {"a": 4}
    assert fold_usage({"a": 4}, {"a": 10**30}) == {"a": 4}


def test_cache_writes_that_are_stated_by_lifetime_only_are_summed():
    lives = {"ephemeral_5m_input_tokens": 3, "ephemeral_1h_input_tokens": 4}
    stated = {"input_tokens": 10, "output_tokens": 5, "cache_creation": lives}
    claude = from_messages_usage(stated, has_answer=True)
    lives = {"ttl_30m_tokens": 3, "ttl_12h_tokens": 4}
    stated = {"input_tokens": 17, "output_tokens": 5}
    details = {"cache_write_tokens_details": lives}
    gpt = from_responses_usage({**stated, "input_tokens_details": details}, has_answer=True)

    for usage in (claude, gpt):
        assert (usage.input_tokens, usage.source) == (10, "provider")
        assert (usage.cache_write_tokens, usage.cache_write_long_tokens) == (3, 4)
