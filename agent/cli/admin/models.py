"""`plainloop models`: what the configured providers offer."""

from __future__ import annotations

from ...config.settings import Settings, load_settings
from ...core.models import connect_models, find_base, find_key
from ...errors import AgentError
from ...providers.defaults import PROTOCOLS, list_providers
from ...providers.registry import close_clients, create_provider
from ...types import ChatProvider, ModelInfo
from ..terminal import output
from ..terminal.failures import report_failure


async def list_models(provider: str | None) -> None:
    """One line per model: provider, id, display name.

    Raises: AgentError of a provider that was named, or when not one of several could be asked.
    """
    settings = load_settings()
    try:
        if provider is not None:
            print_models(provider, await load_models(provider, settings))
            return
        await print_configured(settings)
    finally:
        await close_clients()


async def print_configured(settings: Settings) -> None:
    """All providers that have a key, and the chosen one. One that fails does not hide the rest."""
    failed: list[AgentError] = []
    names = await list_configured(settings)
    for name in names:
        try:
            print_models(name, await load_models(name, settings))
        except AgentError as error:
            failed.append(error)
            if len(names) > 1:
                report_failure(error)
    if len(failed) == len(names):
        raise failed[-1]


async def list_configured(settings: Settings) -> list[str]:
    """The chosen provider first, then the others with a key."""
    chosen = (await connect_models(settings)).provider
    keyed = [name for name in list_providers("key") if find_key(name, settings)]
    return list(dict.fromkeys([chosen, *keyed]))


async def load_models(provider: str, settings: Settings) -> list[ModelInfo]:
    chat = await make_configured(provider, settings)
    with output.progress(f"asking {provider} …"):
        return await chat.list_models()


async def make_configured(provider: str, settings: Settings) -> ChatProvider:
    """The provider with its key; the top settings' address, key and model only for the top one.

    Raises: ConfigError for an unknown one, MissingKeyError.
    """
    is_top = provider == (await connect_models(settings)).provider
    key = (settings.api_key if is_top else None) or find_key(provider, settings)
    return create_provider(
        provider,
        key.reveal() if key else None,
        settings.model if is_top else None,
        (settings.api_base if is_top else None) or find_base(provider, settings),
        region=settings.region,
        protocol=PROTOCOLS[settings.protocol] if is_top and settings.protocol else None,
    )


def print_models(provider: str, models: list[ModelInfo]) -> None:
    width = max((len(model.id) for model in models), default=0)
    for model in models:
        name = "" if model.name == model.id else model.name
        output.write_line(f"{provider}  {model.id:<{width}}  {name}".rstrip())
