"""Histories that every provider accepts: the one place where a request's messages are made valid.

Rules, whatever was stored: each tool call has exactly one result, in the message right after it;
no result without its call; no empty text; an answer that a review replaced is not shown again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from agent.core.policy import get_turn
from agent.providers.types import FunctionCall, FunctionResponse, Message, MessagePart

INTERRUPTED: Final = "interrupted: the tool did not finish; its effect is not known"


def repair_history(messages: Sequence[Message]) -> tuple[list[Message], list[str]]:
    """A valid history and one note for each repair. The messages given are not changed.

    A history that is valid already comes back equal, with no notes.
    """
    repaired: list[Message] = []
    notes: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            _attach_results(repaired, message, notes)
            continue
        _answer_open_calls(repaired, notes)
        parts = _drop_empty_text(message["parts"])
        if not parts:
            notes.append(f"dropped an empty {message['role']} message")
        elif message["role"] == "assistant" and is_superseded(repaired, message):
            repaired[-1] = _with_parts(message, parts)
        else:
            repaired.append(_with_parts(message, parts))
    _answer_open_calls(repaired, notes)
    return repaired, notes


def is_superseded(earlier: Sequence[Message], message: Message) -> bool:
    """Whether `message` replaces the last of `earlier`: two answers in a row, no call between."""
    if not earlier or message["role"] != "assistant" or earlier[-1]["role"] != "assistant":
        return False
    return not list_calls(earlier[-1])


def get_answer(messages: Sequence[Message]) -> str:
    """What the user was told in the current turn: all visible text but replaced drafts."""
    kept: list[Message] = []
    for message in get_turn(messages):
        if is_superseded(kept, message):
            kept.pop()
        kept.append(message)
    texts = [get_text(message) for message in kept if message["role"] == "assistant"]
    return "\n\n".join(text for text in texts if text.strip())


def get_text(message: Message) -> str:
    """A message's visible text, parts joined."""
    return "".join(part["text"] for part in message["parts"] if part["type"] == "text")


def list_calls(message: Message) -> list[FunctionCall]:
    return [part for part in message["parts"] if part["type"] == "tool_call"]


def list_open_calls(messages: Sequence[Message]) -> list[FunctionCall]:
    """The calls of the last assistant message that no result follows."""
    for i in range(len(messages) - 1, -1, -1):
        if messages[i]["role"] == "assistant":
            answered = {
                part["id"]
                for later in messages[i + 1 :]
                for part in later["parts"]
                if part["type"] == "tool_result"
            }
            return [call for call in list_calls(messages[i]) if call["id"] not in answered]
    return []


def make_text_message(role: Any, text: str) -> Message:
    return {"role": role, "parts": [{"type": "text", "text": text}]}


def make_interrupted(call: FunctionCall) -> FunctionResponse:
    """The synthetic result of a call that was cut off."""
    return {
        "type": "tool_result",
        "id": call["id"],
        "name": call["name"],
        "result": {"error": INTERRUPTED},
        "is_error": True,
    }


def _attach_results(repaired: list[Message], message: Message, notes: list[str]) -> None:
    calls = list_calls(repaired[-1]) if repaired else []
    results = {part["id"]: part for part in message["parts"] if part["type"] == "tool_result"}
    orphans = [result_id for result_id in results if result_id not in {c["id"] for c in calls}]
    notes.extend(f"dropped the result {orphan} that answers no call" for orphan in orphans)
    if len(results) < len(message["parts"]):
        notes.append("dropped a part that is no tool result, or a second result of one call")
    if not calls:
        return
    missing = [call for call in calls if call["id"] not in results]
    notes.extend(f"answered the open call {call['id']} as interrupted" for call in missing)
    parts: list[MessagePart] = [results.get(call["id"]) or make_interrupted(call) for call in calls]
    repaired.append(_with_parts(message, parts))


def _answer_open_calls(repaired: list[Message], notes: list[str]) -> None:
    if not repaired:
        return
    calls = list_calls(repaired[-1])
    if calls:
        notes.extend(f"answered the open call {call['id']} as interrupted" for call in calls)
        parts: list[MessagePart] = [make_interrupted(call) for call in calls]
        repaired.append({"role": "tool", "parts": parts})


def _drop_empty_text(parts: list[MessagePart]) -> list[MessagePart]:
    return [part for part in parts if part["type"] != "text" or part["text"].strip()]


def _with_parts(message: Message, parts: list[MessagePart]) -> Message:
    return message if parts == message["parts"] else {**message, "parts": parts}
