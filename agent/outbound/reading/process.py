"""Runs the child: one process per file, bounded in time and number, killed when it is late."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from typing import Any, Final
from weakref import WeakKeyDictionary

import orjson

AT_ONCE: Final = 4  # children of one process; the others wait for their turn
# What a Python needs to start; nothing of what we know.
_KEPT_VARIABLES: Final = ("PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR")

_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


async def run_reader(
    kind: str, content: bytes, *, timeout_s: float, **options: Any
) -> dict[str, Any]:
    """What the reader of this kind makes of the content, or `{"error": word}`.

    The words are those of `files.REASONS`; `timeout` and `corrupt` (it crashed) come from here.
    However this ends, cancellation included, the child is gone then.
    """
    turn = _turns.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(AT_ONCE))
    arguments = orjson.dumps({"kind": kind, "timeout_s": timeout_s, **options}).decode()
    async with turn:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-m", "plainloop.agent.outbound.reading.child", arguments),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env={name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ},
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(timeout_s):
                output, _ = await child.communicate(content)
        except TimeoutError:
            return {"error": "timeout"}
        finally:
            await _end(child)
    try:
        return orjson.loads(output)
    except orjson.JSONDecodeError:
        late = child.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        return {"error": "timeout" if late else "corrupt", "reason": f"exit {child.returncode}"}


async def _end(child: Process) -> None:
    if child.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            child.kill()
    # A killed process is gone within moments; a cancel in the middle must not leave a zombie.
    await asyncio.shield(child.wait())
