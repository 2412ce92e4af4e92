"""What is measured in a replayed turn, against its recording, and what of it counts as worse.

Every measure is a number per turn, or None where it does not apply: a share is 1 or 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, Literal, TypedDict

from plainloop.agent.base.text.json_text import parse_json_object
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError, LimitReached
from plainloop.agent.types import INPUT_BUCKETS, OUTPUT_BUCKETS, sum_known

from ..live.lane import TurnResult
from ..live.tools import make_key
from ..live.words import WordMatcher

MOST_COMPARED_WORDS: Final = 3_000  # of each text: finding what is common takes quadratic time
JUDGED: Final = "judged"  # what a model as judge prefers: 1 this side, 0.5 neither, 0 the other
LIKED: Final = "liked"  # what users thought: of recorded answers alone
OF_DESIGNS: Final = frozenset({"same_route", "same_path"})  # mean nothing between two designs
# What is measured, beside cost and time, in a turn that ended where its worker would begin.
OF_ROUTING: Final = frozenset({"failed", "limit_hit", "same_route", "calls"})
# Nodes that only lead to the one that answers.
_WAY: Final = frozenset({"intent_classifier", "agent_router", "format_result"})

# What an answer took. Of a turn that was taken from another lane it is what that one took.
TAKEN: Final = frozenset({"tokens", "usd", "ms"})
Unit = Literal["share", "ratio", "count", "tokens", "usd", "ms"]
Take = Callable[[TurnResult, TurnResult], float | str | None]  # a cost is decimal text


@dataclass(frozen=True, slots=True)
class Measure:
    """A number by which turns are compared.

    take: computes it from a variant's turn and the recorded one. better: the better direction;
    None: neither.

    weight: how bad a worse turn is, for the order of a report; 0: cost, not quality.
    """

    name: str
    title: str
    unit: Unit
    better: Literal["more", "less"] | None
    take: Take
    weight: float = 0.0


class Change(TypedDict):
    """A measure of one turn that differs from the variant that it is compared with."""

    measure: str
    reference: float
    candidate: float


def measure_turn(turn: TurnResult, recorded: TurnResult) -> dict[str, float]:
    """Compare a turn with the recorded one, and return the measures' values by name.

    Measures that do not apply are left out.
    """
    is_routing = turn.get("is_routing", False)
    found = {
        measure.name: measure.take(turn, recorded)
        for measure in MEASURES
        if not is_routing or measure.name in OF_ROUTING or measure.unit in TAKEN
    }
    return {name: float(value) for name, value in found.items() if value is not None}


def list_changes(
    reference: Mapping[str, float], candidate: Mapping[str, float], ignored: Collection[str] = ()
) -> tuple[list[Change], list[Change]]:
    """List what the candidate does worse in a turn, and what it does better.

    Returns (worse, better). What is better in something heavier (an error gone) is not worse in
    something lighter (another route). Where the judge prefers one side, what weighs less than its
    word counts for nobody else: it has seen the tools and the answers.
    """
    worse: list[Change] = []
    better: list[Change] = []
    for measure in MEASURES:
        if not measure.weight or measure.name in ignored:
            continue
        if measure.name not in reference or measure.name not in candidate:
            continue
        before, now = reference[measure.name], candidate[measure.name]
        gain = now - before if measure.better == "more" else before - now
        change: Change = {"measure": measure.name, "reference": before, "candidate": now}
        if gain:
            (better if gain > 0 else worse).append(change)
    return overrule(worse, better), _heed_judge(better, worse)


def overrule(worse: Sequence[Change], better: Sequence[Change]) -> list[Change]:
    """Return the changes for the worse that weigh more than every change for the better."""
    least = max((BY_NAME[change["measure"]].weight for change in better), default=0.0)
    return [change for change in worse if BY_NAME[change["measure"]].weight > least]


def _heed_judge(changes: list[Change], other: list[Change]) -> list[Change]:
    """Drop the changes that weigh less than the judge's verdict for the other side."""
    if all(change["measure"] != JUDGED for change in other):
        return changes
    least = BY_NAME[JUDGED].weight
    return [change for change in changes if BY_NAME[change["measure"]].weight > least]


def rate_severity(changes: Sequence[Change]) -> float:
    """Rate how much a turn got worse, by the weights of its changes.

    0 if it did not.
    """
    return sum(BY_NAME[change["measure"]].weight for change in changes)


def choose_ignored(design: str | None) -> frozenset[str]:
    """Return the measures that say nothing about a candidate of another design.

    The design changes them on purpose.
    """
    return frozenset() if design is None else OF_DESIGNS


def count_changes(turns: Sequence[Sequence[Change]]) -> list[tuple[str, int]]:
    """Count the turns in which each measure changed.

    The measure with the largest weight comes first.
    """
    found = Counter(change["measure"] for changes in turns for change in changes)
    return [(measure.name, found[measure.name]) for measure in MEASURES if measure.name in found]


def find_route(path: Sequence[str]) -> list[str]:
    """List the workers that answered, in order, from the path of nodes.

    >>> find_route(["intent_classifier", "agent_router", "letters", "letters.tools", "letters"])
    ['letters']
    """
    bases = [node.partition(".")[0] for node in path]
    return list(dict.fromkeys(base for base in bases if base not in _WAY))


def compare_words(one: str, other: str) -> float:
    """Rate how alike two texts are, from 0 to 1.

    Compares their words in order.

    >>> compare_words("Room 7 is free.", "Room 8 is free.")
    0.75
    """
    words = [text.split()[:MOST_COMPARED_WORDS] for text in (one, other)]
    if words[0] == words[1]:
        return 1.0
    return WordMatcher(*words).ratio()


def rate_likeness(turn: TurnResult, other: TurnResult) -> float:
    """Rate how alike two answers to a turn are, from 0 to 1.

    Counts their route, their tool calls and their words.
    """
    measured = measure_turn(turn, other)
    named = ("same_route", "same_arguments", "similarity")
    return sum(measured[name] for name in named) / len(named)


def _list_names(turn: TurnResult) -> list[str]:
    """List a turn's called tools, sorted: calls of one answer run in parallel, in no order."""
    return sorted(use["name"] for use in turn["tools"])


def _list_keys(turn: TurnResult) -> list[str]:
    return sorted(make_key(use["name"], use["arguments"]) for use in turn["tools"])


def _is_json_kept(turn: TurnResult, recorded: TurnResult) -> bool | None:
    """Whether the answer is still a JSON object; None if the recorded one is not."""
    if not recorded["text"].lstrip().startswith("{") or not _is_json(recorded["text"]):
        return None
    return _is_json(turn["text"])


def _is_json(text: str) -> bool:
    try:
        parse_json_object(text)
    except InputError:
        return False
    return True


def _count_unrecorded_changes(turn: TurnResult, recorded: TurnResult) -> int:
    """Count the calls that change something and that the recorded turn does not have."""
    known = set(_list_keys(recorded))
    return sum(
        use.get("effect", "read") != "read"
        and use["served"] in ("closed", "sandbox")
        and make_key(use["name"], use["arguments"]) not in known
        for use in turn["tools"]
    )


def _count_asking(turn: TurnResult, recorded: TurnResult) -> int | None:
    """Count the calls that need approval because of their arguments' origin; None if untainted."""
    is_judged = turn.get("is_tainted", False)
    return sum(use.get("asks", False) for use in turn["tools"]) if is_judged else None


def _is_route_kept(turn: TurnResult, recorded: TurnResult) -> bool:
    """Whether the same workers or fast paths answered, these with the same queries."""
    if find_route(turn["path"]) != find_route(recorded["path"]):
        return False
    queries = (turn.get("queries"), recorded.get("queries"))
    return None in queries or queries[0] == queries[1]  # of older results they are unknown


def _is_path_kept(turn: TurnResult, recorded: TurnResult) -> bool:
    """Whether the nodes are the recorded ones, or fewer of them that made the same tool calls.

    Steps that were saved are no loss, as long as a review was not among them.
    """
    rest = iter(recorded["path"])
    return turn["path"] == recorded["path"] or (
        _list_keys(turn) == _list_keys(recorded)
        and bool(turn["verdicts"]) == bool(recorded["verdicts"])
        and all(node in rest for node in turn["path"])
    )


def _is_alike(show: Callable[[TurnResult], Any]) -> Take:
    return lambda turn, recorded: show(turn) == show(recorded)


def _take(key: Literal["calls", "cost_usd", "duration_ms", "problems"]) -> Take:
    return lambda turn, recorded: turn[key]


def _sum_tokens(*buckets: str) -> Take:
    return lambda turn, recorded: sum_known(*(turn["tokens"].get(name) for name in buckets))


# The worst first: so do reports list what got worse.
MEASURES: Final = (
    Measure(
        *("failed", "ended in an error", "share", "less"),
        lambda turn, recorded: turn["error"] not in (None, LimitReached.code),
        100,
    ),
    Measure(
        *("unrecorded_changes", "new calls that may write", "count", "less"),
        _count_unrecorded_changes,
        90,
    ),
    Measure(
        *("asks_for_outside", "calls that text from outside may have caused", "count", "less"),
        _count_asking,
        85,
    ),
    Measure(
        *("limit_hit", "ended by a limit", "share", "less"),
        lambda turn, recorded: turn["error"] == LimitReached.code,
        80,
    ),
    Measure("json_kept", "JSON where the recording has it", "share", "more", _is_json_kept, 60),
    Measure(
        *("review_passed", "passed the evaluator", "share", "more"),
        lambda turn, recorded: (
            turn["verdicts"][-1]["verdict"] == "pass" if turn["verdicts"] else None
        ),
        50,
    ),
    Measure(JUDGED, "preferred by the judge", "ratio", "more", lambda turn, recorded: None, 45),
    Measure(
        *("problems", "findings of the worker's check", "count", "less"), _take("problems"), 40
    ),
    Measure(*("same_route", "same worker or fast path", "share", "more"), _is_route_kept, 30),
    Measure(
        *("unmatched_calls", "tool calls not executed", "count", "less"),
        lambda turn, recorded: sum(use["served"] == "closed" for use in turn["tools"]),
        12,
    ),
    Measure("same_tools", "same tools", "share", "more", _is_alike(_list_names), 10),
    Measure(
        "same_arguments", "same tools and arguments", "share", "more", _is_alike(_list_keys), 5
    ),
    Measure(
        *("same_path", "same nodes in the same order, or fewer", "share", "more"), _is_path_kept, 2
    ),
    # Other words are no worse words: who must know it asks a judge.
    Measure(
        *("same_text", "same answer, word for word", "share", None),
        _is_alike(lambda turn: turn["text"].split()),
    ),
    Measure(
        *("similarity", "similarity of the answer's words", "ratio", None),
        lambda turn, recorded: compare_words(turn["text"], recorded["text"]),
    ),
    Measure(
        *(LIKED, "rated good by its user", "share", "more"),
        lambda turn, recorded: turn["rating"] == "up" if "rating" in turn else None,
    ),
    Measure("calls", "model calls", "count", "less", _take("calls")),
    Measure("input_tokens", "input tokens", "tokens", "less", _sum_tokens(*INPUT_BUCKETS)),
    # Of the cache neither more nor less is better by itself: what it is worth stands in the cost.
    Measure(
        *("cache_read_tokens", "  of these, read from a cache", "tokens", None),
        _sum_tokens("cache_read_tokens"),
    ),
    Measure(
        *("cache_write_tokens", "  of these, written to a cache", "tokens", None),
        _sum_tokens("cache_write_tokens", "cache_write_long_tokens"),
    ),
    Measure("output_tokens", "output tokens", "tokens", "less", _sum_tokens(*OUTPUT_BUCKETS)),
    Measure(
        *("reasoning_tokens", "  of these, reasoning", "tokens", None),
        _sum_tokens("reasoning_tokens"),
    ),
    Measure("cost_usd", "cost", "usd", "less", _take("cost_usd")),
    # A prompt that was just sent costs a tenth, which no changed prompt was: by this one they are
    # compared. Not stated of recordings.
    Measure(
        *("uncached_usd", "cost without a prompt cache", "usd", "less"),
        lambda turn, recorded: turn.get("uncached_usd"),
    ),
    Measure("duration_ms", "latency", "ms", "less", _take("duration_ms")),
)
BY_NAME: Final = {measure.name: measure for measure in MEASURES}
