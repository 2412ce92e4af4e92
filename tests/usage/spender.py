"""A process that runs many messages: `python -m tests.usage.spender TENANT RUNS`.

Prints, as JSON, how many runs ended how (by error code; "" for done).
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections import Counter

from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import AgentError
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.service import Service

# All want the budget's row, one after the other: with more at once the last would, on a busy
# machine, wait too long for a connection.
AT_ONCE = 10


async def main(tenant: str, runs: int) -> None:
    logging.disable(logging.CRITICAL)
    places = asyncio.Semaphore(AT_ONCE)

    async def take_turn(service: Service, n: int) -> str:
        async with places:
            return await ask(service, tenant, n)

    async with open_service(load_settings()) as service:
        ends = await asyncio.gather(*(take_turn(service, n) for n in range(runs)))
    print(json.dumps(Counter(ends)))


async def ask(service: Service, tenant: str, n: int) -> str:
    thread = await service.ensure_thread(tenant, f"user-{n % 7}", None, "budget")
    try:
        await service.answer(tenant, f"user-{n % 7}", thread.thread_id, "list my jobs, or tell why")
    except AgentError as error:
        return error.code
    return ""


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
