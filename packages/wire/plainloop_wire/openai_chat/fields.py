"""The fields of a Chat Completions request, as tables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ..api import WireError, load_api

_API: Final = load_api("openai_chat")

OPENAI_MODEL: Final = re.compile(r"gpt-(?!oss)|chatgpt-|o[1-9]|ft:gpt-")
REASONING_MODEL: Final = re.compile(r"o[1-9]|gpt-[5-9]")
# These think by default, and want their thoughts back with each call that came of them.
ECHOED_MODEL: Final = re.compile(r"deepseek-(v4|flash|pro)|kimi-k(2\.|[3-9])")
KNOWN_MODEL: Final = re.compile(
    r"gpt-|chatgpt-|o[1-9]|ft:|deepseek-|kimi-|moonshot-|glm-|minimax-|abab|qwen|llama",
    re.IGNORECASE,
)

REQUEST: Final = _API.shapes["request"]
# What compatible servers take beside, and OpenAI refuses.
COMPAT_REQUEST: Final = _API.shapes["compat_request"]
COMPAT_ASSISTANT: Final = _API.shapes["compat_assistant"]
MESSAGES: Final = _API.objects


def refuse_value(value: object, allowed: Iterable[str], where: str) -> WireError:
    """Make the API's error for a value that is not among the allowed ones."""
    names = ", ".join(f"'{name}'" for name in allowed)
    return _API.refuse("invalid_value", value=value, names=names, where=where)
