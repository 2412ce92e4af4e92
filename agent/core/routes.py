"""One HTTP route as a pack declares it; what its handler is given is in `api`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, Literal, get_type_hints

import msgspec

from ..dataclasses import dataclass

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
# Beside the request it takes what it names: `body`, `query` (structs), `upload` (UploadedFile). Its
# result becomes JSON (dicts, dataclasses, msgspec structs), a file (ApiFile), or nothing (204).
Handler = Callable[..., Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class ApiRoute:
    """An HTTP route of a pack; the handler's signature says what it takes and returns."""

    method: Method
    path: str  # "/api/jobs/{job_id}", over which a fixed path takes precedence
    handler: Handler
    summary: str  # one line for people
    files: tuple[str, ...] = ()  # media types of the files that it may answer with
    status: int = 200
    max_bytes: int | None = None  # of the body; None: `limits.body_bytes`, uploads `upload_bytes`
    ends_with_client: bool = False  # who hangs up ends the work; a run that was begun goes on

    @property
    def body(self) -> type[msgspec.Struct] | None:
        """Return the type of the handler's JSON body, or of the form fields of an upload."""
        return read_hints(self.handler).get("body")

    @property
    def query(self) -> type[msgspec.Struct] | None:
        """Return the type of the query parameters, whose list fields take repeated names."""
        return read_hints(self.handler).get("query")

    @property
    def upload(self) -> bool:
        return "upload" in read_hints(self.handler)

    @property
    def answer(self) -> Any:
        """Return the type that the handler returns, possibly a union."""
        return read_hints(self.handler).get("return")


@cache
def read_hints(handler: Handler) -> dict[str, Any]:
    """Return the types of what a handler takes, by their names, and of its answer as `return`."""
    return get_type_hints(handler, include_extras=True)
