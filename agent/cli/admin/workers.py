"""`serve --workers N`: several worker processes on one port, and the process that looks after them.

Everything is imported first and then forked, so workers share that memory. Each is a replica like
any other: whoever accepts a message, other workers can show its run and take it over.
"""

from __future__ import annotations

import asyncio
import gc
import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from typing import Final

from ...base.listening import open_listener
from ...dataclasses import dataclass
from ...errors import ConfigError
from ..terminal import output

FIRST_PAUSE_S: Final = 1.0  # before a worker that ended is started again; doubles each time
LONGEST_PAUSE_S: Final = 30.0
SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker process as seen by itself."""

    index: int
    listener: socket.socket
    ready: int  # file descriptor; what is written there is the banner
    parent: int  # file descriptor; at its end when the parent has ended

    def report_ready(self, banner: list[str]) -> None:
        """Tell the parent process that this worker answers requests. banner: lines to print."""
        os.write(self.ready, "\n".join(banner).encode())

    def stop_with_parent(self, stop: Callable[[], None]) -> None:
        """Call `stop` when the parent process has ended, however it ended."""
        loop = asyncio.get_running_loop()

        def end() -> None:
            loop.remove_reader(self.parent)
            stop()

        loop.add_reader(self.parent, end)


@dataclass(slots=True)
class _Child:
    """A worker process as seen by its parent."""

    index: int
    pid: int
    pause_s: float = FIRST_PAUSE_S  # if it ends and is started again
    is_ready: bool = False


class Supervisor:
    """Forks worker processes, restarts those that end unexpectedly, forwards signals.

    Signals are taken only while it waits: between a fork and its entry in `_children` one would
    miss the new worker, and in the worker it would be taken by the parent's handler.
    """

    def __init__(self, host: str, port: int, count: int) -> None:
        """Reserve the address; port 0: any free one. Raises: ConfigError when it is taken."""
        if sys.platform != "linux":
            raise ConfigError(
                "several workers can share a port only on Linux",
                hint="Leave out --workers, or start several processes, each on its own port.",
            )
        # Sharing a port never fails for one user: so look first whether somebody has it already.
        open_listener(host, port).close()
        # Bound, but not listening: it reserves the port for later workers, and accepts no
        # connection itself.
        self._reserved = open_listener(host, port, is_shared=True, listens=False)
        self._address = (host, self._reserved.getsockname()[1])
        self._count = count
        # Workers wait for this pipe to end, which happens even if the parent is killed; a signal
        # would not be sent then (test_workers_end_with_a_parent_that_was_killed).
        self._alive, self._held = os.pipe()
        self._selector = selectors.DefaultSelector()
        self._children: dict[int, _Child] = {}  # by the descriptor that it reports to
        # When to start a worker, its index, the pause before it is started again. The first one
        # prepares the database, so that the others need not, nor repeat what is wrong with it.
        self._due = [(0.0, 0, FIRST_PAUSE_S)]
        self._is_stopping = False
        self._is_announced = False

    def run(self, on_ready: Callable[[list[str]], None]) -> Worker | int:
        """Fork and supervise the worker processes; return the exit code when they have ended.

        In a forked child, it returns the child's Worker at once.
        on_ready: called with a banner when all answer.
        """
        gc.freeze()  # or looking for garbage would copy the shared pages
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        before = {number: signal.signal(number, self._pass_on) for number in SIGNALS}
        code = 0
        while self._children or self._due:
            for due in [due for due in self._due if due[0] <= time.monotonic()]:
                self._due.remove(due)
                if (worker := self._fork(*due[1:])) is not None:
                    return _begin_worker(worker, before)
            next_at = min((due[0] for due in self._due), default=None)
            wait_s = None if next_at is None else max(0.0, next_at - time.monotonic())
            for key in self._wait(wait_s):
                banner, ended = self._read(key)
                code = code or ended
                ready = [child for child in self._children.values() if child.is_ready]
                if banner and not self._is_announced and len(ready) == self._count:
                    self._is_announced = True
                    on_ready(banner)
        return code

    def _wait(self, wait_s: float | None) -> list[int]:
        """Wait until workers report, or for a signal; return the descriptors to read."""
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        ready = self._selector.select(wait_s)
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        return [key.fd for key, _ in ready]

    def _fork(self, index: int, pause_s: float) -> Worker | None:
        """Fork one worker. Returns its place in the worker, None in this process."""
        ready, reporting = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(ready)
            # Otherwise this worker would keep the pipe open, and its siblings would outlive the
            # parent.
            os.close(self._held)
            self._selector.close()
            for fd in self._children:
                os.close(fd)
            self._children.clear()
            self._reserved.close()
            # A socket of its own (SO_REUSEPORT): the kernel spreads connections over sockets. With
            # one shared socket, the process that wakes first would accept most of them.
            listener = open_listener(*self._address, is_shared=True)
            return Worker(index, listener, reporting, self._alive)
        os.close(reporting)
        self._children[ready] = _Child(index, pid, pause_s)
        self._selector.register(ready, selectors.EVENT_READ)
        return None

    def _read(self, fd: int) -> tuple[list[str], int]:
        """Read what a worker reports: its banner, or its end.
        Returns the banner, and the exit code of a worker that is not started again.
        """
        child = self._children[fd]
        if report := os.read(fd, 65_536):
            if child.index == 0 and not self._is_announced:
                self._due += [(0.0, index, FIRST_PAUSE_S) for index in range(1, self._count)]
            child.is_ready, child.pause_s = True, FIRST_PAUSE_S
            return report.decode().splitlines(), 0
        self._selector.unregister(fd)
        os.close(fd)
        del self._children[fd]
        code = os.waitstatus_to_exitcode(os.waitpid(child.pid, 0)[1])
        if self._is_stopping:
            return [], max(code, 0)
        if not self._is_announced:  # what keeps one from starting keeps all from it
            self._stop()
            return [], code if code > 0 else 1
        output.write_status(
            f"worker {child.index} ended with {code}; started again in {child.pause_s:.0f} s"
        )
        # Doubled until the worker is ready: one that dies at its start must not fork without end.
        next_s = min(2 * child.pause_s, LONGEST_PAUSE_S)
        self._due.append((time.monotonic() + child.pause_s, child.index, next_s))
        return [], 0

    def _pass_on(self, number: int, frame: object) -> None:
        self._stop()
        if not self._children:  # all are to be started again: nothing else ends the wait
            sys.exit(0)

    def _stop(self) -> None:
        self._is_stopping = True
        self._due.clear()
        for child in self._children.values():
            os.kill(child.pid, signal.SIGTERM)


def _begin_worker(worker: Worker, before: Mapping[signal.Signals, object]) -> Worker:
    """Set up a worker process: own process group (the parent passes Ctrl-C on), own handlers."""
    # Else the terminal sends Ctrl-C to all, and the parent's SIGTERM would be the second signal,
    # which ends a worker without a drain.
    os.setpgid(0, 0)
    for number, handler in before.items():
        signal.signal(number, handler)  # pyright: ignore[reportArgumentType]
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    return worker
