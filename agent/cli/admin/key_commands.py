"""The commands `plainloop keys` and `plainloop audit`, and their options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import typer

from ..terminal.launching import launch_with_store
from ..terminal.options import LOCAL, Json, grouped, option

Tenant = Annotated[str, typer.Option("--tenant", help="the tenant whose keys are meant")]

keys = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@dataclass(frozen=True, slots=True)
class KeyOptions:
    """Says what a key is to be."""

    name: str = option("what it is for", "unnamed")
    scope: Literal["read", "write", "admin"] = option(
        "read, write, or admin: the whole tenant", "write"
    )
    days: float | None = option("how long it holds; unset: as long as keys may", None)


@keys.command("create")
@grouped
def create_key(
    user: Annotated[str, typer.Argument(metavar="USER", help="the user the key acts as")],
    options: KeyOptions,
    tenant: Tenant = LOCAL,
) -> None:
    """Make an API key; it is shown this once.

    For programs, wherever a JWT is taken: HTTP, event streams, WebSockets, OpenAI's and all other
    protocols.

    \b
    plainloop keys create ada --tenant acme --name "nightly report" --scope read --days 90
    """
    from .keys import print_new_key

    launch_with_store(print_new_key, tenant, user, options.name, options.scope, options.days)


@keys.command("list")
def list_keys(
    as_json: Json = False,
    tenant: Tenant = LOCAL,
    user: Annotated[str | None, typer.Option("--user", help="only this user's keys")] = None,
) -> None:
    """List the keys of a tenant: names, scopes, last use."""
    from .keys import print_keys

    launch_with_store(print_keys, tenant, user, as_json=as_json)


@keys.command("revoke")
def revoke_key(
    key: Annotated[
        str, typer.Argument(metavar="KEY", help="its id, the start of its id, or its name")
    ],
    tenant: Tenant = LOCAL,
) -> None:
    """End a key for good, with the sessions that were begun with it."""
    from .keys import revoke_named_key

    launch_with_store(revoke_named_key, tenant, key)


def audit(
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="print everything as CSV")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="rows to show")] = 50,
    tenant: Tenant = LOCAL,
) -> None:
    """List what administrators did to a tenant, the newest first.

    Budgets, keys, erasures, moves: by whom, over HTTP or by a command. None can be changed.

    \b
    plainloop audit --tenant acme --csv > audit.csv
    """
    from .keys import print_audit

    if as_json and as_csv:
        raise typer.BadParameter("either --json or --csv")
    launch_with_store(print_audit, tenant, limit, "json" if as_json else "csv" if as_csv else None)
