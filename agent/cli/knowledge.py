"""`plainloop knowledge`: the documents that the staff interview answers from."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from agent.cli import output
from agent.cli.imports import read_source
from agent.cli.opening import STARTING, Owner, list_migration_folders
from agent.config import Settings, load_settings
from agent.core.persistence import Store, connect_store
from agent.core.reading.files import load_file
from agent.packs.staff_onboarding import make_pack
from agent.packs.staff_onboarding import store as documents
from agent.packs.staff_onboarding.knowledge import add_document, remove_document


async def add(owner: Owner, paths: Sequence[str]) -> None:
    """Raises: InputError of the first file that cannot be read; those before it are added."""
    settings = load_settings()
    files = [(*read_source(path),) for path in paths]
    contents = [(load_file(source, settings.limits.upload_bytes), name) for source, name in files]
    async with open_documents(settings) as store:
        for content, name in contents:
            row = await add_document(store, owner.tenant_id, name, content, settings.limits)
            output.write_line(describe(row))


async def list_all(owner: Owner) -> None:
    async with open_documents(load_settings()) as store:
        rows = await documents.list_documents(store.read(owner.tenant_id), owner.tenant_id)
    for row in rows:
        output.write_line(describe(row))
    if not rows:
        output.write_status("there is no document yet; `plainloop knowledge add FILE` adds one")


async def remove(owner: Owner, names: Sequence[str]) -> None:
    """Raises: NotFoundError for the first name that is not there; those before it are removed."""
    async with open_documents(load_settings()) as store:
        for name in names:
            await remove_document(store, owner.tenant_id, name)
            output.write_line(f"removed {name}")


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


@asynccontextmanager
async def open_documents(settings: Settings) -> AsyncGenerator[Store]:
    """The store with the pack's tables, also where the pack is not served yet."""
    folders = list_migration_folders(settings)
    own = make_pack().migrations
    if own is not None and own not in folders:
        folders.append(own)
    with output.progress(STARTING):
        store = await connect_store(settings, migration_folders=folders)
    try:
        yield store
    finally:
        await store.close()
