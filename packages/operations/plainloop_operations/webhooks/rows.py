"""Webhooks as rows: who is told what, and every message until it is delivered.

Triggers write messages (0001_operations_webhooks.sql): with what they tell, in one transaction.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal, get_args

from plainloop.agent.base.ids import make_id
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import ConflictError, NotFoundError
from plainloop.agent.store.database import Queryable, parse_id
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.store import Store
from plainloop.agent.usage.model_changes import ModelChange

SQL: Final = load_sql(Path(__file__).parent / "webhooks.sql")
Event = Literal[
    "run.ended",
    "approval.pending",
    "budget.reached",
    "replay.ended",
    "rollout.ended",
    "gate.decided",
    "advice.ended",
    "model.ending",
    "model.changed",
]
# They concern the whole tenant: a user's own webhook cannot have them.
TENANT_EVENTS: Final[tuple[Event, ...]] = ("model.ending", "model.changed")
EVENTS: Final[tuple[Event, ...]] = get_args(Event)
SECRET_BYTES: Final = 32
DELETED_AT_ONCE: Final = 2_000  # in one transaction: it must not hold up those that write


@dataclass(frozen=True, slots=True)
class Webhook:
    """A URL that receives events. user_id: of whose runs; None: all users'."""

    webhook_id: str
    user_id: str | None
    url: str
    events: list[Event]
    created_at: datetime
    disabled_at: datetime | None  # None: it works
    disabled_reason: str | None
    waiting: int  # messages that were not delivered yet


@dataclass(frozen=True, slots=True)
class Delivery:
    """A webhook message with the outcome of its last attempt."""

    message_id: str
    event: Event
    data: dict[str, Any]
    created_at: datetime
    attempts: int
    due_at: datetime | None  # when it is sent again; None: it was delivered
    delivered_at: datetime | None
    status: int | None  # of HTTP; None: no answer
    answer: str | None


@dataclass(frozen=True, slots=True)
class Claimed:
    """A webhook message that this process is sending."""

    tenant_id: str
    delivery_id: int
    webhook_id: str
    message_id: str
    event: Event
    data: dict[str, Any]
    created_at: datetime
    attempts: int  # with this one
    url: str
    secret: bytes


async def create_webhook(
    tx: Queryable, user_id: str | None, url: str, events: Sequence[Event], most: int
) -> tuple[str, bytes]:
    """Create a webhook, and return its id and its signing secret.

    Raises: ConflictError TOO_MANY_WEBHOOKS.
    """
    webhook_id, secret = make_id(), secrets.token_bytes(SECRET_BYTES)
    await tx.execute(SQL["take_turn"], tx.tenant_id, user_id)
    row = (webhook_id, user_id, url, secret, sorted(set(events)))
    if not await tx.fetchval(SQL["save_webhook"], tx.tenant_id, *row, most):
        hint = "Delete one first. limits.webhooks_per_user sets the maximum."
        raise ConflictError(
            f"there are already {most} webhooks", hint=hint, code="TOO_MANY_WEBHOOKS"
        )
    return webhook_id, secret


async def list_webhooks(db: Queryable, user_id: str | None) -> list[Webhook]:
    """List a user's webhooks, oldest first.

    user_id None: list those of all users and of the tenant.
    """
    rows: Any = await db.fetch(SQL["list_webhooks"], db.tenant_id, user_id)
    return [Webhook(**row) for row in rows]


async def list_deliveries(
    db: Queryable, webhook_id: str, user_id: str | None, limit: int
) -> list[Delivery]:
    """List a webhook's newest messages.

    user_id: its owner; None: it may have any owner. Raises: NotFoundError.
    """
    asked = parse_id(webhook_id, "webhook")
    if not await db.fetchval(SQL["has_webhook"], db.tenant_id, asked, user_id):
        raise _make_missing(webhook_id)
    rows: Any = await db.fetch(SQL["list_deliveries"], db.tenant_id, asked, limit)
    return [Delivery(**row) for row in rows]


async def delete_webhook(tx: Queryable, webhook_id: str, user_id: str | None) -> None:
    """Delete a webhook.

    Raises: NotFoundError.
    """
    asked = parse_id(webhook_id, "webhook")
    if not await tx.execute(SQL["delete_webhook"], tx.tenant_id, asked, user_id):
        raise _make_missing(webhook_id)


async def enable_webhook(tx: Queryable, webhook_id: str, user_id: str | None) -> None:
    """Enable a webhook, so that its queued messages are sent.

    Raises: NotFoundError.
    """
    asked = parse_id(webhook_id, "webhook")
    if not await tx.fetchval(SQL["enable_webhook"], tx.tenant_id, asked, user_id):
        raise _make_missing(webhook_id)


async def list_model_tenants(store: Store) -> list[str]:
    """List the tenants with webhooks for changes of models."""
    async with store.database.operate() as tx:
        return [row["tenant_id"] for row in await tx.fetch(SQL["list_model_tenants"])]


async def tell_model_change(db: Queryable, item: ModelChange) -> None:
    """Queue a message about changed models for each webhook of the tenant.

    Each change is told once. Announced shutdown dates are `model.ending`; price changes and
    re-routes are `model.changed`.
    """
    what = (item.provider, sorted(item.models), item.at)
    if item.ending is not None:
        ended = item.to_ending_record()
        data = {name: ended[name] for name in ("provider", "models", "ends", "successor", "share")}
        await db.execute(SQL["tell_ending"], db.tenant_id, *what, item.to or "", data)
    if item.kind != "shutdown":
        data = item.to_record()
        del data["rehearsal"], data["calls"]
        after = item.price.new.describe() if item.kind == "price" and item.price else item.to
        await db.execute(SQL["tell_change"], db.tenant_id, *what, f"{item.kind} {after}", data)


async def claim_deliveries(store: Store, most: int, lease_s: float) -> list[Claimed]:
    """Claim due webhook messages of all tenants for `lease_s` seconds.

    After that another process may send them.
    """
    async with store.database.operate() as tx:
        rows: Any = await tx.fetch(SQL["claim_deliveries"], most, lease_s)
    return [Claimed(**row) for row in rows]


async def delete_old_deliveries(store: Store) -> None:
    """Delete all tenants' webhook messages that were delivered more than a week ago."""
    while True:
        async with store.database.operate() as tx:
            count = await tx.execute(SQL["delete_old_deliveries"], DELETED_AT_ONCE)
        if count < DELETED_AT_ONCE:
            return


async def settle_delivery(
    db: Queryable, one: Claimed, status: int | None, answer: str, again_s: float | None
) -> None:
    """Record an attempt to deliver a webhook message.

    again_s: seconds until the next attempt; None: delivered.
    """
    told = (one.attempts, status, answer, again_s)
    await db.execute(SQL["settle_delivery"], db.tenant_id, one.delivery_id, *told)


async def disable_webhook(db: Queryable, webhook_id: str, reason: str) -> None:
    """Disable a webhook until it is enabled again."""
    await db.execute(SQL["disable_webhook"], db.tenant_id, webhook_id, reason)


def _make_missing(webhook_id: str) -> NotFoundError:
    return NotFoundError(
        f"no such webhook: {webhook_id}", hint="`plainloop webhooks list` shows all webhooks."
    )
