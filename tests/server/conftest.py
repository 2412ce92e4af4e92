"""A replica on a real socket, in this event loop, over the test's own database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from inspect import isawaitable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.core.api import ApiRoute
from plainloop.agent.packs.loading import list_pack_names
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.service import Service
from plainloop.server.auth.identity import Identity, make_token
from plainloop.server.serving import Replica
from plainloop.server.settings import AuthSettings, ServerSettings
from plainloop_wire.serving import open_listener
from tests.fixtures import TESTS_PACK, change_table
from tests.machine.scripted import ScriptedModels, ScriptedProvider

SECRET = "a secret of at least thirty-two bytes"
HEADERS = {"accept": "application/json"}


@dataclass
class Served:
    """A running replica, and clients of it."""

    url: str
    settings: Settings
    service: Service
    replica: Replica
    stack: AsyncExitStack
    health_url: str = ""  # of the listener for machines, where it is another

    async def client(
        self, user: str = "ann", tenant: str = "acme", *, is_admin: bool = False
    ) -> httpx2.AsyncClient:
        """An HTTP client with the user's token, where tokens are needed."""
        headers = {"authorization": f"Bearer {self.token(user, tenant, is_admin=is_admin)}"}
        return await self.stack.enter_async_context(
            httpx2.AsyncClient(
                base_url=self.url,
                headers=headers if self.settings.get_table(AuthSettings).jwt_secret else {},
                timeout=60,
                trust_env=False,
                verify=False,  # else it reads all certificates, which nothing here shows
                # Or a busy machine lets the server end an idle connection as it is used again.
                limits=httpx2.Limits(max_keepalive_connections=0),
            )
        )

    def token(self, user: str = "ann", tenant: str = "acme", *, is_admin: bool = False) -> str:
        if self.settings.get_table(AuthSettings).jwt_secret is None:
            return ""
        return make_token(
            self.settings.get_table(AuthSettings), Identity(tenant, user, is_admin), 3600
        )

    @property
    def ws_url(self) -> str:
        return self.url.replace("http://", "ws://")


Serve = Callable[..., Awaitable[Served]]


@asynccontextmanager
async def serving(
    settings: Settings, *script: Any, routes: tuple[ApiRoute, ...] = ()
) -> AsyncIterator[Served]:
    """script: what the model answers; none: the offline stand-in does. routes: more of the pack."""
    async with open_service(settings) as service:
        if script:
            service.models = ScriptedModels(ScriptedProvider(*script))  # type: ignore[assignment]
        if routes:
            service.packs = (replace(service.pack, routes=routes), *service.packs[1:])
        async with serving_with(service, settings) as served:
            yield served


@asynccontextmanager
async def serving_with(service: Service, settings: Settings) -> AsyncIterator[Served]:
    """A replica of a service that is open."""
    listener = open_listener("127.0.0.1", 0)
    port = settings.get_table(ServerSettings).health_port
    health = (
        None
        if port is None
        else open_listener(settings.get_table(ServerSettings).health_host, port)
    )
    async with AsyncExitStack() as stack:
        replica = Replica(service, listener, health)
        ready = asyncio.Event()
        running = asyncio.create_task(replica.serve(lambda url: ready.set()))
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if running.done():
            await running
        try:
            where = "" if health is None else f"http://127.0.0.1:{health.getsockname()[1]}"
            yield Served(replica.url, settings, service, replica, stack, where)
        finally:
            replica.stop()
            await running


@pytest.fixture
async def serve(settings: Settings) -> AsyncIterator[Serve]:
    """`await serve(script…, auth=False, **limits)` starts a replica; several share the data."""
    async with AsyncExitStack() as stack:

        async def start(
            *script: Any,
            auth: bool = True,
            server: dict[str, Any] | None = None,
            outbound_allow: tuple[str, ...] = (),
            packs: tuple[str, ...] = (),
            routes: tuple[ApiRoute, ...] = (),
            auth_changes: dict[str, Any] | None = None,
            endings_file: Path | None = None,
            **limits: Any,
        ) -> Served:
            chosen = replace(settings, outbound_allow=outbound_allow, endings_file=endings_file)
            if auth:
                changes = {"jwt_secret": Secret(SECRET), **(auth_changes or {})}
                chosen = chosen.change(AuthSettings, **changes)
            chosen = change_table(chosen, "server", **server or {})
            chosen = change_table(chosen, "limits", **{"drain_s": 1.0, **limits})
            chosen = replace(
                chosen,
                provider="offline",
                agent=replace(chosen.agent, packs=packs or chosen.agent.packs),
            )
            return await stack.enter_async_context(serving(chosen, *script, routes=routes))

        yield start


@pytest.fixture
def all_packs() -> tuple[str, ...]:
    """What a test serves that goes through every route."""
    return (TESTS_PACK, *(name for name in list_pack_names() if name == "staff_onboarding"))


@pytest.fixture
async def served(serve: Serve) -> Served:
    """One replica with authentication and the offline stand-in."""
    return await serve()


@pytest.fixture
async def ann(served: Served) -> httpx2.AsyncClient:
    return await served.client("ann")


async def begin(client: httpx2.AsyncClient, title: str = "") -> str:
    """A new conversation's id."""
    answer = await client.post("/api/chat/conversations", json={"title": title})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def ask(client: httpx2.AsyncClient, conversation: str, content: str, **more: Any) -> Any:
    """The finished answer."""
    answer = await client.post(
        f"/api/chat/conversations/{conversation}/messages",
        json={"content": content, **more},
        headers=HEADERS,
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


async def until(condition: Callable[[], Awaitable[bool] | bool], timeout_s: float = 60) -> None:
    """Ask again until it holds: for what another process or the database will say in a moment.
    Ever less often: what takes long is not to share its processor with who asks.
    """
    deadline, pause_s = time.monotonic() + timeout_s, 0.01
    while not (await found if isawaitable(found := condition()) else found):
        assert time.monotonic() < deadline, "it never happened"
        await asyncio.sleep(pause_s)
        pause_s = min(1.2 * pause_s, 0.1)
