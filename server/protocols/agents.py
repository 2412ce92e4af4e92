"""Which agent a client means: the pack that serves chat, with one of the designs."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from ...agent.core.api import ApiRequest
from ...agent.designs.base import list_designs
from ...agent.designs.one_call import NAME as ONE_CALL
from ...agent.errors import AgentError, ConfigError, NotFoundError
from ..http.endpoint import AppContext
from ..settings import ServerSettings

# The header by which clients of Anthropic's API are known.
ANTHROPIC_VERSION: Final = "anthropic-version"
_EPOCH: Final = "1970-01-01T00:00:00Z"  # its own word for a model whose date is not known


def list_agents(app: AppContext) -> list[str]:
    """List the names of the agent designs that can chat, the service's default first."""
    return _list_chatting(app.service.design.name)


def list_names(app: AppContext) -> dict[str, str]:
    """Return the designs that clients can choose, by the name that model lists show.

    `pack/design` names come first. Includes the configured `model_names`. Raises: ConfigError for
    one without an agent.
    """
    return {**_map_names(*_get_served(app))[0]}


def find_agent(app: AppContext, name: str) -> str | None:
    """Return the design that a client means by an agent's name, or None.

    Name: `pack/design`, the design or the pack alone, or one of `model_names`.
    """
    return _map_names(*_get_served(app))[1].get(name)


def _get_served(app: AppContext) -> tuple[str, str, tuple[str, ...]]:
    configured = app.settings.get_table(ServerSettings).model_names
    return app.service.pack.name, app.service.design.name, configured


def _list_chatting(own: str) -> list[str]:
    return [own, *(name for name in list_designs() if name not in (own, ONE_CALL))]


@cache  # every request to a protocol names an agent
def _map_names(
    pack: str, own: str, configured: tuple[str, ...]
) -> tuple[dict[str, str], dict[str, str]]:
    """Map to designs the names that model lists show, and all names that clients may send."""
    designs = _list_chatting(own)
    listed = {f"{pack}/{name}": name for name in designs}
    short = {pack: own, **{name: name for name in designs}}
    for name, agent in (item.split("=", 1) for item in configured):
        design = (listed | short).get(agent.strip())
        if design is None:
            wrong = f"server.model_names: {name} refers to {agent}, which is not an agent"
            raise ConfigError(wrong, hint=f"Known agents: {', '.join(listed)}.")
        listed[name.strip()] = design
    return listed, short | listed


def read_agent(app: AppContext, request: ApiRequest) -> str:
    """Return the design that the path's `{agent}` names.

    The pack's name means the default design. Raises: NotFoundError.
    """
    name = request.params["agent"]
    if (agent := find_agent(app, name)) is not None:
        return agent
    known = ", ".join(list_agents(app))
    raise NotFoundError(f"no such agent: {name[:40]}", hint=f"Known agents: {known}.")


def list_refusals(app: AppContext, design: str) -> frozenset[str]:
    """List the preferences (fields of `Wishes`) that some model of the design ignores."""
    # A design whose model cannot be made ignores no preference: its call reports the error.
    with suppress(AgentError):
        refusals = app.service.list_refusals(app.service.build_design_table(design))
        return frozenset[str]().union(*(refusals or {}).values())
    return frozenset()


def to_anthropic_model(name: str) -> dict[str, Any]:
    """Return an agent's entry in the model list of Anthropic's API."""
    described = {"type": "model", "id": name, "display_name": name, "created_at": _EPOCH}
    return {**described, "lifecycle": "active"}


class ModelsQuery(Struct):
    """A page of the model list of Anthropic's API. Source: Models API, "List models"."""

    limit: Annotated[int, Meta(ge=1, le=1_000)] = 20
    after_id: str | None = None  # the page after this model
    before_id: str | None = None  # the page before this model


def list_anthropic_models(app: AppContext, query: ModelsQuery) -> dict[str, Any]:
    """Return a page of the agents as Anthropic's API lists models. Raises: NotFoundError."""
    names = [*list_names(app)]
    for cursor in (query.after_id, query.before_id):
        if cursor is not None and cursor not in names:
            raise NotFoundError(
                f"no such model: {cursor[:80]!r}",
                hint="Send an id of this list as `after_id` or `before_id`.",
            )
    if query.after_id is not None:
        names = names[names.index(query.after_id) + 1 :]
    if query.before_id in names:  # unless `after_id` excludes it
        names = names[: names.index(query.before_id)]
    backward = query.before_id is not None and query.after_id is None
    page = names[-query.limit :] if backward else names[: query.limit]
    return {
        "data": [to_anthropic_model(name) for name in page],
        "has_more": len(page) < len(names),
        "first_id": page[0] if page else None,
        "last_id": page[-1] if page else None,
    }
