"""Which agent a client means: the pack that serves chat, with one of the designs."""

from __future__ import annotations

from ...agent.core.api import ApiRequest
from ...agent.designs.base import list_designs
from ...agent.designs.one_call import NAME as ONE_CALL
from ...agent.errors import NotFoundError
from ..http.endpoint import AppContext


def list_agents(around: AppContext) -> list[str]:
    """The designs by name, the service's own first; not the one that nobody can talk to."""
    own = around.service.design.name
    return [own, *(name for name in list_designs() if name not in (own, ONE_CALL))]


def read_agent(around: AppContext, request: ApiRequest) -> str:
    """The design that `{agent}` of the path names; the pack's name means the service's own.

    Raises: NotFoundError.
    """
    name = request.params["agent"]
    if name == request.pack:
        return around.service.design.name
    if name in list_agents(around):
        return name
    known = ", ".join(list_agents(around))
    raise NotFoundError(f"no such agent: {name[:40]}", hint=f"There are: {known}.")
