"""What a call used, as sources name it, in disjoint buckets. A number that no name explains is
reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.types import Usage

from .values import as_count, as_dict

NO_USAGE: Final = Usage(source="missing")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# Words of a name that say nothing, and those of money, which is no count of tokens.
_FILLERS: Final = frozenset(
    "gen ai llm usage token tokens count details detail metadata raw".split()
)
_MONEY: Final = frozenset(("cost", "costs", "price"))
_MODALITIES: Final = frozenset(("text", "audio", "image", "video", "document"))
# The words that a name has, all of them → what it counts. The first that fits.
_NAMES: Final[tuple[tuple[str, frozenset[str], frozenset[str]], ...]] = tuple(
    (kind, frozenset(needed.split()), frozenset(f"{needed} {allowed}".split()))
    for kind, needed, allowed in (
        ("total", "total", ""),
        ("missed", "cache miss", "prompt input"),  # DeepSeek: a part of the prompt
        ("long", "1h", "cache creation write ephemeral input prompt"),
        ("short", "5m", "cache creation write ephemeral input prompt"),
        ("written", "cache creation", "input prompt"),
        ("written", "cache write", "input prompt"),
        ("written", "cached write", "input prompt"),
        ("read", "cached", "input prompt content read hit"),
        ("read", "cache read", "input prompt"),
        ("read", "cache hit", "input prompt"),
        ("reasoning", "reasoning", "output completion"),
        ("reasoning", "thoughts", "output"),
        ("reasoning", "thinking", "output"),
        ("input_part", "tool use prompt", ""),
        ("output_part", "prediction", "accepted rejected output completion"),
        ("input", "input", ""),
        ("input", "prompt", ""),
        ("output", "output", ""),
        ("output", "completion", ""),
        ("output", "candidates", ""),
    )
)


@dataclass(slots=True)
class _Counts:
    """The numbers of one call. parts: those of input and output without a bucket of their own."""

    numbers: dict[str, int] = field(default_factory=dict[str, int])
    parts: dict[tuple[str, frozenset[str]], int] = field(
        default_factory=dict[tuple[str, frozenset[str]], int]
    )
    is_input_apart: bool = False  # by its names the input excludes what was cached
    is_output_apart: bool = False  # likewise the output what was reasoned

    def sum_parts(self, side: str) -> int:
        return sum(count for (kind, _), count in self.parts.items() if kind == side)


def read_usage(
    told: Mapping[str, Any], note: Callable[[str], None], *, is_input_apart: bool | None = None
) -> Usage:
    """Convert a vendor's token usage to disjoint counts (buckets).

    It may be flat or nested, with names in any case. Where a total is stated it says whether the
    input contains what was cached, and the output what was reasoned; else the names do, or
    `is_input_apart`. note: called for each number left out.

    >>> told = {"input": 100, "cache_read_input_tokens": 5000, "output": 5}
    >>> read_usage(told, print).buckets
    {'input_tokens': 100, 'cache_read_tokens': 5000, 'cache_write_tokens': None, \
'cache_write_long_tokens': None, 'output_tokens': 5, 'reasoning_tokens': None}
    """
    counts = sort_numbers(told, note)
    if is_input_apart is not None:
        counts.is_input_apart = is_input_apart
    found = counts.numbers
    given_in, given_out = found.get("input"), found.get("output")
    written = sum_written(found)
    cache = (found.get("read") or 0) + (written or 0)
    thought = found.get("reasoning") or 0
    # What the totals may lack: all parts, those with a bucket of their own, or none.
    lacks_in = list(dict.fromkeys((cache + counts.sum_parts("input_part"), cache, 0)))
    lacks_out = list(dict.fromkeys((thought + counts.sum_parts("output_part"), thought, 0)))
    if given_in is None and given_out is None and not lacks_in[0] and not lacks_out[0]:
        if found.get("total"):
            note("usage with a total only, not split into input and output: left out")
        return NO_USAGE
    if not counts.is_input_apart and cache <= (given_in or 0):
        lacks_in.reverse()
    if not counts.is_output_apart and thought <= (given_out or 0):
        lacks_out.reverse()
    lack_in, lack_out = lacks_in[0], lacks_out[0]
    total = found.get("total")
    if total is not None and given_in is not None and given_out is not None:
        ways = [(one, other) for one in lacks_in for other in lacks_out]
        fits = [way for way in ways if given_in + given_out + sum(way) == total]
        if fits:
            lack_in, lack_out = fits[0]
        else:
            note("usage whose total is not the sum of its parts: the parts are used")
    has_in, has_out = given_in is not None or lack_in, given_out is not None or lack_out
    return make_usage(
        (given_in or 0) + lack_in if has_in else None,
        (given_out or 0) + lack_out if has_out else None,
        cached=found.get("read"),
        written=written,
        written_long=found.get("long"),
        reasoning=found.get("reasoning"),
        raw=dict(told) or None,
    )


def make_usage(
    input_total: int | None,
    output_total: int | None,
    *,
    cached: int | None = None,
    written: int | None = None,
    written_long: int | None = None,
    reasoning: int | None = None,
    raw: dict[str, Any] | None = None,
) -> Usage:
    """Build disjoint token buckets from totals that include cached and reasoning tokens.

    written: to the cache, for any lifetime.

    >>> make_usage(100, 20, cached=60, reasoning=5).buckets
    {'input_tokens': 40, 'cache_read_tokens': 60, 'cache_write_tokens': None, \
'cache_write_long_tokens': None, 'output_tokens': 15, 'reasoning_tokens': 5}
    """
    uncached = None if input_total is None else input_total - (cached or 0) - (written or 0)
    said = None if output_total is None else output_total - (reasoning or 0)
    return Usage(
        input_tokens=None if uncached is None else max(0, uncached),
        cache_read_tokens=cached,
        cache_write_tokens=max(0, (written or 0) - (written_long or 0)) or None,
        cache_write_long_tokens=written_long or None,
        output_tokens=None if said is None else max(0, said),
        reasoning_tokens=reasoning,
        raw=raw,
    )


def sort_numbers(told: Mapping[str, Any], note: Callable[[str], None]) -> _Counts:
    """Sort the numbers in a vendor's token usage by what they count.

    If two names mean one count, the larger number is kept.
    """
    counts = _Counts()
    numbers = counts.numbers
    for path, value in _list_numbers(told, ()):
        words = split_name(path)
        kind = next((k for k, need, may in _NAMES if need <= words <= may), None)
        sides = [side for side in ("input", "output") if is_part(words, side)]
        count = as_count(value)
        if kind is None and not sides:
            if value and not words & _MONEY:
                note(f"usage with the unknown name {'.'.join(path)[:60]!r}: left out")
        elif count is None:
            note(f"usage that is not a number of tokens, {'.'.join(path)[:60]!r}: left out")
        elif kind is None or kind.endswith("_part"):
            counts.parts[kind or f"{sides[0]}_part", words] = count
        elif kind != "missed":
            if numbers.get(kind, count) != count:
                note(f"two numbers for the same usage, {'.'.join(path)[:60]!r}: the larger is used")
            numbers[kind] = max(count, numbers.get(kind, 0))
            _see_style(counts, kind, path, words)
    return counts


def _see_style(counts: _Counts, kind: str, path: tuple[str, ...], words: frozenset[str]) -> None:
    """Note from a name whether input or output excludes its other buckets, as vendors differ."""
    is_flat_cache = kind in ("read", "written") and len(path) == 1 and {"cache", "input"} <= words
    counts.is_input_apart |= path[-1] == "input" or is_flat_cache
    counts.is_output_apart |= path[-1] == "output" or "thoughts" in words


def is_part(words: frozenset[str], side: str) -> bool:
    """Whether a usage name counts one modality's tokens only, such as `input_audio_tokens`."""
    names = ("input", "prompt") if side == "input" else ("output", "completion", "candidates")
    rest = words - _MODALITIES
    return rest != words and len(rest) == 1 and not rest.isdisjoint(names)


def sum_written(found: Mapping[str, int]) -> int | None:
    """Return how many tokens were written to a cache, or None.

    It is the stated total, or the sum of the counts by lifetime if that is larger.
    """
    by_lifetime = [found[kind] for kind in ("short", "long") if kind in found]
    whole = [found["written"]] if "written" in found else []
    return max([*whole, *([sum(by_lifetime)] if by_lifetime else [])], default=None)


def _list_numbers(told: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[Any, Any]]:
    """Yield each number in a usage with its path of keys; skip lists, which repeat counts."""
    for name, value in told.items():
        if isinstance(value, dict):
            yield from _list_numbers(as_dict(value), (*path, str(name)))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield (*path, str(name)), value
        elif isinstance(value, str) and value.strip().isdigit():
            yield (*path, str(name)), value.strip()


def split_name(path: tuple[str, ...]) -> frozenset[str]:
    """Return the meaningful words of a name: `inputTokenDetails.cacheRead` → input cache read."""
    words = re.split(r"[^a-z0-9]+", _CAMEL.sub("_", ".".join(path)).lower())
    return frozenset(words) - _FILLERS - {""}
