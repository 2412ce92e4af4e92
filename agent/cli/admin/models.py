"""`plainloop models`: what the configured providers offer."""

from __future__ import annotations

from ...config.settings import Settings, load_settings
from ...doctor.providers import list_configured, make_configured
from ...errors import AgentError
from ...providers.registry import close_clients
from ...types import ModelInfo
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


async def load_models(provider: str, settings: Settings) -> list[ModelInfo]:
    chat = await make_configured(provider, settings)
    with output.progress(f"asking {provider} …"):
        return await chat.list_models()


def print_models(provider: str, models: list[ModelInfo]) -> None:
    width = max((len(model.id) for model in models), default=0)
    for model in models:
        name = "" if model.name == model.id else model.name
        output.write_line(f"{provider}  {model.id:<{width}}  {name}".rstrip())
