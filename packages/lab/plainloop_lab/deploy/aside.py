"""Work that stands back behind everything else on the machine that wants the processor (Linux).

A thread of its own does it, since whoever lowers a priority may not raise it again; it ends with
the work. What a Linux groups by session (autogroup) is lowered as a whole, where the session is
ours, and that may be raised again.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

T = TypeVar("T")

GROUP: Final = Path("/proc/self/autogroup")
TRIES: Final = 20  # the kernel takes ten changes of groups a second, of the whole machine
PAUSE_S: Final = 0.1
RESTS: Final = 9


def call_aside(nice: int, work: Callable[[], T]) -> T:
    """Call a function in a thread of low priority and wait for its result.

    It must start no process: one would stand back for good.
    """
    with ThreadPoolExecutor(1, initializer=_stand_back, initargs=(nice,)) as pool:
        return pool.submit(work).result()


def start_aside(nice: int, work: Callable[[], object]) -> None:
    """Lower this session's priority, and run startup work in a thread of low priority."""
    set_group_nice(nice)
    call_aside(nice, work)


async def run_aside(nice: int, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine on an event loop of its own, in a thread of low priority.

    A cancelled call waits until the coroutine has ended.
    """
    begun = Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any] | None]]()

    async def begin() -> T:
        begun.set_result((asyncio.get_running_loop(), asyncio.current_task()))
        return await work()

    def run() -> T:
        with asyncio.Runner() as runner:
            return runner.run(begin())

    pool = ThreadPoolExecutor(1, initializer=_stand_back, initargs=(nice,))
    running = asyncio.get_running_loop().run_in_executor(pool, run)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        loop, task = await asyncio.wrap_future(begun)
        with suppress(RuntimeError):  # it has just ended
            loop.call_soon_threadsafe(lambda: task and task.cancel())
        await asyncio.wait({running})
        raise
    finally:
        pool.shutdown(wait=False)


async def rest(since_s: float) -> float:
    """Sleep RESTS times the processor time that this thread used since `since_s`.

    Returns its processor time in seconds now. The time by the clock would grow with the others'
    work, and never come to an end.
    """
    await asyncio.sleep(RESTS * (time.thread_time() - since_s))
    return time.thread_time()


def set_group_nice(nice: int) -> None:
    """Set the scheduling priority (nice) of this process's session, on Linux.

    Does nothing if another process leads the session.
    """
    if os.name != "posix" or os.getsid(0) != os.getpid():
        return
    for _ in range(TRIES):
        try:
            GROUP.write_text(str(nice))
        except BlockingIOError:
            time.sleep(PAUSE_S)
        except OSError:
            return  # no Linux, or one that does not group
        else:
            return


def _stand_back(nice: int) -> None:
    """Lower the priority of the calling thread, and of threads that it starts, for good.

    It interrupts nobody when it has waited for something, as a statement (`SCHED_BATCH`).
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
