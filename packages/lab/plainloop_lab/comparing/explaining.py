"""The first difference of a replayed conversation, its likely cause, and how to run it again."""

from __future__ import annotations

import shlex
from typing import Final, Literal, TypedDict

from ..live.lane import TurnResult
from ..live.plan import BASELINE, CANDIDATE, LanePlan, LivePlan
from ..live.tools import make_key
from .comparison import RECORDING, Comparison
from .differences import describe_differences
from .measures import find_route

CauseKind = Literal["prompt", "model", "design", "tool", "order", "rule", "settings", "chance"]
NAMES: Final = {RECORDING: "the recording", BASELINE: "today", CANDIDATE: "the candidate"}


class Explanation(TypedDict):
    """Says why a conversation differs. turn: the first that does. cause: what to look at first."""

    turn: int
    cause: CauseKind
    sentence: str


def explain_difference(
    comparison: Comparison, reference: str, plan: LivePlan
) -> Explanation | None:
    """Explain the first turn in which a conversation's sides differ.

    None if all are equal.
    """
    for turn in comparison["turns"]:
        sides = turn["lanes"].get(reference), turn["lanes"].get(CANDIDATE)
        if sides[0] is None or sides[1] is None:
            continue
        lines = describe_differences(sides[0], sides[1], (NAMES[reference], NAMES[CANDIDATE]))
        if not lines and list_keys(sides[0]) != list_keys(sides[1]):
            lines = ["the same tools are called in another order"]
        if lines:
            change = describe_change(plan)
            told = f"With {change}, turn {turn['turn'] + 1} is the first that differs: {lines[0]}."
            return {
                "turn": turn["turn"],
                "cause": choose_cause(sides[0], sides[1], plan),
                "sentence": told,
            }
    return None


def choose_cause(one: TurnResult, other: TurnResult, plan: LivePlan) -> CauseKind:
    """Choose the likely cause of a difference between two answers to a turn.

    The route comes first, then the tool calls, then what the candidate changes.
    """
    if find_route(one["path"]) != find_route(other["path"]):
        return "rule"
    keys = [
        [make_key(use["name"], use["arguments"]) for use in side["tools"]] for side in (one, other)
    ]
    if keys[0] != keys[1]:
        return "order" if sorted(keys[0]) == sorted(keys[1]) else "tool"
    lane = plan.lanes[CANDIDATE]
    if lane.prompts:
        return "prompt"
    if any("MODEL" in name or "PROVIDER" in name for name in lane.settings):
        return "model"
    return "design" if lane.design else "settings" if lane.settings else "chance"


def list_keys(side: TurnResult) -> list[str]:
    """List a turn's tool calls as keys that are equal for equal calls, in order."""
    return [make_key(use["name"], use["arguments"]) for use in side["tools"]]


def describe_change(plan: LivePlan) -> str:
    """Describe what the candidate changes from today's configuration."""
    if plan.lanes[CANDIDATE] == LanePlan():
        return "today's configuration"
    return plan.name.partition(" against ")[0]


def write_command(comparison: Comparison, plan: LivePlan, *, is_thread: bool) -> str:
    """Write the shell command that replays this conversation again.

    DIR and FILE.jsonl stand for what the replay does not know: the folder of its prompts, and its
    file.
    """
    lane = plan.lanes[CANDIDATE]
    where = ["--thread", comparison.get("task", comparison["conversation_id"])]
    words = ["plainloop", "replay", "live", *(where if is_thread else ["--from", "FILE.jsonl"])]
    words += ["--prompts", "DIR"] if lane.prompts else []
    words += ["--design", lane.design] if lane.design else []
    for name, value in sorted(lane.settings.items()):
        words += ["--set", f"{name}={value}"]
    words += ["--only-routing"] if plan.role else []
    words += [] if BASELINE in plan.lanes else ["--no-baseline"]
    return shlex.join(words)
