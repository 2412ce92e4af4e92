"""The prompt of a Messages request as the cache sees it, and its breakpoints."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_list, as_object

from ..answer import dump_json
from ..api import WireError, load_api
from ..call import make_segment
from ..prompt_cache import CacheRule, Segment
from ..strict import check_shape
from .signature import read_signature

_API: Final = load_api("anthropic")

_MAX_BREAKPOINTS: Final = 4
# The least prompt that is cached. Source: the prompt caching guide's table.
_LEAST: Final = (
    (512, r"opus-5$|opus-5-5|(sonnet|haiku)-5-5|fable-5|mythos-5"),
    (2048, r"opus-4-7|mythos"),
    (4096, r"(opus|haiku)-4-[56]|haiku-4-5|opus-4-6"),
)


def choose_rule(model: str) -> CacheRule:
    """Return the rules of the model's prompt cache.

    Clients mark what to cache, which must have a minimum of tokens.
    """
    least = next((tokens for tokens, names in _LEAST if re.search(names, model)), 1024)
    return CacheRule("marked", min_tokens=least)


def check_breakpoints(body: Mapping[str, Any]) -> None:
    blocks = [*_walk_blocks(body), body]
    found = [as_object(block["cache_control"]) for block in blocks if block.get("cache_control")]
    if len(found) > _MAX_BREAKPOINTS:
        raise _API.refuse(
            "too_many_breakpoints", max_breakpoints=_MAX_BREAKPOINTS, found=len(found)
        )
    for control in found:
        check_shape(control, ("cache_control",), {"type": "string"}, {"ttl": "string"})
        if control["type"] != "ephemeral" or control.get("ttl") not in (None, "5m", "1h"):
            raise WireError(400, "cache_control: Input should be 'ephemeral' with ttl '5m' or '1h'")
    ttls = [control.get("ttl") or "5m" for control in found]
    if ttls != sorted(ttls):  # "1h" sorts before "5m"
        raise _API.refuse("longer_ttl_later")


def _walk_blocks(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every block in caching order: tools, system, messages."""
    lists = [body.get("tools"), body.get("system")]
    lists += [as_object(message).get("content") for message in body["messages"]]
    blocks = [block for value in lists if isinstance(value, list) for block in as_list(value)]
    return [as_object(block) for block in blocks]


def build_segments(body: Mapping[str, Any]) -> tuple[Segment, ...]:
    """Split a request into the blocks that the prompt cache compares, with their cache marks.

    A request-wide `cache_control` marks the last block.
    """
    segments: list[Segment] = [make_segment("anthropic\n", extra_tokens=6)]
    segments += [_block_segment(tool, "") for tool in as_list(body.get("tools"))]
    schema = as_object(body.get("output_config")).get("format")
    if schema:
        segments.append(make_segment(dump_json(schema)))
    system = body.get("system")
    if isinstance(system, str):
        segments.append(make_segment(system))
    else:
        segments += [_block_segment(block, "") for block in as_list(system)]
    # What loses the messages and nothing before them.
    choice, thinking = body.get("tool_choice"), body.get("thinking")
    blocks = _walk_blocks({"messages": body["messages"]})
    has_images = any(block.get("type") == "image" for block in blocks)
    segments.append(Segment(repr((choice, thinking, has_images)), 0))
    for message in body["messages"]:
        head, content = message["role"] + ":", message["content"]
        if isinstance(content, str):
            segments.append(make_segment(head + content, extra_tokens=3))
        else:
            segments += [_block_segment(b, "" if i else head) for i, b in enumerate(content)]
    control = body.get("cache_control")
    if control:
        last = segments[-1]
        segments[-1] = Segment(last.text, last.tokens, control.get("ttl") or "5m")
    return tuple(segments)


def _block_segment(block: Mapping[str, Any], head: str) -> Segment:
    control = block.get("cache_control")
    bare = {key: value for key, value in block.items() if key != "cache_control"}
    text = bare["text"] if bare.get("type") == "text" else dump_json(bare)
    ttl = (control.get("ttl") or "5m") if control else None
    if bare.get("type") == "thinking":
        # The whole thinking counts as input, even if its text was not sent; the signature does not.
        # Source: platform.claude.com, build-with-claude/preserved-thinking.
        bound = read_signature(bare["thinking"], bare["signature"])
        return Segment(head + text, (bound.tokens if bound else 0) + (3 if head else 0), ttl)
    return make_segment(head + text, extra_tokens=3 if head else 0, ttl=ttl)
