"""Pure decisions of the machine: what to trim (`base/shown/trimming.py`), whether to evaluate, when
to stop. No I/O.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..base.messages.contents import get_request_message, get_turn, list_calls
from ..base.shown.rare_tools import FIND
from ..base.shown.trimming import DEFAULT_WINDOW_TOKENS, trim_harder, trim_messages
from ..base.tokens.estimate import estimate_message_tokens
from ..types import Message
from .spec import WorkerSpec

__all__ = [
    "DEFAULT_WINDOW_TOKENS", "count_tool_calls", "count_worker_turns", "estimate_review",
    "needs_evaluator", "trim_harder", "trim_messages",
]  # fmt: skip

REVIEW_TOKENS: Final = 70  # of a reviewer's prompt, beside what it judges
MAX_REVIEW_TOKENS: Final = 2_500  # material is cut


def count_tool_calls(messages: Sequence[Message]) -> int:
    """Count the tool calls of the current turn, except searches for tools."""
    calls = [c for m in get_turn(messages) if m["role"] == "assistant" for c in list_calls(m)]
    return sum(call["name"] != FIND for call in calls)


def count_worker_turns(messages: Sequence[Message]) -> int:
    """Count how often the worker's model was called in the current turn."""
    return sum(message["role"] == "assistant" for message in get_turn(messages))


def needs_evaluator(spec: WorkerSpec, messages: Sequence[Message]) -> bool:
    """Return whether the worker's evaluator must review the newest answer.

    >>> from plainloop.agent.core.spec import WorkerSpec
    >>> needs_evaluator(WorkerSpec("w", "", "", (), evaluate="never"), [])
    False
    """
    if spec.evaluate == "auto":
        return count_tool_calls(messages) > spec.evaluate_after
    return spec.evaluate == "always"


def estimate_review(messages: Sequence[Message], known: int | None) -> int:
    """Estimate the tokens of a review. known: the mean of earlier reviews, if there were any."""
    reviewed = (get_request_message(messages), *get_turn(messages))
    read = sum(map(estimate_message_tokens, reviewed), REVIEW_TOKENS)
    return min(read, MAX_REVIEW_TOKENS) if known is None else known
