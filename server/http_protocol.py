"""uvicorn's HTTP protocol with two things that it lacks: a bound on a request's head, and a way
to drop a client who reads nothing.
"""

from __future__ import annotations

from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from server.sse import ABORT_KEY

_TOO_LARGE: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-type: application/json\r\ncontent-length: 88\r\nconnection: close\r\n\r\n"
    b'{"error":{"code":"HEADERS_TOO_LARGE","message":"the request line or headers are large"}}'
)


def make_protocol(max_header_bytes: int) -> type[HttpToolsProtocol]:
    """The protocol class for `uvicorn.Config(http=…)`, which makes one per connection."""

    class BoundedProtocol(HttpToolsProtocol):
        _head_bytes = 0
        _is_in_head = True

        def data_received(self, data: bytes) -> None:
            if self._is_in_head:
                self._head_bytes += len(data)
            super().data_received(data)
            if self._is_in_head and self._head_bytes > max_header_bytes:
                self._refuse()

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self._head_bytes = 0
            self._is_in_head = True
            scope: Any = self.scope
            scope[ABORT_KEY] = self.transport.abort

        def on_headers_complete(self) -> None:
            self._is_in_head = False
            size_bytes = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
            if size_bytes > max_header_bytes:
                self._refuse()
                return
            super().on_headers_complete()

        def _refuse(self) -> None:
            if not self.transport.is_closing():
                self.transport.write(_TOO_LARGE)
                self.transport.close()

    return BoundedProtocol
