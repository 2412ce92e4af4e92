"""The commands `plainloop keys` and `plainloop audit`, and their options."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ...dataclasses import dataclass
from ..terminal.launching import launch_with_store
from ..terminal.options import LOCAL, Json, grouped, option

Tenant = Annotated[str, typer.Option("--tenant", help="the tenant of the keys")]

keys = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@dataclass(frozen=True, slots=True)
class KeyOptions:
    """Options of a new API key."""

    name: str = option("what the key is for", "unnamed")
    scope: Literal["read", "write", "admin"] = option(
        "permission: read, write, or admin (the whole tenant)", "write"
    )
    days: float | None = option("days until the key expires; default: the longest allowed", None)


@keys.command("create")
@grouped
def create_key(
    user: Annotated[str, typer.Argument(metavar="USER", help="the user whose rights the key has")],
    options: KeyOptions,
    tenant: Tenant = LOCAL,
) -> None:
    """Create an API key, which is shown only once.

    Programs can use the key wherever a JWT is accepted: HTTP, event streams, WebSockets, and all
    protocols such as OpenAI's.

    \b
    plainloop keys create ada --tenant acme --name "nightly report" --scope read --days 90
    """
    from .keys import print_new_key

    launch_with_store(print_new_key, tenant, user, options.name, options.scope, options.days)


@keys.command("list")
def list_keys(
    as_json: Json = False,
    tenant: Tenant = LOCAL,
    user: Annotated[str | None, typer.Option("--user", help="list only this user's keys")] = None,
) -> None:
    """List the keys of a tenant: names, scopes, last use."""
    from .keys import print_keys

    launch_with_store(print_keys, tenant, user, as_json=as_json)


@keys.command("revoke")
def revoke_key(
    key: Annotated[
        str, typer.Argument(metavar="KEY", help="the key's id, the start of its id, or its name")
    ],
    tenant: Tenant = LOCAL,
) -> None:
    """Revoke a key for good, and end the sessions that were started with it."""
    from .keys import revoke_named_key

    launch_with_store(revoke_named_key, tenant, key)


def audit(
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="print all entries as CSV")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="number of rows to show")] = 50,
    tenant: Tenant = LOCAL,
) -> None:
    """List administrators' actions in a tenant, newest first.

    Shows who changed budgets or keys, erased data or moved the tenant, and whether that was done
    over HTTP or by a command. Entries cannot be changed.

    \b
    plainloop audit --tenant acme --csv > audit.csv
    """
    from .keys import print_audit

    if as_json and as_csv:
        raise typer.BadParameter("--json and --csv exclude each other: give one of them")
    launch_with_store(print_audit, tenant, limit, "json" if as_json else "csv" if as_csv else None)
