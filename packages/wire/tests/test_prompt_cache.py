"""The simulated prompt caches, through the SDKs: what was sent before is cheaper the next time."""

from __future__ import annotations

from typing import Any

from google.genai import types

from packages.wire.tests.brains import TOOL, CityBrain
from plainloop_wire.prompt_cache import CacheRule, PromptCache, PromptTokens, Segment

CLAUDE, GPT, GEMINI = "claude-sonnet-4-6", "gpt-4o", "gemini-2.5-flash"
LONG = "You keep the books of a small company and answer briefly. " * 150  # about 1,800 tokens
MARK = {"cache_control": {"type": "ephemeral"}}
BREAKPOINTS = CacheRule("breakpoints", min_tokens=100)
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
    first, second = (cache.measure(BREAKPOINTS, "m", prompt) for _ in range(2))
    assert (first, second) == (
        PromptTokens(uncached=50, write_5m=200),
        PromptTokens(uncached=50, read=200),
    )
    now[0] = 299.0
    assert cache.measure(BREAKPOINTS, "m", prompt).read == 200  # reading prolongs it
    now[0] = 299.0 + 301.0
    assert cache.measure(BREAKPOINTS, "m", prompt).read == 0


def test_a_longer_conversation_reads_the_old_prefix_and_writes_the_rest():
    cache = PromptCache()
    cache.measure(BREAKPOINTS, "m", segments(200, 50, marks=(1,)))
    assert cache.measure(BREAKPOINTS, "m", segments(200, 50, 70, 30, marks=(2,))) == PromptTokens(
        uncached=30, read=250, write_5m=70
    )


def test_a_short_prefix_another_model_and_a_changed_start_are_not_cached():
    cache = PromptCache()
    short = cache.measure(BREAKPOINTS, "m", segments(99, marks=(0,)))
    cache.measure(BREAKPOINTS, "m", segments(200, marks=(0,)))
    other = cache.measure(BREAKPOINTS, "other", segments(200, marks=(0,)))
    changed = cache.measure(BREAKPOINTS, "m", [Segment("x", 1), *segments(200, marks=(0,))])
    assert (short.write_5m, other.read, changed.read) == (0, 0, 0)


def test_an_automatic_cache_counts_in_steps_from_a_minimum():
    cache = PromptCache()
    prompt = [Segment("word " * 300, 300)]
    assert cache.measure(AUTOMATIC, "m", prompt) == PromptTokens(uncached=300)
    again = cache.measure(AUTOMATIC, "m", [*prompt, Segment("new " * 100, 100)])
    assert again.total == 400
    assert 250 <= again.read <= 300
    assert again.read % 10 == 0


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


async def test_anthropic_caches_nothing_without_a_breakpoint_and_marks_the_last_block_on_request(
    wire_server, connect
):
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
            messages=[
                {"role": "system", "content": LONG},
                {"role": "user", "content": question},
            ],
            tools=[{"type": "function", "function": {"name": "w", "parameters": TOOL}}],
        )
        cached.append(answer.usage.prompt_tokens_details.cached_tokens)
    assert cached[0] == 0
    assert cached[1] >= 1024
    assert all(count % 128 == 0 for count in cached)


async def test_gemini_caches_long_prefixes_by_itself(wire_server, connect):
    client = connect(await wire_server(CityBrain())).gemini
    usages = [
        (
            await client.models.generate_content(
                model=GEMINI,
                contents=question,
                config=types.GenerateContentConfig(system_instruction=LONG),
            )
        ).usage_metadata
        for question in ("one", "two")
    ]
    assert usages[0].cached_content_token_count is None
    assert 1024 <= usages[1].cached_content_token_count < usages[1].prompt_token_count


async def test_a_changed_start_of_the_prompt_loses_the_cache(wire_server, connect):
    client = connect(await wire_server(CityBrain())).openai
    cached: list[int] = []
    for time in ("10:00", "10:01"):
        answer = await client.chat.completions.create(
            model=GPT, messages=[{"role": "user", "content": f"It is {time}. {LONG}"}]
        )
        cached.append(answer.usage.prompt_tokens_details.cached_tokens)
    assert cached == [0, 0]
