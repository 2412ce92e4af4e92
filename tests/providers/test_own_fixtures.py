"""One hand-written stream per protocol, in pieces and cut."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent.errors import ModelError, StreamCut
from agent.providers.types import StreamDelta
from tests.providers.asking import HELLO, ask, read_reasoning, summarise
from tests.providers.conversations import connect
from tests.providers.local_server import Reply, run_local

FIXTURES = Path(__file__).parent / "fixtures"
TEXT = "Grüße 東京 🙂"
STREAMS = {
    "anthropic": ("anthropic.sse", "toolu_1", "tool_use", 2),
    "openai": ("openai.sse", "call_1", "tool_calls", 2),
    "responses": ("responses.sse", "call_1", "completed", 2),
    "gemini": ("gemini.sse", "fc1", "STOP", None),
}
# Where the answer counts as complete although bytes are missing: behind this text.
TERMINAL = {
    "anthropic": b'{"type":"message_stop"}',
    "openai": b'"finish_reason":"tool_calls"}]}',
    "responses": b'"reasoning_tokens":12}}}}',
    "gemini": b'"responseId": "r1"}',
}


def load(name: str) -> bytes:
    return (FIXTURES / STREAMS[name][0]).read_bytes()


def reply(name: str, **how: Any) -> Reply:
    return Reply(load(name), headers={"content-type": "text/event-stream"}, **how)


@pytest.mark.parametrize("chunk_size", [None, 1, 7, 1000])
@pytest.mark.parametrize("name", STREAMS)
async def test_a_stream_reads_the_same_in_pieces_of_any_size(
    name: str, chunk_size: int | None
) -> None:
    _, call_id, stop_raw, cache_write = STREAMS[name]
    async with run_local(reply(name, chunk_size=chunk_size)) as local:
        answer = await ask(connect(name, local.url), stream=True)
    assert summarise(answer) == {
        "text": TEXT,
        "reasoning": "Let me see.",
        "refusal": None,
        "tool_calls": [{"id": call_id, "name": "get_weather", "arguments": {"city": "Köln"}}],
        "server_tool_calls": [],
        "stop": "tool_use",
        "stop_raw": stop_raw,
        "usage": {
            "input_total": 16,
            "cache_read": 4,
            "cache_write": cache_write,
            "output": 30,
            "reasoning": 12,
        },
    }
    usage = answer.usage
    assert (usage.output_tokens, usage.reasoning_tokens) == (18, 12)
    assert usage.input_tokens == (10 if cache_write else 12)


@pytest.mark.parametrize("end", ["clean", "drop"])
@pytest.mark.parametrize("name", STREAMS)
async def test_a_stream_cut_anywhere_is_never_a_silent_short_answer(name: str, end: str) -> None:
    body = load(name)
    complete_at = body.index(TERMINAL[name]) + len(TERMINAL[name])
    if end == "drop":  # then only the blank line tells that the event is whole
        blank_line = b"\r\n\r\n" if name == "gemini" else b"\n\n"
        complete_at = body.index(blank_line, complete_at) + len(blank_line)
    async with run_local(reply(name)) as local:
        provider = connect(name, local.url)
        around_the_end = range(complete_at - 40, min(complete_at + 40, len(body)))
        for cut_at in (*range(0, len(body), 11), *around_the_end):
            local.replies = [reply(name, cut_at=cut_at, end=end)]
            if cut_at >= complete_at:
                assert (await ask(provider, stream=True)).text == TEXT
                continue
            with pytest.raises(ModelError) as caught:
                await ask(provider, stream=True)
            if name == "gemini" and cut_at < body.index(b"\r\n\r\n") + 4:
                continue  # its SDK does not tell that the answer had begun
            assert type(caught.value) is StreamCut
            partial = caught.value.partial
            assert partial.stop == "error"
            assert TEXT.startswith(partial.text)
            assert "Let me see.".startswith(read_reasoning(partial))


@pytest.mark.parametrize("name", STREAMS)
async def test_a_silent_server_is_a_time_out_with_what_had_arrived(name: str) -> None:
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
        await asyncio.wait_for(local.closed_by_client.wait(), 5)


@pytest.mark.parametrize("name", STREAMS)
async def test_cancelling_the_reader_closes_the_connection(name: str) -> None:
    async with run_local(reply(name, cut_at=40, end="hang")) as local:
        task = asyncio.create_task(ask(connect(name, local.url), stream=True))
        while not local.requests:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(local.closed_by_client.wait(), 5)


def _impatient() -> Any:
    return replace(HELLO, timeout_s=0.3)
