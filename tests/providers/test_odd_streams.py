"""Servers that only look like the vendors': whole answers stay whole, cut ones are cut."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.errors import (
    ContentFiltered,
    ContextTooLong,
    ModelError,
    ModelOverloaded,
    StreamCut,
)
from plainloop.agent.types import ChatRequest, LLMResponse, Message, StreamDelta
from tests.providers.asking import HELLO, ask
from tests.providers.conversations import WEATHER, connect
from tests.providers.documented import fail, to_json, to_ndjson, to_sse
from tests.providers.local_server import Reply, run_local

SSE = {"content-type": "text/event-stream"}
KIMI_ID = "functions.get_weather:0"


def piece(**function: Any) -> Any:
    call_id = function.pop("id", None)
    call = {"index": 0, "function": function, **({"id": call_id} if call_id else {})}
    return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}


def say(text: str, reason: str | None = None) -> Any:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": reason}]}


async def read(wire: str, body: bytes) -> LLMResponse:
    async with run_local(Reply(body, headers=SSE)) as local:
        return await ask(connect(wire, local.url), stream=True)


async def test_a_call_with_a_new_id_per_chunk_is_one_call():
    body = to_sse(
        piece(id="a1", name="get_weather", arguments=""),
        piece(id="a2", arguments='{"city":'),
        piece(id="a3", arguments=' "Oslo"}'),
        say("", "tool_calls"),
    )
    (call,) = (await read("compatible", body)).tool_calls
    assert (call["name"], call["arguments"]) == ("get_weather", {"city": "Oslo"})


async def test_a_stream_may_end_with_done_without_a_finish_reason():
    answer = await read("compatible", to_sse(say("all of it"), "data: [DONE]"))
    assert (answer.text, answer.stop) == ("all of it", "end")
    called = to_sse(piece(id="a", name="get_weather", arguments="{}"), "data: [DONE]")
    assert (await read("compatible", called)).stop == "tool_use"


@pytest.mark.parametrize(
    "events",
    [
        ["data: [DONE]"],
        [piece(id="a", name="get_weather", arguments='{"city": "Os'), "data: [DONE]"],
        [say("half of")],
    ],
)
async def test_an_incomplete_stream_without_finish_reason_is_cut(events: list[Any]):
    with pytest.raises(StreamCut):
        await read("compatible", to_sse(*events))


@pytest.mark.parametrize("output", [[], [{"type": "message", "content": []}], None])
async def test_a_completed_response_without_output_uses_the_streamed_text(output: Any):
    done = {"status": "completed", "output": output}
    deltas = [{"type": "response.output_text.delta", "delta": said} for said in ("all ", "of it")]
    answer = await read(
        "responses", to_sse(*deltas, {"type": "response.completed", "response": done})
    )
    assert (answer.text, answer.stop) == ("all of it", "end")


@pytest.mark.parametrize("filler", ["data:", ": ping", "data:   ", "event: ping", "id: 7"])
@pytest.mark.parametrize("wire", ["compatible", "gemini"])
async def test_empty_stream_lines_are_ignored(wire: str, filler: str):
    events = (
        [say("all "), say("of it", "stop")] if wire == "compatible" else google("all ", "of it")
    )
    body = to_sse(filler, events[0], filler, events[1], filler)
    assert (await read(wire, body)).text == "all of it"


def google(*texts: str, reasons: str = " S") -> list[Any]:
    """reasons: S for a chunk that says STOP."""
    return [
        {
            "candidates": [
                {
                    "content": {"parts": [{"text": text}]},
                    **({"finishReason": "STOP"} if reason == "S" else {}),
                }
            ]
        }
        for text, reason in zip(texts, reasons, strict=True)
    ]


async def test_a_finish_reason_in_every_chunk_does_not_end_the_answer():
    body = to_sse(*google("one ", "two ", "three", reasons="SSS"))
    assert (await read("gemini", body)).text == "one two three"
    for cut_at in range(body.index(b"two") + 3, len(body) - 4, 17):
        async with run_local(Reply(body, headers=SSE, cut_at=cut_at, end="drop")) as local:
            with pytest.raises(StreamCut):
                await ask(connect("gemini", local.url), stream=True)


@pytest.mark.parametrize("stream", [False, True])
async def test_server_made_call_ids_are_sent_back_unchanged(stream: bool):
    called = piece(id=KIMI_ID, name="get_weather", arguments="{}")["choices"][0]["delta"]
    chunk = {"choices": [{"delta": called, "message": called, "finish_reason": "tool_calls"}]}
    body = to_sse(chunk) if stream else to_json(chunk)
    headers = SSE if stream else {"content-type": "application/json"}
    async with run_local(Reply(body, headers=headers)) as local:
        provider = connect("compatible", local.url)
        thread = list(HELLO.messages)
        for _ in range(2):
            request = ChatRequest("", thread, tools=(WEATHER,))
            answer = await ask(provider, request, stream=stream)
            (call,) = answer.tool_calls
            thread += [answer.message, answer_call(call)]
        other = connect("openai", local.url)
        await ask(provider, replace(request, messages=thread), stream=stream)
        sent = local.body["messages"]
        await ask(other, replace(request, messages=thread), stream=stream)
        foreign = local.body["messages"]
    ids = [part["id"] for message in thread[1:] for part in message["parts"] if "id" in part]
    assert len(set(ids)) == 2
    assert [m["tool_calls"][0]["id"] for m in sent if m["role"] == "assistant"] == [KIMI_ID] * 2
    assert [m["tool_call_id"] for m in sent if m["role"] == "tool"] == [KIMI_ID] * 2
    assert KIMI_ID not in str(foreign)


def answer_call(call: Any) -> Message:
    return {
        "role": "tool",
        "parts": [
            {
                "type": "tool_result",
                "id": call["id"],
                "name": call["name"],
                "result": {"sky": "clear"},
                "is_error": False,
            }
        ],
    }


@pytest.mark.parametrize("stream", [False, True])
async def test_gateway_finish_reasons_are_understood(stream: bool):
    flagged = {"error": {"code": 403, "message": "Input was flagged by moderation"}}
    long = {"error": {"message": "litellm.ContextWindowExceededError: m", "type": None}}
    full = {"error": {"message": "capacity exceeded", "code": "capacity_exceeded"}}
    for status, body, kind in (
        (403, flagged, ContentFiltered),
        (400, long, ContextTooLong),
        (498, full, ModelOverloaded),
    ):
        error = await fail("compatible", Reply(to_json(body), status=status), stream=stream)
        assert type(error) is kind


async def list_deltas(wire: str, body: bytes) -> list[StreamDelta]:
    """What a viewer is shown of the body, which arrives in one read."""
    shown: list[StreamDelta] = []
    async with run_local(Reply(body, headers=SSE)) as local:
        try:
            async for item in connect(wire, local.url).generate_stream(HELLO):
                if isinstance(item, StreamDelta):
                    shown.append(item)
        except ModelError:
            pass
    return shown


async def test_chunks_that_arrive_together_are_shown_as_one():
    body = to_sse(say("one "), say("two "), say("three", "stop"), "data: [DONE]")
    assert await list_deltas("compatible", body) == [StreamDelta("one two three")]


async def test_ollama_lines_that_arrive_together_are_shown_as_one():
    replies = [{"message": {"content": said}} for said in ("one ", "two")]
    body = to_ndjson(*replies, {"message": {"content": ""}, "done": True, "done_reason": "stop"})
    assert await list_deltas("ollama", body) == [StreamDelta("one two")]


async def test_reasoning_after_text_stays_after_it():
    def think(text: str) -> Any:
        return {"choices": [{"index": 0, "delta": {"reasoning_content": text}}]}

    body = to_sse(think("hm "), think("so "), say("yes"), think("but "), say("no", "stop"))
    thoughts = [StreamDelta(reasoning="hm so "), StreamDelta(reasoning="but ")]
    shown = [thoughts[0], StreamDelta("yes"), thoughts[1], StreamDelta("no")]
    assert await list_deltas("compatible", body) == shown


@pytest.mark.parametrize("broken", ["data: {no json", 'data: {"error": {"message": "away"}}'])
async def test_text_read_together_with_a_failure_is_shown_first(broken: str):
    body = to_sse(say("one "), say("two"), broken)
    assert await list_deltas("compatible", body) == [StreamDelta("one two")]
