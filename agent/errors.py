"""All errors that plainloop raises on purpose.

AgentError                     the caller can fix it: stable `code`, one-line message, optional hint
├── ConfigError                settings, files, missing keys
│   └── MissingKeyError
├── InputError                 a message or a file that cannot be taken as it is
│   ├── ShapeError             readable data of another shape than asked for
│   ├── OutboundRefused        a URL that leads where no request from outside may go
│   └── OutboundFailed         a URL that could not be read: unreachable, too slow, no answer
├── NotFoundError              no such thread, run, file (or it belongs to another tenant)
├── AuthError                  nobody we know: no token, a wrong or an expired one
├── AccessDenied               somebody we know, who may not do this
├── PayloadTooLarge            a body, file or frame above its limit
├── UnsupportedMedia           a body of another content type than asked for
├── TooManyRequests            above a limit of ours: again after `retry_after_s`
├── ServiceUnavailable         not now: this process is being stopped, or something it needs is away
├── ConflictError              the thread already has an active run; an idempotency key was reused
├── StoreError                 the database cannot be reached or refuses
│   ├── StoreBusy              this process's own connections were all in use for too long
│   └── LeaseLost              another process owns the run now: write nothing more
├── LimitReached               a named limit ended the run
├── BudgetExceeded             a hard budget has no room for the next call: until its period ends
│   ├── BudgetBusy             others hold its rest at this moment: again in a few seconds
│   └── BudgetUnpriced         a budget in money, and a model whose price is not known
├── RunCancelled               an explicit cancel ended the run
├── RunWaiting                 the run waits for a person's approval; it goes on once that is given
└── ModelError                 a provider call failed; `retryable`: trying again can help
    ├── ModelAuthError         401, 403, wrong key
    ├── ModelNotFoundError     404, unknown model
    ├── ModelQuotaError        no balance, spend limit: never retried
    ├── RateLimited            429: retried after `retry_after_s`
    │   └── RatesFull          what we may ask the provider was used up by others for too long
    ├── ModelOverloaded        500, 503, 529: retried
    ├── ModelRequestError      400, 413, 422: our request is wrong for this model
    │   ├── ContextTooLong     the prompt does not fit the model's window
    │   │   └── AnswerTooLong  more is asked for than the model ever answers
    │   ├── StateRefused       what the model signed or encrypted earlier: asked once without it
    │   ├── ThinkingRefused    readable thinking, which was asked for: asked once without it
    │   ├── ToolsUnsupported      the model cannot use tools, which a worker has
    │   └── FilesUnsupported      the message brings a file of a kind that the model does not take
    ├── ContentFiltered        the provider blocked prompt or answer
    ├── EmptyAnswer            no text, no call, no refusal: asked once more
    ├── OutputInvalid          an answer that is not the JSON, or the call, asked for, twice
    ├── ModelTimeout           no answer in time
    ├── ModelConnectionError   DNS, refused, reset before an answer
    └── StreamCut              the stream ended without its terminal event

ToolError                      the model can fix it: a tool result, never leaves `core/tools.py`

Anything else that is raised is a bug: it rises, and is logged once at the edge.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


class AgentError(Exception):
    """A failure that the caller can act on.

    `code` is stable and part of the API; `hint` says what to do; `exit_code` is the CLI's; `param`
    names the field of the request that is meant.
    """

    code = "AGENT_ERROR"
    exit_code = 1

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        code: str | None = None,
        param: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.param = param
        if code is not None:
            self.code = code

    @property
    def public_message(self) -> str:
        """Return the error text that any user may read."""
        return self.message


class ConfigError(AgentError):
    code = "CONFIG_INVALID"
    exit_code = 2


class MissingKeyError(ConfigError):
    code = "MISSING_KEY"


class InputError(AgentError):
    code = "INVALID_INPUT"
    exit_code = 2


class ShapeError(InputError):
    code = "INVALID_FORMAT"


class OutboundRefused(InputError):
    code = "URL_REFUSED"


class OutboundFailed(InputError):
    code = "URL_UNREADABLE"


class NotFoundError(AgentError):
    code = "NOT_FOUND"
    exit_code = 3


class AuthError(AgentError):
    code = "UNAUTHENTICATED"


class AccessDenied(AgentError):
    code = "ACCESS_DENIED"


class PayloadTooLarge(AgentError):
    code = "PAYLOAD_TOO_LARGE"


class UnsupportedMedia(AgentError):
    code = "UNSUPPORTED_MEDIA_TYPE"


class TooManyRequests(AgentError):
    """The caller must wait: too many requests or open runs."""

    code = "TOO_MANY_REQUESTS"

    def __init__(
        self, message: str, *, hint: str | None = None, retry_after_s: float | None = None
    ) -> None:
        """Make the error. retry_after_s: None: unknown; the hint says what to wait for."""
        if hint is None and retry_after_s is not None:
            hint = f"try again in {math.ceil(retry_after_s)} s"
        super().__init__(message, hint=hint)
        self.retry_after_s = retry_after_s


class ServiceUnavailable(AgentError):
    code = "UNAVAILABLE"

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        code: str | None = None,
        retry_after_s: float = 1.0,
    ) -> None:
        super().__init__(message, hint=hint, code=code)
        self.retry_after_s = retry_after_s


class ConflictError(AgentError):
    code = "CONFLICT"
    exit_code = 4


class StoreError(AgentError):
    code = "STORE_UNAVAILABLE"
    exit_code = 5


class StoreBusy(StoreError):
    code = "STORE_BUSY"


class LeaseLost(StoreError):
    code = "LEASE_LOST"


class LimitReached(AgentError):
    code = "LIMIT_REACHED"
    exit_code = 6


class BudgetExceeded(AgentError):
    """A hard budget has no room for a model call.
    `retry_after_s`: until there is room again; None when waiting does not help.
    """

    code = "BUDGET_EXCEEDED"
    exit_code = 9

    def __init__(
        self, message: str, *, hint: str | None = None, retry_after_s: float | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.retry_after_s = retry_after_s


class BudgetBusy(BudgetExceeded):
    code = "BUDGET_BUSY"


class BudgetUnpriced(BudgetExceeded):
    code = "BUDGET_UNPRICED"


class RunCancelled(AgentError):
    code = "CANCELLED"
    exit_code = 130


class RunWaiting(AgentError):
    """The run waits for a person's approval. question_codes: of the questions shown to the user."""

    code = "APPROVAL_NEEDED"
    exit_code = 8
    question_codes: Sequence[str] = ()


class ModelError(AgentError):
    """A provider call failed.

    `partial` is what had arrived (an `LLMResponse` with `stop="error"`) or None;
    `retry_after_s` is the provider's own wish, None when it stated none.
    """

    code = "LLM_ERROR"
    exit_code = 7
    retryable = False
    sentence = "the model could not answer"  # for users: a vendor's words are for operators

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        code: str | None = None,
        retry_after_s: float | None = None,
        status: int | None = None,
        request_id: str | None = None,
        partial: Any = None,
    ) -> None:
        super().__init__(message, hint=hint, code=code)
        self.retry_after_s = retry_after_s
        self.status = status
        self.request_id = request_id
        self.partial = partial

    @property
    def public_message(self) -> str:
        """Return a fixed sentence for users, without the provider's own text."""
        return self.sentence

    def to_log_fields(self, *, is_debug: bool) -> dict[str, Any]:
        """Return the error's log fields, with the provider's text only in debug mode.
        That text may quote the user and contain ids.
        """
        summary: dict[str, Any] = {"code": self.code, "status": self.status}
        details = {"reason": self.message, "provider_request_id": self.request_id}
        return {**summary, **details} if is_debug else summary


class ModelAuthError(ModelError):
    code = "MODEL_AUTH"
    sentence = (
        "the provider refused the service's access to the model; the operator has been notified"
    )


class ModelNotFoundError(ModelError):
    code = "MODEL_NOT_FOUND"
    sentence = "the configured model does not exist; the operator has been notified"


class ModelQuotaError(ModelError):
    code = "MODEL_QUOTA"
    sentence = "the credit of the service's account at the model provider is used up"


class RateLimited(ModelError):
    code = "RATE_LIMITED"
    sentence = "too many requests to the model at the moment: try again in a minute"
    retryable = True


class RatesFull(RateLimited):
    code = "RATES_FULL"
    # Other callers used up our rate: an immediate retry would only wait again.
    retryable = False


class ModelOverloaded(ModelError):
    code = "MODEL_OVERLOADED"
    sentence = "the model provider has problems at the moment: try again in a minute"
    retryable = True


class ModelRequestError(ModelError):
    code = "MODEL_REQUEST"
    sentence = "the model provider refused the request"


class ContextTooLong(ModelRequestError):
    code = "CONTEXT_TOO_LONG"
    sentence = "the conversation is too long for the model: start a new one"
    stated: Any = None  # the token counts in the refusal: `providers.http.wordings.StatedRoom`


class AnswerTooLong(ContextTooLong):
    code = "ANSWER_TOO_LONG"
    sentence = (
        "the model cannot give an answer of the requested length; the operator has been notified"
    )


class StateRefused(ModelRequestError):
    code = "STATE_REFUSED"
    sentence = "the model provider cannot continue this conversation: start a new one"


class ThinkingRefused(ModelRequestError):
    code = "THINKING_REFUSED"
    retryable = True  # the next request does not ask for it: `providers/shown_thinking.py`


class ToolsUnsupported(ModelRequestError):
    code = "NO_TOOL_SUPPORT"
    sentence = (
        "the configured model cannot use tools: choose one that can, such as llama3.1 or qwen3"
    )


class FilesUnsupported(ModelRequestError):
    code = "MODEL_TAKES_NO_FILE"

    @property
    def public_message(self) -> str:
        """Describe which file is not supported and what to do, without the vendor's text."""
        return self.message


class ContentFiltered(ModelError):
    code = "CONTENT_FILTERED"
    sentence = "the model provider's content filter stopped this conversation"


class OutputInvalid(ModelError):
    code = "OUTPUT_INVALID"
    sentence = (
        "the model twice gave no valid answer in the requested form (a JSON schema or a tool call)"
    )


class EmptyAnswer(ModelError):
    code = "EMPTY_ANSWER"
    sentence = "the model twice gave an empty answer: try again, or rephrase the message"


class ModelTimeout(ModelError):
    code = "MODEL_TIMEOUT"
    sentence = "the model did not answer in time"
    retryable = True


class ModelConnectionError(ModelError):
    code = "MODEL_UNREACHABLE"
    sentence = "the model cannot be reached at the moment"
    retryable = True


class StreamCut(ModelError):
    code = "STREAM_CUT"
    sentence = "the model's answer broke off"
    retryable = True


class ToolError(Exception):
    """Raise ToolError in a tool if the model can correct the call. The model reads the text.

    `details` are merged into the result dict beside `error`.
    """

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details = details
