"""Ollama's messages: what its decoder refuses, and the neutral messages that they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from plainloop.agent.base.text.foreign_json import as_list, as_object
from plainloop.agent.types import FunctionCall, FunctionResponse, Message, MessagePart

from ..answer import dump_json
from ..api import load_api
from ..results import parse_result, to_tool_result
from ..strict import Path, Shape, ShapeError, check_kind

_API: Final = load_api("ollama")

_MESSAGE: Final = _API.shapes["message"]
Wire = Mapping[str, Any]


def check_messages(messages: Sequence[Any]) -> None:
    """Check the JSON types in a request's messages, as Ollama does.

    Unknown fields are ignored. Raises: ShapeError.
    """
    for index, value in enumerate(messages):
        path = ("messages", index)
        check_kind(value, path, "object")
        check_kinds(value, path, _MESSAGE)
        for i, call in enumerate(as_list(value.get("tool_calls"))):
            at = (*path, "tool_calls", i)
            check_kind(call, at, "object")
            function = as_object(call).get("function")
            if function is None:
                raise ShapeError((*at, "function"), "missing", "object")
            check_kinds(function, (*at, "function"), {"name": "string", "arguments": "object"})


def check_kinds(value: Any, path: Path, kinds: Shape) -> None:
    """Check the JSON types of those fields of an object that are known.

    Fields may be null. Raises: ShapeError.
    """
    for name, kind in kinds.items():
        given = as_object(value).get(name)
        if given is not None:
            check_kind(given, (*path, name), kind)


def to_messages(messages: Sequence[Wire]) -> list[Message]:
    """Convert Ollama's messages to plainloop's.

    Tool results that follow each other become one message. Calls mostly have no ids: a result then
    belongs to the first open call of its tool.
    """
    neutral: list[Message] = []
    open_calls: list[FunctionCall] = []
    for position, message in enumerate(messages):
        match message.get("role"):
            case "assistant":
                calls = _read_calls(message, position)
                open_calls += calls
                parts: list[MessagePart] = []
                if message.get("thinking"):
                    parts.append({"type": "reasoning", "text": message["thinking"]})
                if message.get("content"):
                    parts.append({"type": "text", "text": message["content"]})
                _append(neutral, "assistant", [*parts, *calls])
            case "tool":
                _append(neutral, "tool", [_to_result(message, open_calls, position)])
            case "user":
                text = message.get("content") or ""
                neutral.append({"role": "user", "parts": [{"type": "text", "text": text}]})
            case _:
                pass
    return neutral


def _append(neutral: list[Message], role: Any, parts: list[MessagePart]) -> None:
    if role == "tool" and neutral and neutral[-1]["role"] == "tool":
        neutral[-1]["parts"] += parts
    elif parts:
        neutral.append({"role": role, "parts": parts})


def _read_calls(message: Wire, position: int) -> list[FunctionCall]:
    return [
        FunctionCall(
            type="tool_call",
            id=call.get("id") or f"call_{position}_{index}",
            name=call["function"].get("name") or "",
            arguments=cast("dict[str, Any]", call["function"].get("arguments") or {}),
        )
        for index, call in enumerate(as_list(message.get("tool_calls")))
    ]


def _to_result(message: Wire, open_calls: list[FunctionCall], position: int) -> FunctionResponse:
    name, given_id = message.get("tool_name"), message.get("tool_call_id")
    call = next(
        (
            call
            for call in open_calls
            if (call["id"] == given_id if given_id else name in (None, call["name"]))
        ),
        None,
    )
    if call is not None:
        open_calls.remove(call)
    return to_tool_result(
        call["id"] if call else f"result_{position}",
        name or (call["name"] if call else ""),
        parse_result(message.get("content") or ""),
    )


def to_prompt(message: Wire) -> str:
    """Format a message as text of the prompt, to count its tokens."""
    text = f"{message.get('role')}:{message.get('content') or ''}\n"
    if message.get("thinking"):
        text += message["thinking"] + "\n"
    if message.get("tool_calls"):
        text += dump_json([call["function"] for call in message["tool_calls"]]) + "\n"
    return text
