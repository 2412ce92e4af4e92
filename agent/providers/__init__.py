"""The providers: one module per wire protocol, and the words that all of them share."""

from agent.providers.registry import PROVIDER_DEFAULTS, create_provider
from agent.providers.types import (
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
