"""The one table from errors to what a client sees: HTTP status, SSE event, WebSocket frame.

Over HTTP and SSE an error keeps its own code; a WebSocket has fewer (`INVALID_FORMAT`,
`ACCESS_DENIED`, `LLM_ERROR`, `INTERNAL_ERROR`), and our own where none of those fits.
"""

from __future__ import annotations

from typing import Any, Final

from ...agent import errors
from ...agent.dataclasses import dataclass
from ...agent.errors import AgentError

INTERNAL_ERROR: Final = "INTERNAL_ERROR"
LLM_ERROR: Final = "LLM_ERROR"
INTERNAL_MESSAGE: Final = "the server had an internal error, which was logged"


@dataclass(frozen=True, slots=True)
class Mapping:
    """The HTTP status and WebSocket code of one class of errors."""

    status: int  # HTTP
    ws_code: str | None = None  # None: the error's own code


_MODEL: Final = Mapping(503, LLM_ERROR)
# Every class of `agent/errors.py`; one that is made elsewhere is told as the class it comes from.
ERRORS: Final[dict[type[AgentError], Mapping]] = {
    AgentError: Mapping(500),
    errors.ConfigError: Mapping(500),
    errors.MissingKeyError: Mapping(503),
    errors.InputError: Mapping(400),
    errors.ShapeError: Mapping(422),
    errors.OutboundRefused: Mapping(400),
    errors.OutboundFailed: Mapping(422),
    # Over a WebSocket as AccessDenied: there too a client must not learn which ids exist
    # (test_an_approve_frame_decides_once_and_only_for_its_owner).
    errors.NotFoundError: Mapping(404, "ACCESS_DENIED"),
    errors.AuthError: Mapping(401),
    errors.AccessDenied: Mapping(403),
    errors.PayloadTooLarge: Mapping(413),
    errors.UnsupportedMedia: Mapping(415),
    errors.TooManyRequests: Mapping(429),
    errors.ServiceUnavailable: Mapping(503),
    errors.ConflictError: Mapping(409),
    errors.StoreError: Mapping(503),
    errors.StoreBusy: Mapping(503),
    errors.LeaseLost: Mapping(503),
    errors.LimitReached: Mapping(422),
    errors.BudgetExceeded: Mapping(402),
    errors.BudgetBusy: Mapping(429),
    errors.BudgetUnpriced: Mapping(402),
    errors.RunCancelled: Mapping(409),
    errors.RunWaiting: Mapping(409),
    errors.ModelError: _MODEL,
    errors.ModelAuthError: _MODEL,
    errors.ModelNotFoundError: _MODEL,
    errors.ModelQuotaError: Mapping(402, LLM_ERROR),
    errors.RateLimited: Mapping(429, LLM_ERROR),
    errors.RatesFull: Mapping(429, LLM_ERROR),
    errors.ModelOverloaded: _MODEL,
    errors.ModelRequestError: _MODEL,
    errors.StateRefused: _MODEL,
    errors.ThinkingRefused: _MODEL,
    errors.ContextTooLong: Mapping(422, LLM_ERROR),
    errors.AnswerTooLong: Mapping(422, LLM_ERROR),
    errors.ToolsUnsupported: _MODEL,
    errors.FilesUnsupported: Mapping(422, LLM_ERROR),
    errors.ContentFiltered: Mapping(422, LLM_ERROR),
    errors.OutputInvalid: Mapping(422, LLM_ERROR),
    errors.EmptyAnswer: _MODEL,
    errors.ModelTimeout: _MODEL,
    errors.ModelConnectionError: _MODEL,
    errors.StreamCut: _MODEL,
}
# What helps beside trying again: a screen of the console, and what its button says. One who may not
# set it up can at least see what is wrong there.
_ACTIONS: Final = {
    "MODEL_AUTH": ("settings/models", "Replace the key"),
    "MISSING_KEY": ("settings/models", "Add a key"),
    "MODEL_QUOTA": ("settings/models", "Use another provider"),
    "MODEL_NOT_FOUND": ("settings/models", "Choose another model"),
    "MODEL_TIMEOUT": ("settings/models", "Check providers"),
    "MODEL_UNREACHABLE": ("settings/models", "Check providers"),
    "MODEL_OVERLOADED": ("settings/models", "Check providers"),
    "BUDGET_EXCEEDED": ("settings/prices", "Show budgets"),
    "BUDGET_UNPRICED": ("settings/prices", "Show prices"),
}
# A class that has its parent's code does not speak for it.
_BY_CODE: Final = {cls.code: mapping for cls, mapping in reversed(ERRORS.items())}


def get_mapping(error: AgentError) -> Mapping:
    """Return an error's HTTP status and WebSocket code, by its nearest class.

    A bare AgentError tells how a run ended: there only the code says what it was.
    """
    # Exactly this class: a subclass knows its status by its place in the tree.
    if type(error) is AgentError:
        return _BY_CODE.get(error.code, ERRORS[AgentError])
    return next(ERRORS[cls] for cls in type(error).__mro__ if cls in ERRORS)


def get_ws_code(code: str) -> str:
    """Return the code by which WebSocket clients know a run's error code.

    Codes that are not listed stay.
    """
    mapping = _BY_CODE.get(code)
    return (mapping.ws_code if mapping else None) or code


def to_words(error: AgentError) -> str:
    """Return an error's message and hint as one text that users may read."""
    return ". ".join(filter(None, (error.public_message, error.hint)))


def find_action(code: str | None) -> dict[str, str] | None:
    """Return the console screen for errors of this code, as `{"screen", "label"}`, or None."""
    entry = _ACTIONS.get(code or "")
    return entry and {"screen": entry[0], "label": entry[1]}


def add_action(body: dict[str, Any], code: str | None) -> dict[str, Any]:
    """Return `body`, with the field `action` if the console can help with an error of this code.

    >>> add_action({"message": "no"}, "MISSING_KEY")["action"]
    {'screen': 'settings/models', 'label': 'Add a key'}
    >>> add_action({"message": "no"}, "NOT_FOUND")
    {'message': 'no'}
    """
    action = find_action(code)
    return {**body, "action": action} if action else body


def to_error_body(code: str, message: str, hint: str | None = None) -> dict[str, Any]:
    """Build an error's JSON body: `{"error": {"code", "message", "hint"?, "action"?}}`."""
    body = {"code": code, "message": message, **({"hint": hint} if hint else {})}
    return {"error": add_action(body, code)}
