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
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator
from typing import Any, BinaryIO, Final
from weakref import WeakKeyDictionary

import orjson

from ..base.finishing import end_tasks
from ..errors import TooManyRequests

logger = logging.getLogger(__name__)

# Who the work is for: (tenant, user). The terminal's own work is nobody's.
Owner = tuple[str, str]
NOBODY: Final[Owner] = ("", "")

AT_ONCE: Final = 4  # children of one process; the others wait for their turn
PER_TENANT: Final = 3
PER_USER: Final = 2
MAX_WAITING: Final = 100  # of one user
RETRY_AFTER_S: Final = 10
MAX_OUTPUT_BYTES: Final = 64 << 20
_READ_BYTES: Final = 1 << 18
# SIGKILL is nobody's of ours here: who is late is told before, or by SIGXCPU.
ENDED_BY: Final = {-signal.SIGXCPU: "timeout", -signal.SIGKILL: "killed"}
# What a Python needs to start; nothing of what we know.
_KEPT_VARIABLES: Final = ("PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR")


class _Turns:
    """Places at the children: a few in all, fewer for one tenant, fewest for one user."""

    def __init__(self) -> None:
        self._all = asyncio.Semaphore(AT_ONCE)
        self._shares: dict[Owner, tuple[asyncio.Semaphore, int]] = {}

    @contextlib.asynccontextmanager
    async def take(self, owner: Owner) -> AsyncGenerator[None]:
        """The user's share first: who waits for it keeps no place that another could have."""
        async with contextlib.AsyncExitStack() as stack:
            if owner != NOBODY:
                await stack.enter_async_context(self._share(owner, PER_USER, MAX_WAITING))
                await stack.enter_async_context(self._share((owner[0], ""), PER_TENANT))
            await stack.enter_async_context(self._all)
            yield

    @contextlib.asynccontextmanager
    async def _share(
        self, key: Owner, places: int, most: int | None = None
    ) -> AsyncGenerator[None]:
        share, users = self._shares.get(key, (asyncio.Semaphore(places), 0))
        if most is not None and users >= most:
            raise TooManyRequests(
                "too many of your files are waiting to be read or written",
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
    """Return what the module `job` makes of the content, or `{"error": word}`.

    job: a module of ours below `plainloop.` with `run(content, options)`. content: a file is handed
    on as it is and never held in this process's memory; it is read from its beginning.

    The words are the job's; `timeout`, `too_large` (memory, output), `killed` (by the system, which
    had no memory left) and `corrupt` (it crashed) come from here. However this ends, cancellation
    included, the child is gone then.

    Raises: TooManyRequests when too much work of this user waits already.
    """
    turns = _turns.setdefault(asyncio.get_running_loop(), _Turns())
    arguments = orjson.dumps({"job": job, "timeout_s": timeout_s, **options}).decode()
    async with turns.take(owner):
        if not isinstance(content, bytes):
            content.flush()
            os.lseek(content.fileno(), 0, os.SEEK_SET)
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-m", "plainloop.agent.outbound.child", arguments),
            stdin=PIPE if isinstance(content, bytes) else content,
            stdout=PIPE,
            stderr=DEVNULL,
            env={name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ},
            start_new_session=True,
        )
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
    try:
        return orjson.loads(output)
    except orjson.JSONDecodeError:
        error = ENDED_BY.get(child.returncode or 0, "corrupt")
        if error == "killed":
            logger.warning("reader_killed", extra={"job": job})
        return {"error": error, "reason": f"exit {child.returncode}"}


async def _exchange(child: Process, content: bytes | None) -> bytes | None:
    """What the child says; None when it says more than it may."""
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
