"""The settings of the memory, and who has one by them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from plainloop.agent.config.settings import setting
from plainloop.agent.config.values import Count, Seconds
from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop.agent.packs.prompts import list_workers

ALL: Final = "*"
TOOLS: Final = ("recall", "remember")


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


TABLES: Mapping[str, type] = {"memory": MemorySettings}


def is_wanted(packs: Iterable[Pack], own: MemorySettings) -> bool:
    """Whether any worker has a memory."""
    return bool(own.workers) or any(
        {*TOOLS} & {*worker.tools} for pack in packs for worker in list_workers(pack)
    )


def list_tools(worker: WorkerSpec, own: MemorySettings) -> tuple[str, ...]:
    """List which of the memory's tools a worker has: those that it names itself, and both where the
    settings name it. An interview, which is about somebody else, must be named.
    """
    is_meant = ALL in own.workers and worker.interview is None
    if is_meant or worker.name in own.workers:
        return TOOLS
    return tuple(name for name in TOOLS if name in worker.tools)
