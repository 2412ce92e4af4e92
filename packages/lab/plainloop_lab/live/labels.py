"""Names of the models that answered a turn, as reports show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def label_efforts(sent: Iterable[tuple[str, str | None]]) -> list[str]:
    """List the models as `model@effort`, or `model` without effort; [] if none had an effort.

    >>> label_efforts([("openai:m", None), ("openai:m", "low"), ("openai:m", "low")])
    ['openai:m', 'openai:m@low']
    """
    pairs = [*sent]
    if not any(effort for _, effort in pairs):
        return []
    return sorted({f"{model}@{effort}" if effort else model for model, effort in pairs})


def list_names(turn: Mapping[str, Any]) -> list[str]:
    """List the models that answered a turn, as `model@effort` if any effort was sent."""
    return turn.get("efforts") or turn["models"]
