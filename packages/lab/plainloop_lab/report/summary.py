"""A live replay in numbers: each lane, and the candidate beside what it is held against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import LimitReached

from ..comparing.comparison import (
    RECORDING,
    Comparison,
    TurnComparison,
    choose_reference,
    differs,
    is_empty,
)
from ..comparing.measures import BY_NAME, JUDGED, LIKED, MEASURES, TAKEN, Measure
from ..live.labels import list_names
from ..live.plan import CANDIDATE
from .judge_tally import JudgeTally
from .sharing_tally import SharingTally
from .statistics import (
    Estimate,
    Interval,
    SampledConversations,
    adjust_for_many,
    bootstrap_intervals,
    bound_unanimous,
    compare_signs,
)
from .verdict import decide_verdict

KEPT_FAILURES: Final = 20
KEPT_NAMES: Final = 3  # of turns that are no reference, by how they ended
DIFFERENCE: Final = "difference"  # candidate minus reference, turn by turn
# Measures of a lane against the recording: of the recording itself they say nothing.
_OWN: Final = frozenset({"same_route", "same_tools", "same_arguments", "same_path", "same_text"})


@dataclass(slots=True)
class LiveSummary:
    """Sums over a replay of any size: what it keeps does not grow with it."""

    lanes: Sequence[str]
    seed: int = 0
    ignored: Collection[str] = ()  # measures by which nothing is worse or better
    is_judged: bool = False  # a model was asked as judge
    conversations: int = 0
    empty: int = 0  # beside these: there is nothing to compare in them
    turns: int = 0
    worse_conversations: int = 0
    better_conversations: int = 0
    differing_conversations: int = 0  # with something for people to judge
    worse_turns: int = 0
    lost: int = 0  # conversations in which only the candidate failed
    uncompared: int = 0  # conversations without a result of the candidate or its reference
    compared: int = 0  # turns that both answered
    differing: int = 0  # of them, those with other words
    unheard: int = 0  # of these, those of which neither judge nor people said anything
    unseen: int = 0  # of these, those of which no person did
    untimed: int = 0  # of those compared: their two times were not measured in the same run
    sharing: SharingTally = field(default_factory=SharingTally)
    judge: JudgeTally = field(default_factory=JudgeTally)
    unfinished: Counter[str] = field(default_factory=Counter[str])  # by lane
    # By lane, code and message: why conversations have no result; of bounded number.
    failures: Counter[tuple[str, str, str]] = field(default_factory=Counter[tuple[str, str, str]])
    closed: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    limited: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])  # turns
    # By code: turns that candidate and reference ended with, and the recording did not.
    strayed: Counter[str] = field(default_factory=Counter[str])
    # By how they ended: turns of the recording that are no reference, and the first of them.
    no_reference: Counter[str] = field(default_factory=Counter[str])
    named: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    models: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    # Of candidate and reference, those of which some answer that both gave has no known price.
    unpriced: set[str] = field(default_factory=set[str])
    _estimates: dict[str, Estimate] = field(default_factory=dict[str, Estimate])
    # By measure, in how many conversations the candidate did better, worse, the same.
    _signs: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    _sample: SampledConversations = field(init=False)

    def __post_init__(self) -> None:
        self._sample = SampledConversations(self.seed)

    @property
    def reference(self) -> str:
        """Return the name of the side that the candidate is compared with."""
        return choose_reference(self.lanes)

    def add(self, comparison: Comparison) -> None:
        """Add one conversation's comparison to the sums."""
        if is_empty(comparison):
            self.empty += 1
            return
        self.conversations += 1
        self.turns += len(comparison["turns"])
        self.worse_conversations += comparison["severity"] > 0
        self.worse_turns += sum(bool(turn["worse"]) for turn in comparison["turns"])
        is_better = any(turn["better"] for turn in comparison["turns"])
        self.better_conversations += is_better and not comparison["severity"]
        self.differing_conversations += differs(comparison, self.reference)
        unfinished = comparison["unfinished"]
        is_failed = unfinished.get(CANDIDATE, {}).get("status") == "failed"
        self.lost += is_failed and self.reference not in unfinished
        self.unfinished.update([*unfinished])
        self.uncompared += not unfinished.keys().isdisjoint((CANDIDATE, self.reference))
        for lane, why in unfinished.items():
            if why["status"] == "failed":
                key = (lane, why["code"], why["message"])
                if key not in self.failures and len(self.failures) >= KEPT_FAILURES:
                    key = (lane, why["code"], "…")
                self.failures[key] += 1
        self.sharing.add(comparison)
        for item in comparison.get("left_out", ()):
            self.no_reference[item["ended"]] += 1
            names = self.named.setdefault(item["ended"], [])
            if len(names) < KEPT_NAMES:
                names.append(f"{comparison['conversation_id']} turn {item['turn'] + 1}")
        for turn in comparison["turns"]:
            self._note_turn(turn, is_heard="people" in comparison)
        sums = self._sum_conversation(comparison)
        for key, (total, turns) in sums.items():
            self._estimates.setdefault(key, Estimate()).add(total, turns)
        self._count_signs(sums)
        self._sample.add(f"{comparison['n']} {comparison['conversation_id']}", sums)

    def to_json(self) -> dict[str, Any]:
        """Convert the sums to JSON, with intervals, tests and the verdict."""
        intervals = bootstrap_intervals(self._sample, self._estimates)
        tests = {
            name: compare_signs(signs["better"], signs["worse"])
            for name, signs in self._signs.items()
        }
        adjusted = adjust_for_many(tests)
        doubt = self.judge.find_doubt() if self.is_judged or self.judge.is_there else ""
        found: dict[str, Any] = {
            "conversations": self.conversations,
            "empty": self.empty,
            "turns": self.turns,
            "reference": self.reference,
            "worse": {"conversations": self.worse_conversations, "turns": self.worse_turns},
            "better": {"conversations": self.better_conversations},
            "differing": {"conversations": self.differing_conversations},
            "lost": {"conversations": self.lost, "p": compare_signs(0, self.lost)},
            "unfinished": dict(sorted(self.unfinished.items())),
            "uncompared": self.uncompared,
            "ignored": sorted(self.ignored),
            "answers": {  # turns
                "compared": self.compared,
                "differ": self.differing,
                # Whose words differ, and nobody who may be believed has compared them.
                "unjudged": self.unseen if doubt else self.unheard,
                "doubt": doubt,
                "untimed": self.untimed,
            },
            "sharing": self.sharing.to_json(),
            "failures": [
                {"lane": lane, "code": code, "message": message, "conversations": count}
                for (lane, code, message), count in self.failures.most_common()
            ],
            "limited": [
                {"lane": lane, "limit": limit, "turns": count}
                for (lane, limit), count in sorted(self.limited.items())
            ],
            "strayed": dict(sorted(self.strayed.items())),
            "no_reference": [
                {"ended": ended, "turns": count, "named": self.named[ended]}
                for ended, count in sorted(self.no_reference.items())
            ],
            "not_executed": [
                {"lane": lane, "tool": tool, "calls": count}
                for (lane, tool), count in sorted(self.closed.items())
            ],
            "models": {lane: sorted(found) for lane, found in self.models.items()},
            "measures": [
                self._describe(measure, intervals, tests, adjusted) for measure in MEASURES
            ],
        }
        return {"verdict": decide_verdict(found), **found}

    def _note_turn(self, turn: TurnComparison, *, is_heard: bool) -> None:
        """Add a turn's models, limits, tools and verdicts to the summary.

        is_heard: people judged it.
        """
        for lane, result in turn["lanes"].items():
            self.models.setdefault(lane, set()).update(list_names(result))
            if result["error"] == LimitReached.code and lane != RECORDING:
                self.limited[lane, result.get("limit", "")] += 1
            closed = (use["name"] for use in result["tools"] if use["served"] == "closed")
            self.closed.update((lane, name) for name in closed)
        self.judge.add(turn, self.reference)
        one, other = (turn["lanes"].get(lane) for lane in (CANDIDATE, self.reference))
        if one is None or other is None:
            return
        self.compared += 1
        self.untimed += turn.get("is_untimed", False)
        then = turn["lanes"][RECORDING]
        if one["error"] == other["error"] != then["error"] and one["error"] is not None:
            self.strayed[one["error"]] += 1
        if one["text"].split() == other["text"].split():
            return
        self.differing += 1
        if not is_heard:
            self.unseen += 1
            self.unheard += JUDGED not in turn["measures"][CANDIDATE]

    def _sum_conversation(self, comparison: Comparison) -> dict[str, tuple[float, int]]:
        sums: dict[str, tuple[float, int]] = {}
        for turn in comparison["turns"]:
            sides = (CANDIDATE, self.reference)
            found = list(turn["measures"].items())
            if list_answered(turn, sides) == sides:
                self.unpriced.update(
                    side for side in sides if "cost_usd" not in turn["measures"][side]
                )
            else:  # an answer that is missing on one side is not cheap
                found = [
                    (lane, drop_units(values, TAKEN) if lane in sides else values)
                    for lane, values in found
                ]
            is_untimed = turn.get("is_untimed", False)
            if is_untimed and self.reference != RECORDING:  # means of the same turns on both sides
                found = [
                    (lane, drop_units(values, {"ms"}) if lane in sides else values)
                    for lane, values in found
                ]
            pair = [dict(found).get(lane) for lane in sides]
            if pair[0] is not None and pair[1] is not None:
                first = drop_units(pair[0], {"ms"}) if is_untimed else pair[0]
                both = {name: first[name] - pair[1][name] for name in first if name in pair[1]}
                found.append((DIFFERENCE, both | dict.fromkeys(list_overruled(turn, both), 0.0)))
            for lane, values in found:
                for name, value in values.items():
                    total, turns = sums.get(f"{lane}/{name}", (0.0, 0))
                    sums[f"{lane}/{name}"] = (total + value, turns + 1)
        return sums

    def _count_signs(self, sums: dict[str, tuple[float, int]]) -> None:
        for measure in MEASURES:
            found = sums.get(f"{DIFFERENCE}/{measure.name}")
            if found is None or measure.better is None:
                continue
            gain = found[0] if measure.better == "more" else -found[0]
            sign = "same" if abs(gain) < 1e-9 else "better" if gain > 0 else "worse"
            self._signs.setdefault(measure.name, Counter())[sign] += 1

    def _describe(
        self,
        measure: Measure,
        intervals: dict[str, Interval],
        tests: dict[str, float],
        adjusted: dict[str, float],
    ) -> dict[str, Any]:
        lanes = {
            lane: self._estimate(f"{lane}/{measure.name}", measure, intervals)
            for lane in (RECORDING, *self.lanes)
            if not (lane == RECORDING and measure.name in {*_OWN, "similarity"})
        }
        difference = self._estimate(f"{DIFFERENCE}/{measure.name}", measure, intervals)
        if measure.unit == "usd" and self.unpriced:  # of some answers only it would be too little
            lanes = {lane: found for lane, found in lanes.items() if lane not in self.unpriced}
            difference = None
        signs = self._signs.get(measure.name)
        if difference is not None and signs is not None:
            difference |= {
                "conversations_better": signs["better"],
                "conversations_worse": signs["worse"],
                "conversations_same": signs["same"],
                "p": tests[measure.name],
                "p_adjusted": adjusted[measure.name],
            }
        return {
            "name": measure.name,
            "title": measure.title,
            "unit": measure.unit,
            "better": measure.better,
            "lanes": {lane: found for lane, found in lanes.items() if found is not None},
            "difference": difference,
        }

    def _estimate(
        self, key: str, measure: Measure, intervals: dict[str, Interval]
    ) -> dict[str, Any] | None:
        found = self._estimates.get(key)
        if found is None:
            return None
        interval = intervals.get(key)
        is_lane_share = measure.unit == "share" and not key.startswith(DIFFERENCE)
        if interval is None and is_lane_share and found.mean in (0.0, 1.0):
            interval = bound_unanimous(found.mean, found.conversations)
        bounds: dict[str, Any] = {"low": None, "high": None, **(interval or {})}
        return {"mean": found.mean, "total": found.total, "turns": found.turns, **bounds}


def list_answered(turn: TurnComparison, sides: Sequence[str]) -> tuple[str, ...]:
    """List the sides that answered a turn.

    An answer that a limit ended counts too.
    """
    found = ((side, turn["lanes"].get(side)) for side in sides)
    return tuple(
        side
        for side, result in found
        if result is not None and result["error"] in (None, LimitReached.code)
    )


def drop_units(values: Mapping[str, float], units: Collection[str]) -> dict[str, float]:
    """Return a turn's measures without those in these units."""
    return {name: value for name, value in values.items() if BY_NAME[name].unit not in units}


def list_overruled(turn: TurnComparison, differences: Mapping[str, float]) -> list[str]:
    """List measures in which a turn got worse, while a weightier measure got better."""
    least = max((BY_NAME[change["measure"]].weight for change in turn["better"]), default=0.0)
    signs = {"more": 1, "less": -1, None: 0}
    return [
        measure.name
        for measure in MEASURES
        if 0 < measure.weight < least
        and differences.get(measure.name, 0.0) * signs[measure.better] < 0
    ]


def list_measured(summary: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """List the measures that a variant has.

    Users' ratings, which only the recording has, are listed too.
    """
    return (
        item
        for item in summary["measures"]
        if set(item["lanes"]) - {RECORDING} or (item["name"] == LIKED and item["lanes"])
    )
