"""`plainloop knowledge`: the documents that the staff interview answers from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from ...config.settings import Settings, load_settings
from ...outbound.reading.files import load_file
from ...packs.staff_onboarding import store as documents
from ...packs.staff_onboarding.knowledge import add_document, remove_document
from ..terminal import output
from ..terminal.opening import Owner, open_store
from ..terminal.serving import open_service
from .imports import read_source

PACK: Final = "staff_onboarding"


async def add(owner: Owner, paths: Sequence[str]) -> None:
    """Raises: InputError of the first file that cannot be read; those before it are added."""
    settings = load_document_settings()
    files = [read_source(path) for path in paths]
    contents = [(load_file(source, settings.limits.upload_bytes), name) for source, name in files]
    async with open_service(settings) as service:
        pack = service.get_pack(PACK)
        async with service.open_context(pack, owner.tenant_id, owner.user_id) as ctx:
            for content, name in contents:
                output.write_line(describe(await add_document(ctx, name, content)))


async def list_all(owner: Owner) -> None:
    async with open_store(load_document_settings()) as store:
        rows = await documents.list_documents(store.read(owner.tenant_id), owner.tenant_id)
    for row in rows:
        output.write_line(describe(row))
    if not rows:
        output.write_status("there is no document yet; `plainloop knowledge add FILE` adds one")


async def remove(owner: Owner, names: Sequence[str]) -> None:
    """Raises: NotFoundError for the first name that is not there; those before it are removed."""
    async with open_store(load_document_settings()) as store:
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


def load_document_settings() -> Settings:
    """The settings with the pack among those served: its tables hold the documents."""
    settings = load_settings()
    packs = settings.agent.packs
    if PACK in packs or settings.agent.onboarding == PACK:
        return settings
    return replace(settings, agent=replace(settings.agent, packs=(*packs, PACK)))
