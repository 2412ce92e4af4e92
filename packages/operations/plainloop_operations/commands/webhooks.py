"""`plainloop webhooks`: make, list, enable, delete."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.naming import find_named
from plainloop.agent.cli.terminal.rendering import format_time, shorten_id
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import InputError
from plainloop.agent.store.admin.audit import Deed, name_account, record_audit
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.store import Store

from ..webhooks import rows
from ..webhooks.making import make_webhook
from .naming import print_rows


async def print_new_webhook(
    store: Store, tenant: str, user: str | None, url: str, events: Sequence[str]
) -> None:
    """Create a webhook and print its secret.

    Raises: InputError, OutboundRefused, ConflictError.
    """
    try:
        known = msgspec.convert(events, list[rows.Event])
    except msgspec.ValidationError as error:
        told = ", ".join(rows.EVENTS)
        raise InputError(
            f"unknown event in {', '.join(events)}", hint=f"Known events: {told}."
        ) from error
    async with store.transaction(tenant) as tx:
        made, deed = await make_webhook(tx, user, url, known, load_settings())
        await record_audit(tx, name_account(), deed)
    output.write_line(made.secret)
    output.write_status(
        f"{shorten_id(made.webhook_id)}  {url}: copy the secret now, it will not be shown again"
    )


async def print_webhooks(store: Store, tenant: str, *, as_json: bool) -> None:
    def to_cells(one: rows.Webhook) -> list[str]:
        return [
            *(shorten_id(one.webhook_id), one.user_id or "everybody", one.url),
            *(" ".join(one.events), str(one.waiting)),
            f"disabled: {one.disabled_reason}" if one.disabled_at else "on",
        ]

    found = await rows.list_webhooks(store.read(tenant), None)
    heads = ["id", "of", "url", "events", "waiting", "state"]
    print_rows(found, heads, to_cells, nothing="no webhooks", as_json=as_json)


async def print_deliveries(
    store: Store, tenant: str, text: str, limit: int, *, as_json: bool
) -> None:
    def to_cells(item: rows.Delivery) -> list[str]:
        return [
            *(format_time(item.created_at), item.event, str(item.attempts)),
            *("delivered" if item.delivered_at else "waiting", str(item.status or "–")),
            item.answer or "–",
        ]

    db = store.read(tenant)
    found = await rows.list_deliveries(db, (await _find(db, text)).webhook_id, None, limit)
    heads = ["at", "event", "attempts", "state", "status", "answer"]
    print_rows(found, heads, to_cells, nothing="no events sent yet", as_json=as_json)


async def enable_named(store: Store, tenant: str, text: str) -> None:
    """Enable a webhook by URL or beginning of its id.

    Raises: NotFoundError, InputError.
    """
    async with store.transaction(tenant) as tx:
        one = await _find(tx, text)
        await rows.enable_webhook(tx, one.webhook_id, None)
        await record_audit(tx, name_account(), Deed("webhook.enable", one.webhook_id))
    output.write_line(f"enabled: {one.url}")


async def delete_named(store: Store, tenant: str, text: str) -> None:
    """Delete a webhook by URL or beginning of its id.

    Raises: NotFoundError, InputError.
    """
    async with store.transaction(tenant) as tx:
        one = await _find(tx, text)
        await rows.delete_webhook(tx, one.webhook_id, None)
        await record_audit(tx, name_account(), Deed("webhook.delete", one.webhook_id))
    output.write_line(f"deleted: {one.url}")


async def _find(db: Queryable, text: str) -> rows.Webhook:
    found = await rows.list_webhooks(db, None)
    return find_named("webhook", text, [(one.webhook_id, one.url, one) for one in found])
