"""Before anything is spent: how many conversations a gate needs, what they cost, and how its rules
do on the own conversations when it is known what is true.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError

from .evidence import Evidence, Pair, find_range, reduce, weigh
from .gate import UNBOUNDED_TASKS, find_cost
from .outcomes import Outcome, Side
from .proofs import FAILED_SHARE, NORMAL, count_needed, get_spread, spend_alpha
from .rules import Rule, Rules

SIZES: Final = (25, 50, 100, 200, 400)  # tasks
_MOST_TRIALS: Final = 8


def plan(
    rules: Rules,
    baseline: Side,
    candidates: int,
    cost_usd: float | None,
    is_recording: bool = False,
    touched: float = 1.0,
) -> dict[str, Any]:
    """Plan how many tasks a gate needs for each rule, and what they cost.

    The plan assumes a candidate that is as good as the baseline. cost_usd: of one conversation on
    both sides; None: as the baseline's cost, twice. is_recording: each was answered once; where no
    task was tried twice either, noise is not known. touched: the share of conversations in which
    the candidate sends other requests: the rest are exactly equal, and bought once.
    """
    known = find_cost(baseline, None)
    cost = cost_usd if cost_usd is not None else None if known is None else 2 * known
    tasks = {outcome.task for outcome in baseline.values()}
    per_task = max(1, round(len(baseline) / len(tasks)))
    last = spend_alpha(rules.gate.alpha / candidates, rules.gate.looks or [1])[-1]
    found: list[dict[str, Any]] = []
    for rule in rules.rule:
        # How far pass^k varies is not in the means of trials, which this formula is about.
        is_planned = not rule.is_absolute and rule.must != "better" and rule.trials == 1
        needed = _plan_rule(rule, baseline, last, touched) if is_planned else None
        conversations = None if needed is None else needed * per_task
        usd = None
        if conversations is not None and cost is not None:
            usd = conversations * cost / 2 * (1 + touched) * candidates
        found.append(
            {
                "rule": rule.text,
                "needed": rule.needed,
                "tasks": needed,
                "conversations": conversations,
                "usd": None if usd is None else round(usd, 4),
                # Some task was tried several times and did not always come to the same.
                "knows_noise": not is_recording
                or not is_planned
                or any(len({*values}) > 1 for values in _list_values(rule, baseline)),
            }
        )
    return {"tasks_there": len(tasks), "touched": touched, "rules": found}


def _plan_rule(rule: Rule, baseline: Side, alpha: float, touched: float) -> int | None:
    """Return how many tasks a rule needs; None if its margin is 0: no number is enough."""
    values = _list_values(rule, baseline)
    trials = len(values[0]) if rule.unit != "task" else 1
    inside = [get_spread(task)[1] ** 2 for task in values if len(task) > 1]
    # Of tasks that were tried once it is not known how they vary: as much as all of them do.
    every = [value for task in values for value in task]
    variance = math.fsum(inside) / len(inside) if inside else get_spread(every)[1] ** 2
    own, share = rule.margins
    margin = float(own + share * abs(Fraction(math.fsum(every) / len(every))))
    if rule.unit == "task":
        variance /= len(values[0])
    variance *= touched
    least = trials * (margin - 1.0)
    found = count_needed(trials * margin, math.sqrt(2 * variance * trials), min(least, 0.0), alpha)
    is_bounded = find_range(rule, list(baseline.values())) is not None
    return found if is_bounded or found is None else max(found, UNBOUNDED_TASKS)


@dataclass(frozen=True, slots=True)
class Trial:
    """How often a rule came to which verdict over draws of `tasks` tasks with a planted loss.

    naive: how often "the mean is worse by more than the margin" would have failed it; t_test: how
    often a paired t-test would.
    """

    tasks: int
    loss: float
    passed: float
    failed: float
    naive: float
    t_test: float


def simulate(
    rules: Rules, baseline: Side, draws: int, sizes: Sequence[int] = SIZES
) -> dict[str, list[Trial]]:
    """Simulate how often each rule passes equal and worse agents.

    The worse ones are worse by one margin and by two. Both sides are redrawn from the baseline's
    own tasks and their trials.
    """
    return {
        rule.text: [
            simulate_rule(rule, baseline, tasks, factor * float(rule.margins[0]), draws, rules)
            for tasks in sizes
            for factor in (0, 1, 2)
            if factor * float(rule.margins[0]) <= _get_room(rule, baseline)
        ]
        for rule in rules.rule
        if not rule.is_absolute and rule.margins[0] and rule.trials == 1
    }


def simulate_rule(
    rule: Rule, baseline: Side, tasks: int, loss: float, draws: int, rules: Rules
) -> Trial:
    """Simulate how often a rule passes an agent that is worse by `loss`.

    Returns how often each verdict occurred. Each draw has `tasks` of the baseline's recorded tasks.
    Raises: InputError for a measure without a range, or a loss that is larger than what is there to
    lose.
    """
    bounds = _get_bounds(rule, baseline)
    draw = random.Random(f"{rules.gate.seed} {rule.text} {tasks} {loss}")
    values = _list_values(rule, baseline)
    trials = round(sum(map(len, values)) / len(values))
    every = [value for task in values for value in task]
    if all(len(task) == 1 for task in values):
        values = [every]  # how one of them varies is not known: as much as all of them do
    floor = float(bounds[0] if rule.direction > 0 else bounds[1])
    room = _get_room(rule, baseline)
    if loss > room:
        raise InputError(
            f"{rule.text}: the simulated loss {loss:g} is too large; the maximum is {room:g}",
            hint=f"Simulate at most {room}.",
        )
    share = loss / room if room else 0.0
    cache: dict[tuple[float, float], Evidence] = {}
    counts = dict.fromkeys(("passed", "failed", "naive", "t_test"), 0)
    alpha = rules.gate.alpha
    for _ in range(draws):
        keys: list[tuple[float, float]] = []
        for task in draw.choices(values, k=tasks):
            was, now = draw.choices(task, k=trials), draw.choices(task, k=trials)
            now = [floor if share and draw.random() < share else value for value in now]
            keys.append((math.fsum(was), math.fsum(now)))
        evidence = _weigh_drawn(rule, keys, trials, bounds, cache)
        if evidence.prove_pass() <= alpha:
            counts["passed"] += 1
        elif evidence.prove_fail(rule) <= alpha * FAILED_SHARE:
            counts["failed"] += 1
        mean, deviation = get_spread([float(gain) for gain in evidence.gains])
        units = sum(pair.units for pair in evidence.pairs) / tasks
        counts["naive"] += mean / units < -float(rule.margins[0])
        counts["t_test"] += _is_t_alarm(mean, deviation, tasks, alpha)
    return Trial(tasks, loss, **{name: count / draws for name, count in counts.items()})


def _get_room(rule: Rule, baseline: Side) -> float:
    """Return the largest loss that can be planted: the distance of the mean from the worst value.

    Raises: InputError for a measure without a range.
    """
    bounds = _get_bounds(rule, baseline)
    every = [value for task in _list_values(rule, baseline) for value in task]
    worst = bounds[0] if rule.direction > 0 else bounds[1]
    return abs(math.fsum(every) / len(every) - float(worst))


def _get_bounds(rule: Rule, baseline: Side) -> tuple[Fraction, Fraction]:
    bounds = find_range(rule, list(baseline.values()))
    if bounds is None:
        raise InputError(
            f"{rule.text}: the range of the measure is unknown, so no loss can be simulated",
            hint="Add `range = [0, 1]`, or the true range, to the rule.",
        )
    return bounds


def _weigh_drawn(
    rule: Rule,
    keys: Sequence[tuple[float, float]],
    trials: int,
    bounds: tuple[Fraction, Fraction],
    cache: dict[tuple[float, float], Evidence],
) -> Evidence:
    """Compute the gate's evidence for drawn tasks; equal tasks are computed once."""
    for key in set(keys) - cache.keys():
        cache[key] = weigh(rule, [_make_pair(rule, *key, trials)], bounds)
    found = [cache[key] for key in keys]
    shape = found[0]  # least and most are all drawn tasks' own: they have as many trials each
    return Evidence(
        [item.pairs[0] for item in found],
        [item.demand[0] for item in found],
        shape.least,
        shape.most,
        [item.gains[0] for item in found],
        True,
    )


def _make_pair(rule: Rule, was: float, now: float, trials: int) -> Pair:
    if rule.unit == "task":
        return Pair(Fraction(now) / trials, 1, Fraction(was) / trials, 1)
    return Pair(Fraction(now), trials, Fraction(was), trials)


def _list_values(rule: Rule, side: Side) -> list[list[float]]:
    """List by task the values of its conversations in the rule's measure.

    Raises: InputError when there is none.
    """
    bounds = find_range(rule, list(side.values()))
    tasks: dict[str, list[Outcome]] = {}
    for outcome in side.values():
        tasks.setdefault(outcome.task, []).append(outcome)
    found: list[list[float]] = []
    for outcomes in tasks.values():
        sums = [reduce(rule, [outcome], bounds) for outcome in outcomes[:_MOST_TRIALS]]
        values = [float(item[0] / item[1]) for item in sums if item is not None]
        found += [values] if values else []
    if not found:
        raise InputError(
            f"no conversation of the baseline has a value for {rule.measure}",
            hint="Choose another measure, or a baseline that has it.",
        )
    return found


def _is_t_alarm(mean: float, deviation: float, tasks: int, alpha: float) -> bool:
    if not deviation:
        return mean < 0
    t = mean / deviation * math.sqrt(tasks)
    freedom = tasks - 1
    # Student's distribution by the normal one (Wallace): good to three digits from 10 on.
    z = math.copysign(math.sqrt(freedom * math.log1p(t * t / freedom)), t)
    return NORMAL.cdf(z * (8 * freedom + 1) / (8 * freedom + 3)) <= alpha


def render_plan(found: Mapping[str, Any]) -> list[str]:
    """Render the plan of a gate as lines of a table.

    Each rule has its tasks, conversations and cost.
    """
    lines = [f"{'rule':<40}{'tasks':>8}{'conversations':>15}{'both sides':>12}"]
    for item in found["rules"]:
        tasks = "–" if item["tasks"] is None else f"{item['tasks']:,}"
        talks = "–" if item["conversations"] is None else f"{item['conversations']:,}"
        unknown = "–" if item["tasks"] is None else "unknown"
        money = unknown if item["usd"] is None else f"${item['usd']:,.2f}"
        name = item["rule"] if item["needed"] else f"{item['rule']} (advice)"
        lines.append(f"{name:<40}{tasks:>8}{talks:>15}{money:>12}")
    if found["touched"] < 1:
        lines.append(
            f"the candidate changes {found['touched']:.0%} of the conversations: "
            "all others are bought once, or not at all if the recording is the "
            "baseline"
        )
    noiseless = [item["rule"] for item in found["rules"] if not item["knows_noise"]]
    if noiseless:
        lines += [
            (
                "the noise (how much the same agent differs from itself) is not in "
                "recordings, so it is"
            ),
            (
                f"unknown for {', '.join(noiseless)}; for it, use a live replay's "
                "report as --baseline"
            ),
        ]
    return [
        *lines,
        (
            f"there are {found['tasks_there']:,} tasks; with these numbers, an "
            "equally good candidate passes four times out of five"
        ),
    ]


def render_trials(found: Mapping[str, Sequence[Trial]], draws: int) -> list[str]:
    """Render simulated verdicts as lines of a table, per rule, size and true loss."""
    lines: list[str] = []
    for name, trials in found.items():
        lines.append(f"{name}: verdicts in {draws:,} draws from these conversations")
        lines.append(
            f"{'tasks':>6}{'true loss':>11}{'passed':>9}{'failed':>9}{'undecided':>11}"
            f"{'naive fails':>13}{'t-test fails':>14}"
        )
        lines += [
            f"{item.tasks:>6}{item.loss:>10.1%} {item.passed:>8.1%}{item.failed:>9.1%}"
            f"{1 - item.passed - item.failed:>11.1%}{item.naive:>13.1%}{item.t_test:>14.1%}"
            for item in trials
        ]
    return lines
