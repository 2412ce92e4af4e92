"""Routes: the promise is kept, on data that did not choose the table."""

from __future__ import annotations

import csv
import gzip
import os
import random
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from packages.lab.tests.recorded.test_openai_format import SAMPLE
from plainloop.agent.errors import InputError
from plainloop_lab.decide.outcome_tables import read_csv
from plainloop_lab.decide.routing import Outcomes, check, find_cuts, learn, simulate
from plainloop_lab.selection.table import Route, Table, to_key, to_number
from tests.cli.conftest import Command

DRAWS = int(os.environ.get("PLAINLOOP_SIMULATIONS", "20"))
REAL = SAMPLE.with_name("routing_outcomes.csv.gz")
MODELS = {"gpt4_1106_correct": 20.0, "mixtral_8x7b_correct": 1.0}
# By class: how good the large and the small model are.
CLASSES = {"sums": (0.9, 0.9), "chat": (0.95, 0.96), "law": (0.9, 0.6), "code": (0.8, 0.79)}


def draw_outcomes(rows: int, seed: int, noise: bool = False) -> Outcomes:
    draw = random.Random(seed)
    names = [draw.choice(list(CLASSES)) for _ in range(rows)]
    large = [float(draw.random() < CLASSES[name][0]) for name in names]
    small = [float(draw.random() < CLASSES[name][1] - 0.1 * noise) for name in names]
    features = [(name, str(draw.randrange(1_000))) for name in names]
    return Outcomes({"large": 20.0, "small": 1.0}, features, {"large": large, "small": small})


def test_routing_leaves_losing_classes_at_the_reference_model() -> None:
    outcomes = draw_outcomes(4_000, 1)
    by_class = Outcomes(outcomes.models, [(row[0],) for row in outcomes.features], outcomes.quality)
    table = learn(by_class, ["class"], 0.03)
    assert table.choose(("law",)) == "large"
    assert {route.key for route in table.routes} == {("sums",), ("chat",), ("code",)}
    assert table.loss < table.bound <= 0.03
    assert 0.6 < table.saving < 0.75


def test_routing_sends_a_key_to_the_cheapest_sufficient_model() -> None:
    """Both keep the promise; the one tried last saves less, and loses more for the money."""
    models = {"large": 20.0, "small": 1.0, "middle": 10.0}
    lost = [0.0 if n % 100 == 0 else 1.0 for n in range(2_000)]
    quality = {"large": [1.0] * 2_000, "small": lost, "middle": lost}
    table = learn(Outcomes(models, [("chat",)] * 2_000, quality), ["class"], 0.05)
    assert (table.choose(("chat",)), table.saving) == ("small", pytest.approx(0.95))


def test_free_models_and_values_that_are_no_numbers_are_no_errors() -> None:
    outcomes = draw_outcomes(600, 3)
    free = replace(outcomes, models=dict.fromkeys(outcomes.models, 0.0))
    assert (learn(free, ["class", "chars"], 0.05).saving, to_number("nan")) == (0.0, None)


def test_route_learn_returns_no_route_if_every_class_loses() -> None:
    outcomes = draw_outcomes(300, 2, noise=True)
    table = learn(outcomes, ["class", "chars"], 0.01)
    assert (table.routes, table.saving, table.choose(("law", "> 5"))) == ((), 0.0, "large")


def test_routing_sorts_numeric_features_into_fixed_buckets() -> None:
    outcomes = draw_outcomes(600, 3)
    cuts = find_cuts(outcomes)
    assert list(cuts) == ["1"]
    assert len({to_key(row, cuts)[1] for row in outcomes.features}) == 3


def test_a_routing_table_drops_rows_that_fail_the_second_test() -> None:
    outcomes = draw_outcomes(4_000, 4)
    by_class = Outcomes(outcomes.models, [(row[0],) for row in outcomes.features], outcomes.quality)
    table = learn(by_class, ["class"], 0.03)
    fresh = draw_outcomes(4_000, 5)
    again = Outcomes(fresh.models, [(row[0],) for row in fresh.features], fresh.quality)
    assert check(table, again, "2026-01-01")[1]["verdict"] == "passed"
    spoilt = [
        0.0 if row == ("sums",) else value
        for row, value in zip(again.features, again.quality["small"], strict=True)
    ]
    worse = Outcomes(again.models, again.features, {**again.quality, "small": spoilt})
    left, found = check(table, worse, "2026-01-01")
    assert found["verdict"] == "failed"
    assert [row["route"].key for row in found["retired"]] == [("sums",)]
    assert len(left.routes) == len(table.routes) - 1


def test_a_routing_table_without_matching_outcomes_is_undecided() -> None:
    table = Table(
        "large", ("class",), (Route(("law",), "small"), Route(("sums",), "small")), max_loss=0.05
    )
    prices = {"large": 20.0, "small": 1.0}
    others = Outcomes(prices, [("art",)] * 500, {"large": [1.0] * 500, "small": [0.0] * 500})
    found = check(table, others, "2026-01-01")[1]
    assert (found["verdict"], [row["rows"] for row in found["met"]]) == ("undecided", [0, 0])


async def test_route_check_counts_the_outcomes_of_each_row(
    plainloop: Command, tmp_path: Path
) -> None:
    rows = [{"key": [name], "model": "small"} for name in ("law", "sums")]
    table = {"reference": "large", "by": ["class"], "routes": rows, "max_loss": 0.05}
    (tmp_path / "routes.json").write_bytes(orjson.dumps(table))
    (tmp_path / "o.csv").write_text("class,large,small\n" + "law,1,1\nart,1,0\n" * 100)
    models = ("--model", "large=20", "--model", "small=1")
    done = await plainloop("route", "check", "routes.json", "o.csv", *models)
    assert "law → small: 100 outcomes\nsums → small: no outcomes, so nothing is known\n" in done.out


@pytest.mark.skipif(not REAL.exists(), reason="../shared/data is not there")
@pytest.mark.parametrize(("max_loss", "rows"), [(0.01, 1_000), (0.02, 1_000), (0.05, 5_000)])
def test_a_routing_tables_loss_bound_holds_on_real_outcomes(max_loss: float, rows: int) -> None:
    """PLAINLOOP_SIMULATIONS=1000 for the whole of it."""
    found = simulate(read_csv(REAL, ["class"], MODELS), ["class"], max_loss, rows, DRAWS)
    assert found["kept"] >= 0.95 - 2.33 * (0.95 * 0.05 / DRAWS) ** 0.5
    assert found["saving"] > 0.05
    assert found["naive_broken"] > 0.4


async def test_route_learn_and_route_check_work_as_commands(
    plainloop: Command, tmp_path: Path
) -> None:
    outcomes = draw_outcomes(2_000, 6)
    with gzip.open(tmp_path / "o.csv.gz", "wt", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["class", "chars", "large", "small"])
        rows.writerows(
            [*row, int(one), int(other)]
            for row, one, other in zip(outcomes.features, *outcomes.quality.values(), strict=True)
        )
    models = ("--model", "large=20", "--model", "small=1")
    done = await plainloop(
        *("route", "learn", "o.csv.gz", "--by", "class", *models, "--max-loss", "4pp"),
        *("--days", "30", "-o", "routes.json"),
    )
    assert (done.code, "all other requests stay with large" in done.out) == (0, True), done
    done = await plainloop("route", "check", "routes.json", "o.csv.gz", *models)
    assert (done.code, done.out.rstrip().endswith("promised at most 4.0%: passed")) == (0, True), (
        done
    )
    done = await plainloop("route", "check", "routes.json", "o.csv.gz", "--model", "large=2")
    assert (done.code, "no models were named" in done.err) == (2, True)


def test_route_learn_names_a_missing_outcome_column(tmp_path: Path) -> None:
    (tmp_path / "o.csv").write_text("class,large\nlaw,1\n")
    with pytest.raises(InputError, match="no column small"):
        read_csv(tmp_path / "o.csv", ["class"], {"large": 1.0, "small": 1.0})
    (tmp_path / "o.csv").write_text("class,large,small\nlaw,1,7\n")
    with pytest.raises(InputError, match="7 is not between 0 and 1"):
        read_csv(tmp_path / "o.csv", ["class"], {"large": 1.0, "small": 1.0})
