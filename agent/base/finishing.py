"""Awaits work to its end although the waiting task is cancelled."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from contextvars import ContextVar, copy_context
from typing import Any, TypeVar
from weakref import ReferenceType, ref

logger = logging.getLogger(__name__)

T = TypeVar("T")


async def finish_despite_cancel(work: Coroutine[Any, Any, T]) -> T:
    """Await a coroutine to its end even if the awaiting task is cancelled meanwhile.

    A cancelled caller gets CancelledError after that end. A cancelled COMMIT is a commit whose
    outcome nobody knows.
    """
    if (guarded := _guarded.get()) and guarded() is asyncio.current_task():
        return await work
    context = copy_context()
    task = asyncio.create_task(work, context=context)
    context.run(_guarded.set, ref(task))
    try:
        # `shield` alone would let the caller go while the work still uses its connection.
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        # A time limit or a second Ctrl-C may cancel again while we wait
        # (test_further_cancellations_do_not_interrupt_a_guarded_block).
        while not task.done():
            try:
                await asyncio.wait({task})
            except asyncio.CancelledError:
                continue
        if not task.cancelled() and (error := task.exception()) is not None:
            # The caller gets the cancellation, so the failure can be reported only here.
            logger.error("store_write_failed_while_cancelled", exc_info=error)
        raise


async def end_tasks(*tasks: asyncio.Task[Any]) -> None:
    """Cancel the tasks and wait until all have ended, whatever they raise."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


# The task in which work is being finished. Nobody but its guard holds it, so nobody cancels it:
# work that is guarded again inside it needs no task of its own. A reference that does not hold it:
# what is begun in there, such as a run, has a copy of this for as long as it lasts.
_guarded: ContextVar[ReferenceType[asyncio.Task[Any]] | None] = ContextVar("guarded", default=None)
