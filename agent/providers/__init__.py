"""The providers: one module per wire protocol, and the words that all of them share."""

from ..types import (
    ChatProvider,
    ChatRequest,
    FunctionCall,
    FunctionResponse,
    LLMResponse,
    Message,
    MessagePart,
    StreamDelta,
    ToolSchema,
)
from .registry import PROVIDER_DEFAULTS, create_provider

__all__ = [
    "PROVIDER_DEFAULTS",
    "ChatProvider",
    "ChatRequest",
    "FunctionCall",
    "FunctionResponse",
    "LLMResponse",
    "Message",
    "MessagePart",
    "StreamDelta",
    "ToolSchema",
    "create_provider",
]
