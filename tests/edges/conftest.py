"""The clients that other people have, against a running replica of a small pack."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any, Literal, cast

import pytest

from plainloop.agent.config.settings import RoleSettings, Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.core.models import Models, connect_models
from plainloop.agent.core.spec import Pack
from plainloop.agent.service.service import Service
from plainloop.agent.store.opening import connect_store
from plainloop.server.serving import Replica
from plainloop_wire.serving import open_listener
from tests.machine.running import change_settings
from tests.machine.scripted import ScriptedModels, ScriptedProvider, Step
from tests.runs.conftest import QUICK, replica
from tests.runs.effects_pack import World
from tests.server.conftest import SECRET, Served

__all__ = ["replica"]

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
            **limits: Any,
        ) -> Served:
            secret = Secret(SECRET) if has_auth else None
            signed = replace(settings, auth=replace(settings.auth, jwt_secret=secret))
            own = change_settings(signed, **{**QUICK, "drain_s": 1.0, **limits})
            chosen = pack or World().make_pack()
            folders = [chosen.migrations] if chosen.migrations else []
            store = await connect_store(own, migration_folders=folders)
            scripted = cast(Models, ScriptedModels(ScriptedProvider(*script)))
            offline = replace(own, provider="offline")
            if wire_url is not None:
                key = Secret("any")
                named: dict[str, Any] = {
                    "provider": wire,
                    "model": wire_model,
                    "protocol": protocol,
                }
                named["agents"] = agents or {}
                offline = replace(own, api_key=key, api_base=wire_url, **named)
            models = await connect_models(offline) if is_offline or wire_url else scripted
            service = Service(own, store, models, (chosen,))
            stack.push_async_callback(service.close)
            listener = open_listener("127.0.0.1", 0)
            served = Served("", own, service, Replica(service, listener), stack)
            served.url = served.replica.url
            ready = asyncio.Event()
            running = asyncio.create_task(served.replica.serve(lambda _: ready.set()))

            async def stop() -> None:
                served.replica.stop()
                await running

            stack.push_async_callback(stop)
            await ready.wait()
            return served

        yield start


def get_model(served: Served) -> ScriptedProvider:
    """The scripted model, to see what it was asked."""
    return cast(ScriptedModels, served.service.models).first
