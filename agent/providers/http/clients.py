"""The SDK clients: one HTTP connection pool for all of them, built once per (address, key).

SDK modules take seconds to import, so nothing here imports one before it is needed. Clients belong
to the event loop that they were opened in.
"""

from __future__ import annotations

import asyncio
import functools
import importlib
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar
from weakref import WeakKeyDictionary

from ...dataclasses import dataclass, field
from ...outbound.addresses import AllowList
from ..defaults import PROVIDER_DEFAULTS, WIRES
from ..pricing import LIST_PRICES
from .endpoints import Endpoint

if TYPE_CHECKING:
    import ssl

    import httpx2
    from anthropic import AsyncAnthropic
    from google.genai.client import AsyncClient as AsyncGemini
    from openai import AsyncOpenAI

Client = TypeVar("Client")

CONNECT_TIMEOUT_S: Final = 10.0
_TIMEOUT_S: Final = 120.0  # of what says none itself: each model call does, from the settings
# As in the SDKs' own clients, whose limits an injected client replaces: httpx2 by itself has 100.
MAX_CONNECTIONS: Final = 1000
MAX_CLIENTS: Final = 64  # of one event loop
MAX_PREPARED: Final = 256  # requests, likewise


@dataclass(slots=True)
class _LoopClients:
    http: httpx2.AsyncClient
    # A `ProviderTransport`; None: httpx2's own is used, which knows the environment's proxies.
    transport: Any
    guarded: dict[AllowList, httpx2.AsyncClient] = field(
        default_factory=dict["AllowList", "httpx2.AsyncClient"]
    )
    sdk: dict[tuple[Any, ...], Any] = field(default_factory=dict[tuple[Any, ...], Any])
    prepared: dict[tuple[Any, ...], Any] = field(default_factory=dict[tuple[Any, ...], Any])
    closing: AsyncGenerator[None] | None = None


_by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, _LoopClients] = WeakKeyDictionary()
_loads: WeakKeyDictionary[asyncio.AbstractEventLoop, Callable[[], asyncio.Task[Any]]] = (
    WeakKeyDictionary()
)


def open_http(endpoint: Endpoint | None = None) -> httpx2.AsyncClient:
    """Return the event loop's shared HTTP client.

    An endpoint with a guard has a client of its own, which checks every address.
    """
    clients = _open_loop_clients()
    if endpoint is None or endpoint.guard is None:
        return clients.http
    from ...outbound.guarded import make_guarded_client

    if endpoint.guard not in clients.guarded:
        clients.guarded[endpoint.guard] = make_guarded_client(endpoint.guard, timeout=_TIMEOUT_S)
    return clients.guarded[endpoint.guard]


def open_anthropic(endpoint: Endpoint) -> AsyncAnthropic:
    """Return this event loop's Anthropic client for the endpoint, which never retries by itself."""
    from anthropic import AsyncAnthropic

    return _keep_client("anthropic", endpoint, lambda: AsyncAnthropic(**_build_options(endpoint)))


def open_openai(endpoint: Endpoint) -> AsyncOpenAI:
    """Return this event loop's OpenAI client for the endpoint, which never retries by itself."""
    from openai import AsyncOpenAI

    return _keep_client("openai", endpoint, lambda: AsyncOpenAI(**_build_options(endpoint)))


def _build_options(endpoint: Endpoint) -> dict[str, Any]:
    """Return the constructor arguments that the Anthropic and OpenAI clients share."""
    return {
        "api_key": endpoint.api_key,
        "base_url": endpoint.base_url,
        "http_client": open_http(endpoint),
        # Retries are ours: inside the SDK they would hold a queue's slot for minutes, and have no
        # ledger rows.
        "max_retries": 0,
    }


def open_gemini(endpoint: Endpoint) -> AsyncGemini:
    """Return this event loop's Gemini client for the endpoint, which never retries by itself."""
    import httpx2
    from google import genai
    from google.genai import types

    from .mended_stream import MendingTransport

    def make() -> genai.Client:
        http = open_http(endpoint)
        mended = httpx2.AsyncClient(transport=MendingTransport(http), timeout=http.timeout)
        options = types.HttpOptions(
            base_url=endpoint.base_url,
            api_version="v1beta",  # the SDK's default, /v1, lacks tools and thinking
            httpx_async_client=mended,
            client_args={"verify": _load_tls()},
            async_client_args={"ssl": _load_tls()},  # of web sockets: it would read them again
            # Set explicitly: if unset, the SDK repeats once after a lost connection.
            retry_options=types.HttpRetryOptions(attempts=1),
        )
        return genai.Client(api_key=endpoint.api_key, vertexai=False, http_options=options)

    # The whole client is kept, not only `.aio`: collecting it closes what they share.
    return _keep_client("gemini", endpoint, make).aio


def _keep_client(sdk: str, endpoint: Endpoint, make: Callable[[], Client]) -> Client:
    """Return the cached SDK client for this address, key and guard, or make and cache one."""
    kept = _open_loop_clients().sdk
    # The guard is part of the key: a client without one must never serve an address from a request.
    key = (sdk, endpoint.base_url, endpoint.api_key, endpoint.guard)
    client = kept.pop(key, None) or make()
    kept[key] = client
    if len(kept) > MAX_CLIENTS:  # keys that users try in a form: each client is 100 kB
        del kept[next(iter(kept))]
    return client


async def open_prepared(
    open_client: Callable[[Endpoint], Any],
    endpoint: Endpoint,
    url: str,
    timeout_s: float,
    headers: Mapping[str, str],
) -> Any:
    """Return a cached SDK request to `url` with a replaceable body; None if impossible.

    open_client: opens the SDK's client, which builds the request once. None behind a proxy, and
    behind a guard, which checks each address anew.
    """
    clients = _open_loop_clients()
    if clients.transport is None or endpoint.guard is not None:
        return None
    key = (open_client, url, endpoint.api_key, timeout_s, *headers.items())
    prepared = clients.prepared.get(key)
    if prepared is None:
        from .prepared import prepare_request

        options = {"timeout": timeout_s, "headers": headers}
        # Two first calls at once build it twice: harmless, the later one stays.
        client = open_client(endpoint)
        prepared = await prepare_request(client, url, options, clients.transport)
        clients.prepared[key] = prepared
        if len(clients.prepared) > MAX_PREPARED:
            del clients.prepared[next(iter(clients.prepared))]
    return prepared


async def close_clients() -> None:
    """Close the running event loop's connections to providers. The next call opens new ones."""
    clients = _by_loop.get(asyncio.get_running_loop())
    if clients is not None and clients.closing is not None:
        await clients.closing.aclose()


async def preload(provider: str) -> None:
    """Import the provider's SDK, prices and certificates in a thread, before its first call.

    Does nothing for an unknown provider or one without an SDK.
    """
    defaults = PROVIDER_DEFAULTS.get(provider)
    if defaults is None or (sdk := WIRES[defaults.protocol].sdk) is None:
        return

    def load() -> None:
        for name in (sdk, ".prepared", *WIRES[defaults.protocol].with_client):
            importlib.import_module(name, __package__)
        for model in {defaults.default_model, defaults.small_model}:
            LIST_PRICES.price_bound(provider, model, 1, 1)
        _load_tls()

    await asyncio.to_thread(load)


def hold_calls(load: Callable[[], asyncio.Task[Any]]) -> None:
    """Make this event loop's model calls wait for the import task that `load` returns.

    The first call may start it. Importing in a call would block the loop.
    """
    _loads[asyncio.get_running_loop()] = load


async def wait_loaded() -> None:
    """Wait until the imports for model calls have ended, successfully or not."""
    load = _loads.get(asyncio.get_running_loop())
    # `wait`, not `await`: a failed import must fail the call that needs it, with its own error.
    if load is not None and not (loading := load()).done():
        await asyncio.wait({loading})


def _open_loop_clients() -> _LoopClients:
    loop = asyncio.get_running_loop()
    clients = _by_loop.get(loop)
    if clients is None:
        import urllib.request

        import httpx2

        from .transport import ProviderTransport

        limits = httpx2.Limits(max_connections=MAX_CONNECTIONS)
        # httpx2 itself knows the environment's proxies, when it makes its own transport.
        has_proxy = bool(urllib.request.getproxies())
        transport = None if has_proxy else ProviderTransport(_load_tls(), limits)
        http = httpx2.AsyncClient(
            verify=_load_tls(),
            limits=limits,
            transport=transport,
            timeout=httpx2.Timeout(_TIMEOUT_S, connect=CONNECT_TIMEOUT_S),
            follow_redirects=True,
        )
        clients = _by_loop[loop] = _LoopClients(http, transport)
        clients.closing = _close_with_loop(clients)
        # Begun here, it is closed with the loop's other generators: asyncio.run does so at its end,
        # and a program that only asks a model need not know that there are connections.
        with suppress(StopIteration):
            clients.closing.__anext__().send(None)
    return clients


async def _close_with_loop(clients: _LoopClients) -> AsyncGenerator[None]:
    try:
        yield
    finally:
        _by_loop.pop(asyncio.get_running_loop(), None)
        for client in (clients.http, *clients.guarded.values()):
            await client.aclose()


@functools.cache
def _load_tls() -> ssl.SSLContext:
    """Load the trusted certificates once: reading them takes 30 ms for each client."""
    import httpx2

    return httpx2.create_ssl_context()
