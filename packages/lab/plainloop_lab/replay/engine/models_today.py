"""Which models of a recording are others today: a recorded replay asks none, so it cannot see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.core.models import Models
from plainloop.agent.providers.defaults import list_providers
from plainloop.agent.providers.detection import find_key

from ..sources.thread_recording import Asked

_KEY = Secret("unused")  # nobody is asked; where there is no key a model still has a name


def list_changed_models(asked: Iterable[Asked], settings: Settings) -> list[str]:
    """Describe each role or worker whose recorded model differs from today's settings.

    Fallbacks, and what a table of routes may choose, are no change.
    """
    asked = sorted(asked, key=str)
    top = _find_top(asked, settings)
    agents = {
        name: replace(own, api_key=own.api_key or _KEY, fallback=())
        for name, own in settings.agents.items()
    }
    models = Models(replace(settings, api_key=settings.api_key or _KEY, agents=agents), top)
    has_routes = any(one.route_table for one in (settings, *settings.agents.values()))
    named = {models.resolve("worker", name).label for name in agents} if has_routes else set[str]()
    fallbacks = {name for own in settings.agents.values() for name in own.fallback}
    told: list[str] = []
    for role, worker, was in asked:
        now = models.resolve(role, worker).label
        name = role if worker is None or role != "worker" else worker
        if not was:
            told.append(f"{name}: unknown in the recording, is {now}")
        elif was not in {now, *named, *fallbacks}:
            told.append(f"{name}: was {was}, is {now}")
    return list(dict.fromkeys(told))


def _find_top(asked: Iterable[Asked], settings: Settings) -> str:
    """Find today's default provider as the service does, but without the network.

    A server on this machine, which needs no key, counts as present if the recording has it.
    """
    keyed = (name for name in list_providers("key") if find_key(name, settings))
    found = settings.provider or next(keyed, None)
    then = {was.partition(":")[0] for _, _, was in asked}
    local = (name for name in list_providers("address") if name in then)
    return found or next(local, list_providers("always")[0])
