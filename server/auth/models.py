"""Which models a user may choose: the one rule for everything that names a model in a request."""

from __future__ import annotations

from contextlib import suppress
from fnmatch import fnmatchcase
from typing import Final

from ...agent.config.settings import Settings
from ...agent.core.api import ApiRequest
from ...agent.core.models import Models, find_base, find_key
from ...agent.errors import AccessDenied, ConfigError, InputError
from ...agent.providers.defaults import PROVIDER_DEFAULTS
from ...agent.service.service import Service
from ...agent.service.variants import name_model, split_effort
from ..settings import AuthSettings

_ROLES: Final = ("classifier", "router", "worker", "evaluator", "parser")


async def check_choice(request: ApiRequest, service: Service, name: str | None) -> None:
    """Check that the caller may choose `provider:model` and that the service has a key for it.

    Raises: InputError for what is no model, or has no key here; AccessDenied MODEL_NOT_ALLOWED.
    """
    if name is None:
        return
    provider, _, model = split_effort(name)[0].partition(":")
    try:
        # Check the permission before the key: a user must not learn which providers have a key here
        # (test_forbidden_models_are_refused_and_not_stored).
        name_model(name, service.models)
        check_model(request, service.models, provider, model)
        await service.variants.open_model(name, service.models)
    except ConfigError as error:
        raise InputError(error.message, hint=error.hint, code=error.code) from error


def list_choices(request: ApiRequest, service: Service) -> list[tuple[str, str]]:
    """List the (provider, model) pairs that the caller may choose and the service can call."""
    choices = [(it.provider, it.model) for it in service.models.resolve_chain("worker")]
    auth = request.settings.get_table(AuthSettings)
    named = (*auth.user_models, *(auth.admin_models if request.is_admin else ()))
    choices += [(a, b) for a, _, b in (name.partition(":") for name in named) if b]
    for provider, usual in PROVIDER_DEFAULTS.items():
        own = find_key(provider, request.settings) or find_base(provider, request.settings)
        if own or provider == service.models.provider:
            choices += [(provider, usual.default_model), (provider, usual.small_model)]
    kept = list[tuple[str, str]]()
    for provider, model in dict.fromkeys(choices):
        with suppress(AccessDenied, ConfigError):
            check_model(request, service.models, provider, model)
            name_model(f"{provider}:{model}", service.models)
            # A pattern allows models, but is no model to list.
            if "*" not in model:
                kept.append((provider, model))
    return kept


def check_model(request: ApiRequest, models: Models, provider: str, model: str) -> None:
    """Check that the caller may choose this model.

    A role must use it, or `[auth]` must allow it. Raises: AccessDenied MODEL_NOT_ALLOWED naming the
    setting.
    """
    check_allowed(request.settings, models, provider, model, is_admin=request.is_admin)


def check_allowed(
    settings: Settings, models: Models, provider: str, model: str, *, is_admin: bool
) -> None:
    """Check what `check_model` does for work without a request, such as a schedule's.

    Raises: AccessDenied MODEL_NOT_ALLOWED naming the setting.
    """
    auth = settings.get_table(AuthSettings)
    patterns = auth.admin_models if is_admin else auth.user_models
    name = f"{provider}:{model}"
    # Not `fnmatch`, which on Windows ignores case and turns slashes, as in "openrouter:a/b".
    if any(fnmatchcase(name, pattern) for pattern in patterns):
        return
    for role in _ROLES:
        with suppress(ConfigError):  # of a role that nobody here can use either
            chain = models.resolve_chain(role)
            if any((handle.provider, handle.model) == (provider, model) for handle in chain):
                return
    setting = "AGENT_AUTH_ADMIN_MODELS" if is_admin else "AGENT_AUTH_USER_MODELS"
    raise AccessDenied(
        f"{name} is not an allowed model",
        hint=f"{setting} lists the models allowed besides the service's own.",
        code="MODEL_NOT_ALLOWED",
    )
