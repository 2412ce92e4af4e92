"""One model of an OpenAI-compatible API, by Chat Completions or Responses."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any

from ...types import ChatRequest, Embeddings, LLMResponse, ModelInfo, StreamDelta
from ..http.endpoints import Endpoint
from ..http.exchange import Wire, build_sent, fetch_answer, stream_answer
from ..http.sdk_channel import SdkChannel
from ..provider_state import Target
from .embeddings import embed_by_openai


class OpenAIProvider:
    """A client of one model of an OpenAI API, through the official SDK."""

    def __init__(self, wire: Wire, target: Target, endpoint: Endpoint) -> None:
        self.wire = wire
        self.provider, self.model, self.refuses = target.provider, target.model, target.refuses
        self.efforts = target.quirks.efforts
        self.base_url, self.owner = endpoint.base_url, target.owner
        self.channel = SdkChannel("openai", target, endpoint)

    async def generate(self, request: ChatRequest) -> LLMResponse:
        return await fetch_answer(self.wire, request, self.channel)

    def generate_stream(self, request: ChatRequest) -> AsyncGenerator[StreamDelta | LLMResponse]:
        return stream_answer(self.wire, request, self.channel)

    def build_sent(self, request: ChatRequest) -> tuple[str, Any]:
        return build_sent(self.wire, request, self.channel)

    async def list_models(self) -> list[ModelInfo]:
        return await self.channel.list_models()

    async def embed(self, texts: Sequence[str], timeout_s: float) -> Embeddings:
        return await embed_by_openai(texts, self.channel, timeout_s)
