"""The verdict of a gate: passed, failed, or undecided and what it would take to know.

Per rule two questions are asked. Is the demand met? (`prove_positive`: a wrong pass has the chance
alpha at most.) Is the candidate worse? (`flip_signs`: the same agent run twice is called worse with
the chance alpha at most, over all rules together by Holm's correction.) All needed rules must pass,
which needs no correction: a bad candidate passes all only if it passes the one that it fails.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

from msgspec.structs import replace

from ..errors import InputError
from ..replay.comparing.measures import BY_NAME
from ..replay.report.statistics import adjust_for_many
from .outcomes import SAME, Outcome, Side, list_measures
from .proofs import (
    bound_mean,
    count_needed,
    flip_signs,
    get_spread,
    prove_positive,
    share_of_all,
    spend_alpha,
)
from .rules import Rule, Rules, Slice

Kind = Literal["passed", "failed", "undecided"]
EXIT_CODES: Final[dict[Kind, int]] = {"passed": 0, "failed": 1, "undecided": 10}
_BOUNDED: Final = ("share", "ratio")


@dataclass(frozen=True, slots=True)
class Pair:
    """One task on both sides. Sums over its units and their number, and the same of the baseline's.

    Of a rule without a baseline the baseline's are 0.
    """

    task: str
    total: Fraction
    units: int
    base_total: Fraction
    base_units: int

    @property
    def mean(self) -> Fraction:
        return self.total / self.units

    @property
    def base_mean(self) -> Fraction:
        return self.base_total / self.base_units if self.base_units else Fraction(0)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One rule over some tasks, ready to be tested.

    demand: by task what is above 0 where the demand is met, and between which values it can be.
    gains: by task how much better the candidate is, each counted as often as its task has units.
    """

    pairs: Sequence[Pair]
    demand: Sequence[Fraction]
    least: Fraction
    most: Fraction
    gains: Sequence[Fraction]
    is_bounded: bool

    def prove_pass(self) -> float:
        return prove_positive(self.demand, self.least)

    def prove_fail(self, rule: Rule) -> float:
        """Of "not worse": that it is worse at all. Else: that the demand is not met."""
        if rule.is_absolute or rule.must == "better":
            return prove_positive([-value for value in self.demand], -self.most)
        return flip_signs(self.gains)


def judge_all(
    rules: Rules,
    baseline: Side | None,
    candidates: Mapping[str, Side],
    doubts: Mapping[str, Mapping[str, str]] | None = None,
) -> dict[str, Any]:
    """The whole result as JSON. Of several candidates each has its share of alpha.

    doubts: by candidate and measure, why it cannot be believed; nothing is decided by it.
    """
    alpha = rules.gate.alpha / len(candidates)
    found = [
        {"name": name, **judge(rules, baseline, side, alpha, (doubts or {}).get(name, {}))}
        for name, side in candidates.items()
    ]
    kinds = [item["verdict"] for item in found]
    verdict = next((kind for kind in ("passed", "undecided") if kind in kinds), "failed")
    return {"verdict": verdict, "alpha": rules.gate.alpha, "candidates": found}


def judge(
    rules: Rules,
    baseline: Side | None,
    candidate: Side,
    alpha: float,
    doubts: Mapping[str, str],
) -> dict[str, Any]:
    """One candidate against the baseline. Raises: InputError for a measure that nobody has."""
    tasks = list(dict.fromkeys(outcome.task for outcome in candidate.values()))
    looks = list(rules.gate.looks) or [len(tasks)]
    shares = spend_alpha(alpha, looks)
    verdicts: dict[int, tuple[Kind, int]] = {}  # by rule: what fell, at which look
    told: list[dict[str, Any]] = []
    for look, share in zip(looks, shares, strict=True):
        if look > len(tasks) and told:
            break
        seen = set(tasks[:look])
        found = [collect(rule, baseline, candidate, seen) for rule in rules.rule]
        if look <= len(tasks):
            _decide(rules, found, share, look, verdicts)
        told = [
            describe(rule, evidence, share)
            for rule, evidence in zip(rules.rule, found, strict=True)
        ]
    cost = find_cost(candidate, baseline)
    per_task = len(candidate) / len(tasks)
    for n, (rule, item) in enumerate(zip(rules.rule, told, strict=True)):
        kind, look = verdicts.get(n, ("undecided", 0))
        doubt = doubts.get(rule.measure)
        if doubt is not None:
            kind, look = "undecided", 0
        item |= {"verdict": kind, "look": look or None, "doubt": doubt}
        if kind == "undecided":
            item["needs"] = _estimate_needs(item.pop("_more"), per_task, cost)
        item.pop("_more", None)
        item["slices"] = _judge_slices(rule, baseline, candidate, alpha)
    needed = [item["verdict"] for item in told if item["needed"]]
    kinds: Sequence[Kind] = needed or ["undecided"]
    left_out = _count_left_out(baseline, candidate)
    verdict: Kind = "passed" if all(kind == "passed" for kind in kinds) else "undecided"
    if left_out and not rules.gate.looks and verdict == "passed":
        verdict = "undecided"  # what the candidate was not asked may be what it fails
    return {
        "verdict": "failed" if "failed" in kinds else verdict,
        "tasks": len(tasks),
        "conversations": len(candidate),
        "left_out": left_out,
        "looks": looks,
        "cost_usd_per_conversation": cost,
        "rules": told,
    }


def collect(
    rule: Rule,
    baseline: Side | None,
    candidate: Side,
    tasks: set[str] | None = None,
    *,
    is_slice: bool = False,
) -> Evidence:
    """Raises: InputError when no conversation has the measure, or no baseline is there to hold
    against. A slice may be empty.
    """
    if baseline is None and not rule.is_absolute:
        raise InputError(f"{rule.text}: needs a baseline", hint="--baseline")
    sides = [{} if rule.is_absolute or baseline is None else baseline, candidate]
    # Labels are the baseline's: a slice must not depend on what the candidate did.
    known = baseline or candidate
    groups: list[dict[str, list[Outcome]]] = [{}, {}]
    for group, side in zip(groups, sides, strict=True):
        for outcome in side.values():
            labelled = known.get(outcome.conversation_id, outcome)
            is_meant = _is_labelled(labelled, rule.where)
            if is_meant and (tasks is None or outcome.task in tasks):
                group.setdefault(outcome.task, []).append(outcome)
    bounds = find_range(rule, [outcome for side in sides for outcome in side.values()])
    pairs: list[Pair] = []
    for task, outcomes in groups[1].items():
        mine = reduce(rule, outcomes, bounds)
        other = (
            (Fraction(0), 0) if rule.is_absolute else reduce(rule, groups[0].get(task, ()), bounds)
        )
        if mine is not None and other is not None:
            pairs.append(Pair(task, *mine, *other))
    if not pairs and not is_slice:
        has = ", ".join(list_measures(candidate.values()))
        raise InputError(
            f"no conversation of both sides has {rule.measure}", hint=f"There is {has}."
        )
    return weigh(rule, pairs, bounds)


def describe(rule: Rule, evidence: Evidence, alpha: float) -> dict[str, Any]:
    """A rule's numbers; the verdict is not among them."""
    pairs = evidence.pairs
    found: dict[str, Any] = {
        "rule": rule.text,
        "measure": rule.measure,
        "needed": rule.needed,
        "unit": rule.unit,
        "tasks": len(pairs),
        "baseline": None,
        "candidate": None,
        "difference": None,
        "at_worst": None,
        "p_pass": None,
        "p_fail": None,
        "_more": None,
    }
    if not pairs:
        return found
    units = sum(pair.units for pair in pairs)
    mean = float(sum((pair.total for pair in pairs), Fraction(0)) / units)
    found |= {
        "candidate": mean,
        "p_pass": evidence.prove_pass(),
        "p_fail": evidence.prove_fail(rule),
        "_more": _count_more(rule, evidence, alpha),
    }
    if rule.is_absolute:
        return found | {"at_worst": _bound_absolute(rule, evidence, alpha)}
    gain = float(sum(evidence.gains, Fraction(0)) / units)
    sums = [(value, pair.units) for value, pair in zip(evidence.gains, pairs, strict=True)]
    width = 1.0 if rule.range is None else rule.range[1] - rule.range[0]
    seen = float(max(abs(value) / count for value, count in sums))
    least = -width if evidence.is_bounded else -seen
    worst = bound_mean(sums, least, alpha)
    weighted = sum((pair.base_mean * pair.units for pair in pairs), Fraction(0))
    return found | {
        "baseline": float(weighted / units),
        "difference": gain * rule.direction,
        "at_worst": worst * rule.direction,
    }


def _bound_absolute(rule: Rule, evidence: Evidence, alpha: float) -> float | None:
    """Where the candidate's own mean is at worst; None: its range is not known."""
    if not evidence.is_bounded:
        return None
    low, high = rule.range or (0.0, 1.0)
    sums = [(rule.direction * pair.total, pair.units) for pair in evidence.pairs]
    return rule.direction * bound_mean(sums, low if rule.direction > 0 else -high, alpha)


def _decide(
    rules: Rules,
    found: Sequence[Evidence],
    alpha: float,
    look: int,
    verdicts: dict[int, tuple[Kind, int]],
) -> None:
    """What falls at this look; what has fallen before stands."""
    pairs = list(enumerate(zip(rules.rule, found, strict=True)))
    alarms = {str(n): item.prove_fail(rule) for n, (rule, item) in pairs if item.pairs}
    needed = {key: p for key, p in alarms.items() if rules.rule[int(key)].needed}
    adjusted = {**alarms, **adjust_for_many(needed)}
    for n, (_, item) in pairs:
        if n in verdicts or not item.pairs:
            continue
        if item.prove_pass() <= alpha:
            verdicts[n] = ("passed", look)
        elif adjusted[str(n)] <= alpha:
            verdicts[n] = ("failed", look)


def find_range(rule: Rule, outcomes: Sequence[Outcome]) -> tuple[Fraction, Fraction] | None:
    """Between which values the measure can be; None: not known."""
    if rule.range is not None:
        return Fraction(str(rule.range[0])), Fraction(str(rule.range[1]))
    known = BY_NAME.get(rule.measure)
    if known is not None:
        return (Fraction(0), Fraction(1)) if known.unit in _BOUNDED else None
    if rule.measure == SAME:
        return Fraction(0), Fraction(1)
    found = (outcome.values.get(rule.measure) for outcome in outcomes)
    means = [values[0] / values[1] for values in found if values is not None]
    return (Fraction(0), Fraction(1)) if all(0 <= mean <= 1 for mean in means) else None


def reduce(
    rule: Rule, outcomes: Sequence[Outcome], bounds: tuple[Fraction, Fraction] | None
) -> tuple[Fraction, int] | None:
    """A task's sum and how many units it is of; None: it has none of the measure.

    A conversation that was tried and has no answer is as bad as can be, where that is known.
    """
    found: list[tuple[Fraction, int]] = []
    for outcome in outcomes:
        if outcome.is_lost and bounds is not None:
            found.append((bounds[0] if rule.direction > 0 else bounds[1], 1))
        elif rule.measure in outcome.values:
            found.append(outcome.values[rule.measure])
    if not found:
        return None
    if rule.unit == "turn":
        return sum((total for total, _ in found), Fraction(0)), sum(count for _, count in found)
    means = [total / count for total, count in found]
    if rule.unit == "conversation":
        return sum(means, Fraction(0)), len(means)
    if rule.trials > 1:
        if len(means) < rule.trials:
            return None
        passed = sum(mean == 1 for mean in means)
        return share_of_all(passed, len(means), rule.trials), 1
    return sum(means, Fraction(0)) / len(means), 1


def weigh(rule: Rule, pairs: Sequence[Pair], bounds: tuple[Fraction, Fraction] | None) -> Evidence:
    sign = -1 if rule.must == "better" else 1
    own, share = rule.margins
    gains: list[Fraction] = []
    demand: list[Fraction] = []
    for pair in pairs:
        if rule.is_absolute:
            gain = rule.direction * (pair.mean - _get_bound(rule))
            slack = Fraction(0)
        else:
            gain = rule.direction * (pair.mean - pair.base_mean)
            slack = sign * (own + share * pair.base_mean)
        gains.append(pair.units * gain)
        demand.append(pair.units * (gain + slack))
    least, most = _find_extremes(rule, bounds, demand, max((p.units for p in pairs), default=1))
    return Evidence(pairs, demand, least, most, gains, bounds is not None)


def _find_extremes(
    rule: Rule,
    bounds: tuple[Fraction, Fraction] | None,
    demand: Sequence[Fraction],
    units: int,
) -> tuple[Fraction, Fraction]:
    """Between which values a task's demand can be: by the measure's range, else by what was seen,
    which makes the tests of such measures (cost, latency) good in large numbers only.
    """
    if bounds is None:
        widest = max((abs(value) for value in demand), default=Fraction(0))
        return -widest, widest
    low, high = bounds if rule.direction > 0 else (-bounds[1], -bounds[0])
    if rule.is_absolute:
        bound = rule.direction * _get_bound(rule)
        return min(units * (low - bound), Fraction(0)), max(units * (high - bound), Fraction(0))
    own, share = rule.margins
    sign = -1 if rule.must == "better" else 1
    ends = [
        value - base + sign * (own + share * abs(base))
        for value, base in ((low, high), (high, low))
    ]
    return min(units * ends[0], Fraction(0)), max(units * ends[1], Fraction(0))


def _get_bound(rule: Rule) -> Fraction:
    return Fraction(str(rule.at_least if rule.at_least is not None else rule.at_most))


def _count_more(rule: Rule, evidence: Evidence, alpha: float) -> int | None:
    """How many tasks more would likely bring a verdict, if they are like those seen."""
    mean, deviation = get_spread([float(value) for value in evidence.demand])
    wanted = [count_needed(mean, deviation, float(evidence.least), alpha)]
    if rule.is_absolute or rule.must == "better":
        wanted.append(count_needed(-mean, deviation, -float(evidence.most), alpha))
    else:
        mean, deviation = get_spread([-float(value) for value in evidence.gains])
        wanted.append(count_needed(mean, deviation, 0.0, alpha))
    known = [count for count in wanted if count is not None]
    return max(1, min(known) - len(evidence.pairs)) if known else None


def _estimate_needs(
    tasks: int | None, per_task: float, cost: float | None
) -> dict[str, float | int | None]:
    conversations = None if tasks is None else round(tasks * per_task)
    unknown = conversations is None or cost is None
    return {
        "tasks": tasks,
        "conversations": conversations,
        "usd": None if unknown else round((conversations or 0) * (cost or 0), 6),
    }


def find_cost(candidate: Side, baseline: Side | None) -> float | None:
    """Of one conversation more, on both sides; None: nobody knows."""
    means: list[float] = []
    for side in (candidate, baseline or {}):
        costs = [o.cost_usd for o in side.values() if o.cost_usd is not None]
        means += [sum(costs) / len(costs)] if costs else []
    return sum(means) if means else None


def _is_labelled(outcome: Outcome, where: Mapping[Slice, str]) -> bool:
    return all(label in outcome.labels.get(name, ()) for name, label in where.items())


def _judge_slices(
    rule: Rule, baseline: Side | None, candidate: Side, alpha: float
) -> list[dict[str, Any]]:
    """Told beside the verdict, alarms corrected for their number: a slice is no rule."""
    found: list[dict[str, Any]] = []
    known = (baseline or candidate).values()
    for name in rule.by:
        for label in sorted({label for o in known for label in o.labels.get(name, ())}):
            part = replace(rule, where={**rule.where, name: label})
            evidence = collect(part, baseline, candidate, is_slice=True)
            item = describe(part, evidence, alpha)
            item.pop("_more")
            found.append({"by": name, "label": label, **item})
    tests = {str(n): item["p_fail"] for n, item in enumerate(found) if item["p_fail"] is not None}
    for n, p in adjust_for_many(tests).items():
        found[int(n)]["p_fail"] = p
    return found


def _count_left_out(baseline: Side | None, candidate: Side) -> int:
    """Tasks of the baseline that the candidate has nothing of."""
    tasks = {outcome.task for outcome in candidate.values()}
    return len({outcome.task for outcome in (baseline or {}).values()} - tasks)
