"""`plainloop webhooks`: the commands and their options."""

from __future__ import annotations

from typing import Annotated

import typer

from plainloop.agent.cli.terminal.launching import launch_with_store
from plainloop.agent.cli.terminal.options import LOCAL, Json
from plainloop.agent.packs.commands import make_group

Tenant = Annotated[str, typer.Option("--tenant", help="the tenant whose webhooks are meant")]
Named = Annotated[
    str, typer.Argument(metavar="WEBHOOK", help="its id, the start of its id, or its URL")
]

webhooks = make_group("Webhooks: who is told what happened.")


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
    """Tell an address what happens; what messages are signed with is shown this once.

    Events: run.ended, approval.pending, budget.reached, replay.ended, rollout.ended, gate.decided.

    \b
    plainloop webhooks add https://hooks.example.com/agent -e run.ended -e approval.pending
    """
    from .webhooks import print_new_webhook

    launch_with_store(print_new_webhook, tenant, user, url, event)


@webhooks.command("list")
def list_webhooks(as_json: Json = False, tenant: Tenant = LOCAL) -> None:
    """List the webhooks of a tenant, and which were disabled."""
    from .webhooks import print_webhooks

    launch_with_store(print_webhooks, tenant, as_json=as_json)


@webhooks.command("deliveries")
def list_deliveries(
    webhook: Named,
    as_json: Json = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 20,
    tenant: Tenant = LOCAL,
) -> None:
    """Show what it was told last, and what it answered."""
    from .webhooks import print_deliveries

    launch_with_store(print_deliveries, tenant, webhook, limit, as_json=as_json)


@webhooks.command("enable")
def enable_webhook(webhook: Named, tenant: Tenant = LOCAL) -> None:
    """Tell it again after it was disabled, first what had waited."""
    from .webhooks import enable_named

    launch_with_store(enable_named, tenant, webhook)


@webhooks.command("delete")
def delete_webhook(webhook: Named, tenant: Tenant = LOCAL) -> None:
    """Tell it nothing any more."""
    from .webhooks import delete_named

    launch_with_store(delete_named, tenant, webhook)
