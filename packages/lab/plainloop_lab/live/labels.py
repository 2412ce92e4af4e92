"""Names of the models that answered a turn, as reports show them, and a call's uncached price."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from plainloop.agent.providers.answered_models import price_call
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.records import CallSettled
from plainloop.agent.types import Usage


def label_efforts(sent: Iterable[tuple[str, str | None]]) -> list[str]:
    """List the models that were called, as `model@effort` if an effort was sent.

    [] if no call had an effort.

    >>> label_efforts([("openai:m", None), ("openai:m", "low"), ("openai:m", "low")])
    ['openai:m', 'openai:m@low']
    """
    pairs = [*sent]
    if not any(effort for _, effort in pairs):
        return []
    return sorted({f"{model}@{effort}" if effort else model for model, effort in pairs})


def list_names(turn: Mapping[str, Any]) -> list[str]:
    """List the models that answered a turn, as `model@effort` if any effort was sent."""
    return turn.get("efforts") or turn["models"]


def price_uncached(label: str, call: CallSettled, prices: Prices) -> str | None:
    """Compute what a call's tokens would have cost without a prompt cache, in USD.

    label: `provider:model`. None: the price is unknown.
    """
    provider, _, model = label.partition(":")
    usage = Usage(input_tokens=call.usage.input_total, output_tokens=call.usage.output_total)
    if call.cost_usd is None:
        return None
    return price_call(prices, provider, model, call.model_answered, usage).amount_usd
