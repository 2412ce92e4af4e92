"""Restarts the embedded server after a crash, in the process that first needs it."""

from __future__ import annotations

import asyncio
import logging
from itertools import chain, repeat
from pathlib import Path
from typing import Final

from ...errors import StoreError
from .server import start_embedded

logger = logging.getLogger(__name__)

PAUSES_S: Final = (0.0, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)  # the last one again and again


class Keeper:
    """Restarts the embedded server of one data directory after a connection found it gone.
    Processes take turns by the directory's lock, so that one of them starts the server and the
    others find it running.
    """

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._lock = asyncio.Lock()
        self._failed: StoreError | None = None
        self._pauses = chain(PAUSES_S, repeat(PAUSES_S[-1]))
        self._not_before = 0.0

    async def revive(self) -> None:
        """Start the embedded Postgres server again if it is down.

        Raises: StoreError when it does not start, or did not a moment ago; the caller tries again
        later.
        """
        async with self._lock:
            now = asyncio.get_running_loop().time()
            # All waiters get the reason of the last failure: each start of its own would take
            # seconds, and fail alike (test_a_failing_embedded_server_is_retried_with_a_reason).
            if self._failed is not None and now < self._not_before:
                raise self._failed
            logger.warning("embedded_server_gone", extra={"data_dir": str(self._data_dir)})
            try:
                await asyncio.to_thread(start_embedded, self._data_dir, may_be_new=False)
            except StoreError as error:
                self._failed = error
                self._not_before = asyncio.get_running_loop().time() + next(self._pauses)
                raise
            self._failed = None
            self._pauses = chain(PAUSES_S, repeat(PAUSES_S[-1]))
