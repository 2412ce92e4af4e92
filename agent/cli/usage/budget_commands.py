"""`plainloop budget …`: the commands and their options."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ..terminal.launching import launch_with_store
from ..terminal.options import LOCAL, Json, grouped
from .options import Limits

budgets = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

Tenant = Annotated[str, typer.Option("--tenant", help="the tenant of the budgets")]


@budgets.command("set")
@grouped
def set_budget(
    scope: Annotated[
        Literal["tenant", "user", "run"], typer.Argument(help="what the budget applies to")
    ],
    limits: Limits,
    tenant: Tenant = LOCAL,
) -> None:
    """Set a budget, or change its limits.

    Before each model call, its largest possible usage is reserved. If the budget has no room for
    it, the call is not made. Under a limit in USD, a model without a known price is refused.

    \b
    plainloop budget set tenant --usd 50 --per month
    plainloop budget set user --tokens 200000 --per day
    plainloop budget set run --usd 0.50
    """
    from .budgets import set_budget

    launch_with_store(set_budget, tenant, scope, limits)


@budgets.command("list")
def list_budgets(as_json: Json = False, tenant: Tenant = LOCAL) -> None:
    """List budgets and how far they are used up."""
    from .budgets import print_budgets

    launch_with_store(print_budgets, tenant, as_json=as_json)


@budgets.command("delete")
def delete_budget(
    budget: Annotated[
        str, typer.Argument(metavar="BUDGET", help="the budget's id, or the start of its id")
    ],
    tenant: Tenant = LOCAL,
) -> None:
    """Delete a budget."""
    from .budgets import remove_budget

    launch_with_store(remove_budget, tenant, budget)
