"""`/api/knowledge`: documents that whoever is in the tenant reads and an administrator writes; with
those that the packs ship.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, convert

from plainloop.agent.core.api import ApiRequest, ApiRoute, UploadedFile
from plainloop.agent.errors import NotFoundError
from plainloop.agent.store.admin.audit import Actor
from plainloop.agent.store.database import Row
from plainloop.server.routes.choosing import check_admin

from .indexing import add_document, check_tenant, remove_document
from .knowledge import QUERY_CHARS, Knowledge, choose_knowledge
from .search import find_passages
from .source import SHARED
from .store import list_documents

REFUSAL = "only an administrator can change the documents"


class KnowledgeDocument(Struct):
    name: str
    size_bytes: int
    created_at: datetime
    passages: int
    embedded: int  # passages with a vector
    is_outside: bool  # others wrote it
    origin: Literal["tenant", "pack"] = "tenant"
    problem: str | None = None  # why an upload has no vectors yet


class KnowledgeDocuments(Struct):
    documents: list[KnowledgeDocument]
    collections: list[str]  # that there are; of the first one unless another is asked for


class KnowledgePassage(Struct):
    """A passage and its place: the characters of the text before it, and the page, if any."""

    document: str
    position: int
    heading: str
    page: int | None
    text_offset: int
    text: str
    is_outside: bool


class KnowledgeFound(Struct):
    passages: list[KnowledgePassage]  # the best first
    words_alone: str  # why it was not searched by meaning, too; "": it was


class Chosen(Struct, forbid_unknown_fields=True):
    collection: str | None = None  # None: of the first pack that has documents


class Uploaded(Chosen, forbid_unknown_fields=True):
    is_outside: bool = False
    filename: str | None = None


class Asked(Chosen, forbid_unknown_fields=True):
    query: Annotated[str, Meta(max_length=QUERY_CHARS)] = ""


class KnowledgeRoutes:
    """Handlers of the routes `/api/knowledge` for these collections of documents."""

    def __init__(self, known: Mapping[str, Knowledge]) -> None:
        self._known = known

    def list_routes(self) -> tuple[ApiRoute, ...]:
        """List the routes of `/api/knowledge`."""
        path = "/api/knowledge"
        return (
            ApiRoute("GET", path, self.list_all, "List the documents that workers answer from"),
            ApiRoute("GET", f"{path}/{{name}}", self.load_one, "Read about one document"),
            ApiRoute("POST", path, self.add, "Add a document, or replace it (admins)", status=201),
            ApiRoute(
                "DELETE", f"{path}/{{name}}", self.remove, "Remove a document (admins)", status=204
            ),
            ApiRoute("GET", f"{path}-search", self.search, "Find passages as workers do (admins)"),
        )

    async def list_all(self, request: ApiRequest, query: Chosen) -> KnowledgeDocuments:
        knowledge = self._choose(request, query)
        found = await load_documents(request, knowledge, None)
        return KnowledgeDocuments(found, [*self._known])

    async def load_one(self, request: ApiRequest, query: Chosen) -> KnowledgeDocument:
        knowledge, name = self._choose(request, query), request.params["name"]
        found = await load_documents(request, knowledge, name)
        if not found:
            raise NotFoundError(
                f"there is no document {name!r}", hint="The list of documents shows their names."
            )
        return found[0]

    async def add(
        self, request: ApiRequest, query: Uploaded, upload: UploadedFile
    ) -> KnowledgeDocument:
        check_admin(request, REFUSAL)
        knowledge = self._choose(request, query)
        async with request.service.open_context() as ctx:
            row = await add_document(
                ctx,
                knowledge,
                upload.filename,
                upload.file,
                is_outside=query.is_outside,
                actor=name_actor(request),
            )
        return convert(row, KnowledgeDocument)

    async def remove(self, request: ApiRequest, query: Chosen) -> None:
        check_admin(request, REFUSAL)
        knowledge = self._choose(request, query)
        name = request.params["name"]
        actor = name_actor(request)
        await remove_document(request.store, request.tenant_id, knowledge, name, actor)

    async def search(self, request: ApiRequest, query: Asked) -> KnowledgeFound:
        check_admin(
            request,
            "only an administrator can search documents directly; other users ask the workers",
        )
        knowledge = self._choose(request, query)
        async with request.service.open_context() as ctx:
            found = await find_passages(ctx, knowledge, query.query)
        return KnowledgeFound([to_passage(row) for row in found.rows], found.words_alone)

    def _choose(self, request: ApiRequest, query: Chosen) -> Knowledge:
        check_tenant(request.tenant_id)
        return choose_knowledge(self._known, query.collection)


def name_actor(request: ApiRequest) -> Actor:
    return Actor(request.user_id, "http", request.key_id)


async def load_documents(
    request: ApiRequest, knowledge: Knowledge, name: str | None
) -> list[KnowledgeDocument]:
    """Load the tenant's documents, and after them the pack's.

    name: load only the documents with this name.
    """
    rows = await list_documents(request.db, knowledge.collection, name)
    found = [convert(row, KnowledgeDocument) for row in rows]
    if knowledge.folder is not None:
        shared = await list_documents(request.store.read(SHARED), knowledge.collection, name)
        found += [convert({**row, "origin": "pack"}, KnowledgeDocument) for row in shared]
    return found


def to_passage(row: Row) -> KnowledgePassage:
    told: dict[str, Any] = {**row, "document": row["name"], "text": row["content"]}
    return convert(told, KnowledgePassage)
