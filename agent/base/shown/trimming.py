"""Cuts a long history for one model call, by whole exchanges."""

from __future__ import annotations

import math
from collections.abc import Container
from itertools import accumulate
from typing import Final

from ...config.tables import Limits
from ...types import Message
from ..messages.contents import (
    count_thread_tokens,
    get_turn,
    leave_out_outdated,
    list_exchange_starts,
)
from ..tokens.estimate import estimate_message_tokens

# Deep cuts are rare: what a provider has cached, and thinking bound to it, lasts from cut to cut.
KEPT_SHARE: Final = 1 / 4
SMALL_KEPT_SHARE: Final = 1 / 3  # of a small window a quarter holds hardly one exchange
SMALL_WINDOW_TOKENS: Final = 8_000
DEFAULT_WINDOW_TOKENS: Final = Limits().window_tokens
DEFAULT_TURN_WINDOWS: Final = Limits().turn_windows


def trim_messages(
    messages: list[Message],
    window_tokens: int = DEFAULT_WINDOW_TOKENS,
    *,
    reads: Container[str] = (),
    kept_share: float | None = None,
    turn_windows: int = DEFAULT_TURN_WINDOWS,
) -> list[Message]:
    """Cut the history to the newest whole exchanges that fit one model call.

    History is cut only where a turn starts: when it is larger than the window with the turn's user
    message, about `kept_share` of the window stays. Cuts are measured from the thread's beginning,
    so all calls of a turn find the same one, and a resumed run does. A turn that grows the view
    beyond `turn_windows` windows loses all exchanges before it, once, if the view fits then. The
    newest exchange stays whole even when it alone is larger. The list given is not changed.

    reads: tools whose results are left out where the same call was made again before the cut fell:
    it has moved the prefix anyway. kept_share: None: as `get_kept_share` says.

    >>> said = [{"role": "user", "parts": [{"type": "text", "text": "word " * 900}]}] * 3
    >>> len(trim_messages(said)), len(trim_messages(said, 2000))
    (3, 1)
    """
    if count_thread_tokens(messages) <= window_tokens:
        return messages
    sizes = map(estimate_message_tokens, messages)
    ends = [*accumulate(sizes, initial=messages[0].get("offset", 0))]  # before each, then the last
    starts = list_exchange_starts(messages)
    newest = starts[-1]
    share = get_kept_share(window_tokens) if kept_share is None else kept_share
    step = max(1, window_tokens - round(window_tokens * share))
    # Cut in steps counted from the thread's beginning, by stored offsets, so that loading only the
    # thread's end gives the same cut
    # (tests/core/test_policy.py::test_loading_a_threads_end_gives_the_same_trimmed_view).
    floor = max(0, math.ceil((ends[newest + 1] - window_tokens) / step) * step)
    first = next((start for start in starts if ends[start] >= floor), newest)
    bound = turn_windows * window_tokens
    question_ends = (
        end
        for message, end in zip(messages, ends[1:], strict=True)
        if message["role"] != "assistant"
    )
    beyond = next((end for end in question_ends if end - ends[first] > bound), None)
    if beyond is not None and beyond - ends[newest] <= bound:  # else a cut would not be enough
        first = newest
    if first == newest or not floor:
        return messages[first:]
    # Omit results only before this point: what came later is in a prefix that caches and thinking
    # know (tests/core/test_policy.py::test_omitting_outdated_results_keeps_the_prompt_prefix).
    cut_at = next(start for start in starts if ends[start + 1] > window_tokens + floor - step)
    return [*leave_out_outdated(messages[first:cut_at], reads), *messages[cut_at:]]


def get_kept_share(window_tokens: int) -> float:
    """Return to what share (0 to 1) of the context window the history is cut.

    >>> get_kept_share(6_000), get_kept_share(24_000)
    (0.3333333333333333, 0.25)
    """
    return SMALL_KEPT_SHARE if window_tokens < SMALL_WINDOW_TOKENS else KEPT_SHARE


def trim_harder(messages: list[Message]) -> list[Message]:
    """Cut half of the history's tokens, after a model refused it as too long.

    Older exchanges go first, then the older tool rounds of the newest one; its user message and
    its last round stay. The list given is not changed; nothing to leave out: an equal list.
    """
    # Half, because a refusal rarely states by how much our count is too low, and each attempt is a
    # paid request.
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
