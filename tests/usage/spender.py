"""A process that runs many messages. It tells how many ended how: by error code; "" for done."""

from __future__ import annotations

import asyncio
import logging
import os
from collections import Counter
from multiprocessing.connection import Connection

from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import AgentError
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.service import Service

# All want the budget's row, one after the other: with more at once the last would, on a busy
# machine, wait too long for a connection.
AT_ONCE = 10


def spend(environ: dict[str, str], tenant: str, runs: int, told: Connection) -> None:
    """What the process does that has these variables and no others."""
    logging.disable(logging.CRITICAL)
    os.environ.clear()
    os.environ.update(environ)
    told.send(asyncio.run(_ask_all(tenant, runs)))


async def _ask_all(tenant: str, runs: int) -> dict[str, int]:
    places = asyncio.Semaphore(AT_ONCE)

    async def take_turn(service: Service, n: int) -> str:
        async with places:
            return await ask(service, tenant, n)

    async with open_service(load_settings()) as service:
        ends = await asyncio.gather(*(take_turn(service, n) for n in range(runs)))
    return dict(Counter(ends))


async def ask(service: Service, tenant: str, n: int) -> str:
    thread = await service.ensure_thread(tenant, f"user-{n % 7}", None, "budget")
    try:
        await service.answer(tenant, f"user-{n % 7}", thread.thread_id, "list my jobs, or tell why")
    except AgentError as error:
        return error.code
    return ""
