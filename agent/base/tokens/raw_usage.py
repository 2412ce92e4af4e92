"""A short form of what a provider reported as usage, in which the ledger stores it.

The reports of one API differ in their numbers only, and their keys are four times as long.
"""

from __future__ import annotations

from typing import Any, Final, cast

# The number of a key is its place here. Rows hold these numbers: append, and move nothing
# (test_the_numbers_of_usage_keys_stay).
KEYS: Final = (
    *("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "cache_creation"),
    *("ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens", "output_tokens"),
    *("output_tokens_details", "thinking_tokens", "service_tier", "inference_geo"),
    *("prompt_tokens", "completion_tokens", "total_tokens", "prompt_tokens_details"),
    *("completion_tokens_details", "cached_tokens", "reasoning_tokens", "audio_tokens"),
    *("accepted_prediction_tokens", "rejected_prediction_tokens", "input_tokens_details"),
    *("cache_write_tokens", "cache_write_tokens_details", "server_tool_use"),
    *("web_search_requests", "web_fetch_requests", "promptTokenCount", "candidatesTokenCount"),
    *("totalTokenCount", "cachedContentTokenCount", "thoughtsTokenCount", "promptTokensDetails"),
    *("cacheTokensDetails", "candidatesTokensDetails", "modality", "tokenCount"),
    *("toolUsePromptTokenCount", "trafficType", "serviceTier", "prompt_eval_count", "eval_count"),
    *("total_duration", "load_duration", "prompt_eval_duration", "eval_duration"),
    *("prompt_cache_hit_tokens", "prompt_cache_miss_tokens", "cost", "cost_details"),
)
_NUMBERS: Final = {key: number for number, key in enumerate(KEYS)}


def pack_raw_usage(raw: Any) -> Any:
    """Convert a provider's usage to a list of keys and values, with known keys as numbers.

    >>> pack_raw_usage({"input_tokens": 7, "cache_creation": {"new_tokens": 2}, "parts": [1]})
    [0, 7, 3, ['new_tokens', 2], 'parts', {'list': [1]}]
    """
    if isinstance(raw, dict):
        items = cast("dict[str, Any]", raw).items()
        return [packed for k, v in items for packed in (_NUMBERS.get(k, k), pack_raw_usage(v))]
    if isinstance(raw, list):
        return {"list": [pack_raw_usage(item) for item in cast("list[Any]", raw)]}
    return raw


def unpack_raw_usage(kept: Any) -> Any:
    """Convert what `pack_raw_usage` returned back.

    >>> unpack_raw_usage([0, 7, 3, ["new_tokens", 2], "parts", {"list": [1]}])
    {'input_tokens': 7, 'cache_creation': {'new_tokens': 2}, 'parts': [1]}
    """
    if isinstance(kept, list):
        items = iter(cast("list[Any]", kept))
        return {
            KEYS[key] if isinstance(key, int) else key: unpack_raw_usage(value)
            for key, value in zip(items, items, strict=True)
        }
    if isinstance(kept, dict):
        return [unpack_raw_usage(item) for item in cast("dict[str, list[Any]]", kept)["list"]]
    return kept
