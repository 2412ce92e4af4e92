"""What went wrong, in OpenAI's words: `{"error": {message, type, param, code}}`.

`action` is ours: its SDKs keep what they do not know (`error.body["action"]`).
"""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import JSONResponse

from plainloop.agent.errors import AgentError, ShapeError, TooManyRequests
from plainloop.server.http.endpoint import build_error_headers
from plainloop.server.http.error_table import add_action, get_mapping, to_words

_TYPES: Final = {
    401: "authentication_error",
    402: "insufficient_quota",
    403: "permission_error",
    429: "rate_limit_error",
}


def tell_error(error: AgentError) -> JSONResponse:
    """Build the response for an error in OpenAI's form, with our own status and `code`."""
    return JSONResponse({"error": to_error(error)}, get_status(error), build_headers(error))


def build_headers(error: AgentError) -> dict[str, str]:
    """Build an error's headers, which tell SDKs not to retry where a retry cannot help."""
    headers = build_error_headers(error)
    if "retry-after" not in headers and not isinstance(error, TooManyRequests):
        headers["x-should-retry"] = "false"
    return headers


def get_status(error: AgentError) -> int:
    """Return an error's HTTP status in OpenAI's API.

    A body of the wrong shape is 400 there, not 422.
    """
    return 400 if isinstance(error, ShapeError) else get_mapping(error).status


def to_error(error: AgentError) -> dict[str, Any]:
    status = get_status(error)
    fallback = "invalid_request_error" if status < 500 else "server_error"
    body = {
        "message": to_words(error),
        "type": _TYPES.get(status, fallback),
        "param": error.param,
        "code": error.code,
    }
    return add_action(body, error.code)
