"""What the brain decides: tool calls to make, or a text; and how far a turn has come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agent.providers.offline.reading import Done


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call to make."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Move:
    """What the brain answers: calls to make, or else a text."""

    calls: tuple[Call, ...] = ()
    text: str = ""


def take_call(queue: list[Done], name: str) -> Done | None:
    """Remove and return the queue's first call of this tool."""
    for i, done in enumerate(queue):
        if done.name == name:
            return queue.pop(i)
    return None
