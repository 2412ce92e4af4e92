"""`plainloop knowledge`: the documents that the interview answers from."""

from __future__ import annotations

from typing import Annotated

import typer

from plainloop.agent.packs.commands import LOCAL, Tenant, launch, make_group

Files = Annotated[
    list[str], typer.Argument(metavar="FILE…", help="Markdown, text, PDF or Word; - reads stdin")
]
Names = Annotated[list[str], typer.Argument(metavar="NAME…", help="as `knowledge list` shows it")]

knowledge = make_group("Documents that the staff interview answers from.")
COMMANDS = {"knowledge": knowledge}


@knowledge.command("add")
def add(context: typer.Context, files: Files, tenant: Tenant = LOCAL) -> None:
    """Add documents; one of the same name is replaced."""
    from . import terminal

    launch(context, terminal.add, files, tenant)


@knowledge.command("list")
def list_all(context: typer.Context, tenant: Tenant = LOCAL) -> None:
    """List the documents."""
    from . import terminal

    launch(context, terminal.list_all, tenant)


@knowledge.command("remove")
def remove(context: typer.Context, names: Names, tenant: Tenant = LOCAL) -> None:
    """Remove documents."""
    from . import terminal

    launch(context, terminal.remove, names, tenant)
