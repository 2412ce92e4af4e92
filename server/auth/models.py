"""Which models a user may choose: the one rule for everything that names a model in a request."""

from __future__ import annotations

from contextlib import suppress
from fnmatch import fnmatchcase
from typing import Final

from ...agent.core.api import ApiRequest
from ...agent.core.models import Models
from ...agent.errors import AccessDenied, ConfigError

_ROLES: Final = ("classifier", "router", "worker", "evaluator", "parser")


def check_model(request: ApiRequest, models: Models, provider: str, model: str) -> None:
    """The service's own models may be chosen by everybody, others as `[auth]` says.

    Raises: AccessDenied MODEL_NOT_ALLOWED naming the setting.
    """
    auth = request.settings.auth
    patterns = auth.admin_models if request.is_admin else auth.user_models
    name = f"{provider}:{model}"
    if any(fnmatchcase(name, pattern) for pattern in patterns):
        return
    for role in _ROLES:
        with suppress(ConfigError):  # of a role that nobody here can use either
            chain = models.resolve_chain(role)
            if any((handle.provider, handle.model) == (provider, model) for handle in chain):
                return
    setting = "AGENT_AUTH_ADMIN_MODELS" if request.is_admin else "AGENT_AUTH_USER_MODELS"
    raise AccessDenied(
        f"{name} may not be chosen here",
        hint=f"{setting} lists what may, beside the service's own models.",
        code="MODEL_NOT_ALLOWED",
    )
