"""Replays in the database, and their reports: of a folder, or made of one of them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Final

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.cli.terminal.rendering import format_time
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import InputError, NotFoundError
from plainloop.agent.store.store import Store

from ..decide.outcomes import has_path
from ..live.plan import LanePlan
from ..report.live_report import report_replay
from ..store import replays as store_replays
from ..store.replays import ReplayInfo

_ID: Final = re.compile("[0-9a-f][0-9a-f-]*")  # a replay's, or its beginning


async def load_info(store: Store, owner: Owner, replay_id: str) -> ReplayInfo:
    """Load a replay of this user.

    Raises: NotFoundError, also for another user's.
    """
    rows = store.read(owner.tenant_id)
    return await store_replays.load_replay(rows, owner.user_id, replay_id)


async def find_info(store: Store, owner: Owner, text: str) -> ReplayInfo:
    """Load the replay whose id begins with this text.

    Raises: NotFoundError, also when several do.
    """
    replay_id = await store_replays.find_replay(store.read(owner.tenant_id), text)
    return await load_info(store, owner, replay_id)


async def load_spent(
    store: Store, owner: Owner, steps: Mapping[str, str], but: str = ""
) -> Decimal:
    """Sum the cost in USD of the replays of all steps except `but`.

    Calls without an end count with their upper bound. steps: replay ids by step.
    """
    others = [replay_id for step, replay_id in steps.items() if step != but]
    return await store_replays.sum_spending(store.read(owner.tenant_id), others)


async def find_report(
    owner: Owner, text: str, made: Path, settings: Mapping[str, str] | None = None
) -> Path:
    """Return the path of a report, which is written first if it is a replay's.

    made: the folder below which it is written. settings: of the candidate that the text names,
    unless it is a path or an id; its newest replay is meant. None: it cannot name one.

    Raises: NotFoundError for a replay, InputError for a path that is not there.
    """
    existing = await asyncio.to_thread(lambda: Path(text) if has_path(text) else None)
    if existing is not None:
        return existing
    if settings is None and ("/" in text or "." in text):
        raise InputError(
            f"there is no report {text}", hint="Give a report's folder, a file or a replay's id."
        )
    target = name_report(made, text)
    async with open_store(load_settings()) as store:
        if settings is None or is_replay_id(text):
            info = await find_info(store, owner, text)
        else:
            info = await find_newest(store, owner, text, settings)
        await report_replay(store, owner.tenant_id, info, target)
    return target


async def find_newest(
    store: Store, owner: Owner, name: str, settings: Mapping[str, str]
) -> ReplayInfo:
    """Load the newest finished replay of a candidate.

    Prints its id, time and source. Raises: NotFoundError.
    """
    lane = asdict(LanePlan({**settings}))
    rows = store.read(owner.tenant_id)
    replay_id = await store_replays.find_candidate_replay(rows, owner.user_id, lane)
    if replay_id is None:
        told = " ".join(f"{key}={value}" for key, value in sorted(settings.items()))
        raise NotFoundError(
            f"there is no report {name}, and no finished live replay that sets {told}",
            hint="Give a report's folder, a file or a replay's id, or run `plainloop replay live` "
            "with this --candidate first.",
        )
    info = await load_info(store, owner, replay_id)
    source = info.source["text"]
    output.write_status(f"{name}: replay {replay_id} of {format_time(info.created_at)}, {source}")
    return info


def is_replay_id(text: str) -> bool:
    """Whether a text can be the beginning of a replay's id.

    Else it is a model's name.

    >>> is_replay_id("0198f3"), is_replay_id("gpt-6-luna@low")
    (True, False)
    """
    return _ID.fullmatch(text) is not None


def name_report(folder: Path, candidate: str) -> Path:
    """Return the folder for a candidate's report.

    It is below `folder`, or `folder` itself for the name "".

    >>> str(name_report(Path("tried"), "openai:gpt-6-luna@low"))
    'tried/openai-gpt-6-luna@low'
    """
    return folder / re.sub(r"[^\w.@-]+", "-", candidate).strip(".-") if candidate else folder
