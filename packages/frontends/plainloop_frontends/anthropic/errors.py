"""What went wrong, in Anthropic's words: `{"type": "error", "error": {type, message}, request_id}`.

`code`, `param` and `action` are ours: its SDKs keep what they do not know. Source:
platform.claude.com, "Errors".
"""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import JSONResponse

from plainloop.agent.errors import AgentError
from plainloop.server.http.error_table import add_action, to_words
from plainloop.server.observe.logs import request_id

from ..openai.errors import build_headers, get_status

_OVERLOADED: Final = 529
# By it the SDKs' tool runners know that they are to send the whole history instead. Source:
# anthropic 2.14.0, lib/threads/_thread_state.py.
_UNTHREADED: Final = "thread_unsupported_request"
_TYPES: Final = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    _OVERLOADED: "overloaded_error",
}


def tell_error(error: AgentError) -> JSONResponse:
    """Build the response for an error, with Anthropic's type and status."""
    headers = {**build_headers(error), **name_request()}
    return JSONResponse(to_error(error), _get_status(error), headers)


def to_error(error: AgentError) -> dict[str, Any]:
    """Build an error's body in Anthropic's form.

    A stream that fails ends with the same object as its last event.
    """
    status = _get_status(error)
    fallback = "invalid_request_error" if status < 500 else "api_error"
    body: dict[str, Any] = {"type": _TYPES.get(status, fallback), "message": to_words(error)}
    body["code"] = error.code
    if error.param:
        body["param"] = error.param
    if error.param == "thread":
        body["details"] = {"error_code": _UNTHREADED, "unsupported": ["thread"]}
    named = request_id.get()
    more = {"request_id": named} if named else {}
    return {"type": "error", "error": add_action(body, error.code), **more}


def name_request() -> dict[str, str]:
    """Return the header `request-id`, which Anthropic's SDKs read.

    {} without a request id.
    """
    named = request_id.get()
    return {"request-id": named} if named else {}


def _get_status(error: AgentError) -> int:
    return _OVERLOADED if error.code == "MODEL_OVERLOADED" else get_status(error)
