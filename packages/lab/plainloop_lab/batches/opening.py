"""Finds the batch API of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol, runtime_checkable

from plainloop.agent.errors import ConfigError
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS, is_own_model
from plainloop.agent.providers.http.exchange import Wire
from plainloop.agent.providers.http.sdk_channel import Sdk, SdkChannel
from plainloop.agent.types import ChatProvider

from .anthropic import AnthropicBatches
from .api import BatchApi
from .openai import OpenAIBatches

_APIS: Final[Mapping[Sdk, Callable[[Wire, SdkChannel], BatchApi]]] = {
    "anthropic": AnthropicBatches,
    "openai": OpenAIBatches,
}


@runtime_checkable
class SdkModel(Protocol):
    """A model that is reached through an SDK's client."""

    wire: Wire
    channel: SdkChannel


def open_batch_api(chat: ChatProvider) -> BatchApi:
    """Open the batch API of a model's provider.

    Raises: ConfigError for a provider without one.
    """
    able = [name for name, item in PROVIDER_DEFAULTS.items() if item.has_batches]
    if isinstance(chat, SdkModel) and chat.provider in able:
        if is_own_model(chat.provider, chat.model):
            return _APIS[chat.channel.sdk](chat.wire, chat.channel)
        reason = f"{chat.provider}:{chat.model} is a model of a compatible server"
    else:
        reason = f"{chat.provider} has no batch API"
    raise ConfigError(
        f"--batch-api is not possible: {reason}",
        hint=f"--batch-api works for models of {' and '.join(able)}; leave the option "
        "out for other models.",
    )
