"""Own assertions on answers and tool calls."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Protocol, cast

import orjson

from plainloop.agent.base.caching.functions import cached_by_bytes
from plainloop.agent.errors import ConfigError, InputError

from ..live.lane import TurnResult
from .expected.references import LAST, Kind, Score, identify
from .expected.scorers import equals_json, score_equals, score_json_path, score_numbers
from .rules import Check

NO_EXPECTED: Final[Mapping[int, Any]] = MappingProxyType({})
NO_SCORES: Final[Mapping[str, Score]] = MappingProxyType({})


class _Validator(Protocol):
    def is_valid(self, instance: object) -> bool: ...


def measure_turns(
    check: Check,
    turns: Sequence[TurnResult],
    expected: Mapping[int, Any] = NO_EXPECTED,
    scores: Mapping[str, Score] = NO_SCORES,
) -> list[float | None]:
    """Measure a conversation's turns by a check.

    None for turns to which it does not apply. A check of the whole conversation has its value at
    the last turn. expected: by turn, or `LAST`.

    Raises: as `judge_answer`.
    """
    if not turns:
        return []
    last = turns[-1]
    wanted = {last["turn"]: expected[LAST], **expected} if LAST in expected else expected
    if check.of == "turn":
        return [
            judge_answer(check, turn["text"], turn["tools"], wanted.get(turn["turn"]), scores)
            for turn in turns
        ]
    meant = wanted.get(last["turn"])
    if check.of == "last":
        found = judge_answer(check, last["text"], last["tools"], meant, scores)
    else:
        calls = [call for turn in turns for call in turn["tools"]]
        said = "\n".join(turn["text"] for turn in turns)
        found = judge_answer(check, said, calls, meant, scores)
    return [*([None] * (len(turns) - 1)), found]


def judge_answer(
    check: Check,
    answer: str,
    calls: Sequence[Mapping[str, Any]],
    expected: Any = None,
    scores: Mapping[str, Score] = NO_SCORES,
) -> float | None:
    """Check one answer and its tool calls.

    Returns 1 or 0, a function's number, or None if the check does not apply. Raises: ConfigError
    for a function, its result, a schema or a path that cannot be used; InputError where a model
    must score the answer first.

    >>> call = {"name": "book", "arguments": {"room": 7, "beds": 2}}
    >>> judge_answer(Check(called="book", arguments={"room": 7}, lacks="sorry"), "Done.", [call])
    1.0
    """
    wanted = expected if check.expected is None else check.expected
    if wanted is None and check.needs_expected:
        return None
    text = answer.casefold()
    is_fitting = check.json_schema is None or _fits(check.json_schema, answer)
    names = {call["name"] for call in calls}
    holds = (
        all(part.casefold() in text for part in _list(check.contains))
        and not any(part.casefold() in text for part in _list(check.lacks))
        and (not check.regex or re.search(check.regex, answer) is not None)
        and all(_is_called(name, check.arguments, calls) for name in _list(check.called))
        and not names.intersection(_list(check.not_called))
        and is_fitting
        and is_expected(check, answer, wanted)
    )
    for kind in check.scored_kinds:  # also where it fails: an answer that no model saw is an error
        value = find_score(kind, answer, wanted, scores)
        if value is None:
            return None
        holds = holds and value >= (check.similar if kind == "similar" and check.similar else 1)
    if not holds or not check.python:
        return float(holds)
    value = float(_load_function(check.python)(answer, list(calls)))
    if not 0 <= value <= 1:  # proofs and bets hold only for shares
        raise ConfigError(
            f"python = {check.python!r} returned {value}, which is not from 0 to 1",
            hint="Return true, false or a share.",
        )
    return value


def is_expected(check: Check, answer: str, expected: Any) -> bool:
    """Whether an answer passes the checks that need no model: `equals`, `numbers`, `json_path`."""
    tolerance = 0.0 if check.numbers is True else float(check.numbers)
    return (
        (not check.equals or score_equals(answer, expected))
        and (check.numbers is False or score_numbers(answer, expected, tolerance))
        and (not check.json_path or score_json_path(answer, check.json_path, expected))
    )


def find_score(kind: Kind, answer: str, expected: Any, scores: Mapping[str, Score]) -> float | None:
    """Return a model's score of an answer against the expected one.

    None if it was unreadable. Raises: InputError: none was asked.
    """
    score = scores.get(identify(kind, answer, expected))
    if score is None:
        raise InputError(
            f"an answer has no score for {kind}",
            hint="Run `plainloop score RULES.toml --candidate …` first, with the same files.",
        )
    return score.value


def _list(texts: str | tuple[str, ...]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else texts


def _is_called(name: str, arguments: Mapping[str, Any], calls: Sequence[Mapping[str, Any]]) -> bool:
    return any(
        call["name"] == name
        and arguments.keys() <= call["arguments"].keys()
        and all(equals_json(value, call["arguments"][key]) for key, value in arguments.items())
        for call in calls
    )


def _fits(schema: Mapping[str, Any], answer: str) -> bool:
    validator = _make_validator(orjson.dumps(schema))
    try:
        return validator.is_valid(orjson.loads(answer))
    except orjson.JSONDecodeError:
        return False


@cached_by_bytes()
def _make_validator(schema: bytes) -> _Validator:
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import validator_for

    read = orjson.loads(schema)
    kind: Any = validator_for(read)
    try:
        kind.check_schema(read)
    except SchemaError as error:
        raise ConfigError(
            f"json_schema is not a JSON Schema: {error.message}",
            hint="Correct the schema in the rules.",
        ) from error
    return kind(read)


@cache
def _load_function(name: str) -> Callable[[str, list[Any]], float]:
    module, _, function = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(
            f"python = {name!r}: {error}", hint='Write "package.module:function".'
        ) from error
    return cast("Callable[[str, list[Any]], float]", found)
