"""Anthropic Messages through the official SDK; its stream is read raw."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from ...base.copies import replace
from ...types import ChatRequest, LLMResponse, ModelInfo, StreamDelta
from ..defaults import PROVIDER_DEFAULTS
from ..http.endpoints import Endpoint
from ..http.exchange import Wire, build_sent, fetch_answer, stream_answer
from ..http.sdk_channel import SdkChannel
from ..provider_state import Target
from .fold import MessageFold
from .prefix import to_headers
from .wire import from_message, has_forced_json, to_body

_WIRE: Final = Wire(
    path="/v1/messages",
    terminal="message_stop",
    to_body=to_body,
    from_body=from_message,
    make_fold=MessageFold,
)


class AnthropicProvider:
    """A client of one Anthropic model."""

    def __init__(self, target: Target, endpoint: Endpoint) -> None:
        self.provider, self.model, self.refuses = target.provider, target.model, target.refuses
        self.efforts = target.quirks.efforts
        self.base_url, self.owner = endpoint.base_url, target.owner
        if urlsplit(endpoint.base_url).hostname not in PROVIDER_DEFAULTS[target.provider].hosts:
            # A gateway, or another cloud, refuses what only the vendor's own server knows.
            plain = msgspec.structs.replace(target.quirks, tells_misses=False)
            target = replace(target, quirks=plain)
        self.wire, self.channel = _WIRE, SdkChannel("anthropic", target, endpoint, to_headers)

    async def generate(self, request: ChatRequest) -> LLMResponse:
        return await fetch_answer(_WIRE, request, self.channel)

    def generate_stream(self, request: ChatRequest) -> AsyncGenerator[StreamDelta | LLMResponse]:
        return call_anthropic(request, self.channel)

    def build_sent(self, request: ChatRequest) -> tuple[str, Any]:
        return build_sent(_WIRE, request, self.channel)

    async def list_models(self) -> list[ModelInfo]:
        return await self.channel.list_models()


def call_anthropic(
    request: ChatRequest, channel: SdkChannel
) -> AsyncGenerator[StreamDelta | LLMResponse]:
    """Stream one answer from the Messages API: deltas, then the whole answer.

    Closing the stream closes the connection.

    Raises: ModelError subclasses; `partial` is set once an answer had begun.
    """
    answer = stream_answer(_WIRE, request, channel)
    # The forced call's JSON is the answer's text: streamed as a call, it would show a tool that
    # nobody declared
    # (tests/providers/test_joined_reads.py::test_a_forced_json_call_is_streamed_as_text).
    return _show_at_end(answer) if has_forced_json(request, channel.target) else answer


async def _show_at_end(
    stream: AsyncGenerator[StreamDelta | LLMResponse],
) -> AsyncGenerator[StreamDelta | LLMResponse]:
    """Stream a forced call's JSON as text at its end, without the text beside it."""
    async with aclosing(stream):
        async for item in stream:
            if isinstance(item, LLMResponse):
                if item.text:
                    yield StreamDelta(text=item.text)
                yield item
            else:
                yield replace(item, text="", calls=())
