"""Scores that need a model: embeddings for `similar`, a judge for `facts`, the judge's own check.

The verdicts of `facts` are those of OpenAI's and Braintrust's factuality scorer; a missing fact
does not pass.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import orjson

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.base.messages.object_schema import make_object_schema
from plainloop.agent.base.text.cleaning import cut_text
from plainloop.agent.base.text.json_text import parse_json_object
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError
from plainloop.agent.types import ChatRequest, JsonSchema

from ...live.lane import TurnResult
from ...report.judge_tally import BORNE_MISSING
from ..rules import Check, Rules
from .references import LAST, Kind, Score, identify
from .scorers import list_accepted

PASSING: Final = ("same", "more")
TEXT_CHARS: Final = 6_000  # of each text that a judge sees
MAX_TOKENS: Final = 1_000
CONTROLS: Final = 10  # known verdicts of each kind that a judge is asked for
MIN_CONTROLS: Final = 10  # of both kinds; with fewer nothing is known of the judge
VERDICT: Final = JsonSchema(
    "facts",
    make_object_schema(
        {
            "reason": {"type": "string"},
            "verdict": {"type": "string", "enum": ["same", "more", "fewer", "contradicts"]},
        }
    ),
)


@dataclass(frozen=True, slots=True)
class Pair:
    """An answer and what it should be. control: what a judge should say; None: not known."""

    kind: Kind
    answer: str
    expected: Any
    control: bool | None = None

    @property
    def key(self) -> str:
        """Return the key under which the pair's score is stored."""
        return identify(self.kind, self.answer, self.expected)


def list_pairs(
    rules: Rules, turns: Sequence[TurnResult], expected: Mapping[int, Any]
) -> Iterator[Pair]:
    """Yield each (answer, expected) pair of one conversation that a model must score."""
    for check in rules.check.values():
        for kind in check.scored_kinds:
            yield from (
                Pair(kind, answer, wanted)
                for answer, wanted in list_answers(check, turns, expected)
                if wanted is not None
            )


def list_answers(
    check: Check, turns: Sequence[TurnResult], expected: Mapping[int, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield the answers to which a check applies, as (answer, expected answer or None)."""
    if not turns:
        return
    last = turns[-1]["turn"]
    wanted = {last: expected[LAST], **expected} if LAST in expected else expected
    own = check.expected
    if check.of == "turn":
        for turn in turns:
            yield turn["text"], wanted.get(turn["turn"]) if own is None else own
        return
    meant = wanted.get(last) if own is None else own
    said = [turn["text"] for turn in turns]
    yield (said[-1] if check.of == "last" else "\n".join(said)), meant


def make_controls(expected: Iterable[Any]) -> list[Pair]:
    """Make pairs with a known verdict, to check a judge of facts.

    An expected text is paired with itself, and with another turn's text.
    """
    texts = list(dict.fromkeys(to_text(list_accepted(item)[0]) for item in expected))
    chosen = texts[:CONTROLS]
    same = [Pair("facts", text, text, control=True) for text in chosen]
    others = zip(chosen, [*texts[1:], texts[0]] if len(texts) > 1 else [], strict=False)
    return [*same, *(Pair("facts", other, text, control=False) for text, other in others)]


def doubt_judge(controls: Sequence[Score]) -> str:
    """Explain why a judge of facts cannot be trusted, or return "".

    controls: its scores of pairs with a known verdict.
    """
    if len(controls) < MIN_CONTROLS:
        return (
            f"the judge of facts was checked with {len(controls)} known verdicts only: with fewer "
            f"than {MIN_CONTROLS}, it is unknown whether it can be believed"
        )
    wrong = sum(score.value is None or bool(score.value) != score.control for score in controls)
    if wrong <= BORNE_MISSING * len(controls):
        return ""
    return f"the judge of facts was wrong in {wrong:,} of {len(controls):,} known verdicts"


def build_request(user: str, pair: Pair) -> ChatRequest:
    """Build the model request that compares an answer's facts with the expected ones.

    user: the request that was answered; "": it is not known.
    """
    accepted = " OR ".join(map(to_text, list_accepted(pair.expected)))
    text = "\n\n".join(
        (
            f"The user's request:\n{cut_text(user, TEXT_CHARS) or '(unknown)'}",
            f"Expected answer:\n<expected>\n{cut_text(accepted, TEXT_CHARS)}\n</expected>",
            f"Answer:\n<answer>\n{cut_text(pair.answer, TEXT_CHARS)}\n</answer>",
        )
    )
    return ChatRequest(
        system=Path(__file__).with_name("facts.md").read_text(encoding="utf-8").strip(),
        messages=[make_text_message("user", text)],
        json_schema=VERDICT,
        max_tokens=MAX_TOKENS,
    )


def read_verdict(text: str) -> float | None:
    """Parse a judge's verdict as 1 (passes) or 0.

    None if it cannot be read.

    >>> read_verdict('{"verdict": "more"}'), read_verdict('{"verdict": "fewer"}'), read_verdict("?")
    (1.0, 0.0, None)
    """
    try:
        verdict = parse_json_object(text).get("verdict")
    except InputError:
        return None
    known = ("same", "more", "fewer", "contradicts")
    return float(verdict in PASSING) if verdict in known else None


def measure_similarity(one: Sequence[float], other: Sequence[float]) -> float:
    """Compute the cosine of two embeddings.

    0 if it is negative.

    >>> measure_similarity([3, 4], [3, 4]), measure_similarity([1, 0], [0, 1])
    (1.0, 0.0)
    """
    size = math.sqrt(sum(x * x for x in one) * sum(x * x for x in other))
    product = sum(x * y for x, y in zip(one, other, strict=True))
    return round(max(0.0, product / size), 6) if size else 0.0


def to_text(value: Any) -> str:
    """Convert an expected value to text: JSON unless it is text already."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()
