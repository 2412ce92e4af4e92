"""Own assertions on answers and tool calls."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol, cast

import orjson

from plainloop.agent.base.caching.functions import cached_by_bytes
from plainloop.agent.errors import ConfigError

from ..live.lane import TurnResult
from .rules import Check


class _Validator(Protocol):
    def is_valid(self, instance: object) -> bool: ...


def measure_turns(check: Check, turns: Sequence[TurnResult]) -> list[float | None]:
    """Measure each turn; None where the check does not look. What is said of a whole conversation
    stands at its last turn.
    """
    if not turns:
        return []
    if check.of == "turn":
        return [judge_answer(check, turn["text"], turn["tools"]) for turn in turns]
    last = turns[-1]
    if check.of == "last":
        found = judge_answer(check, last["text"], last["tools"])
    else:
        calls = [call for turn in turns for call in turn["tools"]]
        found = judge_answer(check, "\n".join(turn["text"] for turn in turns), calls)
    return [*([None] * (len(turns) - 1)), found]


def judge_answer(check: Check, answer: str, calls: Sequence[Mapping[str, Any]]) -> float:
    """
    Raises: ConfigError for a function or a schema that cannot be used.

    >>> call = {"name": "book", "arguments": {"room": 7, "beds": 2}}
    >>> judge_answer(Check(called="book", arguments={"room": 7}, lacks="sorry"), "Done.", [call])
    1.0
    """
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
    )
    if not holds or not check.python:
        return float(holds)
    return float(_load_function(check.python)(answer, list(calls)))


def _list(texts: str | tuple[str, ...]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else texts


def _is_called(name: str, arguments: Mapping[str, Any], calls: Sequence[Mapping[str, Any]]) -> bool:
    return any(
        call["name"] == name and arguments.items() <= call["arguments"].items() for call in calls
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
        raise ConfigError(f"json_schema is not a JSON Schema: {error.message}") from error
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
