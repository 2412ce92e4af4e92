"""The settings that the memory brings."""

from __future__ import annotations

from collections.abc import Mapping

from plainloop.agent.config.settings import setting
from plainloop.agent.config.values import Count, Seconds
from plainloop.agent.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """`[memory]`: facts that users stated in earlier conversations, for workers of any pack."""

    workers: tuple[str, ...] = setting(
        (),
        "workers that have a memory; *: all; unset: workers whose tools include remember or recall",
    )
    block_tokens: Count = setting(600, "max. tokens of the memories shown in a prompt")
    text_chars: Count = setting(300, "max. characters of one memory")
    most: Count = setting(300, "max. memories of one user")
    recall_rows: Count = setting(8, "max. memories that one search returns")
    learn_after_s: Seconds | None = setting(
        None,
        "seconds without a message until facts are learned from a conversation "
        "(at most 3000); unset: never",
    )


TABLES: Mapping[str, type] = {"memory": MemorySettings}
