"""`plainloop usage`: the report and its options. Files of the ledger are plainloop-operations'."""

from __future__ import annotations

import typer

from ..brought import ExtendedGroup
from ..terminal.launching import launch_with_store
from ..terminal.options import grouped
from .options import Ledger, Report

usages = typer.Typer(cls=ExtendedGroup, rich_markup_mode=None, invoke_without_command=True)


@usages.callback()
@grouped
def usage(context: typer.Context, report: Report, ledger: Ledger) -> None:
    """Show tokens and cost, and what was saved by avoided calls.

    \b
    plainloop usage --by day,model --format csv
    plainloop usage --by run --sort cost --limit 10
    plainloop usage --tenant '*' --since "last month"

    With --tenant for another tenant, the calls of all its users are shown.
    """
    if context.invoked_subcommand is not None:
        return
    from .report import make_question, usage

    launch_with_store(usage, make_question(report, ledger))
