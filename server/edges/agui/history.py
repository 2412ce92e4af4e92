"""A thread's messages in AG-UI's shape, from what is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from ....agent.base.messages import get_text, is_superseded, list_calls
from ....agent.store.api import StoredMessage
from ....agent.types import Message
from ...routes.showing import make_message_id


def to_agui_messages(
    thread_id: str, stored: Sequence[StoredMessage], names: Mapping[int, str]
) -> list[dict[str, Any]]:
    """names: what the client called a user's message, by its place."""
    kept: list[tuple[int, Message]] = []
    for item in stored:
        role: Any = item.role
        message: Message = {"role": role, "parts": item.parts}
        if is_superseded([message for _, message in kept], message):
            kept.pop()
        kept.append((item.position, message))
    return [
        shown
        for position, message in kept
        for shown in _to_shown(names.get(position) or make_message_id(thread_id, position), message)
    ]


def _to_shown(name: str, message: Message) -> list[dict[str, Any]]:
    if message["role"] == "tool":
        return [
            {
                "id": f"{name}:{n}",
                "role": "tool",
                "toolCallId": part["id"],
                "content": orjson.dumps(part["result"]).decode(),
            }
            for n, part in enumerate(message["parts"])
            if part["type"] == "tool_result"
        ]
    shown: dict[str, Any] = {"id": name, "role": message["role"]}
    if text := get_text(message):
        shown["content"] = text
    calls = [
        {
            "id": call["id"],
            "type": "function",
            "function": {
                "name": call["name"],
                "arguments": orjson.dumps(call["arguments"]).decode(),
            },
        }
        for call in list_calls(message)
    ]
    if calls:
        shown["toolCalls"] = calls
    return [shown] if text or calls else []
