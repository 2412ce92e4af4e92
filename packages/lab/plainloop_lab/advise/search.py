"""Search, for each worker, the cheapest candidate that is not worse, and prove that it is not.

A worker's conversations are split once. The pilot says which candidate is worth a test: candidates
are tried on it from the cheapest on, and bad ones are dropped early. The rest, which the search
never saw, decides by the gate's own test. So the choice among candidates costs no error. Where the
first choice is not proven, the pilot's second is tested, with the smaller part of the worker's
alpha. The workers share alpha by Holm's method: a worker whose candidate is proven leaves its part
to those that are left. Each look spends its part of alpha, as the gate's looks do.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, Literal, Protocol

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.dataclasses import dataclass, field

from ..comparing.measures import JUDGED
from ..decide.evidence import Evidence, collect
from ..decide.gate import may_pass
from ..decide.outcomes import Outcome, Side
from ..decide.proofs import FAILED_SHARE, NORMAL, get_spread, prove_positive, spend_alpha
from ..decide.rules import Rules
from ..decide.tuning import OutOfMoney
from ..report.judge_tally import JudgeTally
from .roles import find_role
from .wanted import MAX_SAMPLE

PILOT: Final = 0.2  # of a worker's conversations
ROUNDS: Final = (0.25, 0.5, 1.0)  # of the pilot: a candidate may be dropped after each
LOOKS: Final = (0.4, 0.7, 1.0)  # of the rest: a verdict may fall after each
ATTEMPTS: Final = (0.75, 0.25)  # of a worker's alpha, for its first and its second choice
HOPELESS: Final = 0.05  # a candidate that would be proven less often is dropped
_LEAST_VARIANCE: Final = 0.02  # times the range: no loss seen yet is not no loss

# switch: proven not worse. keep: no cheaper candidate was promising on the pilot, which proves
# nothing. worse: proven worse than today. undecided: tested, and neither was proven. not_judged:
# nothing was tested.
Kind = Literal["switch", "keep", "worse", "undecided", "not_judged"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Names a model, an effort or both, as `--model` does. cost: estimated share of today's."""

    name: str
    cost: float


@dataclass(frozen=True, slots=True)
class Question:
    """Asks about one worker or role. conversations: in the order in which they are replayed, each a
    task of its own. candidates: what may answer in place of today's model, the cheapest first.
    """

    worker: str
    conversations: Sequence[str]
    candidates: Sequence[Candidate]


class Bench(Protocol):
    """Answers conversations anew."""

    async def answer(self, worker: str, candidate: str, part: Sequence[str]) -> tuple[Side, Side]:
        """Replay conversations with both models, and return (today's outcomes, the candidate's).

        Raises: OutOfMoney.
        """
        ...


@dataclass(slots=True)
class Trial:
    """Holds what one candidate came to. promise: how likely the test would prove it."""

    candidate: Candidate
    today: Side = field(default_factory=dict[str, Outcome])
    side: Side = field(default_factory=dict[str, Outcome])
    promise: float = 0.0
    evidence: dict[int, Evidence] = field(default_factory=dict[int, Evidence])  # by needed rule

    def add(self, rules: Rules, today: Side, side: Side) -> None:
        """Add the outcomes of further conversations to the evidence of each rule.

        Each is a task of its own, so evidence adds up.
        """
        self.today.update(today)
        self.side.update(side)
        for n, rule in enumerate(rules.rule):
            if rule.needed:
                more = collect(rule, today, side, may_be_empty=True)
                known = self.evidence.get(n, more)
                self.evidence[n] = more if known is more else join(known, more)

    def doubt_judge(self, rules: Rules) -> str:
        """Explain why the judge model's verdicts cannot be trusted, or return "".

        "" also if no rule needs the judge. A judge that prefers a position calls all answers alike,
        and would pass every candidate (test_a_judge_that_prefers_a_position_proposes_no_switch).
        """
        tally = JudgeTally()
        for outcome in self.side.values():
            if outcome.tally is not None:
                tally.merge(outcome.tally)
        is_needed = any(rule.needed and rule.measure == JUDGED for rule in rules.rule)
        return tally.find_doubt() if is_needed else ""


@dataclass(slots=True)
class Finding:
    """Holds what is known of a worker's candidates. trials: on the pilot. attempts: on the rest."""

    question: Question
    rules: Rules
    kind: Kind = "not_judged"
    reason: str = ""
    trials: list[Trial] = field(default_factory=list[Trial])
    attempts: list[Trial] = field(default_factory=list[Trial])
    level: float = 0.0  # what the last look might use of alpha
    looks: list[int] = field(default_factory=list[int])  # conversations of the rest, by look
    look: int = 0  # how many looks were taken at the last attempt

    @property
    def tested(self) -> Trial | None:
        """Return the candidate whose test ran last.

        None before any test.
        """
        return self.attempts[-1] if self.attempts else None

    @property
    def pilot(self) -> Sequence[str]:
        """Return the conversations on which candidates are screened."""
        return self.question.conversations[: round(PILOT * len(self.question.conversations))]

    @property
    def rest(self) -> Sequence[str]:
        """Return the conversations reserved for the test, which the pilot does not use."""
        return self.question.conversations[len(self.pilot) :]

    @property
    def is_open(self) -> bool:
        """Whether a test has begun and has no verdict yet."""
        return bool(self.attempts) and self.kind == "not_judged"


async def advise(
    bench: Bench, rules: Mapping[str, Rules], questions: Sequence[Question]
) -> list[Finding]:
    """Find a cheaper model for each worker by replaying conversations.

    Screens the candidates on some conversations, and tests the chosen ones on others. rules: by
    role; all have the same alpha.
    """
    findings = [Finding(question, rules[find_role(question.worker)]) for question in questions]
    for finding in findings:
        await _choose(bench, finding, len(findings))
    tested = [finding for finding in findings if finding.attempts]
    while any(finding.is_open for finding in tested):
        for finding in tested:
            if finding.is_open:
                await _look(bench, finding)
        _decide(tested)
        for finding in tested:
            if finding.kind in ("worse", "undecided") and len(finding.attempts) < len(ATTEMPTS):
                await _choose(bench, finding, len(findings))
    return findings


def choose_first(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that are cheaper than today's model, the cheapest first."""
    return sorted((c for c in candidates if c.cost < 1), key=lambda c: (c.cost, c.name))


def can_prove(rules: Rules, tasks: int, level: float) -> bool:
    """Whether this many tasks can prove a candidate "not worse" at their last look.

    Assumes the best case: the candidate is worse in none of them. The looks before have spent
    their part of the level (test_as_many_conversations_as_the_plan_needs_do_prove_a_switch).

    >>> from plainloop_lab.decide.rules import Rule
    >>> rules = Rules(rule=(Rule("failed", margin="5pp"),))
    >>> [can_prove(rules, tasks, 0.05) for tasks in (60, 70)]
    [False, True]
    """
    margins = [rule.margins[0] for rule in rules.rule if rule.needed and not rule.is_absolute]
    least = min(margins, default=Fraction(1))
    last = spend_alpha(level, plan_looks(tasks))[-1]
    return prove_positive([least] * tasks, least - 1) <= last


def plan_looks(tasks: int) -> list[int]:
    """Return after how many of the tasks a verdict may fall; the last look is after all of them."""
    return sorted({max(1, round(share * tasks)) for share in LOOKS})


def count_needed(rules: Rules, questions: int) -> int | None:
    """Return how many of a worker's conversations advice needs for a verdict.

    The pilot's conversations are included. None: the largest sample is too small. questions:
    workers and roles that share alpha.
    """
    level = rules.gate.alpha / questions * ATTEMPTS[0]
    counts = range(MAX_SAMPLE + 1)
    n = bisect_left(counts, True, key=lambda n: can_prove(rules, n - round(PILOT * n), level))
    return n if n in counts else None


def describe_needed(needed: int | None) -> str:
    """Describe how many conversations are needed, as `count_needed` counted them.

    >>> describe_needed(None)
    'the margin cannot be proven: it needs more than the 10,000 that a sample may have'
    """
    if needed is None:
        told = f"it needs more than the {MAX_SAMPLE:,} that a sample may have"
        return f"the margin cannot be proven: {told}"
    return f"the margin needs at least {needed:,}"


async def _choose(bench: Bench, finding: Finding, questions: int) -> None:
    """Choose the candidate to test next: the one with the largest saving times chance of proof.

    Candidates come from the cheapest on; when no dearer one could do better, none is tried.
    """
    question, rules = finding.question, finding.rules
    ordered = question.candidates
    share = rules.gate.alpha / questions * ATTEMPTS[len(finding.attempts)]
    if not ordered:
        finding.reason = "there is no candidate to test"
        return
    if not can_prove(rules, len(finding.rest), share):
        if finding.attempts:
            return  # the first choice's verdict stays: a second one needs more than were planned
        needed = count_needed(rules, questions)
        count = format_count(len(question.conversations), "conversation")
        finding.reason = f"{count} are too few: {describe_needed(needed)}"
        return
    done = {trial.candidate.name for trial in finding.attempts}
    known = [trial for trial in finding.trials if trial.candidate.name not in done]
    best = max(known, key=_get_worth, default=None)
    try:
        for candidate in ordered[len(finding.trials) :]:
            if best is not None and _get_worth(best) >= 1 - candidate.cost:
                break
            trial = await _screen(bench, finding, candidate, share)
            if best is None or _get_worth(trial) > _get_worth(best):
                best = trial
    except OutOfMoney as error:
        # Its own words: a price that is unknown stops a replay too, whatever the limit is.
        finding.reason = finding.reason or f"stopped before a candidate was chosen: {error.message}"
        return
    if best is not None and best.promise >= HOPELESS:
        finding.attempts.append(Trial(best.candidate, promise=best.promise))
        finding.kind, finding.reason, finding.look = "not_judged", "", 0
        finding.looks = plan_looks(len(finding.rest))
    elif not finding.attempts:
        finding.kind = "keep"
        finding.reason = f"{format_count(len(ordered), 'cheaper candidate')}, none promising on "
        finding.reason += format_count(len(finding.pilot), "conversation")


async def _screen(bench: Bench, finding: Finding, candidate: Candidate, level: float) -> Trial:
    """Try a candidate on rounds of the pilot; stop when a proof has become unlikely.

    Raises: OutOfMoney.
    """
    trial = Trial(candidate)
    finding.trials.append(trial)
    ends = [max(1, round(share * len(finding.pilot))) for share in ROUNDS]
    for begin, end in zip([0, *ends], ends, strict=False):
        if part := finding.pilot[begin:end]:
            sides = await bench.answer(finding.question.worker, candidate.name, part)
            trial.add(finding.rules, *sides)
        trial.promise = estimate_proof(trial, len(finding.rest), level)
        if trial.promise < HOPELESS:
            break
    return trial


async def _look(bench: Bench, finding: Finding) -> None:
    """Replay conversations up to the next interim analysis; without money, it is undecided."""
    trial = finding.attempts[-1]
    begin = finding.looks[finding.look - 1] if finding.look else 0
    try:
        part = finding.rest[begin : finding.looks[finding.look]]
        sides = await bench.answer(finding.question.worker, trial.candidate.name, part)
        trial.add(finding.rules, *sides)
        finding.look += 1
    except OutOfMoney as error:
        finding.kind = "undecided"
        finding.reason = f"stopped before the test had ended: {error.message}"


def _decide(tested: Sequence[Finding]) -> None:
    """Decide each open test after an interim analysis; a proven one raises the others' level."""
    is_new = True
    while is_new:
        is_new = False
        for finding in tested:
            share = _get_level(tested, finding)
            trial = finding.attempts[-1]
            if not finding.is_open:
                continue
            if all(
                may_pass(item) and item.prove_pass() <= share for item in trial.evidence.values()
            ) and not trial.doubt_judge(finding.rules):
                finding.kind, finding.level, is_new = "switch", share, True
    for finding in tested:
        if finding.is_open:
            _give_up(finding, _get_level(tested, finding))


def _get_level(tested: Sequence[Finding], finding: Finding) -> float:
    """Return the error probability that the test may use at its current interim analysis."""
    unproven = sum(other.kind != "switch" for other in tested)
    own = ATTEMPTS[len(finding.attempts) - 1] * finding.rules.gate.alpha / max(1, unproven)
    return spend_alpha(own, finding.looks)[max(0, finding.look - 1)]


def _give_up(finding: Finding, share: float) -> None:
    """End a test that has no more conversations, or that would hardly prove anything."""
    trial, rules = finding.attempts[-1], finding.rules
    left = finding.looks[-1] - finding.looks[finding.look - 1]
    if left and estimate_proof(trial, left, rules.gate.alpha, seen=True) >= HOPELESS:
        return
    finding.level = share
    doubt = trial.doubt_judge(rules)
    is_worse = any(
        item.prove_fail(rules.rule[n]) <= share * FAILED_SHARE
        for n, item in trial.evidence.items()
        if not doubt or rules.rule[n].measure != JUDGED
    )
    finding.kind = "worse" if is_worse else "undecided"
    finding.reason = "" if is_worse else doubt or "it was not proven that it is not worse"


def join(one: Evidence, other: Evidence) -> Evidence:
    """Join the evidence of two disjoint sets of tasks."""
    return Evidence(
        [*one.pairs, *other.pairs],
        [*one.demand, *other.demand],
        min(one.least, other.least),
        max(one.most, other.most),
        [*one.gains, *other.gains],
        one.is_bounded and other.is_bounded,
        one.alone + other.alone,
    )


def _get_worth(trial: Trial) -> float:
    return trial.promise * (1 - trial.candidate.cost)


def estimate_proof(trial: Trial, tasks: int, level: float, *, seen: bool = False) -> float:
    """Estimate how likely `tasks` more conversations prove that the candidate is not worse.

    It assumes that they are like those seen, and allows for how far these may be from the truth.
    seen: those count too.
    """
    chances: list[float] = []
    edge = NORMAL.inv_cdf(1 - level)
    for item in trial.evidence.values():
        if not item.pairs:
            continue
        values = [float(value) for value in item.demand]
        mean, deviation = get_spread(values)
        width = float(item.most - item.least)
        variance = max(deviation**2, _LEAST_VARIANCE * width**2 / 4)
        known = len(values)
        total = tasks + known if seen else tasks
        spread = math.sqrt(variance * (tasks + tasks**2 / known))
        needed = edge * math.sqrt(variance * total) - float(item.least)
        sure = known * mean if seen else 0.0
        chances.append(NORMAL.cdf((sure + tasks * mean - needed) / spread))
    return min(chances, default=0.0)
