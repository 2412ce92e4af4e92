"""How long batches wait, and what ends their waiting."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Final

from ...errors import AgentError, ModelError
from ...providers.batching import BatchApi

logger = logging.getLogger(__name__)

SLOWER_BY: Final = 1.5  # each look at a batch comes so much later than the one before
SLOWEST: Final = 10  # times the first pause


@dataclass(slots=True)
class Polling:
    """Pauses of one process's batches. first_s: between the first two looks at a batch."""

    first_s: float
    _cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    _reason: AgentError | None = None

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self, reason: AgentError) -> None:
        """End all pauses; nothing is waited for that may take long."""
        self._reason = reason
        self._cancelled.set()

    def check_cancelled(self) -> None:
        """Raises: why the replay was cancelled."""
        if self._reason is not None:
            raise self._reason

    async def pause(self, pause_s: float) -> float:
        """Pause until the time is over, or the replay is cancelled. Returns: the next pause."""
        try:
            async with asyncio.timeout(pause_s):
                await self._cancelled.wait()
        except TimeoutError:
            pass
        return min(pause_s * SLOWER_BY, self.first_s * SLOWEST)


async def cancel_quietly(api: BatchApi, batch_id: str) -> None:
    """One that has just ended cannot be cancelled, and need not be."""
    try:
        await api.cancel(batch_id)
    except ModelError as error:
        logger.warning("batch_not_cancelled", extra={"batch_id": batch_id, "code": error.code})
