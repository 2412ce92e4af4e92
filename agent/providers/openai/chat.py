"""OpenAI Chat Completions and every server that speaks it: quirks come in as data."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Final

from ...types import ChatRequest, Embeddings, LLMResponse, ModelInfo, StreamDelta
from ..batching import BatchApi
from ..http.clients import Endpoint
from ..http.exchange import Wire, fetch_answer, stream_answer
from ..http.sdk_channel import SdkChannel
from ..provider_state import Target
from .batches import OpenAIBatches
from .chat_fold import CompletionFold
from .chat_wire import from_completion, to_body
from .embeddings import embed_by_openai


def to_stream_fields(target: Target) -> Mapping[str, Any]:
    """Without this, OpenAI's own stream tells no usage."""
    return {"stream_options": {"include_usage": True}} if target.quirks.stream_options else {}


_WIRE: Final = Wire(
    path="/chat/completions",
    terminal="finish reason",
    to_body=to_body,
    from_body=from_completion,
    make_fold=CompletionFold,
    stream_fields=to_stream_fields,
    may_give_up=True,
)


class OpenAIChatProvider:
    """One model behind a Chat Completions endpoint."""

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
        return call_openai(request, self._channel)

    async def list_models(self) -> list[ModelInfo]:
        return await self._channel.list_models()

    def open_batches(self) -> BatchApi:
        return OpenAIBatches(_WIRE, self._channel)

    async def embed(self, texts: Sequence[str], timeout_s: float) -> Embeddings:
        return await embed_by_openai(texts, self._channel, timeout_s)


def call_openai(
    request: ChatRequest, channel: SdkChannel
) -> AsyncGenerator[StreamDelta | LLMResponse]:
    """Streams one answer: deltas, then the whole. Closing it closes the connection.

    Raises: ModelError subclasses; `partial` is set once an answer had begun.
    """
    return stream_answer(_WIRE, request, channel)
