"""`/api/prices`: prices of the configured providers' models, and announced changes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, cast

from msgspec import Struct

from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS, name_provider
from plainloop.agent.providers.endings import Endings, get_today, load_endings
from plainloop.agent.providers.price_changes import ONE_CALL, list_price_changes
from plainloop.agent.providers.pricing import Prices, list_priced_models, load_prices
from plainloop.agent.usage.report import UsageFilter, summarize_usage
from plainloop.server.auth.models import list_choices
from plainloop.server.http.endpoint import AppContext
from plainloop.server.routes.config import find_rates, has_key

# Of one provider; a gateway lists a thousand models, and each costs milliseconds.
MODELS_AT_MOST: Final = 150
USED_WITHIN: Final = timedelta(days=30)


class ModelPrice(Struct):
    """A model's prices in USD per million tokens; None: unknown."""

    provider: str
    model: str
    is_chosen: bool  # one that this service offers for a conversation
    is_used: bool  # with calls of this tenant in the last 30 days
    is_own: bool  # priced by the operator's settings, not by the public list
    input_usd: str | None
    cache_read_usd: str | None
    cache_write_usd: str | None
    cache_write_long_usd: str | None
    output_usd: str | None
    since: date | None  # the first day of these prices; None: the list names none
    until: date | None  # the last day before an announced change
    ends: date | None  # the first day without the model, as its vendor announced
    changes: list[str]  # what is announced, as phrases that follow the model's name


class PriceList(Struct):
    version: str  # of the public list
    models: list[ModelPrice]
    left_out: int  # models of providers that list more than 150


async def read_prices(app: AppContext, request: ApiRequest) -> PriceList:
    """List the known models of the providers that this service has a key for.

    Chosen ones are first, then those used in the last 30 days.
    """
    service = app.service
    settings, top = request.settings, service.models.provider
    chosen = list_choices(request, service)
    configured = {provider for provider, _ in chosen} | {
        name for name in PROVIDER_DEFAULTS if has_key(name, settings, top)
    }
    only = UsageFilter(since=datetime.now(UTC) - USED_WITHIN)
    used = [
        (row.keys["provider"] or "", row.keys["requested"] or "")
        for row in await summarize_usage(request.db, ("provider", "requested"), only, by_cost=True)
    ]
    prices, endings = Prices(settings.prices), load_endings(settings.endings_file)
    # The public list takes 0.4 s to load, and each model milliseconds.
    return await asyncio.to_thread(
        _list_prices, prices, endings, chosen, used, sorted(configured & {*PROVIDER_DEFAULTS})
    )


def _list_prices(
    prices: Prices,
    endings: Endings,
    chosen: list[tuple[str, str]],
    used: list[tuple[str, str]],
    providers: Iterable[str],
) -> PriceList:
    known = dict.fromkeys([*chosen, *used])
    left_out = 0
    for provider in providers:
        listed = list_priced_models(provider)
        left_out += len(listed[MODELS_AT_MOST:])
        known |= dict.fromkeys((provider, model) for model in listed[:MODELS_AT_MOST])
    models = [
        _describe(prices, endings, *item, is_chosen=item in chosen, is_used=item in used)
        for item in known
    ]
    return PriceList(load_prices().__version__, models, left_out)


def _describe(
    prices: Prices, endings: Endings, provider: str, model: str, *, is_chosen: bool, is_used: bool
) -> ModelPrice:
    now, today = datetime.now(UTC), get_today()
    is_own = prices.has_own(provider, model) or prices.has_own(provider, "*")
    rates: dict[str, Any] = find_rates(prices, provider, model)
    changes = list_price_changes(prices, provider, model, model, ONE_CALL, now)
    ending = endings.find(provider, model)
    past = [item.at for item in changes if item.at <= today]
    coming = [item for item in changes if item.at > today]
    phrases = [item.describe() for item in coming]
    if ending:
        successor = f", successor {ending.successor}" if ending.successor else ""
        phrases.append(ending.describe() + ("" if ending.reroutes else successor))
    return ModelPrice(
        provider,
        model,
        is_chosen,
        is_used,
        is_own,
        **rates,
        since=past[-1] if past else _find_start(provider, model, today),
        until=coming[0].at if coming else None,
        ends=ending and ending.ends,
        changes=phrases,
    )


def _find_start(provider: str, model: str, today: date) -> date | None:
    """Return since when the public list has a dated price of the model; None: it has no date."""
    try:
        _, found = (
            load_prices()
            .data_snapshot.get_snapshot()
            .find_provider_model(model, None, name_provider(provider, "price_list"), None)
        )
    except LookupError:
        return None
    listed: Any = found.prices
    starts: list[date | None] = []
    if isinstance(listed, list):
        rows = cast("list[Any]", listed)
        starts = [getattr(row.constraint, "start_date", None) for row in rows]
    return max((start for start in starts if start and start <= today), default=None)


def list_price_routes(app: AppContext) -> tuple[ApiRoute, ...]:
    """List the route of prices."""

    async def read(request: ApiRequest) -> PriceList:
        return await read_prices(app, request)

    return (
        ApiRoute("GET", "/api/prices", read, "List prices and announced changes of known models"),
    )
