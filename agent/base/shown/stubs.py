"""Removes tool calls whose results are all outdated from what a model reads."""

from __future__ import annotations

from collections.abc import Sequence

from ...types import Message
from ..messages.contents import OUTDATED, get_text, list_calls


def leave_out_stubs(messages: Sequence[Message]) -> list[Message]:
    """Copy the messages without tool calls whose results are all outdated."""
    shown: list[Message] = []
    for message in messages:
        if message["role"] == "tool" and shown and _is_stub(message, shown[-1]):
            shown.pop()
        else:
            shown.append(message)
    return shown


def _is_stub(results: Message, calling: Message) -> bool:
    for part in results["parts"]:
        if part["type"] != "tool_result" or part["result"] != OUTDATED:
            return False
    return len(list_calls(calling)) == len(results["parts"]) and not get_text(calling)
