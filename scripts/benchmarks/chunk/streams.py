"""One streamed answer in each provider's format: the same pieces of text in all of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

WORDS: Final = "the fleet sails north at dawn with a cargo of salted cod and old letters".split()


@dataclass(frozen=True, slots=True)
class Format:
    """A provider's stream: where it is asked for, and how it is framed."""

    path: str
    content_type: str
    build_events: Callable[[list[str]], Iterator[bytes]]


def make_pieces(count: int) -> list[str]:
    """`count` pieces of a few characters, as models stream them."""
    pieces = (f"{WORDS[i % len(WORDS)]} " for i in range(count))
    return list(islice(pieces, count))


def build_anthropic(pieces: list[str]) -> Iterator[bytes]:
    usage = {"input_tokens": 25, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []}
    empty = {"stop_reason": None, "stop_sequence": None, "usage": usage}
    yield _named({"type": "message_start", "message": message | empty})
    block = {"type": "text", "text": ""}
    yield _named({"type": "content_block_start", "index": 0, "content_block": block})
    for piece in pieces:
        delta = {"type": "text_delta", "text": piece}
        yield _named({"type": "content_block_delta", "index": 0, "delta": delta})
    yield _named({"type": "content_block_stop", "index": 0})
    end = {"stop_reason": "end_turn", "stop_sequence": None}
    used = {"output_tokens": len(pieces)}
    yield _named({"type": "message_delta", "delta": end, "usage": used})
    yield _named({"type": "message_stop"})


def build_openai_chat(pieces: list[str]) -> Iterator[bytes]:
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}

    def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return _data({**head, "choices": [choice], "usage": None})

    yield chunk({"role": "assistant", "content": ""})
    for piece in pieces:
        yield chunk({"content": piece})
    yield chunk({}, "stop")
    yield _data({**head, "choices": [], "usage": _chat_usage(len(pieces))})
    yield b"data: [DONE]\n\n"


def build_openai_responses(pieces: list[str]) -> Iterator[bytes]:
    text = "".join(pieces)
    ids = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    response: dict[str, Any] = {
        "id": "resp_1", "object": "response", "created_at": 1, "model": "m", "error": None,
        "incomplete_details": None, "instructions": None, "metadata": {}, "output": [],
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "temperature": 1,
        "top_p": 1,
    }  # fmt: skip
    item: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant", "content": []}
    part = {"type": "output_text", "text": text, "annotations": []}
    done_item = {**item, "status": "completed", "content": [part]}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**response, "status": "in_progress"}},
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {**item, "status": "in_progress"},
        },
        {"type": "response.content_part.added", **ids, "part": {**part, "text": ""}},
    ]
    events += [
        {"type": "response.output_text.delta", **ids, "delta": piece, "logprobs": []}
        for piece in pieces
    ]
    usage = {
        "input_tokens": 25,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": len(pieces),
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 25 + len(pieces),
    }
    finished = {**response, "status": "completed", "output": [done_item], "usage": usage}
    events += [
        {"type": "response.output_text.done", **ids, "text": text, "logprobs": []},
        {"type": "response.content_part.done", **ids, "part": part},
        {"type": "response.output_item.done", "output_index": 0, "item": done_item},
        {"type": "response.completed", "response": finished},
    ]
    for number, event in enumerate(events):
        yield _named({**event, "sequence_number": number})


def build_gemini(pieces: list[str]) -> Iterator[bytes]:
    for number, piece in enumerate(pieces, start=1):
        content = {"parts": [{"text": piece}], "role": "model"}
        candidate: dict[str, Any] = {"content": content, "index": 0}
        if number == len(pieces):
            candidate["finishReason"] = "STOP"
        usage = {"promptTokenCount": 25, "candidatesTokenCount": number}
        usage["totalTokenCount"] = 25 + number
        yield _data({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m"})


def build_ollama(pieces: list[str]) -> Iterator[bytes]:
    head = {"model": "m", "created_at": "2026-01-01T00:00:00Z"}
    for piece in pieces:
        message = {"role": "assistant", "content": piece}
        yield _dump({**head, "message": message, "done": False}) + b"\n"
    last = {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"}
    used = {"prompt_eval_count": 25, "eval_count": len(pieces), "total_duration": 1}
    yield _dump({**head, **last, **used}) + b"\n"


SSE: Final = "text/event-stream; charset=utf-8"
FORMATS: Final[Mapping[str, Format]] = {
    "anthropic": Format("/v1/messages", SSE, build_anthropic),
    "openai chat": Format("/v1/chat/completions", SSE, build_openai_chat),
    "openai responses": Format("/v1/responses", SSE, build_openai_responses),
    "gemini": Format("/v1beta/models/m:streamGenerateContent", SSE, build_gemini),
    "ollama": Format("/api/chat", "application/x-ndjson", build_ollama),
}


def _chat_usage(output_tokens: int) -> dict[str, int]:
    return {
        "prompt_tokens": 25,
        "completion_tokens": output_tokens,
        "total_tokens": 25 + output_tokens,
    }


def _named(event: dict[str, Any]) -> bytes:
    return b"event: " + event["type"].encode() + b"\n" + _data(event)


def _data(event: dict[str, Any]) -> bytes:
    return b"data: " + _dump(event) + b"\n\n"


def _dump(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
