"""The fields of a Chat Completions request, as tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from ..strict import Shape

OPENAI_MODEL: Final = re.compile(r"gpt-(?!oss)|chatgpt-|o[1-9]|ft:gpt-")
REASONING_MODEL: Final = re.compile(r"o[1-9]|gpt-[5-9]")
# These think by default, and want their thoughts back with each call that came of them.
ECHOED_MODEL: Final = re.compile(r"deepseek-(v4|flash|pro)|kimi-k(2\.|[3-9])")
KNOWN_MODEL: Final = re.compile(
    r"gpt-|chatgpt-|o[1-9]|ft:|deepseek-|kimi-|moonshot-|glm-|minimax-|abab|qwen|llama",
    re.IGNORECASE,
)

REQUEST: Final[Shape] = {
    "audio": "object",
    "frequency_penalty": "number",
    "logit_bias": "object",
    "logprobs": "boolean",
    "max_completion_tokens": "integer",
    "max_tokens": "integer",
    "metadata": "object",
    "modalities": "array",
    "moderation": "any",
    "n": "integer",
    "parallel_tool_calls": "boolean",
    "prediction": "object",
    "presence_penalty": "number",
    "prompt_cache_key": "string",
    "prompt_cache_options": "object",
    "prompt_cache_retention": "string",
    "reasoning_effort": "string",
    "response_format": "object",
    "safety_identifier": "string",
    "seed": "integer",
    "service_tier": "string",
    "stop": "string_or_array",
    "store": "boolean",
    "stream": "boolean",
    "stream_options": "object",
    "temperature": "number",
    "tool_choice": "any",
    "tools": "array",
    "top_logprobs": "integer",
    "top_p": "number",
    "user": "string",
    "verbosity": "string",
    "web_search_options": "object",
}
# What compatible servers take beside, and OpenAI refuses.
COMPAT_REQUEST: Final[Shape] = {
    "do_sample": "boolean",
    "enable_thinking": "boolean",
    "options": "object",
    "provider": "object",
    "reasoning": "object",
    "reasoning_split": "boolean",
    "request_id": "string",
    "thinking": "object",
    "tool_stream": "boolean",
    "top_k": "integer",
    "user_id": "string",
}
ASSISTANT: Final[Shape] = {
    "annotations": "array",
    "audio": "object",
    "content": "string_or_array",
    "name": "string",
    "refusal": "string",
    "tool_calls": "array",
}
COMPAT_ASSISTANT: Final[Shape] = {
    **ASSISTANT,
    "reasoning": "string",
    "reasoning_content": "string",
    "reasoning_details": "array",
}
ROLES: Final = ("system", "assistant", "user", "function", "tool", "developer")
MESSAGES: Final[Mapping[str, tuple[Shape, Shape]]] = {
    "system": ({"role": "string", "content": "string_or_array"}, {"name": "string"}),
    "developer": ({"role": "string", "content": "string_or_array"}, {"name": "string"}),
    "user": ({"role": "string", "content": "string_or_array"}, {"name": "string"}),
    "assistant": ({"role": "string"}, ASSISTANT),
    "tool": (
        {"role": "string", "content": "string_or_array", "tool_call_id": "string"},
        {},
    ),
}
