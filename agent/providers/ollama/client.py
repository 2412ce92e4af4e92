"""Ollama's native API over the shared HTTP client: it has no SDK among the official three."""

from __future__ import annotations

from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Iterator,
    Mapping,
    Sequence,
)
from types import CoroutineType
from typing import TYPE_CHECKING, Any, Final

from ...dataclasses import dataclass
from ...errors import ModelError, ToolsUnsupported
from ...types import ChatRequest, Embeddings, LLMResponse, ModelInfo, StreamDelta
from ..http.bodies import parse_body
from ..http.clients import open_http, wait_loaded
from ..http.endpoints import NO_KEY, Endpoint
from ..http.exchange import Wire, build_sent, fetch_answer, stream_answer
from ..http.failures import (
    build_cut_error,
    build_model_error,
    convert_transport_error,
    parse_failure,
)
from ..http.json_values import parse_json
from ..http.model_list import parse_models
from ..http.sse import JsonEvent, UnreadableEvent
from ..provider_state import SentCall, Target
from .wire import ReplyFold, from_usage, to_body

if TYPE_CHECKING:
    import httpx2

_NO_TOOLS: Final = "does not support tools"
_TERMINAL: Final = "done"


def from_reply(reply: dict[str, Any], sent: SentCall) -> LLMResponse:
    """Convert Ollama's whole reply to an answer. Raises: StreamCut if the reply is incomplete."""
    fold = ReplyFold(sent)
    fold.add_reply(reply)
    if not fold.is_complete:
        raise build_cut_error(sent.target, f"no {_TERMINAL}", fold.finish())
    return fold.finish()


async def read_lines(start: bytes, chunks: AsyncIterable[bytes]) -> AsyncIterator[list[JsonEvent]]:
    """Yield the JSON objects of each chunk of a body, which has one object per line.

    The last one counts without its line's end too.

    start: the body's first bytes. Raises: UnreadableEvent, behind the objects before it.
    """
    *lines, unfinished = start.split(b"\n")
    for events in _to_events(lines):
        yield events
    pieces = [unfinished]
    async for chunk in chunks:
        first, *rest = chunk.split(b"\n")
        pieces.append(first)
        if rest:
            *lines, unfinished = b"".join(pieces), *rest
            for events in _to_events(lines):
                yield events
            pieces = [unfinished]
    for events in _to_events([b"".join(pieces)]):
        yield events


def _to_events(lines: list[bytes]) -> Iterator[list[JsonEvent]]:
    events: list[JsonEvent] = []
    try:
        for line in lines:
            if line.strip():
                events.append(JsonEvent("", parse_json(line)))
    except ValueError as error:
        yield events
        raise UnreadableEvent from error
    yield events


def is_line_stream(start: bytes) -> bool:
    """Return whether a body's first bytes begin a stream of JSON lines, not an HTML page."""
    return not start.startswith(b"<")


_WIRE: Final = Wire(
    path="/api/chat",
    terminal=_TERMINAL,
    to_body=to_body,
    from_body=from_reply,
    make_fold=ReplyFold,
    read_events=read_lines,
    is_stream=is_line_stream,
)


class OllamaProvider:
    """A client of one model at an Ollama server."""

    def __init__(self, target: Target, endpoint: Endpoint) -> None:
        self.provider, self.model, self.refuses = target.provider, target.model, target.refuses
        self.efforts = target.quirks.efforts
        self.base_url, self.owner = endpoint.base_url, target.owner
        self._channel = HttpChannel(target, endpoint)

    # Not async: with its frame there were six between `run_agent` and the HTTP client.
    def generate(self, request: ChatRequest) -> CoroutineType[Any, Any, LLMResponse]:
        return fetch_answer(_WIRE, request, self._channel)

    def generate_stream(self, request: ChatRequest) -> AsyncGenerator[StreamDelta | LLMResponse]:
        return stream_answer(_WIRE, request, self._channel)

    def build_sent(self, request: ChatRequest) -> tuple[str, Any]:
        return build_sent(_WIRE, request, self._channel)

    async def list_models(self) -> list[ModelInfo]:
        response = await self._channel.fetch("/api/tags", None, timeout_s=30)
        models, _ = parse_models(response.content, self._channel.target, response.headers)
        return sorted(models, key=lambda model: model.id)

    async def embed(self, texts: Sequence[str], timeout_s: float) -> Embeddings:
        target = self._channel.target
        body = {"model": target.model, "input": list(texts)}
        timeout_s = self._channel.endpoint.timeout_s or timeout_s
        response = await self._channel.fetch("/api/embed", body, timeout_s)
        reply = parse_body(response.content, target, response.headers)
        return Embeddings(
            vectors=reply.get("embeddings") or [],
            usage=from_usage(reply, has_answer=False),
            model=reply.get("model") or target.model,
        )


@dataclass(frozen=True, slots=True)
class HttpChannel:
    """Sends requests to one model's endpoint over plain HTTP."""

    target: Target
    endpoint: Endpoint

    async def send(
        self, path: str, body: Mapping[str, Any] | None, timeout_s: float, *, stream: bool = False
    ) -> httpx2.Response:
        """Send a request and return the response: POST with a body, GET without.

        stream: leaves the response's body unread.

        Raises: the client's own errors; ModelError for a status of 400 and more.
        """
        await wait_loaded()
        client = open_http(self.endpoint)
        has_key = self.endpoint.api_key != NO_KEY
        request = client.build_request(
            "GET" if body is None else "POST",
            f"{self.endpoint.base_url}{path}",
            json=body,
            headers={"authorization": f"Bearer {self.endpoint.api_key}"} if has_key else {},
            timeout=timeout_s,
        )
        response = await client.send(request, stream=stream)
        if response.status_code < 400:
            return response
        try:
            raw = await response.aread()
        finally:
            await response.aclose()
        try:
            stated: object = parse_json(raw)
        except ValueError:
            stated = raw
        failure = parse_failure(stated, response.status_code, response.headers)
        # Ollama has no code for it, only this text
        # (tests/providers/test_failures.py::test_a_model_without_tool_support_names_alternatives).
        if _NO_TOOLS in failure.message:
            raise ToolsUnsupported(
                f"ollama: the model {self.target.model} cannot use tools",
                hint="Choose a model with tool support, such as llama3.1 or qwen3.",
                status=failure.status,
            )
        error = build_model_error(failure, self.target)
        if failure.status == 404:
            error.hint = f"Fetch the model with: ollama pull {self.target.model}"
        raise error

    async def fetch(
        self, path: str, body: Mapping[str, Any] | None, timeout_s: float
    ) -> httpx2.Response:
        """Send a request and return the whole response. Raises: ModelError for any failure."""
        try:
            return await self.send(path, body, timeout_s)
        except self.failures() as error:
            raise self.convert_error(error) from error

    def failures(self) -> tuple[type[Exception], ...]:
        import httpx2

        return (httpx2.HTTPError,)

    def convert_error(self, error: Exception, partial: LLMResponse | None = None) -> ModelError:
        return convert_transport_error(error, self.target, self.endpoint.base_url, partial)

    def read_request_id(self, headers: Mapping[str, str]) -> str | None:
        """Return None, because Ollama's server sends no request ids."""
        return None
