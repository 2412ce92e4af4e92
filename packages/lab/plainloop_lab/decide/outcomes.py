"""What one side came to, conversation by conversation: the numbers that rules ask for.

A side is a lane of a live replay's report, a recorded replay's report, or a file of conversations.
"""

from __future__ import annotations

import gzip
import hashlib
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import IO, Any, Final, cast

import orjson

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import ConfigError, InputError
from plainloop_lab.replay.report.report_files import REPORT_FILE, get_report_path, list_report
from plainloop_lab.replay.sources.conversations import Conversation
from plainloop_lab.replay.sources.openai_format import number_lines, parse_conversation, read_lines
from plainloop_lab.selection.features import name_length
from plainloop_rules.matching import guess_language

from ..comparing.comparison import RECORDING, choose_reference
from ..comparing.measures import BY_NAME, JUDGED, find_route, measure_turn
from ..comparing.recorded_side import build_imported_side
from ..live.lane import TurnResult
from ..live.plan import CANDIDATE
from ..report.judge_tally import JudgeTally
from .checks import measure_turns
from .expected.references import LAST, NO_REFERENCES, References
from .rules import SLICES, Rules, Slice

SAME: Final = "same"  # of recorded replays: the turn took the recorded way
REQUEST: Final = "first request "  # before the digest of a task that nobody declared
_LARGEST: Final = 1e15
_GZIP: Final = b"\x1f\x8b"

# By measure: the sum over the turns that had it, and how many did.
Values = Mapping[str, tuple[Fraction, int]]
Labels = Mapping[Slice, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one conversation on one side. is_lost: it was tried and has no answer.

    turns: those that the other numbers are of; None: some turn does not state it. costs_by_role:
    cost_usd by the calls' role; {}: some turn does not state it.
    """

    conversation_id: str
    task: str
    values: Values
    labels: Labels = field(default_factory=dict[Slice, frozenset[str]])
    is_lost: bool = False
    cost_usd: float | None = None
    turns: int = 0
    duration_ms: float | None = None
    reasoning_tokens: float | None = None
    costs_by_role: Mapping[str, float] = field(default_factory=dict[str, float])
    durations_ms: tuple[float, ...] = ()  # of each turn; (): some turn does not state it
    tally: JudgeTally | None = None  # how its judge judged; None: no rule is about that


# By conversation id, in the source's order.
Side = dict[str, Outcome]


@dataclass(frozen=True, slots=True)
class Place:
    """The file or folder that a side is read from. lane: its variant; None for the usual one."""

    path: Path
    lane: str | None = None


def has_path(path: str | Path) -> bool:
    """Whether a file or folder exists.

    False also for a name that no file can have.

    >>> has_path("."), has_path("a" * 300)
    (True, False)
    """
    return os.path.exists(path)  # noqa: PTH110 Path.exists raises OSError for a name too long


def parse_place(text: str) -> Place:
    """Parse "PATH" or "PATH:VARIANT" to the file and variant that `read_side` reads.

    >>> parse_place("before:baseline").lane
    'baseline'
    """
    name, colon, lane = text.rpartition(":")
    if colon and not has_path(text):
        return Place(Path(name), lane)
    return Place(Path(text))


def read_side(
    place: Place, rules: Rules, *, is_baseline: bool, references: References = NO_REFERENCES
) -> Side:
    """Read one side's outcomes of conversations, from a report or a JSONL file.

    The side is the baseline or the candidate. Raises: InputError for what cannot be read as one.
    """
    path = place.path / REPORT_FILE if place.path.is_dir() else place.path
    try:
        with path.open("rb") as file:
            is_report = file.read(1) == b"{" and path.name.endswith(".json")
        found = (
            _read_report(path, place.lane, rules, is_baseline, references) if is_report else None
        )
        lines = (take_line(line, number, rules, references) for number, line in list_lines(path))
        side = list(lines if found is None else found)
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror}",
            hint="Check the path and the file's permissions.",
        ) from error
    outcomes: Side = {}
    for outcome in side:
        if outcome.conversation_id in outcomes:
            raise InputError(
                f"{path} has the conversation {outcome.conversation_id!r} twice",
                hint="Remove one of the two lines.",
            )
        outcomes[outcome.conversation_id] = outcome
    if not outcomes:
        raise InputError(
            f"{path} contains no conversation",
            hint="With planned looks, wait until the replay has finished its first conversation."
            if is_report
            else "Write one outcome per line, one line per conversation.",
        )
    return outcomes


def take_lane(
    found: Mapping[str, Any], lane: str, rules: Rules, references: References = NO_REFERENCES
) -> Outcome | None:
    """Convert a conversation of a live report to the outcome of one variant.

    None if the variant has not replayed it yet.
    """
    said = " ".join(turn["user"] for turn in found["turns"])
    recorded = [turn["lanes"][RECORDING] for turn in found["turns"] if RECORDING in turn["lanes"]]
    unfinished = found["unfinished"].get(lane)
    if unfinished is not None and unfinished["status"] != "failed":
        return None
    turns = [turn for turn in found["turns"] if lane in turn["lanes"]]
    results: list[TurnResult] = [turn["lanes"][lane] for turn in turns]
    told = references.get_expected(found["conversation_id"])
    durations = [result["duration_ms"] for result in results]
    return Outcome(
        conversation_id=found["conversation_id"],
        task=find_task(found["conversation_id"], found, get_request(found["turns"]), rules),
        values=add_up([turn["measures"][lane] for turn in turns], results, rules, told, references),
        labels=_label(said, recorded, found),
        is_lost=unfinished is not None,
        cost_usd=add_known([result["cost_usd"] for result in results]),
        turns=len(results),
        duration_ms=add_known(durations),
        reasoning_tokens=add_known(
            [0 if not r["calls"] else r["tokens"]["reasoning_tokens"] for r in results]
        ),
        costs_by_role=add_by_role(results),
        durations_ms=() if None in durations else tuple(float(ms or 0) for ms in durations),
        tally=tally_judge(found) if any(r.measure == JUDGED for r in rules.rule) else None,
    )


def tally_judge(found: Mapping[str, Any]) -> JudgeTally:
    """Count the judge's decisions on the turns of one conversation in a live report."""
    tally = JudgeTally()
    reference = choose_reference([lane for turn in found["turns"] for lane in turn["lanes"]])
    for turn in found["turns"]:
        tally.add(turn, reference)
    return tally


def add_known(values: Sequence[Any]) -> float | None:
    """Add numbers, or return None if there are none or one is unknown.

    >>> add_known([1, 2]), add_known([1, None]), add_known([])
    (3.0, None, None)
    """
    return None if None in values or not values else math.fsum(map(float, values))


def add_by_role(results: Sequence[TurnResult]) -> dict[str, float]:
    """Sum the turns' costs in USD by model role.

    {} if a turn with a cost does not state its costs by role.
    """
    if any("by_role" not in result for result in results if float(result["cost_usd"] or 0)):
        return {}
    found: dict[str, float] = {}
    for result in results:
        for role, cost in result.get("by_role", {}).items():
            found[role] = found.get(role, 0.0) + float(cost)
    return found


def take_line(
    line: bytes, number: int, rules: Rules, references: References = NO_REFERENCES
) -> Outcome:
    """Convert a line in OpenAI's format to a conversation's outcome.

    The line's numeric fields are its measures.
    """
    conversation = parse_conversation(line, number, repair=True)
    results = build_imported_side(conversation)
    raw = read_fields(line)
    said = " ".join(get_text(turn.user) for turn in conversation.turns)
    own = {
        name: (_read_number(value, name, number), 1)
        for name, value in raw.items()
        if isinstance(value, (bool, int, float)) and name not in ("conversation_id", "id", "task")
    }
    measured = [measure_turn(result, result) for result in results]
    told = read_expected_answer(raw, conversation.conversation_id, references)
    values = add_up(measured, results, rules, told, references)
    return Outcome(
        conversation_id=conversation.conversation_id,
        task=find_task(conversation.conversation_id, raw, find_request(conversation), rules),
        values={**values, **own},
        labels=_label(said, results, raw),
        cost_usd=raw["cost_usd"] if isinstance(raw.get("cost_usd"), (int, float)) else None,
    )


def list_turns(
    place: Place, references: References
) -> Iterator[tuple[list[TurnResult], Mapping[int, Any], list[str]]]:
    """Yield the turns of each conversation on each side.

    An item is (turns, their expected answers, the user's requests).
    """
    path = get_report_path(place.path)
    if path.suffix == ".json":
        head, conversations = list_report(path)
        lanes = [*head.get("lanes", ())] if place.lane is None else [place.lane]
        for found in conversations:
            told = references.get_expected(found["conversation_id"])
            for lane in lanes:
                turns = [turn for turn in found["turns"] if lane in turn.get("lanes", ())]
                users = [turn["user"] for turn in turns]
                yield [turn["lanes"][lane] for turn in turns], told, users
        return
    for number, line in list_lines(path):
        conversation = parse_conversation(line, number, repair=True)
        raw = read_fields(line)
        told = read_expected_answer(raw, conversation.conversation_id, references)
        users = [get_text(turn.user) for turn in conversation.turns if turn.recorded]
        yield build_imported_side(conversation), told, users


def read_fields(line: bytes) -> dict[str, Any]:
    """Return all fields of a line in OpenAI's format.

    {} if the line is a bare list of messages.
    """
    return cast("dict[str, Any]", orjson.loads(line)) if line.lstrip().startswith(b"{") else {}


def read_expected_answer(
    raw: Mapping[str, Any], conversation_id: str, references: References
) -> dict[int, Any]:
    """Return a conversation's expected answers by turn.

    They come from the line itself and from the references, which win.
    """
    own = {LAST: raw["expected"]} if raw.get("expected") is not None else {}
    return {**own, **references.get_expected(conversation_id)}


def find_request(conversation: Conversation) -> str:
    """Return a conversation's first request that was answered.

    "" if there is none.
    """
    return next((get_text(turn.user) for turn in conversation.turns if turn.recorded), "")


def has_baseline(path: Path) -> bool:
    """Whether a path is the report of a live replay.

    Such a report includes the side to compare with.
    """
    return path.is_dir() and list_report(path / REPORT_FILE)[0].get("mode") == "live"


def list_measures(side: Iterable[Outcome]) -> list[str]:
    """List the names of all measures that occur in a side's outcomes."""
    return sorted({name for outcome in side for name in outcome.values})


def _read_report(
    path: Path, lane: str | None, rules: Rules, is_baseline: bool, references: References
) -> Iterator[Outcome]:
    head, conversations = list_report(path)
    if head.get("mode") == "recorded":
        for found in conversations:
            seen = [turn["outcome"] for turn in found["turns"] if turn["outcome"] != "unanswered"]
            same = sum(outcome in ("same", "partial") for outcome in seen)
            name = found["conversation_id"]
            values: Values = {SAME: (Fraction(same), len(seen))} if seen else {}
            yield Outcome(name, find_task(name, found, "", rules), values)
        return
    lanes = [*head["lanes"]]
    chosen = lane or (choose_reference(lanes) if is_baseline else CANDIDATE)
    if chosen not in (RECORDING, *lanes):
        raise InputError(
            f"{path} has no variant {chosen}", hint=f"Its variants are {', '.join(lanes)}."
        )
    for found in conversations:
        unfinished = [item for item in found["unfinished"].values() if item["status"] != "failed"]
        if unfinished and rules.gate.looks:
            return  # the later ones that have ended are the quick ones: no fair sample
        outcome = take_lane(found, chosen, rules, references)
        if outcome is not None:
            yield outcome


def list_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield (line number, line) of each conversation in a file, which may be compressed."""
    with path.open("rb") as file:
        is_packed = file.read(len(_GZIP)) == _GZIP
        file.seek(0)
        yield from number_lines(
            read_lines(cast("IO[bytes]", gzip.GzipFile(fileobj=file)) if is_packed else file)
        )


def name_task(conversation_id: str, raw: Mapping[str, Any], request: str) -> str:
    """Return the name of the task of which a conversation is a trial.

    It is the field `task`, else a hash of the first request, else the conversation's id. A question
    that is asked again is a trial of the same task, whoever copied it.

    >>> one, other = (name_task(name, {}, "A room  for two") for name in ("t1", "t2"))
    >>> one == other, name_task("t3", {}, ""), name_task("t4", {"task": 7}, "A room")
    (True, 't3', '7')
    """
    if "task" in raw:
        return str(raw["task"])
    said = " ".join(request.split())
    digest = hashlib.blake2b(said.encode(errors="surrogatepass"), digest_size=16).hexdigest()
    return f"{REQUEST}{digest}" if said else conversation_id


def get_request(turns: Sequence[Mapping[str, Any]]) -> str:
    """Return the first request of a report's conversation.

    "" without turns.
    """
    return turns[0]["user"] if turns else ""


def find_task(conversation_id: str, raw: Mapping[str, Any], request: str, rules: Rules) -> str:
    """Return the name of a conversation's task, by the rules' pattern or `name_task`.

    Raises: ConfigError.
    """
    if not rules.gate.task:
        return name_task(conversation_id, raw, request)
    found = re.search(rules.gate.task, conversation_id)
    if found is None or not found.groups():
        raise ConfigError(
            f"the regular expression task = {rules.gate.task!r} captures nothing in the "
            f"conversation id {conversation_id!r}",
            hint="Put the part that names the task in parentheses, as in ^(.+)-run.",
        )
    return found[1]


def _read_number(value: float, name: str, line: int) -> Fraction:
    if abs(value) > _LARGEST:
        raise InputError(
            f"line {line}: {name} is {value:g}, which is too large for a measurement",
            hint=f"Use a number from {-_LARGEST:g} to {_LARGEST:g}.",
        )
    return Fraction(value)


def add_up(
    measured: Sequence[Mapping[str, float]],
    results: Sequence[TurnResult],
    rules: Rules,
    expected: Mapping[int, Any],
    references: References,
) -> dict[str, tuple[Fraction, int]]:
    """Add up each measure and check of the rules over a conversation's turns.

    Returns (sum, count) by name.
    """
    asked = {rule.measure for rule in rules.rule}
    columns: dict[str, list[float]] = {
        name: [values[name] for values in measured if name in values]
        for name in asked & BY_NAME.keys()
    }
    for name in asked & rules.check.keys():
        found = measure_turns(rules.check[name], results, expected, references.scores)
        columns[name] = [value for value in found if value is not None]
    return {
        name: (sum(map(Fraction, values), Fraction(0)), len(values))
        for name, values in columns.items()
        if values
    }


def _label(said: str, recorded: Sequence[TurnResult], raw: Mapping[str, Any]) -> Labels:
    """Label a conversation for slices by its request and recording, never by new answers."""
    tags = raw.get("tags")
    found: dict[Slice, Iterable[str]] = {
        "worker": (name for result in recorded for name in find_route(result["path"])),
        "tool": (use["name"] for result in recorded for use in result["tools"]),
        "tag": map(str, cast("list[object]", tags)) if isinstance(tags, list) else (),
        "language": (guess_language(said),) if said else (),
        "length": (name_length(len(recorded)),),
        "rating": (result["rating"] for result in recorded if "rating" in result),
    }
    return {name: frozenset(found[name]) for name in SLICES}
