"""uvicorn's HTTP protocol with what it lacks: a bound on a request's head, ways to drop a client
and to cut an answer, and errors in our own shape where no application is asked.
"""

from __future__ import annotations

from typing import Any, Final

import orjson
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .error_table import to_error_body
from .sse import ABORT_KEY, CUT_KEY


def _build_refusal(status: str, code: str, message: str, *more: str) -> bytes:
    """A whole answer, for requests that no application is ever asked about. more: headers."""
    body = orjson.dumps(to_error_body(code, message))
    headers = (
        "content-type: application/json",
        f"content-length: {len(body)}",
        "connection: close",
        *more,
    )
    return "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode() + body


_TOO_LARGE: Final = _build_refusal(
    "431 Request Header Fields Too Large",
    "HEADERS_TOO_LARGE",
    "the request line or headers are large",
)
_FULL: Final = _build_refusal(
    "503 Service Unavailable",
    "TOO_MANY_CONNECTIONS",
    "too many connections are open here",
    "retry-after: 1",
)
_NO_HTTP: Final = _build_refusal("400 Bad Request", "INVALID_FORMAT", "this is no HTTP request")


class BoundedProtocol(HttpToolsProtocol):
    """One connection."""

    max_header_bytes = 0  # of a request's line and headers; set by `make_protocol`
    _head_bytes = 0
    _is_in_head = True

    def data_received(self, data: bytes) -> None:
        if self._is_in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._is_in_head and self._head_bytes > self.max_header_bytes:
            self._refuse(_TOO_LARGE)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_bytes = 0
        self._is_in_head = True
        scope: Any = self.scope
        scope[ABORT_KEY] = self.transport.abort
        scope[CUT_KEY] = self.transport.close

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        size_bytes = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size_bytes > self.max_header_bytes:
            self._refuse(_TOO_LARGE)
        elif self._is_full():
            self._refuse(_FULL)
        else:
            super().on_headers_complete()

    def _is_full(self) -> bool:
        most = self.limit_concurrency
        return most is not None and max(len(self.connections), len(self.tasks)) >= most

    def send_400_response(self, msg: str) -> None:
        self._refuse(_NO_HTTP)

    def _refuse(self, answer: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()


def make_protocol(max_header_bytes: int) -> type[BoundedProtocol]:
    """The protocol class for `uvicorn.Config(http=…)`, which makes one per connection."""
    return type("Protocol", (BoundedProtocol,), {"max_header_bytes": max_header_bytes})
