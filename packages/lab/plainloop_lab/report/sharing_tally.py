"""How much of a live replay was not bought, and whether the recording may stand for today."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.dataclasses import dataclass, field

from ..comparing.comparison import Comparison, count_bought
from ..live.lane import sum_costs
from ..live.plan import CANDIDATE
from .numbers import LIKELY
from .statistics import bound_share, compare_signs

# Conversations that must all be less like their recording before that is no chance any more.
LEAST_DRIFTED: Final = 5


@dataclass(slots=True)
class SharingTally:
    """Counts what lanes took from each other, conversation by conversation.

    is_changed: the candidate has another model, prompt, design or setting.
    """

    is_changed: bool = True
    answered: int = 0  # conversations that the candidate has answered
    touched: int = 0  # of these, those in which some request was not the reference's
    calls: Counter[str] = field(default_factory=Counter[str])  # by "bought" or "shared"
    tokens: int = 0  # that were not bought
    cost_usd: str | None = "0"  # likewise; None when a price is not known
    # Of the drift sample: less like the recording than today's own second answer, more, the same.
    drift: Counter[str] = field(default_factory=Counter[str])

    def add(self, comparison: Comparison) -> None:
        """Count the candidate's bought and shared calls in a conversation.

        Also counts whether its drift checks differ from the recording.
        """
        lanes = [turn["lanes"] for turn in comparison["turns"]]
        sides = [lane[CANDIDATE] for lane in lanes if CANDIDATE in lane]
        self.answered += bool(sides)
        self.touched += uses_change(comparison)
        for side in sides:
            self.calls["bought"] += count_bought(side)
            if (taken := side.get("shared")) is not None:
                self.calls["shared"] += taken["calls"]
                self.tokens += taken["tokens"]
                self.cost_usd = sum_costs([self.cost_usd, taken["cost_usd"]])
        if (gain := comparison.get("drift")) is not None:
            sign = "same" if abs(gain) < 1e-9 else "more" if gain > 0 else "less"
            self.drift[sign] += 1

    def to_json(self) -> dict[str, Any]:
        """Convert the tally to JSON.

        `is_void` is true if today's model was proven to answer differently than recorded.
        """
        less, more = self.drift["less"], self.drift["more"]
        # One-sided: the three answers are alike, so that each sign is as likely, or they are not.
        is_void = less > more and compare_signs(less, more) < 2 * LIKELY
        return {
            "conversations": self.answered,
            "touched": self.touched,
            "is_changed": self.is_changed,
            "bought_calls": self.calls["bought"],
            "shared_calls": self.calls["shared"],
            "saved_tokens": self.tokens,
            "saved_usd": self.cost_usd,
            "drift": {**self.drift, "conversations": self.drift.total()},
            "is_void": is_void,
        }


def uses_change(comparison: Comparison) -> bool:
    """Whether some request of the candidate in a conversation was not its reference's."""
    lanes = [turn["lanes"] for turn in comparison["turns"]]
    return any(count_bought(lane[CANDIDATE]) for lane in lanes if CANDIDATE in lane)


def describe_use(sharing: Mapping[str, Any], worse: int) -> str:
    """Describe how many conversations used what the candidate changes, and what that proves.

    worse: conversations that got worse. "" if all used it, or nothing was requested.

    >>> describe_use({"shared_calls": 9, "touched": 4, "conversations": 12}, 0)
    '4 of 12 conversations used the change; of those, at worst 53 of 100 get worse.'
    """
    touched, answered = sharing["touched"], sharing["conversations"]
    if touched == answered or not (touched or sharing["shared_calls"]):
        return ""
    told = f"{touched:,} of {format_count(answered, 'conversation')} used the change"
    if not touched:
        return f"{told}."
    most = math.ceil(100 * bound_share(min(worse, touched), touched))
    return f"{told}; of those, at worst {most} of 100 get worse."


def is_all_shared(sharing: Mapping[str, Any]) -> bool:
    """Whether all the candidate's answers were shared, so that none was bought."""
    return bool(sharing["shared_calls"]) and not sharing["touched"]


def describe_sharing(summary: Mapping[str, Any]) -> str:
    """Describe how many of the candidate's calls were bought and how many were shared.

    "" if none was shared.
    """
    found = summary["sharing"]
    if not found["shared_calls"]:
        return ""
    usd = found["saved_usd"]
    saved = "price unknown" if usd is None else f"${float(usd):,.4f} saved"
    used = describe_use(found, summary["worse"]["conversations"]).removesuffix(".") or (
        f"{found['touched']:,} of "
        f"{format_count(found['conversations'], 'conversation')} used the change"
    )
    told = (
        f"{used}; "
        f"{found['bought_calls']:,} calls bought, {found['shared_calls']:,} taken "
        f"from the {summary['reference']}: {found['saved_tokens']:,} tokens, "
        f"{saved}"
    )
    return told if summary["reference"] != "recording" else f"{told} · {describe_drift(found)}"


def describe_drift(sharing: Mapping[str, Any]) -> str:
    """Describe whether today's model still answers as recorded, in a sample of conversations."""
    drift = sharing["drift"]
    if sharing["is_void"]:
        return (
            f"{drift['less']:,} of {drift['conversations']:,} sampled conversations are "
            "answered differently today than in the recording, more than today's answers "
            "differ among themselves: answers taken from the recording do not count"
        )
    few = ", too few to tell" if drift["conversations"] < LEAST_DRIFTED else ""
    return f"{format_count(drift['conversations'], 'conversation')} checked for drift{few}"
