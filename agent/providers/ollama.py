"""Ollama's native API over the shared HTTP client: it has no SDK among the official three."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Mapping, Sequence
from typing import Any, Final, cast

from agent.errors import ModelError, ModelRequestError
from agent.providers.bodies import parse_body
from agent.providers.clients import NO_KEY, Endpoint, open_http
from agent.providers.failures import (
    SHAPE_ERRORS,
    build_cut_error,
    build_model_error,
    build_shape_error,
    convert_transport_error,
    parse_failure,
    parse_json,
    read_answer,
    try_partial,
)
from agent.providers.ollama_wire import ReplyFold, from_usage, to_body
from agent.providers.provider_state import Target
from agent.providers.types import (
    ChatRequest,
    Embeddings,
    LLMResponse,
    ModelInfo,
    StreamDelta,
)

_NO_TOOLS: Final = "does not support tools"


class OllamaProvider:
    """One model at an Ollama server."""

    def __init__(self, target: Target, endpoint: Endpoint) -> None:
        self._target = target
        self._endpoint = endpoint

    @property
    def provider(self) -> str:
        return self._target.provider

    @property
    def model(self) -> str:
        return self._target.model

    async def generate(self, request: ChatRequest) -> LLMResponse:
        body, notes = to_body(request, self._target)
        reply = await _fetch_json(
            self._target,
            self._endpoint,
            "/api/chat",
            {**body, "stream": False},
            timeout_s=self._endpoint.timeout_s or request.timeout_s,
        )
        fold = ReplyFold(request, self._target, body, notes)
        try:
            fold.add(reply)
        except SHAPE_ERRORS as error:
            raise build_shape_error(error, self._target) from error
        return _checked(fold, self._target)

    def generate_stream(self, request: ChatRequest) -> AsyncGenerator[StreamDelta | LLMResponse]:
        return call_ollama(request, self._target, self._endpoint)

    async def list_models(self) -> list[ModelInfo]:
        listed = await _fetch_json(self._target, self._endpoint, "/api/tags", None, timeout_s=30)
        names = [model["name"] for model in cast("list[dict[str, Any]]", listed.get("models", []))]
        return [ModelInfo(name, name) for name in sorted(names)]

    async def embed(self, texts: Sequence[str], timeout_s: float) -> Embeddings:
        body = {"model": self._target.model, "input": list(texts)}
        timeout_s = self._endpoint.timeout_s or timeout_s
        reply = await _fetch_json(
            self._target, self._endpoint, "/api/embed", body, timeout_s=timeout_s
        )
        return Embeddings(
            vectors=reply.get("embeddings") or [],
            usage=from_usage(reply),
            model=reply.get("model") or self._target.model,
        )


async def call_ollama(
    request: ChatRequest, target: Target, endpoint: Endpoint
) -> AsyncGenerator[StreamDelta | LLMResponse]:
    """Streams one answer: deltas, then the whole. Closing it closes the connection.

    Raises: ModelError subclasses; `partial` is set once an answer had begun.
    """
    import httpx2

    body, notes = to_body(request, target)
    fold: ReplyFold | None = None
    try:
        async with open_http(endpoint).stream(
            "POST",
            f"{endpoint.base_url}/api/chat",
            json={**body, "stream": True},
            headers=_to_headers(endpoint),
            timeout=endpoint.timeout_s or request.timeout_s,
        ) as response:
            if response.status_code >= 400:
                raise _build_error(
                    await response.aread(), response.status_code, response.headers, target
                )
            fold = ReplyFold(request, target, body, notes)
            if "html" in response.headers.get("content-type", ""):
                parse_body(await response.aread(), target, response.headers)
            async for line in _read_lines(response.aiter_bytes()):
                if (delta := fold.add_line(line)) is not None:
                    yield delta
    except httpx2.HTTPError as error:
        if fold is None or not fold.is_complete:
            partial = try_partial(fold.finish) if fold else None
            raise convert_transport_error(error, target, endpoint.base_url, partial) from error
    except SHAPE_ERRORS as error:
        if fold is None:
            raise
        raise build_shape_error(error, target, fold.finish) from error
    yield _checked(fold, target)


async def _fetch_json(
    target: Target,
    endpoint: Endpoint,
    path: str,
    body: Mapping[str, Any] | None,
    *,
    timeout_s: float,
) -> dict[str, Any]:
    """One exchange: a POST of the body, a GET without one."""
    import httpx2

    try:
        response = await open_http(endpoint).request(
            "GET" if body is None else "POST",
            f"{endpoint.base_url}{path}",
            json=body,
            headers=_to_headers(endpoint),
            timeout=timeout_s,
        )
    except httpx2.HTTPError as error:
        raise convert_transport_error(error, target, endpoint.base_url) from error
    if response.status_code >= 400:
        raise _build_error(response.content, response.status_code, response.headers, target)
    return parse_body(response.content, target, response.headers)


async def _read_lines(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """The lines of a body, the last one also without its end."""
    pieces: list[bytes] = []
    async for chunk in chunks:
        first, *rest = chunk.split(b"\n")
        pieces.append(first)
        for line in rest:
            yield b"".join(pieces)
            pieces = [line]
    yield b"".join(pieces)


def _to_headers(endpoint: Endpoint) -> dict[str, str]:
    if endpoint.api_key == NO_KEY:
        return {}
    return {"authorization": f"Bearer {endpoint.api_key}"}


def _build_error(raw: bytes, status: int, headers: Mapping[str, str], target: Target) -> ModelError:
    failure = parse_failure(_parse_error_body(raw), status, headers)
    if _NO_TOOLS in failure.message:
        return ModelRequestError(
            f"ollama: the model {target.model} cannot use tools",
            hint="Choose a model with tool support, such as llama3.1 or qwen3.",
            code="NO_TOOL_SUPPORT",
            status=status,
        )
    error = build_model_error(failure, target)
    if status == 404:
        error.hint = f"Fetch the model with: ollama pull {target.model}"
    return error


def _parse_error_body(raw: bytes) -> object:
    try:
        return parse_json(raw)
    except ValueError:
        return raw


def _checked(fold: ReplyFold, target: Target) -> LLMResponse:
    answer = read_answer(fold.finish, target)
    if not fold.is_complete:
        raise build_cut_error(target, "no done", answer)
    return answer
