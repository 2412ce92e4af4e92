"""The processes that read files, seen from the test.

Others of the same session are nobody's reader: a browser that starts and ends its own processes as
it likes, what commands are forked from.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import psutil

READER = "plainloop_documents.child"


def list_children() -> set[psutil.Process]:
    """All readers below this process, and what has ended and was not waited for."""
    return set(filter(_is_reader, psutil.Process().children(recursive=True)))


def _is_reader(process: psutil.Process) -> bool:
    try:
        return READER in process.cmdline()
    except psutil.ZombieProcess:
        return process.ppid() == os.getpid()
    except psutil.NoSuchProcess:  # meanwhile
        return False


def has_begun(child: psutil.Process) -> bool:
    """Whether the child has told that it is ready: its errors go nowhere from then on."""
    return str(Path(f"/proc/{child.pid}/fd/2").readlink()) == os.devnull


async def wait_for_child(task: asyncio.Task[Any], before: set[psutil.Process]) -> psutil.Process:
    """The first process that the task starts."""
    while not (children := list_children() - before):
        assert not task.done(), task
        await asyncio.sleep(0)
    return children.pop()
