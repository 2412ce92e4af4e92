"""`plainloop webhooks`: the commands and their options."""

from __future__ import annotations

from typing import Annotated

import typer

from plainloop.agent.cli.terminal.launching import launch_with_store
from plainloop.agent.cli.terminal.options import LOCAL, Json
from plainloop.agent.packs.commands import make_group

Tenant = Annotated[str, typer.Option("--tenant", help="the tenant of the webhooks")]
Named = Annotated[
    str, typer.Argument(metavar="WEBHOOK", help="the webhook's id, the start of its id, or its URL")
]

webhooks = make_group("Send events to webhooks.")


@webhooks.command("add")
def add_webhook(
    url: Annotated[str, typer.Argument(metavar="URL", help="URL that receives the events")],
    event: Annotated[
        list[str], typer.Option("--event", "-e", help="event to send; may be repeated")
    ],
    tenant: Tenant = LOCAL,
    user: Annotated[
        str | None, typer.Option("--user", help="only this user's runs; default: all users")
    ] = None,
) -> None:
    """Send events to a URL. The secret that signs the events is shown only once.

    Events: run.ended, approval.pending, budget.reached, replay.ended, rollout.ended, gate.decided,
    advice.ended; and for all users only: model.ending, model.changed.

    \b
    plainloop webhooks add https://hooks.example.com/agent -e run.ended -e approval.pending
    """
    from .webhooks import print_new_webhook

    launch_with_store(print_new_webhook, tenant, user, url, event)


@webhooks.command("list")
def list_webhooks(as_json: Json = False, tenant: Tenant = LOCAL) -> None:
    """List the webhooks of a tenant, also disabled ones."""
    from .webhooks import print_webhooks

    launch_with_store(print_webhooks, tenant, as_json=as_json)


@webhooks.command("deliveries")
def list_deliveries(
    webhook: Named,
    as_json: Json = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 20,
    tenant: Tenant = LOCAL,
) -> None:
    """Show the last deliveries to a webhook, and the receiver's responses."""
    from .webhooks import print_deliveries

    launch_with_store(print_deliveries, tenant, webhook, limit, as_json=as_json)


@webhooks.command("enable")
def enable_webhook(webhook: Named, tenant: Tenant = LOCAL) -> None:
    """Enable a disabled webhook again. Events that were held back are sent first."""
    from .webhooks import enable_named

    launch_with_store(enable_named, tenant, webhook)


@webhooks.command("delete")
def delete_webhook(webhook: Named, tenant: Tenant = LOCAL) -> None:
    """Delete a webhook."""
    from .webhooks import delete_named

    launch_with_store(delete_named, tenant, webhook)
