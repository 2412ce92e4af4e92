"""The protocol before 2026-07-28, translated: handshake, sessions, questions within a stream.

Most clients still begin with it (docs/decisions/16-mcp.md). Nothing is kept of a session: its id
says whether its client can ask its user, so that any replica can answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.base.ids import make_id
from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.mcp.headers import SESSION_HEADER, VERSION_HEADER
from plainloop.agent.mcp.session import LEGACY, META, MODERN, UNSUPPORTED_VERSION
from plainloop.server.http.sse import EVENT_STREAM
from plainloop.server.protocols.json_rpc import INVALID_PARAMS, Message, Rpc, RpcError

_ASKS: Final = ".asks"  # ends the id of a session whose client can ask its user


def initialize(rpc: Rpc, server: Message) -> Message:
    """Answer an older client's `initialize` with the protocol version to use.

    It is the client's version if we support it, else our newest version of the old kind. server:
    its self-description. Raises: RpcError.
    """
    wanted: Any = rpc.params.get("protocolVersion")
    if not isinstance(wanted, str):
        raise RpcError(
            INVALID_PARAMS, "initialize needs a protocolVersion: add it to `params`", status=200
        )
    return {"protocolVersion": wanted if wanted in LEGACY else LEGACY[0], **server}


def begin_session(rpc: Rpc) -> dict[str, str]:
    """Return the session header for the answer to `initialize`.

    {} unless the client can show its user a form.
    """
    is_asking = rpc.method == "initialize" and offers_form(rpc)
    return {SESSION_HEADER: make_id() + _ASKS} if is_asking else {}


def offers_form(rpc: Rpc) -> bool:
    """Return whether the client that sends `initialize` can show its user a form."""
    elicitation = as_object(rpc.params.get("capabilities")).get("elicitation")
    return isinstance(elicitation, dict) and (not elicitation or "form" in elicitation)


def can_ask_inline(headers: Mapping[str, str]) -> bool:
    """Return whether the client can answer a question during its tool call."""
    is_streamed = EVENT_STREAM in headers.get("accept", "").lower()
    return is_streamed and headers.get(SESSION_HEADER, "").endswith(_ASKS)


def find_older(headers: Mapping[str, str] | None) -> str:
    """Return the protocol version of a request that does not state one in `_meta`.

    Raises: RpcError.
    """
    version = (headers or {}).get(VERSION_HEADER, LEGACY[0])
    if version == MODERN:
        raise RpcError(
            INVALID_PARAMS,
            f"params._meta lacks {META}protocolVersion: add it, or call initialize first",
        )
    if version not in LEGACY:
        raise make_unspoken(version)
    return version


def make_unspoken(version: Any) -> RpcError:
    data = {"supported": [MODERN, *LEGACY], "requested": version}
    return RpcError(
        UNSUPPORTED_VERSION, "this protocol version is not supported: use one of `supported`", data
    )


def to_inline_question(name: str, question: Message) -> Message:
    """Build the JSON-RPC request that puts a question to the client.

    name: the request's id.
    """
    params = {key: item for key, item in question["params"].items() if key != "mode"}
    return {"jsonrpc": "2.0", "id": name, **question, "params": params}
