"""Converts providers' error bodies to our error classes, by table and text, never by SDK."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, cast

from ...base.text.cleaning import cut_text
from ...base.text.foreign_json import as_object
from ...base.text.secrets import cut_secrets
from ...errors import (
    AnswerTooLong,
    ContentFiltered,
    ContextTooLong,
    ModelAuthError,
    ModelConnectionError,
    ModelError,
    ModelNotFoundError,
    ModelOverloaded,
    ModelQuotaError,
    ModelRequestError,
    ModelTimeout,
    OutboundRefused,
    RateLimited,
    StateRefused,
    StreamCut,
    ThinkingRefused,
)
from ...types import LLMResponse
from ..defaults import ErrorKind
from ..provider_state import Target
from ..shown_thinking import remember_refusal
from .failure_kinds import Failure, judge_failure
from .wordings import read_room

_CLASSES: Final[Mapping[ErrorKind, type[ModelError]]] = {
    "auth": ModelAuthError,
    "not_found": ModelNotFoundError,
    "quota": ModelQuotaError,
    "rate": RateLimited,
    "overloaded": ModelOverloaded,
    "request": ModelRequestError,
    "context": ContextTooLong,
    "answer": AnswerTooLong,
    "state": StateRefused,
    "thinking": ThinkingRefused,
    "filtered": ContentFiltered,
    "timeout": ModelTimeout,
}
_HINTS: Final[Mapping[ErrorKind, str]] = {
    "auth": "Check this provider's API key and its permissions.",
    "not_found": (
        "Check the model name (`plainloop models` lists them) and the setting `api_base`."
    ),
    "quota": "The account's balance or plan is used up; retrying does not help.",
    "context": "The conversation is longer than the model's context window: start a new one.",
    "answer": "Lower AGENT_LIMITS_MAX_OUTPUT_TOKENS.",
}
_CODE_AT_END: Final = re.compile(r"\((\d{4})\)\s*$")  # MiniMax, beside an HTTP status
_DURATION: Final = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)(ms|h|m|s)")
_TRY_AGAIN_IN: Final = re.compile(r"try again in ((?:\d+(?:\.\d+)?(?:ms|h|m|s))+)")
_UNIT_S: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_HTML_TITLE: Final = re.compile(r"<(title|h1)[^<>]*>(.{0,500}?)</\1>", re.IGNORECASE | re.DOTALL)
_MAX_MESSAGE_CHARS: Final = 500


def build_model_error(
    failure: Failure, target: Target, partial: LLMResponse | None = None
) -> ModelError:
    """Build the ModelError for a vendor's failure, with a one-line message that names the provider.

    A refusal to display thinking is remembered for the target.
    """
    kind = judge_failure(failure, target)
    error = _CLASSES[kind](
        f"{target.provider}: {_to_line(failure.message)}",
        hint=_HINTS.get(kind),
        # The repeated request does not ask for thinking any more: there is nothing to wait for.
        retry_after_s=0.0 if kind == "thinking" else failure.retry_after_s,
        status=failure.status,
        request_id=failure.request_id or (partial.request_id if partial else None),
        partial=partial,
    )
    if kind == "thinking":
        remember_refusal(target)
    if isinstance(error, ContextTooLong):
        text = "\n".join((failure.message, failure.details, failure.counts))
        error.stated = read_room(text, "answer" if kind == "answer" else "context")
    return error


def build_cut_error(target: Target, reason: str, partial: LLMResponse | None) -> StreamCut:
    """Build the error for a stream that ended before its answer was complete."""
    return StreamCut(
        f"{target.provider}: the answer was cut off ({_to_line(reason)})",
        request_id=partial.request_id if partial else None,
        partial=partial,
    )


def convert_transport_error(
    error: BaseException, target: Target, base_url: str, partial: LLMResponse | None = None
) -> ModelError:
    """Convert a network failure (time-out, DNS, connection refused or reset) to a ModelError.

    `partial` set: bytes had arrived.

    Raises: OutboundRefused when it was our own guard that refused, which an SDK had wrapped.
    """
    # OpenAI's SDK wraps what the transport raised; Anthropic's lets it through in mid-stream.
    cause = error.__cause__ or error
    if isinstance(cause, OutboundRefused):
        raise cause
    name = type(cause).__name__
    if "Timeout" in name or isinstance(cause, TimeoutError):
        return ModelTimeout(
            f"{target.provider}: no answer in time ({name})", partial=partial, hint=_SILENCE_HINT
        )
    reason = str(cause) or name
    if partial is not None:
        return build_cut_error(target, reason, partial)
    return ModelConnectionError(
        f"{target.provider}: cannot reach {_to_line(base_url)} ({_to_line(reason)})",
        hint="Check the network and the setting `api_base`.",
    )


_SILENCE_HINT: Final = (
    "The server sent nothing for too long. AGENT_LIMITS_MODEL_TIMEOUT_S sets the time-out."
)


# What reading JSON of another shape than expected raises.
SHAPE_ERRORS: Final = (AttributeError, IndexError, KeyError, TypeError, ValueError)


def read_answer(read: Callable[[], LLMResponse], target: Target) -> LLMResponse:
    """Parse a server's answer with `read`; raise a ModelError if the answer is malformed.

    Raises: ModelOverloaded when it has another shape than this API's: retried like a 502.
    """
    try:
        return read()
    except SHAPE_ERRORS as error:
        raise build_shape_error(error, target) from error


def build_shape_error(
    error: Exception, target: Target, finish: Callable[[], LLMResponse] | None = None
) -> ModelError:
    """Build the error for an answer whose JSON does not have this API's form.

    finish: returns what had arrived.
    """
    reason = f"the answer does not have the form of this API ({type(error).__name__}: {error})"
    partial = try_partial(finish) if finish else None
    return build_model_error(Failure(reason, status=502), target, partial)


def check_stop(answer: LLMResponse, target: Target) -> LLMResponse:
    """Return the answer unchanged, or raise if the server itself stopped it early.

    Raises: ModelOverloaded when its finish reason says that the server gave up.
    """
    if answer.stop == "error":
        raise ModelOverloaded(
            f"{target.provider}: the server stopped its answer early (finish "
            f"reason {answer.stop_raw})",
            hint="Try again in a minute.",
            partial=answer,
            request_id=answer.request_id,
        )
    return answer


def try_partial(finish: Callable[[], LLMResponse]) -> LLMResponse | None:
    """Return the part of a broken stream's answer that can be read; None if nothing can."""
    try:
        return finish()
    except SHAPE_ERRORS:
        return None


def parse_failure(
    body: object, status: int | None, headers: Mapping[str, str], fallback: str = ""
) -> Failure:
    """Parse a vendor's error response, in any known form, to a Failure."""
    stated = _find_error(body)
    words = tuple(
        str(stated[key])
        for key in ("code", "error_code", "type", "status", "status_code", "http_code")
        if isinstance(stated.get(key), str | int)
    )
    # A list at Google ({"@type", "reason", "retryDelay"}), an object at Anthropic ({"error_code"}).
    details = cast("Mapping[str, Any] | list[Any] | None", stated.get("details"))
    if isinstance(details, Mapping):
        words += tuple(value for value in details.values() if isinstance(value, str))
    elif isinstance(details, list):
        words += tuple(re.findall(r'"reason": "([A-Z_]+)"', json.dumps(details)))
    stated_texts = (stated.get(key) for key in ("message", "status_msg", "msg", "detail"))
    reason: Any = next(filter(None, stated_texts), None) or fallback or " ".join(words)
    # Where a body has no valid field, what is wrong with it comes as a list or an object.
    message = reason if isinstance(reason, str) else json.dumps(reason, ensure_ascii=False)
    # MiniMax, "context window exceeds limit (2013)": its number is only in the text
    # (test_minimax_error_codes_are_read_from_the_message).
    if (code := _CODE_AT_END.search(message)) is not None:
        words += (code[1],)
    numbers = (int(word) for word in words if word.isdecimal())
    request_id = headers.get("request-id") or headers.get("x-request-id") or None
    if request_id is None and isinstance(body, Mapping):
        request_id = cast("Mapping[str, Any]", body).get("request_id")
    return Failure(
        message=message or f"HTTP {status or 200} without a message",
        status=status or next((n for n in numbers if 400 <= n <= 599), None),
        words=words,
        retry_after_s=_find_delay(headers, details, message),
        request_id=request_id if isinstance(request_id, str) else None,
        details="".join(json.dumps(part) for part in (details, *_list_wrapped(stated)) if part),
        counts=json.dumps({key: stated[key] for key in stated if key.startswith("n_")}),
    )


def _list_wrapped(stated: Mapping[str, Any]) -> list[Any]:
    """List the errors of the provider behind a gateway, as quoted in the gateway's own error."""
    metadata = as_object(stated.get("metadata"))
    return [metadata.get("raw"), stated.get("upstream_error")]


def _find_error(body: object) -> Mapping[str, Any]:
    if isinstance(body, str | bytes):
        text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
        return {"message": text}
    if isinstance(body, list) and body:
        return _find_error(cast("list[object]", body)[0])
    if not isinstance(body, Mapping):
        return {}
    stated = cast("Mapping[str, Any]", body)
    for key in ("error", "base_resp"):
        inner = stated.get(key)
        if isinstance(inner, Mapping):
            return cast("Mapping[str, Any]", inner)
        if isinstance(inner, str):
            return {**stated, "message": stated.get("message") or inner}
    return stated


def _find_delay(headers: Mapping[str, str], details: object, message: str) -> float | None:
    """Return the seconds to wait, from retry-after-ms, retry-after, RetryInfo or OpenAI's text.

    The words are all that there is inside a stream: "Please try again in 1m2.5s."
    """
    # The more precise header first, as in the SDKs. The caller decides how long to wait at most
    # (tests/providers/test_failures.py::test_retry_after_is_read_but_bounded).
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) / scale)
        except (KeyError, ValueError):
            continue
    if (date := headers.get("retry-after")) is not None:
        try:
            then = parsedate_to_datetime(date).astimezone(UTC)
        except ValueError:
            return None
        return max(0.0, (then - datetime.now(UTC)).total_seconds())
    if details and (match := re.search(r'"retryDelay":\s*"([\d.]+)s"', json.dumps(details))):
        return float(match[1])
    if (match := _TRY_AGAIN_IN.search(message)) is None:
        return None
    return sum(float(n) * _UNIT_S[unit] for n, unit in _DURATION.findall(match[1]))


def _to_line(message: str) -> str:
    """Reduce a message to one bounded line without secrets; of an HTML page, to its title."""
    if "<html" in message[:1000].lower():
        title = _HTML_TITLE.search(message)
        inner = re.sub(r"\s+", " ", title[2]).strip() if title else "no title"
        message = f"the server sent an HTML page instead of an answer: {inner}"
    # Vendors print keys and account ids into their messages
    # (tests/providers/test_leaks.py::test_provider_errors_contain_no_secret).
    line = cut_secrets(re.sub(r"\s+", " ", message).strip())
    return cut_text(line, _MAX_MESSAGE_CHARS)
