"""OpenAI Chat Completions and every server that speaks it: quirks come in as data."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, Final

from agent.errors import ModelOverloaded
from agent.providers.bodies import is_event_stream, parse_body
from agent.providers.clients import Endpoint, open_openai, post_json
from agent.providers.failures import (
    SHAPE_ERRORS,
    build_cut_error,
    build_shape_error,
    read_answer,
    try_partial,
)
from agent.providers.openai_chat_fold import CompletionFold
from agent.providers.openai_chat_wire import from_completion, to_body
from agent.providers.openai_embeddings import embed_by_openai
from agent.providers.openai_errors import (
    convert_openai_error,
    list_openai_models,
    openai_failures,
)
from agent.providers.provider_state import Target
from agent.providers.sse import read_events
from agent.providers.types import (
    ChatRequest,
    Embeddings,
    LLMResponse,
    ModelInfo,
    StreamDelta,
)

PATH: Final = "/chat/completions"


class OpenAIChatProvider:
    """One model behind a Chat Completions endpoint."""

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
        client: Any = open_openai(self._endpoint)
        try:
            response = await post_json(
                client, PATH, body, self._endpoint.timeout_s or request.timeout_s
            )
        except openai_failures() as error:
            raise convert_openai_error(error, self._target, self._endpoint) from error
        answer = parse_body(response.content, self._target, response.headers)
        request_id = response.headers.get("x-request-id")
        whole = partial(
            from_completion, answer, request, self._target, notes=notes, request_id=request_id
        )
        return _checked(read_answer(whole, self._target), self._target)

    def generate_stream(self, request: ChatRequest) -> AsyncGenerator[StreamDelta | LLMResponse]:
        return call_openai(request, self._target, self._endpoint)

    async def list_models(self) -> list[ModelInfo]:
        return await list_openai_models(self._target, self._endpoint)

    async def embed(self, texts: Sequence[str], timeout_s: float) -> Embeddings:
        return await embed_by_openai(texts, self._target, self._endpoint, timeout_s)


async def call_openai(
    request: ChatRequest, target: Target, endpoint: Endpoint
) -> AsyncGenerator[StreamDelta | LLMResponse]:
    """Streams one answer: deltas, then the whole. Closing it closes the connection.

    Raises: ModelError subclasses; `partial` is set once an answer had begun.
    """
    body, notes = to_body(request, target)
    if target.quirks.stream_options:
        body["stream_options"] = {"include_usage": True}
    client: Any = open_openai(endpoint)
    fold: CompletionFold | None = None
    try:
        timeout_s = endpoint.timeout_s or request.timeout_s
        sent = await post_json(client, PATH, {**body, "stream": True}, timeout_s, stream=True)
        async with aclosing(sent) as response:
            if not is_event_stream(response.headers):
                answer = parse_body(await response.aread(), target, response.headers)
                whole = partial(from_completion, answer, request, target, notes=notes)
                yield _checked(read_answer(whole, target), target)
                return
            fold = CompletionFold(request, target, notes, response.headers.get("x-request-id"))
            async for event in read_events(response.aiter_bytes()):
                if (delta := fold.add(event)) is not None:
                    yield delta
    except openai_failures() as error:
        # After the finish reason only the usage can be lost: not worth buying the answer twice.
        if fold is None or not fold.is_complete:
            received = try_partial(fold.finish) if fold else None
            raise convert_openai_error(error, target, endpoint, received) from error
    except SHAPE_ERRORS as error:
        if fold is None:
            raise
        raise build_shape_error(error, target, fold.finish) from error
    answer = read_answer(fold.finish, target)
    if not fold.is_complete:
        raise build_cut_error(target, "no finish reason", answer)
    yield _checked(answer, target)


def _checked(answer: LLMResponse, target: Target) -> LLMResponse:
    """The answer, unless its finish reason says that the server gave up."""
    if answer.stop == "error":
        raise ModelOverloaded(
            f"{target.provider}: the server broke off (finish reason {answer.stop_raw})",
            partial=answer,
            request_id=answer.request_id,
        )
    return answer
