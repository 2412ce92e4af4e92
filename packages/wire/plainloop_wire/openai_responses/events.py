"""From an answer to the event stream of Responses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from ..answer import Answer, AnswerPart, dump_json, make_id, split_json, split_text
from ..api import WireError
from ..openai_chat.encode import to_error
from .encode import list_parts, to_body, to_content, to_head, to_item

Event = tuple[str, dict[str, Any]]
_OBFUSCATION_CHARS: Final = 12


def to_frames(answer: Answer) -> list[bytes]:
    """Encode an answer as events: created, in_progress, events of items, completed/incomplete."""
    body = to_body(answer)
    opening = to_head(answer, "in_progress")
    events: list[Event] = [
        ("response.created", {"response": opening}),
        ("response.in_progress", {"response": opening}),
    ]
    for index, part in enumerate(list_parts(answer)):
        for name, data in _item_events(answer, part):
            events.append((name, {**data, "output_index": index}))
    events.append((f"response.{body['status']}", {"response": body}))
    return [_to_frame(name, data, number) for number, (name, data) in enumerate(events)]


def to_error_frame(error: WireError) -> bytes:
    return _to_frame("error", to_error(error), 0)


def _item_events(answer: Answer, part: AnswerPart) -> Iterator[Event]:
    item = to_item(answer, part)
    # The item as it is announced: nothing in it yet.
    empty: dict[str, Any] = {"content": [], "arguments": "", "summary": []}
    opened = {key: empty.get(key, value) for key, value in item.items()}
    yield (
        "response.output_item.added",
        {"item": ({**opened, "status": "in_progress"} if "status" in item else opened)},
    )
    at = {"item_id": item["id"]}
    match item["type"]:
        case "function_call":
            name = "response.function_call_arguments"
            yield from _text_events(name, "arguments", split_json(part.text), at)
        case "message":
            yield from _message_events(to_content(answer, part), {**at, "content_index": 0})
        case _ if item["summary"]:
            summary, at = item["summary"][0], {**at, "summary_index": 0}
            yield "response.reasoning_summary_part.added", {**at, "part": {**summary, "text": ""}}
            name = "response.reasoning_summary_text"
            yield from _text_events(name, "text", split_text(summary["text"]), at)
            yield "response.reasoning_summary_part.done", {**at, "part": summary}
        case _:
            pass
    yield "response.output_item.done", {"item": item}


def _message_events(content: dict[str, Any], at: dict[str, Any]) -> Iterator[Event]:
    key = "refusal" if content["type"] == "refusal" else "text"
    name = "response.refusal" if key == "refusal" else "response.output_text"
    yield "response.content_part.added", {**at, "part": {**content, key: ""}}
    extra: dict[str, Any] = {} if key == "refusal" else {"logprobs": []}
    yield from _text_events(name, key, split_text(content[key]), {**at, **extra})
    yield "response.content_part.done", {**at, "part": content}


def _text_events(name: str, key: str, pieces: Iterable[str], at: dict[str, Any]) -> Iterator[Event]:
    """The deltas, padded against eavesdroppers, then the whole."""
    whole = ""
    for piece in pieces:
        whole += piece
        padding = make_id("", whole, _OBFUSCATION_CHARS)
        yield f"{name}.delta", {**at, "delta": piece, "obfuscation": padding}
    yield f"{name}.done", {**at, key: whole}


def _to_frame(name: str, data: dict[str, Any], number: int) -> bytes:
    event = {"type": name, "sequence_number": number, **data}
    return f"event: {name}\ndata: {dump_json(event)}\n\n".encode()
