"""The words that all dialects share: a request as it came, the call it means, an error to answer.

A dialect is one provider's wire format. It turns bytes into a `WireCall` (or raises `WireError`)
and an `Answer` into bytes; everything between is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from plainloop.agent.base.tokens import estimate_tokens
from plainloop.agent.types import ChatRequest, LLMResponse

from .answer import Answer, Counts
from .prompt_cache import CacheRule, Segment, Ttl


class Brain(Protocol):
    """Answers behind the wire. Pure: the same request has the same answer."""

    def answer(self, request: ChatRequest) -> LLMResponse: ...


class WireError(Exception):
    """A failure that the dialect words in its provider's error JSON.

    details: Gemini's list; retry_after_s: a header, or RetryInfo in details.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        kind: str | None = None,
        retry_after_s: float | None = None,
        details: list[dict[str, Any]] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.param = param
        self.code = code
        self.kind = kind
        self.retry_after_s = retry_after_s
        self.details = details


@dataclass(frozen=True, slots=True)
class Rules:
    """How strict the server is beyond what a provider always checks."""

    key: str | None = None  # the only key accepted; None: any non-empty one
    strict_models: bool = False  # a model of another vendor is a 404
    context_tokens: int | None = None  # a longer prompt is refused as too long


@dataclass(frozen=True, slots=True)
class WireRequest:
    """One HTTP request to a dialect. Header names are lower case."""

    headers: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes
    action: str  # "messages", "count_tokens", "completions", "generateContent", …
    rules: Rules
    path_model: str = ""  # Gemini names the model in the path
    version: str = "v1"
    started_s: float | None = None  # by the cache's clock; None: now


@dataclass(frozen=True, slots=True)
class WireCall:
    """Says what the request means.

    segments: the prompt in the provider's caching order. forced_tool: the answer to JSON mode is
    to be sent as a call of this tool.
    """

    request: ChatRequest
    model: str
    segments: tuple[Segment, ...]
    stream: bool = False
    include_usage: bool = True  # OpenAI streams tell usage only when asked
    is_count: bool = False  # only count tokens
    forced_tool: str | None = None
    stop_sequences: tuple[str, ...] = ()
    shows_reasoning: bool = False  # the client asked to see thinking
    scope: str = ""  # beside the model: what must be equal for a cached prefix to be found
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def tokens(self) -> int:
        """Return the tokens of the whole prompt."""
        return sum(segment.tokens for segment in self.segments)


@dataclass(frozen=True, slots=True)
class Dialect:
    """One wire format, as functions."""

    name: str
    choose_cache: Callable[[str], CacheRule]  # by the model's name
    parse_call: Callable[[WireRequest], WireCall]
    to_body: Callable[[Answer], Any]
    to_frames: Callable[[Answer], list[bytes]]
    to_usage: Callable[[Counts], dict[str, Any]]
    to_count: Callable[[int], dict[str, Any]]
    to_error: Callable[[WireError], dict[str, Any]]
    to_error_frame: Callable[[WireError], bytes]
    too_long: Callable[[int, int], WireError] | None  # (tokens sent, allowed); None: it is cut
    request_id_header: str
    retry_after_header: bool
    to_embeddings: Callable[[WireCall], dict[str, Any]] | None = None  # instead of an answer
    stream_type: str = "text/event-stream; charset=utf-8"


def make_segment(text: str, *, extra_tokens: int = 0, ttl: Ttl | None = None) -> Segment:
    """A piece of prompt with its token count."""
    return Segment(text, _count_tokens(text) + extra_tokens, ttl)


@lru_cache(maxsize=4096)  # system, tools and old messages come again with every request
def _count_tokens(text: str) -> int:
    return estimate_tokens(text)
