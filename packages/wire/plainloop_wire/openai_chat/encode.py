"""From an answer to the Chat Completions wire: one JSON body, or the chunk stream."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from ..answer import Answer, AnswerPart, Counts, dump_json, make_id, split_json, split_text
from ..api import WireError, load_api

_API: Final = load_api("openai_chat")

_ERROR_CODES: Final = {429: "rate_limit_exceeded"}
_FINGERPRINT: Final = "fp_plainloop"
_DONE: Final = b"data: [DONE]\n\n"


def to_body(answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {
        "role": "assistant",
        "content": answer.join("text") or None,
        "refusal": answer.refusal,
        "annotations": [],
    }
    if reasoning := answer.join("reasoning"):
        message["reasoning_content"] = reasoning
    calls = [part for part in answer.parts if part.kind == "tool_call"]
    if calls:
        message["tool_calls"] = [_to_call(part) for part in calls]
    finish = _API.name_stop(answer.stop)
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
    return {
        **_head(answer, "chat.completion"),
        "choices": [choice],
        "usage": to_usage(answer.counts),
    }


def to_frames(answer: Answer) -> list[bytes]:
    """Encode an answer as chunks: role, text and arguments, finish reason, usage, [DONE]."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": None, "refusal": None}]
    index = 0
    for part in answer.visible:
        if part.kind == "tool_call":
            # Id and name first; after it only the index tells which call a piece belongs to.
            first = {"index": index, **_to_call(replace(part, text=""))}
            pieces = [
                {"index": index, "function": {"arguments": piece}}
                for piece in split_json(part.text)
            ]
            deltas += [{"tool_calls": [call]} for call in (first, *pieces)]
            index += 1
        else:
            key = "content" if part.kind == "text" else "reasoning_content"
            deltas += [{key: piece} for piece in split_text(part.text)]
    deltas += [{"refusal": piece} for piece in split_text(answer.refusal or "")]
    frames = [_to_chunk(answer, delta, None) for delta in deltas]
    frames.append(_to_chunk(answer, {}, _API.name_stop(answer.stop)))
    if answer.include_usage:
        totals: dict[str, Any] = {"choices": [], "usage": to_usage(answer.counts)}
        frames.append(_to_frame({**_head(answer, "chat.completion.chunk"), **totals}))
    return [*frames, _DONE]


def to_usage(counts: Counts) -> dict[str, Any]:
    output = counts.output + counts.reasoning
    return {
        "prompt_tokens": counts.prompt.total,
        "completion_tokens": output,
        "total_tokens": counts.prompt.total + output,
        "prompt_tokens_details": {
            "cached_tokens": counts.prompt.read,
            "cache_write_tokens": counts.prompt.written,
        },
        "completion_tokens_details": {"reasoning_tokens": counts.reasoning},
    }


def to_error(error: WireError) -> dict[str, Any]:
    kind = _API.name_error(error)
    code = error.code or _ERROR_CODES.get(error.status)
    return {"error": {"message": error.message, "type": kind, "param": error.param, "code": code}}


def to_error_frame(error: WireError) -> bytes:
    return _to_frame(to_error(error))


def _head(answer: Answer, kind: str) -> dict[str, Any]:
    return {
        "id": make_id("chatcmpl-", answer.seed, 29),
        "object": kind,
        "created": answer.created_s,
        "model": answer.model,
        "service_tier": "default",
        "system_fingerprint": _FINGERPRINT,
    }


def _to_call(part: AnswerPart) -> dict[str, Any]:
    return {
        "id": make_id("call_", part.id, 24),
        "type": "function",
        "function": {"name": part.name, "arguments": part.text},
    }


def _to_chunk(answer: Answer, delta: dict[str, Any], finish: str | None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    chunk = {**_head(answer, "chat.completion.chunk"), "choices": [choice]}
    if answer.include_usage:
        chunk["usage"] = None
    return _to_frame(chunk)


def _to_frame(data: dict[str, Any]) -> bytes:
    return b"data: " + dump_json(data).encode() + b"\n\n"
