"""Runs asynchronous work in a terminal: signals cancel it, and it can record its end."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, TypeVar

from ....server.settings import ServerSettings
from ...config.settings import Settings
from ...errors import RunCancelled
from .failures import Stopped

T = TypeVar("T")

# SIGINT is the runner's own. A program started by nohup ignores SIGHUP and keeps doing so.
_SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP)


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in a new event loop and return its result.

    Ctrl-C, hang-up and terminate signals cancel it.
    Raises: Stopped after a signal, RunCancelled when somebody else cancelled it; what the work
    raises.
    """
    with asyncio.Runner() as runner:
        return run_in(runner, work)


def make_loop(settings: Settings) -> asyncio.AbstractEventLoop:
    """Create the event loop of a server or chat, by uvloop if that is installed.
    Not of replays: uvloop goes by Python's audit events, by which they are kept from the network.
    """
    with suppress(ImportError):  # Windows and PyPy have none
        if settings.get_table(ServerSettings).uvloop:
            import uvloop

            return uvloop.new_event_loop()
    return asyncio.new_event_loop()


def run_in(runner: asyncio.Runner, work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in this runner's event loop and return its result.

    Ctrl-C, hang-up and terminate signals cancel it.
    """
    caught = [number for number in _SIGNALS if signal.getsignal(number) != signal.SIG_IGN]
    # `remove_signal_handler` sets the default, not what was there: a chat's own handlers come back
    # here.
    before = {number: signal.getsignal(number) for number in caught}
    try:
        return runner.run(_cancel_on_signal(work, caught))
    # asyncio.Runner cancels the task at the first Ctrl-C, so that the run records its end
    # (test_a_signal_cancels_the_commands_run_and_keeps_the_thread).
    except KeyboardInterrupt as error:
        raise Stopped(signal.SIGINT) from error
    except asyncio.CancelledError as error:
        raise RunCancelled(
            "the run was cancelled by another client",
            hint="Send the message again if you still need the answer.",
        ) from error
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def _cancel_on_signal(work: Coroutine[Any, Any, T], numbers: list[signal.Signals]) -> T:
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    received: list[int] = []

    def stop(number: int) -> None:
        received.append(number)
        if task is not None:
            task.cancel()

    for number in numbers:
        loop.add_signal_handler(number, stop, number)
    try:
        return await work
    except asyncio.CancelledError as error:
        # Stopped only for our own signals: another client's cancel raises the same exception.
        if received:
            raise Stopped(received[0]) from error
        raise
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


def raise_stopped(number: int, frame: object) -> None:
    """Handle a signal by raising Stopped, while no coroutine runs in the event loop."""
    raise Stopped(number)
