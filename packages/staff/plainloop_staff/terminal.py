"""What `plainloop knowledge` does."""

from __future__ import annotations

from typing import Any

from plainloop.agent.packs.terminal import Terminal
from plainloop_documents.reading.files import load_file

from .knowledge import add_document, remove_document
from .store import list_documents

PACK = "staff_onboarding"


async def add(terminal: Terminal, paths: list[str], tenant_id: str) -> None:
    """Raises: InputError of the first file that cannot be read; those before it are added."""
    limit = terminal.load_settings(PACK).limits.upload_bytes
    files = [terminal.read_source(path) for path in paths]
    contents = [(load_file(source, limit), name) for source, name in files]
    async with (
        terminal.open_service(PACK, tenant_id) as service,
        service.open_context() as ctx,
    ):
        for content, name in contents:
            terminal.say(describe(await add_document(ctx, name, content)))


async def list_all(terminal: Terminal, tenant_id: str) -> None:
    async with terminal.open_store(PACK) as store:
        rows = await list_documents(store.read(tenant_id), tenant_id)
    for row in rows:
        terminal.say(describe(row))
    if not rows:
        terminal.remark("there is no document yet; `plainloop knowledge add FILE` adds one")


async def remove(terminal: Terminal, names: list[str], tenant_id: str) -> None:
    """Raises: NotFoundError for the first name that is not there; those before it are removed."""
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
