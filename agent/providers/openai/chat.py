"""OpenAI Chat Completions and every server that speaks it: quirks come in as data."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from functools import partial
from typing import Any, Final

from ...types import ChatRequest, LLMResponse, StreamDelta
from ..http.exchange import Wire, stream_answer
from ..http.sdk_channel import SdkChannel
from ..provider_state import Target
from .chat_fold import CompletionFold
from .chat_wire import from_completion, to_body
from .provider import OpenAIProvider


def to_stream_fields(target: Target) -> Mapping[str, Any]:
    """Return the body's fields that request usage in a stream; {} if the server knows none."""
    return {"stream_options": {"include_usage": True}} if target.quirks.stream_options else {}


CHAT: Final = Wire(
    path="/chat/completions",
    terminal="finish reason",
    to_body=to_body,
    from_body=from_completion,
    make_fold=CompletionFold,
    stream_fields=to_stream_fields,
    may_give_up=True,
)
make_chat_provider: Final = partial(OpenAIProvider, CHAT)


def call_openai(
    request: ChatRequest, channel: SdkChannel
) -> AsyncGenerator[StreamDelta | LLMResponse]:
    """Stream one answer from Chat Completions: deltas, then the whole answer.

    Closing the stream closes the connection.

    Raises: ModelError subclasses; `partial` is set once an answer had begun.
    """
    return stream_answer(CHAT, request, channel)
