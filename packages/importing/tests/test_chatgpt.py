"""Tool calls of ChatGPT's export, which have no ids."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings

from .conftest import read_all
from .test_files import write


def make_chat(*said: tuple[str, str | None, str, str]) -> dict[str, Any]:
    """A chat of messages, each (role, author's name, recipient, text)."""
    mapping: dict[str, Any] = {}
    for n, (role, name, recipient, text) in enumerate(said):
        mapping[str(n)] = {
            "parent": str(n - 1) if n else None,
            "message": {
                "author": {"role": role, "name": name},
                "recipient": recipient,
                "create_time": 1795000000 + n,
                "content": {"content_type": "text", "parts": [text]},
            },
        }
    return {"id": "c", "title": "t", "mapping": mapping, "current_node": str(len(said) - 1)}


CALLS: dict[str, tuple[list[Any], list[Any]]] = {
    "a call without a result before": (
        [
            ("assistant", None, "dalle.text2im", '{"prompt": "a cat"}'),
            ("assistant", None, "all", "I draw."),
            ("user", None, "all", "And 1 + 1?"),
            ("assistant", None, "python", "1 + 1"),
            ("tool", "python", "all", "2"),
        ],
        [("python", "2")],
    ),
    "results in another order": (
        [
            ("assistant", None, "python", "1 + 1"),
            ("assistant", None, "web", '{"q": "cats"}'),
            ("tool", "web", "all", "cats"),
            ("tool", "python", "all", "2"),
        ],
        [("web", "cats"), ("python", "2")],
    ),
}


@pytest.mark.parametrize("name", CALLS)
async def test_a_chatgpt_tool_result_is_attached_to_the_call_of_its_tool(
    settings: Settings, tmp_path: Path, name: str
) -> None:
    said, expected = CALLS[name]
    chat = make_chat(("user", None, "all", "Go"), *said, ("assistant", None, "all", "Done."))
    (one,) = await read_all(settings, "openai", write(tmp_path, [chat], "conversations.json"))
    calls = {
        part["id"]: part["name"]
        for message in one.messages
        for part in message["parts"]
        if part["type"] == "tool_call"
    }
    results = [
        (calls[part["id"]], part["result"])
        for message in one.messages
        for part in message["parts"]
        if part["type"] == "tool_result"
    ]
    assert results == expected
