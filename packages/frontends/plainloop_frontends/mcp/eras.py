"""In which era a request lives, and whether its headers say what its body says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.mcp.headers import (
    METHOD_HEADER,
    NAME_HEADER,
    NAMED_BY,
    VERSION_HEADER,
    decode_header,
)
from plainloop.agent.mcp.session import LEGACY, META, MODERN
from plainloop.server.protocols.json_rpc import INVALID_PARAMS, Rpc, RpcError

from .older import find_older, make_unspoken

HEADER_MISMATCH: Final = -32020
_VERSION: Final = f"{META}protocolVersion"
_CAPABILITIES: Final = f"{META}clientCapabilities"


@dataclass(frozen=True, slots=True)
class Era:
    """The protocol version and abilities of an MCP client.

    can_ask: the client accepts questions for its user in an answer. asks_inline: an older client,
    which accepts them as requests while it waits for the answer.
    """

    version: str
    can_ask: bool = False
    asks_inline: bool = False

    @property
    def is_modern(self) -> bool:
        return self.version == MODERN


def find_era(rpc: Rpc, headers: Mapping[str, str] | None, *, asks_inline: bool = False) -> Era:
    """Return a request's protocol version and its client's capabilities as an Era.

    headers: None over stdio.

    Raises: RpcError.
    """
    stated: Any = rpc.meta.get(_VERSION)
    if stated is None and rpc.method == "initialize":  # whatever its headers say
        return Era(LEGACY[0])
    if stated is None and not (headers and METHOD_HEADER in headers):
        return Era(find_older(headers), asks_inline=asks_inline)
    if stated is None:
        raise RpcError(
            INVALID_PARAMS, f"params._meta lacks {_VERSION}: add the version of the protocol"
        )
    if headers is not None:
        _check_headers(rpc, stated, headers)
    if stated != MODERN:
        raise make_unspoken(stated)
    capabilities: Any = rpc.meta.get(_CAPABILITIES)
    if not isinstance(capabilities, dict):
        raise RpcError(
            INVALID_PARAMS, f"params._meta lacks {_CAPABILITIES}: add them, or an empty object"
        )
    return Era(MODERN, can_ask="elicitation" in capabilities)


def _check_headers(rpc: Rpc, stated: Any, headers: Mapping[str, str]) -> None:
    """Check that the headers, which proxies read, agree with the body. Raises: RpcError."""
    expected = {VERSION_HEADER: stated, METHOD_HEADER: rpc.method}
    if (key := NAMED_BY.get(rpc.method)) is not None:
        expected[NAME_HEADER] = rpc.params.get(key)
    for name, value in expected.items():
        header = headers.get(name)
        if header is None or decode_header(header.strip()) != value:
            raise RpcError(
                HEADER_MISMATCH,
                f"the header {name} does not match the body: send the same value in both",
            )
