"""From an answer to the Messages wire: one JSON body, or the event stream."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object

from ..answer import (
    Answer,
    AnswerPart,
    Counts,
    count_part,
    dump_json,
    make_id,
    split_json,
    split_text,
)
from ..api import WireError, load_api
from ..results import parse_result
from .binding import Binding
from .signature import Prefix, sign

_API: Final = load_api("anthropic")


def to_body(answer: Answer) -> dict[str, Any]:
    return {
        **_to_message(answer),
        "content": [block for _, block in _to_blocks(answer)],
        **_to_stop(answer),
        "usage": to_usage(answer.counts),
    }


def to_frames(answer: Answer) -> list[bytes]:
    """Encode an answer as events: message_start, ping, blocks, message_delta, message_stop."""
    opening: dict[str, Any] = {
        **_to_message(answer),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {**to_usage(answer.counts), "output_tokens": 1},
    }
    frames = [_to_frame("message_start", {"message": opening})]
    ping = _to_frame("ping", {})
    for index, (part, block) in enumerate(_to_blocks(answer)):
        start, *rest = _block_frames(index, part, block)
        new = [start, ping, *rest] if index == 0 else [start, *rest]
        # A block without any text to stream comes at once, in one chunk with what is before it.
        is_silent = block["type"] == "thinking" and not block["thinking"]
        frames[-1:] = [frames[-1] + b"".join(new)] if is_silent else [frames[-1], *new]
    if len(frames) == 1:
        frames.append(ping)
    usage = to_usage(answer.counts)
    kept = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    totals = {key: usage[key] for key in (*kept, "output_tokens", "output_tokens_details")}
    frames.append(_to_frame("message_delta", {"delta": _to_stop(answer), "usage": totals}))
    frames.append(_to_frame("message_stop", {}))
    return frames


def to_usage(counts: Counts) -> dict[str, Any]:
    prompt = counts.prompt
    return {
        "input_tokens": prompt.uncached,
        "cache_creation_input_tokens": prompt.written,
        "cache_read_input_tokens": prompt.read,
        "cache_creation": {
            "ephemeral_5m_input_tokens": prompt.write,
            "ephemeral_1h_input_tokens": prompt.write_long,
        },
        "output_tokens": counts.output + counts.reasoning,
        "output_tokens_details": {"thinking_tokens": counts.reasoning},
        "service_tier": "standard",
        "inference_geo": "not_available",
    }


def to_error(error: WireError) -> dict[str, Any]:
    details = {"error_code": error.code} if error.code else None
    return {
        "type": "error",
        "error": {"details": details, "type": _API.name_error(error), "message": error.message},
        "request_id": make_id("req_011C", error.message, 20),
    }


def to_error_frame(error: WireError) -> bytes:
    return _to_frame("error", {"error": to_error(error)["error"]})


def _to_blocks(answer: Answer) -> list[tuple[AnswerPart, dict[str, Any]]]:
    """Return the answer's parts with their blocks; thinking is signed over everything before it."""
    binding: Binding = answer.options["binding"]
    parts = [part for part in answer.visible if part.text or part.kind == "tool_call"]
    if binding.is_between and any(part.kind == "tool_call" for part in parts):
        parts = [replace(part, kind="reasoning") if part.kind == "text" else part for part in parts]
    if binding.thinks and parts and parts[0].kind != "reasoning":
        parts.insert(0, AnswerPart("reasoning", ""))
    prefix = binding.prefix.copy()
    blocks: list[tuple[AnswerPart, dict[str, Any]]] = []
    for part in parts:
        block = _to_block(part, binding, prefix)
        prefix.add("assistant", block)
        blocks.append((part, block))
    return blocks


def _to_message(answer: Answer) -> dict[str, Any]:
    dropped = answer.options["binding"].dropped
    return {
        "id": make_id("msg_01", answer.seed, 22),
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        **({} if dropped is None else {"input_transformations": dropped}),
    }


def _to_stop(answer: Answer) -> dict[str, Any]:
    return {
        "stop_reason": _API.name_stop(answer.stop),
        "stop_sequence": answer.stop_sequence,
        "stop_details": None,
    }


def _to_block(part: AnswerPart, binding: Binding, prefix: Prefix) -> dict[str, Any]:
    if part.kind == "text":
        return {"type": "text", "text": part.text}
    if part.kind == "reasoning":
        thinking = part.text if binding.is_shown else ""
        tokens = count_part(part)
        signature = sign(thinking, binding.model, binding.account, prefix, tokens=tokens)
        return {"type": "thinking", "thinking": thinking, "signature": signature}
    arguments = parse_result(part.text)
    return {
        "type": "tool_use",
        "id": make_id("toolu_01", part.id, 22),
        "name": part.name,
        "input": as_object(arguments),
    }


def _block_frames(index: int, part: AnswerPart, block: dict[str, Any]) -> list[bytes]:
    empty: dict[str, Any]
    if part.kind == "text":
        empty = {"type": "text", "text": ""}
        deltas = [{"type": "text_delta", "text": piece} for piece in split_text(part.text)]
    elif part.kind == "reasoning":
        empty = {"type": "thinking", "thinking": "", "signature": ""}
        deltas = [
            {"type": "thinking_delta", "thinking": piece} for piece in split_text(block["thinking"])
        ]
        deltas.append({"type": "signature_delta", "signature": block["signature"]})
    else:
        empty = {**block, "input": {}}
        pieces = ["", *(split_json(part.text) if part.text != "{}" else ())]
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return [
        _to_frame("content_block_start", {"index": index, "content_block": empty}),
        *(_to_frame("content_block_delta", {"index": index, "delta": delta}) for delta in deltas),
        _to_frame("content_block_stop", {"index": index}),
    ]


def _to_frame(event: str, data: dict[str, Any]) -> bytes:
    return f"event: {event}\ndata: {dump_json({'type': event, **data})}\n\n".encode()
