"""Reports of live replays, kept for a while: each compares every conversation of its replay."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Final

from plainloop.agent.store.store import Store

from ..report.live_report import load_people, report_replay
from ..store.replays import ReplayInfo

KEPT: Final = 16
KEPT_S: Final = 300.0  # a conversation of it may go on, which is a turn that nobody replayed


class KeptReports:
    """A cache of reports in one process; a report is made again when its replay has changed."""

    def __init__(self) -> None:
        self._kept: dict[Any, tuple[float, asyncio.Task[dict[str, Any]]]] = {}

    async def load(self, store: Store, tenant_id: str, info: ReplayInfo) -> dict[str, Any]:
        """Return a replay's report without its conversations.

        The report is cached until the replay or people's verdicts on it change.
        """
        people = await load_people(store, tenant_id, info.replay_id)
        key = (tenant_id, info.replay_id, info.status, *sorted(info.items.items()), *people.items())
        begun, task = self._kept.pop(key, (0.0, None))
        if task is None or time.monotonic() - begun > KEPT_S or has_failed(task):
            begun = time.monotonic()
            task = asyncio.create_task(report_replay(store, tenant_id, info, None))
        self._kept[key] = (begun, task)
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        report = await asyncio.shield(task)  # others may wait for it too
        return {**report, "people": people}


def has_failed(task: asyncio.Task[Any]) -> bool:
    """Whether a report's task ended with an error or a cancellation."""
    return task.done() and (task.cancelled() or task.exception() is not None)
