"""How OpenAI's servers, and Kimi's, cache a prompt: by model, and by the marks that they set."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from plainloop.agent.base.text.foreign_json import as_list, as_object

from ..api import WireError
from ..prompt_cache import CacheRule, Segment, Ttl
from .fields import OPENAI_MODEL

# From 5.6 on what is written is billed, and found again at marks only.
MARKED_MODEL: Final = re.compile(r"gpt-(5\.[6-9]|[6-9]|\d\d)")
_KIMI: Final = re.compile(r"kimi-k3")
_MARKED: Final = CacheRule("marked", min_tokens=1024)
_KIMI_RULE: Final = CacheRule("marked", min_tokens=257)
_OLDER: Final = CacheRule("automatic", min_tokens=1024, step=128, ttl_s=600.0)
_EXPLICIT_AT_MOST: Final = 4


def choose_rule(model: str) -> CacheRule:
    """Return the rule of the model's prompt cache."""
    if _KIMI.match(model):
        return _KIMI_RULE
    return _MARKED if MARKED_MODEL.match(model) else _OLDER


def make_scope(body: Mapping[str, Any], model: str) -> str:
    """Return the settings that must be equal in two requests to share cached prefixes."""
    if not MARKED_MODEL.match(model):
        return ""
    text, reasoning = as_object(body.get("text")), as_object(body.get("reasoning"))
    told = (body.get("prompt_cache_key"), body.get("parallel_tool_calls"), text.get("verbosity"))
    effort = reasoning.get("effort") or body.get("reasoning_effort")
    return repr((*told, effort, body.get("service_tier")))


def read_marks(
    body: Mapping[str, Any], model: str, segments: Sequence[Segment], own: Mapping[int, Any]
) -> tuple[Segment, ...]:
    """Return the prompt's segments with the marks at which it is cached.

    own: the request's own breakpoints, by segment.

    The server's own mark stands at the end of the prompt, which is that of the newest message or
    run of results. Of too many marks the latest are kept.

    Raises: WireError for options that the model does not take.
    """
    options = as_object(body.get("prompt_cache_options"))
    is_kimi = _KIMI.match(model) is not None
    if (options or own) and OPENAI_MODEL.match(model) and not MARKED_MODEL.match(model):
        raise WireError(400, "prompt_cache_options is not supported by this model.")
    if not is_kimi and not MARKED_MODEL.match(model):
        return tuple(segments)
    lifetimes = ("5m", "1h") if is_kimi else ("30m", "12h")
    is_chat = "messages" in body
    allowed = lifetimes[:1] if is_chat and not is_kimi else lifetimes
    default = options.get("ttl") or lifetimes[0]
    if default not in allowed:
        raise WireError(400, f"Invalid value: '{default}'.", param="prompt_cache_options.ttl")
    marks: dict[int, str] = {}
    for index, mark in own.items():
        ttl = as_object(mark).get("ttl") or default
        if ttl not in lifetimes:
            raise WireError(400, f"Invalid value: '{ttl}'.", param="prompt_cache_breakpoint.ttl")
        marks[index] = ttl
    if options.get("mode") == "explicit":
        kept = dict(sorted(marks.items())[-_EXPLICIT_AT_MOST:])
    else:
        kept = dict(sorted(marks.items())[1 - _EXPLICIT_AT_MOST :])
        kept.setdefault(len(segments) - 1, default)
    return tuple(
        replace(item, ttl=cast("Ttl", kept[n])) if n in kept else item
        for n, item in enumerate(segments)
    )


def find_breakpoint(content: object) -> dict[str, Any] | None:
    """Return the `prompt_cache_breakpoint` of a message's last part that has one, or None."""
    parts = [as_object(part) for part in as_list(content)] if isinstance(content, list) else []
    found = [part["prompt_cache_breakpoint"] for part in parts if "prompt_cache_breakpoint" in part]
    return as_object(found[-1]) if found else None
