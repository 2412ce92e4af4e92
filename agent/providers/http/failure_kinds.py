"""Classifies a provider's failure by its codes and texts: tables of all vendors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from ...base.text.patterns import compile_lazily
from ...dataclasses import dataclass
from ..defaults import ErrorKind
from ..provider_state import Target
from .wordings import judge_fit

# Error types and codes of all vendors; a vendor's own contradicting codes are in its quirks.
_WORDS: Final[Mapping[str, ErrorKind]] = {
    "authentication_error": "auth",
    "authorized_error": "auth",
    "invalid_api_key": "auth",
    "API_KEY_INVALID": "auth",
    "permission_error": "auth",
    "UNAUTHENTICATED": "auth",
    "PERMISSION_DENIED": "auth",
    "not_found_error": "not_found",
    "model_not_found": "not_found",
    "resource_not_found_error": "not_found",
    "NOT_FOUND": "not_found",
    "billing_error": "quota",
    "insufficient_quota": "quota",
    "billing_hard_limit_reached": "quota",
    "billing_not_active": "quota",
    "insufficient_balance": "quota",
    "usage_limit_reached": "quota",
    "rate_limit_error": "rate",
    "rate_limit_exceeded": "rate",
    "RESOURCE_EXHAUSTED": "rate",
    "overloaded_error": "overloaded",
    "api_error": "overloaded",
    "server_error": "overloaded",
    "internal_error": "overloaded",
    "UNAVAILABLE": "overloaded",
    "INTERNAL": "overloaded",
    "timeout_error": "timeout",
    "DEADLINE_EXCEEDED": "timeout",
    "context_length_exceeded": "context",
    "request_too_large": "context",
    "content_filter": "filtered",
    "content_policy_violation": "filtered",
    "data_inspection_failed": "filtered",
    "invalid_prompt": "filtered",  # OpenAI's word for one against its usage policies
    "bio_policy": "filtered",
    "cyber_policy": "filtered",
    "misalignment_policy_violation": "filtered",
    "image_content_policy_violation": "filtered",
    "data_residency_mismatch": "request",
    "vector_store_timeout": "timeout",
    "invalid_request_error": "request",
    "INVALID_ARGUMENT": "request",
    "FAILED_PRECONDITION": "request",
}
_STATUSES: Final[Mapping[int, ErrorKind]] = {
    401: "auth",
    402: "quota",
    403: "auth",
    404: "not_found",
    408: "timeout",
    409: "overloaded",
    413: "context",
    429: "rate",
    498: "overloaded",  # Groq: its flex tier has no room now
}
# Signed or encrypted state of earlier answers: of another key, account, region or conversation,
# changed on its way, or without what belongs to it. Wordings of the vendors and of gateways.
_STATE_WORDS: Final = (
    r"invalid_encrypted_content",
    r"encrypted[ _]content\b.{0,300}?(?:could not be|cannot be|was not issued|did not match)",
    r"(?:invalid|malformed|corrupted) encrypted[ _](?:reasoning )?content",
    r"(?:decrypt|verify|parse)\b.{0,80}?encrypted[ _](?:reasoning )?content",
    r"invalid `?signature`? in `?thinking`? block",
    r"invalid `?data`? in `?redacted_thinking`? block",
    r"thinking`? blocks? .{0,60}?cannot be modified",
    r"block is bound to a different",
    r"block_binding\b.{0,80}?not permitted",  # a gateway that does not know the field
    r"(?:thinking|content\.\d+)\.signature",
    r"(?:corrupted|invalid|malformed|expired) (?:thought|thinking|reasoning)[ _]signature",
    r"(?:thought|thinking|reasoning)[ _]?signature`? (?:is|was|has|could|does|did)\b.{0,40}?"
    r"(?:valid|corrupt|match|verif|expired|malformed)",
    r"of type '?(?:reasoning|function_call|message)'? was provided without its required",
    r"item with id '?(?:rs|fc|msg)_.{0,80}? not found",
)
_STATE_TEXT: Final = compile_lazily("|".join(_STATE_WORDS), re.IGNORECASE | re.DOTALL)
# Thinking that was asked for in a readable form, by an account, model or gateway that has none.
_THINKING_WORDS: Final = (
    r"reasoning\.(?:generate_)?summary",
    r"reasoning summar(?:y|ies)",
    r"include_?thoughts",
    r"thinking is not enabled for",
    r"thinking\.(?:\w+\.)?display",
)
_THINKING_TEXT: Final = compile_lazily("|".join(_THINKING_WORDS), re.IGNORECASE)
_STATE_STATUSES: Final = (None, 400, 404, 422)  # None: inside a stream
_WORDS_OVER_STATUS: Final[frozenset[ErrorKind]] = frozenset(
    {"auth", "quota", "filtered", "not_found", "context"}
)
_QUOTA_WORDS: Final = (
    r"credit balance is too low",
    r"insufficient (?:account )?balance",
    r"spend limit",
    r"PerDay",
    r"no available (?:balance|resource package)",
    r"usage limit",
)
_QUOTA_TEXT: Final = compile_lazily("|".join(_QUOTA_WORDS), re.IGNORECASE)
# Some say 400 for a key that they do not know.
_AUTH_TEXT: Final = compile_lazily(
    r"(?:incorrect|invalid) api[ _-]?key|api key (?:is )?(?:not valid|invalid|expired)",
    re.IGNORECASE,
)
_FILTER_WORDS: Final = (
    r"content exists risk",
    r"considered high risk",
    r"inappropriate content",
    r"violating our usage polic",
    r"content management policy",
    r"(?:flagged|blocked) by (?:the )?(?:\w+ )?moderation",
    r"requires moderation",
    r"input was flagged",
)
_FILTER_TEXT: Final = compile_lazily("|".join(_FILTER_WORDS), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure as the provider stated it, not yet classified."""

    message: str
    status: int | None = None  # HTTP status, or the one named inside a stream
    words: tuple[str, ...] = ()  # error type, code, status word: whatever the vendor sent
    retry_after_s: float | None = None
    request_id: str | None = None
    details: str = ""  # further text that is searched but not shown
    counts: str = ""  # numbers beside the message, as JSON


def judge_failure(failure: Failure, target: Target) -> ErrorKind:
    """Return the kind of a failure, which decides whether the call is tried again.

    It is judged by the vendor's code, else by the failure's text, type or status.
    """
    text, codes = f"{failure.message}\n{failure.details}", target.quirks.error_codes
    searched = "\n".join((text, *failure.words))
    own: ErrorKind | None = next((codes[word] for word in failure.words if word in codes), None)
    # An overflow first: OpenAI sends it as an invalid request, MiniMax as bad parameters (2013),
    # and only a shorter prompt helps
    # (tests/providers/test_failures.py::test_context_overflows_of_every_vendor_are_recognised).
    fit = judge_fit(text, failure.status, "\n".join(failure.words))
    if fit is not None and own in (None, "request", "context"):
        return fit
    if failure.status in _STATE_STATUSES and _STATE_TEXT.search(searched):
        return "state"
    if failure.status in _STATE_STATUSES and _THINKING_TEXT.search(searched):
        return "thinking"
    # Behind state and thinking, whose codes say no more than "invalid request".
    if own is not None:
        return own
    # Before the status: vendors send 429 for a used-up balance, too, and waiting does not fill it
    # (tests/providers/test_failures.py::test_provider_errors_are_classified_by_their_remedy).
    if _QUOTA_TEXT.search(searched) or any("spend_limit" in word for word in failure.words):
        return "quota"
    if _FILTER_TEXT.search(searched):
        return "filtered"
    if _AUTH_TEXT.search(searched):
        return "auth"
    named: list[ErrorKind] = [_WORDS[word] for word in failure.words if word in _WORDS]
    # These are told by words only: vendors send them with 400, 403 and 429 alike.
    telling: list[ErrorKind] = [kind for kind in named if kind in _WORDS_OVER_STATUS]
    if telling:
        return telling[0]
    if failure.status is None or failure.status < 400:
        return named[0] if named else "overloaded"
    return _STATUSES.get(failure.status) or ("overloaded" if failure.status >= 500 else "request")
