"""From an answer to Ollama's wire: one JSON object, or a line for each piece."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object

from ..answer import Answer, AnswerPart, Counts, dump_json, make_id, split_text
from ..api import WireError
from ..results import parse_result

# Nanoseconds; the shares are plausible, no more.
_LOAD_NS: Final = 68_000_000
_READ_NS: Final = 150_000
_SAY_NS: Final = 15_000_000


def to_body(answer: Answer) -> dict[str, Any]:
    said = answer.join("text") + (answer.refusal or "")
    message: dict[str, Any] = {"role": "assistant", "content": said}
    if thinking := answer.join("reasoning"):
        message["thinking"] = thinking
    if calls := [_to_call(part, i) for i, part in enumerate(_list_calls(answer))]:
        message["tool_calls"] = calls
    return {**_to_head(answer), "message": message, **_to_end(answer)}


def to_frames(answer: Answer) -> list[bytes]:
    """Encode an answer as Ollama's JSON lines, of which the last is `done`.

    Thinking and text come in pieces, calls whole.
    """
    messages: list[dict[str, Any]] = []
    for part in answer.visible:
        if part.kind == "reasoning":
            messages += [{"content": "", "thinking": piece} for piece in split_text(part.text)]
        elif part.kind == "text":
            messages += [{"content": piece} for piece in split_text(part.text)]
    messages += [{"content": piece} for piece in split_text(answer.refusal or "")]
    for i, part in enumerate(_list_calls(answer)):
        messages.append({"content": "", "tool_calls": [_to_call(part, i)]})
    frames = [
        _to_line({**_to_head(answer), "message": {"role": "assistant", **said}, "done": False})
        for said in messages
    ]
    last = {"role": "assistant", "content": ""}
    return [*frames, _to_line({**_to_head(answer), "message": last, **_to_end(answer)})]


def to_usage(counts: Counts) -> dict[str, Any]:
    read, said = counts.prompt.total, counts.output + counts.reasoning
    durations = (read * _READ_NS, said * _SAY_NS)
    return {
        "total_duration": _LOAD_NS + sum(durations),
        "load_duration": _LOAD_NS,
        "prompt_eval_count": read,
        "prompt_eval_duration": durations[0],
        "eval_count": said,
        "eval_duration": durations[1],
    }


def to_error(error: WireError) -> dict[str, Any]:
    return {"error": error.message}


def to_error_frame(error: WireError) -> bytes:
    return _to_line(to_error(error))


def _to_head(answer: Answer) -> dict[str, Any]:
    created = datetime.fromtimestamp(answer.created_s, UTC)
    return {"model": answer.model, "created_at": created.strftime("%Y-%m-%dT%H:%M:%S.%fZ")}


def _to_end(answer: Answer) -> dict[str, Any]:
    reason = "length" if answer.stop == "length" else "stop"
    return {"done_reason": reason, "done": True, **to_usage(answer.counts)}


def _list_calls(answer: Answer) -> list[AnswerPart]:
    """A call that the token limit cut is not sent at all."""
    return [part for part in answer.parts if part.kind == "tool_call" and not part.is_cut]


def _to_call(part: AnswerPart, index: int) -> dict[str, Any]:
    arguments = as_object(parse_result(part.text))
    function = {"index": index, "name": part.name, "arguments": arguments}
    return {"id": make_id("call_", part.id, 8).lower(), "function": function}


def _to_line(data: dict[str, Any]) -> bytes:
    return dump_json(data).encode() + b"\n"
