"""Sends what webhooks are to be told: at least once each, in order within a run.

    trigger ──► row of webhook_deliveries ──claimed by one process──► POST ──2xx──► delivered
                       ▲                                                │
                       └────── after a pause of the table ◄─────────────┴─attempts used up─► off

A claim is a lease: the messages of a process that was killed are due again when it ends.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Iterable
from typing import Final

import orjson

from plainloop.agent.base.finishing import end_tasks
from plainloop.agent.core.api import ApiRoute
from plainloop.agent.errors import OutboundFailed, OutboundRefused
from plainloop.agent.outbound.addresses import parse_allow_list
from plainloop.agent.outbound.client import OutboundRequest, fetch
from plainloop.agent.outbound.resolving import Resolve, resolve_host
from plainloop.agent.providers.endings import load_endings
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.service.service import Service
from plainloop.agent.store.outages import try_once
from plainloop.agent.usage.model_changes import list_model_changes

from ..settings import OperationsLimits
from .rows import (
    Claimed,
    claim_deliveries,
    delete_old_deliveries,
    disable_webhook,
    list_model_tenants,
    settle_delivery,
    tell_model_change,
)
from .signing import sign

logger = logging.getLogger(__name__)

AT_ONCE: Final = 20  # messages of one process
# Pauses after the attempts, in units of limits.webhook_retry_s; with 5 s: 5 s to 10 hours.
PAUSES: Final = (1, 6, 24, 120, 360, 1_440, 3_600, 7_200)
JITTER: Final = 0.2
ANSWER_BYTES: Final = 500
LEASE_SHARE: Final = 3  # of the time that an attempt may take
GONE: Final = 410
MODELS_EVERY_S: Final = 3_600.0  # vendors' lists and calls change by the day
CLEAN_EVERY_S: Final = 3_600.0  # what was delivered a week ago goes


class WebhookHost:
    """Sends due webhook messages of all tenants. `start` before use, `drain` before closing.

    resolve: how addresses are looked up.
    """

    prefixes = ("/api/webhooks",)

    def __init__(self, service: Service, resolve: Resolve = resolve_host) -> None:
        self._settings = service.settings
        self._store = service.store
        self._allow = parse_allow_list(service.settings.outbound_allow)
        self._resolve: Resolve = resolve
        self._sending: set[asyncio.Task[object]] = set()
        self._watcher = service.watcher

    async def start(self) -> None:
        """Start sending due messages, polling for model changes and deleting old deliveries."""
        self._watcher.start("webhooks", self._look)
        self._watcher.start("models", self.tell_model_changes, MODELS_EVERY_S)
        self._watcher.start("deliveries", self._delete_old, CLEAN_EVERY_S, CLEAN_EVERY_S)

    async def drain(self) -> None:
        """Stop sending webhook messages.

        Another process may repeat deliveries in progress.
        """
        await self._watcher.stop("webhooks", "models", "deliveries")
        await end_tasks(*self._sending)

    def list_routes(self, app: object) -> Iterable[ApiRoute]:
        """List the routes of `/api/webhooks`."""
        from .routes import WEBHOOK_ROUTES

        return WEBHOOK_ROUTES

    async def tell_model_changes(self) -> float:
        """Queue webhook messages about changes of models in use.

        Returns the seconds until the next check.
        """
        endings = load_endings(self._settings.endings_file)
        prices = Prices(self._settings.prices)
        for tenant_id in await list_model_tenants(self._store):
            rows = self._store.read(tenant_id)
            for item in await list_model_changes(rows, endings, prices):
                await tell_model_change(rows, item)
        return MODELS_EVERY_S

    async def _delete_old(self) -> float:
        await delete_old_deliveries(self._store)
        return CLEAN_EVERY_S

    async def _look(self) -> None:
        free = AT_ONCE - len(self._sending)
        lease_s = LEASE_SHARE * self._settings.get_table(OperationsLimits).webhook_timeout_s
        for one in await claim_deliveries(self._store, free, lease_s) if free else ():
            task = asyncio.create_task(try_once("deliver_webhook", self._deliver(one)))
            self._sending.add(task)
            task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[object]) -> None:
        self._sending.discard(task)
        self._watcher.poke("webhooks")

    async def _deliver(self, one: Claimed) -> None:
        limits, db = self._settings.get_table(OperationsLimits), self._store.read(one.tenant_id)
        status, answer = await self._post(one)
        if status is not None and 200 <= status < 300:
            return await settle_delivery(db, one, status, answer, None)
        pause = limits.webhook_retry_s * PAUSES[min(one.attempts, len(PAUSES)) - 1]
        again_s = pause * (1 + random.uniform(0, JITTER))
        await settle_delivery(db, one, status, answer, again_s)
        if one.attempts >= limits.webhook_attempts or status == GONE:
            reason = f"{one.attempts} attempts failed; the last one returned {answer or status}"
            await disable_webhook(db, one.webhook_id, reason[:ANSWER_BYTES])
            told = {"tenant_id": one.tenant_id, "webhook_id": one.webhook_id, "status": status}
            logger.warning("webhook_disabled", extra=told)
        return None

    async def _post(self, one: Claimed) -> tuple[int | None, str]:
        """Post a message; return (status or None, the receiver's answer or the failure)."""
        told = {"type": one.event, "timestamp": one.created_at.isoformat(), "data": one.data}
        body = orjson.dumps(told)
        headers = sign(one.secret, f"msg_{one.message_id}", int(time.time()), body)
        request = OutboundRequest(
            one.url,
            "POST",
            headers={**headers, "content-type": "application/json"},
            content=body,
            max_bytes=ANSWER_BYTES,
            timeout_s=self._settings.get_table(OperationsLimits).webhook_timeout_s,
            max_redirects=0,
        )
        try:
            answer = await fetch(request, self._allow, resolve=self._resolve)
        except (OutboundFailed, OutboundRefused) as error:
            return None, error.message
        except Exception as error:
            # The edge: whatever a library says of an address that somebody made up.
            logger.exception("webhook_failed", extra={"webhook_id": one.webhook_id})
            return None, type(error).__name__
        text = answer.content.decode(errors="replace").replace("\0", "\ufffd")
        return answer.status, text
