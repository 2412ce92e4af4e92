"""The protocol of a connection to a tool server (`stdio` or `http`), its errors and its messages.

Messages from a server are untrusted: their size and depth are bounded, and they are cleaned, before
other code reads them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, cast

import orjson

from ..base.text.cleaning import clean_json
from ..base.text.json_text import parse_int

# A line without an end would fill the memory; the official client accepts any length
# (docs/decisions/16-mcp.md).
MAX_MESSAGE_BYTES: Final = 4 << 20
Message = dict[str, Any]  # JSON-RPC 2.0
# Told of whatever is no answer to a request of ours: notifications, and requests of the server's.
Receive = Callable[[Message], None]


class ServerError(Exception):
    """A tool server failed; the message is for users and the model."""


class SessionLost(ServerError):
    """An older server no longer knows our session: begin a new one."""


class ServerGone(ServerError):
    """The connection was lost or refused. was_sent: the server may have executed the request."""

    def __init__(self, message: str, *, was_sent: bool = True) -> None:
        super().__init__(message)
        self.was_sent = was_sent


class ServerRefused(ServerError):
    """The server answered with a JSON-RPC error. status: of HTTP, if any."""

    def __init__(self, code: int, message: str, data: Any = None, status: int = 200) -> None:
        super().__init__(f"{message[:500]} ({code})")
        self.code = code
        self.data = data
        self.status = status


class Wire(Protocol):
    """Protocol of a connection to one MCP server."""

    @property
    def is_closed_by_request(self) -> bool:
        """Whether a cancelled request's own connection is closed, so that the server notices."""
        ...

    async def request(self, message: Message, headers: Mapping[str, str]) -> Message:
        """Send a request and return its answer, waiting for it until cancelled.
        Raises: ServerError.
        """
        ...

    async def send(self, message: Message, headers: Mapping[str, str]) -> None:
        """Send a message that has no answer. Raises: ServerError."""
        ...

    async def close(self) -> None:
        """Release the connection's resources, whether it is open, broken or closed."""
        ...


def parse_message(text: bytes | str) -> Message:
    """Parse a JSON-RPC message.

    Raises: ServerError for what is no JSON-RPC message, or none that can be kept.
    """
    try:
        try:
            value: Any = orjson.loads(text)
        except orjson.JSONDecodeError:  # lone surrogates, which json reads
            value = json.loads(text, parse_int=parse_int)
        # Cleaned once, here: a row with a lone surrogate could not be stored
        # (tests/tool_servers/test_over_http.py::test_surrogates_and_nuls_are_removed_from_results).
        value = clean_json(value)
        orjson.dumps(value)  # what is nested too deeply to be stored is told here
    except (ValueError, TypeError, RecursionError) as error:
        raise ServerError(
            "the server sent data that is not JSON: check that `command` or `url` is an MCP server"
        ) from error
    if not isinstance(value, dict):
        raise ServerError(
            "the server sent JSON that is not a JSON-RPC message: check that `command` or `url` is "
            "an MCP server"
        )
    return cast(Message, value)


def take_result(answer: Message, status: int = 200) -> dict[str, Any]:
    """Return the `result` of a server's JSON-RPC answer. Raises: ServerRefused, ServerError."""
    failed: Any = answer.get("error")
    if isinstance(failed, dict):
        error = cast("dict[str, Any]", failed)
        code: Any = error.get("code")
        number = code if isinstance(code, int) else 0
        raise ServerRefused(number, str(error.get("message", "")), error.get("data"), status)
    result: Any = answer.get("result")
    if not isinstance(result, dict):
        raise ServerError(
            "the server's answer has neither `result` nor `error`: report this to the server's "
            "developer"
        )
    return cast("dict[str, Any]", result)
