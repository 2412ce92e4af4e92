"""The verdict of a gate: passed, failed, or undecided and what it would take to know.

Per rule two questions are asked. Is the demand met? (`prove_positive`: a wrong pass has the chance
alpha at most.) Is the candidate worse? (`flip_signs`: the same agent run twice is called worse with
the chance FAILED_SHARE * alpha at most, over all rules together by Holm's correction. This test is
exact, so at alpha itself 300 trials would be wrong more often in 4 of 10.) All needed rules must
pass, which needs no correction: a bad candidate passes all only if it passes the one that it fails.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Literal

from msgspec.structs import replace

from ..report.judge_tally import BORNE_MISSING
from ..report.statistics import adjust_for_many
from .evidence import Evidence, collect
from .outcomes import REQUEST, Side
from .proofs import FAILED_SHARE, bound_mean, count_needed, get_spread, spend_alpha
from .rules import Rule, Rules

Kind = Literal["passed", "failed", "undecided"]
# Tasks below which a measure without a range (cost, a price) passes nothing: what is rare and large
# has not been seen. Of candidates that cost 100 times as much in 1 % of conversations less than 5 %
# pass from here on: test_a_gate_passes_rare_expensive_failures_in_at_most_5_percent.
UNBOUNDED_TASKS: Final = 325
EXIT_CODES: Final[dict[Kind, int]] = {"passed": 0, "failed": 1, "undecided": 10}


def judge_all(
    rules: Rules,
    baseline: Side | None,
    candidates: Mapping[str, Side],
    doubts: Mapping[str, Mapping[str, str]] | None = None,
) -> dict[str, Any]:
    """Judge all candidates by the rules and return the gate's result as JSON.

    Each of several candidates has its share of alpha.

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
    rules: Rules, baseline: Side | None, candidate: Side, alpha: float, doubts: Mapping[str, str]
) -> dict[str, Any]:
    """Judge one candidate against the baseline by the rules.

    Returns the verdict and numbers as JSON. Raises: InputError for a measure that nobody has.
    """
    tasks = list(dict.fromkeys(outcome.task for outcome in candidate.values()))
    looks = list(rules.gate.looks) or [len(tasks)]
    verdicts, told = _look(rules, baseline, candidate, tasks, looks, alpha, doubts)
    cost = find_cost(candidate, baseline)
    per_task = len(candidate) / len(tasks)
    for n, (rule, item) in enumerate(zip(rules.rule, told, strict=True)):
        doubt, every = doubts.get(rule.measure), item["tasks"] + item["alone"]
        if not doubt and item["alone"] > BORNE_MISSING * every:
            # Those who have a number may be the lucky ones.
            doubt = f"in {item['alone']:,} of {every:,} tasks, only one side has the measure"
        kind, look = verdicts.get(n, ("undecided", None))
        if doubt is not None:
            kind, look = "undecided", None
        more = item.pop("_more")
        if kind == "undecided" and not item["is_bounded"] and 0 < item["tasks"] < UNBOUNDED_TASKS:
            more = max(more or 0, UNBOUNDED_TASKS - item["tasks"])
            doubt = doubt or (
                f"{rule.measure} has no range: with fewer than {UNBOUNDED_TASKS} "
                "tasks, rare large values cannot be ruled out; if its values are bounded, "
                "set `range = [least, most]`"
            )
        item |= {"verdict": kind, "look": look, "doubt": doubt}
        if kind == "undecided":
            many = None if more is None else round(more * per_task)
            usd = None if many is None or cost is None else round(many * cost, 6)
            item["needs"] = {"tasks": more, "conversations": many, "usd": usd}
        item["slices"] = _judge_slices(rule, baseline, candidate, alpha)
    tried = {outcome.task for outcome in candidate.values()}
    left_out = len({outcome.task for outcome in (baseline or {}).values()} - tried)
    guessed = [task for o in candidate.values() if (task := o.task).startswith(REQUEST)]
    return {
        "verdict": _conclude([item for item in told if item["needed"]], rules, left_out),
        "tasks": len(tasks),
        "conversations": len(candidate),
        "repeats": len(guessed) - len({*guessed}),
        "left_out": left_out,
        "looks": looks,
        "cost_usd_per_conversation": cost,
        "rules": told,
    }


def _look(
    rules: Rules,
    baseline: Side | None,
    candidate: Side,
    tasks: Sequence[str],
    looks: Sequence[int],
    alpha: float,
    doubts: Mapping[str, str],
) -> tuple[dict[int, tuple[Kind, int]], list[dict[str, Any]]]:
    """Test the rules at each interim analysis; return (verdicts with their size, last numbers)."""
    verdicts: dict[int, tuple[Kind, int]] = {}
    told: list[dict[str, Any]] = []
    for look, share in zip(looks, spend_alpha(alpha, looks), strict=True):
        if look > len(tasks) and told:
            break
        seen = set(tasks[:look])
        found = [
            collect(rule, baseline, candidate, seen, may_be_empty=rule.measure in doubts)
            for rule in rules.rule
        ]
        if look <= len(tasks):
            _decide(rules, found, share, look, verdicts)
        pairs = zip(rules.rule, found, strict=True)
        told = [describe(rule, evidence, share) for rule, evidence in pairs]
    return verdicts, told


def _conclude(needed: Sequence[Mapping[str, Any]], rules: Rules, left_out: int) -> Kind:
    kinds = [item["verdict"] for item in needed]
    if "failed" in kinds:
        return "failed"
    # What the candidate was not asked may be what it fails; between looks that is as planned.
    is_whole = not left_out or bool(rules.gate.looks)
    return "passed" if kinds and is_whole and set(kinds) == {"passed"} else "undecided"


def describe(rule: Rule, evidence: Evidence, alpha: float) -> dict[str, Any]:
    """Describe a rule's numbers as JSON, without the verdict."""
    pairs = evidence.pairs
    found: dict[str, Any] = {
        "rule": rule.text,
        "measure": rule.measure,
        "needed": rule.needed,
        "unit": rule.unit,
        "tasks": len(pairs),
        "alone": evidence.alone,
        "is_bounded": evidence.is_bounded,
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
    """Return a confidence bound of the candidate's mean; None if the measure's range is unknown."""
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
    """Add the verdicts that fall at this interim analysis; earlier verdicts stay."""
    pairs = list(enumerate(zip(rules.rule, found, strict=True)))
    alarms = {str(n): item.prove_fail(rule) for n, (rule, item) in pairs if item.pairs}
    needed = {key: p for key, p in alarms.items() if rules.rule[int(key)].needed}
    adjusted = {**alarms, **adjust_for_many(needed)}
    for n, (_, item) in pairs:
        if n in verdicts or not item.pairs:
            continue
        is_enough = item.is_bounded or len(item.pairs) >= UNBOUNDED_TASKS
        if is_enough and item.prove_pass() <= alpha:
            verdicts[n] = ("passed", look)
        elif adjusted[str(n)] <= alpha * FAILED_SHARE and (is_enough or rules.rule[n].is_compared):
            verdicts[n] = ("failed", look)


def may_pass(evidence: Evidence) -> bool:
    """Whether a rule has enough evidence to be able to pass.

    Enough tasks must have values on both sides. Those that have a number on one side only may be
    the lucky ones; see also `UNBOUNDED_TASKS`.
    """
    tasks, alone = len(evidence.pairs), evidence.alone
    is_enough = evidence.is_bounded or tasks >= UNBOUNDED_TASKS
    return is_enough and alone <= BORNE_MISSING * (tasks + alone)


def _count_more(rule: Rule, evidence: Evidence, alpha: float) -> int | None:
    """Estimate how many more tasks would bring a verdict, if they are like those seen."""
    mean, deviation = get_spread([float(value) for value in evidence.demand])
    wanted = [count_needed(mean, deviation, float(evidence.least), alpha)]
    if rule.is_absolute or rule.must == "better":
        wanted.append(count_needed(-mean, deviation, -float(evidence.most), alpha))
    else:
        mean, deviation = get_spread([-float(value) for value in evidence.gains])
        wanted.append(count_needed(mean, deviation, 0.0, alpha * FAILED_SHARE))
    known = [count for count in wanted if count is not None]
    return max(1, min(known) - len(evidence.pairs)) if known else None


def find_cost(candidate: Side, baseline: Side | None) -> float | None:
    """Return the mean cost of a conversation in USD, on both sides together.

    None if it is unknown. A baseline without costs (a recording) is not bought again; such a
    candidate is not free.
    """
    means: list[float] = []
    for side in (candidate, baseline or {}):
        costs = [o.cost_usd for o in side.values() if o.cost_usd is not None]
        if costs:
            means.append(sum(costs) / len(costs))
        elif side is candidate:
            return None
    return sum(means)


def _judge_slices(
    rule: Rule, baseline: Side | None, candidate: Side, alpha: float
) -> list[dict[str, Any]]:
    """Measure a rule on each slice of the conversations, with p-values corrected for their number.

    They are reported beside the verdict: a slice is no rule.
    """
    found: list[dict[str, Any]] = []
    known = (baseline or candidate).values()
    for name in rule.by:
        for label in sorted({label for o in known for label in o.labels.get(name, ())}):
            part = replace(rule, where={**rule.where, name: label})
            evidence = collect(part, baseline, candidate, may_be_empty=True)
            item = describe(part, evidence, alpha)
            item.pop("_more")
            found.append({"by": name, "label": label, **item})
    tests = {str(n): item["p_fail"] for n, item in enumerate(found) if item["p_fail"] is not None}
    for n, p in adjust_for_many(tests).items():
        found[int(n)]["p_fail"] = p
    return found
