"""One request on its way to its answer, or to a failure in a dialect's words."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Final

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from plainloop.agent.dataclasses import dataclass

from .answer import dump_json, make_id
from .answering import Wire
from .api import WireError
from .call import Dialect, WireRequest
from .faults import Fault
from .journal import Entry
from .sending import WireResponse, drop_connection
from .strict import ShapeError

_JSON: Final = "application/json"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request with its dialect and its journal entry."""

    request: Request
    dialect: Dialect
    wire: Wire
    asked: WireRequest
    entry: Entry

    async def settle(self, work: Awaitable[Any]) -> Any:
        """Return the result of `work`, or the API's error response if it fails."""
        try:
            return await work
        except ShapeError as error:
            return self.refuse(self.dialect.api.refuse_shape(error))
        except WireError as error:
            return self.refuse(error)
        except Exception as e:  # noqa: BLE001 the brain's bug is answered as a provider answers its own
            return self.refuse(WireError(500, f"brain: {e!r}"))

    def take_fault(self) -> Fault | None:
        """Return the failure to inject into this request, or None.

        It is noted in the journal.
        """
        fault = self.wire.faults.take(self.dialect.name)
        if fault is not None:
            self.entry["fault"] = {"status": fault.status, "end": fault.end, "after": fault.after}
        return fault

    def fail(self, fault: Fault) -> Any:
        """Answer with an injected failure."""
        if fault.status == 0:
            drop_connection(self.request.scope)
            self.wire.journal.write_entry(self.entry)
            return _send_nothing  # the connection is already closed
        error = fault.to_error()
        if fault.body is None:
            return self.refuse(error)
        return self.send([fault.body.encode()], fault.content_type, status=error.status)

    def refuse(self, error: WireError) -> WireResponse:
        self.entry["error"] = error.message
        headers: dict[str, str] = {}
        if error.retry_after_s is not None and self.dialect.api.sends_retry_after:
            headers["retry-after"] = f"{error.retry_after_s:g}"
        body = dump_json(self.dialect.to_error(error)).encode()
        return self.send([body], _JSON, status=error.status, headers=headers)

    def respond(self, body: Any, fault: Fault | None = None) -> WireResponse:
        return self.send([dump_json(body).encode()], _JSON, fault=fault)

    def send(
        self,
        frames: Sequence[bytes],
        content_type: str,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        fault: Fault | None = None,
        is_stream: bool = False,
    ) -> WireResponse:
        """Build the response for these frames, and record it in the journal.

        fault: where to cut the response, and its error event in a stream.
        """
        self.entry["status"] = status
        error_frame = b""
        if fault and is_stream:  # the error event of a stream that fails in its middle
            error = WireError(529, fault.message or "Overloaded", code=fault.code, kind=fault.kind)
            error_frame = self.dialect.to_error_frame(error)
        request_id = make_id("req_", f"{self.entry['n']}:{self.entry['path']}", 24)
        own = {"content-type": content_type, self.dialect.api.request_id_header: request_id}
        return WireResponse(
            status=status,
            headers={**own, **(headers or {})},
            frames=frames,
            entry=self.entry,
            on_end=self.wire.journal.write_entry,
            is_stream=is_stream,
            delay_s=self.wire.faults.delay_s,
            cut=fault,
            error_frame=error_frame,
        )


async def take_request(
    request: Request, dialect: Dialect, action: str, path_model: str = ""
) -> Exchange:
    """Record a request in the journal and wait for the configured delay.

    Returns the request's Exchange, which builds the response.
    """
    wire: Wire = request.app.state.wire
    body = await request.body()
    started_s = wire.cache.clock()
    headers, query = dict(request.headers), dict(request.query_params)
    noted = b"" if "multipart" in headers.get("content-type", "") else body
    entry = wire.journal.record_request(
        dialect.name, request.method, request.url.path, query, headers, noted
    )
    await asyncio.sleep(wire.faults.first_s)
    version = request.path_params.get("version", "v1")
    asked = WireRequest(headers, query, body, action, wire.rules, path_model, version, started_s)
    return Exchange(request, dialect, wire, asked, entry)


async def _send_nothing(scope: Scope, receive: Receive, send: Send) -> None:
    return
