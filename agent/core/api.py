"""HTTP routes as data: what a pack declares in `Pack.routes` and what its handlers are given.

    async def load_job(request: ApiRequest) -> Job:
        return await store.load_job(request.db, request.user_id, request.params["job_id"])

    ApiRoute("GET", "/api/jobs/{job_id}", load_job, "Read a job", answer=Job)

The server checks who asks, validates body and query by the types named here, describes the route
in `/openapi.json` and turns a raised AgentError into its status; a handler does none of it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import msgspec

from ..config.settings import Settings
from ..store.database import Queryable
from ..store.store import Store
from ..types import ChatRequest
from .context import RequestContext
from .spec import Pack

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]


class ApiService(Protocol):
    """What a handler may ask of the running service. Model calls land in the ledger."""

    async def parse_resume(self, raw_text: str, tenant_id: str, user_id: str) -> dict[str, Any]:
        """A résumé's text as JSON Resume. Raises: AgentError when it cannot be read."""
        ...

    async def call_json(
        self, role: str, request: ChatRequest, tenant_id: str, user_id: str
    ) -> dict[str, Any]:
        """One model call in JSON mode, outside any run. Raises: ModelError, InputError."""
        ...

    def open_context(
        self, pack: Pack, tenant_id: str, user_id: str
    ) -> AbstractAsyncContextManager[RequestContext]:
        """A context outside any run: for whatever else asks for one (checks, embeddings)."""
        ...

    async def forget_threads(self, thread_ids: Sequence[str]) -> None:
        """Erase what packs keep of these threads outside the database: exported files."""
        ...


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """The part `file` of a multipart body, or the whole body with its content type."""

    filename: str  # "" when the client named none; never to be used as a path
    media_type: str  # as the client claims, without parameters
    content: bytes


@dataclass(frozen=True, slots=True)
class ApiFile:
    """An answer that is a file instead of JSON."""

    content: bytes
    media_type: str
    filename: str


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """One request whose user is known and whose body and query are valid."""

    tenant_id: str
    user_id: str
    is_admin: bool  # may act for other users of the tenant
    pack: Pack  # whose route it is
    settings: Settings
    store: Store
    service: ApiService
    params: Mapping[str, str]  # of the path: {"job_id": …}
    headers: Mapping[str, str]  # names in lower case
    query: Any  # the route's `query` type; None when it names none
    body: Any  # the route's `body` type; None when it names none
    upload: UploadedFile | None  # set when the route says `upload`
    expires_at: float | None = None  # when the user's token ends, Unix seconds; None: never

    @property
    def db(self) -> Queryable:
        """Single statements as this tenant; `store.transaction(tenant_id)` for several."""
        return self.store.read(self.tenant_id)


# Its result becomes JSON (dicts, dataclasses, msgspec structs), a file (ApiFile), or nothing (204).
Handler = Callable[[ApiRequest], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class ApiRoute:
    """One method on one path. Fixed paths win over `/api/jobs/{job_id}`, in whatever order."""

    method: Method
    path: str  # "/api/jobs/{job_id}"
    handler: Handler
    summary: str  # one line for people
    body: type[msgspec.Struct] | None = None  # JSON; with `upload`: the form's other fields
    query: type[msgspec.Struct] | None = None  # list fields take repeated names
    answer: Any = None  # a type, for /openapi.json; ApiFile; None: any JSON
    files: tuple[str, ...] = ()  # media types of the files that it may answer with, for the same
    status: int = 200
    upload: bool = False
    max_bytes: int | None = None  # of the body; None: `limits.body_bytes`, uploads `upload_bytes`
