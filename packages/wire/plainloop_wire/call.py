"""The words that all dialects share: a request as it came, the call it means, an error to answer.

A dialect is one provider's wire format. It turns bytes into a `WireCall` (or raises `WireError`)
and an `Answer` into bytes; everything between is the same for all of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from plainloop.agent.base.tokens.estimate import estimate_tokens
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.types import ChatRequest, LLMResponse, ToolSchema

from .answer import Answer, Counts
from .api import Api, WireError
from .prompt_cache import CacheRule, Segment, Ttl
from .strict import ShapeError, load_object


class Brain(Protocol):
    """Makes the answers of the server. Pure: the same request has the same answer."""

    def answer(self, request: ChatRequest) -> LLMResponse: ...


@dataclass(frozen=True, slots=True)
class Rules:
    """How strict the server is beyond what a provider always checks."""

    key: str | None = None  # the only key accepted; None: any non-empty one
    strict_models: bool = False  # a model of another vendor is a 404
    context_tokens: int | None = None  # a longer prompt is refused as too long
    hides_thinking: bool = False  # OpenAI: the key's organisation is not verified
    # By model the one that answers in its place, as vendors do with retired names.
    reroutes: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class WireRequest:
    """One HTTP request to a dialect. Header names are lower case."""

    headers: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes
    action: str  # "messages", "completions", "generateContent", …
    rules: Rules
    path_model: str = ""  # Gemini names the model in the path
    version: str = "v1"
    started_s: float | None = None  # by the cache's clock; None: now


@dataclass(frozen=True, slots=True)
class WireCall:
    """A request, parsed and checked, independent of the provider's format.

    segments: the prompt in the provider's caching order. forced_tool: the answer to JSON mode is
    to be sent as a call of this tool.
    """

    request: ChatRequest
    model: str
    segments: tuple[Segment, ...]
    stream: bool = False
    include_usage: bool = True  # OpenAI streams tell usage only when asked
    forced_tool: str | None = None
    stop_sequences: tuple[str, ...] = ()
    shows_reasoning: bool = False  # the client asked to see thinking
    window: int | None = None  # the model's, in tokens
    must_call: tuple[ToolSchema, ...] = ()  # the answer must call one of these tools
    scope: str = ""  # beside the model: what must be equal for a cached prefix to be found
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def tokens(self) -> int:
        """Return the number of tokens of the whole prompt."""
        return sum(segment.tokens for segment in self.segments)


@dataclass(frozen=True, slots=True)
class Dialect:
    """One provider's wire format, as functions."""

    name: str
    api: Api
    choose_cache: Callable[[str], CacheRule]  # by the model's name
    check_key: Callable[[WireRequest], None]
    read_call: Callable[[dict[str, Any], WireRequest], WireCall]
    to_body: Callable[[Answer], Any]
    to_frames: Callable[[Answer], list[bytes]]
    to_usage: Callable[[Counts], dict[str, Any]]
    to_error: Callable[[WireError], dict[str, Any]]
    to_error_frame: Callable[[WireError], bytes]
    to_embeddings: Callable[[WireCall], dict[str, Any]] | None = None  # instead of an answer

    def parse_call(self, asked: WireRequest) -> WireCall:
        """Check key and JSON of a request, then parse its content.

        Raises: WireError.
        """
        self.check_key(asked)
        body = self.load_body(asked)
        try:
            return self.read_call(body, asked)
        except ShapeError as error:
            raise self.api.refuse_shape(error) from error

    def load_body(self, asked: WireRequest) -> dict[str, Any]:
        """Parse a request's body as a JSON object.

        Raises: WireError for anything else.
        """
        body = load_object(asked.body)
        if body is None:
            raise self.api.refuse("no_json")
        return body

    def check_length(self, call: WireCall, rules: Rules) -> None:
        """Check that a prompt fits the context window, if the API checks it.

        Raises: WireError.
        """
        if "too_long" not in self.api.refusals or self.to_embeddings is not None:
            return
        windows = [window for window in (rules.context_tokens, call.window) if window is not None]
        if windows and call.tokens > min(windows):
            raise self.api.refuse("too_long", sent=call.tokens, allowed=min(windows))


def read_account(headers: Mapping[str, str]) -> str:
    """Return a digest of the API key, which stands for the account."""
    names = ("x-api-key", "authorization", "x-goog-api-key")
    key = next((headers[name] for name in names if headers.get(name)), "")
    return hashlib.blake2b(key.removeprefix("Bearer").strip().encode(), digest_size=8).hexdigest()


def make_segment(text: str, *, extra_tokens: int = 0, ttl: Ttl | None = None) -> Segment:
    """Build a segment of a prompt, and estimate its tokens.

    ttl: lifetime of the cache mark behind the segment, if there is one.
    """
    return Segment(text, estimate_tokens(text) + extra_tokens, ttl)
