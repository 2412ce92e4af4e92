"""The model that answered sets the price; the one that was requested stands beside it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from plainloop.agent.cli.talk.explain import render_call
from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.config.settings import Settings
from plainloop.agent.providers.answered_models import is_rerouted, price_call
from plainloop.agent.providers.endings import Endings
from plainloop.agent.providers.pricing import LIST_PRICES, Prices
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage
from plainloop.agent.usage.model_changes import LEDGER, list_model_changes
from plainloop.agent.usage.report import UsageFilter, summarize_usage
from plainloop.agent.usage.rollup import roll_up_usage
from plainloop_wire.call import Rules
from tests.core.model_calls import make_caller
from tests.usage.ledger import move_run
from tests.wire_fixtures import StartWire

# By wire: requested, answered, whether another model answered, whose list price counts.
CASES = [
    ("anthropic", "claude-haiku-4-5", "claude-haiku-4-5-20251001", False, "answered"),
    ("anthropic", "claude-opus-4-1", "claude-sonnet-4-5", True, "answered"),
    ("anthropic", "claude-haiku-4-5", "claude-of-nobody", True, "requested"),
    ("openai", "gpt-4o", "gpt-4o-2024-11-20", False, "answered"),
    ("openai", "gpt-4o", "gpt-4o-mini", True, "answered"),
    ("responses", "gpt-5", "gpt-5-2025-08-07", False, "answered"),
    ("responses", "gpt-5", "gpt-5-mini", True, "answered"),
    ("kimi", "kimi-k2.6", "kimi-k2.5", True, "answered"),
    ("gemini", "gemini-2.5-pro", "gemini-3.8-flash", True, "answered"),
    ("gemini", "gemini-3.8-flash", "models/gemini-3.8-flash-001", False, "requested"),
    ("ollama", "llama3.1", "llama3.1:latest", False, "nobody's"),
]


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "in one piece"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[1]} {case[2]}")
async def test_the_answering_model_sets_the_price_with_every_provider(
    store: Store,
    settings: Settings,
    wire_server: StartWire,
    case: tuple[str, str, str, bool, str],
    stream: bool,
) -> None:
    wire, requested, answered, is_other, priced = case
    server = await wire_server(rules=Rules(reroutes={requested: answered}))
    provider = "openai" if wire == "responses" else wire
    protocol = {"responses": "openai_responses", "openai": "openai_chat"}.get(wire)
    url = server.base_url if wire in ("anthropic", "gemini", "ollama") else server.openai_url
    chat = create_provider(provider, "any", requested, url, protocol=protocol)
    ours = await make_caller(store, settings, chat)
    await ours.call(stream=stream)

    (row,) = await ours.list_rows()
    names = {"answered": answered, "requested": requested}
    listed = priced in names and LIST_PRICES.price(provider, names[priced], row.usage).amount_usd
    assert (row.model, row.model_answered) == (requested, answered)
    assert row.cost_usd == (listed or None)
    assert listed is not None
    line = next(render_call(row))
    told = f"{requested} ({'answered:' if is_other else 'as'} {answered})"
    assert told in line
    changes = await list_model_changes(store.read("acme"), Endings([]), LIST_PRICES)
    rerouted = [(item.models, item.to) for item in changes if item.source == LEDGER]
    assert rerouted == ([((requested,), answered)] if is_other else [])


async def test_reports_show_requested_and_answering_models(
    store: Store, settings: Settings, wire_server: StartWire
) -> None:
    server = await wire_server(rules=Rules(reroutes={"gemini-2.5-pro": "gemini-3.8-flash"}))
    chat = create_provider("gemini", "any", "gemini-2.5-pro", server.base_url)
    ours = await make_caller(store, settings, chat)
    await ours.call()
    db = store.read("acme")
    both = {"requested": "gemini-2.5-pro", "model": "gemini-3.8-flash"}
    before = await summarize_usage(db, ["requested", "model"])
    await move_run(store, ours.ctx.run, datetime.now(UTC) - timedelta(hours=5))
    await roll_up_usage(store)

    assert [row.keys for row in before] == [both]
    assert await summarize_usage(db, ["requested", "model"]) == before
    only = UsageFilter({"requested": "gemini-2.5-pro"})
    assert [row.calls for row in await summarize_usage(db, [], only)] == [1]


@pytest.mark.parametrize(
    ("requested", "answered", "is_other"),
    [
        ("claude-sonnet-5-5", "claude-sonnet-5-5-20260901", False),
        ("claude-sonnet-5-5-20260901", "claude-sonnet-5-5-20261101", True),
        ("claude-sonnet-5-5-20260901", "claude-sonnet-5-5", False),
        ("claude-sonnet-5", "claude-sonnet-5-5", True),
        ("claude-sonnet-5-5", "us.anthropic.claude-sonnet-5-5-20260901-v1:0", False),
        ("claude-sonnet-5-5", "claude-sonnet-5-5@20260901", False),
        ("anthropic/claude-sonnet-5-5", "claude-sonnet-5-5", False),
        ("gpt-6-luna", "gpt-6-luna-2026-05-01", False),
        ("gpt-6-luna", "gpt-6-luna-mini-2026-05-01", True),
        ("gpt-4.1", "gpt-4.1-2025-04-14", False),
        ("gpt-4", "gpt-4-0613", False),
        ("gpt-4", "gpt-4.1", True),
        ("gemini-3.8-flash", "gemini-3.8-flash-preview-09-2026", False),
        ("gemini-flash-latest", "gemini-3.8-flash", False),
        ("gemini-flash-latest", "gemini-3.5-flash-lite", True),
        ("MiniMax-M3", "minimax-m3", False),
        ("llama3.1", "llama3.1:latest", False),
        ("kimi-k2.6", None, False),
        ("kimi-k2.6", "", False),
        ("x", "x" + "-20260101" * 100_000, True),
    ],
)
def test_a_dated_model_version_is_not_another_model(
    requested: str, answered: str | None, is_other: bool
) -> None:
    assert is_rerouted(requested, answered) is is_other


@pytest.mark.parametrize(
    ("own", "requested", "answered", "amount"),
    [
        # An alias of one's own gateway costs what its operator says,
        ({"openai:fast": "7"}, "fast", "gpt-4o", "7"),
        # a version what its model costs,
        ({"openai:gpt-4o": "7"}, "gpt-4o", "gpt-4o-2024-11-20", "7"),
        # and another model that answers its own price.
        ({"openai:gpt-4o": "7"}, "gpt-4o", "gpt-4o-mini", "0.15"),
        ({"openai:gpt-4o": "7", "openai:gpt-4o-mini": "1"}, "gpt-4o", "gpt-4o-mini", "1"),
        ({"openai:*": "7"}, "gpt-4o", "gpt-4o-mini", "7"),
    ],
)
def test_own_prices_apply_to_the_models_they_name(
    own: dict[str, str], requested: str, answered: str, amount: str
) -> None:
    table = {name: OwnPrice(input=Decimal(usd), output=Decimal(0)) for name, usd in own.items()}
    usage = Usage(input_tokens=1_000_000)
    assert price_call(Prices(table), "openai", requested, answered, usage).amount_usd == amount


def test_a_price_share_applies_to_the_price_of_the_answering_version(tmp_path: Path) -> None:
    half = Prices({"openai:gpt-4o": OwnPrice(share=Decimal("0.5"))})
    usage = Usage(input_tokens=1_000_000)
    listed = LIST_PRICES.price("openai", "gpt-4o-2024-05-13", usage).amount
    priced = price_call(half, "openai", "gpt-4o", "gpt-4o-2024-05-13", usage).amount

    assert listed is not None and priced == listed / 2
    assert listed != LIST_PRICES.price("openai", "gpt-4o", usage).amount
