"""Threads as the machine keeps them, in few words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plainloop.agent.provenance.marking import Reach
from plainloop.agent.provenance.rule import Judged, judge_call
from plainloop.agent.provenance.sources import Sources, collect_sources
from plainloop.agent.types import Message


@dataclass(frozen=True)
class Gave:
    """What a tool gave: its call's arguments, its result, whose words others wrote."""

    result: Any
    outside: tuple[str, ...] = ()
    arguments: dict[str, Any] | None = None
    name: str = "read"


PAGE = Gave({"text": "buy now", "untrusted": "a page"}, name="fetch")


def make_talk(*said: str | Gave) -> list[Message]:
    """A text is the user's; a `Gave` is a call and its result."""
    messages: list[Message] = []
    for n, item in enumerate(said):
        if isinstance(item, str):
            messages.append({"role": "user", "parts": [{"type": "text", "text": item}]})
            continue
        call: Any = {
            "type": "tool_call",
            "id": f"c{n}",
            "name": item.name,
            "arguments": item.arguments or {},
        }
        part: Any = {
            "type": "tool_result",
            "id": f"c{n}",
            "name": item.name,
            "result": item.result,
            "is_error": False,
        }
        if item.outside:
            part["outside"] = [*item.outside]
        messages.append({"role": "assistant", "parts": [call]})
        messages.append({"role": "tool", "parts": [part]})
    return messages


def read_talk(*said: str | Gave, prompt: str = "", secrets: tuple[str, ...] = ()) -> Sources:
    return collect_sources(make_talk(*said), prompt, lambda name: ((), secrets))


def judge(
    reach: Reach,
    arguments: dict[str, Any],
    *said: str | Gave,
    secrets: tuple[str, ...] = (),
    is_read: bool = False,
) -> Judged:
    return judge_call(arguments, reach, read_talk(*said, secrets=secrets), is_read=is_read)
