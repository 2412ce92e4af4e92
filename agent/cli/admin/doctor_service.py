"""What `doctor` looks at in the service: settings, design and packs, providers."""

from __future__ import annotations

from typing import Final

from ...base.text import format_count
from ...config.settings import Settings, describe_settings
from ...core.models import connect_models, find_key, is_reachable
from ...designs.base import load_design
from ...errors import AgentError
from ...packs.loading import load_served_packs
from ...providers.defaults import PROVIDER_DEFAULTS, list_providers
from ...providers.probe import probe_provider
from ...providers.registry import close_clients
from ..mcp.servers import load_states
from ..terminal.opening import open_store
from ..terminal.serving import OFFLINE
from .findings import Finding, Level, from_error
from .models import list_configured, make_configured


async def check_settings(settings: Settings) -> list[Finding]:
    """Each setting that somebody made, and where."""
    file = f"file {settings.config_path}" if settings.config_path else "no plainloop.toml"
    made = [row for row in describe_settings(settings) if row[3] != "default"]
    return [
        Finding("ok", "settings", f"{file} · {len(made)} set, all others have their default"),
        *(
            Finding("note", "", f"{key} = {value} ({_describe_source(source, env)})")
            for key, env, value, source in made
        ),
    ]


def _describe_source(source: str, env: str) -> str:
    return f"from {env}" if source == "environment" else "from the file"


async def check_design(settings: Settings) -> list[Finding]:
    design = load_design(settings.agent.design)
    packs = load_served_packs(settings)
    workers = [worker.name for worker in packs[0].workers]
    text = f"{design.name} · packs {', '.join(pack.name for pack in packs)}"
    return [Finding("ok", "design", f"{text} · workers {', '.join(workers)}")]


async def check_tool_servers(settings: Settings) -> list[Finding]:
    """What each server lends us, and why not the rest."""
    if not settings.mcp and not any(pack.mcp_servers for pack in load_served_packs(settings)):
        return []
    async with open_store(settings) as store:
        states = await load_states(settings, store)
    found: list[Finding] = []
    for state in states:
        name = state.server.name
        text = f"{name}: {format_count(len(state.tools), 'tool')} from {state.server.where}"
        found.append(Finding("ok" if state.tools else "warn", "tools", text))
        found += [Finding("warn", "tools", f"{name}: {problem}") for problem in state.problems]
    return found


async def check_providers(settings: Settings) -> list[Finding]:
    """Who answers, and which other providers have a key."""
    chosen = await connect_models(settings)
    found: list[Finding] = []
    try:
        handle = chosen.resolve("worker")
        text = f"{handle.label} answers"
        is_offline = handle.provider == OFFLINE
        todo = "Set a provider's key to talk to a language model." if is_offline else None
        found.append(Finding("ok", "models", text, todo))
    except AgentError as error:
        found.append(from_error("models", error))
    by_key = list_providers("key")
    found += [_check_key(name, settings) for name in by_key if find_key(name, settings)]
    without = [name for name in by_key if not find_key(name, settings)]
    if without:
        names = [f"{name} ({' or '.join(_list_variables(name))})" for name in without]
        found.append(Finding("note", "", f"no key for {', '.join(names)}"))
    for name in list_providers("address"):
        reachable = "reachable" if await is_reachable(name, settings) else "not reachable"
        variable = PROVIDER_DEFAULTS[name].base_variable
        found.append(Finding("note", "", f"{name}: {reachable} ({variable})"))
    return found


def _list_variables(provider: str) -> tuple[str, ...]:
    return PROVIDER_DEFAULTS[provider].key_variables


def _check_key(provider: str, settings: Settings) -> Finding:
    name = next(name for name in _list_variables(provider) if settings.get_env(name) is not None)
    return Finding("ok", "", f"{provider}: key in {name}")


async def probe_providers(settings: Settings) -> list[Finding]:
    """What each configured provider can do, by small real calls."""
    try:
        found = [await _probe(name, settings) for name in await list_configured(settings)]
    finally:
        await close_clients()
    return [finding for findings in found for finding in findings]


async def _probe(provider: str, settings: Settings) -> list[Finding]:
    try:
        chat = await make_configured(provider, settings)
    except AgentError as error:
        return [from_error(provider, error)]
    probes = await probe_provider(chat)
    return [
        Finding(_LEVELS[probe.level], provider, f"{probe.what}: {probe.text}", probe.hint)
        for probe in probes
    ]


_LEVELS: Final[dict[str, Level]] = {"ok": "ok", "no": "note", "fail": "fail"}
