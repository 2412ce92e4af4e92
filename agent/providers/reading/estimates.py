"""Fills the token counts that a provider did not report with estimates."""

from __future__ import annotations

from collections.abc import Callable

import orjson

from ...base.copies import replace
from ...types import LLMResponse, Usage


def state_usage(answer: LLMResponse, estimate: Callable[[], Usage]) -> Usage:
    """Return the answer's usage, in which estimates replace missing counts."""
    usage = answer.usage
    is_known = usage.source != "missing" and usage.input_tokens is not None
    if is_known and usage.output_total is not None:
        return usage
    estimated = estimate()
    return usage if is_known and not estimated.output_tokens else fill_usage(usage, estimated)


def fill_usage(stated: Usage, estimated: Usage) -> Usage:
    """Copy a usage with estimates for the missing input or output count."""
    read, written = stated.input_tokens, stated.output_tokens
    if read is None:
        # The caches' part may be stated where the fresh one is not: the estimate is of both.
        read = max(0, (estimated.input_tokens or 0) - (stated.input_total or 0))
    if stated.output_total is None:
        written = estimated.output_tokens
    return replace(stated, input_tokens=read, output_tokens=written, source="estimated")


def complete_usage(stated: Usage, estimated: Usage) -> Usage:
    """Return an interrupted answer's usage, with at least the output that has arrived.

    Anthropic tells the input at the start and the output, then about 1 token, at the end only: what
    it told is exact for an input, and for an output that is more than what came.
    """
    stated = fill_usage(stated, estimated) if stated.input_tokens is None else stated
    stated_tokens, came = stated.output_total or 0, estimated.output_tokens or 0
    if stated_tokens > came:
        return stated
    output = came - (stated.reasoning_tokens or 0)
    return replace(stated, output_tokens=max(0, output), source="estimated")


def join_output(response: LLMResponse) -> str:
    """Join all texts that the model wrote, tool calls included, to estimate its output tokens."""
    texts: list[str] = []
    for part in response.message["parts"]:
        if part["type"] == "text" or part["type"] == "reasoning":
            texts.append(part["text"])
        elif part["type"] == "tool_call":
            arguments = part.get("invalid_arguments") or orjson.dumps(part["arguments"]).decode()
            texts.append(part["name"] + arguments)
    return "\n".join(texts)
