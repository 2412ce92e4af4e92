"""Handing a wave in, and finding out whether it was."""

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
from ...store.batches import Wave
from .results import LOST
from .rows import WaveRows
from .waiting import Waiting, cancel_quietly

SUBMIT_TRIES: Final = 4
FIND_TRIES: Final = 2  # what was just handed in may not be listed yet
# Failures after which the provider may have the batch all the same.
_UNSURE: Final = (ModelTimeout, ModelConnectionError, ModelOverloaded)


@dataclass(slots=True)
class WaveSubmitter:
    """Hands waves in. lease_s: after which others may give up a wave of ours."""

    rows: WaveRows
    waiting: Waiting
    lease_s: float
    on_wave: Callable[[str], None]

    async def submit(
        self, wave: Wave, api: BatchApi, lines: Sequence[Mapping[str, Any]]
    ) -> BatchState | None:
        """The provider's batch; None when it takes none: then the wave is lost.

        Raises: ModelError when it is not known whether the provider has it: then the wave stays,
        and is looked for again. LeaseLost.
        """
        tries, is_unsure = 0, False
        while True:
            found = await self.find(wave, api) if is_unsure else None
            if found is not None:
                return found
            tries += 1
            try:
                return await self._create(wave, api, lines)
            except _UNSURE as error:
                if tries >= SUBMIT_TRIES:
                    raise
                is_unsure = True
                await asyncio.sleep(choose_pause(error, tries))
            except ModelError as error:
                if not isinstance(error, RateLimited) or tries >= SUBMIT_TRIES:
                    await self.lose(wave, error.code, _explain(error, api))
                    return None
                await asyncio.sleep(choose_pause(error, tries))

    async def find(self, wave: Wave, api: BatchApi) -> BatchState | None:
        """The wave at the provider. Waits while it cannot be told from others there.

        Raises: ModelError when the provider does not say what it has.
        """
        missed = failed = 0
        while True:
            foreign = await self.rows.list_foreign(wave)
            try:
                found = await api.find(wave.mark, wave.requests, wave.created_at, foreign)
            except ModelError as error:
                failed += 1
                if not error.retryable or failed >= SUBMIT_TRIES:
                    raise
                self.waiting.check_cancelled()
                await self.waiting.pause(choose_pause(error, failed))
                continue
            if found is not None and found.is_certain:
                return found.state
            missed += found is None
            if missed >= FIND_TRIES:
                return None
            self.waiting.check_cancelled()
            await self.waiting.pause(self.waiting.first_s)

    async def mark(self, wave: Wave, api: BatchApi, state: BatchState) -> Wave:
        """Note that the provider has it. Raises: LeaseLost.

        Others that gave it up meanwhile hand its calls in again: then this batch is not wanted.
        """
        try:
            return await self.rows.mark(wave, state)
        except LeaseLost:
            if await self.rows.load_status(wave) == "lost":
                await cancel_quietly(api, state.batch_id)
            raise

    async def lose(self, wave: Wave, code: str = LOST, error: AgentError | None = None) -> None:
        """The provider does not have it. Those that wait get the error, or join another wave."""
        await self.rows.lose(wave, code, error)
        self.on_wave(f"wave {wave.n}: not taken by the provider")

    async def _create(
        self, wave: Wave, api: BatchApi, lines: Sequence[Mapping[str, Any]]
    ) -> BatchState:
        """Raises: ModelError; LeaseLost when others may have given the wave up by now."""
        held_at = await self.rows.hold(wave, self.lease_s)
        if time.monotonic() - held_at > self.lease_s / 2:
            raise LeaseLost("this process was away too long to hand a wave in")
        return await api.create(wave.mark, lines)


def _explain(error: ModelError, api: BatchApi) -> ModelError:
    """A server that speaks the provider's protocol need not have its batch API."""
    if isinstance(error, ModelNotFoundError) and "batch" not in error.message:
        error.hint = f"Does the server have a batch API for {api.endpoint}? {error.hint or ''}"
    return error
