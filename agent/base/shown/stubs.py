"""Rounds of tool calls of which nothing is left to be read, out of what a model is shown."""

from __future__ import annotations

from collections.abc import Sequence

from ...types import Message
from ..messages import OUTDATED, get_text, list_calls


def leave_out_stubs(messages: Sequence[Message]) -> list[Message]:
    """Leave out each round of calls of which nothing but `OUTDATED` is left, and beside which no
    word was said: what was asked again later need not be seen twice.
    """
    shown: list[Message] = []
    for message in messages:
        results = [part for part in message["parts"] if part["type"] == "tool_result"]
        is_stub = results and all(part["result"] == OUTDATED for part in results)
        if is_stub and shown and len(list_calls(shown[-1])) == len(results):
            if not get_text(shown[-1]):
                shown.pop()
                continue
        shown.append(message)
    return shown
