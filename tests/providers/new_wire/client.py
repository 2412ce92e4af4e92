"""Acme's API over the shared HTTP client."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from types import CoroutineType
from typing import Any, Final

from plainloop.agent.providers.http.endpoints import Endpoint
from plainloop.agent.providers.http.exchange import Wire, build_sent, fetch_answer, stream_answer
from plainloop.agent.providers.http.model_list import parse_models
from plainloop.agent.providers.ollama.client import HttpChannel
from plainloop.agent.providers.provider_state import Target
from plainloop.agent.types import ChatRequest, LLMResponse, ModelInfo, StreamDelta

from .wire import AnswerFold, from_body, to_body

_WIRE: Final = Wire("/speak", "end", to_body, from_body, AnswerFold)


class AcmeProvider:
    """One model at Acme."""

    def __init__(self, target: Target, endpoint: Endpoint) -> None:
        self.provider, self.model, self.refuses = target.provider, target.model, target.refuses
        self.base_url = endpoint.base_url
        self._channel = HttpChannel(target, endpoint)

    def generate(self, request: ChatRequest) -> CoroutineType[Any, Any, LLMResponse]:
        return fetch_answer(_WIRE, request, self._channel)

    def generate_stream(self, request: ChatRequest) -> AsyncGenerator[StreamDelta | LLMResponse]:
        return stream_answer(_WIRE, request, self._channel)

    def build_sent(self, request: ChatRequest) -> tuple[str, Any]:
        return build_sent(_WIRE, request, self._channel)

    async def list_models(self) -> list[ModelInfo]:
        response = await self._channel.fetch("/models", None, timeout_s=30)
        return parse_models(response.content, self._channel.target, response.headers)[0]
