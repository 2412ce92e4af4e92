"""Warns about models in use that still answer: no price, or an announced change, which is a
shutdown, a re-route or another price.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlsplit

from ..config.settings import Settings
from ..providers.defaults import PROVIDER_DEFAULTS
from ..providers.endings import Ending, load_endings
from ..providers.model_handle import ModelHandle
from ..providers.price_changes import ONE_CALL, list_price_changes
from ..providers.pricing import OFFLINE, Prices
from ..store.store import Store
from ..types import Usage
from ..usage.model_changes import LEDGER, list_model_changes
from ..usage.report import EVERYBODY, open_ledger
from .findings import Finding

PRICED = "For a cheaper model or effort: plainloop advise --into advice --max-cost-usd 5"
ADVISE = "plainloop advise --successor --into advice --max-cost-usd 5"
_PRICE_KEYS = "{ input = 1.00, output = 4.00 }"
_ONE = Usage(input_tokens=1_000, output_tokens=1_000)


def check_prices(handles: Sequence[ModelHandle]) -> list[Finding]:
    """Report models without a known price, with the setting for it."""
    return [
        Finding(
            "warn",
            "prices",
            f"{label}: the price is unknown, so no cost is counted and a hard budget in money "
            "refuses its calls",
            f'Under [prices] in plainloop.toml, in USD per million tokens: "{label}" = '
            f"{_PRICE_KEYS}",
        )
        for label in dict.fromkeys(handle.label for handle in handles if not is_priced(handle))
    ]


def check_price_changes(handles: Sequence[ModelHandle], now: datetime) -> list[Finding]:
    """Report changes of the models' list prices, past (30 days) and announced (90 days)."""
    findings: dict[str, Finding] = {}
    for handle in handles:
        named = (handle.provider, handle.model, None)
        for change in list_price_changes(handle.prices, *named, ONE_CALL, now):
            text = f"{handle.label} {change.describe(now.date())}"
            level = "note" if (change.usd or 0) < 0 else "warn"
            # Keyed by its text: if several roles use one model, it is reported once.
            findings[text] = Finding(level, "prices", text, PRICED)
    return [*findings.values()]


def check_endings(handles: Sequence[ModelHandle], settings: Settings) -> list[Finding]:
    """Report models that their vendor will shut down or replace, and how to try a successor."""
    findings: list[Finding] = []
    at_home = {handle.label for handle in handles if is_at_home(handle)}
    for label, ending in list_endings(handles, settings).items():
        # Another host may serve a model for years after its vendor stopped
        # (test_a_model_shut_down_by_one_vendor_can_be_available_at_another).
        is_gone = ending.has_ended() and label in at_home and not ending.reroutes
        level = "fail" if is_gone else "warn"
        is_named = ending.successor and not ending.reroutes
        after = f"; successor: {ending.successor}" if is_named else ""
        todo = f"Try it on recorded conversations: {ending.describe_rehearsal()}"
        if ending.successor:
            todo = f"For a verdict on each worker: {ADVISE}. {todo}"
        findings.append(Finding(level, "endings", f"{label} {ending.describe()}{after}", todo))
    return findings


async def check_reroutes(
    handles: Sequence[ModelHandle], settings: Settings, store: Store
) -> list[Finding]:
    """Report models in use whose calls another model answered in the last 30 days.

    A tenant's admin may read it, so models that only some tenant calls are not named. Re-routes
    that a vendor announced are reported by `check_endings`.
    """
    used = {(handle.provider, handle.model) for handle in handles}
    endings, prices = load_endings(settings.endings_file), Prices(settings.prices)
    async with open_ledger(store, EVERYBODY) as db:
        changes = await list_model_changes(db, endings, prices)
    todo = "Request a model that answers by its own name; `plainloop usage` shows the prices"
    return [
        # Without the share of calls, which includes other tenants' calls.
        Finding("warn", "models", item.describe_reroute(), todo)
        for item in changes
        if item.source == LEDGER and (item.provider, item.models[0]) in used
    ]


def list_endings(handles: Sequence[ModelHandle], settings: Settings) -> dict[str, Ending]:
    """Map the labels of models with an announced shutdown to its details, earliest first."""
    endings = load_endings(settings.endings_file)
    ending_by_label = {
        h.label: e for h in handles if (e := endings.find(h.provider, h.model)) is not None
    }
    return dict(sorted(ending_by_label.items(), key=lambda item: (item[1].ends, item[0])))


def is_at_home(handle: ModelHandle) -> bool:
    """Whether the model is called at its vendor's own address."""
    defaults = PROVIDER_DEFAULTS.get(handle.provider)
    return defaults is not None and urlsplit(handle.base_url or "").hostname in defaults.hosts


def is_priced(handle: ModelHandle) -> bool:
    """Whether the model's price is known; the offline provider's is 0."""
    if handle.provider == OFFLINE:
        return True
    return handle.prices.price(handle.provider, handle.model, _ONE).amount is not None
