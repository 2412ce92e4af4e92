"""Verdicts of ended replays, computed for lists when they are due."""

from __future__ import annotations

import asyncio

from plainloop.agent.service.service import Service

from ..report.live_report import report_replay
from ..report.rules import decide_replacement
from ..settings import ReplayLimits
from ..store import replays as store_replays
from ..store.replays import DueVerdict, Outcome


async def compute_verdict(service: Service, due: DueVerdict) -> Outcome:
    """Compute the verdict of an ended replay from its report.

    The caller stores it. Raises: StoreError, NotFoundError.
    """
    store, max_worse = service.store, service.settings.get_table(ReplayLimits).replay_worse
    info = await store_replays.load_replay(store.read(due.tenant_id), None, due.replay_id)
    report = await report_replay(store, due.tenant_id, info, None)
    decision = await asyncio.to_thread(  # of many conversations it takes a moment
        decide_replacement, report["summary"], max_worse, is_open=info.ended_at is None
    )
    return decision.status
