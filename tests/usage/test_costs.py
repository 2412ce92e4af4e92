"""What a call costs: the operator's table, the public list, and setting prices again."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import ConfigError
from plainloop.agent.providers.answered_models import price_call
from plainloop.agent.providers.pricing import Cost, Prices
from plainloop.agent.types import Usage

USED = Usage(1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000)
TABLE = """
[prices."ollama:llama3.1"]
input = 1
output = 10
cache_read = 0.25
[prices."anthropic:*"]
share = 0.5
"""


def load(tmp_path: Path, text: str) -> Prices:
    path = tmp_path / "plainloop.toml"
    path.write_text(text, encoding="utf-8")
    return Prices(load_settings({"AGENT_DATA_DIR": str(tmp_path)}, path).prices)


def test_own_prices_are_per_million_with_cache_defaults(tmp_path: Path) -> None:
    cost = load(tmp_path, TABLE).price("ollama", "llama3.1", USED)

    assert cost.amount_usd == "22.25"  # 1 + 0.25 + 1 (written as input) + 10 + 10
    assert cost.version is not None and cost.version.startswith("own ")


def test_a_price_share_refers_to_the_list_price(tmp_path: Path) -> None:
    usage = Usage(input_tokens=1000, output_tokens=100)
    listed = Prices().price("anthropic", "claude-sonnet-4-5", usage)
    half = load(tmp_path, TABLE).price("anthropic", "claude-sonnet-4-5", usage)

    assert listed.amount is not None and half.amount == listed.amount / 2
    assert half.version is not None and "own " in half.version and "genai" in half.version
    unlisted = load(tmp_path, TABLE).price("anthropic", "unheard-of", usage)
    assert unlisted == Cost(None, None)


def test_a_changed_price_table_gets_another_version() -> None:
    first, second = (Prices({"x:y": OwnPrice(input=Decimal(n), output=Decimal(n))}) for n in (1, 2))
    versions = [prices.price("x", "y", USED).version for prices in (first, second)]
    assert versions[0] != versions[1]


def test_an_unknown_price_is_null_not_zero() -> None:
    assert Prices().price("nobody", "unheard-of", USED) == Cost(None, None)
    assert Prices().price("openai", "gpt-4o", Usage(source="missing")) == Cost(None, None)
    assert Prices().price_bound("nobody", "unheard-of", 1, 1) is None


@pytest.mark.parametrize(
    ("asked", "answered", "amount"),
    [
        ("dear", "cheap", "1"),
        ("dear", "unheard-of", "5"),
        ("alias", "cheap", "1"),
        ("alias", None, None),
        ("alias", "alias", None),
        ("alias", "unheard-of", None),
    ],
)
def test_an_alias_costs_the_answering_models_price(
    asked: str, answered: str | None, amount: str | None
) -> None:
    own = {
        f"x:{name}": OwnPrice(input=Decimal(price), output=Decimal(0))
        for name, price in (("dear", 5), ("cheap", 1))
    }
    usage = Usage(input_tokens=1_000_000)
    assert price_call(Prices(own), "x", asked, answered, usage).amount_usd == amount


def test_a_batch_costs_half_without_a_listed_price() -> None:
    own = {"x:y": OwnPrice(input=Decimal(3), output=Decimal(0))}
    usage = Usage(input_tokens=1_000_000)
    plain = Prices(own)
    assert plain.price("x", "y", usage).amount_usd == "3"
    assert plain.at_batch_rates().price("x", "y", usage).amount_usd == "1.5"
    listed = [
        prices.price("anthropic", "claude-sonnet-4-5", usage).amount
        for prices in (plain, plain.at_batch_rates())
    ]
    assert listed[0] is not None and listed[1] == listed[0] / 2


def test_the_price_list_contains_cache_prices() -> None:
    plain, read, written, half = (
        Prices().price("anthropic", "claude-sonnet-4-5", usage).amount
        for usage in (Usage(1000), Usage(0, 1000), Usage(0, 0, 1000), Usage(500, 500))
    )
    assert plain is not None and read is not None and written is not None
    assert read < plain < written
    assert half == (plain + read) / 2


def test_the_reserved_cost_covers_a_cache_write() -> None:
    most = Prices().price_bound("anthropic", "claude-sonnet-4-5", 1000, 100)
    for usage in (Usage(1000, 0, 0, 100), Usage(0, 0, 1000, 100), Usage(0, 1000, 0, 100)):
        amount = Prices().price("anthropic", "claude-sonnet-4-5", usage).amount
        assert most is not None and amount is not None and amount <= most


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[prices."gpt-4o"]\ninput = 1\noutput = 1', '"provider:model"'),
        ('[prices."a:b"]\ninput = 1', "needs `input` together with `output`"),
        (
            '[prices."a:b"]\ninput = 1\noutput = 1\nshare = 1',
            "needs `input` together with `output`",
        ),
        ('[prices."a:b"]\ninput = -1\noutput = 1', "0 or more"),
        ('[prices."a:b"]\ninput = true\noutput = 1', "0 or more"),
        ('[prices."a:b"]\ninputs = 1', "unknown key inputs"),
        ("prices = 3", "must be a table"),
    ],
)
def test_an_invalid_price_table_names_the_fault(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(tmp_path, text)
    assert told in raised.value.message
