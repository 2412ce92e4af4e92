"""Answers that are no stream, failures among them, in a dialect's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from .answer import dump_json, make_id
from .answering import Wire
from .api import WireError
from .call import Dialect
from .faults import Fault
from .journal import Entry
from .sending import WireResponse, drop_connection


def fail(request: Request, fault: Fault, dialect: Dialect, entry: Entry, wire: Wire) -> Any:
    """An injected failure instead of an answer."""
    if fault.status == 0:
        drop_connection(request.scope)
        wire.journal.write_entry(entry)
        return _Silence()
    error = fault.to_error()
    if fault.body is None:
        return respond_error(error, dialect, wire, entry)
    entry["status"] = error.status
    return WireResponse(
        status=error.status,
        headers={"content-type": fault.content_type},
        frames=[fault.body.encode()],
        entry=entry,
        on_end=wire.journal.write_entry,
    )


class _Silence:
    """An ASGI application that sends nothing: the connection is already closed."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        return


def respond_error(error: WireError, dialect: Dialect, wire: Wire, entry: Entry) -> WireResponse:
    entry["error"] = error.message
    extra: dict[str, str] = {}
    if error.retry_after_s is not None and dialect.api.sends_retry_after:
        extra["retry-after"] = f"{error.retry_after_s:g}"
    body = dialect.to_error(error)
    return respond_json(error.status, body, dialect, wire, entry, None, extra)


def respond_json(
    status: int,
    body: Any,
    dialect: Dialect,
    wire: Wire,
    entry: Entry,
    fault: Fault | None,
    extra: Mapping[str, str] | None = None,
) -> WireResponse:
    entry["status"] = status
    return WireResponse(
        status=status,
        headers={**make_headers(dialect, entry, "application/json"), **(extra or {})},
        frames=[dump_json(body).encode()],
        entry=entry,
        on_end=wire.journal.write_entry,
        cut=fault,
    )


def make_headers(dialect: Dialect, entry: Entry, content_type: str) -> dict[str, str]:
    request_id = make_id("req_", f"{entry['n']}:{entry['path']}", 24)
    return {"content-type": content_type, dialect.api.request_id_header: request_id}
