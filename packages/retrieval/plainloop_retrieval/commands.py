"""`plainloop knowledge`: documents that workers answer from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plainloop.agent.packs.commands import LOCAL, Tenant, launch, make_group

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE…", help="Markdown, text, PDF or Word files, or folders of them; - reads stdin"
    ),
]
Names = Annotated[
    list[str], typer.Argument(metavar="NAME…", help="the document's name, from `knowledge list`")
]
Collection = Annotated[
    str | None,
    typer.Option("--collection", help="pack that owns the documents; default: the first pack"),
]
Outside = Annotated[
    bool,
    typer.Option("--outside", help="treat the documents as untrusted, because others wrote them"),
]
Questions = Annotated[
    Path | None,
    typer.Argument(
        metavar="[QUESTIONS]",
        help="JSONL file with lines like the example above; default: a sample",
    ),
]

knowledge = make_group("Manage documents that workers answer from.")
COMMANDS = {"knowledge": knowledge}


@knowledge.command("add")
def add(
    context: typer.Context,
    files: Files,
    outside: Outside = False,
    collection: Collection = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Add documents, or replace those with the same name. Unchanged documents are skipped."""
    from . import terminal

    launch(context, terminal.add, files, tenant, collection, is_outside=outside)


@knowledge.command("index")
def index(context: typer.Context, collection: Collection = None, tenant: Tenant = LOCAL) -> None:
    """Index the documents that a pack ships, and create missing vectors.

    Only changed documents are read and embedded again. An interrupted command continues.
    """
    from . import terminal

    launch(context, terminal.index, tenant, collection)


@knowledge.command("list")
def list_all(context: typer.Context, collection: Collection = None, tenant: Tenant = LOCAL) -> None:
    """List the documents."""
    from . import terminal

    launch(context, terminal.list_all, tenant, collection)


@knowledge.command("remove")
def remove(
    context: typer.Context, names: Names, collection: Collection = None, tenant: Tenant = LOCAL
) -> None:
    """Remove documents."""
    from . import terminal

    launch(context, terminal.remove, names, tenant, collection)


@knowledge.command("search")
def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument()],
    collection: Collection = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Search the documents with the same search that workers use."""
    from . import terminal

    launch(context, terminal.search, query, tenant, collection)


@knowledge.command("measure")
def measure(
    context: typer.Context,
    questions: Questions = None,
    collection: Collection = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Measure how often the first passage that a search finds is the right one.

    \b
    {"query": "vacation", "document": "leave.md", "heading": "Holidays"}

    Searches by words, by meaning and by both are measured. Without QUESTIONS, a sample of six
    documents and 24 questions is used.
    """
    from . import terminal

    launch(context, terminal.measure, questions, tenant, collection)
