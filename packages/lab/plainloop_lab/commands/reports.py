"""Replays in the database, and their reports: of a folder, or made of one of them."""

from __future__ import annotations

import asyncio
from pathlib import Path

from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import InputError
from plainloop.agent.store.store import Store

from ..report.live_report import report_replay
from ..store import replays as store_replays
from ..store.replays import ReplayInfo


async def load_info(store: Store, owner: Owner, replay_id: str) -> ReplayInfo:
    """Raises: NotFoundError, also for another user's."""
    rows = store.read(owner.tenant_id)
    return await store_replays.load_replay(rows, owner.user_id, replay_id)


async def find_info(store: Store, owner: Owner, text: str) -> ReplayInfo:
    """The replay whose id begins so. Raises: NotFoundError, also when several do."""
    replay_id = await store_replays.find_replay(store.read(owner.tenant_id), text)
    return await load_info(store, owner, replay_id)


async def find_report(owner: Owner, text: str, made: Path) -> Path:
    """The folder, or one below `made` with the replay's report as it is now.

    Raises: NotFoundError for a replay, InputError for a path that is not there.
    """
    given = await asyncio.to_thread(lambda: Path(text) if Path(text).exists() else None)
    if given is not None:
        return given
    if "/" in text or "." in text:
        raise InputError(
            f"there is no report {text}", hint="Give a report's folder, a file or a replay's id."
        )
    target = made / text
    async with open_store(load_settings()) as store:
        info = await find_info(store, owner, text)
        await report_replay(store, owner.tenant_id, info, target)
    return target
