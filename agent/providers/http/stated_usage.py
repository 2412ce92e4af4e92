"""Checks the token counts that a provider states, which are third-party data.

Seen in the wild: fractions, counts as text, lists, negative and absurd numbers, zeros beside an
answer or behind the real numbers, cached tokens and reasoning above the count that should include
them. A stated total decides what such numbers mean. What cannot be is missing, and then estimated
by whoever settles the call; no number is worth an answer that was paid for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, cast

import orjson

from ...base.text.cleaning import clean_json
from ...types import MessagePart, Usage, sum_known

MAX_TOKENS: Final = 100_000_000  # no call takes more


def read_count(stated: object) -> int | None:
    """Return a token count as an int; None if the value is not a plausible count.

    >>> [read_count(value) for value in (10.0, 7, -1, 1e12, "10", True, [1], None)]
    [10, 7, None, None, None, None, None, None]
    """
    if type(stated) is not int and (not isinstance(stated, float) or not math.isfinite(stated)):
        return None
    return round(stated) if 0 <= stated <= MAX_TOKENS else None


def fold_usage(known: Any, stated: Any) -> Any:
    """Merge newer usage of a stream into earlier usage, field by field.

    The largest count stands, as counts are cumulative; zeros, nulls, absent fields and what is no
    count take nothing away. Source: pydantic-ai #4056 and #5889, litellm #17136, envoyproxy
    ai-gateway #1631, sglang #20830.

    >>> fold_usage({"in": 90, "parts": {"read": 80}}, {"in": 0, "out": 4, "parts": None})
    {'in': 90, 'parts': {'read': 80}, 'out': 4}
    """
    if stated is None:
        return known
    before, later = known, stated  # of any type, which `isinstance` makes an unknown one
    if isinstance(known, dict):
        if not isinstance(stated, dict):
            return before
        return {**before, **{key: fold_usage(before.get(key), later[key]) for key in later}}
    if read_count(known) is None:
        return stated
    return known if read_count(stated) is None else max(known, stated)


def build_usage(
    raw: object,
    *,
    prompt: object = None,
    uncached: object = None,
    cache_read: object = None,
    cache_write: object = None,
    cache_write_long: object = None,
    output: object = None,
    spoken: object = None,
    reasoning: object = None,
    total: object = None,
    has_answer: bool,
) -> Usage:
    """Build a Usage from the counts in a provider's response.

    Contradictory counts become unknown.
    prompt: with both caches; else uncached: without. cache_write: for whatever lifetime, of it
    cache_write_long for the longer. output: with reasoning; else spoken: without. total: of input
    and output: it tells which of these this server means, and a half that is not stated.
    has_answer: as `has_words`: then zeros are no numbers.
    """
    read, write = read_count(cache_read), read_count(cache_write)
    thought, whole = read_count(reasoning), read_count(total) or None
    cached, thoughts = (read or 0) + (write or 0), thought or 0
    inputs = _list_meanings(prompt, uncached, cached)
    outputs = _list_meanings(output, spoken, thoughts)
    pairs = [(i, o) for o in outputs for i in inputs if i is not None and o is not None]
    fits = (pair for pair in pairs if whole == sum(pair) + cached + thoughts)
    fresh, visible = next(fits, (inputs[0], outputs[0]))
    # More in its parts than in the whole, and no total to decide: none of them can be believed.
    is_odd = [
        count is None and read_count(stated) is not None
        for count, stated in ((fresh, prompt), (visible, output))
    ]
    if is_odd[0] or not (fresh or 0) + cached:  # a prompt without a token is no prompt
        fresh = read = write = None
    if visible is None or (has_answer and visible + thoughts == 0):
        visible = thought = None
    sent, made = sum_known(fresh, read, write), sum_known(visible, thought)
    if whole is not None and not any(is_odd):  # it tells the half that is not stated
        if fresh is None and made is not None:
            fresh = _subtract(whole, made + (sent or 0))
        elif made is None and fresh is not None and has_answer:
            visible = _subtract(whole, sent or 0)
    long = min(read_count(cache_write_long) or 0, write or 0) or None
    # A half that is not told stays unknown; one that cannot be is told to be wrong.
    has_input = sum_known(fresh, read, write) is not None
    is_wrong = (
        fresh is None and _is_any(prompt, uncached),
        visible is None and _is_any(output, spoken),
    )
    is_missing = any(is_wrong) or (not has_input and visible is None)
    return Usage(
        input_tokens=fresh,
        cache_read_tokens=read,
        cache_write_tokens=write if long is None else (write or 0) - long,
        cache_write_long_tokens=long,
        output_tokens=visible,
        reasoning_tokens=thought,
        raw=keep_raw(raw),
        source="missing" if is_missing else "provider",
    )


def _list_meanings(whole: object, rest: object, parts: int) -> list[int | None]:
    """List what a stated count leaves without its parts, by its meanings, the likeliest first.

    whole: includes the parts, as its format says; rest: excludes them. Some servers do otherwise.
    None: that meaning is impossible, or nothing is stated.
    """
    stated = read_count(rest if whole is None else whole)
    if stated is None:
        return [None]
    within = stated - parts if stated >= parts else None
    return [stated, within] if whole is None else [within, stated]


def _subtract(whole: int, parts: int) -> int | None:
    """Return the rest if it is positive, else None."""
    return whole - parts if whole > parts else None


def choose_sum(whole: object, *parts: object) -> object:
    """Return the reported total, or else the sum of the reported parts.

    >>> choose_sum(None, 3, None, 4), choose_sum(9, 3, 4), choose_sum(None, None)
    (7, 9, None)
    """
    return sum_known(*map(read_count, parts)) if whole is None else whole


def keep_raw(raw: object) -> dict[str, Any] | None:
    """Convert a provider's usage to JSON that can be stored; None if there is none."""
    try:
        kept: Any = orjson.loads(orjson.dumps(clean_json(raw))) if raw else None
    except (orjson.JSONEncodeError, RecursionError):
        kept = str(raw)[:1000]  # an integer beyond 64 bits
    return cast("Any", kept) if isinstance(kept, dict | None) else {"stated": kept}


def has_words(parts: Sequence[MessagePart]) -> bool:
    """Whether an answer has content, which 0 reported output tokens would contradict.

    Reasoning that is only opaque may have no tokens.

    >>> sealed: MessagePart = {"type": "reasoning", "text": ""}
    >>> has_words([sealed]), has_words([sealed, {"type": "text", "text": "Yes."}])
    (False, True)
    """
    return any(part["type"] != "reasoning" or part["text"] for part in parts)


def _is_any(*stated: object) -> bool:
    return any(value is not None for value in stated)
