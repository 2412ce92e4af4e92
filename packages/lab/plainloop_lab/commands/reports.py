"""Reports of replays: a folder, or made of a replay in the database."""

from __future__ import annotations

import asyncio
from pathlib import Path

from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import InputError

from ..report.live_report import report_replay
from ..store import replays as store_replays


async def find_report(owner: Owner, text: str, made: Path) -> Path:
    """The folder, or one below `made` with the replay's report as it is now.

    Raises: NotFoundError for a replay, InputError for a path that is not there.
    """
    given = await asyncio.to_thread(lambda: Path(text) if Path(text).exists() else None)
    if given is not None:
        return given
    if "/" in text or "." in text:
        raise InputError(f"there is no {text}", hint="A report's folder, a file, a replay's id.")
    target = made / text
    async with open_store(load_settings()) as store:
        async with store.transaction(owner.tenant_id) as tx:
            replay_id = await store_replays.find_replay(tx, text)
            info = await store_replays.load_replay(tx, owner.user_id, replay_id)
        await report_replay(store, owner.tenant_id, info, target)
    return target
