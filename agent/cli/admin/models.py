"""`plainloop models`: each role's model with its price, and the models of providers."""

from __future__ import annotations

from ...config.settings import Settings, load_settings
from ...core.models import connect_models
from ...doctor.providers import describe_used, list_configured, make_configured
from ...errors import AgentError
from ...providers.endings import load_endings
from ...providers.http.clients import close_clients
from ..terminal import output
from ..terminal.failures import report_failure


async def list_models(provider: str | None) -> None:
    """Print a provider's models; without a name, those in use and of all configured providers.

    Raises: AgentError of a provider that was named, or when not one of several could be asked.
    """
    settings = load_settings()
    endings = load_endings(settings.endings_file)
    failed: list[AgentError] = []
    try:
        names = [provider] if provider is not None else await list_configured(settings)
        if provider is None:
            await _print_used(settings)
        for name in names:
            try:
                chat = await make_configured(name, settings)
                with output.progress(f"calling {name} …"):
                    models = await chat.list_models()
            except AgentError as error:
                failed.append(error)
                if len(names) > 1:
                    report_failure(error)
                continue
            width = max((len(model.id) for model in models), default=0)
            for model in models:
                title = "" if model.name == model.id else model.name
                ending = endings.find(name, model.id)
                told = f"shutdown date {model.ends}" if model.ends else ""
                title = " · ".join(filter(None, (title, ending.describe() if ending else told)))
                output.write_line(f"{name}  {model.id:<{width}}  {title}".rstrip())
        # One provider that is down does not hide the others' lists; all of them down is a failure.
        if len(failed) == len(names):
            raise failed[-1]
    finally:
        await close_clients()


async def _print_used(settings: Settings) -> None:
    try:
        lines = describe_used(await connect_models(settings), settings)
    except AgentError as error:  # of a role whose model cannot be made: the lists are shown still
        report_failure(error)
    else:
        output.write_line("\n".join((*lines, "")))
