"""From files to passages that can be found: only what changed is read, cut and embedded again.

A document is stored with its passages at once and found by its words from then on. Vectors follow
in batches, each stored as it comes: what fails or is stopped goes on with the next `embed_missing`.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
from collections.abc import Callable, Iterable
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Final, Literal

from plainloop.agent.core.embedding import BATCH_TEXTS, embed_texts
from plainloop.agent.core.run_store import RunStore
from plainloop.agent.core.seams import RunView
from plainloop.agent.errors import ConflictError, InputError, NotFoundError
from plainloop.agent.store.admin.audit import Actor, Deed, record_audit
from plainloop_documents.reading.files import load_file, run_on_file

from . import store as documents
from .passages import CUT_JOB, CUT_VERSION
from .search import NOT_EMBEDDED, find_embedding_model
from .settings import RetrievalSettings
from .source import SHARED, DocumentSource

NAME_CHARS: Final = 200
READ_BYTES: Final = 1 << 20
SUFFIXES: Final = frozenset({".md", ".markdown", ".txt", ".pdf", ".docx"})
Change = Literal["added", "changed", "unchanged", "refused"]


async def add_document(
    ctx: RunView,
    source: DocumentSource,
    name: str,
    content: bytes | BinaryIO,
    *,
    is_outside: bool = False,
    actor: Actor | None = None,
) -> dict[str, Any]:
    """Store a tenant's document and its vectors, replacing the document with that name.

    is_outside: others wrote it, so that workers who read it treat it as text from outside. actor:
    whose deed it is in the audit trail; None: nobody's.

    Returns: the document as `list_documents` tells it, and why it has no vectors as `problem`.

    Raises: InputError when the file cannot be read, or nothing readable is in it; ConflictError
    when there are too many, or somebody removed it meanwhile. Then nothing is changed.
    """
    tenant_id = check_tenant(ctx.tenant_id)
    name = parse_name(name)
    await save_changed(ctx, source, tenant_id, name, content, is_outside=is_outside, actor=actor)
    problem = None
    try:
        await embed_missing(ctx, source, tenant_id, name)
    except NOT_EMBEDDED as error:
        problem = error.message
    rows = await documents.list_documents(ctx.store.read(tenant_id), source.collection, name)
    if not rows:  # embedding takes minutes: another request may have removed it
        raise ConflictError(f"{name} was removed while it was indexed", hint="Add it again.")
    return {**rows[0], "problem": problem}


async def save_changed(
    ctx: RunView,
    source: DocumentSource,
    tenant_id: str,
    name: str,
    content: bytes | BinaryIO,
    *,
    is_outside: bool = False,
    actor: Actor | None = None,
) -> Change:
    """Store a document's passages, unless the same content is already stored.

    Returns what changed. Raises: as `add_document`.
    """
    settings = ctx.settings.get_table(RetrievalSettings)
    digest = await asyncio.to_thread(_digest, content, settings.passage_chars)
    db = ctx.store.read(tenant_id)
    known = await documents.list_documents(db, source.collection, name)
    if known and (known[0]["digest"], known[0]["is_outside"]) == (digest, is_outside):
        return "unchanged"
    read = await run_on_file(
        CUT_JOB,
        content,
        name,
        ctx.limits,
        (ctx.tenant_id, ctx.user_id),
        passage_chars=settings.passage_chars,
    )
    passages: list[dict[str, Any]] = read["passages"]
    if not passages:
        raise InputError(
            f"{name} contains no text", hint="Add a file with readable text.", code="FILE_EMPTY"
        )
    if len(passages) > settings.document_passages:
        raise InputError(
            f"{name} has {len(passages):,} passages; at most "
            f"{settings.document_passages:,} are allowed",
            hint="Split the document, or raise retrieval.document_passages.",
            code="FILE_TOO_LONG",
        )
    async with ctx.store.transaction(tenant_id) as tx:
        if await documents.count_others(tx, source.collection, name) >= settings.documents:
            raise ConflictError(
                f"there are already {settings.documents:,} documents",
                hint="Remove some, or raise retrieval.documents.",
                code="TOO_MANY_DOCUMENTS",
            )
        await documents.save_document(
            tx, source.collection, name, read["size_bytes"], digest, passages, is_outside=is_outside
        )
        if actor is not None:
            told = {"passages": len(passages), "is_outside": is_outside}
            await record_audit(tx, actor, tell_deed("document.save", source, name, told))
    return "changed" if known else "added"


async def embed_missing(
    ctx: RunView,
    source: DocumentSource,
    tenant_id: str,
    name: str | None = None,
    tell: Callable[[int], None] = lambda count: None,
) -> int:
    """Create the vectors of passages that have none, and return how many.

    They are created in batches; none without a model. name: only of this document. tell: called
    with the number in each batch. No transaction is open meanwhile. `find_embedding_model` says why
    there is no model.

    Raises: ConfigError, ModelError of the last attempt, BudgetExceeded; what was made stays.
    """
    model, _ = await find_embedding_model(ctx)
    if model is None:
        return 0
    made = 0
    db, collection = ctx.store.read(tenant_id), source.collection
    while rows := await documents.list_missing(db, collection, name, model, BATCH_TEXTS):
        texts = [f"{row['heading']}\n{row['content']}".strip() for row in rows]
        vectors = await embed_texts(texts, ctx)
        saved = await documents.save_vectors(db, collection, model, rows, vectors)
        if not saved:  # all were replaced meanwhile: not again and again, each time is paid for
            break
        made += saved
        tell(saved)
    return made


async def index_files(
    ctx: RunView,
    source: DocumentSource,
    tenant_id: str,
    files: Iterable[tuple[str, Path | bytes]],
    *,
    is_outside: bool = False,
    actor: Actor | None = None,
    tell: Callable[[str, Change, InputError | None], None] = lambda name, change, error: None,
) -> None:
    """Store the new and changed files as documents.

    The outcome of each file is reported to `tell`. A file that cannot be read is reported as
    refused, and the next one is stored.
    """
    for name, file in files:
        try:
            content = await asyncio.to_thread(load_file, file, ctx.limits.upload_bytes)
            change = await save_changed(
                ctx, source, tenant_id, name, content, is_outside=is_outside, actor=actor
            )
        except InputError as error:
            tell(name, "refused", error)
        else:
            tell(name, change, None)


async def remove_gone(store: RunStore, source: DocumentSource, names: Iterable[str]) -> list[str]:
    """Delete the pack's documents that `names` does not list.

    Returns the deleted names.
    """
    kept = set(names)
    rows = await documents.list_documents(store.read(SHARED), source.collection)
    gone = [row["name"] for row in rows if row["name"] not in kept]
    for name in gone:
        await documents.delete_document(store.read(SHARED), source.collection, name)
    return gone


async def remove_document(
    store: RunStore, tenant_id: str, source: DocumentSource, name: str, actor: Actor | None = None
) -> None:
    """Delete a tenant's document by name.

    actor: recorded in the audit log; None: nobody.

    Raises: NotFoundError when the tenant has no document of that name.
    """
    async with store.transaction(check_tenant(tenant_id)) as tx:
        if not await documents.delete_document(tx, source.collection, name):
            raise NotFoundError(
                f"there is no document {name!r}",
                hint="`plainloop knowledge list` shows all documents.",
            )
        if actor is not None:
            await record_audit(tx, actor, tell_deed("document.delete", source, name, {}))


def tell_deed(
    action: Literal["document.save", "document.delete"],
    source: DocumentSource,
    name: str,
    told: dict[str, Any],
) -> Deed:
    """Build the audit log's entry for a saved or deleted document."""
    return Deed(action, name, details={"collection": source.collection, **told})


def list_files(folder: Path) -> dict[str, Path]:
    """List the readable documents in a folder, by their relative path.

    Hidden files are left out.
    """
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*"))}
    return {
        name: path
        for name, path in found.items()
        if path.suffix.lower() in SUFFIXES and path.is_file()
        if not any(part.startswith(".") for part in PurePath(name).parts)
    }


def check_tenant(tenant_id: str) -> str:
    """Return the tenant's id, after checking that it is not reserved.

    One id is reserved for the packs' documents. Raises: ConflictError.
    """
    if tenant_id == SHARED:
        raise ConflictError(
            f"the tenant name {SHARED} is reserved for documents of packs",
            hint="Give the tenant another name.",
        )
    return tenant_id


def parse_name(name: str) -> str:
    """Return a document's name, which is the last part of its path.

    Raises: InputError if it is empty or too long.

    >>> parse_name("docs/handbook.md")
    'handbook.md'
    """
    last = PurePath(name.replace("\\", "/")).name.strip()
    if not last or len(last) > NAME_CHARS:
        raise InputError(
            f"a document's name must have 1 to {NAME_CHARS} characters",
            hint="Give the document a name of that length.",
        )
    return last


def _digest(content: bytes | BinaryIO, passage_chars: int) -> str:
    """Hash a file together with the passage size, to see whether it must be indexed again."""
    file = io.BytesIO(content) if isinstance(content, bytes) else content
    found = hashlib.sha256()
    file.seek(0)
    while part := file.read(READ_BYTES):
        found.update(part)
    file.seek(0)
    found.update(f"\0{CUT_VERSION} {passage_chars}".encode())
    return found.hexdigest()
