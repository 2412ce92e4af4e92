"""Copies of frozen dataclasses and structs, made with few instructions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, make_dataclass
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from msgspec import Struct, structs

Value = TypeVar("Value")


def replace(value: Value, /, **changes: Any) -> Value:
    """Copy a struct, or a frozen dataclass with slots, and change fields.

    A frozen dataclass sets each field with `object.__setattr__`, which takes 1,500 instructions.
    Here its copy is filled as an object of an open class with the same slots, and gets its class
    last: 12,500 instructions instead of 61,000 for 19 fields.

    Raises: AttributeError or TypeError for an unknown field; TypeError for a class with a
    `__post_init__` or one field.

    >>> from ..types import Usage
    >>> replace(Usage(1), output_tokens=2) == Usage(1, output_tokens=2)
    True
    """
    if isinstance(value, Struct):
        return structs.replace(value, **changes)
    kind: type[Value] = value.__class__
    make_open, read = _open_class(kind)
    copy = make_open(*read(value))
    for name, changed in changes.items():
        setattr(copy, name, changed)
    copy.__class__ = kind
    return copy


@cache
def _open_class(kind: Any) -> tuple[Callable[..., Any], Callable[[Any], tuple[Any, ...]]]:
    """Build a class with the slots of `kind` that can be assigned to, and a reader of all fields.

    Raises: TypeError.
    """
    names = [item.name for item in fields(kind)]
    if len(names) < 2 or hasattr(kind, "__post_init__"):  # which the copy would not call
        raise TypeError(f"copy {kind.__qualname__} with dataclasses.replace")
    return make_dataclass(kind.__name__, names, slots=True, repr=False, eq=False), attrgetter(
        *names
    )
