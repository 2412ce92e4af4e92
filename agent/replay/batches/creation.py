"""Handing a batch in, and finding out whether it was."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...core.llm import choose_pause
from ...errors import (
    AgentError,
    LeaseLost,
    ModelConnectionError,
    ModelError,
    ModelNotFoundError,
    ModelOverloaded,
    ModelTimeout,
    RateLimited,
)
from ...providers.batching import BatchApi, BatchState
from ...store.batches import ProviderBatch
from .polling import Polling, cancel_quietly
from .rows import BatchRows
from .settlement import LOST

SUBMIT_TRIES: Final = 4
FIND_TRIES: Final = 2  # what was just handed in may not be listed yet
# Failures after which the provider may have the batch all the same.
_UNSURE: Final = (ModelTimeout, ModelConnectionError, ModelOverloaded)


@dataclass(slots=True)
class BatchCreator:
    """Hands batches in. lease_s: after which others may give up a batch of ours."""

    rows: BatchRows
    polling: Polling
    lease_s: float
    on_progress: Callable[[str], None]

    async def submit(
        self, batch: ProviderBatch, api: BatchApi, lines: Sequence[Mapping[str, Any]]
    ) -> BatchState | None:
        """The provider's batch; None when it takes none: then the batch is lost.

        Raises: ModelError when it is not known whether the provider has it: then the batch stays,
        and is looked for again. LeaseLost.
        """
        tries, is_unsure = 0, False
        while True:
            found = await self.find(batch, api) if is_unsure else None
            if found is not None:
                return found
            tries += 1
            try:
                return await self._create(batch, api, lines)
            except _UNSURE as error:
                if tries >= SUBMIT_TRIES:
                    raise
                is_unsure = True
                await asyncio.sleep(choose_pause(error, tries))
            except ModelError as error:
                if not isinstance(error, RateLimited) or tries >= SUBMIT_TRIES:
                    await self.lose(batch, error.code, _explain(error, api))
                    return None
                await asyncio.sleep(choose_pause(error, tries))

    async def find(self, batch: ProviderBatch, api: BatchApi) -> BatchState | None:
        """The batch at the provider. Waits while it cannot be told from others there.

        Raises: ModelError when the provider does not say what it has.
        """
        missed = failed = 0
        while True:
            foreign = await self.rows.list_foreign(batch)
            try:
                found = await api.find(batch.mark, batch.requests, batch.created_at, foreign)
            except ModelError as error:
                failed += 1
                if not error.retryable or failed >= SUBMIT_TRIES:
                    raise
                self.polling.check_cancelled()
                await self.polling.pause(choose_pause(error, failed))
                continue
            if found is not None and found.is_certain:
                return found.state
            missed += found is None
            if missed >= FIND_TRIES:
                return None
            self.polling.check_cancelled()
            await self.polling.pause(self.polling.first_s)

    async def mark(self, batch: ProviderBatch, api: BatchApi, state: BatchState) -> ProviderBatch:
        """Note that the provider has it. Raises: LeaseLost.

        Others that gave it up meanwhile hand its calls in again: then this batch is not wanted.
        """
        try:
            return await self.rows.mark(batch, state)
        except LeaseLost:
            if await self.rows.load_status(batch) == "lost":
                await cancel_quietly(api, state.batch_id)
            raise

    async def lose(
        self, batch: ProviderBatch, code: str = LOST, error: AgentError | None = None
    ) -> None:
        """The provider does not have it. Those that wait get the error, or join another batch."""
        await self.rows.lose(batch, code, error)
        self.on_progress(f"batch {batch.n}: not taken by the provider")

    async def _create(
        self, batch: ProviderBatch, api: BatchApi, lines: Sequence[Mapping[str, Any]]
    ) -> BatchState:
        """Raises: ModelError; LeaseLost when others may have given the batch up by now."""
        held_at = await self.rows.hold(batch, self.lease_s)
        if time.monotonic() - held_at > self.lease_s / 2:
            raise LeaseLost("this process was away too long to hand a batch in")
        return await api.create(batch.mark, lines)


def _explain(error: ModelError, api: BatchApi) -> ModelError:
    """A server that speaks the provider's protocol need not have its batch API."""
    if isinstance(error, ModelNotFoundError) and "batch" not in error.message:
        error.hint = f"Does the server have a batch API for {api.endpoint}? {error.hint or ''}"
    return error
