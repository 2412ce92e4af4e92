"""Processes of this machine."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from ..engine.no_network import block_network
from ..sources.line_ranges import is_remote
from .tasks import RETRIES, Run, Task


@contextmanager
def open_local(address: str | None, processes: int) -> Generator[Run]:
    """Yield a function that runs tasks in local processes.

    If `processes` is 1, the tasks run in this process.
    """
    pool: ProcessPoolExecutor | None = None

    def run_here(work: Callable[[Task], Any], tasks: Sequence[Task]) -> Iterator[tuple[int, Any]]:
        return ((place, work(task)) for place, task in enumerate(tasks))

    def run(work: Callable[[Task], Any], tasks: Sequence[Task]) -> Iterator[tuple[int, Any]]:
        nonlocal pool
        left, deaths = dict(enumerate(tasks)), 0
        while left:
            if pool is None:
                context = multiprocessing.get_context("spawn")  # this process has threads
                ignore = (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is this one's to answer
                pool = ProcessPoolExecutor(processes, context, signal.signal, ignore)
            try:
                for place, result in _run_in(pool, work, dict(left), 2 * processes):
                    del left[place]
                    yield place, result
            except BrokenProcessPool:
                pool.shutdown()
                pool, deaths = None, deaths + 1
                if deaths > RETRIES:
                    raise

    try:
        yield run_here if processes == 1 else run
    finally:
        if pool is not None:  # not `wait=False`: an exit writes to pipes that the pool then closes
            pool.shutdown(cancel_futures=True)


def _run_in(
    pool: ProcessPoolExecutor, work: Callable[[Task], Any], tasks: dict[int, Task], at_once: int
) -> Iterator[tuple[int, Any]]:
    running: dict[Future[Any], int] = {}
    while tasks or running:
        while tasks and len(running) < at_once:
            place = min(tasks)
            running[pool.submit(_work_alone, work, tasks.pop(place))] = place
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), future.result()


_is_blocked = False  # this process, wholly


def _work_alone(work: Callable[[Task], Any], task: Task) -> Any:
    global _is_blocked
    if not _is_blocked and not is_remote(task.lines.url):
        _is_blocked = True
        block_network()
    return work(task)
