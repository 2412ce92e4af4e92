"""The standard library's `dataclasses`, with methods that cost nothing until they are used.

The standard library compiles six functions for each frozen class when a module is imported: for
`plainloop ask` 1,078 functions, a fifth of its instructions, although it constructs fewer than
half of the classes. Here `__init__` is compiled when it is first read, and the other methods are
closures. Fields, slots and `__match_args__` are made by the standard library, which also makes
classes that are unusual. tests/base/test_dataclasses.py compares both decorators.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, asdict, astuple, field, fields, is_dataclass, replace
from functools import partial
from itertools import pairwise
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, Final, cast

_METHODS: Final = frozenset(
    "__init__ __repr__ __eq__ __hash__ __setattr__ __delattr__ __getstate__ __setstate__".split()
)
_FACTORY: Final[Any] = type("_Factory", (), {"__repr__": staticmethod(lambda: "<factory>")})()


def _decorate(
    cls: Any = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True, **more: Any
) -> Any:
    if cls is None:
        return partial(_decorate, frozen=frozen, slots=slots, eq=eq, **more)
    if more or _is_unusual(cls):
        return dataclasses.dataclass(cls, frozen=frozen, slots=slots, eq=eq, **more)
    made = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots)
    items = fields(made)
    for before, item in pairwise(items):
        if _has_default(before) and not _has_default(item):
            raise TypeError(f"non-default argument {item.name!r} follows default argument")
    made.__init__, made.__repr__ = UnreadInit(made, frozen), _repr
    if eq:
        made.__eq__, hashing = _make_comparing([item.name for item in items if item.compare])
        made.__hash__ = hashing if frozen else None
    if frozen:
        made.__setattr__, made.__delattr__ = _make_guards(made, {item.name for item in items})
    if frozen and slots:  # pickle and copy would assign to the fields
        made.__getstate__, made.__setstate__ = _get_state, _set_state
    params = made.__dataclass_params__  # read when a class extends this one
    params.init, params.repr, params.eq, params.frozen = True, True, eq, frozen
    return made


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _decorate


def _is_unusual(cls: Any) -> bool:
    """Whether to leave a class to the standard library.

    True for a class that extends a dataclass, defines one of the methods, has no docstring (the
    standard library writes one), or has a field that is hashed or initialized in another way.
    """
    own: dict[str, Any] = {**vars(cls)}
    kinds: dict[str, Any] = own.get("__annotations__", {})
    options: list[Any] = [item for item in own.values() if isinstance(item, dataclasses.Field)]
    return (
        any(is_dataclass(base) for base in cls.__mro__[1:])
        or not _METHODS.isdisjoint(own)
        or not own.get("__doc__")
        or "self" in kinds
        or any(name in str(kind) for kind in kinds.values() for name in ("InitVar", "KW_ONLY"))
        or any(not it.init or it.kw_only is True or it.hash is not None for it in options)
    )


class UnreadInit:
    """Stands in a class for `__init__` until that is read, and is then replaced by the function.
    If two threads read it at once, both compile the same function, and one of the two stays.
    """

    __slots__ = ("_cls", "_is_frozen")

    def __init__(self, cls: Any, is_frozen: bool) -> None:
        self._cls, self._is_frozen = cls, is_frozen

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        self._cls.__init__ = function = _compile_init(self._cls, is_frozen=self._is_frozen)
        return function.__get__(instance, owner)


def _compile_init(cls: Any, *, is_frozen: bool) -> Any:
    """Compile the `__init__` of a class, with the globals of the module that defines the class."""
    items = fields(cls)
    names: dict[str, Any] = {"__set__": object.__setattr__, "__factory__": _FACTORY}
    lines = [f"def __init__(self, {', '.join(item.name for item in items)}):"]
    for name, factory in ((item.name, item.default_factory) for item in items):
        value = name
        if factory is not MISSING:
            names[f"__make_{name}__"] = factory
            value = f"__make_{name}__() if {name} is __factory__ else {name}"
        lines += [f" __set__(self, {name!r}, {value})" if is_frozen else f" self.{name} = {value}"]
    lines.append(" self.__post_init__()" if hasattr(cls, "__post_init__") else " pass")
    text = "\n ".join([f"def build({', '.join(names)}):", *lines, "return __init__"])
    built: dict[str, Any] = {}
    exec(text, getattr(sys.modules.get(cls.__module__), "__dict__", {}), built)
    function = built["build"](**names)
    values = (_FACTORY if it.default is MISSING else it.default for it in items if _has_default(it))
    function.__defaults__ = tuple(values)
    function.__annotations__ = {item.name: item.type for item in items} | {"return": None}
    function.__qualname__ = f"{cls.__qualname__}.__init__"
    return function


def _has_default(item: dataclasses.Field[Any]) -> bool:
    return item.default is not MISSING or item.default_factory is not MISSING


def _make_comparing(
    names: Sequence[str],
) -> tuple[Callable[[Any, Any], bool], Callable[[Any], int]]:
    """Build `__eq__` and `__hash__`, which compare the tuples of these fields."""
    read: Any = attrgetter(*names) if len(names) > 1 else partial(_read_fields, names)
    return (
        lambda one, other: (
            read(one) == read(other) if one.__class__ is other.__class__ else NotImplemented
        ),
        lambda value: hash(read(value)),
    )


def _make_guards(cls: Any, names: set[str]) -> tuple[Callable[..., None], Callable[..., None]]:
    """Build `__setattr__` and `__delattr__` of a frozen class."""

    def check(self: Any, name: str, action: str) -> Any:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot {action} field {name!r}")
        return cast(Any, super(cls, self))

    def __setattr__(self: Any, name: str, value: Any) -> None:
        check(self, name, "assign to").__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        check(self, name, "delete").__delattr__(name)

    return __setattr__, __delattr__


def _read_fields(names: Sequence[str], value: Any) -> tuple[Any, ...]:
    return tuple(getattr(value, name) for name in names)


@recursive_repr("...")
def _repr(self: Any) -> str:
    shown = (f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, item.name) for item in fields(self)]


def _set_state(self: Any, state: Sequence[Any]) -> None:
    for item, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, item.name, value)


__all__ = ["asdict", "astuple", "dataclass", "field", "fields", "is_dataclass", "replace"]
