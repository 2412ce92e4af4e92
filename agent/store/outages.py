"""Retries and logs while the database is unreachable: the one policy for all work.

a write that must happen        `keep_trying`: again and again, with longer pauses
what comes round again anyway   `try_once`: the next time
a run whose step stays unwritten  is left, and claimed again when the database is there

The log has a line when the database goes away or back, however many wait for it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar
from weakref import WeakKeyDictionary

from ..errors import LeaseLost, StoreError

logger = logging.getLogger(__name__)

# Half a minute. None is long: a database that is back is found within the last one.
PAUSES_S: Final = (0.1, 0.3, 0.6, 1.0, *[2.0] * 15)
FORGET_S: Final = 60.0  # whose last failure is older waits no more: no pause is so long
STOPPED: Final = object()  # all those who waited and try no more
T = TypeVar("T")


class Outage:
    """Waiters for an unreachable database; logs when the first begins and the last is served."""

    def __init__(self) -> None:
        self._waiting: dict[object, tuple[str, float]] = {}  # who: (the error's code, until when)

    def begin(self, who: object, error: StoreError) -> None:
        """Note that a caller waits for the database; log the reason if it is new."""
        now = time.monotonic()
        self._waiting = {key: item for key, item in self._waiting.items() if item[1] > now}
        if error.code not in {code for code, _ in self._waiting.values()}:
            told = {"code": error.code, "reason": str(error.__cause__ or error.message)}
            logger.warning("database_away", extra=told)
        self._waiting[who] = error.code, now + FORGET_S

    def end(self, who: object) -> None:
        """Note that a waiting caller got its answer; log the recovery after the last one."""
        if not self._waiting:
            return
        now = time.monotonic()  # who waited and never came back holds nothing up for ever
        gone = (who, STOPPED)
        kept = {k: item for k, item in self._waiting.items() if item[1] > now and k not in gone}
        self._waiting = kept
        if not kept:
            logger.warning("database_back")

    def stop(self, who: object) -> None:
        """Note that a waiting caller gave up. The outage lasts until another caller is served."""
        if (waited := self._waiting.pop(who, None)) is not None:
            self._waiting[STOPPED] = waited


# One per event loop: what waits in another one is another service, as in tests.
_outages: WeakKeyDictionary[asyncio.AbstractEventLoop, Outage] = WeakKeyDictionary()


def _get_outage() -> Outage:
    """Return the outage record of the running event loop."""
    return _outages.setdefault(asyncio.get_running_loop(), Outage())


async def keep_trying(work: Callable[[], Awaitable[T]]) -> T:
    """Repeat an action for half a minute while the database is away; return its result.

    The action must be safe to repeat.

    Raises: StoreError when the database does not come back, LeaseLost at once.
    """
    outage, who = _get_outage(), object()
    for pause_s in (*PAUSES_S, None):
        try:
            done = await work()
        except Exception as error:
            if isinstance(error, LeaseLost) or not isinstance(error, StoreError):
                outage.end(who)  # no outage, so this caller waits no longer
                raise
            outage.begin(who, error)
            if pause_s is None:
                raise
            await asyncio.sleep(pause_s)
        else:
            outage.end(who)
            return done
    raise AssertionError("a bug, please report it: the last attempt neither returned nor raised")


def stop_trying(*what: str) -> None:
    """Count these recurring jobs no longer as waiting for the database."""
    for each in what:
        _get_outage().stop(each)


async def try_once(what: str, work: Awaitable[object]) -> bool:
    """Run a recurring job once; return whether it succeeded, and log why if not.
    what: its name in log events, as `NAME_failed`.
    """
    outage = _get_outage()
    try:
        await work
    except StoreError as error:
        outage.begin(what, error)
    except Exception:  # the edge: the next time may succeed
        logger.exception(f"{what}_failed")
    else:
        outage.end(what)
        return True
    return False
