"""Repairs a request's history so that every provider accepts it; only here.

Rules, whatever was stored: each tool call has exactly one result, in the message right after it;
no result without its call; ids are unique in the thread and tool names are what providers take;
no empty text; no part in a message of another role; an answer that a review replaced is not
shown again, unless the feedback stands behind it. A request begins and ends with somebody else than
the model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, cast

from ..base.caching.functions import cached_by_identity, cached_if_short, measure
from ..base.messages.contents import (
    is_superseded,
    list_calls,
    make_interrupted,
    make_interruptions,
    make_text_message,
)
from ..base.shown.notices import Epoch
from ..base.shown.stubs import leave_out_stubs
from ..providers.refused_state import drop_refused_state
from ..types import FunctionCall, FunctionResponse, LLMResponse, Message, MessagePart

# Providers refuse a conversation that the model begins, or that ends with its own answer.
MODEL_BEGAN: Final = "(You speak first.)"
GO_ON: Final = "(Go on.)"
_NOT_IN_NAMES: Final = re.compile(r"[^a-zA-Z0-9_-]")
_MAX_NAME_CHARS: Final = 64
_ROLE_PARTS: Final = {"user": ("text", "file"), "assistant": ("text", "reasoning", "tool_call")}


def build_request_messages(
    view: Sequence[Message], extra: Sequence[Message] = (), epoch: Epoch | None = None
) -> tuple[list[Message], list[str]]:
    """Build (messages, repair notes) for a model request from the thread's shown part.

    extra: what the request says after it, such as a reviewer's feedback. epoch: which earlier
    requests' ends are shown again.
    """
    shown = view if epoch is None else epoch.show(view)
    messages, notes = repair_history(leave_out_stubs(drop_refused_state(shown)))
    messages += extra
    if messages and messages[0]["role"] != "user":
        messages.insert(0, make_text_message("user", MODEL_BEGAN))
    if not messages or messages[-1]["role"] == "assistant":
        messages.append(make_text_message("user", GO_ON))
    return messages, notes


def repair_history(messages: Sequence[Message]) -> tuple[list[Message], list[str]]:
    """Return a valid copy of the history, and one note for each repair.

    A history that is valid already comes back equal, with no notes.
    """
    repaired: list[Message] = []
    notes: list[str] = []
    names = _CallNames(notes)
    for message in messages:
        if message["role"] == "tool":
            _attach_results(repaired, message, names, notes)
            continue
        if names.open:
            _answer_open_calls(repaired, names, notes)
        kept, dropped = _keep_parts(message)
        notes += dropped
        if kept is None:
            continue
        if kept["role"] == "assistant":
            if is_superseded(repaired, kept):
                repaired.pop()
            kept = names.rename(kept)
        repaired.append(kept)
    if names.open:
        _answer_open_calls(repaired, names, notes)
    return repaired, notes


def mark_cut_call(response: LLMResponse) -> LLMResponse:
    """Mark the answer's last tool call as cut, if the token limit may have cut it.

    Complete JSON is no proof: some servers close or empty the arguments that they cut.
    """
    plain = [part for part in response.message["parts"] if part["type"] != "reasoning"]
    if response.stop not in ("length", "other") or not plain or plain[-1]["type"] != "tool_call":
        return response
    marked = cast("FunctionCall", {**plain[-1], "is_cut": True})
    parts = [marked if part is plain[-1] else part for part in response.message["parts"]]
    return replace(response, message={**response.message, "parts": parts})


class _CallNames:
    """Makes call ids unique in a thread, and tool names valid for every provider."""

    def __init__(self, notes: list[str]) -> None:
        self._notes = notes
        self._used: set[str] = set()
        # The last answer's calls until they have results, each with its id before it was renamed.
        self.open: list[tuple[str, FunctionCall]] = []

    def rename(self, message: Message) -> Message:
        if not (calls := list_calls(message)):
            self.open = []
            return message
        renamed = list(map(self._rename, calls))
        self.open = list(zip([call["id"] for call in calls], renamed, strict=True))
        if renamed == calls:
            return message
        left = iter(renamed)
        parts = [next(left) if part["type"] == "tool_call" else part for part in message["parts"]]
        return _with_parts(message, parts)

    def _rename(self, call: FunctionCall) -> FunctionCall:
        call_id, name = call["id"], to_valid_name(call["name"])
        number = 2
        while call_id in self._used:
            call_id, number = f"{call['id']}_{number}", number + 1
        self._used.add(call_id)
        if call_id != call["id"]:
            self._notes.append(f"renamed a second call {call['id']} to {call_id}")
        if name != call["name"]:
            self._notes.append(f"renamed the call of {call['name']!r} to {name}")
        if (call_id, name) == (call["id"], call["name"]):
            return call
        return cast("FunctionCall", {**call, "id": call_id, "name": name})


@cached_if_short()
def to_valid_name(name: str) -> str:
    """Convert a tool name that a model made up to one that every provider accepts.

    >>> to_valid_name("functions.get time"), to_valid_name("")
    ('functions_get_time', 'unnamed')
    """
    return _NOT_IN_NAMES.sub("_", name)[:_MAX_NAME_CHARS] or "unnamed"


def _attach_results(
    repaired: list[Message], message: Message, names: _CallNames, notes: list[str]
) -> None:
    by_orphan: dict[str, list[FunctionResponse]] = {}
    results = [part for part in message["parts"] if part["type"] == "tool_result"]
    for result in results:
        by_orphan.setdefault(result["id"], []).append(result)
    parts: list[MessagePart] = []
    for stored_id, call in names.open:
        if same := by_orphan.get(stored_id):
            parts.append({**same.pop(0), "id": call["id"], "name": call["name"]})
        else:
            notes.append(f"answered the open call {call['id']} as interrupted")
            parts.append(make_interrupted(call))
    for orphan, left in by_orphan.items():
        if left:
            notes.append(f"dropped the result {orphan}, which answers no call")
    if len(results) < len(message["parts"]):
        notes.append("dropped a part of a tool message that is not a tool result")
    if names.open:
        repaired.append(_with_parts(message, parts))
        names.open = []


def _answer_open_calls(repaired: list[Message], names: _CallNames, notes: list[str]) -> None:
    calls = [call for _, call in names.open]
    notes.extend(f"answered the open call {call['id']} as interrupted" for call in calls)
    repaired.extend(make_interruptions(calls))
    names.open = []


@cached_by_identity(measure, 16 * 2**20)
def _keep_parts(message: Message) -> tuple[Message | None, tuple[str, ...]]:
    """Return the message with the parts allowed in its role, or None, and notes on the others."""
    role = message["role"]
    parts = [part for part in message["parts"] if part["type"] in _ROLE_PARTS[role]]
    strange = len(parts) < len(message["parts"])
    notes = (f"dropped a part that is not allowed in a message of the role {role}",) * strange
    parts = [part for part in parts if part["type"] != "text" or part["text"].strip()]
    if any(part["type"] != "reasoning" for part in parts):
        return _with_parts(message, parts), notes
    return None, (*notes, f"dropped an empty {role} message")


def _with_parts(message: Message, parts: list[MessagePart]) -> Message:
    """Return the message with other parts and without its stored size."""
    if parts == message["parts"]:
        return message
    changed = cast("dict[str, Any]", {**message, "parts": parts})
    changed.pop("tokens", None)
    return cast("Message", changed)
