"""The border for numbers: what a provider states about tokens is foreign data until it is here.

Seen in the wild: fractions, counts as text, lists, negative and absurd numbers, zeros beside an
answer, cached tokens and reasoning above the total that holds them. What cannot be is missing, and
then estimated by whoever settles the call; no number is worth an answer that was paid for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, cast

import orjson

from ...base.text import clean_json
from ...types import MessagePart, Usage, sum_known

MOST_TOKENS: Final = 100_000_000  # no call takes more


def read_count(stated: object) -> int | None:
    """A number of tokens; None for what is none.

    >>> [read_count(value) for value in (10.0, 7, -1, 1e12, "10", True, [1], None)]
    [10, 7, None, None, None, None, None, None]
    """
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        return None
    if not math.isfinite(stated) or not 0 <= stated <= MOST_TOKENS:
        return None
    return round(stated)


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
    has_answer: bool,
) -> Usage:
    """The buckets from what was stated, each value unchecked.

    prompt: with both caches; else uncached: without. cache_write: for whatever lifetime, of it
    cache_write_long for the longer. output: with reasoning; else spoken: without.
    has_answer: as `has_words`: then zeros are no numbers.
    """
    read, write = read_count(cache_read), read_count(cache_write)
    fresh = read_count(uncached)
    if (total := read_count(prompt)) is not None:
        read = None if read is None else min(read, total)
        write = None if write is None else min(write, total - (read or 0))
        fresh = total - (read or 0) - (write or 0)
    if not (fresh or 0) + (read or 0) + (write or 0):
        fresh = read = write = None  # a prompt without a token is no prompt
    long = min(read_count(cache_write_long) or 0, write or 0) or None
    said, thought = read_count(spoken), read_count(reasoning)
    if (made := read_count(output)) is not None:
        thought = None if thought is None else min(thought, made)
        said = made - (thought or 0)
    if said is None or (has_answer and said + (thought or 0) == 0):
        said = thought = None
    has_input = sum_known(fresh, read, write) is not None
    # What is only not told stays unknown; what was told and cannot be wants an estimate.
    is_told = (_is_any(prompt, uncached), _is_any(output, spoken))
    is_missing = not has_input and said is None
    is_odd = (is_told[0] and not has_input) or (is_told[1] and said is None)
    try:
        kept: Any = orjson.loads(orjson.dumps(clean_json(raw))) if raw else None
    except (orjson.JSONEncodeError, RecursionError):
        kept = str(raw)[:1000]  # an integer beyond 64 bits
    is_bare = not isinstance(kept, dict | None)
    return Usage(
        input_tokens=fresh,
        cache_read_tokens=read,
        cache_write_tokens=write if long is None else (write or 0) - long,
        cache_write_long_tokens=long,
        output_tokens=said,
        reasoning_tokens=thought,
        raw=cast("dict[str, Any] | None", {"stated": kept} if is_bare else kept),
        source="missing" if is_missing or is_odd else "provider",
    )


def has_words(parts: Sequence[MessagePart]) -> bool:
    """Tells whether something was said; reasoning that came only sealed may have taken nothing.

    >>> sealed: MessagePart = {"type": "reasoning", "text": ""}
    >>> has_words([sealed]), has_words([sealed, {"type": "text", "text": "Yes."}])
    (False, True)
    """
    return any(part["type"] != "reasoning" or part["text"] for part in parts)


def _is_any(*stated: object) -> bool:
    return any(value is not None for value in stated)
