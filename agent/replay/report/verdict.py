"""What a live replay's numbers allow to say: one sentence, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypedDict

from ..comparing.measures import BY_NAME, JUDGED
from .numbers import LIKELY, format_p

# worse, better: proven by a paired test. undecided: some conversations got worse, which may be
# chance. same: none did.
Kind = Literal["worse", "better", "undecided", "same"]
_HEADLINES: Final = {
    "worse": "The candidate is worse than the {reference}.",
    "better": "The candidate is better than the {reference}.",
    "undecided": "Not decided: what got worse may be chance.",
    "same": "Nothing got worse.",
}


class Verdict(TypedDict):
    kind: Kind
    headline: str
    reasons: list[str]


def decide_verdict(summary: Mapping[str, Any]) -> Verdict:
    """By the measures of quality only, each tested over conversations and corrected for their
    number. What the judge says for the candidate is overruled by what weighs more, not by less.

    summary: without its verdict.
    """
    proven = [
        item
        for item in summary["measures"]
        if BY_NAME[item["name"]].weight
        and item["difference"] is not None
        and item["difference"]["p_adjusted"] < LIKELY
    ]
    better = [item for item in proven if _is_gain(item)]
    least = BY_NAME[JUDGED].weight if any(item["name"] == JUDGED for item in better) else 0.0
    worse = [item for item in proven if not _is_gain(item) and BY_NAME[item["name"]].weight > least]
    kind: Kind = "undecided" if summary["worse"]["conversations"] else "same"
    if worse or summary["lost"]["p"] < LIKELY:
        kind = "worse"
    elif better:
        kind = "better"
    return {
        "kind": kind,
        "headline": _HEADLINES[kind].format(reference=summary["reference"]),
        "reasons": [*_explain_lost(summary), *map(_explain, [*worse, *better]), count(summary)],
    }


def count(summary: Mapping[str, Any]) -> str:
    """
    >>> worse, better = {"conversations": 1, "turns": 2}, {"conversations": 0}
    >>> summary = {"conversations": 3, "turns": 7, "reference": "baseline", "worse": worse}
    >>> count({**summary, "better": better})
    '1 of 3 conversations got worse than the baseline (2 of 7 turns), 0 only better'
    """
    worse, better = summary["worse"], summary["better"]
    return (
        f"{worse['conversations']:,} of {summary['conversations']:,} conversations got worse than "
        f"the {summary['reference']} ({worse['turns']:,} of {summary['turns']:,} turns), "
        f"{better['conversations']:,} only better"
    )


def _is_gain(item: Mapping[str, Any]) -> bool:
    found = item["difference"]
    return found["conversations_better"] > found["conversations_worse"]


def _explain(item: Mapping[str, Any]) -> str:
    found = item["difference"]
    sides: Sequence[int] = (found["conversations_better"], found["conversations_worse"])
    p = format_p(found["p_adjusted"])
    shown = f"p {p}" if p.startswith("<") else f"p = {p}"
    return f"{item['title']}: better in {sides[0]:,} conversations, worse in {sides[1]:,} ({shown})"


def _explain_lost(summary: Mapping[str, Any]) -> list[str]:
    lost = summary["lost"]["conversations"]
    return [f"{lost:,} conversations have no answer of the candidate, which failed"] if lost else []
