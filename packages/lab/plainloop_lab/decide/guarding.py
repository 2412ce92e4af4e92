"""A canary's guards: what is measured in each run, and when the candidate is taken back."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

import msgspec

from plainloop.agent.errors import ConfigError, StoreError
from plainloop.agent.store.store import Store
from plainloop_lab.store import rollouts as store_rollouts
from plainloop_lab.store.rollouts import EndedRun, Rollout

from ..comparing.measures import BY_NAME, measure_turn
from ..comparing.recorded_side import load_stored_side
from ..report.numbers import NONE, format_value
from .betting import Guard
from .checks import measure_turns
from .rules import Rule, Rules, read_rules

logger = logging.getLogger(__name__)

MEASURES: Final = ("failed", "limit_hit", "review_passed")  # of a run by itself, from 0 to 1
# Of a run by itself, 0 or more, less is better; their margin is a share of the other side's mean.
AMOUNTS: Final = ("cost_usd", "duration_ms", "input_tokens", "output_tokens", "calls")
LOOKED_AT_ONCE: Final = 100


def read_guards(path: Path | None) -> Rules:
    """Read the rules that guard a canary, which stop it if it is worse.

    Each rule becomes a guard. None: whether the candidate's runs end well; its cost is usually
    known before, and intended.

    Raises: ConfigError for a rule that no canary can keep to.
    """
    if path is None:
        return Rules(rule=tuple(Rule(measure=name) for name in MEASURES))
    rules = read_rules(path)
    for name, check in rules.check.items():
        if (check.needs_expected and check.expected is None) or check.scored_kinds:
            raise ConfigError(
                f"{path}: the check {name} compares with an expected answer, which live traffic "
                "does not have",
                hint="Use this check in a gate.",
            )
    for rule in rules.rule:
        if rule.measure not in (*MEASURES, *AMOUNTS, *rules.check):
            known = ", ".join((*MEASURES, *AMOUNTS, *rules.check))
            raise ConfigError(
                f"{path}: a canary judges single runs and has no measure {rule.measure}",
                hint=f"Known measures: {known}.",
            )
        other_unit = rule.margins[0 if is_amount(rule) else 1]
        is_plain = rule.trials == 1 and not rule.where and not other_unit
        if rule.is_absolute or rule.must == "better" or not is_plain:
            unit = 'in percent ("20%")' if is_amount(rule) else 'in points ("2pp")'
            raise ConfigError(
                f"{path}: the rule {rule.text} cannot guard a canary: a guard needs "
                f'must = "not_worse" and a margin {unit}, and counts all runs',
                hint="Correct `must` and `margin`; remove at_least, at_most, where and trials.",
            )
        if is_amount(rule) and rule.direction > 0:
            raise ConfigError(
                f"{path}: {rule.measure} cannot guard a canary, because higher values are better",
                hint="Guard it in a gate, or name another measure.",
            )
    return rules


async def watch_canary(
    store: Store, tenant_id: str, rollout_id: str, wait_s: float
) -> dict[str, Any] | None:
    """Measure a canary's newly ended runs, and return the verdict if it ends the canary.

    Runs count in the order in which they were assigned. wait_s: an open run is waited for no longer
    than this before later ones count; it counts when it ends. Returns None if the canary goes on. A
    canary whose guards cannot be measured is ended without a verdict. Any number of processes may
    look at once: each run counts once.
    """
    rows = store.read(tenant_id)
    runs = await store_rollouts.list_ended_runs(rows, rollout_id, LOOKED_AT_ONCE, wait_s)
    if not runs:
        return None
    rules = read_rollout_rules(await store_rollouts.load_rollout(rows, rollout_id))
    try:
        measured = {run.run_id: await measure_run(store, tenant_id, run, rules) for run in runs}
    except StoreError:
        raise
    except Exception as error:
        # The same run would come first for ever, and the candidate would answer without a guard
        # (test_a_canary_whose_guard_cannot_be_measured_is_rolled_back).
        reason = f"a guard cannot be measured: {type(error).__name__}: {error}"
        async with store.transaction(tenant_id) as tx:
            await store_rollouts.end_rollout(tx, rollout_id, "returned", reason)
        logger.exception("canary_returned", extra={"rollout_id": rollout_id, "reason": reason})
        return None
    async with store.transaction(tenant_id) as tx:
        rollout = await store_rollouts.hold_rollout(tx, rollout_id)
        if rollout is None:
            return None
        left = await store_rollouts.list_ended_runs(tx, rollout_id, LOOKED_AT_ONCE, wait_s)
        seen = [*takewhile(lambda run: run.run_id in measured, left)]
        state, verdict = weigh_runs(rollout, rules, seen, measured)
        told = [{"run_id": run.run_id, "measured": measured[run.run_id]} for run in seen]
        await store_rollouts.record_measured(tx, rollout_id, told, state)
        if verdict is not None:
            reason = describe_verdict(verdict)
            await store_rollouts.end_rollout(tx, rollout_id, "returned", reason, verdict)
            logger.error("canary_returned", extra={"rollout_id": rollout_id, "reason": reason})
    return verdict


async def measure_run(
    store: Store, tenant_id: str, run: EndedRun, rules: Rules
) -> dict[str, float]:
    """Measure one ended run for the guards, by measure.

    {} for a run that its user stopped, or that was erased.

    Raises: ConfigError for a check that is none from 0 to 1, and what its function raises.
    """
    turns, _ = await load_stored_side(store, tenant_id, run.thread_id, run.run_id)
    if run.status == "cancelled" or not turns:
        return {}
    known = measure_turn(turns[0], turns[0])
    found = {rule.measure: known.get(rule.measure) for rule in rules.rule}
    for name in found.keys() & rules.check.keys():
        found[name] = measure_turns(rules.check[name], turns)[0]
    return {name: value for name, value in found.items() if value is not None}


def weigh_runs(
    rollout: Rollout,
    rules: Rules,
    runs: Sequence[EndedRun],
    measured: Mapping[str, Mapping[str, float]],
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Update the guards of a canary (rules that stop it) with these runs.

    Returns (the guards' new state, the first verdict or None).
    """
    guards = read_state(rollout, rules)
    verdict: dict[str, Any] | None = None
    for run in runs:
        for n, rule in enumerate(rules.rule):
            value = measured[run.run_id].get(rule.measure)
            if value is None:
                continue
            worth = value if is_amount(rule) or rule.direction > 0 else 1 - value
            margin = float(sum(rule.margins))  # one of them is 0
            guards[n].add(worth, run.turn, run.share, margin, run.side)
            if verdict is None and guards[n].evidence >= count_needed(rules):
                verdict = {**describe_guard(rule, guards[n], rules), "run_id": run.run_id}
    return {"guards": [guard.to_json() for guard in guards]}, verdict


def count_needed(rules: Rules) -> float:
    """Return how much evidence lets a guard (a rule that stops a canary) end it.

    Alpha is divided among the guards.
    """
    return len(rules.rule) / rules.gate.alpha


def read_rollout_rules(rollout: Rollout) -> Rules:
    """Read the rules that guard a canary, as they are stored with its rollout."""
    return msgspec.convert(rollout.guards, Rules)


def read_state(rollout: Rollout, rules: Rules) -> list[Guard]:
    """Read the state of a canary's guards, one guard per rule."""
    if rollout.state is None:
        return [Guard(is_amount(rule)) for rule in rules.rule]
    return [Guard.from_json(guard) for guard in rollout.state["guards"]]


def describe_guard(rule: Rule, guard: Guard, rules: Rules) -> dict[str, Any]:
    """Describe the numbers of a canary's guard as JSON.

    Means are in the measure's own direction: more failures are a larger number.
    """

    def to_own(mean: float | None) -> float | None:
        if mean is None or guard.is_amount or rule.direction > 0:
            return mean
        return 1 - mean

    return {
        "rule": rule.text,
        "measure": rule.measure,
        "candidate": to_own(guard.get_mean("candidate")),
        "baseline": to_own(guard.get_mean("baseline")),
        "runs": {side: guard.counts.get(side, 0) for side in ("candidate", "baseline")},
        "evidence": guard.evidence,
        "needed": count_needed(rules),
    }


def describe_verdict(verdict: Mapping[str, Any]) -> str:
    """Describe in words why a canary was ended."""
    runs, measure = verdict["runs"], verdict["measure"]
    mine, other = (describe_mean(measure, verdict[side]) for side in ("candidate", "baseline"))
    return (
        f"{measure} is {mine} in {runs['candidate']:,} runs of the candidate, and "
        f"{other} in {runs['baseline']:,} runs of today's configuration"
    )


def describe_mean(measure: str, mean: float | None) -> str:
    """Format a side's mean of a guard's measure."""
    if measure in AMOUNTS:
        return format_value(mean, BY_NAME[measure].unit)
    return NONE if mean is None else f"{mean:.1%}"


def is_amount(rule: Rule) -> bool:
    """Whether a guard's measure is an amount (cost, time) and not a share."""
    return rule.measure in AMOUNTS
