"""Checks providers: which answer, which have a key, and what each model supports."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from ..config.settings import Settings
from ..core.models import ROLES, Models, connect_models
from ..errors import AgentError
from ..providers.defaults import PROTOCOLS, PROVIDER_DEFAULTS, list_providers
from ..providers.detection import find_base, find_key, is_reachable
from ..providers.http.clients import close_clients
from ..providers.model_handle import ModelHandle
from ..providers.pricing import OFFLINE
from ..providers.probe import probe_provider
from ..providers.registry import create_provider
from ..store.store import Store
from ..types import ChatProvider, Embedder
from .findings import Finding, Level, from_error
from .model_efforts import FALLBACK_OF, describe_efforts
from .model_warnings import (
    check_endings,
    check_price_changes,
    check_prices,
    check_reroutes,
    list_endings,
)

EMBEDDING: Final = "embedding"
EMBEDDING_S: Final = 30.0
CHAT_ROLES: Final = ("worker", "classifier", "router", "evaluator", "parser")
_LEVELS: Final[dict[str, Level]] = {"ok": "ok", "no": "note", "fail": "fail"}


async def list_configured(settings: Settings) -> list[str]:
    """List the names of the chosen provider and then of the others that have a key."""
    chosen = (await connect_models(settings)).provider
    keyed = [name for name in list_providers("key") if find_key_place(name, settings, chosen)]
    return list(dict.fromkeys([chosen, *keyed]))


async def make_configured(provider: str, settings: Settings) -> ChatProvider:
    """Build a provider's client with the configured key, address and model.
    Only the default provider gets `settings.model`.
    If only a role or worker has a key, use that key and its address.

    Raises: ConfigError for an unknown one, MissingKeyError.
    """
    top = (await connect_models(settings)).provider
    is_top = provider == top
    # The top settings' key belongs to the top provider, and is sent to no other
    # (test_the_top_level_key_belongs_to_the_top_provider).
    key = (settings.api_key if is_top else None) or find_key(provider, settings)
    base = (settings.api_base if is_top else None) or find_base(provider, settings)
    if not key and (agent := find_agent_with_key(provider, settings, top)) is not None:
        own = settings.agents[agent]
        key, base = own.api_key, own.api_base or base
    return create_provider(
        provider,
        key.reveal() if key else None,
        settings.model if is_top else None,
        base,
        region=settings.region,
        protocol=PROTOCOLS[settings.protocol] if is_top and settings.protocol else None,
    )


async def check_providers(settings: Settings, models: Models) -> list[Finding]:
    """Report the models in use, their problems, and the providers that are ready to use."""
    findings: list[Finding] = []
    try:
        is_offline = models.resolve("worker").provider == OFFLINE
        todo = "Set a provider's API key to use a language model." if is_offline else None
        findings += [
            Finding("ok", "models", line, todo) for line in describe_used(models, settings)
        ]
        findings += check_used(models, settings)
    except AgentError as error:
        findings.append(from_error("models", error))
    without: list[str] = []
    for name in list_providers("key"):
        if place := find_key_place(name, settings, models.provider):
            findings.append(Finding("ok", "", f"{name}: key in {place}"))
        else:
            without.append(f"{name} ({' or '.join(PROVIDER_DEFAULTS[name].key_variables)})")
    if without:
        findings.append(Finding("note", "", f"no key for {', '.join(without)}"))
    for name in list_providers("address"):
        reachable = "reachable" if await is_reachable(name, settings) else "not reachable"
        variable = PROVIDER_DEFAULTS[name].base_variable
        findings.append(Finding("note", "", f"{name}: {reachable} ({variable})"))
    return findings


def find_key_place(provider: str, settings: Settings, top: str) -> str | None:
    """Name the variable or setting that holds the provider's key; None without one.
    top: the default provider.
    """
    variables = PROVIDER_DEFAULTS[provider].key_variables
    if variable := next((it for it in variables if settings.get_env(it) is not None), None):
        return variable
    if provider == top and settings.api_key:
        return "api_key"
    agent = find_agent_with_key(provider, settings, top)
    return None if agent is None else f"[agents.{agent}]"


def find_agent_with_key(provider: str, settings: Settings, top: str) -> str | None:
    """Find the first `[agents.…]` table that sets a key for this provider."""
    own = settings.agents.items()
    return next(
        (it for it, role in own if role.api_key and (role.provider or top) == provider), None
    )


async def probe_providers(settings: Settings) -> list[Finding]:
    """Make small real calls to the models in use and to all other providers with a key.

    A role's or worker's own model is called with its own address and key.
    """
    models = await connect_models(settings)
    findings: list[Finding] = []
    try:
        for users, handle in list_used(models, settings):
            findings.append(
                Finding("note", handle.provider, f"{handle.model} · {', '.join(users)}")
            )
            is_chat = users != [EMBEDDING]
            findings += await (_probe(handle.chat) if is_chat else _probe_embedding(handle.chat))
        used = {finding.what for finding in findings}
        for name in [name for name in await list_configured(settings) if name not in used]:
            try:
                findings += await _probe(await make_configured(name, settings))
            except AgentError as error:
                findings.append(from_error(name, error))
    except AgentError as error:  # a role that cannot be used at all
        findings.append(from_error("live", error))
    finally:
        # Made in this loop, which ends with the command.
        await close_clients()
    return findings


def describe_used(models: Models, settings: Settings) -> list[str]:
    """Describe the models in use, one line each: roles, workers, price, effort and shutdown."""
    used = list_used(models, settings)
    endings = list_endings([handle for _, handle in used], settings)
    lines: list[str] = []
    for users, handle in used:
        ending = endings.get(handle.label)
        parts = (
            f"{handle.label} answers as {', '.join(users)} · {handle.describe_price()}",
            "" if users == [EMBEDDING] else describe_efforts(users, handle.label, models),
            ending.describe() if ending else "",
        )
        lines.append(" · ".join(filter(None, parts)))
    return lines


def check_used(models: Models, settings: Settings) -> list[Finding]:
    """Check the models in use for unknown prices, price changes and shutdowns.

    Raises: ConfigError of the first that cannot be made.
    """
    handles = [handle for _, handle in list_used(models, settings)]
    changed = check_price_changes(handles, datetime.now(UTC))
    return [*check_prices(handles), *changed, *check_endings(handles, settings)]


async def check_answers(settings: Settings, store: Store) -> list[Finding]:
    """Report models in use whose calls were answered by another model."""
    try:
        used = list_used(await connect_models(settings), settings)
    except AgentError:  # `check_providers` reports it
        return []
    return await check_reroutes([handle for _, handle in used], settings, store)


def list_used(models: Models, settings: Settings) -> list[tuple[list[str], ModelHandle]]:
    """List ([roles and workers], model) for each model in use, once per address and key.

    Raises: ConfigError of the first that cannot be made.
    """
    own = settings.agents
    names = dict.fromkeys(("worker", *CHAT_ROLES, *own))
    used: dict[Any, tuple[list[str], ModelHandle]] = {}
    for name in names:
        role, worker = (name, None) if name in ROLES else ("worker", name)
        first, *fallbacks = models.resolve_chain(role, worker)
        # One model at two addresses, or with two keys, counts as two
        # (test_one_model_at_two_urls_is_listed_as_two).
        place = (own[name].api_base, own[name].api_key, own[name].protocol) if name in own else ()
        for key, handle, user in (
            ((first.label, any(place) and place), first, name),
            *(((each.label, False), each, f"{FALLBACK_OF}{name}") for each in fallbacks),
        ):
            used.setdefault(key, ([], handle))[0].append(user)
    return list(used.values())


async def _probe(chat: ChatProvider) -> list[Finding]:
    """Report what the provider's model answered to small real calls."""
    return [
        Finding(_LEVELS[probe.level], chat.provider, f"{probe.what}: {probe.text}", probe.hint)
        for probe in await probe_provider(chat)
    ]


async def _probe_embedding(chat: ChatProvider) -> list[Finding]:
    """Report the size of one real embedding, or why there is none."""
    if not isinstance(chat, Embedder):
        return [
            Finding("fail", chat.provider, f"embeddings: {chat.provider} has no embedding models")
        ]
    try:
        vectors = (await chat.embed(["Hello"], EMBEDDING_S)).vectors
    except AgentError as error:
        return [from_error(chat.provider, error)]
    return [Finding("ok", chat.provider, f"embeddings: vectors of {len(vectors[0])} numbers")]
