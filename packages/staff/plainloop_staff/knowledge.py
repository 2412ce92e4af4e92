"""The company's documents: from a file to passages that can be found."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any, BinaryIO

from plainloop.agent.core.embedding import embed_texts
from plainloop.agent.core.seams import RunView
from plainloop.agent.errors import InputError, NotFoundError
from plainloop.agent.store.store import Store
from plainloop_documents.reading.files import run_on_file

from . import store as documents
from .passages import CUT_JOB, Passage
from .search import find_embedding_model

MAX_NAME_CHARS = 200


async def add_document(ctx: RunView, name: str, content: bytes | BinaryIO) -> dict[str, Any]:
    """Read the file and store its passages; a document of that name is replaced.

    Where an embedding model is set each passage gets its vector; no transaction is open meanwhile.

    Returns: the document as `list_documents` tells it.

    Raises: InputError when the file cannot be read, or nothing readable is in it; ConfigError or
    ModelError when an embedding model is set and fails. Then nothing is stored.
    """
    name = parse_name(name)
    owner = (ctx.tenant_id, ctx.user_id)
    read = await run_on_file(CUT_JOB, content, name, ctx.limits, owner)
    passages = [Passage(heading, text) for heading, text in read["passages"]]
    if not passages:
        raise InputError(f"{name} holds no text", code="FILE_EMPTY")
    model, vectors = await find_embedding_model(ctx), None
    if model is not None:
        vectors = await embed_texts([f"{p.heading}\n{p.content}".strip() for p in passages], ctx)
    tenant_id, size_bytes = ctx.tenant_id, read["size_bytes"]
    async with ctx.store.transaction(tenant_id) as db:
        await documents.save_document(db, tenant_id, name, size_bytes, passages, vectors, model)
        (row,) = await documents.list_documents(db, tenant_id, name)
    return row


async def remove_document(store: Store, tenant_id: str, name: str) -> None:
    """Raises: NotFoundError when there is no document of that name."""
    async with store.transaction(tenant_id) as db:
        if not await documents.delete_document(db, tenant_id, name):
            raise NotFoundError(f"there is no document {name!r}")


def parse_name(name: str) -> str:
    """A document's name: the last part of a path.

    >>> parse_name("docs/handbook.md")
    'handbook.md'

    Raises: InputError when there is none, or it is too long.
    """
    last = PurePath(name.replace("\\", "/")).name.strip()
    if not last or len(last) > MAX_NAME_CHARS:
        raise InputError(f"a document needs a name of 1 to {MAX_NAME_CHARS} characters")
    return last
