"""What a call used, as several sources tell it, in disjoint buckets."""

from __future__ import annotations

from typing import Any, Final

from plainloop.agent.types import Usage

from .values import as_count, as_dict

NO_USAGE: Final = Usage(source="missing")


def make_usage(
    input_total: int | None,
    output_total: int | None,
    *,
    cached: int | None = None,
    written: int | None = None,
    reasoning: int | None = None,
    raw: dict[str, Any] | None = None,
) -> Usage:
    """Disjoint buckets of totals, in which the cached and the reasoned are contained.

    >>> make_usage(100, 20, cached=60, reasoning=5).buckets
    {'input_tokens': 40, 'cache_read_tokens': 60, 'cache_write_tokens': None, \
'cache_write_long_tokens': None, 'output_tokens': 15, 'reasoning_tokens': 5}
    """
    if input_total is None and output_total is None:
        return NO_USAGE
    uncached = None if input_total is None else input_total - (cached or 0) - (written or 0)
    said = None if output_total is None else output_total - (reasoning or 0)
    return Usage(
        input_tokens=None if uncached is None else max(0, uncached),
        cache_read_tokens=cached,
        cache_write_tokens=written or None,
        output_tokens=None if said is None else max(0, said),
        reasoning_tokens=reasoning,
        raw=raw,
    )


def read_chat_usage(usage: dict[str, Any]) -> Usage:
    """Usage of Chat Completions or of Responses, whose totals contain what was cached."""
    inside = as_dict(usage.get("prompt_tokens_details") or usage.get("input_tokens_details"))
    outside = as_dict(usage.get("completion_tokens_details") or usage.get("output_tokens_details"))
    return make_usage(
        as_count(usage.get("prompt_tokens", usage.get("input_tokens"))),
        as_count(usage.get("completion_tokens", usage.get("output_tokens"))),
        cached=as_count(inside.get("cached_tokens")),
        reasoning=as_count(outside.get("reasoning_tokens")),
        raw=usage or None,
    )


def read_langchain_usage(told: dict[str, Any]) -> Usage:
    """Usage of LangChain's messages: its own names, or those of the provider, Python's or JS's."""
    if "prompt_tokens" in told:
        return read_chat_usage(told)
    inside, outside = (as_dict(told.get(f"{side}_token_details")) for side in ("input", "output"))
    return make_usage(
        as_count(told.get("input_tokens", told.get("promptTokens"))),
        as_count(told.get("output_tokens", told.get("completionTokens"))),
        cached=as_count(inside.get("cache_read")),
        written=as_count(inside.get("cache_creation")),
        reasoning=as_count(outside.get("reasoning")),
        raw=told or None,
    )
