"""The company's documents over HTTP. Whoever is in the tenant reads; an administrator writes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct

from ...core.api import ApiRequest, ApiRoute
from ...errors import AccessDenied, NotFoundError
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


async def list_all(request: ApiRequest) -> Any:
    return {"documents": await list_documents(request.db, request.tenant_id)}


async def load_one(request: ApiRequest) -> Any:
    name = request.params["name"]
    rows = await list_documents(request.db, request.tenant_id, name)
    if not rows:
        raise NotFoundError(f"there is no document {name!r}")
    return rows[0]


async def add(request: ApiRequest) -> Any:
    check_admin(request)
    assert request.upload is not None
    user = (request.tenant_id, request.user_id)
    async with request.service.open_context(request.pack, *user) as ctx:
        return await add_document(ctx, request.upload.filename, request.upload.content)


async def remove(request: ApiRequest) -> None:
    check_admin(request)
    await remove_document(request.store, request.tenant_id, request.params["name"])


def check_admin(request: ApiRequest) -> None:
    """Raises: AccessDenied: the documents answer for everybody in the tenant."""
    if not request.is_admin:
        raise AccessDenied("only an administrator changes the company's documents")


ROUTES = (
    ApiRoute(
        "GET",
        "/api/knowledge",
        list_all,
        "List the company's documents",
        answer=KnowledgeDocuments,
    ),
    ApiRoute(
        "GET",
        "/api/knowledge/{name}",
        load_one,
        "Read about one document",
        answer=KnowledgeDocument,
    ),
    ApiRoute(
        "POST",
        "/api/knowledge",
        add,
        "Add a document, or replace it (admins)",
        answer=KnowledgeDocument,
        status=201,
        upload=True,
    ),
    ApiRoute("DELETE", "/api/knowledge/{name}", remove, "Remove a document (admins)", status=204),
)
