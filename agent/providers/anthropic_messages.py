"""Anthropic Messages through the official SDK; its stream is read raw."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from typing import Any, Final

from agent.errors import ModelError
from agent.providers.anthropic_fold import MessageFold
from agent.providers.anthropic_wire import from_message, has_forced_json, to_body
from agent.providers.bodies import is_event_stream, parse_body
from agent.providers.clients import Endpoint, open_anthropic, post_json
from agent.providers.failures import (
    SHAPE_ERRORS,
    build_cut_error,
    build_model_error,
    build_shape_error,
    convert_transport_error,
    parse_failure,
    read_answer,
    try_partial,
)
from agent.providers.provider_state import Target
from agent.providers.sse import read_events
from agent.providers.types import ChatRequest, LLMResponse, ModelInfo, StreamDelta

PATH: Final = "/v1/messages"


class AnthropicProvider:
    """One Anthropic model."""

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
        client: Any = open_anthropic(self._endpoint)
        try:
            response = await post_json(
                client, PATH, body, self._endpoint.timeout_s or request.timeout_s
            )
        except _failures() as error:
            raise _convert_error(error, self._target, self._endpoint) from error
        answer = parse_body(response.content, self._target, response.headers)
        request_id = response.headers.get("request-id")
        whole = partial(
            from_message, answer, request, self._target, notes=notes, request_id=request_id
        )
        return read_answer(whole, self._target)

    def generate_stream(self, request: ChatRequest) -> AsyncGenerator[StreamDelta | LLMResponse]:
        return call_anthropic(request, self._target, self._endpoint)

    async def list_models(self) -> list[ModelInfo]:
        client = open_anthropic(self._endpoint)
        try:
            models = [
                ModelInfo(model.id, model.display_name) async for model in client.models.list()
            ]
        except _failures() as error:
            raise _convert_error(error, self._target, self._endpoint) from error
        return sorted(models, key=lambda model: model.id)


async def call_anthropic(
    request: ChatRequest, target: Target, endpoint: Endpoint
) -> AsyncGenerator[StreamDelta | LLMResponse]:
    """Streams one answer: deltas, then the whole. Closing it closes the connection.

    Raises: ModelError subclasses; `partial` is set once an answer had begun.
    """
    body, notes = to_body(request, target)
    client: Any = open_anthropic(endpoint)
    is_forced = has_forced_json(request, target)
    fold: MessageFold | None = None
    try:
        timeout_s = endpoint.timeout_s or request.timeout_s
        sent = await post_json(client, PATH, {**body, "stream": True}, timeout_s, stream=True)
        async with aclosing(sent) as response:
            if not is_event_stream(response.headers):
                answer = parse_body(await response.aread(), target, response.headers)
                whole = partial(from_message, answer, request, target, notes=notes)
                yield read_answer(whole, target)
                return
            fold = MessageFold(request, target, notes, response.headers.get("request-id"))
            async for event in read_events(response.aiter_bytes()):
                if (delta := fold.add(event)) is not None and not is_forced:
                    yield delta
    except _failures() as error:
        if fold is None or not fold.is_complete:
            received = try_partial(fold.finish) if fold else None
            raise _convert_error(error, target, endpoint, received) from error
    except SHAPE_ERRORS as error:
        if fold is None:
            raise
        raise build_shape_error(error, target, fold.finish) from error
    answer = read_answer(fold.finish, target)
    if not fold.is_complete:
        raise build_cut_error(target, "no message_stop", answer)
    if is_forced and answer.text:
        yield StreamDelta(text=answer.text)
    yield answer


def _failures() -> tuple[type[Exception], ...]:
    import anthropic
    import httpx2

    return (anthropic.APIError, httpx2.HTTPError)


def _convert_error(
    error: Exception, target: Target, endpoint: Endpoint, partial: LLMResponse | None = None
) -> ModelError:
    from anthropic import APIStatusError

    if not isinstance(error, APIStatusError):
        return convert_transport_error(error, target, endpoint.base_url, partial)
    failure = parse_failure(
        error.body, error.status_code, error.response.headers, fallback=error.message
    )
    return build_model_error(failure, target, partial)
