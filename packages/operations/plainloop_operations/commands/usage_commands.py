"""`plainloop usage export`, `reconcile`, `recost`, `statement`: the commands and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from plainloop.agent.cli.terminal.launching import launch
from plainloop.agent.cli.terminal.options import LOCAL, Json, grouped
from plainloop.agent.cli.usage.options import ZONE, Ledger
from plainloop.agent.config.zones import UTC_ZONE
from plainloop.agent.packs.commands import make_group

usages = make_group("Show tokens and cost, and what was saved by avoided calls.")


@usages.command()
@grouped
def recost(
    ledger: Ledger,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="show what would change without changing it")
    ] = False,
) -> None:
    """Calculate the cost of recorded calls again.

    Uses [prices] in plainloop.toml and the public price list, as of the time of each call. Only
    this command changes recorded costs, and it stores the previous cost too. A call whose price is
    now unknown keeps its cost.

    \b
    plainloop usage recost --since 2026-11-01 --dry-run
    """
    from .ledger import recost

    launch(recost(ledger.tenant, *ledger.span, is_trial=dry_run))


@usages.command()
@grouped
def export(
    ledger: Ledger,
    target: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="file to write; default: stdout"),
    ] = None,
    form: Annotated[
        Literal["csv", "jsonl", "focus", "parquet"],
        typer.Option(
            "--format",
            "-f",
            help="focus: CSV with the columns of FinOps FOCUS; parquet needs an extra package",
        ),
    ] = "csv",
) -> None:
    """Export the ledger, one row per call.

    \b
    plainloop usage export -f focus -o november.csv --since 2026-11-01
    """
    from .ledger import export

    launch(export(ledger.tenant, target, form, *ledger.span, ledger.day_zone))


Tenant = Annotated[str, typer.Option("--tenant", help="tenant whose calls to include; * for all")]


@usages.command()
def reconcile(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="file of the provider's export; - reads stdin")
    ],
    columns: Annotated[
        str | None,
        typer.Option(
            "--map", metavar="date=…,model=…", help="the CSV column of each field listed above"
        ),
    ] = None,
    provider: Annotated[
        str | None,
        typer.Option(
            "--provider", help="only calls to this provider; default: the file's provider"
        ),
    ] = None,
    as_json: Json = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Compare the ledger with a provider's usage export.

    Tokens and cost are compared by day (UTC) and model. The exit code is 1 if anything differs.
    Accepts JSON of Anthropic's usage_report/messages or cost_report, and of OpenAI's
    organization/usage/completions or organization/costs, in buckets of a day. Also accepts CSV of
    Anthropic's console, of `usage --by day,model`, and any other with --map. Columns for --map:
    date, model, input (all of it) or uncached, cached, written, written_long, output, reasoning,
    cost.

    \b
    plainloop usage reconcile usage.json
    plainloop usage reconcile bill.csv --map date=Day,model=Model,input=In,output=Out,cost=USD
    """
    from .ledger import reconcile

    launch(reconcile(tenant, file, columns, provider, as_json=as_json))


@usages.command()
def statement(
    month: Annotated[
        str | None,
        typer.Option(
            "--month",
            metavar="MONTH",
            help="month, such as 2026-11 or november; default: last month",
        ),
    ] = None,
    target: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE.html")] = None,
    markup: Annotated[float, typer.Option("--markup", min=0, help="markup in percent")] = 0,
    zone: Annotated[
        str, typer.Option("--zone", help=ZONE.format("the month and its days"))
    ] = UTC_ZONE,
    tenant: Tenant = LOCAL,
) -> None:
    """Write a month's statement as a page.

    The page is a single HTML file, laid out for printing to PDF on A4.

    \b
    plainloop usage statement --month 2026-11 --tenant acme --markup 15
    """
    from decimal import Decimal

    from .ledger import make_statement

    launch(make_statement(tenant, month, target, Decimal(str(markup)), zone))
