"""The providers: who answers, who has a key, and what each model can do when it is asked."""

from __future__ import annotations

from typing import Any, Final

from ..config.settings import Settings
from ..core.models import Models, connect_models
from ..errors import AgentError
from ..providers.defaults import PROTOCOLS, PROVIDER_DEFAULTS, list_providers
from ..providers.detection import find_base, find_key, is_reachable
from ..providers.http.clients import close_clients
from ..providers.model_handle import ModelHandle
from ..providers.pricing import OFFLINE
from ..providers.probe import probe_provider
from ..providers.registry import create_provider
from ..selection.choosing import ROLES
from ..types import ChatProvider, Embedder
from .findings import Finding, Level, from_error
from .model_warnings import check_endings, check_prices, list_endings

EMBEDDING: Final = "embedding"
EMBEDDING_S: Final = 30.0
CHAT_ROLES: Final = ("worker", "classifier", "router", "evaluator", "parser")
_LEVELS: Final[dict[str, Level]] = {"ok": "ok", "no": "note", "fail": "fail"}


async def list_configured(settings: Settings) -> list[str]:
    """The chosen provider first, then the others with a key."""
    chosen = (await connect_models(settings)).provider
    keyed = [name for name in list_providers("key") if find_key(name, settings)]
    return list(dict.fromkeys([chosen, *keyed]))


async def make_configured(provider: str, settings: Settings) -> ChatProvider:
    """The provider with its key; the top settings' address, key and model only for the top one.

    Raises: ConfigError for an unknown one, MissingKeyError.
    """
    is_top = provider == (await connect_models(settings)).provider
    key = (settings.api_key if is_top else None) or find_key(provider, settings)
    return create_provider(
        provider,
        key.reveal() if key else None,
        settings.model if is_top else None,
        (settings.api_base if is_top else None) or find_base(provider, settings),
        region=settings.region,
        protocol=PROTOCOLS[settings.protocol] if is_top and settings.protocol else None,
    )


async def check_providers(settings: Settings, models: Models) -> list[Finding]:
    """Find who answers, and which other providers have a key."""
    found: list[Finding] = []
    try:
        is_offline = models.resolve("worker").provider == OFFLINE
        todo = "Set a provider's API key to use a language model." if is_offline else None
        found += [Finding("ok", "models", line, todo) for line in describe_used(models, settings)]
        found += check_used(models, settings)
    except AgentError as error:
        found.append(from_error("models", error))
    without: list[str] = []
    for name in list_providers("key"):
        variables = PROVIDER_DEFAULTS[name].key_variables
        if find_key(name, settings):
            variable = next(item for item in variables if settings.get_env(item) is not None)
            found.append(Finding("ok", "", f"{name}: key in {variable}"))
        else:
            without.append(f"{name} ({' or '.join(variables)})")
    if without:
        found.append(Finding("note", "", f"no key for {', '.join(without)}"))
    for name in list_providers("address"):
        reachable = "reachable" if await is_reachable(name, settings) else "not reachable"
        variable = PROVIDER_DEFAULTS[name].base_variable
        found.append(Finding("note", "", f"{name}: {reachable} ({variable})"))
    return found


async def probe_providers(settings: Settings) -> list[Finding]:
    """Find what each model that is used can do, by small real calls: each role's and worker's own
    one with its own address and key; then the other providers that have a key.
    """
    models = await connect_models(settings)
    found: list[Finding] = []
    try:
        for users, handle in list_used(models, settings):
            found.append(Finding("note", handle.provider, f"{handle.model} · {', '.join(users)}"))
            is_chat = users != [EMBEDDING]
            found += await (_probe(handle.chat) if is_chat else _probe_embedding(handle.chat))
        used = {finding.what for finding in found}
        for name in [name for name in await list_configured(settings) if name not in used]:
            try:
                found += await _probe(await make_configured(name, settings))
            except AgentError as error:
                found.append(from_error(name, error))
    except AgentError as error:  # a role that cannot be used at all
        found.append(from_error("live", error))
    finally:
        await close_clients()
    return found


def describe_used(models: Models, settings: Settings) -> list[str]:
    """List a line for each model: which roles and workers it serves, and at which price."""
    used = list_used(models, settings)
    endings = list_endings([handle for _, handle in used], settings)
    return [
        f"{handle.label} answers as {', '.join(users)} · {handle.describe_price()}"
        + (f" · {endings[handle.label].describe()}" if handle.label in endings else "")
        for users, handle in used
    ]


def check_used(models: Models, settings: Settings) -> list[Finding]:
    """Find what to know of the models that are used before it matters: prices, shutdown dates.

    Raises: ConfigError of the first that cannot be made.
    """
    handles = [handle for _, handle in list_used(models, settings)]
    return [*check_prices(handles), *check_endings(handles, settings)]


def list_used(models: Models, settings: Settings) -> list[tuple[list[str], ModelHandle]]:
    """List (roles and workers, model) of all that is called, each model at each address once.

    Raises: ConfigError of the first that cannot be made.
    """
    own = settings.agents
    names = dict.fromkeys(("worker", *CHAT_ROLES, *own))
    used: dict[Any, tuple[list[str], ModelHandle]] = {}
    for name in names:
        role, worker = (name, None) if name in ROLES else ("worker", name)
        first, *fallbacks = models.resolve_chain(role, worker)
        place = (own[name].api_base, own[name].api_key, own[name].protocol) if name in own else ()
        for key, handle, user in (
            ((first.label, any(place) and place), first, name),
            *(((each.label, False), each, f"fallback of {name}") for each in fallbacks),
        ):
            used.setdefault(key, ([], handle))[0].append(user)
    return list(used.values())


async def _probe(chat: ChatProvider) -> list[Finding]:
    return [
        Finding(_LEVELS[probe.level], chat.provider, f"{probe.what}: {probe.text}", probe.hint)
        for probe in await probe_provider(chat)
    ]


async def _probe_embedding(chat: ChatProvider) -> list[Finding]:
    if not isinstance(chat, Embedder):
        return [
            Finding("fail", chat.provider, f"embeddings: {chat.provider} has no embedding models")
        ]
    try:
        vectors = (await chat.embed(["Hello"], EMBEDDING_S)).vectors
    except AgentError as error:
        return [from_error(chat.provider, error)]
    return [Finding("ok", chat.provider, f"embeddings: vectors of {len(vectors[0])} numbers")]
