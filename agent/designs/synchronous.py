"""Runs synchronous designs (a plain `def run` or `def parse`) in a thread of their own.

loop:    whole_run ── call(function) ──► thread:  function(…)
                                            │ host.execute(…)
loop:    the host's coroutine ◄─────────────┘ and its result goes back

A thread a run, never the loop's shared pool: a design that waits there for a model would keep the
pool's few threads from the name look-ups and tools that it waits for.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import AsyncGenerator, Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from typing import Any, ParamSpec

from ..errors import RunCancelled

Params = ParamSpec("Params")


class DesignThread:
    """Runs a design's synchronous code in one thread, and its host's calls in the loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._pool = ThreadPoolExecutor(1, "plainloop-design")
        self._under_way: set[Future[Any]] = set()
        self._is_closed = False

    async def call(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call a design's function in the design's own thread and return its result.

        A coroutine that it returns is awaited in the event loop.
        """
        # Copied: the thread must know tenant and run, and what the design sets must not leak into
        # the loop.
        context = copy_context()
        context.run(_thread.set, self)
        step = functools.partial(context.run, function, *args)
        result: Any = await self._loop.run_in_executor(self._pool, step)
        return await result if inspect.isawaitable(result) else result

    async def draw(self, events: Any) -> AsyncGenerator[Any]:
        """Yield the items of a design's synchronous iterator, which runs in the design's thread."""
        drawing, end = iter(events), object()
        try:
            while (event := await self.call(next, drawing, end)) is not end:
                yield event
        finally:
            # Not awaited: a step that sleeps would keep a cancelled run waiting for it.
            self._pool.submit(getattr(drawing, "close", lambda: None))

    def take(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine for a design that calls from its own thread or from an event loop.

        In the thread, block and return the result; in an event loop, return an awaitable.

        Raises: RunCancelled when the run has ended meanwhile, so that no late call is made for it.
        """
        loop = get_running_loop()
        if loop is self._loop:
            return work
        if self._is_closed:
            work.close()  # never begun
            raise RunCancelled("the run has ended", hint="Start a new run.")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        self._under_way.add(future)
        # Looked at after it was added: `close` either sees it, or has set the mark before
        # (test_cancelling_a_run_ends_calls_in_the_designs_own_event_loop, now and then).
        if self._is_closed:
            future.cancel()
        if loop is not None:  # `asyncio.run(…)` inside the design
            future.add_done_callback(self._under_way.discard)
            return asyncio.wrap_future(future)
        try:
            return future.result()
        except BaseException as error:
            if self._is_closed:
                raise RunCancelled("the run has ended", hint="Start a new run.") from error
            raise
        finally:
            self._under_way.discard(future)

    def close(self) -> None:
        """Cancel the calls that the design still waits for, and end its thread."""
        self._is_closed = True
        for future in [*self._under_way]:
            future.cancel()
        self._pool.shutdown(wait=False)


def get_running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop that runs in this thread; None if there is none."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


_thread: ContextVar[DesignThread | None] = ContextVar("design_thread", default=None)


def callable_from_threads(
    method: Callable[Params, Coroutine[Any, Any, Any]],
) -> Callable[Params, Any]:
    """Decorate an async method so that a design's thread can call it and block for the result."""

    @functools.wraps(method)
    def call(*args: Params.args, **kwargs: Params.kwargs) -> Any:
        work, thread = method(*args, **kwargs), _thread.get()
        return work if thread is None else thread.take(work)

    return call
