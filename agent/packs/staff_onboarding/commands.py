"""`plainloop knowledge`: the documents that the interview answers from."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..commands import LOCAL, Tenant, Terminal, get_terminal, make_group

PACK = "staff_onboarding"

Files = Annotated[
    list[str], typer.Argument(metavar="FILE…", help="Markdown, text, PDF or Word; - reads stdin")
]
Names = Annotated[list[str], typer.Argument(metavar="NAME…", help="as `knowledge list` shows it")]

knowledge = make_group("Documents that the staff interview answers from.")
COMMANDS = {"knowledge": knowledge}


@knowledge.command("add")
def add(context: typer.Context, files: Files, tenant: Tenant = LOCAL) -> None:
    """Add documents; one of the same name is replaced."""
    terminal = get_terminal(context)
    terminal.run(_add(terminal, files, tenant))


@knowledge.command("list")
def list_all(context: typer.Context, tenant: Tenant = LOCAL) -> None:
    """List the documents."""
    terminal = get_terminal(context)
    terminal.run(_list(terminal, tenant))


@knowledge.command("remove")
def remove(context: typer.Context, names: Names, tenant: Tenant = LOCAL) -> None:
    """Remove documents."""
    terminal = get_terminal(context)
    terminal.run(_remove(terminal, names, tenant))


async def _add(terminal: Terminal, paths: list[str], tenant_id: str) -> None:
    """Raises: InputError of the first file that cannot be read; those before it are added."""
    from ...outbound.reading.files import load_file
    from .knowledge import add_document

    limit = terminal.load_settings(PACK).limits.upload_bytes
    files = [terminal.read_source(path) for path in paths]
    contents = [(load_file(source, limit), name) for source, name in files]
    async with (
        terminal.open_service(PACK, tenant_id) as service,
        service.open_context() as ctx,
    ):
        for content, name in contents:
            terminal.say(describe(await add_document(ctx, name, content)))


async def _list(terminal: Terminal, tenant_id: str) -> None:
    from .store import list_documents

    async with terminal.open_store(PACK) as store:
        rows = await list_documents(store.read(tenant_id), tenant_id)
    for row in rows:
        terminal.say(describe(row))
    if not rows:
        terminal.remark("there is no document yet; `plainloop knowledge add FILE` adds one")


async def _remove(terminal: Terminal, names: list[str], tenant_id: str) -> None:
    """Raises: NotFoundError for the first name that is not there; those before it are removed."""
    from .knowledge import remove_document

    async with terminal.open_store(PACK) as store:
        for name in names:
            await remove_document(store, tenant_id, name)
            terminal.say(f"removed {name}")


def describe(row: dict[str, Any]) -> str:
    """
    >>> describe({"name": "a.md", "passages": 1, "size_bytes": 12, "embedded": 0})
    'a.md · 1 passage · 12 bytes'
    """
    many = "" if row["passages"] == 1 else "s"
    embedded = f" · {row['embedded']} with vectors" if row["embedded"] else ""
    return (
        f"{row['name']} · {row['passages']} passage{many} · {row['size_bytes']:,} bytes{embedded}"
    )
