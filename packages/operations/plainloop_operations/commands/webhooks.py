"""`plainloop webhooks`: make, list, enable, delete."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.rendering import format_time, render_table, shorten_id
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import InputError
from plainloop.agent.store.admin.audit import Deed, name_account, record_audit
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.store import Store

from ..webhooks import rows
from ..webhooks.making import make_webhook
from .naming import find_named


async def print_new_webhook(
    store: Store, tenant: str, user: str | None, url: str, events: Sequence[str]
) -> None:
    """Raises: InputError, OutboundRefused, ConflictError."""
    try:
        known = msgspec.convert(events, list[rows.Event])
    except msgspec.ValidationError as error:
        told = ", ".join(rows.EVENTS)
        raise InputError(f"no such event in {', '.join(events)}", hint=f"One of {told}.") from error
    async with store.transaction(tenant) as tx:
        made, deed = await make_webhook(tx, user, url, known, load_settings())
        await record_audit(tx, name_account(), deed)
    output.write_line(made.secret)
    output.write_status(f"{shorten_id(made.webhook_id)}  {url}: its secret is not shown again")


async def print_webhooks(store: Store, tenant: str, *, as_json: bool) -> None:
    found = await rows.list_webhooks(store.read(tenant), None)
    if as_json:
        output.write_line(msgspec.json.encode(found).decode())
        return
    if not found:
        output.write_line("no webhooks")
        return
    table = [
        [
            *(shorten_id(one.webhook_id), one.user_id or "everybody", one.url),
            *(" ".join(one.events), str(one.waiting)),
            f"disabled: {one.disabled_reason}" if one.disabled_at else "on",
        ]
        for one in found
    ]
    output.write_lines(render_table(["id", "of", "url", "events", "waiting", "state"], table))


async def print_deliveries(
    store: Store, tenant: str, text: str, limit: int, *, as_json: bool
) -> None:
    db = store.read(tenant)
    one = await _find(db, text)
    found = await rows.list_deliveries(db, one.webhook_id, None, limit)
    if as_json:
        output.write_line(msgspec.json.encode(found).decode())
        return
    if not found:
        output.write_line("it was told nothing yet")
        return
    table = [
        [
            *(format_time(item.created_at), item.event, str(item.attempts)),
            *("delivered" if item.delivered_at else "waiting", str(item.status or "–")),
            item.answer or "–",
        ]
        for item in found
    ]
    output.write_lines(
        render_table(["at", "event", "attempts", "state", "status", "answer"], table)
    )


async def enable_named(store: Store, tenant: str, text: str) -> None:
    """Raises: NotFoundError, InputError when several are called or begin so."""
    async with store.transaction(tenant) as tx:
        one = await _find(tx, text)
        await rows.enable_webhook(tx, one.webhook_id, None)
        await record_audit(tx, name_account(), Deed("webhook.enable", one.webhook_id))
    output.write_line(f"enabled: {one.url}")


async def delete_named(store: Store, tenant: str, text: str) -> None:
    """Raises: NotFoundError, InputError when several are called or begin so."""
    async with store.transaction(tenant) as tx:
        one = await _find(tx, text)
        await rows.delete_webhook(tx, one.webhook_id, None)
        await record_audit(tx, name_account(), Deed("webhook.delete", one.webhook_id))
    output.write_line(f"deleted: {one.url}")


async def _find(db: Queryable, text: str) -> rows.Webhook:
    found = await rows.list_webhooks(db, None)
    return find_named("webhook", text, [(one.webhook_id, one.url, one) for one in found])
