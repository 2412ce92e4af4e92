"""The processes that read files, seen from the test.

A test compares with what was there before it: others of the same session may have left a fork
server, which is nobody's reader.
"""

from __future__ import annotations

import asyncio
from typing import Any

import psutil


def list_children() -> set[psutil.Process]:
    """All processes below this one."""
    return set(psutil.Process().children(recursive=True))


async def wait_for_child(task: asyncio.Task[Any], before: set[psutil.Process]) -> psutil.Process:
    """The first process that the task starts."""
    while not (children := list_children() - before):
        assert not task.done(), task
        await asyncio.sleep(0)
    return children.pop()
