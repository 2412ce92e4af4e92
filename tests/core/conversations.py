"""Small neutral messages for tests, and a Hypothesis strategy of whole conversations."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.types import Message

_OK = {"ok": True}


def user(text: str) -> Message:
    return make_text_message("user", text)


def answer(text: str) -> Message:
    return make_text_message("assistant", text)


def call(*ids_and_arguments: Any, name: str = "look") -> Message:
    """One assistant message with a tool call per id; a dict after an id is its arguments."""
    parts: list[Any] = []
    for item in ids_and_arguments:
        if isinstance(item, dict):
            parts[-1]["arguments"] = item
        else:
            parts.append({"type": "tool_call", "id": item, "name": name, "arguments": {}})
    return {"role": "assistant", "parts": parts}


def result(*call_ids: str, name: str = "look", gave: Any = _OK) -> Message:
    parts: list[Any] = [
        {"type": "tool_result", "id": i, "name": name, "result": gave, "is_error": False}
        for i in call_ids
    ]
    return {"role": "tool", "parts": parts}


@st.composite
def conversations(draw: Any, least: int = 0) -> list[Message]:
    """Valid: exchanges of a question, tool rounds, an answer; the last may be open."""
    messages: list[Message] = []
    for exchange in range(draw(st.integers(least, 8))):
        messages.append(user("word " * draw(st.integers(1, 60))))
        for turn in range(draw(st.integers(0, 2))):
            ids = [f"c{exchange}_{turn}_{n}" for n in range(draw(st.integers(1, 3)))]
            messages += [call(*ids), result(*ids)]
        messages.append(answer("text " * draw(st.integers(1, 60))))
    if draw(st.booleans()):
        messages.append(user("last question"))
    return messages


@st.composite
def poisoned(draw: Any) -> list[Message]:
    """Histories as crashes leave them: messages dropped, doubled, cut and shuffled in."""
    messages = draw(conversations())
    for _ in range(draw(st.integers(0, 5))):
        kind = draw(st.sampled_from(["drop", "repeat", "orphan", "empty", "swap"]))
        at = draw(st.integers(0, len(messages)))
        if kind == "drop" and messages:
            messages = messages[: max(0, at - 1)] + messages[at:]
        elif kind == "repeat" and messages:
            messages = messages[:at] + messages[max(0, at - 1) : at] + messages[at:]
        elif kind == "orphan":
            messages = [*messages[:at], result("nobody"), *messages[at:]]
        elif kind == "empty":
            messages = [*messages[:at], answer("  "), *messages[at:]]
        elif at < len(messages):
            messages = [*messages[:at], *reversed(messages[at : at + 2]), *messages[at + 2 :]]
    return messages
