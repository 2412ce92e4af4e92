"""`plainloop knowledge`: documents that workers answer from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plainloop.agent.packs.commands import LOCAL, Tenant, launch, make_group

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE…", help="Markdown, text, PDF, Word, folders of them; - is stdin"),
]
Names = Annotated[
    list[str], typer.Argument(metavar="NAME…", help="its name, from `knowledge list`")
]
Collection = Annotated[
    str | None,
    typer.Option("--collection", help="pack that owns the documents; default: the first pack"),
]
Outside = Annotated[
    bool, typer.Option("--outside", help="treat the documents as untrusted: others wrote them")
]
Questions = Annotated[
    Path | None,
    typer.Argument(
        metavar="[QUESTIONS]", help="JSONL: query, document, heading; default: a sample"
    ),
]

knowledge = make_group("Documents that workers answer from.")
COMMANDS = {"knowledge": knowledge}


@knowledge.command("add")
def add(
    context: typer.Context,
    files: Files,
    outside: Outside = False,
    collection: Collection = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Add documents; one of the same name is replaced, what has not changed is left."""
    from . import terminal

    launch(context, terminal.add, files, tenant, collection, is_outside=outside)


@knowledge.command("index")
def index(context: typer.Context, collection: Collection = None, tenant: Tenant = LOCAL) -> None:
    """Index the documents that a pack ships, and make the vectors that are missing.

    Only what changed is read and embedded again; stopped, it goes on where it was.
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
    """Find passages as the workers' tool does."""
    from . import terminal

    launch(context, terminal.search, query, tenant, collection)


@knowledge.command("measure")
def measure(
    context: typer.Context,
    questions: Questions = None,
    collection: Collection = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Measure how often the passage that answers comes first: by words, by meaning, by both.

    \b
    {"query": "vacation", "document": "leave.md", "heading": "Holidays"}

    Without a file: on six documents and 24 questions that come with this package.
    """
    from . import terminal

    launch(context, terminal.measure, questions, tenant, collection)
