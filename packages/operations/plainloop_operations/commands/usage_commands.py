"""`plainloop usage export`, `reconcile`, `recost`, `statement`: the commands and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from plainloop.agent.cli.terminal.launching import launch
from plainloop.agent.cli.terminal.options import LOCAL, Json, grouped
from plainloop.agent.cli.usage.options import Ledger
from plainloop.agent.packs.commands import make_group

usages = make_group("Show tokens and cost, and what was avoided.")


@usages.command()
@grouped
def recost(
    ledger: Ledger,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="show what would change without changing it")
    ] = False,
) -> None:
    """Price the ledger's calls again.

    With the prices of [prices] in plainloop.toml and the public list, each call at its own time.
    Nothing else ever changes a recorded cost; what it was is kept beside it. A price that is not
    known now replaces none.

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
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="default: stdout")
    ] = None,
    form: Annotated[
        Literal["csv", "jsonl", "focus", "parquet"],
        typer.Option(
            "--format", "-f", help="focus: CSV with FinOps FOCUS columns; parquet is an extra"
        ),
    ] = "csv",
) -> None:
    """Write the ledger, a row per call.

    \b
    plainloop usage export -f focus -o november.csv --since 2026-11-01
    """
    from .ledger import export

    launch(export(ledger.tenant, target, form, *ledger.span))


Tenant = Annotated[str, typer.Option("--tenant", help="tenant whose ledger is used; * for all")]


@usages.command()
def reconcile(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="- reads stdin")],
    columns: Annotated[
        str | None,
        typer.Option(
            "--map", metavar="date=…,model=…", help="columns of a CSV, as described above"
        ),
    ] = None,
    provider: Annotated[
        str | None,
        typer.Option("--provider", help="only this provider's calls; default: from the file"),
    ] = None,
    as_json: Json = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Compare with a provider's usage export.

    By day (UTC) and model; tokens and money apart. Exit code 1 when anything differs.
    JSON of Anthropic's usage_report/messages or cost_report, of OpenAI's
    organization/usage/completions or organization/costs, in buckets of a day; CSV of Anthropic's
    console; any other CSV with --map: date, model, input, cached, written,
    written_long, output, cost.

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
        typer.Option("--month", metavar="MONTH", help="2026-11 or november; default: last month"),
    ] = None,
    target: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE.html")] = None,
    markup: Annotated[float, typer.Option("--markup", min=0, help="markup in percent")] = 0,
    tenant: Tenant = LOCAL,
) -> None:
    """Write a month's statement as a page.

    One HTML file that needs nothing else, laid out for printing to PDF on A4.

    \b
    plainloop usage statement --month 2026-11 --tenant acme --markup 15
    """
    from decimal import Decimal

    from .ledger import make_statement

    launch(make_statement(tenant, month, target, Decimal(str(markup))))
