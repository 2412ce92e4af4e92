"""The providers: one module per wire protocol, and the words that all of them share."""

from importlib import import_module
from typing import Any

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

__all__ = [
    "PROVIDER_DEFAULTS",  # pyright: ignore[reportUnsupportedDunderAll] see __getattr__
    "ChatProvider",
    "ChatRequest",
    "FunctionCall",
    "FunctionResponse",
    "LLMResponse",
    "Message",
    "MessagePart",
    "StreamDelta",
    "ToolSchema",
    "create_provider",  # pyright: ignore[reportUnsupportedDunderAll]
]


def __getattr__(name: str) -> Any:
    if name in ("PROVIDER_DEFAULTS", "create_provider"):
        # Loaded when first used: whoever imports a provider needs neither.
        return getattr(import_module(".registry", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
