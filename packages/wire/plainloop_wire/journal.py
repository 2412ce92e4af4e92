"""What the server was asked and what it answered, for tests and for people who debug a client."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NotRequired, TypedDict

import orjson

_SECRET_HEADERS: Final = frozenset(
    {"authorization", "x-api-key", "x-goog-api-key", "api-key", "cookie"}
)
_REDACTED: Final = "REDACTED"


class Entry(TypedDict):
    """A journal entry for one request. Keys and tokens are redacted; the body is as received."""

    n: int  # 1, 2, 3 … since the last reset
    dialect: str
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any  # parsed JSON, else text
    status: int | None  # None: the connection was dropped before an answer
    usage: dict[str, Any] | None  # as sent, in the provider's words
    stream: bool
    disconnected: bool  # the client went away before the answer's end
    sent_bytes: int
    fault: NotRequired[dict[str, Any]]  # the injected failure that hit it
    batch: NotRequired[dict[str, str]]  # id and custom_id, of a request in a batch
    error: NotRequired[str]  # the error's message, where one was answered


class Journal:
    """The newest requests in memory; all of them in a file if one is named."""

    def __init__(self, log_file: Path | None = None, keep: int = 5000) -> None:
        self._entries: deque[Entry] = deque(maxlen=keep)
        self._log_file = log_file
        self._count = 0

    @property
    def entries(self) -> list[Entry]:
        return list(self._entries)

    def clear(self) -> None:
        self._entries.clear()
        self._count = 0

    def record_request(
        self,
        dialect: str,
        method: str,
        path: str,
        query: Mapping[str, str],
        headers: Mapping[str, str],
        body: bytes,
    ) -> Entry:
        """Append an entry for a request to the journal and return it.

        It is completed with the response.
        """
        self._count += 1
        entry = Entry(
            n=self._count,
            dialect=dialect,
            method=method,
            path=path,
            query={key: _REDACTED if key == "key" else text for key, text in query.items()},
            headers={
                key: _REDACTED if key in _SECRET_HEADERS else text for key, text in headers.items()
            },
            body=_parse_body(body),
            status=None,
            usage=None,
            stream=False,
            disconnected=False,
            sent_bytes=0,
        )
        self._entries.append(entry)
        return entry

    def write_entry(self, entry: Entry) -> None:
        """Append a completed entry to the log file, if there is one."""
        if self._log_file is not None:
            with self._log_file.open("ab") as file:
                file.write(orjson.dumps(entry) + b"\n")


def _parse_body(body: bytes) -> Any:
    if not body:
        return None
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return body.decode("utf-8", "replace")
