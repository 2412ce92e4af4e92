"""`/api/config`: what this service runs with; trying a provider out."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable
from decimal import Decimal
from typing import Final, TypeVar

import msgspec
from msgspec import UNSET

from ...agent.config.describing import describe_settings, to_text
from ...agent.config.settings import Settings, list_known_settings
from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.core.models import Models
from ...agent.core.spec import Pack
from ...agent.core.tools import Tool
from ...agent.dataclasses import dataclass
from ...agent.errors import AccessDenied, ConfigError, InputError, ModelError, NotFoundError
from ...agent.outbound.addresses import parse_allow_list
from ...agent.packs.prompts import list_workers
from ...agent.providers.defaults import PROTOCOLS, PROVIDER_DEFAULTS, list_providers
from ...agent.providers.detection import find_base, find_key
from ...agent.providers.pricing import Prices
from ...agent.providers.registry import create_provider, load_defaults, test_connection
from ...agent.types import ChatProvider, Usage
from ..auth.models import check_model, list_choices
from ..console.serving import list_screens
from ..http.endpoint import AppContext
from .onboarding import get_interview_pack
from .shapes import (
    Asking,
    ChoosableModel,
    ChoosableModels,
    ConfigInfo,
    ModelEntry,
    PackScreens,
    ProviderChoice,
    ProviderFailure,
    ProviderInfo,
    ProviderList,
    ProviderTest,
    ScreenInfo,
    SettingEntry,
    StartPrompt,
    ToolEntry,
    ToolList,
)
from .showing import to_shape

T = TypeVar("T")

OFFLINE: Final = "offline"
# By the name of a rate, a thousand of its tokens: long prompts have prices of their own.
RATES: Final = {
    "input_usd": Usage(input_tokens=1000, output_tokens=0),
    "output_usd": Usage(output_tokens=1000),
    "cache_read_usd": Usage(cache_read_tokens=1000, output_tokens=0),
    "cache_write_usd": Usage(cache_write_tokens=1000, output_tokens=0),
    "cache_write_long_usd": Usage(cache_write_long_tokens=1000, output_tokens=0),
}
OFFLINE_NOTICE: Final = "offline rule-based stand-in, no language model"
MAX_ANSWER_CHARS: Final = 200
Call = Callable[[], Awaitable[T]]


@dataclass(frozen=True, slots=True)
class ConfigRoutes:
    """The routes of configuration."""

    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        return (
            ApiRoute(
                "GET",
                "/api/config",
                self.read,
                "Read the configuration; administrators get all settings, with secrets masked",
            ),
            ApiRoute("GET", "/api/config/providers", self.list_providers, "List the providers"),
            ApiRoute(
                "GET",
                "/api/models",
                self.list_choices,
                "List the models that can be chosen for a conversation or a message",
            ),
            ApiRoute(
                "GET",
                "/api/tools",
                self.list_tools,
                "List the tools of the served packs, and which need approval",
            ),
            ApiRoute(
                "POST",
                "/api/config/models",
                self.list_models,
                "List a provider's current models (admins)",
            ),
            ApiRoute(
                "POST",
                "/api/config/test",
                self.test,
                "Test a provider with a small real call (admins)",
            ),
        )

    async def read(self, request: ApiRequest) -> ConfigInfo:
        settings = request.settings
        handle = self.app.service.models.resolve("worker")
        interview = self._name_interview()
        info = ConfigInfo(
            provider=handle.provider,
            model=handle.model,
            is_offline=handle.provider == OFFLINE,
            notice=get_notice(self.app.service.models),
            design=settings.agent.design,
            packs=[pack.name for pack in self.app.service.packs],
            onboarding=interview,
            screens=[
                choose_screens(read_screens(pack), pack, self.app.service.packs[0], interview)
                for pack in self.app.list_page_packs()
            ],
        )
        if request.is_admin:
            names = tuple(sorted(settings.agents))
            known = {row.key: row for row in list_known_settings(names, settings.agent.packs)}
            info.settings = [
                SettingEntry(*row, to_text(known[row[0]].default), known[row[0]].help_text)
                for row in describe_settings(settings)
            ]
        return info

    def _name_interview(self) -> str | None:
        try:
            return get_interview_pack(self.app.service).name
        except NotFoundError:
            return None

    async def list_providers(self, request: ApiRequest) -> ProviderList:
        models = self.app.service.models
        active = models.resolve("worker").provider
        return ProviderList(
            [
                to_shape(
                    ProviderInfo,
                    defaults,
                    id=name,
                    has_key=has_key(name, request.settings, models.provider),
                    needs_key=name in list_providers("key"),
                    is_active=name == active,
                )
                for name, defaults in PROVIDER_DEFAULTS.items()
            ]
        )

    async def list_choices(self, request: ApiRequest) -> ChoosableModels:
        service = self.app.service
        own = service.models.resolve("worker")
        prices = Prices(request.settings.prices)
        return ChoosableModels(
            [
                ChoosableModel(
                    *(f"{a}:{b}", a, b, (a, b) == (own.provider, own.model)),
                    *find_rates(prices, a, b).values(),
                )
                for a, b in list_choices(request, service)
            ]
        )

    async def list_tools(self, request: ApiRequest) -> ToolList:
        return ToolList(
            [
                to_shape(
                    ToolEntry,
                    tool,
                    asks=describe_asking(tool),
                    pack=pack.name,
                    workers=[spec.name for spec in list_workers(pack) if tool.name in spec.tools],
                )
                for pack in self.app.service.packs
                for tool in pack.tools
            ]
        )

    async def list_models(self, request: ApiRequest, body: ProviderChoice) -> list[ModelEntry]:
        provider = self._make_provider(request, body)
        listed = await tell_caller(provider.list_models)
        if not body.prices:
            entries = (ModelEntry(item.id, item.name) for item in listed)
            return sorted(entries, key=lambda item: item.id)
        prices = Prices(request.settings.prices)
        priced: list[ModelEntry] = []
        for item in sorted(listed, key=lambda item: item.id):
            rates = find_rates(prices, provider.provider, item.id, ("input_usd", "output_usd"))
            known = (rate or UNSET for rate in rates.values())
            priced.append(ModelEntry(item.id, item.name, *known))
        return priced

    async def test(self, request: ApiRequest, body: ProviderChoice) -> ProviderTest:
        """Test a provider by one small call, and return how it went, also if it failed."""
        provider = self._make_provider(request, body)
        started = time.perf_counter()
        try:
            response = await test_connection(provider)
        except ModelError as error:
            failure = to_shape(ProviderFailure, error)
            return ProviderTest(False, provider.provider, provider.model, error=failure)
        return ProviderTest(
            True,
            provider.provider,
            response.model,
            content=response.text[:MAX_ANSWER_CHARS],
            duration_ms=round((time.perf_counter() - started) * 1000),
        )

    def _make_provider(self, request: ApiRequest, choice: ProviderChoice) -> ChatProvider:
        """Make the provider to be tested from what the caller chose.

        Raises: AccessDenied; InputError for what the caller chose wrongly.
        """
        if not request.is_admin:
            raise AccessDenied(
                "only an administrator can test a provider",
                hint="Sign in as an administrator; the test makes a paid call.",
            )
        models = self.app.service.models
        chosen = make_chosen(choice, request.settings, models.provider)
        # With the user's own key, a call does not cost the operator's money.
        if choice.api_key is None:
            check_model(request, models, chosen.provider, chosen.model)
        return chosen


def read_screens(pack: Pack) -> PackScreens:
    """Return the pack's console screens, from `screens.json` or else from its modules and examples.

    Raises: ConfigError for a file that cannot be read.
    """
    if pack.screens is not None and (path := pack.screens / "screens.json").is_file():
        try:
            screens = msgspec.json.decode(path.read_bytes(), type=PackScreens)
        except msgspec.MsgspecError as error:
            raise ConfigError(f"{path}: {error}", hint="Correct this file of the pack.") from error
    else:
        names = [path.stem for path in list_screens(pack)]
        screens = PackScreens(
            screens=[ScreenInfo(name, name.replace("_", " ").capitalize()) for name in names],
            prompts=[StartPrompt("Try", text) for text in pack.examples[:3]],
        )
    outputs = [worker.output.schema for worker in list_workers(pack) if worker.output]
    title = screens.title or pack.title
    return msgspec.structs.replace(screens, pack=pack.name, title=title, outputs=outputs)


def choose_screens(
    shown: PackScreens, pack: Pack, chat: Pack, interview: str | None
) -> PackScreens:
    """Return the pack's console screens whose tools or interview this service offers.

    A pack without workers stays if the pack that serves chat has a tool that it describes.
    chat: the pack that serves chat. interview: the pack whose interview is held.
    """
    served = {tool.name for tool in chat.tools}
    is_served = pack is chat or pack.name == interview
    if not is_served and not (pack.workers or pack.onboarding):
        is_served = not shown.tools or not served.isdisjoint(shown.tools)
    useful = [item for item in shown.screens if not item.needs_interview or pack.name == interview]
    return msgspec.structs.replace(shown, screens=useful if is_served else [])


def describe_asking(tool: Tool) -> Asking:
    """Return which calls of the tool ask a person first, as `Guard.judge` would decide it.

    All but "always" and "never" ask only after the model has read text from outside.
    """
    if tool.needs_approval:
        return "always"
    is_read, reach = tool.effect == "read", tool.reach
    if reach is not None and (is_read or not reach.removes):
        return "unnamed_values"
    if reach is not None or tool.effect == "external" or not (is_read or tool.undone_by):
        return "after_outside_text"
    # An address is a text; without a type (a tool server's schema), a value may be one.
    takes_text = tool.parameters is not None or "'string'" in str(tool.schema.parameters)
    return "unnamed_addresses" if is_read and not tool.is_fixed and takes_text else "never"


def find_rates(
    prices: Prices, provider: str, model: str, names: Iterable[str] = RATES
) -> dict[str, str | None]:
    """Return what a million tokens cost in dollars, as text, by name of `RATES`; None: unknown."""
    amounts = {name: prices.price(provider, model, RATES[name]).amount for name in names}
    return {
        name: None if amount is None else f"{(Decimal(amount) * 1000).normalize():f}"
        for name, amount in amounts.items()
    }


def get_notice(models: Models) -> str | None:
    """Return the notice that answers come from the offline provider; None with a real model."""
    return OFFLINE_NOTICE if models.resolve("worker").provider == OFFLINE else None


def make_chosen(choice: ProviderChoice, settings: Settings, top: str) -> ChatProvider:
    """Build the provider that a request names, to test it or to list its models.

    Our own key goes only to the provider's own URL, or to the operator's: a URL in a request must
    not collect it. Requests go only to the public internet and where the operator allows.

    Raises: InputError for an unknown provider, a missing key, an address that is none.
    """
    check_address(choice.api_base)
    try:
        load_defaults(choice.provider)
    except ConfigError as error:
        text = f"unknown provider: {choice.provider}"
        raise InputError(text, hint=error.hint, code=error.code) from error
    is_top = choice.provider == top
    own_base = (settings.api_base if is_top else None) or find_base(choice.provider, settings)
    base = choice.api_base or own_base
    key = choice.api_key
    # Our own key at a URL of the request would go to the author of the request
    # (test_the_services_key_is_never_sent_to_a_requested_url).
    if key is None and base == own_base:
        kept = (settings.api_key if is_top else None) or find_key(choice.provider, settings)
        key = kept.reveal() if kept else None
    model = choice.model or (settings.model if is_top else None)
    # The operator's own address may be private; a URL of a request must not reach internal hosts.
    guard = None if base == own_base else parse_allow_list(settings.outbound_allow)
    try:
        return create_provider(
            choice.provider,
            key,
            model,
            base,
            region=settings.region,
            protocol=PROTOCOLS[settings.protocol] if is_top and settings.protocol else None,
            guard=guard,
        )
    except ConfigError as error:
        raise InputError(error.message, hint=error.hint, code=error.code) from error


def check_address(api_base: str | None) -> None:
    """Check that `api_base` is a URL with a host; None passes.

    Raises: InputError for what no request can be sent to.
    """
    if api_base is None:
        return
    import httpx2  # slow to import, and a provider without an SDK needs none

    try:
        if not httpx2.URL(api_base.strip()).host:
            raise ValueError("it has no host; write it like https://api.example.com/v1")
    except (httpx2.InvalidURL, ValueError) as error:
        raise InputError(
            f"api_base is not a valid URL: {error}",
            hint="Correct api_base, or leave it out.",
            code="CONFIG_INVALID",
        ) from error


async def tell_caller(call: Call[T]) -> T:
    """Await a provider's call, whose ModelError becomes an InputError (HTTP 400).

    Raises: InputError with the refusal's code.
    """
    try:
        return await call()
    except ModelError as error:
        raise InputError(error.message, hint=error.hint, code=error.code) from error


def has_key(provider: str, settings: Settings, top: str) -> bool:
    """Return whether an API key for a provider is set.

    It may be a variable, `api_key`, or a role's own. top: the provider that answers where a role
    names none; `api_key` is a key of that one only.
    """
    own = any(
        role.api_key and (role.provider or top) == provider for role in settings.agents.values()
    )
    is_top = settings.api_key is not None and provider == top
    return own or is_top or find_key(provider, settings) is not None
