"""Work on a database that may be away for a moment: restarted, failed over."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from ...errors import LeaseLost, StoreError

logger = logging.getLogger(__name__)

PAUSES_S: Final = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
T = TypeVar("T")


async def keep_trying(work: Callable[[], Awaitable[T]]) -> T:
    """The work, again while the database is away. It must bear being done twice.

    Raises: StoreError when the database does not come back, LeaseLost at once.
    """
    for pause_s in PAUSES_S:
        try:
            return await work()
        except LeaseLost:
            raise
        except StoreError as error:
            logger.warning("replay_waits_for_database", extra={"reason": error.message})
            await asyncio.sleep(pause_s)
    return await work()
