"""The company's documents over HTTP. Whoever is in the tenant reads; an administrator writes."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, convert

from plainloop.agent.core.api import ApiRequest, ApiRoute, UploadedFile
from plainloop.agent.errors import AccessDenied, NotFoundError

from .knowledge import add_document, remove_document
from .store import list_documents


class KnowledgeDocument(Struct):
    name: str
    size_bytes: int
    created_at: datetime
    passages: int
    embedded: int  # passages with a vector


class KnowledgeDocuments(Struct):
    documents: list[KnowledgeDocument]


async def list_all(request: ApiRequest) -> KnowledgeDocuments:
    rows = await list_documents(request.db, request.tenant_id)
    return convert({"documents": rows}, KnowledgeDocuments)


async def load_one(request: ApiRequest) -> KnowledgeDocument:
    name = request.params["name"]
    rows = await list_documents(request.db, request.tenant_id, name)
    if not rows:
        raise NotFoundError(f"there is no document {name!r}")
    return convert(rows[0], KnowledgeDocument)


async def add(request: ApiRequest, upload: UploadedFile) -> KnowledgeDocument:
    check_admin(request)
    async with request.service.open_context() as ctx:
        row = await add_document(ctx, upload.filename, upload.file)
    return convert(row, KnowledgeDocument)


async def remove(request: ApiRequest) -> None:
    check_admin(request)
    await remove_document(request.store, request.tenant_id, request.params["name"])


def check_admin(request: ApiRequest) -> None:
    """Raises: AccessDenied: the documents answer for everybody in the tenant."""
    if not request.is_admin:
        raise AccessDenied("only an administrator changes the company's documents")


ROUTES = (
    ApiRoute("GET", "/api/knowledge", list_all, "List the company's documents"),
    ApiRoute("GET", "/api/knowledge/{name}", load_one, "Read about one document"),
    ApiRoute("POST", "/api/knowledge", add, "Add a document, or replace it (admins)", status=201),
    ApiRoute("DELETE", "/api/knowledge/{name}", remove, "Remove a document (admins)", status=204),
)
