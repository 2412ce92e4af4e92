"""Assigns ids to tool calls: unique in a thread, and acceptable to each server."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable
from typing import Any

from ..types import FunctionCall, Message
from .provider_state import Target


class ToolIds:
    """Ids for the calls of one answer: the provider's where they are unique, else our own."""

    def __init__(self, target: Target, history: Iterable[Message]) -> None:
        self._target = target
        self._used = {
            part["id"]
            for message in history
            for part in message["parts"]
            if part["type"] == "tool_call"
        }

    def assign(self, call: FunctionCall, given: str | None, state: dict[str, Any]) -> FunctionCall:
        """The call with its id set: the provider's, ours where it sends none or repeats it.

        What it sent is kept for the way back where it would not go back as it is: models read
        their ids (Kimi K2 stalls on another than its own `functions.NAME:0`).
        """
        if given and given not in self._used and not self._target.quirks.ids_repeat:
            call["id"] = given
        else:
            call["id"] = f"call_{uuid.uuid4().hex[:24]}"
        if given and to_wire_id(self._target, call["id"]) != given:
            state = {**state, "id": given}
        if state:
            call["provider_state"] = self._target.tag(state)
        self._used.add(call["id"])
        return call


def to_wire_id(target: Target, tool_call_id: str) -> str:
    """The id as the target's server accepts it; always the same for the same id."""
    if re.fullmatch(target.quirks.tool_id_pattern, tool_call_id):
        return tool_call_id
    return f"call_{hashlib.sha256(tool_call_id.encode()).hexdigest()[:24]}"
