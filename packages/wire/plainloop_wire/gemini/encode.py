"""From an answer to the Gemini wire: one JSON body, or a stream of whole responses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object

from ..answer import Answer, AnswerPart, Counts, dump_json, make_id, split_text
from ..api import WireError, load_api
from ..results import parse_result
from .signature import is_third_generation, sign

_API: Final = load_api("gemini")

Part = dict[str, Any]


def to_body(answer: Answer) -> dict[str, Any]:
    parts = [_to_part(part) for part in _sent_parts(answer)]
    _sign_parts(answer, parts)
    return _to_response(answer, parts, answer.counts, _API.name_stop(answer.stop))


def to_frames(answer: Answer) -> list[bytes]:
    """Encode an answer as the chunks of a stream.

    Each chunk is a whole response with the tokens counted so far.
    """
    pieces: list[Part] = []
    for part in _sent_parts(answer):
        if part.kind == "tool_call":
            pieces.append(_to_part(part))
        else:
            mark = {"thought": True} if part.kind == "reasoning" else {}
            pieces += [{"text": piece, **mark} for piece in split_text(part.text)]
    pieces.append({"text": ""})
    _sign_parts(answer, pieces)
    counts = answer.counts
    frames = [
        _to_response(answer, [piece], replace(counts, output=min(i, counts.output)))
        for i, piece in enumerate(pieces[:-1], start=1)
    ]
    frames.append(_to_response(answer, pieces[-1:], counts, _API.name_stop(answer.stop)))
    return [_to_frame(frame) for frame in frames]


def to_usage(counts: Counts) -> dict[str, Any]:
    """Convert token counts to Gemini's usage.

    Its prompt count includes cached tokens.
    """
    prompt = counts.prompt.total
    usage: dict[str, Any] = {
        "promptTokenCount": prompt,
        "candidatesTokenCount": counts.output,
        "totalTokenCount": prompt + counts.output + counts.reasoning,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": prompt}],
    }
    if counts.prompt.read:
        cached = counts.prompt.read
        usage["cachedContentTokenCount"] = cached
        usage["cacheTokensDetails"] = [{"modality": "TEXT", "tokenCount": cached}]
    if counts.reasoning:
        usage["thoughtsTokenCount"] = counts.reasoning
    return usage


def to_error(error: WireError) -> dict[str, Any]:
    details = list(error.details or ())
    if error.retry_after_s is not None:
        details.append(
            {
                "@type": "type.googleapis.com/google.rpc.RetryInfo",
                "retryDelay": f"{error.retry_after_s:g}s",
            }
        )
    status = _API.name_error(error)
    body: dict[str, Any] = {"code": error.status, "message": error.message, "status": status}
    return {"error": {**body, "details": details} if details else body}


def to_error_frame(error: WireError) -> bytes:
    return _to_frame(to_error(error))


def _sent_parts(answer: Answer) -> list[AnswerPart]:
    """A call that the token limit cut is not sent at all."""
    return [
        part
        for part in answer.visible
        if part.text and not (part.kind == "tool_call" and part.is_cut)
    ]


def _to_part(part: AnswerPart) -> Part:
    if part.kind == "tool_call":
        arguments = parse_result(part.text)
        return {"functionCall": {"name": part.name, "args": as_object(arguments)}}
    return {"text": part.text, **({"thought": True} if part.kind == "reasoning" else {})}


def _sign_parts(answer: Answer, parts: Sequence[Part]) -> None:
    """Signs the first call, or where there is none the last text."""
    if not is_third_generation(answer.model) or not parts:
        return
    calls = [part for part in parts if "functionCall" in part]
    part = calls[0] if calls else parts[-1]
    call = part.get("functionCall", {"name": "", "args": {}})
    part["thoughtSignature"] = sign(
        answer.model, answer.options["account"], call["name"], call["args"]
    )


def _to_response(
    answer: Answer, parts: Sequence[Part], counts: Counts, finish: str | None = None
) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}, "index": 0}
    if finish is not None:
        candidate["finishReason"] = finish
    return {
        "candidates": [candidate],
        "usageMetadata": to_usage(counts),
        "modelVersion": answer.model,
        "responseId": make_id("", answer.seed, 22),
    }


def _to_frame(data: dict[str, Any]) -> bytes:
    return b"data: " + dump_json(data).encode() + b"\r\n\r\n"
