"""Copies of records and frozen dataclasses are what `dataclasses.replace` makes."""

from __future__ import annotations

import dataclasses
from dataclasses import FrozenInstanceError, dataclass, field
from typing import Any

import pytest

from plainloop.agent.base.copies import replace
from plainloop.agent.types import ChatRequest, StreamDelta, Usage


@dataclass(frozen=True, slots=True)
class Cut:
    """Has defaults, and a field that is not compared."""

    text: str
    max_tokens: int = 8096
    stop: tuple[str, ...] = ()
    report: Any = field(default=None, compare=False, repr=False)


@pytest.mark.parametrize(
    "value", [Cut("Be brief.", stop=("END",)), ChatRequest("Be brief.", [], stop=("END",))]
)
def test_copy_equals_one_of_the_standard_library(value: Any) -> None:
    copy = replace(value, max_tokens=5, stop=())
    assert copy == dataclasses.replace(value, max_tokens=5, stop=())
    assert (type(copy), value.max_tokens) == (type(value), 8096)


def test_copy_keeps_fields_that_are_not_compared() -> None:
    assert replace(Cut("Be brief.", report=print), max_tokens=5).report is print


def test_copy_is_frozen() -> None:
    copy: Any = replace(Cut("Be brief."), max_tokens=5)
    with pytest.raises(FrozenInstanceError):
        copy.max_tokens = 6


def test_records_are_frozen_and_known_to_the_standard_library() -> None:
    usage: Any = replace(Usage(1), output_tokens=2)
    with pytest.raises(AttributeError, match="immutable"):
        usage.output_tokens = 3
    assert Usage(**dataclasses.asdict(usage)) == usage
    assert [item.name for item in dataclasses.fields(usage)] == [*Usage.__struct_fields__]


def test_structs_are_copied() -> None:
    assert replace(StreamDelta("a", "b"), text="c") == StreamDelta("c", "b")


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(AttributeError, match="tokens"):
        replace(Cut("Be brief."), tokens=5)


@dataclass(frozen=True, slots=True)
class Checked:
    """Checks its fields."""

    low: int
    high: int

    def __post_init__(self) -> None:
        assert self.low <= self.high


@dataclass(frozen=True, slots=True)
class Single:
    """Has one field."""

    name: str


@pytest.mark.parametrize("value", [Checked(1, 2), Single("x")])
def test_classes_that_need_their_init_are_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="copy (Checked|Single) with dataclasses.replace"):
        replace(value)
