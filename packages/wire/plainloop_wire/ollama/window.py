"""What is left of a prompt in the context window: the oldest goes first, and nobody is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plainloop.agent.dataclasses import dataclass

from ..answer import dump_json
from ..call import make_segment
from ..prompt_cache import Segment
from .history import to_prompt

Wire = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages that fit the model's context window, with their tokens."""

    system: str
    messages: tuple[Wire, ...]
    tools: tuple[Any, ...]
    segments: tuple[Segment, ...]


def cut_prompt(messages: Sequence[Wire], tools: Sequence[Any], window_tokens: int) -> Prompt:
    """Drop a prompt's oldest messages until it fits the window.

    System messages and the newest message are kept.

    Where even that is too long, the prompt's beginning goes: system text, tools, and then the
    start of the newest message.
    """
    system = [message for message in messages if message.get("role") == "system"]
    said = [message for message in messages if message.get("role") != "system"]
    head = [
        make_segment("ollama\n", extra_tokens=4),
        *(make_segment(dump_json(tool) + "\n") for tool in tools),
        *(make_segment(to_prompt(message), extra_tokens=3) for message in system),
    ]
    body = [make_segment(to_prompt(message), extra_tokens=3) for message in said]
    left = window_tokens - sum(segment.tokens for segment in head)
    first = len(body)
    while first and (left := left - body[first - 1].tokens) >= 0:
        first -= 1
    if first == len(body) and body:
        return _cut_start(said[-1], body[-1], window_tokens)
    text = "\n\n".join(str(message.get("content") or "") for message in system)
    return Prompt(text, tuple(said[first:]), tuple(tools), (*head, *body[first:]))


def _cut_start(message: Wire, segment: Segment, window_tokens: int) -> Prompt:
    """The window holds nothing but the end of the prompt."""
    content = str(message.get("content") or "")
    share = min(1.0, window_tokens / max(1, segment.tokens))
    kept = content[len(content) - int(len(content) * share) :]
    filled = Segment(kept, window_tokens)
    return Prompt("", ({**message, "content": kept},), (), (filled,))
