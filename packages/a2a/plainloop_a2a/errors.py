"""What goes wrong, in A2A's words: a code for JSON-RPC, a status for REST, a reason for both."""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import JSONResponse, Response

from plainloop.agent.errors import AgentError, InputError, NotFoundError, UnsupportedMedia
from plainloop.server.http.error_table import to_words
from plainloop.server.protocols.json_rpc import INVALID_PARAMS, Message, RpcError, read_refusal

DOMAIN: Final = "a2a-protocol.org"
_INFO: Final = "type.googleapis.com/google.rpc.ErrorInfo"
# By reason: JSON-RPC's code, HTTP's status, and its name among Google's.
_KNOWN: Final[dict[str, tuple[int, int, str]]] = {
    "TASK_NOT_FOUND": (-32001, 404, "NOT_FOUND"),
    "TASK_NOT_CANCELABLE": (-32002, 400, "FAILED_PRECONDITION"),
    "PUSH_NOTIFICATION_NOT_SUPPORTED": (-32003, 400, "FAILED_PRECONDITION"),
    "UNSUPPORTED_OPERATION": (-32004, 400, "FAILED_PRECONDITION"),
    "CONTENT_TYPE_NOT_SUPPORTED": (-32005, 400, "INVALID_ARGUMENT"),
    "EXTENDED_AGENT_CARD_NOT_CONFIGURED": (-32007, 400, "FAILED_PRECONDITION"),
    "VERSION_NOT_SUPPORTED": (-32009, 400, "UNIMPLEMENTED"),
    "INVALID_PARAMS": (INVALID_PARAMS, 400, "INVALID_ARGUMENT"),
}
_BY_STATUS: Final = {
    401: "UNAUTHENTICATED",
    402: "RESOURCE_EXHAUSTED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ABORTED",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
}


class A2aError(Exception):
    """A request that is refused, with A2A's reason for it."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message

    def to_rpc(self) -> RpcError:
        code, status, _ = _KNOWN[self.reason]
        return RpcError(code, self.message, [_describe(self.reason)], status)

    def to_rest(self) -> Response:
        _, status, name = _KNOWN[self.reason]
        return _to_rest(status, name, self.message, self.reason)


def make_push_refusal() -> A2aError:
    """Build the error for a request that wants push notifications, which are not supported."""
    told = "push notifications are not supported: leave them out, and poll with GetTask"
    return A2aError("PUSH_NOTIFICATION_NOT_SUPPORTED", told)


def to_a2a(error: AgentError) -> A2aError | None:
    """Convert an error to the A2A error for it; None if A2A has none."""
    if isinstance(error, NotFoundError):
        return A2aError("TASK_NOT_FOUND", to_words(error))
    if isinstance(error, InputError):
        return A2aError("INVALID_PARAMS", to_words(error))
    if isinstance(error, UnsupportedMedia):
        return A2aError("CONTENT_TYPE_NOT_SUPPORTED", to_words(error))
    return None


def tell_error(error: AgentError) -> Response:
    """Build the error response for a request that could not be parsed, for both A2A bindings."""
    refusal = read_refusal(error)
    name = _BY_STATUS.get(
        refusal.status, "INVALID_ARGUMENT" if refusal.status < 500 else "INTERNAL"
    )
    answer = _to_rest(refusal.status, name, to_words(error), error.code, code=refusal.code)
    if refusal.status == 401:
        answer.headers["www-authenticate"] = "Bearer"
    return answer


def _to_rest(
    status: int, name: str, message: str, reason: str, code: int | None = None
) -> Response:
    told: Message = {"code": status if code is None else code, "status": name, "message": message}
    told["details"] = [_describe(reason)]
    body = {"error": told} if code is None else {"jsonrpc": "2.0", "id": None, "error": told}
    return JSONResponse(body, status)


def _describe(reason: str) -> dict[str, Any]:
    return {"@type": _INFO, "reason": reason, "domain": DOMAIN}
