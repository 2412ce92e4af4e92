"""Tells the log when file descriptors run out: sockets are then refused without a word."""

from __future__ import annotations

import asyncio
import logging
import resource
import sys
import time
from pathlib import Path
from typing import Final

logger = logging.getLogger(__name__)

LOOK_S: Final = 5.0
TELL_S: Final = 60.0
OTHERS: Final = 100  # beside those of clients: the database, providers, files
# On Linux, elsewhere: macOS and the BSDs have no /proc.
FOLDERS: Final = ("/proc/self/fd", "/dev/fd")
SPARE: Final = 16  # files, a connection to the database: what any work needs now and then


async def watch_descriptors(look_s: float = LOOK_S) -> None:
    """Log an error while file descriptors run out, at most once a minute.

    Runs until it is cancelled. Looked for, since nobody is told: libuv takes such a connection and
    closes it at once.
    """
    warned_at = float("-inf")
    while True:
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        used = count_descriptors(limit)
        if used > limit - SPARE and time.monotonic() - warned_at >= TELL_S:
            warned_at = time.monotonic()
            logger.error(
                "out_of_file_descriptors",
                extra={
                    "used": used,
                    "limit": limit,
                    "hint": "raise the limit of open files (ulimit -n), or add a replica",
                },
            )
        await asyncio.sleep(look_s)


def allow_descriptors(connections: int) -> None:
    """Raise the limit of open files to what the connections need, if possible.

    Logs a warning if the system allows fewer.
    """
    wanted = connections + OTHERS
    soft, hard = (
        sys.maxsize if limit == resource.RLIM_INFINITY else limit
        for limit in resource.getrlimit(resource.RLIMIT_NOFILE)
    )
    allowed = min(wanted, hard)
    if soft < allowed:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (allowed, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        )
    if allowed < wanted:
        hint = (
            "raise the process's hard limit of open files (ulimit -Hn, "
            "LimitNOFILE=), or lower limits.connections"
        )
        fields = {"limit": allowed, "connections": connections, "hint": hint}
        logger.warning("few_file_descriptors", extra=fields)


def count_descriptors(limit: int) -> int:
    """Count this process's open file descriptors; 0 if the kernel does not list them.

    Returns `limit` if none is left for reading the list.
    """
    for folder in FOLDERS:
        try:
            return sum(1 for _ in Path(folder).iterdir())
        except FileNotFoundError:
            continue
        except OSError:  # EMFILE: opening the folder needs a descriptor too
            return limit
    return 0
