"""OpenAI Responses through the official SDK; its stream is read raw."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Final

from ...types import ChatRequest, Embeddings, LLMResponse, ModelInfo, StreamDelta
from ..batching import BatchApi
from ..http.clients import Endpoint
from ..http.exchange import Wire, fetch_answer, stream_answer
from ..http.sdk_channel import SdkChannel
from ..provider_state import Target
from .batches import OpenAIBatches
from .embeddings import embed_by_openai
from .responses_fold import ResponseFold
from .responses_wire import from_response, to_body

_WIRE: Final = Wire(
    path="/responses",
    terminal="response.completed",
    to_body=to_body,
    from_body=from_response,
    make_fold=ResponseFold,
    may_give_up=True,
)


class OpenAIResponsesProvider:
    """One reasoning model of OpenAI."""

    def __init__(self, target: Target, endpoint: Endpoint) -> None:
        self._channel = SdkChannel("openai", target, endpoint)

    @property
    def provider(self) -> str:
        return self._channel.target.provider

    @property
    def model(self) -> str:
        return self._channel.target.model

    async def generate(self, request: ChatRequest) -> LLMResponse:
        return await fetch_answer(_WIRE, request, self._channel)

    def generate_stream(self, request: ChatRequest) -> AsyncGenerator[StreamDelta | LLMResponse]:
        return stream_answer(_WIRE, request, self._channel)

    async def list_models(self) -> list[ModelInfo]:
        return await self._channel.list_models()

    def open_batches(self) -> BatchApi:
        return OpenAIBatches(_WIRE, self._channel)

    async def embed(self, texts: Sequence[str], timeout_s: float) -> Embeddings:
        return await embed_by_openai(texts, self._channel, timeout_s)
