"""The settings that the memory brings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from plainloop.agent.config.settings import setting
from plainloop.agent.config.values import Count, Seconds


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """`[memory]`: what users told in earlier conversations, for workers of any pack."""

    workers: tuple[str, ...] = setting(
        (), "who remembers, * for all; unset: workers whose tools name remember or recall"
    )
    block_tokens: Count = setting(600, "tokens of a prompt that show what is remembered")
    text_chars: Count = setting(300, "characters of one memory")
    most: Count = setting(300, "memories of one user")
    recall_rows: Count = setting(8, "memories that one search gives")
    learn_after_s: Seconds | None = setting(
        None, "keep what users said once a conversation is silent so long (to 3000); unset: never"
    )


TABLES: Mapping[str, type] = {"memory": MemorySettings}
