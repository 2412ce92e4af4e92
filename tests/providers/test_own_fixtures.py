"""One hand-written stream per protocol, in pieces and cut."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.errors import ModelError, StreamCut
from plainloop.agent.types import StreamDelta
from tests.providers.asking import HELLO, ask, read_reasoning, summarise
from tests.providers.conversations import connect
from tests.providers.documented import called, say, tokens
from tests.providers.local_server import Reply, run_local

# Every byte takes half a minute: with AGENT_FUZZ_EXAMPLES set, else some.
STEP, NEAR = (1, 40) if os.environ.get("AGENT_FUZZ_EXAMPLES") else (29, 12)
FIXTURES = Path(__file__).parent / "fixtures"
TEXT = "Grüße 東京 🙂"
USAGE = tokens(16, 30, read=4, write=2, reasoning=12)
NO_WRITE = {**USAGE, "cache_write": None}
TOTALS = {**NO_WRITE, "cache_read": None, "reasoning": None}
# Provider → fixture, the call's id (None: ours), the raw stop, the usage.
STREAMS: dict[str, tuple[str, str | None, str, Mapping[str, int | None]]] = {
    "anthropic": ("anthropic.sse", "toolu_1", "tool_use", USAGE),
    "openai": ("openai.sse", "call_1", "tool_calls", USAGE),
    "responses": ("responses.sse", "call_1", "completed", USAGE),
    "gemini": ("gemini.sse", "fc1", "STOP", NO_WRITE),
    "ollama": ("ollama.ndjson", None, "stop", TOTALS),
}
# Where the answer counts as complete although bytes are missing: behind this text.
TERMINAL = {
    "anthropic": b'{"type":"message_stop"}',
    "openai": b'"finish_reason":"tool_calls"}]}',
    "responses": b'"reasoning_tokens":12}}}}',
    "gemini": b'"responseId": "r1"}',
    "ollama": b'"eval_count":30}',
}
EVENT_END = {"gemini": b"\r\n\r\n", "ollama": b"\n"}


def load(name: str) -> bytes:
    return (FIXTURES / STREAMS[name][0]).read_bytes()


def reply(name: str, **how: Any) -> Reply:
    return Reply(load(name), headers={"content-type": "text/event-stream"}, **how)


@pytest.mark.parametrize("chunk_size", [None, 1, 7, 1000])
@pytest.mark.parametrize("name", STREAMS)
async def test_streams_are_read_equally_in_chunks_of_any_size(
    name: str, chunk_size: int | None
) -> None:
    _, call_id, stop_raw, usage = STREAMS[name]
    async with run_local(reply(name, chunk_size=chunk_size)) as local:
        answer = await ask(connect(name, local.url), stream=True)
    assert summarise(answer) == say(
        text=TEXT,
        reasoning="Let me see.",
        tool_calls=[called(call_id or answer.tool_calls[0]["id"], "get_weather", city="Köln")],
        stop="tool_use",
        stop_raw=stop_raw,
        usage=usage,
    )
    if usage["reasoning"]:
        assert (answer.usage.output_tokens, answer.usage.reasoning_tokens) == (18, 12)
    assert answer.usage.input_tokens == 16 - (usage["cache_read"] or 0) - (
        usage["cache_write"] or 0
    )


@pytest.mark.parametrize("end", ["clean", "drop"])
@pytest.mark.parametrize("name", STREAMS)
async def test_a_stream_cut_anywhere_is_an_error(name: str, end: str) -> None:
    body = load(name)
    complete_at = body.index(TERMINAL[name]) + len(TERMINAL[name])
    if end == "drop":  # then only what follows tells that the event is whole
        event_end = EVENT_END.get(name, b"\n\n")
        complete_at = body.index(event_end, complete_at) + len(event_end)
    async with run_local(reply(name)) as local:
        provider = connect(name, local.url)
        around_the_end = range(complete_at - NEAR, min(complete_at + NEAR, len(body)))
        for cut_at in (*range(0, len(body), STEP), *around_the_end):
            local.replies = [reply(name, cut_at=cut_at, end=end)]
            if cut_at >= complete_at:
                assert (await ask(provider, stream=True)).text == TEXT
                continue
            with pytest.raises(ModelError) as caught:
                await ask(provider, stream=True)
            if name == "gemini" and end == "clean" and cut_at < body.index(b"\r\n\r\n") + 4:
                continue  # its SDK does not tell that the answer had begun
            assert type(caught.value) is StreamCut
            partial = caught.value.partial
            assert partial.stop == "error"
            assert TEXT.startswith(partial.text)
            assert "Let me see.".startswith(read_reasoning(partial))


@pytest.mark.parametrize("name", STREAMS)
async def test_a_silent_server_times_out_with_the_partial_answer(name: str) -> None:
    half = load(name).index("京".encode())
    async with run_local(reply(name, cut_at=half, end="hang")) as local:
        provider = connect(name, local.url)
        with pytest.raises(ModelError) as caught:
            await ask(provider, _impatient(), stream=True)
    assert caught.value.code == "MODEL_TIMEOUT"
    assert caught.value.partial.text == "Grüße 東"[: len(caught.value.partial.text)]


@pytest.mark.parametrize("name", STREAMS)
async def test_leaving_a_stream_closes_the_connection(name: str) -> None:
    half = load(name).index("京".encode())
    async with run_local(reply(name, cut_at=half, end="hang")) as local:
        stream = connect(name, local.url).generate_stream(HELLO)
        assert isinstance(await anext(stream), StreamDelta)
        await stream.aclose()  # type: ignore[attr-defined]
        await asyncio.wait_for(local.closed_by_client.wait(), 60)


def _impatient() -> Any:
    return replace(HELLO, timeout_s=0.3)
