"""Answers of the Messages API that no recording has, made from Anthropic's documents and SDK."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.errors import (
    ModelAuthError,
    ModelError,
    ModelOverloaded,
    ModelTimeout,
    RateLimited,
)
from plainloop.agent.errors import ModelRequestError as RequestError
from tests.providers.asking import summarise
from tests.providers.documented import (
    EVENT_STREAM,
    called,
    cut_call,
    fail,
    read_stream,
    read_whole,
    say,
    to_json,
    to_sse,
    tokens,
)
from tests.providers.local_server import Reply

USAGE = tokens(17, 20, read=4, write=3)
START = {
    "type": "message_start",
    "message": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-test",
        "content": [],
        "stop_reason": None,
        "usage": {
            "input_tokens": 10,
            "cache_read_input_tokens": 4,
            "cache_creation_input_tokens": 3,
            "cache_creation": {"ephemeral_5m_input_tokens": 1, "ephemeral_1h_input_tokens": 2},
            "output_tokens": 1,
            "service_tier": "standard",
        },
    },
}
PING = {"type": "ping"}


def block(index: int, what: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    pieces = [{"type": "content_block_delta", "index": index, "delta": one} for one in deltas]
    start = {"type": "content_block_start", "index": index, "content_block": what}
    return [start, *pieces, {"type": "content_block_stop", "index": index}]


def text(index: int, *pieces: str) -> list[dict[str, Any]]:
    deltas = [{"type": "text_delta", "text": piece} for piece in pieces]
    return block(index, {"type": "text", "text": ""}, *deltas)


def call(index: int, given: Any, *pieces: str) -> list[dict[str, Any]]:
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return block(index, {"type": "tool_use", "id": "t1", "name": "f", "input": given}, *deltas)


def end(reason: str | None, usage: Any = None, **delta: Any) -> list[dict[str, Any]]:
    stated = {"stop_reason": reason, "stop_sequence": None, **delta}
    said = {"type": "message_delta", "delta": stated, "usage": usage or {"output_tokens": 20}}
    return [said, {"type": "message_stop"}]


CALLED = {"stop": "tool_use", "stop_raw": "tool_use"}
CITATION = {"type": "web_search_result_location", "url": "u", "cited_text": "c", "title": "t"}
THINKING = {"type": "thinking", "thinking": "", "signature": ""}
# Name → events between the start and the end, the end, what it says.
STREAMS: dict[str, tuple[list[Any], list[Any], dict[str, Any]]] = {
    "pings and several texts": (
        [PING, *text(0, "Grüße ", "東京"), PING, *text(1, ".")],
        end("end_turn"),
        {"text": "Grüße 東京.", "stop_raw": "end_turn"},
    ),
    "the window is full": (
        text(0, "a"),
        end("model_context_window_exceeded"),
        {"text": "a", "stop": "length", "stop_raw": "model_context_window_exceeded"},
    ),
    "a reason that came later": (
        text(0, "a"),
        end("compaction"),
        {"text": "a", "stop": "other", "stop_raw": "compaction"},
    ),
    "a refusal in the middle": (
        text(0, "I c"),
        end("refusal", stop_details={"type": "refusal", "category": "cyber", "explanation": "no"}),
        {"text": "I c", "refusal": "no", "stop": "refusal", "stop_raw": "refusal"},
    ),
    "a refusal without a word": (
        [],
        end("refusal", stop_details=None),
        {"stop": "refusal", "stop_raw": "refusal"},
    ),
    "arguments with the block": (
        call(0, {"a": 1}),
        end("tool_use"),
        {"tool_calls": [called("t1", "f", a=1)], **CALLED},
    ),
    "arguments with the block and an empty piece": (
        call(0, {"a": 1}, ""),
        end("tool_use"),
        {"tool_calls": [called("t1", "f", a=1)], **CALLED},
    ),
    "no arguments at all": (
        call(0, {}, "", ""),
        end("tool_use"),
        {"tool_calls": [called("t1", "f")], **CALLED},
    ),
    "arguments that are cut": (
        call(0, {}, "", '{"a": "b'),
        end("max_tokens"),
        {
            "tool_calls": [cut_call("t1", "f", '{"a": "b')],
            "stop": "length",
            "stop_raw": "max_tokens",
        },
    ),
    "hidden thinking": (
        [*block(0, THINKING, {"type": "signature_delta", "signature": "S"}), *text(1, "b")],
        end("end_turn", {"output_tokens": 20, "output_tokens_details": {"thinking_tokens": 8}}),
        {"text": "b", "stop_raw": "end_turn", "usage": {**USAGE, "reasoning": 8}},
    ),
    "the provider's own search": (
        [
            *block(
                0,
                {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
                {"type": "input_json_delta", "partial_json": '{"query":'},
                {"type": "input_json_delta", "partial_json": '"x"}'},
            ),
            *block(1, {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}),
            *block(
                2,
                {"type": "text", "text": "", "citations": []},
                {"type": "text_delta", "text": "b"},
                {"type": "citations_delta", "citation": CITATION},
            ),
        ],
        end("pause_turn", {"input_tokens": 30, "output_tokens": 20, "server_tool_use": {}}),
        {
            "text": "b",
            "server_tool_calls": [called("s1", "web_search", query="x")],
            "stop": "pause",
            "stop_raw": "pause_turn",
            "usage": {**USAGE, "input_total": 37},
        },
    ),
    "kinds that came later": (
        [
            {"type": "message_moved", "to": 1},
            *block(0, {"type": "hologram"}, {"type": "hologram_delta", "angle": 1}),
            *text(1, "b"),
        ],
        end("end_turn"),
        {"text": "b", "stop_raw": "end_turn"},
    ),
    "a block without its start": (
        [event for event in text(0, "a", "b") if event["type"] != "content_block_start"],
        end("end_turn"),
        {"text": "ab", "stop_raw": "end_turn"},
    ),
}


@pytest.mark.parametrize("name", STREAMS)
async def test_documented_streams_are_parsed_as_documented(name: str):
    between, ending, said = STREAMS[name]
    answer = await read_stream("anthropic", to_sse(START, *between, *ending, named=True))
    assert summarise(answer) == say(**{"usage": USAGE, **said})


async def test_opaque_blocks_are_sent_back_unchanged():
    blocks = [
        *block(0, THINKING, {"type": "thinking_delta", "thinking": "h"})[:2],
        {"type": "content_block_delta", "index": 0, "delta": {"signature": "SIG"}},
        *block(1, {"type": "redacted_thinking", "data": "R"}),
        *block(
            2,
            {"type": "compaction", "content": None},
            {"type": "compaction_delta", "content": "sum", "encrypted_content": "E"},
            {"type": "compaction_delta", "content": "mary", "encrypted_content": None},
        ),
        *block(3, {"type": "text", "text": ""}, {"citation": CITATION}, {"text": "a"}),
    ]
    answer = await read_stream("anthropic", to_sse(START, *blocks, *end("end_turn"), named=True))
    states = [part["provider_state"]["value"] for part in answer.message["parts"]]  # type: ignore[typeddict-item]
    assert states == [
        {"signature": "SIG"},
        {"block": {"type": "redacted_thinking", "data": "R"}},
        {"block": {"type": "compaction", "content": "summary", "encrypted_content": "E"}},
        {"citations": [CITATION]},
    ]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("overloaded_error", ModelOverloaded),
        ("api_error", ModelOverloaded),
        ("timeout_error", ModelTimeout),
        ("rate_limit_error", RateLimited),
        ("authentication_error", ModelAuthError),
        ("invalid_request_error", RequestError),
    ],
)
async def test_an_error_mid_stream_keeps_the_partial_answer_and_request_id(
    kind: str, expected: type[ModelError]
):
    failed = {"type": "error", "error": {"type": kind, "message": "m", "details": None}}
    body = to_sse(START, *text(0, "a")[:2], failed, named=True)
    headers = {**EVENT_STREAM, "request-id": "req_1"}
    error = await fail("anthropic", Reply(body, headers=headers), stream=True)
    assert type(error) is expected
    assert (error.message, error.request_id) == ("anthropic: m", "req_1")
    assert error.partial.text == "a"
    assert error.partial.usage.input_total == 17


@pytest.mark.parametrize(
    "failed",
    [{"error": {"type": "x", "message": "m"}}, {"base_resp": {"status_code": 1, "msg": "m"}}],
)
async def test_anthropic_compatible_streams_without_event_types_are_read(failed: Any):
    body = to_sse(START, *text(0, "a")[:2], failed)
    error = await fail("anthropic", Reply(body, headers=EVENT_STREAM), stream=True)
    assert (type(error), error.message) == (ModelOverloaded, "anthropic: m")


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("status", [401, 403, 404, 413, 429, 500, 529])
async def test_a_request_id_in_the_error_body_is_used(status: int, stream: bool):
    body = {"type": "error", "error": {"type": "x", "message": "m"}, "request_id": "req_b"}
    error = await fail("anthropic", Reply(to_json(body), status), stream=stream)
    assert (error.status, error.request_id) == (status, "req_b")
    bare = await fail("anthropic", Reply(b"", status), stream=stream)
    assert type(bare) is type(error)


async def test_an_anthropic_body_without_content_is_an_error():
    with pytest.raises(ModelOverloaded):
        await read_whole("anthropic", {"type": "message", "usage": {"input_tokens": 1}})


async def test_null_token_counts_stay_unknown():
    usage = {"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": None}
    body = {"content": [{"type": "text", "text": "a"}], "stop_reason": "end_turn", "usage": usage}
    said = summarise(await read_whole("anthropic", body))
    assert said["usage"] == tokens(1, 2)
