"""Which models and prompts answer a run: a canary's candidate, a table of routes, a cascade."""

from __future__ import annotations

import logging

from plainloop.agent.config.settings import Settings
from plainloop.agent.core.models import Models
from plainloop.agent.core.seams import ModelSource
from plainloop.agent.errors import AgentError, StoreError
from plainloop.agent.service.variants import OpenVariant, Variant, Variants, open_variant
from plainloop.agent.store.outages import keep_trying
from plainloop.agent.store.records import Run

from ..store import rollouts as store_rollouts
from .choosing import check_selection, list_named, select_models

logger = logging.getLogger(__name__)


class ChosenVariants(Variants):
    """Holds what users have chosen, and the candidates of canaries."""

    @staticmethod
    def list_named(settings: Settings) -> set[str]:
        """Return the names of all models in routing tables."""
        return list_named(settings)

    @staticmethod
    def check(settings: Settings, models: ModelSource) -> None:
        """Check that all models in routing tables and cascades are configured.

        Raises: ConfigError for a table or a cascade that cannot be followed.
        """
        check_selection(settings, models)

    select = staticmethod(select_models)

    async def open_canary(self, run: Run, canary_id: str, own: Models) -> OpenVariant | None:
        """Open the candidate of a canary, which answers this run.

        If that fails, ends the canary at once and returns None: its users get an answer.
        """
        if canary_id not in self._opened:
            try:
                rows = self._store.read(run.tenant_id)
                found = await keep_trying(lambda: store_rollouts.load_rollout(rows, canary_id))
                variant = Variant(**found.candidate)
                self._opened[canary_id] = await open_variant(variant, self._settings, own)
            except StoreError:
                raise
            except AgentError as error:
                await self._return(run.tenant_id, canary_id, error)
                return None
        return self._opened[canary_id]

    async def _return(self, tenant_id: str, rollout_id: str, error: AgentError) -> None:
        reason = f"the candidate cannot be used: {error.public_message}"
        logger.error("canary_returned", extra={"rollout_id": rollout_id, "reason": reason})
        rows = self._store.read(tenant_id)
        await keep_trying(lambda: store_rollouts.end_rollout(rows, rollout_id, "returned", reason))
