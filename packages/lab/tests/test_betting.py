"""The canary's test, looked at after every turn, where the truth is known.

`PLAINLOOP_CANARY_DRAWS=1000` draws so many canaries of each kind; 30 by default.
"""

from __future__ import annotations

import math
import os
import random
import statistics

import pytest

from plainloop_lab.decide.betting import AmountBet, Bet, Guard

DRAWS = int(os.environ.get("PLAINLOOP_CANARY_DRAWS") or 30)
TURNS = 1_000  # of both sides, that a canary without a loss is looked at
STAGED = (0.2, 1_000)  # the share that so many threads begin with: lab_assign
NEEDED = 20.0  # alpha 5 %


def draw_canary(
    random_: random.Random,
    share: float,
    rates: tuple[float, float],
    most: int,
    *,
    margin: float = 0.0,
    per_thread: int = 1,
) -> int | None:
    """How many turns the candidate had answered when it was taken back; None: it was not.

    share: as it was asked for; the first threads are drawn with less of it, as the database does.

    rates: of good turns, the baseline's and the candidate's. per_thread: turns that all come out
    alike, as those of one person often do.
    """
    guard = Guard()
    seen = 0
    for n in range(most // per_thread):
        drawn = min(share, STAGED[0]) if n < STAGED[1] else share
        is_candidate = random_.random() < drawn
        value = float(random_.random() < rates[is_candidate])
        side = "candidate" if is_candidate else "baseline"
        for turn in range(1, per_thread + 1):
            seen += is_candidate
            guard.add(value, turn, drawn, margin, side)
            if guard.evidence >= NEEDED:
                return seen
    return None


def draw_costs(
    random_: random.Random, share: float, ratio: float, margin: float, most: int
) -> int | None:
    """As `draw_canary`, of amounts with a long tail that rise and fall over the day."""
    guard = Guard(is_amount=True)
    seen = 0
    for n in range(most):
        is_candidate = random_.random() < share
        hour = 1 + 0.6 * math.sin(n / 200)
        cost = random_.lognormvariate(0, 0.8) * hour * (ratio if is_candidate else 1)
        seen += is_candidate
        guard.add(cost, 1, share, margin, "candidate" if is_candidate else "baseline")
        if guard.evidence >= NEEDED:
            return seen
    return None


def draw_all(seed: int, *args: object, **kwargs: object) -> list[int | None]:
    random_ = random.Random(seed)
    return [draw_canary(random_, *args, **kwargs) for _ in range(DRAWS)]  # type: ignore[arg-type]


@pytest.mark.parametrize("rate", [0.9, 0.98])
def test_a_canary_equal_to_the_baseline_is_rarely_rolled_back(rate: float) -> None:
    found = draw_all(1, 0.1, (rate, rate), TURNS)
    assert sum(turns is not None for turns in found) <= 0.05 * DRAWS


def test_correlated_turns_of_a_thread_cause_no_rollback() -> None:
    found = draw_all(2, 0.2, (0.9, 0.9), TURNS, per_thread=4)
    assert sum(turns is not None for turns in found) <= 0.05 * DRAWS


def test_a_canary_losing_less_than_its_margin_is_rarely_rolled_back() -> None:
    found = draw_all(3, 0.2, (0.9, 0.88), TURNS, margin=0.03)
    assert sum(turns is not None for turns in found) <= 0.05 * DRAWS


@pytest.mark.parametrize("share", [0.1, 0.2, 0.3, 0.5])
def test_a_canary_losing_ten_points_is_rolled_back_within_120_turns(share: float) -> None:
    found = draw_all(4, share, (0.9, 0.8), 20_000)
    assert None not in found
    assert statistics.median(turns or 0 for turns in found) <= 120


def test_an_always_failing_canary_is_rolled_back_at_once() -> None:
    found = draw_all(5, 0.1, (0.98, 0.0), 2_000)
    assert statistics.median(turns or 1_000 for turns in found) <= 6


@pytest.mark.parametrize(("ratio", "margin"), [(1.0, 0.0), (1.2, 0.2)])
def test_a_canary_of_allowed_cost_is_rarely_rolled_back(ratio: float, margin: float) -> None:
    random_ = random.Random(7)
    found = [draw_costs(random_, 0.1, ratio, margin, TURNS) for _ in range(DRAWS)]
    assert sum(turns is not None for turns in found) <= 0.05 * DRAWS


def test_a_canary_of_doubled_cost_is_rolled_back_within_50_turns() -> None:
    random_ = random.Random(8)
    found = [draw_costs(random_, 0.1, 2.0, 0.2, 20_000) for _ in range(DRAWS)]
    assert statistics.median(turns or 20_000 for turns in found) <= 50


def test_one_extreme_turn_does_not_decide_a_canary() -> None:
    random_ = random.Random(9)
    guard = Guard(is_amount=True)
    for n in range(200):
        cost = 1e12 if n == 100 else random_.uniform(1, 2)
        guard.add(cost, 1, 0.1, 0.2, "candidate" if n % 10 == 0 else "baseline")
    assert guard.evidence < NEEDED


def test_bets_on_amounts_have_fair_odds_and_never_lose_all_capital() -> None:
    random_ = random.Random(10)
    for _ in range(300):
        share, margin = random_.uniform(0.001, 0.5), random_.choice([0.0, 0.2, 1.0])
        known = [random_.random() ** 3 for _ in range(random_.randint(1, 9))]
        values = [random_.random() for _ in range(3)]  # the baseline's, each as likely
        means = [0.0] * 3
        for is_candidate, weight in ((True, share), (False, 1 - share)):
            for value in values:
                bet = AmountBet(
                    cap=5.0, total=sum(known), squares=sum(v * v for v in known), seen=len(known)
                )
                amount = value * (1 + margin) if is_candidate else value
                bet.add(amount, share, margin, is_candidate=is_candidate)
                factors = [math.exp(log) for log in bet.logs]
                assert min(factors) > 0
                means = [m + weight / 3 * f for m, f in zip(means, factors, strict=True)]
        assert max(means) <= 1 + 1e-9


def test_bets_on_outcomes_have_fair_odds_and_never_lose_all_capital() -> None:
    random_ = random.Random(6)
    for _ in range(300):
        share, margin = random_.uniform(0.001, 0.5), random_.choice([0.0, 0.05])
        good, rate = random_.uniform(0, 100), random_.random()
        means = [0.0] * 3
        for is_candidate, weight in ((True, share), (False, 1 - share)):
            for value, chance in ((1.0, rate), (0.0, 1 - rate)):
                bet = Bet(good, 100.0)
                bet.add(value, share, margin, is_candidate=is_candidate)
                factors = [2.718281828459045**log for log in bet.logs]
                assert min(factors) > 0
                means = [m + weight * chance * f for m, f in zip(means, factors, strict=True)]
        assert max(means) <= 1 + 1e-9


def test_a_canary_guards_state_is_equal_after_saving_and_loading() -> None:
    guard = Guard()
    costs = Guard(is_amount=True)
    for n in range(50):
        side = "candidate" if n % 3 else "baseline"
        guard.add(float(n % 5 > 0), 1 + n % 9, 0.3, 0.0, side)
        costs.add(n % 7, 1 + n % 20 // 19, 0.3, 0.0, side)
    assert Guard.from_json(guard.to_json()) == guard
    assert Guard.from_json(costs.to_json()) == costs


WAIT_S = 300.0  # for an open run, before later ones count


def draw_unlike_durations(
    random_: random.Random, slower: float, *, by_end: bool = False, good: float = 0.9
) -> tuple[float, int] | None:
    """When (s), and after how many runs of the candidate, it was taken back; None: it was not.

    A run begins each 0.07 s and takes about 20 s, so 300 are open. A bad one ends five times
    sooner, the candidate's `slower` times later. good: the candidate's good runs; the other's are
    90 %. by_end: as runs were counted once, in the order in which they ended.
    """
    runs: list[tuple[float, float, bool, bool]] = []
    open_until = began = 0.0
    for _ in range(800):
        began += random_.expovariate(1 / 0.07)
        is_candidate = random_.random() < 0.5
        is_good = random_.random() < (good if is_candidate else 0.9)
        lasts = random_.lognormvariate(2.68, 0.8) * (1 if is_good else 0.2)
        ended = began + lasts * (slower if is_candidate else 1)
        open_until = max(open_until, min(ended, began + WAIT_S))
        runs.append((ended if by_end else max(ended, open_until), ended, is_candidate, is_good))
    guard = Guard()
    for counted, _, is_candidate, is_good in sorted(runs, key=lambda run: run[0]):
        guard.add(is_good, 1, 0.5, 0.0, "candidate" if is_candidate else "baseline")
        if guard.evidence >= NEEDED:
            return counted, guard.counts["candidate"]
    return None


@pytest.mark.parametrize("slower", [0.33, 1.3, 3.0])
def test_a_slower_or_quicker_equal_canary_is_rarely_rolled_back(slower: float) -> None:
    """In the order of ends, 9 % are at 1.3 times the time and 93 % at 3 times (1,000 draws)."""
    random_ = random.Random(14)
    found = [draw_unlike_durations(random_, slower) for _ in range(DRAWS)]
    assert sum(one is not None for one in found) <= 0.05 * DRAWS + 2
    if slower == 3.0:
        found = [draw_unlike_durations(random_, slower, by_end=True) for _ in range(DRAWS)]
        assert sum(one is not None for one in found) > 0.5 * DRAWS, "the trap is one"
