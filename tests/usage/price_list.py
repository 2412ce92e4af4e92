"""The public price list with a model of a test's own, whose price changes on a day."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from decimal import Decimal

from genai_prices import data_snapshot
from genai_prices.types import (
    ClauseEquals,
    ConditionalPrice,
    ModelInfo,
    ModelPrice,
    StartDateConstraint,
)


@contextmanager
def list_model(
    provider: str, model: str, *prices: tuple[date | None, float, float]
) -> Iterator[None]:
    """Add a model to a provider of the list. prices: (first day, input, output) in order, in USD
    per million tokens. Answers are cached by name, so each test's model has a name of its own.
    """
    dated = [
        ConditionalPrice(
            constraint=start and StartDateConstraint(start),
            prices=ModelPrice(input_mtok=Decimal(str(sent)), output_mtok=Decimal(str(got))),
        )
        for start, sent, got in prices
    ]
    added = ModelInfo(id=model, match=ClauseEquals(model), prices=dated)
    listed = data_snapshot.get_snapshot().providers
    providers = [
        replace(item, models=[*item.models, added]) if item.id == provider else item
        for item in listed
    ]
    data_snapshot.set_custom_snapshot(data_snapshot.DataSnapshot(providers, False))
    try:
        yield
    finally:
        data_snapshot.set_custom_snapshot(None)
