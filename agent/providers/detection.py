"""Detects the provider to use: the first with a key or a server at its address, else `offline`."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from ..config.tables import Settings
from .defaults import PROVIDER_DEFAULTS, list_providers
from .settings import GeminiSettings

# Each start without a key waits so long for a host that drops packets; a closed port answers at
# once.
ADDRESS_PROBE_S: Final = 0.3


async def detect_provider(settings: Settings) -> str:
    """Return the provider to use: one with a key, else a reachable one, else `offline`."""
    for provider in list_providers("key"):
        if find_key(provider, settings):
            return provider
    for provider in list_providers("address"):
        if await is_reachable(provider, settings):
            return provider
    return list_providers("always")[0]


def find_key(provider: str, settings: Settings) -> Any:
    """Return the provider's API key from its environment variables; None if none is set."""
    defaults = PROVIDER_DEFAULTS.get(provider)
    for name in defaults.key_variables if defaults else ():
        value = settings.get_env(name)
        if value is not None:
            return value
    return None


def find_base(provider: str, settings: Settings) -> str | None:
    """Return the provider's address from its environment variable, as a whole URL."""
    defaults = PROVIDER_DEFAULTS.get(provider)
    base = settings.get_env(defaults.base_variable) if defaults and defaults.base_variable else None
    if defaults is None or base is None:
        return None
    return _complete(base.reveal().strip(" \"'").rstrip("/"), urlsplit(defaults.base_url))


def _complete(address: str, usual: SplitResult) -> str:
    """Complete a host, a port or both to a URL, as Ollama's own clients read OLLAMA_HOST.

    Source: ollama/ollama, envconfig/config_test.go, TestHost.
    """
    if "://" in address:
        return address
    place, slash, path = address.partition("/")
    host, _, port = place.rpartition(":")
    is_bare_v6 = ":" in host and not host.endswith("]")
    if is_bare_v6 or not port.isdecimal():
        host, port = place, str(usual.port)
    if ":" in host and not host.endswith("]"):
        host = f"[{host}]"
    return f"{usual.scheme}://{host or usual.hostname}:{port}{slash}{path}"


async def is_reachable(provider: str, settings: Settings) -> bool:
    """Whether something accepts connections at the provider's address."""
    address = urlsplit(find_base(provider, settings) or PROVIDER_DEFAULTS[provider].base_url)
    try:
        port = address.port or (443 if address.scheme == "https" else 80)
        async with asyncio.timeout(ADDRESS_PROBE_S):
            _, writer = await asyncio.open_connection(address.hostname or "localhost", port)
    except (OSError, TimeoutError, ValueError):
        return False
    writer.close()
    return True


def grounds_search(settings: Settings, role: str) -> bool:
    """Return whether this role's model may search the web during its answer."""
    return role == "worker" and settings.get_table(GeminiSettings).search_grounding
