"""Requests and answers of models, in whichever form a wrapper or a user has recorded them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from .messages import (
    ANSWER_ENDED,
    ITEMS,
    OTHER_ANSWER,
    MessageReader,
    Said,
    join_answers,
    split_system,
    unwrap,
)
from .values import as_dict, as_list, as_text

_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})
_OF_MESSAGES: Final = frozenset("role content parts tool_calls function_call refusal audio".split())
# Where requests have their messages; where answers have theirs; what is beside an answer.
_SYSTEMS: Final = ("instructions", "system", "systemInstruction", "system_instruction")
_REQUESTS: Final = ("messages", "input", "prompts", "prompt", "contents")
_ANSWERS: Final = ("message", "output", "text")
_BESIDE: Final = frozenset(
    "created id llm_output model object run type usage usage_metadata usageMetadata".split()
)


def list_sent(value: Any, note: Callable[[str], None]) -> list[Any] | None:
    """List the messages of a recorded request, in whatever form it was recorded.

    Forms: a text, a message, messages, or an object that has them. Another object is a user's
    message of JSON. None: nothing was recorded.
    """
    if value in _EMPTY:
        return None
    if isinstance(value, list):
        return as_list(value)
    whole = as_dict(value)
    if _OF_MESSAGES & whole.keys():
        return [whole]
    told = next((whole[name] for name in _SYSTEMS if whole.get(name)), None)
    sent = next((whole[name] for name in _REQUESTS if whole.get(name)), None)
    if told or sent:
        head = [{"role": "system", "content": told}] if told else []
        return [*head, *(list_sent(sent, note) or [])]
    if not isinstance(value, str):
        if isinstance(value, dict) and not whole.keys() - {"model", "tools", *_REQUESTS}:
            return None
        note("a request without messages: imported as JSON")
    return [{"role": "user", "content": as_text(value)}]


def read_sent(reader: MessageReader, sent: list[Any]) -> tuple[str, list[Said]]:
    """Read a request's messages as (system prompt, other messages).

    Items of the Responses API that belong to one answer are joined into one message.
    """
    system, said = split_system(reader.read(sent))
    return system, join_answers(said) if has_items(map(unwrap, sent)) else said


def has_items(found: Iterable[dict[str, Any]]) -> bool:
    """Whether any of these is an item of the Responses API."""
    return any(one.get("type") in (*ITEMS, "message") for one in found)


def read_output(reader: MessageReader, value: Any) -> Said | None:
    """Read an answer in whatever form it was recorded.

    Forms: a text, a message, a completion, choices, or items of the Responses API. Another object
    is an answer of JSON. Returns None when nothing was recorded.
    """
    if value in _EMPTY:
        return None
    items = [unwrap(item) for item in as_list(value) if isinstance(item, dict)]
    if has_items(items):
        answered = join_answers(reader.read(items))
        for _ in answered[1:]:
            reader.note(ANSWER_ENDED)
        return answered[0] if answered else None
    if items and all(_OF_MESSAGES & item.keys() for item in items):  # choices
        for _ in items[1:]:
            reader.note(OTHER_ANSWER)
        return reader.read_answer(items[0])
    found = unwrap(value) if isinstance(value, dict) else {}
    if has_items([found]):  # the only one
        return read_output(reader, [found])
    if _OF_MESSAGES & found.keys():
        return reader.read_answer(found)
    choices = as_list(found.get("choices")) or as_list(found.get("candidates"))  # Gemini's
    for _ in choices[1:]:
        reader.note(OTHER_ANSWER)
    first = as_dict(choices[0]) if choices else {}
    if as_dict(first.get("content")):
        return reader.read_answer(first)
    for holder in (first, found):
        inner = next((holder[name] for name in _ANSWERS if holder.get(name)), None)
        if inner is not None:
            return read_output(reader, inner)
    if last := as_list(found.get("messages"))[-1:]:
        return read_output(reader, last)
    if not isinstance(value, str):
        if isinstance(value, dict) and not found.keys() - _BESIDE - {"choices"}:
            return None
        reader.note("an answer without a message: imported as JSON")
    return reader.read_answer({"content": as_text(value)})
