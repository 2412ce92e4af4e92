"""Batches and files as the server keeps them: data only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from plainloop.agent.dataclasses import dataclass, field

from ..call import Dialect

Result = Literal["succeeded", "errored", "expired", "canceled"]


@dataclass(slots=True)
class Line:
    """One request of a batch. answer: the response body that the request would get by itself."""

    custom_id: str
    body: bytes
    result: Result | None = None  # None: not begun
    status: int = 0
    answer: Any = None
    usage: dict[str, Any] | None = None


@dataclass(slots=True)
class Batch:
    """A batch that a client has created.

    path: of each request. headers: of the request that created it. created_s: Unix time.
    """

    id: str
    dialect: Dialect
    path: str
    headers: Mapping[str, str]
    lines: list[Line]
    created_s: float
    takes_s: float  # until the last line is answered
    cancelled_s: float | None = None
    ended_s: float | None = None
    details: dict[str, Any] = field(default_factory=dict[str, Any])  # the provider's own

    @property
    def done(self) -> int:
        return sum(line.result is not None for line in self.lines)

    def count(self, *results: Result) -> int:
        return sum(line.result in results for line in self.lines)


@dataclass(frozen=True, slots=True)
class StoredFile:
    id: str
    name: str
    purpose: str
    content: bytes
    created_s: int
    expires_s: int | None
