"""The clients that other people have, against a running replica of a small pack."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, cast

import pytest

from plainloop.agent.config.settings import RoleSettings, Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.core.models import Models, connect_models
from plainloop.agent.core.spec import Pack
from plainloop.agent.service.service import Service
from plainloop.agent.store.opening import connect_store
from plainloop.server.settings import AuthSettings
from tests.fixtures import change_table
from tests.machine.running import change_settings
from tests.machine.scripted import ScriptedModels, ScriptedProvider, Step
from tests.runs.conftest import QUICK, replica
from tests.runs.effects_pack import World
from tests.server.conftest import SECRET, Served, serving_with

__all__ = ["replica"]

# What every protocol owes is tested through adapters, which are a package.
if find_spec("plainloop_frontends") is None:
    alone = {"test_client.py", "test_golden.py", "test_other_origins.py", "test_registry.py"}
    collect_ignore = [
        path.name for path in Path(__file__).parent.glob("test_*.py") if path.name not in alone
    ]

ServeNotes = Callable[..., Awaitable[Served]]


@pytest.fixture
async def serve(settings: Settings) -> AsyncIterator[ServeNotes]:
    """`await serve(answer, answer, …, **limits)`: a replica whose model says what is written;
    is_offline: the stand-in instead; wire_url: a server that answers as OpenAI's API would, or as
    that of the provider `wire`."""
    async with AsyncExitStack() as stack:

        async def start(
            *script: Step,
            pack: Pack | None = None,
            is_offline: bool = False,
            wire_url: str | None = None,
            wire: str = "openai",
            wire_model: str | None = None,
            protocol: Literal["chat", "responses"] | None = None,
            agents: Mapping[str, RoleSettings] | None = None,
            has_auth: bool = True,
            server: Mapping[str, Any] | None = None,
            **limits: Any,
        ) -> Served:
            secret = Secret(SECRET) if has_auth else None
            signed = settings.change(AuthSettings, jwt_secret=secret)
            signed = change_table(signed, "server", **server or {})
            own = change_settings(signed, **{**QUICK, "drain_s": 1.0, **limits})
            chosen = pack or World().make_pack()
            folders = [chosen.migrations] if chosen.migrations else []
            store = await connect_store(own, migration_folders=folders)
            scripted = cast(Models, ScriptedModels(ScriptedProvider(*script)))
            offline = replace(own, provider="offline")
            if wire_url is not None:
                named = {"provider": wire, "model": wire_model, "protocol": protocol}
                wired: dict[str, Any] = {**named, "agents": agents or {}, "api_base": wire_url}
                offline = replace(own, api_key=Secret("any"), **wired)
            models = await connect_models(offline) if is_offline or wire_url else scripted
            service = Service(own, store, models, (chosen,))
            stack.push_async_callback(service.close)
            return await stack.enter_async_context(serving_with(service, own))

        yield start


def get_model(served: Served) -> ScriptedProvider:
    """The scripted model, to see what it was asked."""
    return cast(ScriptedModels, served.service.models).first
