"""What we do while the database is away: restarted, failed over, full. The one policy for all.

a write that must happen        `keep_trying`: again and again, with longer pauses
what comes round again anyway   `try_once`: a line in the log, and the next time
a run whose step stays unwritten  is left, and claimed again when the database is there
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from ..errors import LeaseLost, StoreError

logger = logging.getLogger(__name__)

PAUSES_S: Final = (0.1, 0.3, 0.6, 1.0, 2.0, 4.0, 8.0, 15.0)
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
            logger.warning("waiting_for_database", extra={"reason": error.message})
            await asyncio.sleep(pause_s)
    return await work()


async def try_once(what: str, work: Awaitable[object]) -> bool:
    """Whether the work was done; the log has why not."""
    try:
        await work
    except StoreError:
        logger.warning(f"{what}_failed", exc_info=True)
    except Exception:  # the edge: the next time may succeed
        logger.exception(f"{what}_failed")
    else:
        return True
    return False
