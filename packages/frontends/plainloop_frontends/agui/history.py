"""A thread's messages in AG-UI's shape, from what is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from plainloop.agent.base.messages.contents import get_text, list_calls, list_files
from plainloop.agent.store.api import StoredMessage
from plainloop.agent.types import FilePart, Message
from plainloop.server.routes.showing import make_message_id


def to_agui_messages(
    thread_id: str, stored: Sequence[StoredMessage], names: Mapping[int, str]
) -> list[dict[str, Any]]:
    """Convert stored messages to AG-UI messages. names: the client's ids by position."""
    shown: list[dict[str, Any]] = []
    for item in stored:
        if item.status == "superseded":
            continue
        name = names.get(item.position) or make_message_id(thread_id, item.position)
        shown += _to_shown(name, item.message)
    return shown


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
    text, files = get_text(message), list(map(_to_file, list_files(message)))
    if text:
        shown["content"] = text
    if files:
        shown["content"] = [*files, *([{"type": "text", "text": text}] if text else [])]
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
    return [shown] if text or files or calls else []


def _to_file(part: FilePart) -> dict[str, Any]:
    kind = "image" if part["media_type"].startswith("image/") else "document"
    source = {"type": "data", "value": part["data"], "mimeType": part["media_type"]}
    shown = {"type": kind, "source": source}
    return {**shown, "metadata": {"filename": part["name"]}} if "name" in part else shown
