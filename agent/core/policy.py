"""Pure decisions of the machine: what to trim, whether to evaluate, when to stop. No I/O."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from typing import Final

from ..base.messages import (
    count_thread_tokens,
    get_request_message,
    get_turn,
    leave_out_outdated,
    list_calls,
    list_exchange_starts,
)
from ..base.tokens import estimate_message_tokens
from ..config.settings import Limits
from ..types import FunctionCall, Message
from .spec import WorkerSpec

TRIM_STEPS_PER_WINDOW: Final = 2
REVIEW_TOKENS: Final = 70  # of a reviewer's prompt, beside what it judges
MOST_REVIEW_TOKENS: Final = 2_500  # material is cut
DEFAULT_WINDOW_TOKENS: Final = Limits().window_tokens


def trim_messages(
    messages: list[Message],
    window_tokens: int = DEFAULT_WINDOW_TOKENS,
    *,
    reads: Container[str] = (),
) -> list[Message]:
    """Return what one model call sees of the history: whole exchanges, the newest ones.

    The cut falls on an exchange's start and moves in steps of half a window, measured from the
    thread's beginning, so that the prompt's prefix is the same over many calls. The newest
    exchange stays whole even when it alone is larger than the window. The list given is not
    changed.

    reads: tools whose results are left out where the same call was made again before the cut fell:
    it has moved the prefix anyway.

    >>> said = [{"role": "user", "parts": [{"type": "text", "text": "word " * 900}]}] * 3
    >>> len(trim_messages(said)), len(trim_messages(said, 2000))
    (3, 1)
    """
    excess = count_thread_tokens(messages) - window_tokens
    if excess <= 0:
        return messages
    seen = messages[0].get("offset", 0)
    sizes = [estimate_message_tokens(message) for message in messages]
    step = max(1, window_tokens // TRIM_STEPS_PER_WINDOW)
    floor = math.ceil(excess / step) * step
    position = 0
    for start in list_exchange_starts(messages):
        seen += sum(sizes[position:start])
        position = start
        if seen >= floor:
            break
    cut_at = position
    for size in sizes[position:]:
        seen += size
        if seen > window_tokens + floor - step:
            break
        cut_at += 1
    return [*leave_out_outdated(messages[position:cut_at], reads), *messages[cut_at:]]


def trim_harder(messages: list[Message]) -> list[Message]:
    """Leave out about half of the tokens, for a prompt that the model's window did not hold.

    Older exchanges go first, then the older tool rounds of the newest one; its user message and
    its last round stay. The list given is not changed; nothing to leave out: an equal list.
    """
    excess = sum(estimate_message_tokens(message) for message in messages) / 2
    newest = len(messages) - len(get_turn(messages)) - 1
    start = 0
    for cut in list_exchange_starts(messages)[1:]:
        if excess <= 0 or cut > newest:
            break
        excess -= sum(estimate_message_tokens(message) for message in messages[start:cut])
        start = cut
    if excess <= 0 or newest < 0:
        return messages[start:]
    rounds = [i for i in range(newest + 1, len(messages)) if messages[i]["role"] == "assistant"]
    kept_from = newest + 1
    for later in rounds[1:]:
        if excess <= 0:
            break
        excess -= sum(estimate_message_tokens(message) for message in messages[kept_from:later])
        kept_from = later
    return [messages[newest], *messages[kept_from:]]


def count_tool_calls(messages: Sequence[Message]) -> int:
    """Tool calls that the model made in the current turn."""
    return len(_list_calls(get_turn(messages)))


def count_worker_turns(messages: Sequence[Message]) -> int:
    """Model answers in the current turn (a worker turn = one model call with its tools)."""
    return sum(message["role"] == "assistant" for message in get_turn(messages))


def needs_evaluator(spec: WorkerSpec, messages: Sequence[Message]) -> bool:
    """Whether this worker's answer must be judged, by its spec and the tools it used.

    >>> from plainloop.agent.core.spec import WorkerSpec
    >>> needs_evaluator(WorkerSpec("w", "", "", (), evaluate="never"), [])
    False
    """
    if spec.evaluate == "auto":
        return count_tool_calls(messages) > spec.evaluate_after
    return spec.evaluate == "always"


def estimate_review(messages: Sequence[Message], known: int | None) -> int:
    """Estimate a review. known: what earlier ones took; None: what this would read counts."""
    said = (get_request_message(messages), *get_turn(messages))
    read = sum(map(estimate_message_tokens, said), REVIEW_TOKENS)
    return min(read, MOST_REVIEW_TOKENS) if known is None else known


def _list_calls(messages: Sequence[Message]) -> list[FunctionCall]:
    answers = (message for message in messages if message["role"] == "assistant")
    return [call for message in answers for call in list_calls(message)]
