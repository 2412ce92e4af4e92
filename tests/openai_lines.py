"""Conversations as lines of OpenAI's messages."""

from __future__ import annotations

from typing import Any

import orjson


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def ask_tool(call_id: str, name: str = "find", arguments: Any = "{}") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def tell(call_id: str, content: str = "found") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "name": "find", "content": content}


def line(*messages: dict[str, Any], **more: Any) -> bytes:
    return orjson.dumps({"messages": messages, **more})
