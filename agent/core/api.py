"""HTTP routes as data: what a pack declares in `Pack.routes` and what its handlers are given.

    async def list_jobs(request: ApiRequest, query: JobQuery) -> JobPage:
        return await store.list_jobs(request.db, request.user_id, query.status)

    ApiRoute("GET", "/api/jobs", list_jobs, "List jobs")

The server checks who asks, validates `body` and `query` by the types that the handler names,
describes the route in `/openapi.json` from them and turns a raised AgentError into its status; a
handler does none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, BinaryIO, Protocol

from ..config.tables import Settings
from ..dataclasses import dataclass
from ..store.connecting.queryable import Queryable
from ..store.store import Store
from ..types import ChatRequest
from .routes import ApiRoute, Handler, Method
from .seams import RunView

__all__ = ["ApiFile", "ApiRequest", "ApiRoute", "ApiService", "Handler", "Method", "UploadedFile"]


class ApiService(Protocol):
    """The service's functions for a pack's route handler; model calls land in the ledger."""

    async def parse_text(self, raw_text: str) -> dict[str, Any]:
        """Parse a text with the pack's `parse`. Raises: AgentError."""
        ...

    async def call_json(self, role: str, request: ChatRequest) -> dict[str, Any]:
        """Call a model outside any run; parse its JSON answer. Raises: ModelError, InputError."""
        ...

    def open_context(self) -> AbstractAsyncContextManager[RunView]:
        """Open a context for model calls outside any run, for example to embed texts."""
        ...


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """The part `file` of a multipart body, or the whole body with its content type."""

    filename: str  # "" when the client named none; never to be used as a path
    media_type: str  # as the client claims, without parameters
    file: BinaryIO  # on disk, until the answer; a child process takes it as it is

    @property
    def content(self) -> bytes:
        """Read the whole file into memory. Use it for small files only."""
        self.file.seek(0)
        return self.file.read()


@dataclass(frozen=True, slots=True)
class ApiFile:
    """An answer that is a file instead of JSON."""

    content: bytes
    media_type: str
    filename: str
    is_page: bool = False  # made by us alone: a browser may show it under our origin


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """An authenticated request to a pack's route; its body and query are other arguments."""

    tenant_id: str
    user_id: str
    is_admin: bool  # may act for other users of the tenant
    pack: str  # the name of the one whose route it is
    settings: Settings
    store: Store
    service: ApiService
    params: Mapping[str, str]  # of the path: {"job_id": …}
    headers: Mapping[str, str]  # names in lower case
    expires_at: float | None = None  # when the user's token ends, Unix seconds; None: never
    key_id: str | None = None  # of the API key that asks for the user; None: they ask themselves

    @property
    def owner(self) -> tuple[str, str]:
        """Return the tenant and user whose data the request is about."""
        return self.tenant_id, self.user_id

    @property
    def db(self) -> Queryable:
        """Return the tenant's database for single statements, which need no transaction."""
        return self.store.read(self.tenant_id)
