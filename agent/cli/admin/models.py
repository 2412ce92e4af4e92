"""`plainloop models`: what the configured providers offer."""

from __future__ import annotations

from ...config.settings import load_settings
from ...doctor.providers import list_configured, make_configured
from ...errors import AgentError
from ...providers.http.clients import close_clients
from ..terminal import output
from ..terminal.failures import report_failure


async def list_models(provider: str | None) -> None:
    """One line per model: provider, id, display name. provider None: all that have a key, and the
    chosen one; one that fails does not hide the rest.

    Raises: AgentError of a provider that was named, or when not one of several could be asked.
    """
    settings = load_settings()
    failed: list[AgentError] = []
    try:
        names = [provider] if provider is not None else await list_configured(settings)
        for name in names:
            try:
                chat = await make_configured(name, settings)
                with output.progress(f"asking {name} …"):
                    models = await chat.list_models()
            except AgentError as error:
                failed.append(error)
                if len(names) > 1:
                    report_failure(error)
                continue
            width = max((len(model.id) for model in models), default=0)
            for model in models:
                title = "" if model.name == model.id else model.name
                output.write_line(f"{name}  {model.id:<{width}}  {title}".rstrip())
        if len(failed) == len(names):
            raise failed[-1]
    finally:
        await close_clients()
