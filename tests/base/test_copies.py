"""Copies of frozen dataclasses are what `dataclasses.replace` makes."""

from __future__ import annotations

import dataclasses
from dataclasses import FrozenInstanceError, dataclass
from typing import Any

import pytest

from plainloop.agent.base.copies import replace
from plainloop.agent.types import ChatRequest, StreamDelta


def test_copy_equals_one_of_the_standard_library() -> None:
    request = ChatRequest("Be brief.", [], stop=("END",), on_request_id=print)
    copy = replace(request, max_tokens=5, system="Be long.")
    assert copy == dataclasses.replace(request, max_tokens=5, system="Be long.")
    assert (type(copy), copy.on_request_id, request.max_tokens) == (ChatRequest, print, 8096)


def test_copy_is_frozen() -> None:
    copy: Any = replace(ChatRequest("Be brief.", []), max_tokens=5)
    with pytest.raises(FrozenInstanceError):
        copy.max_tokens = 6


def test_structs_are_copied() -> None:
    assert replace(StreamDelta("a", "b"), text="c") == StreamDelta("c", "b")


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(AttributeError, match="tokens"):
        replace(ChatRequest("Be brief.", []), tokens=5)


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
