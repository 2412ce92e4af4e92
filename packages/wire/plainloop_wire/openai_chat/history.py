"""What Chat Completions demands of a conversation, and the neutral messages that it means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import orjson

from plainloop.agent.base.text.foreign_json import as_list, as_object
from plainloop.agent.types import FilePart, FunctionCall, FunctionResponse, Message, MessagePart

from ..api import WireError, load_api
from ..results import IMAGES, PDFS, parse_result, read_data_url, to_tool_result
from ..strict import Shape, check_shape
from .fields import COMPAT_ASSISTANT, MESSAGES, refuse_value

_API: Final = load_api("openai_chat")

_MAX_ID_CHARS: Final = 40


def check_history(messages: Sequence[Any], *, is_own: bool) -> None:
    """Check a request's messages by the rules of OpenAI's API.

    Raises: WireError, ShapeError.
    """
    if not messages:
        raise _API.refuse("empty_array", where="messages")
    for index, message in enumerate(messages):
        _check_message(message, index, is_own=is_own)
    # Each call is answered, by tool messages that follow it at once; no other one.
    open_ids: list[str] = []
    for index, message in enumerate(messages):
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_ids:
                raise _API.refuse("result_without_call", index=index)
            open_ids.remove(message["tool_call_id"])
            continue
        if open_ids:
            raise _missing_results(open_ids, index)
        open_ids = [call["id"] for call in as_list(message.get("tool_calls"))]
    if open_ids:
        raise _missing_results(open_ids, len(messages) - 1)


def join_system(messages: Sequence[Any]) -> str:
    """Join the texts of all system and developer messages, in order."""
    texts = [
        read_text(message["content"])
        for message in messages
        if message["role"] in ("system", "developer")
    ]
    return "\n\n".join(texts)


def to_messages(messages: Sequence[Any]) -> list[Message]:
    """Convert OpenAI's messages to plainloop's.

    Tool messages that follow each other become one message.
    """
    names: dict[str, str] = {}
    neutral: list[Message] = []
    for message in messages:
        role = message["role"]
        if role == "tool":
            part = to_result(message["tool_call_id"], read_text(message["content"]), names)
            if neutral and neutral[-1]["role"] == "tool":
                neutral[-1]["parts"].append(part)
            else:
                neutral.append({"role": "tool", "parts": [part]})
        elif role == "user":
            text = read_text(message["content"])
            files = map(_to_file, as_list(message["content"]))
            parts: list[MessagePart] = [part for part in files if part is not None]
            neutral.append({"role": "user", "parts": [*parts, {"type": "text", "text": text}]})
        elif role == "assistant":
            calls = [
                to_call(call["id"], call["function"]["name"], call["function"]["arguments"])
                for call in as_list(message.get("tool_calls"))
            ]
            names.update({call["id"]: call["name"] for call in calls})
            neutral.append({"role": "assistant", "parts": _assistant_parts(message, calls)})
    return neutral


def read_text(content: Any) -> str:
    """Return a message's text, whether its content is a string, parts or missing."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = cast(list[dict[str, Any]], content)
    return "".join(part.get("text") or part.get("refusal") or "" for part in parts)


def _to_file(part: Any) -> FilePart | None:
    if image := part.get("image_url", {}).get("url"):
        return read_data_url(image, IMAGES)
    file = part.get("file", {}).get("file_data")
    return read_data_url(file, PDFS) if file else None


def _check_message(value: Any, index: int, *, is_own: bool) -> None:
    role: Any = as_object(value).get("role")
    if role not in MESSAGES:
        raise refuse_value(role, _API.lists["roles"], f"messages[{index}].role")
    optional: Shape = MESSAGES[role].optional
    if role == "assistant" and not is_own:
        optional = {**optional, **COMPAT_ASSISTANT}
    message = check_shape(value, ("messages", index), MESSAGES[role].required, optional)
    _check_content(message, index)
    if role == "assistant":
        _check_calls(message, index)


def _check_content(message: Mapping[str, Any], index: int) -> None:
    for i, value in enumerate(as_list(message.get("content"))):
        path = ("messages", index, "content", i)
        name = "user_part" if message["role"] == "user" else "part"
        part = check_shape(value, path, {"type": "string"}, _API.shapes[name])
        if part["type"] not in _API.lists[name]:
            allowed = _API.lists["part"]
            raise refuse_value(part["type"], allowed, f"messages[{index}].content[{i}].type")


def _check_calls(message: Mapping[str, Any], index: int) -> None:
    calls = message.get("tool_calls")
    where = f"messages[{index}].tool_calls"
    if calls is None:
        if message.get("content") is None and message.get("refusal") is None:
            raise _API.refuse("content_null", index=index)
        return
    if not calls:
        raise _API.refuse("empty_array", where=where)
    for i, value in enumerate(calls):
        path = ("messages", index, "tool_calls", i)
        required: Shape = {"id": "string", "type": "string", "function": "object"}
        call = check_shape(value, path, required, {"index": "integer"})
        check_shape(
            call["function"], (*path, "function"), {"name": "string", "arguments": "string"}
        )
        check_id(call["id"], f"{where}[{i}].id", _MAX_ID_CHARS)


def check_id(tool_id: str, where: str, max_chars: int) -> None:
    """Check that a tool call's id is not too long.

    Raises: WireError.
    """
    if len(tool_id) > max_chars:
        raise _API.refuse("too_long_string", where=where, max_chars=max_chars, length=len(tool_id))


def _missing_results(tool_ids: Sequence[str], index: int) -> WireError:
    return _API.refuse("results_missing", tool_ids=", ".join(tool_ids), index=index)


def _assistant_parts(
    message: Mapping[str, Any], calls: Sequence[FunctionCall]
) -> list[MessagePart]:
    parts: list[MessagePart] = []
    reasoning = message.get("reasoning_content")
    if reasoning:
        parts.append({"type": "reasoning", "text": reasoning})
    text = read_text(message.get("content")) or message.get("refusal") or ""
    if text:
        parts.append({"type": "text", "text": text})
    return [*parts, *calls]


def to_call(tool_call_id: str, name: str, raw: str) -> FunctionCall:
    """Make a tool call from the JSON text of its arguments.

    If the text is not a JSON object, it is kept as it is.
    """
    try:
        arguments = orjson.loads(raw or "{}")
    except orjson.JSONDecodeError:
        arguments = None
    part = FunctionCall(type="tool_call", id=tool_call_id, name=name, arguments={})
    if isinstance(arguments, dict):
        part["arguments"] = arguments
    else:
        part["invalid_arguments"] = raw
    return part


def to_result(tool_call_id: str, text: str, names: Mapping[str, str]) -> FunctionResponse:
    """Make a tool result from its text.

    names: the tools' names by call id.
    """
    return to_tool_result(tool_call_id, names.get(tool_call_id, ""), parse_result(text))
