"""The simulated prompt caches, through the SDKs: what was sent before is cheaper the next time."""

from __future__ import annotations

from typing import Any

import pytest

from packages.wire.tests.brains import TOOL, CityBrain
from plainloop_wire.prompt_cache import CacheRule, PromptCache, PromptTokens, Segment

CLAUDE, GPT = "claude-sonnet-4-6", "gpt-4o"
LONG = "You keep the books of a small company and answer briefly. " * 150  # about 1,800 tokens
MARK = {"cache_control": {"type": "ephemeral"}}
MARKED = CacheRule("marked", min_tokens=100)
AUTOMATIC = CacheRule("automatic", min_tokens=100, step=10)


def segments(*tokens: int, marks: tuple[int, ...] = ()) -> list[Segment]:
    return [
        Segment(f"segment {i} of {count} tokens", count, "5m" if i in marks else None)
        for i, count in enumerate(tokens)
    ]


def test_a_marked_prefix_is_written_once_and_read_until_it_expires():
    now = [0.0]
    cache = PromptCache(lambda: now[0])
    prompt = segments(200, 50, marks=(0,))
    first, second = (cache.measure(MARKED, "m", prompt) for _ in range(2))
    assert (first, second) == (
        PromptTokens(uncached=50, write=200),
        PromptTokens(uncached=50, read=200),
    )
    now[0] = 299.0
    assert cache.measure(MARKED, "m", prompt).read == 200  # reading prolongs it
    now[0] = 299.0 + 301.0
    assert cache.measure(MARKED, "m", prompt).read == 0


def test_a_longer_conversation_reads_the_old_prefix_and_writes_the_rest():
    cache = PromptCache()
    cache.measure(MARKED, "m", segments(200, 50, marks=(1,)))
    assert cache.measure(MARKED, "m", segments(200, 50, 70, 30, marks=(2,))) == PromptTokens(
        uncached=30, read=250, write=70
    )


def test_a_short_prefix_another_model_and_a_changed_start_are_not_cached():
    cache = PromptCache()
    short = cache.measure(MARKED, "m", segments(99, marks=(0,)))
    cache.measure(MARKED, "m", segments(200, marks=(0,)))
    other = cache.measure(MARKED, "other", segments(200, marks=(0,)))
    changed = cache.measure(MARKED, "m", [Segment("x", 1), *segments(200, marks=(0,))])
    assert (short.write, other.read, changed.read) == (0, 0, 0)


def test_an_automatic_cache_reads_whole_steps_of_a_common_prefix():
    cache = PromptCache()
    prompt = [Segment("word " * 300, 300)]
    assert cache.measure(AUTOMATIC, "m", prompt) == PromptTokens(uncached=300)
    again = cache.measure(AUTOMATIC, "m", [*prompt, Segment("new " * 100, 100)])
    assert again.total == 400
    assert 250 <= again.read <= 300
    assert again.read % 10 == 0
    assert cache.measure(AUTOMATIC, "m", [Segment("It is 10:01. ", 5), *prompt]).read == 0


def mark(*blocks: tuple[int, Any]) -> list[Segment]:
    """Blocks of so many tokens, with the lifetime of the mark behind each."""
    return [Segment(f"block {i}", tokens, ttl) for i, (tokens, ttl) in enumerate(blocks)]


@pytest.mark.parametrize(
    ("ttl", "lifetime_s"), [("5m", 300), ("30m", 1800), ("1h", 3600), ("12h", 43_200)]
)
def test_a_cached_prefix_expires_after_its_stated_lifetime(ttl: Any, lifetime_s: int):
    now = [0.0]
    cache = PromptCache(lambda: now[0])
    prompt = mark((500, ttl))
    cache.measure(MARKED, "m", prompt)
    now[0] = lifetime_s - 1.0
    assert cache.measure(MARKED, "m", prompt).read == 500
    now[0] += lifetime_s + 1.0
    assert cache.measure(MARKED, "m", prompt).read == 0


def test_a_cache_lifetime_restarts_when_a_request_reads_it():
    now = [0.0]
    cache = PromptCache(lambda: now[0])
    prompt = mark((500, "5m"))
    cache.measure(MARKED, "m", prompt)
    now[0] = 329.0  # its answer took 30 s
    assert cache.measure(MARKED, "m", prompt, started_s=299.0).read == 500
    assert cache.measure(MARKED, "m", prompt, started_s=600.0).read == 0


def test_a_prefix_can_be_read_from_cache_once_its_first_answer_began():
    now = [10.0]
    cache = PromptCache(lambda: now[0])
    prompt = mark((500, "5m"))
    both = [cache.measure(MARKED, "m", prompt, started_s=9.0) for _ in range(2)]
    assert [tokens.write for tokens in both] == [500, 500]
    assert cache.measure(MARKED, "m", prompt, started_s=10.0).read == 500


def test_a_one_hour_prefix_is_readable_after_its_five_minute_tail_expired():
    now = [0.0]
    cache = PromptCache(lambda: now[0])
    prompt = mark((500, "1h"), (200, "5m"), (30, None))
    assert cache.measure(MARKED, "m", prompt) == PromptTokens(30, 0, write=200, write_long=500)
    now[0] = 1200.0
    assert cache.measure(MARKED, "m", prompt) == PromptTokens(30, 500, write=200)


@pytest.mark.parametrize("lifts", [False, True])
def test_a_read_extends_a_five_minute_prefix_only_if_the_vendor_does(lifts: bool):
    now = [0.0]
    cache = PromptCache(lambda: now[0], lifts=lifts)
    cache.measure(MARKED, "m", mark((2000, "5m")))
    assert cache.measure(MARKED, "m", mark((2000, "1h"))).read == 2000
    now[0] = 1800.0
    assert cache.measure(MARKED, "m", mark((2000, "1h"))).read == (2000 if lifts else 0)


async def ask_claude(client: Any, question: str, *history: Any, **more: Any) -> Any:
    messages = [*history, {"role": "user", "content": [{"type": "text", "text": question, **MARK}]}]
    answer = await client.messages.create(
        model=CLAUDE,
        max_tokens=50,
        system=[{"type": "text", "text": LONG, **MARK}],
        messages=messages,
        **more,
    )
    return answer.usage


async def test_anthropic_writes_at_breakpoints_and_reads_them_back(wire_server, connect):
    client = connect(await wire_server(CityBrain())).anthropic
    first = await ask_claude(client, "one")
    old = {"role": "user", "content": "one"}
    second = await ask_claude(client, "two", old, {"role": "assistant", "content": "1"})
    assert first.cache_read_input_tokens == 0
    assert first.cache_creation_input_tokens > 1024
    assert second.cache_read_input_tokens == first.cache_creation_input_tokens
    assert second.cache_creation.ephemeral_5m_input_tokens > 0
    assert second.input_tokens == 0


async def test_anthropic_caches_only_at_breakpoints_or_with_automatic_caching(wire_server, connect):
    client = connect(await wire_server(CityBrain())).anthropic
    asked: dict[str, Any] = {
        "model": CLAUDE,
        "max_tokens": 50,
        "system": LONG,
        "messages": [{"role": "user", "content": "Hi"}],
    }
    plain = [(await client.messages.create(**asked)).usage for _ in range(2)]
    marked = [
        (await client.messages.create(**asked, cache_control={"type": "ephemeral"})).usage
        for _ in range(2)
    ]
    assert [usage.cache_read_input_tokens for usage in (*plain, *marked)] == [
        0,
        0,
        0,
        plain[0].input_tokens,
    ]


async def test_openai_caches_long_prefixes_by_itself_in_steps_of_128(wire_server, connect):
    client = connect(await wire_server(CityBrain())).openai
    cached: list[int] = []
    for question in ("one", "two", "two"):
        answer = await client.chat.completions.create(
            model=GPT,
            messages=[{"role": "system", "content": LONG}, {"role": "user", "content": question}],
            tools=[{"type": "function", "function": {"name": "w", "parameters": TOOL}}],
        )
        cached.append(answer.usage.prompt_tokens_details.cached_tokens)
    assert cached[0] == 0
    assert cached[1] >= 1024
    assert all(count % 128 == 0 for count in cached)


async def test_newer_openai_models_bill_cache_writes_by_lifetime(wire_server, connect):
    client = connect(await wire_server(CityBrain())).openai
    marked: dict[str, Any] = {"type": "input_text", "text": LONG}
    marked["prompt_cache_breakpoint"] = {"mode": "explicit", "ttl": "12h"}
    told: list[Any] = []
    for question in ("one", "two"):
        given = [{"role": "developer", "content": [marked]}, {"role": "user", "content": question}]
        answer = await client.responses.create(model="gpt-6.1-terra", input=given, store=False)
        told.append(answer.usage.input_tokens_details)
    first, second = told
    split = first.cache_write_tokens_details
    assert split.ttl_12h_tokens > 1024
    assert 0 < split.ttl_30m_tokens == first.cache_write_tokens - split.ttl_12h_tokens
    assert second.cached_tokens == split.ttl_12h_tokens
    assert 0 < second.cache_write_tokens < 30


async def test_newer_openai_models_do_not_share_caches_across_cache_keys(wire_server, connect):
    client = connect(await wire_server(CityBrain())).openai
    read: list[int] = []
    for key in ("a", "a", "b"):
        answer = await client.responses.create(
            model="gpt-6.1-terra", input=LONG, store=False, prompt_cache_key=key
        )
        read.append(answer.usage.input_tokens_details.cached_tokens)
    assert read == [0, read[1], 0] and read[1] > 1024
