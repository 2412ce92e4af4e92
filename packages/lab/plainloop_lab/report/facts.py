"""What a reader must know of a live replay before its numbers, as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainloop.agent.base.text.cleaning import format_count

from .numbers import describe_tokens
from .sharing_tally import describe_sharing


def describe_facts(result: Mapping[str, Any]) -> dict[str, str]:
    """Describe a live replay's conditions (source, variants, judge and others) by name.

    result: head and summary of report.json.
    """
    summary, judge = result["summary"], result["judge"]
    rubric = " ".join(judge["rubric"].split()) if judge else ""
    return {
        "replay": f"{result['replay_id']} · {result['status']} · {result['created_at']}",
        "source": result["source"],
        "history": (
            "recorded: later turns see the recorded answers"
            if result["history"] == "recorded"
            else "own: later turns see their side's own answers, which may drift"
        ),
        **{name: describe_lane(name, lane, summary) for name, lane in result["lanes"].items()},
        "tools": describe_tools(result),
        "judge": (
            (f"{judge['model']}, called in both orders; a disagreement counts as a tie · {rubric}")
            if judge
            else ""
        ),
        "people": describe_people(result.get("people")),
        "paid": describe_ledger(result["ledger"]),
        "shared": describe_sharing(summary),
        "times": describe_untimed(summary),
        "not finished": ", ".join(
            f"{lane}: {count}" for lane, count in summary["unfinished"].items()
        ),
        "statistics": (
            f"95% intervals from resampled conversations (seed {result['seed']}); "
            "p: exact sign test over conversations, adjusted for the number of "
            "measures (Holm)"
        ),
    }


def describe_lane(name: str, lane: Mapping[str, Any], summary: Mapping[str, Any]) -> str:
    """Describe a variant by its models and what it changes.

    >>> plan = {"settings": {"AGENT_MODEL": "m"}, "design": None, "prompts": ["react"]}
    >>> describe_lane("candidate", plan, {"models": {"candidate": ["openai:m"]}})
    'openai:m · AGENT_MODEL=m · prompt for react'
    """
    models = ", ".join(summary["models"].get(name, []))
    return " · ".join(part for part in (models, describe_changes(lane)) if part)


def describe_changes(lane: Mapping[str, Any]) -> str:
    """Describe how a variant's settings, design and prompts differ from today's."""
    changes = [f"{key}={value}" for key, value in sorted(lane["settings"].items())]
    if lane["design"]:
        changes.append(f"design {lane['design']}")
    if lane["prompts"]:
        changes.append(f"prompt for {', '.join(lane['prompts'])}")
    return " · ".join(changes) or "as it is today"


def describe_tools(result: Mapping[str, Any]) -> str:
    """Describe how tool calls were answered in a live replay.

    Names those that were not executed.
    """
    rule = "answered from the recording"
    if result["sandbox"]:
        rule = "read and write tools run on a copy of today's rows, all others from the recording"
    elif result["allow_reads"]:
        rule += "; read tools without a recorded result were executed"
    closed = result["summary"]["not_executed"]
    if not closed:
        return rule if result["sandbox"] else f"{rule}; every call had a recorded result"
    lanes = dict.fromkeys(item["lane"] for item in closed)
    listed = "; ".join(
        f"{lane}: " + ", ".join(f"{i['tool']} ×{i['calls']}" for i in closed if i["lane"] == lane)
        for lane in lanes
    )
    return f"{rule}. Not executed, because not recorded: {listed}"


def describe_untimed(summary: Mapping[str, Any]) -> str:
    """Describe of how many turns the two sides' times are not compared, and why.

    "" if all are.

    >>> describe_untimed({"reference": "baseline", "answers": {"compared": 9, "untimed": 4}})
    "4 of 9 turns not compared: today's answers were timed in an earlier replay"
    """
    compared, untimed = (summary["answers"].get(name, 0) for name in ("compared", "untimed"))
    if not untimed:
        return ""
    then = (
        "the recorded answers were timed then"
        if summary["reference"] == "recording"
        else "today's answers were timed in an earlier replay"
    )
    return f"{untimed:,} of {format_count(compared, 'turn')} not compared: {then}"


def describe_people(people: Mapping[str, Any] | None) -> str:
    """Describe people's verdicts on a replay, with a sign test.

    "" without verdicts.

    >>> describe_people({"better": 8, "worse": 1, "same": 3, "named": 2, "p": 0.04})
    '12 conversations judged: 8 better, 1 worse, 3 the same · p 0.04 (sign test), 2 seen with names'
    """
    judged = sum(people[name] for name in ("better", "worse", "same")) if people else 0
    if not people or not judged:
        return ""
    counts = f"{people['better']:,} better, {people['worse']:,} worse, {people['same']:,} the same"
    named = f", {people['named']:,} seen with names" if people.get("named") else ""
    tested = f"p {people['p']:.2g} (sign test){named}"
    return f"{format_count(judged, 'conversation')} judged: {counts} · {tested}"


def describe_ledger(ledger: Mapping[str, Any]) -> str:
    """Describe a replay's model calls, tokens and cost, by the usage ledger."""
    cost = ledger["cost_usd"]
    price = "price unknown" if cost is None else f"${float(cost):,.4f}"
    way = " by batch API" if ledger.get("batched") else ""
    return f"{ledger['calls']:,} model calls{way} · {describe_tokens(ledger)} · {price}"
