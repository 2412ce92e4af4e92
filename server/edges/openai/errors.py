"""What went wrong, in OpenAI's words: `{"error": {message, type, param, code}}`."""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import JSONResponse

from ....agent.errors import AgentError
from ...http.endpoint import to_error_response
from ...http.error_table import get_mapping

_TYPES: Final = {
    401: "authentication_error",
    402: "insufficient_quota",
    403: "permission_error",
    429: "rate_limit_error",
}


def tell_error(error: AgentError) -> JSONResponse:
    """The status and headers are those of our own API; `code` is our own, too."""
    ours = to_error_response(error)
    headers = {
        name: value
        for name, value in ours.headers.items()
        if name not in ("content-length", "content-type")
    }
    return JSONResponse({"error": to_error(error)}, ours.status_code, headers=headers)


def to_error(error: AgentError) -> dict[str, Any]:
    status = get_mapping(error).status
    fallback = "invalid_request_error" if status < 500 else "server_error"
    told = ". ".join(filter(None, (error.public_message, error.hint)))
    return {
        "message": told,
        "type": _TYPES.get(status, fallback),
        "param": None,
        "code": error.code,
    }
