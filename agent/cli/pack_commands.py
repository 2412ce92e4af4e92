"""`plainloop documents`, `onboard`, `knowledge`: options only; what they do is in modules."""

from __future__ import annotations

from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

LOCAL = "local"

knowledge = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
documents = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

Tenant = Annotated[str, typer.Option("--tenant", hidden=True)]
Files = Annotated[
    list[str], typer.Argument(metavar="FILE…", help="Markdown, text, PDF or Word; - reads stdin")
]
Names = Annotated[list[str], typer.Argument(metavar="NAME…", help="as `knowledge list` shows it")]


Document = Annotated[int, typer.Argument(metavar="ID", help="as `documents list` shows it")]
Version = Annotated[int | None, typer.Option("--version", help="unset: the latest")]


@documents.command("list")
def list_documents(tenant: Tenant = LOCAL) -> None:
    """List letters and other documents, the latest change first."""
    from .talk.documents import list_documents
    from .terminal.opening import Owner

    _launch(list_documents(Owner(tenant)))


@documents.command("show")
def show(document: Document, version: Version = None, tenant: Tenant = LOCAL) -> None:
    """Show a document, and for each sentence what its facts rest on."""
    from .talk.documents import show_document
    from .terminal.opening import Owner

    _launch(show_document(Owner(tenant), document, version))


@documents.command("export")
def export(
    document: Document,
    format_: Annotated[
        Literal["pdf", "docx", "md"] | None,
        typer.Option("--format", "-f", help="unset: by the file's name, else pdf"),
    ] = None,
    target: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="unset: named after the document"),
    ] = None,
    version: Version = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Write a document to a new file.

    \b
    plainloop documents export 1
    plainloop documents export 1 -o letter.docx
    """
    from .talk.documents import export_to_file
    from .terminal.opening import Owner

    _launch(export_to_file(Owner(tenant), document, version, format_, target))


def onboard(
    context: typer.Context,
    new: Annotated[bool, typer.Option("--new", help="hold another interview")] = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Hold the onboarding interview.

    \b
    plainloop onboard
    AGENT_ONBOARDING=staff_onboarding plainloop onboard --new

    The agent speaks first and goes on where the last interview ended; each answer is kept at
    once. Ask "what is missing?" at any time. In a pipe each line is an answer.
    """
    from .talk.onboard import onboard
    from .terminal.opening import Owner

    raise typer.Exit(onboard(Owner(tenant), begin_new=new, debug=context.obj.debug))


@knowledge.command("add")
def add(files: Files, tenant: Tenant = LOCAL) -> None:
    """Add documents; one of the same name is replaced."""
    from .talk.knowledge import add
    from .terminal.opening import Owner

    _launch(add(Owner(tenant), files))


@knowledge.command("list")
def list_all(tenant: Tenant = LOCAL) -> None:
    """List the documents."""
    from .talk.knowledge import list_all
    from .terminal.opening import Owner

    _launch(list_all(Owner(tenant)))


@knowledge.command("remove")
def remove(names: Names, tenant: Tenant = LOCAL) -> None:
    """Remove documents."""
    from .talk.knowledge import remove
    from .terminal.opening import Owner

    _launch(remove(Owner(tenant), names))


def _launch(work: Coroutine[Any, Any, int | None]) -> None:
    from .terminal.running import run_async

    raise typer.Exit(run_async(work) or 0)
