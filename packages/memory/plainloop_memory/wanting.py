"""Which workers have a memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop.agent.packs.prompts import list_workers

from .settings import MemorySettings

ALL: Final = "*"
TOOLS: Final = ("recall", "remember")


def is_wanted(packs: Iterable[Pack], own: MemorySettings) -> bool:
    """Return whether any worker of the packs uses memory, by settings or by its own tools."""
    return bool(own.workers) or any(
        {*TOOLS} & {*worker.tools} for pack in packs for worker in list_workers(pack)
    )


def list_tools(worker: WorkerSpec, own: MemorySettings) -> tuple[str, ...]:
    """List the memory tools that a worker gets.

    It gets those that it names, and all of them if the settings name the worker. `*` in the
    settings leaves out interviews, which are about other people.
    """
    is_meant = ALL in own.workers and worker.interview is None
    if is_meant or worker.name in own.workers:
        return TOOLS
    return tuple(name for name in TOOLS if name in worker.tools)
