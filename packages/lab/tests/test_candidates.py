"""Many candidates in one table: quality, money with and without a cache, time, the front."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson
import pytest

from packages.lab.tests.replay.test_measures import CALL, make_item, make_turn
from packages.lab.tests.replay.test_report import Page, write_live
from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.errors import InputError
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.types import Usage
from plainloop_lab.decide.candidates import (
    Row,
    Spending,
    build_plot,
    compare_candidates,
    is_on_front,
)
from plainloop_lab.decide.rules import Rules
from tests.cli.conftest import Command

OTHER = {**CALL, "arguments": {"a": 9}}
TOKENS: dict[str, int | None] = {
    "input_tokens": 100,
    "cache_read_tokens": 800,
    "cache_write_tokens": 100,
    "output_tokens": 50,
    "reasoning_tokens": None,
}
# By model: USD per million tokens.
PRICES = Prices(
    {
        "acme:large": OwnPrice(Decimal(10), Decimal(40), Decimal(1), Decimal(12)),
        "acme:small": OwnPrice(Decimal(1), Decimal(4)),
    }
)


def write_report(folder: Path, model: str, wrong: int, conversations: int = 40) -> Path:
    """A candidate with `wrong` conversations in which it called a tool in another way."""
    base = make_item([make_turn(models=["acme:large"], tokens=TOKENS)])
    mine = [
        make_turn(
            models=[f"acme:{model}"],
            tokens=TOKENS,
            duration_ms=100 + n,
            tools=[OTHER if n < wrong else CALL],
        )
        for n in range(conversations)
    ]
    return write_live(folder, ({"baseline": base, "candidate": make_item([m])} for m in mine))


def test_comparisons_give_quality_intervals_and_two_prices(tmp_path: Path) -> None:
    reports = [
        write_report(tmp_path / "small", "small", 4),
        write_report(tmp_path / "odd", "new", 0),
    ]
    rows = compare_candidates(reports, "same_arguments", Rules(), PRICES, 50_000)
    assert [row.name for row in rows] == ["baseline", "small", "odd"]
    large, small, odd = rows
    # 1,000 conversations of 1,000 input and 50 output tokens each.
    assert (large.cold_usd, small.cold_usd) == (12.0, 1.2)
    # 100 plain, 800 read and 100 written: 100 × 10 + 800 × 1 + 100 × 12 + 50 × 40, of a million.
    assert large.warm_usd == pytest.approx(5.0)
    assert large.monthly_usd == pytest.approx(250.0)
    assert (odd.cold_usd, odd.monthly_usd, odd.is_on_front) == (None, None, False)
    assert small.quality == 0.9
    assert (small.low or 0) < 0.82 < 0.95 < (small.high or 0) < 1
    assert (large.high, round(large.low or 0, 2)) == (1.0, 0.91)  # 0.025^(1/40)
    assert (small.p50_ms, large.is_on_front, small.is_on_front) == (119.5, True, True)
    cost, time = small.resources["cost_usd"], small.resources["duration_ms"]
    assert cost["mean"] == pytest.approx((small.warm_usd or 0) / 1_000)
    assert cost["ratio"] == pytest.approx((small.warm_usd or 0) / 5.0)
    assert time["low"] is not None and time["high"] is not None
    assert (time["mean"], time["conversations"]) == (119.5, 40)
    assert 115.0 < time["low"] < 116.5 and 122.5 < time["high"] < 124.0
    assert {*odd.resources} == {"duration_ms"}, "neither price nor reasoning is stated"


def test_a_comparison_explains_a_missing_cost(tmp_path: Path) -> None:
    places = [write_report(tmp_path / "odd", "new", 0)]
    assert compare_candidates(places, "same_arguments", Rules(), PRICES, None)[1].no_cost == (
        'the price of acme:new is unknown ([prices."acme:new"])'
    )
    spending = Spending()
    spending.add(make_turn(calls=None, models=[]))
    spending.add(make_turn(models=["acme:large", "acme:small"]))
    assert spending.price(PRICES, is_cold=True) is None, "what nobody told is not 0"
    assert spending.explain_missing(PRICES) == (
        "1 turn without a number of tokens, "
        "1 turn of several models, whose tokens an older report does not state"
    )


def test_a_turn_of_several_models_is_priced_by_each_models_tokens() -> None:
    spending = Spending()
    half = {name: None if count is None else count // 2 for name, count in TOKENS.items()}
    models = ["acme:large", "acme:small"]
    spending.add(make_turn(models=models, tokens=TOKENS, by_model=dict.fromkeys(models, half)))
    assert spending.explain_missing(PRICES) == ""
    # Of each 500 input and 25 output tokens: 500 × 10 + 25 × 40 and 500 × 1 + 25 × 4.
    assert spending.price(PRICES, is_cold=True) == Decimal("0.0066")


def test_only_long_calls_have_the_price_of_long_calls() -> None:
    """A list's price for long calls begins at 272,000 tokens, which 100 short calls have too."""
    listed, model = Prices(), "gpt-6.1-terra"
    short, long = (Usage(input_tokens=tokens, output_tokens=100) for tokens in (9_000, 500_000))
    spending = Spending()
    for usage, turns in ((short, 100), (long, 1)):
        tokens = {**dict.fromkeys(TOKENS, None), "output_tokens": 100}
        tokens["input_tokens"] = usage.input_tokens
        for _ in range(turns):
            spending.add(make_turn(models=[f"openai:{model}"], tokens=tokens, calls=1))
    usd = [listed.price("openai", model, usage).amount or Decimal(0) for usage in (short, long)]
    assert usd[1] > usd[0] * 100, "this list has a price for long calls"
    assert spending.price(listed, is_cold=True) == 100 * usd[0] + usd[1]
    by_call = Prices({f"openai:{model}": OwnPrice(call=Decimal("0.01"))})
    assert spending.price(by_call, is_cold=True) == Decimal("1.01")


def make_row(name: str, quality: float, usd: float | None) -> Row:
    return Row(name, "", 9, 0, quality, quality - 0.1, quality + 0.1, usd, usd, 1.0, 2.0)


def test_the_pareto_front_drops_candidates_that_another_beats() -> None:
    rows = [
        make_row("best", 0.9, 9.0),
        make_row("cheap", 0.6, 1.0),
        make_row("beaten", 0.6, 2.0),
        make_row("no price", 1.0, None),
    ]
    assert [row.name for row in rows if is_on_front(row, rows)] == ["best", "cheap"]
    plot: Any = build_plot(rows)
    assert [point["name"] for point in plot["points"]] == ["best", "cheap", "beaten"]
    assert all(0 < point["y"] < plot["height"] for point in plot["points"])
    assert build_plot(rows[3:]) is None


def test_fewer_errors_are_better_and_a_missing_answer_is_an_error(tmp_path: Path) -> None:
    base = make_item([make_turn(models=["acme:large"], tokens=TOKENS)])
    for name, failed in (("errs", "MODEL_REJECTED"), ("fine", None)):
        mine = make_item([make_turn(models=["acme:small"], tokens=TOKENS, error=failed)])
        items = [mine] * 8 + [make_item(None) if failed else mine] * 2
        write_live(tmp_path / name, ({"baseline": base, "candidate": item} for item in items))
    places = [tmp_path / "errs", tmp_path / "fine"]
    _, errs, fine = compare_candidates(places, "failed", Rules(), PRICES, None)
    assert (errs.quality, errs.lost, errs.is_on_front) == (1.0, 2, False)
    assert (fine.quality, fine.low, fine.is_on_front) == (0.0, 0.0, True)
    assert errs.warm_usd == fine.warm_usd, "a conversation without an answer is not a cheap one"
    assert (errs.low or 0) > 0.6 and (fine.high or 1) < 0.4


def test_overlapping_labels_in_the_plot_are_stacked() -> None:
    rows = [
        make_row(name, 1.0, usd) for name, usd in (("mini", 0.031), ("nano", 0.047), ("far", 0.8))
    ]
    plot: Any = build_plot(rows)
    first, second, far = (point["label_y"] for point in plot["points"])
    assert second - first >= 17 and far == first
    assert [text for _, text in plot["x_ticks"]][:2] == ["$0.00", "$0.20"]


async def test_a_comparison_is_printed_as_a_table_and_written_as_a_page(
    plainloop: Command, tmp_path: Path
) -> None:
    for name, wrong in (("one", 0), ("two<b>", 9)):
        write_report(tmp_path / name, name[:3], wrong)
    done = await plainloop("compare", "one", "two<b>", "--report", "out", "--per-month", "1000")
    assert done.code == 0, done
    assert [text.split()[:2] for text in done.out.splitlines()[1:4]] == [
        ["baseline", "100%"],
        ["one", "100%"],
        ["two<b>", "78%"],
    ]
    page, text = Page(), (tmp_path / "out" / "compare.html").read_text()
    page.feed(text)
    assert (page.open, page.scripts, page.links, "two&lt;b&gt;" in text) == ([], 0, set(), True)
    found = orjson.loads((tmp_path / "out" / "compare.json").read_bytes())
    assert [row["name"] for row in found["candidates"]] == ["baseline", "one", "two<b>"]


def test_comparing_files_that_are_no_live_report_is_refused(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_bytes(b'{\n"mode": "recorded",\n"conversations": [\n]\n}\n')
    with pytest.raises(InputError, match="not the report of a live replay"):
        compare_candidates([tmp_path], "failed", Rules(), PRICES, None)
