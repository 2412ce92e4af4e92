"""Makes a webhook: over HTTP, or by a command."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import InputError
from plainloop.agent.store.admin.audit import Deed
from plainloop.agent.store.database import Queryable

from ..settings import OperationsLimits
from .addresses import check_address
from .rows import TENANT_EVENTS, Event, create_webhook
from .signing import write_secret


class MadeWebhook(Struct):
    webhook_id: str
    secret: str  # what messages are signed with; shown this once


async def make_webhook(
    tx: Queryable, user_id: str | None, url: str, events: Sequence[Event], settings: Settings
) -> tuple[MadeWebhook, Deed]:
    """Create a webhook, and return it with the audit log's entry.

    user_id None: it gets the events of all users' runs. Raises: InputError, OutboundRefused;
    ConflictError TOO_MANY_WEBHOOKS.
    """
    check_address(settings, url)
    if user_id is not None and (of_tenant := [it for it in TENANT_EVENTS if it in events]):
        hint = "An administrator can create the webhook for all users, with `everybody`."
        raise InputError(
            f"the event {of_tenant[0]} concerns the whole tenant, not one user", hint=hint
        )
    most = settings.get_table(OperationsLimits).webhooks_per_user
    webhook_id, secret = await create_webhook(tx, user_id, url, events, most)
    deed = Deed("webhook.create", webhook_id, user_id or "", {"events": sorted(set(events))})
    return MadeWebhook(webhook_id, write_secret(secret)), deed
