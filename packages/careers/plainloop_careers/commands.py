"""`plainloop import`, `plainloop resume` and `plainloop documents`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from plainloop.agent.packs.commands import LOCAL, Tenant, launch, make_group

Format = Literal["pdf", "docx", "md"]
File = Annotated[str, typer.Argument(metavar="FILE", help="file to import; - reads stdin")]
Document = Annotated[
    int, typer.Argument(metavar="ID", help="the document's id, from `documents list`")
]
Version = Annotated[
    int | None, typer.Option("--version", help="version of the document; default: the latest")
]

imports = make_group("Import a résumé or a job from a file.")
resumes = make_group("Show and correct your parsed résumé.")
documents = make_group("List and export letters and other documents.")
COMMANDS = {"import": imports, "resume": resumes, "documents": documents}


@imports.command("resume")
def import_resume(context: typer.Context, file: File, tenant: Tenant = LOCAL) -> None:
    """Import your résumé.

    JSON Resume is stored unchanged. PDF, Word, Markdown and text are parsed by the model.
    """
    from . import terminal

    launch(context, terminal.import_resume, file, tenant)


@imports.command("job")
def import_job(
    context: typer.Context,
    file: File,
    column: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FIELD", help="the tracker's FIELD for the sheet's column NAME"),
    ] = None,
    status: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT=STATUS",
            help="the tracker's STATUS for jobs whose status in the sheet is TEXT",
        ),
    ] = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Import jobs from a spreadsheet, or from a job posting.

    A CSV or Excel sheet with a head line (also of LinkedIn, Simplify, Notion, Trello), a JSON
    job, a board's answer, a posting saved as HTML, or text with lines like `Title:`.
    """
    from . import terminal

    launch(context, terminal.import_job, file, tenant, column or [], status or [])


@resumes.command("show")
def show_resume(
    context: typer.Context,
    version: Version = None,
    as_json: Annotated[bool, typer.Option("--json", help="print as JSON Resume")] = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Show each value of the résumé, its path, and what you should check."""
    from .resumes import terminal

    launch(context, terminal.show, tenant, version, as_json)


@resumes.command("set")
def set_in_resume(
    context: typer.Context,
    place: Annotated[
        str, typer.Argument(metavar="PATH", help="the value's path, as `resume show` prints it")
    ],
    value: Annotated[
        str | None, typer.Argument(help="new value; leave it out to remove the value")
    ] = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Correct one value of the résumé. A path with [+] adds a value to a list.

    \b
    plainloop resume set basics.name "Ann Lee"
    plainloop resume set 'work[0].endDate' 2024-05
    plainloop resume set 'skills[+]' '{"name": "Cooking"}'
    plainloop resume set 'work[0].highlights[2]'
    """
    from .resumes import terminal

    launch(context, terminal.set_value, tenant, place, value)


@resumes.command("edit")
def edit_resume(context: typer.Context, tenant: Tenant = LOCAL) -> None:
    """Edit the whole résumé as JSON Resume in $EDITOR."""
    from .resumes import terminal

    launch(context, terminal.edit, tenant)


@documents.command("list")
def list_documents(context: typer.Context, tenant: Tenant = LOCAL) -> None:
    """List letters and other documents, latest change first."""
    from . import terminal

    launch(context, terminal.list_documents, tenant)


@documents.command("show")
def show_document(
    context: typer.Context, document: Document, version: Version = None, tenant: Tenant = LOCAL
) -> None:
    """Show a document, and where the facts of each sentence come from."""
    from . import terminal

    launch(context, terminal.show_document, tenant, document, version)


@documents.command("export")
def export(
    context: typer.Context,
    document: Document,
    format_: Annotated[
        Format | None,
        typer.Option(
            "--format", "-f", help="file format; default: from the file's extension, else pdf"
        ),
    ] = None,
    target: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="file to write; default: named after the document",
        ),
    ] = None,
    version: Version = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Write a document to a new file.

    \b
    plainloop documents export 1
    plainloop documents export 1 -o letter.docx
    """
    from . import terminal

    launch(context, terminal.export, tenant, document, version, format_, target)
