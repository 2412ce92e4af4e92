"""Runs the child: one process per file, bounded in time, memory and output, killed when it is late.

Reading, cutting up and writing files of a user's size happens there and nowhere else: a thread
could not be ended, and the event loop is everybody's.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from typing import Any, BinaryIO, Final
from weakref import WeakKeyDictionary

import orjson

from plainloop.agent.base.finishing import end_tasks
from plainloop.agent.errors import ServiceUnavailable, TooManyRequests

from .child import READY, UNAVAILABLE

logger = logging.getLogger(__name__)

# Who the work is for: (tenant, user). The terminal's own work is nobody's.
Owner = tuple[str, str]
NOBODY: Final[Owner] = ("", "")

AT_ONCE: Final = 4  # children of one process; the others wait for their turn
PER_TENANT: Final = 3
PER_USER: Final = 2
MAX_WAITING: Final = 100  # of one user
RETRY_AFTER_S: Final = 10
UNAVAILABLE_RETRY_AFTER_S: Final = 60.0  # somebody must mend the installation first
LOG_AGAIN_S: Final = 600.0  # the same reason
_MAX_REASON_CHARS: Final = 300
MAX_OUTPUT_BYTES: Final = 64 << 20
_READ_BYTES: Final = 1 << 18
# SIGKILL is nobody's of ours here: who is late is told before, or by SIGXCPU.
ENDED_BY: Final = {-signal.SIGXCPU: "timeout", -signal.SIGKILL: "killed"}
# What a Python needs to start; nothing of what we know.
_KEPT_VARIABLES: Final = ("PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR")


class _Turns:
    """Slots for child processes: a few in all, fewer for one tenant, fewest for one user."""

    def __init__(self) -> None:
        self._all = asyncio.Semaphore(AT_ONCE)
        self._shares: dict[Owner, tuple[asyncio.Semaphore, int]] = {}
        self._logged = ("", 0.0)  # why no child could work, and when it may be logged again

    def make_unavailable(self, job: str, reason: str) -> ServiceUnavailable:
        """Log why child processes fail with any file, and build the error for it.

        The same reason is logged once in `LOG_AGAIN_S`.
        """
        reason, now = " ".join(reason.split())[-_MAX_REASON_CHARS:], time.monotonic()
        if reason != self._logged[0] or now >= self._logged[1]:
            self._logged = reason, now + LOG_AGAIN_S
            logger.error("reader_unavailable", extra={"job": job, "reason": reason})
        return ServiceUnavailable(
            "files cannot be read or written now: the service could not start its file reader",
            hint="Your file is not the cause. Try again later. The operator finds the "
            "reason in the service's log, under reader_unavailable.",
            code="READER_UNAVAILABLE",
            retry_after_s=UNAVAILABLE_RETRY_AFTER_S,
        )

    @contextlib.asynccontextmanager
    async def take(self, owner: Owner) -> AsyncGenerator[None]:
        """Hold a slot for a child process in the block, within the shares of user and tenant."""
        async with contextlib.AsyncExitStack() as stack:
            if owner != NOBODY:
                await stack.enter_async_context(self._share(owner, PER_USER, MAX_WAITING))
                await stack.enter_async_context(self._share((owner[0], ""), PER_TENANT))
            await stack.enter_async_context(self._all)
            yield

    @contextlib.asynccontextmanager
    async def _share(
        self, key: Owner, places: int, limit: int | None = None
    ) -> AsyncGenerator[None]:
        share, users = self._shares.get(key, (asyncio.Semaphore(places), 0))
        if limit is not None and users >= limit:
            raise TooManyRequests(
                "too many of your files are waiting to be read or written",
                hint="Try again when one of them is done.",
                retry_after_s=RETRY_AFTER_S,
            )
        self._shares[key] = (share, users + 1)
        try:
            async with share:
                yield
        finally:
            share, users = self._shares.pop(key)
            if users > 1:
                self._shares[key] = (share, users - 1)


_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, _Turns] = WeakKeyDictionary()


async def run_child(
    job: str, content: bytes | BinaryIO, *, timeout_s: float, owner: Owner = NOBODY, **options: Any
) -> dict[str, Any]:
    """Run a job on content in a child process; return its result, or `{"error": code}`.

    job: a module with `run(content, options)`. content: a file is handed
    on as it is and never held in this process's memory; it is read from its beginning.

    The words are the job's; `timeout`, `too_large` (memory, output), `killed` (by the system, which
    had no memory left) and `corrupt` (it crashed) come from here. However this ends, cancellation
    included, the child is gone then.

    Raises: TooManyRequests when too much work of this user waits already; ServiceUnavailable
    (READER_UNAVAILABLE) when the child could not be started or lacks a library.
    """
    turns = _turns.setdefault(asyncio.get_running_loop(), _Turns())
    arguments = orjson.dumps({"job": job, "timeout_s": timeout_s, **options}).decode()
    async with turns.take(owner):
        if not isinstance(content, bytes):
            content.flush()
            os.lseek(content.fileno(), 0, os.SEEK_SET)
        try:
            child = await _start(arguments, content)
        except OSError as error:  # no interpreter, no process or memory left
            raise turns.make_unavailable(job, str(error)) from error
        try:
            async with asyncio.timeout(timeout_s):
                output = await _exchange(child, content if isinstance(content, bytes) else None)
        except TimeoutError:
            return {"error": "timeout"}
        finally:
            if child.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    child.kill()
            # A killed process is gone within moments; a cancel in the middle must leave no zombie.
            await asyncio.shield(child.wait())
    if output is None:
        return {"error": "too_large"}
    ended_by = ENDED_BY.get(child.returncode or 0)
    if not output.startswith(READY) and ended_by is None:
        raise turns.make_unavailable(job, await _read_failure(child))
    try:
        result = orjson.loads(output.removeprefix(READY))
    except orjson.JSONDecodeError:
        if ended_by == "killed":
            logger.warning("reader_killed", extra={"job": job})
        return {"error": ended_by or "corrupt", "reason": f"exit {child.returncode}"}
    if result.get("error") == UNAVAILABLE:
        raise turns.make_unavailable(job, result["reason"])
    return result


async def _start(arguments: str, content: bytes | BinaryIO) -> Process:
    """Start the child process on the content, with pipes for its output and few variables.

    Raises: OSError.
    """
    return await asyncio.create_subprocess_exec(
        *(sys.executable or "python", "-I", "-m", "plainloop_documents.child", arguments),
        stdin=PIPE if isinstance(content, bytes) else content,
        stdout=PIPE,
        stderr=PIPE,  # the child closes it before it reads the file
        env={name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ},
        start_new_session=True,
    )


async def _read_failure(child: Process) -> str:
    """Read why the child ended before it was ready: its exit code and stderr, for the log."""
    assert child.stderr is not None
    stderr = (await child.stderr.read()).decode("utf-8", "replace")
    return f"{sys.executable} exited with {child.returncode}: {stderr}"


async def _exchange(child: Process, content: bytes | None) -> bytes | None:
    """Send the content to the child and return its output; None above MAX_OUTPUT_BYTES."""
    assert child.stdout is not None

    async def feed() -> None:
        if child.stdin is not None and content is not None:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it has seen enough
                child.stdin.write(content)
                await child.stdin.drain()
            child.stdin.close()

    feeding = asyncio.create_task(feed())
    output = bytearray()
    try:
        while chunk := await child.stdout.read(_READ_BYTES):
            output += chunk
            if len(output) > MAX_OUTPUT_BYTES:
                return None
        await child.wait()
        return bytes(output)
    finally:
        await end_tasks(feeding)
