"""What answers are held against: expected answers, and the scores that models gave for them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import orjson

from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import InputError

from ...report.json_lines import read_json_lines

SCORES_FILE: Final = "scores.jsonl"
LAST: Final = -1  # in place of a turn: the last one
Kind = Literal["similar", "facts"]


class ExpectedLine(msgspec.Struct, frozen=True):
    """Says what the answer to a turn should be. turn None: the last one."""

    conversation_id: str = ""
    id: str = ""
    expected: Any = None
    turn: int | None = None


class Score(msgspec.Struct, frozen=True):
    """A model's score of an answer.

    key: `identify`. by: the model. value: 0 to 1; None: it could not be read. control: the known
    right verdict of a control pair.
    """

    kind: Kind
    key: str
    by: str
    value: float | None
    control: bool | None = None


@dataclass(frozen=True, slots=True)
class References:
    """Expected answers by conversation and turn, and models' scores by key."""

    expected: Mapping[str, Mapping[int, Any]] = field(default_factory=dict[str, Mapping[int, Any]])
    scores: Mapping[str, Score] = field(default_factory=dict[str, Score])
    controls: tuple[Score, ...] = ()

    def get_expected(self, conversation_id: str) -> Mapping[int, Any]:
        """Return a conversation's expected answers by turn.

        {} without any.
        """
        return self.expected.get(conversation_id, {})


NO_REFERENCES: Final = References()


def read_references(expected: Path | None, *scores: Path) -> References:
    """Read a file of expected answers and files of models' scores for them.

    Raises: InputError, with the line.
    """
    answers: dict[str, dict[int, Any]] = {}
    if expected is not None:
        for line in read_json_lines(expected, ExpectedLine):
            name = line.conversation_id or line.id
            if name and line.expected is not None:
                answers.setdefault(name, {})[LAST if line.turn is None else line.turn] = (
                    line.expected
                )
        if not answers:
            hint = 'Write lines of {"conversation_id": …, "expected": …}.'
            raise InputError(f"the file {expected} contains no expected answer", hint=hint)
    found = [score for path in scores for score in read_json_lines(path, Score)]
    return References(
        answers,
        {score.key: score for score in found if score.control is None},
        tuple(score for score in found if score.control is not None),
    )


def identify(kind: Kind, answer: str, expected: Any) -> str:
    """Return the key of a pair (answer, expected answer).

    It lets a model score equal pairs only once.
    """
    told = orjson.dumps([kind, answer, expected], option=orjson.OPT_SORT_KEYS)
    return hashlib.blake2b(told, digest_size=16).hexdigest()
