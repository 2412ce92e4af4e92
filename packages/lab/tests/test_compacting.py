"""Shorter histories: what is sent, what a cache has of it, and which values are gone."""

from __future__ import annotations

import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson
import pytest

from packages.lab.tests.recorded.test_openai_format import SAMPLE, ask_tool, line, tell, user
from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.types import Usage
from plainloop_lab.commands.rates import find_rates
from plainloop_lab.decide.compacting import Rates, compare_policies
from plainloop_lab.replay.sources.openai_format import (
    number_lines,
    parse_conversation,
    parse_conversations,
)
from tests.cli.conftest import Command

ROOMS = [{"room": n, "usd": 10_000 + n, "view": "sea"} for n in range(300, 340)]


def book_rooms() -> bytes:
    """Six looks at rooms, then one of the first look is booked."""
    looks: list[Any] = []
    for n in range(6):
        looks += [ask_tool(f"a{n}", "find", f'{{"floor": "floor {n}"}}')]
        looks += [tell(f"a{n}", orjson.dumps([{**room, "floor": n} for room in ROOMS]).decode())]
    looks[1] = tell(
        "a0", orjson.dumps([{**room, "code": f"QX{room['room']}"} for room in ROOMS]).decode()
    )
    return line(
        user("A room"),
        *looks,
        ask_tool("b", "book", '{"code": "QX317", "guests": 2}'),
        tell("b", "ok"),
        {"role": "assistant", "content": "Done."},
    )


def test_compacting_reports_a_policy_that_drops_a_needed_result() -> None:
    found = {
        item.name: item
        for item in compare_policies([parse_conversation(book_rooms(), 1)], 6_000, 2_000)
    }
    assert found["everything"].lost_calls == 0
    gone = found["last 4 tool results"]
    assert (gone.lost_calls, gone.examples) == (1, ["line-1: book needed QX317"])
    assert gone.input_tokens < found["everything"].input_tokens
    assert gone.price(Rates()) > found["everything"].price(Rates()), "it breaks the cache"


def test_compacting_lists_into_tables_is_lossless_and_saves_a_fifth() -> None:
    everything, *_, tables, _ = compare_policies(
        [parse_conversation(book_rooms(), 1)], 6_000, 2_000
    )
    assert (tables.name, tables.lost_calls) == ("lists as tables", 0)
    assert tables.price(Rates()) < 0.8 * everything.price(Rates())


def test_compacting_policies_are_priced_by_the_operators_prices() -> None:
    price = OwnPrice(Decimal(2), Decimal(8), cache_read=Decimal("0.5"), cache_write=Decimal(3))
    rates = find_rates("acme:m", {"acme:m": price})
    assert (math.isclose(rates.write, 3e-6), math.isclose(rates.read, 5e-7), rates.unit) == (
        True,
        True,
        "USD",
    )


def test_compacting_is_priced_at_the_rate_for_short_calls_not_long_ones() -> None:
    """Of a million tokens in one call the list charges twice as much for each."""
    call = Usage(input_tokens=9_000, output_tokens=0)
    usd = Prices().price("openai", "gpt-6.1-terra", call).amount or 0
    assert math.isclose(find_rates("openai:gpt-6.1-terra", {}).write, float(usd / 9_000) * 1.25)


@pytest.mark.skipif(not SAMPLE.exists(), reason="../shared/data is not there")
def test_lossless_compacting_loses_no_call_of_real_conversations() -> None:
    with SAMPLE.open("rb") as lines:
        talks = list(parse_conversations(number_lines(lines)))[:25]
    found = compare_policies(talks, 6_000, 2_000)
    assert [item.lost_calls for item in found if item.is_lossless] == [0, 0]
    gone = next(item for item in found if item.name == "last 4 tool results")
    everything = found[0]
    assert gone.lost_calls > 0
    assert gone.input_tokens < 0.9 * everything.input_tokens
    assert gone.price(Rates()) > 1.2 * everything.price(Rates())


async def test_the_compacting_plan_is_printed_and_written(
    plainloop: Command, tmp_path: Path
) -> None:
    (tmp_path / "talks.jsonl").write_bytes(book_rooms())
    done = await plainloop("compact", "plan", "--from", "talks.jsonl", "--json", "plan.json")
    assert done.code == 0, done
    assert done.out.splitlines()[-1] == "the cheapest one that lost nothing here: lists as tables"
    policies = orjson.loads((tmp_path / "plan.json").read_bytes())["policies"]
    assert [item["calls_that_lost_a_value"] for item in policies][2] == 1
    unknown = await plainloop("compact", "plan", "--from", "talks.jsonl", "--model", "acme:x")
    assert (unknown.code, "the price of acme:x is unknown" in unknown.err) == (2, True)
