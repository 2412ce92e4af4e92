"""Detects loops in a turn's tool calls. Pure."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any, Final

import orjson

from ...types import FunctionCall, Message
from .contents import get_turn, list_calls

MAX_CYCLE_CALLS: Final = 3
MIN_EQUAL_ROUNDS: Final = 2  # of a cycle, with results: one round alone has nothing to equal


def find_loop(messages: Sequence[Message], times: int, reads: Container[str] = ()) -> str | None:
    """Describe how the current turn repeats its tool calls; None if it does not.

    times: how often one call may be made in a row. Two or three calls that alternate are a loop
    when their next round begins after `times` - 1 whole ones with equal results. That holds for
    `reads` only: what changes something may have to be done again.
    Source: anomalyco/opencode #47759 and #44748, OpenRouterTeam/typescript-agent PR #73.
    """
    turn = get_turn(messages)
    calls = [call for item in turn if item["role"] == "assistant" for call in list_calls(item)]
    if len(calls) >= times and _is_cycle(calls[-times:], 1):
        return f"the same tool call was made {times} times in a row"
    results = {
        part["id"]: part["result"]
        for message in turn
        for part in message["parts"]
        if part["type"] == "tool_result"
    }
    # The newest calls have no results yet: only whole rounds are compared
    # (tests/odd_answers/test_alternating_calls.py::test_one_round_of_equal_calls_is_not_a_loop).
    open_calls = sum(call["id"] not in results for call in calls)
    rounds = max(times - 1, MIN_EQUAL_ROUNDS)
    for size in range(2, MAX_CYCLE_CALLS + 1):
        newest = calls[-(size * rounds + open_calls) :]
        names = dict.fromkeys(call["name"] for call in newest)
        if (
            len(newest) == size * rounds + open_calls
            and all(name in reads for name in names)
            and _is_cycle(newest, size)
            and has_equal_results(newest, size, results)
        ):
            return (
                f"the same {size} read tools returned equal results again and again: "
                f"{', '.join(names)}"
            )
    return None


def _is_cycle(calls: Sequence[FunctionCall], size: int) -> bool:
    """Whether each call equals the one `size` calls before it."""
    keys = [_to_key([call["name"], call["arguments"]]) for call in calls]
    return keys[size:] == keys[: len(keys) - size]


def has_equal_results(calls: Sequence[FunctionCall], size: int, results: Mapping[str, Any]) -> bool:
    """Whether the tool results repeat in cycles of `size` calls."""
    known = [_to_key(results[call["id"]]) for call in calls if call["id"] in results]
    return known[size:] == known[: len(known) - size]


def _to_key(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
