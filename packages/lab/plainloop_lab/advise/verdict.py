"""The advice as data: what to switch, what it saves, and what is in doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass

from ..comparing.measures import JUDGED
from ..decide.evidence import collect
from ..decide.gate import judge
from ..decide.rules import Rules
from ..decide.spending import compare_cost, measure_latency, measure_resources
from .roles import WORKER, find_role
from .search import ATTEMPTS, Finding, Trial

VERDICTS: Final = {"passed": 0, "failed": 1, "undecided": 10}


@dataclass(frozen=True, slots=True)
class Traffic:
    """Describes what answers for a worker or role now. model: `provider:model@effort` of most of
    its calls. share: of its calls that this is. usd: of a month; None: a price is not known.
    """

    worker: str
    model: str
    share: float
    calls: int
    usd: float | None


def describe_advice(
    findings: Sequence[Finding],
    rules: Mapping[str, Rules],
    traffic: Mapping[str, Traffic],
    cost_usd: float,
    doubts: Sequence[str] = (),
    *,
    is_successor: bool = False,
) -> dict[str, Any]:
    """Describe the advice as JSON: the verdict, the saving and what was tried, by worker.

    rules: by role. is_successor: today's model ends, whatever the new one costs.
    """
    workers = [
        _describe_worker(finding, traffic[finding.question.worker], is_successor)
        for finding in findings
    ]
    roles = dict.fromkeys(item["role"] for item in workers)
    demanded = {rule.text: (rule, role) for role in roles for rule in rules[role].rule}
    saved = [item["saves_usd"] for item in workers if item["kind"] == "switch"]
    return {
        "verdict": choose_verdict([item["kind"] for item in workers], is_successor=is_successor),
        "alpha": rules[WORKER].gate.alpha,
        "rules": [*demanded],
        # A worker's rules hold for each worker, those of routing for all requests together.
        "demands": [
            {
                "measure": rule.measure,
                "margin": rule.margin,
                "by": ["worker"] if role == WORKER else [],
            }
            for rule, role in demanded.values()
        ],
        "cost_usd": cost_usd,
        "saves_usd": None if None in saved else sum(saved),
        "workers": workers,
        "doubts": list(doubts),
    }


def choose_verdict(kinds: Sequence[str], *, is_successor: bool = False) -> str:
    """Choose the gate's verdict for all workers: "passed", "failed" or "undecided".

    It is passed if one worker can be switched; for a successor of a model that ends, only if all
    can.

    >>> choose_verdict(["switch", "undecided"]), choose_verdict(["keep"])
    ('passed', 'failed')
    >>> choose_verdict(["switch", "undecided"], is_successor=True)
    'undecided'
    """
    if is_successor:
        if "worse" in kinds:
            return "failed"
        return "passed" if kinds and {*kinds} == {"switch"} else "undecided"
    if "switch" in kinds:
        return "passed"
    return "undecided" if {"undecided", "not_judged"} & {*kinds} or not kinds else "failed"


def _describe_worker(finding: Finding, traffic: Traffic, is_successor: bool) -> dict[str, Any]:
    rules = finding.rules
    trial, kind, reason = finding.tested, finding.kind, finding.reason
    role = find_role(finding.question.worker)
    costs = None if trial is None else compare_cost(trial.today, trial.side, role)
    if kind == "switch" and not is_successor and costs is not None and costs[0] >= 1:
        kind, reason = "keep", f"as good, but not cheaper: {costs[0]:.0%} of today's cost"
    judged: dict[str, Any] | None = None
    if trial is not None and trial.side:
        level = finding.level or rules.gate.alpha
        judged = judge(rules, trial.today, trial.side, level, _list_doubts(trial, rules))
    saved, saved_half = None, None
    if kind == "switch" and costs is not None and traffic.usd is not None:
        saved, saved_half = traffic.usd * (1 - costs[0]), traffic.usd * costs[1]
    return {
        "worker": finding.question.worker,
        "role": role,
        "kind": kind,
        "reason": reason,
        "today": traffic.model,
        "share": traffic.share,
        "calls": traffic.calls,
        "today_usd": traffic.usd,
        "candidate": None if trial is None else trial.candidate.name,
        "conversations": 0 if trial is None else len(trial.side),
        "cost_ratio": None if costs is None else costs[0],
        "cost_ratio_half": None if costs is None else costs[1],
        "saves_usd": saved,
        "saves_usd_half": saved_half,
        "resources": {} if trial is None else measure_resources(trial.today, trial.side),
        "today_resources": {} if trial is None else measure_resources({}, trial.today),
        "latency": {} if trial is None else measure_latency(trial.side),
        "today_latency": {} if trial is None else measure_latency(trial.today),
        "confidence": 1 - finding.level,
        "rules": [] if judged is None else judged["rules"],
        "tried": [_describe_trial(each, role) for each in finding.trials],
        "attempts": len(finding.attempts),
        "most_attempts": len(ATTEMPTS),
    }


def _list_doubts(trial: Trial, rules: Rules) -> dict[str, str]:
    """List by measure why nothing can be decided by it: no values, or a judge that is in doubt.

    What was bought is described all the same (test_a_rule_without_values_costs_no_advice).
    """
    found = {
        rule.measure: "no conversation has a value on both sides"
        for rule in rules.rule
        if not collect(rule, trial.today, trial.side, may_be_empty=True).pairs
    }
    doubt = trial.doubt_judge(rules)
    return {**found, JUDGED: doubt} if doubt else found


def _describe_trial(trial: Trial, role: str) -> dict[str, Any]:
    costs = compare_cost(trial.today, trial.side, role)
    return {
        "candidate": trial.candidate.name,
        "conversations": len(trial.side),
        "promise": round(trial.promise, 3),
        "cost_ratio": None if costs is None else costs[0],
        "resources": measure_resources(trial.today, trial.side),
        "latency": measure_latency(trial.side),
    }
