"""What a live replay's numbers allow to say: one sentence, and what it rests on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Literal, TypedDict

from plainloop.agent.base.text.cleaning import format_count

from ..comparing.measures import BY_NAME, JUDGED, OF_DESIGNS
from .judge_tally import BORNE_MISSING
from .numbers import LIKELY, format_p
from .sharing_tally import describe_sharing, describe_use, is_all_shared

# worse, better: proven by a paired test. undecided: some conversations got worse, which may be
# chance, or are not compared yet. unjudged: none did, of what was compared, but other answers were
# given and nobody said whether they are as good. same: nothing got worse. none: nothing has run.
Kind = Literal["worse", "better", "undecided", "unjudged", "same", "none"]
EXIT_CODES: Final[Mapping[Kind, int]] = {
    "worse": 1,
    "better": 0,
    "undecided": 10,
    "unjudged": 10,
    "same": 0,
    "none": 10,
}


# How a recorded turn ended that nothing can be held against.
ENDED: Final[Mapping[str, str]] = {
    "cancelled": "was cancelled",
    "failed": "failed",
    "limit": "reached a limit",
    "running": "had not ended",
    "unanswered": "had no answer",
    "waiting": "waited for an approval",
}


class Verdict(TypedDict):
    kind: Kind
    headline: str
    reasons: list[str]


def decide_verdict(summary: Mapping[str, Any]) -> Verdict:
    """Decide a live replay's verdict from the proven differences in its quality measures.

    Each is tested over conversations. The judge's verdict for the candidate is overruled by what
    weighs more, not by less.

    summary: without its verdict.
    """
    answers = summary["answers"]
    ignored = {*summary["ignored"], *([JUDGED] if answers["doubt"] else ())}
    proven = [
        item
        for item in summary["measures"]
        if BY_NAME[item["name"]].weight
        and item["name"] not in ignored
        and item["difference"] is not None
        and item["difference"]["p_adjusted"] < LIKELY
    ]
    better = [item for item in proven if _is_gain(item)]
    least = BY_NAME[JUDGED].weight if any(item["name"] == JUDGED for item in better) else 0.0
    worse = [item for item in proven if not _is_gain(item) and BY_NAME[item["name"]].weight > least]
    kind: Kind = (
        "better" if better else "undecided" if summary["worse"]["conversations"] else "same"
    )
    if worse or summary["lost"]["p"] < LIKELY:
        kind = "worse"
    elif not answers["compared"]:
        kind = "none"
    elif (
        _is_partial(summary)
        or summary["sharing"]["is_void"]
        or (kind == "same" and summary["strayed"])
    ):
        kind = "undecided"
    elif kind != "undecided" and answers["unjudged"] > BORNE_MISSING * answers["differ"]:
        kind = "unjudged"
    lost, reasons = summary["lost"]["conversations"], list[str]()
    if lost:
        reasons.append(f"the candidate failed in {lost:,} conversations, which have no answer")
    if silent := summary["unfinished"]:
        named = ", ".join(f"{lane} {number:,}" for lane, number in silent.items())
        reasons.append(f"conversations without a result: {named}")
    if limited := _list_limited(summary):
        reasons.append(f"turns ended by a limit: {limited}")
    if strayed := _list_strayed(summary):
        reasons.append(f"turns that ended on both sides otherwise than in the recording: {strayed}")
    if empty := summary["empty"]:
        reasons.append(
            f"nothing to compare in {format_count(empty, 'conversation')}: no answer was recorded"
        )
    reasons += (describe_no_reference(item) for item in summary["no_reference"])
    reasons += map(_explain, [*worse, *better])
    if answers["compared"]:
        reasons += [count(summary), describe_compared(summary, ignored)]
    if told := describe_sharing(summary):
        reasons.append(told)
    headline = _write_headline(kind, summary, is_better=bool(better))
    if used := describe_use(summary["sharing"], summary["worse"]["conversations"]):
        headline = f"{headline} {used}"
    return {"kind": kind, "headline": headline, "reasons": reasons}


def _write_headline(kind: Kind, summary: Mapping[str, Any], *, is_better: bool) -> str:
    """Write the verdict in one sentence, then what was not compared or judged."""
    answers, reference = summary["answers"], summary["reference"]
    said = f"The text of the answers was not judged: {answers['unjudged']:,} of "
    said += f"{answers['compared']:,} differ."
    if answers["doubt"]:
        said = f"It is unknown which answers are better: {answers['doubt']}."
    unjudged = f" {said}" if answers["unjudged"] else ""
    match kind:
        case "none":
            return "Nothing was compared: no turn has an answer on both sides."
        case "undecided" if summary["sharing"]["is_void"]:
            return (
                "Not decided: answers shared with the recording are not valid; run a "
                f"baseline.{unjudged}"
            )
        case "same" if summary["limited"]:
            return f"Nothing got worse, but limits ended turns: {_list_limited(summary)}.{unjudged}"
        case "same" if is_all_shared(summary["sharing"]):
            return f"Nothing differs: every request equals the {reference}'s, byte for byte."
        case "undecided" if _is_partial(summary):
            compared = summary["conversations"] - summary["uncompared"]
            told = f"{compared:,} of {summary['conversations']:,} conversations"
            return f"Not decided: only {told} have a result on both sides.{unjudged}"
        case "undecided" if summary["strayed"] and not summary["worse"]["conversations"]:
            told = _list_limited(summary) or _list_strayed(summary)
            return f"Not decided: both sides ended otherwise than the recording: {told}.{unjudged}"
        case "undecided":
            return f"Not decided: what got worse may be due to chance.{unjudged}"
        case "unjudged":
            route = "" if {*summary["ignored"]} & OF_DESIGNS else ", route"
            found = "better" if is_better else "not worse"
            return f"Tools, errors{route}: {found} than the {reference}'s.{unjudged}"
        case "same":
            return f"Nothing got worse.{unjudged}"
        case _:
            return f"The candidate is {kind} than the {reference}.{unjudged}"


def describe_no_reference(item: Mapping[str, Any]) -> str:
    """Describe the turns that were left out because the recording has no complete answer.

    >>> describe_no_reference({"ended": "waiting", "turns": 4, "named": ["t1 turn 1", "t2 turn 3"]})
    'left out, 4 turns that waited for an approval in the recording: t1 turn 1, t2 turn 3, …'
    """
    count, named = item["turns"], item["named"]
    more = ", …" if count > len(named) else ""
    told = f"left out, {format_count(count, 'turn')} that {ENDED[item['ended']]} in the recording"
    return f"{told}: {', '.join(named)}{more}"


def _list_strayed(summary: Mapping[str, Any]) -> str:
    return ", ".join(f"{count:,} by {code}" for code, count in summary["strayed"].items())


def _list_limited(summary: Mapping[str, Any]) -> str:
    """Describe by variant how many turns a limit ended, and which limit; "" if none."""
    found = summary["limited"]
    return ", ".join(
        f"{each['lane']} {each['turns']:,}" + (f" ({each['limit']})" if each["limit"] else "")
        for each in found
    )


def _is_partial(summary: Mapping[str, Any]) -> bool:
    return summary["uncompared"] > BORNE_MISSING * summary["conversations"]


def count(summary: Mapping[str, Any]) -> str:
    """Describe how many conversations and turns got worse or better.

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


def describe_compared(summary: Mapping[str, Any], ignored: Collection[str]) -> str:
    """Name the measures by which a turn can count as worse.

    They show what “0 worse” covers.
    """
    titles = [
        item["title"]
        for item in summary["measures"]
        if BY_NAME[item["name"]].weight
        and item["name"] not in ignored
        and item["difference"] is not None
    ]
    return f"compared by: {', '.join(titles)}; wording, tokens, cost and latency do not count"


def _is_gain(item: Mapping[str, Any]) -> bool:
    found = item["difference"]
    return found["conversations_better"] > found["conversations_worse"]


def _explain(item: Mapping[str, Any]) -> str:
    found = item["difference"]
    sides: Sequence[int] = (found["conversations_better"], found["conversations_worse"])
    p = format_p(found["p_adjusted"])
    shown = f"p {p}" if p.startswith("<") else f"p = {p}"
    return f"{item['title']}: better in {sides[0]:,} conversations, worse in {sides[1]:,} ({shown})"
