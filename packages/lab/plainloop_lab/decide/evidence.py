"""What a rule has to go by: one number per task, and between which values it can be."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.errors import InputError

from ..comparing.measures import BY_NAME
from .outcomes import SAME, Outcome, Side, list_measures
from .proofs import flip_signs, prove_positive, share_of_all
from .rules import Rule

_BOUNDED: Final = ("share", "ratio")


@dataclass(frozen=True, slots=True)
class Pair:
    """One task on both sides. Sums over its units and their number, and the same of the baseline's.

    Of a rule without a baseline the baseline's are 0.
    """

    total: Fraction
    units: int
    base_total: Fraction
    base_units: int

    @property
    def mean(self) -> Fraction:
        """Return the candidate's mean in one task.

        It is the mean per turn, conversation or task, as the rule says.
        """
        return self.total / self.units

    @property
    def base_mean(self) -> Fraction:
        """Return the baseline's mean in one task, per the same unit as `mean`.

        0 without a baseline.
        """
        return self.base_total / self.base_units if self.base_units else Fraction(0)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One rule over some tasks, ready to be tested.

    demand: by task what is above 0 where the demand is met, and between which values it can be.
    gains: by task how much better the candidate is, each counted as often as its task has units.
    alone: tasks that have the measure on one side only.
    """

    pairs: Sequence[Pair]
    demand: Sequence[Fraction]
    least: Fraction
    most: Fraction
    gains: Sequence[Fraction]
    is_bounded: bool
    alone: int = 0

    def prove_pass(self) -> float:
        """Return the p-value of the null hypothesis "the rule's demand is not met".

        A small value proves a pass.
        """
        return prove_positive(self.demand, self.least)

    def prove_fail(self, rule: Rule) -> float:
        """Return the p-value of the null hypothesis "the rule does not fail".

        A small value proves a failure: for "not worse" that the candidate is worse at all, else
        that the demand is not met.
        """
        if not rule.is_compared:
            return prove_positive([-value for value in self.demand], -self.most)
        return flip_signs(self.gains)


def collect(
    rule: Rule,
    baseline: Side | None,
    candidate: Side,
    tasks: set[str] | None = None,
    *,
    may_be_empty: bool = False,
) -> Evidence:
    """Collect the evidence for a rule: each task's values on both sides.

    It includes the range of the measure. Raises: InputError when no conversation has the measure,
    or no baseline is there to hold against. may_be_empty: of a slice, or a measure that is in
    doubt.
    """
    if baseline is None and not rule.is_absolute:
        raise InputError(
            f"{rule.text}: this rule needs a baseline", hint="Name one with --baseline."
        )
    sides = [{} if rule.is_absolute or baseline is None else baseline, candidate]
    # Labels are the baseline's: a slice must not depend on what the candidate did.
    known = baseline or candidate
    groups: list[dict[str, list[Outcome]]] = [{}, {}]
    for group, side in zip(groups, sides, strict=True):
        for outcome in side.values():
            labelled = known.get(outcome.conversation_id, outcome)
            is_meant = all(
                label in labelled.labels.get(name, ()) for name, label in rule.where.items()
            )
            if is_meant and (tasks is None or outcome.task in tasks):
                group.setdefault(outcome.task, []).append(outcome)
    bounds = find_range(rule, [outcome for side in sides for outcome in side.values()])
    pairs: list[Pair] = []
    alone = 0
    for task in dict.fromkeys((*groups[1], *groups[0])):
        mine = reduce(rule, groups[1].get(task, ()), bounds)
        other = (Fraction(0), 0)
        if not rule.is_absolute:
            other = reduce(rule, groups[0].get(task, ()), bounds)
        if mine is not None and other is not None:
            pairs.append(Pair(*mine, *other))
        elif mine is not other:
            alone += not rule.is_absolute
    if not pairs and not may_be_empty:
        has = ", ".join(list_measures(candidate.values()))
        hint = f"Available measures: {has}." if has else "The conversations have no measures."
        asked = f"{rule.measure}: {rule.text}" if rule.where else rule.measure
        both = "" if rule.is_absolute else " for both baseline and candidate"
        raise InputError(f"no conversation has a value of {asked}{both}", hint=hint)
    return replace(weigh(rule, pairs, bounds), alone=alone)


def find_range(rule: Rule, outcomes: Sequence[Outcome]) -> tuple[Fraction, Fraction] | None:
    """Return the lowest and highest value that a rule's measure can have, or None.

    A number of one's own is a share only if all its values are 0 or 1: a price below a dollar has
    no range.
    """
    if rule.range is not None:
        return Fraction(str(rule.range[0])), Fraction(str(rule.range[1]))
    known = BY_NAME.get(rule.measure)
    if known is not None:
        return (Fraction(0), Fraction(1)) if known.unit in _BOUNDED else None
    if rule.measure == SAME:
        return Fraction(0), Fraction(1)
    found = (outcome.values.get(rule.measure) for outcome in outcomes)
    means = [values[0] / values[1] for values in found if values is not None]
    return (Fraction(0), Fraction(1)) if all(mean in (0, 1) for mean in means) else None


def reduce(
    rule: Rule, outcomes: Sequence[Outcome], bounds: tuple[Fraction, Fraction] | None
) -> tuple[Fraction, int] | None:
    """Add up the values of a rule's measure in a task's outcomes.

    Returns (sum, count), or None if no outcome has the measure. A conversation that was tried and
    has no answer is as bad as can be, where that is known.

    Raises: InputError for a value outside the rule's own range.
    """
    found: list[tuple[Fraction, int]] = []
    for outcome in outcomes:
        if outcome.is_lost and bounds is not None:
            found.append((bounds[0] if rule.direction > 0 else bounds[1], 1))
        elif rule.measure in outcome.values:
            found.append(outcome.values[rule.measure])
    if not found:
        return None
    if rule.range is not None and bounds is not None:
        _check_range(rule, [total / count for total, count in found], bounds)
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


def _check_range(rule: Rule, values: Sequence[Fraction], bounds: tuple[Fraction, Fraction]) -> None:
    """Refuse a value outside the rule's declared range: the proofs would be wrong, unnoticed.

    Raises: InputError.
    """
    outside = next((value for value in values if not bounds[0] <= value <= bounds[1]), None)
    if outside is not None:
        raise InputError(
            f"{rule.measure} is {float(outside):g} in a conversation, outside its range of "
            f"{float(bounds[0]):g} to {float(bounds[1]):g}",
            hint="Correct `range` in the rule, or the value.",
        )


def weigh(rule: Rule, pairs: Sequence[Pair], bounds: tuple[Fraction, Fraction] | None) -> Evidence:
    """Compute how much the candidate gains in each task by a rule's measure.

    The evidence has the gains, the gains plus margin, and the latter's possible range.
    """
    sign = -1 if rule.must == "better" else 1
    own, share = rule.margins
    if sum((pair.units * pair.base_mean for pair in pairs), Fraction(0)) < 0:
        share = -share  # 5% of a mean of -10 is 0.5, not -0.5
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
    units = max((pair.units for pair in pairs), default=1)
    least, most = _find_extremes(rule, bounds, demand, units, share * rule.direction)
    return Evidence(pairs, demand, least, most, gains, bounds is not None)


def _find_extremes(
    rule: Rule,
    bounds: tuple[Fraction, Fraction] | None,
    demand: Sequence[Fraction],
    units: int,
    share: Fraction,
) -> tuple[Fraction, Fraction]:
    """Return the lowest and highest value of a task's demand, by the measure's range.

    share: of the baseline's value that the margin adds. Without a range it is by what was seen,
    which makes the tests of such measures (cost, latency) good in large numbers only.
    """
    if bounds is None:
        widest = max((abs(value) for value in demand), default=Fraction(0))
        return -widest, widest
    low, high = bounds if rule.direction > 0 else (-bounds[1], -bounds[0])
    if rule.is_absolute:
        bound = rule.direction * _get_bound(rule)
        return min(units * (low - bound), Fraction(0)), max(units * (high - bound), Fraction(0))
    own, sign = rule.margins[0], -1 if rule.must == "better" else 1
    ends = [
        value - base + sign * (own + share * base) for value, base in ((low, high), (high, low))
    ]
    return min(units * ends[0], Fraction(0)), max(units * ends[1], Fraction(0))


def _get_bound(rule: Rule) -> Fraction:
    return Fraction(str(rule.at_least if rule.at_least is not None else rule.at_most))
