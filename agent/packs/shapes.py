"""Whether what a pack declares is of the declared types: a comma that is missing, a word too many.

Python does not look at a dataclass's types; here they are looked at once, when a pack is loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, cast, get_args, get_origin, get_type_hints

# Kept by class: a pack has dozens of specs of a few classes, and each annotation is evaluated.
_read_hints: Final = lru_cache(maxsize=64)(get_type_hints)


def list_shape_problems(spec: Any) -> list[str]:
    """List the fields of a spec whose values have a wrong type, as one phrase each."""
    name: Any = getattr(spec, "name", "")
    kind = type(spec).__name__
    where = f"{kind}({name!r})" if isinstance(name, str) and name else kind
    hints = _read_hints(spec.__class__)
    return [
        problem
        for item in fields(spec)
        for problem in _check(getattr(spec, item.name), hints[item.name], f"{where}.{item.name}")
    ]


def _check(value: Any, hint: Any, where: str) -> list[str]:
    """List where a value differs from its type hint; hints of unknown kinds are trusted."""
    kind, arguments = get_origin(hint), get_args(hint)
    if kind in (Union, UnionType):
        problems = [_check(value, choice, where) for choice in arguments if choice is not NoneType]
        is_none = value is None and NoneType in arguments
        return [] if is_none or [] in problems else problems[0]
    if kind is Literal:
        choices = " | ".join(map(repr, arguments))
        return [] if value in arguments else [f"{where} is {value!r}, not {choices}"]
    if kind is tuple:
        if not isinstance(value, tuple):
            return [f"{where} is {_describe(value)}, not a tuple: write (one,) with a comma"]
        items = enumerate(cast("tuple[Any, ...]", value))
        return [text for n, item in items for text in _check(item, arguments[0], f"{where}[{n}]")]
    if kind is not None and isinstance(kind, type) and issubclass(kind, Mapping):
        if not isinstance(value, Mapping):
            return [f"{where} is {_describe(value)}, not a dict"]
        values = cast("Mapping[Any, Any]", value)
        return [
            text
            for key, item in values.items()
            for text in _check(item, arguments[1], f"{where}[{key!r}]")
        ]
    if hint is Any or not isinstance(hint, type):  # to Python 3.11 Any is a class
        return []
    if not isinstance(value, hint):
        return [f"{where} is {_describe(value)}, not {_name(hint)}"]
    return list_shape_problems(value) if is_dataclass(value) else []


def _describe(value: Any) -> str:
    is_plain = isinstance(value, str | int | float | NoneType)
    return repr(value) if is_plain else _name(value.__class__)


def _name(kind: type) -> str:
    """Return a type's name with its article.

    >>> _name(int), _name(str)
    ('an int', 'a str')
    """
    return f"{'an' if kind.__name__[0] in 'aeiouAEIOU' else 'a'} {kind.__name__}"
