"""Classes of our decorator behave as those of the standard library's, with the same options."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import re
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, get_type_hints

import pytest

from plainloop.agent import dataclasses as ours

ROOT = Path(__file__).resolve().parents[2]
Value = TypeVar("Value")
BOTH = pytest.mark.parametrize("dataclass", [dataclasses.dataclass, ours.dataclass])
OPTIONS: list[dict[str, Any]] = [
    *({}, {"slots": True}, {"frozen": True}, {"frozen": True, "slots": True}),
    *({"eq": False}, {"eq": False, "frozen": True, "slots": True}, {"order": True}),
    *({"repr": False}, {"unsafe_hash": True}),
]


class Plain:
    """A point with every kind of field."""

    x: int
    y: int = 2
    seen: list[int] = dataclasses.field(default_factory=list[int], compare=False)
    secret: str = dataclasses.field(default="s", repr=False)
    note: str = dataclasses.field(default="", metadata={"help": "a note"})
    unit: ClassVar[str] = "mm"


def make(dataclass: Any, options: dict[str, Any], source: type = Plain) -> Any:
    """Decorate a new class with the body of `source`."""
    body = {
        name: copy.copy(value)
        for name, value in vars(source).items()
        if name not in ("__dict__", "__weakref__")
    }
    return dataclass(**options)(type(source.__name__, source.__bases__, body))


def attempt(function: Callable[[], Any]) -> Any:
    """Return the result, or the error's class and text."""
    try:
        return function()
    except Exception as error:
        return type(error), str(error)


def observe(cls: Any) -> list[Any]:
    """Use a class in every way that differs between options."""
    one, same, other = cls(1, note="n"), cls(1, seen=[7], note="n"), cls(2)

    def assign(name: str) -> None:
        setattr(one, name, 5)

    def delete(name: str) -> None:
        delattr(other, name)

    return [
        *(re.sub(r" at 0x\w+", "", repr(item)) for item in (one, same, other)),
        *(one == same, one == other, one != same, one.__eq__(3), attempt(lambda: one < other)),
        attempt(lambda: hash(one) == hash(same)),
        *(str(inspect.signature(cls)), cls.__init__.__annotations__, cls.__init__.__qualname__),
        *(get_type_hints(cls.__init__), cls.__match_args__, cls.__doc__, cls.__name__),
        *(
            attempt(lambda: cls()),
            attempt(lambda: cls(1, 2, [], "s", "n", 6)),
            one.seen is same.seen,
        ),
        [(f.name, f.type, f.default, f.kw_only, dict(f.metadata)) for f in dataclasses.fields(cls)],
        dataclasses.asdict(dataclasses.replace(one, x=3)),
        *(attempt(lambda: assign("x")), attempt(lambda: delete("x"))),
        *(one.x, hasattr(one, "__dict__"), dataclasses.astuple(copy.deepcopy(same))),
        *(repr(cls.__dataclass_params__), cls.unit, copy.copy(same).seen is same.seen),
    ]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_classes_behave_as_those_of_the_standard_library(options: dict[str, Any]):
    assert observe(make(ours.dataclass, options)) == observe(make(dataclasses.dataclass, options))


@ours.dataclass(frozen=True, slots=True)
class Pickled:
    """Is found by pickle under its name."""

    a: int
    b: tuple[int, ...] = ()


def test_frozen_objects_take_no_attribute_that_is_no_field():
    value: Any = Pickled(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'z'"):
        value.z = 3
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'z'"):
        del value.z


def test_frozen_objects_with_slots_can_be_pickled():
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(Pickled(1, (2,)), protocol)) == Pickled(1, (2,))


def test_init_is_compiled_once_at_its_first_use():
    cls = make(ours.dataclass, {"frozen": True, "slots": True})
    assert not inspect.isfunction(vars(cls)["__init__"])
    cls(1)
    written = vars(cls)["__init__"]
    assert inspect.isfunction(written)
    cls(2)
    assert vars(cls)["__init__"] is written


def test_threads_construct_a_class_for_the_first_time_together():
    for _ in range(50):
        cls = make(ours.dataclass, {"frozen": True, "slots": True})
        barrier = threading.Barrier(4)
        made: list[Any] = []

        def construct(cls: Any = cls, barrier: Any = barrier, made: list[Any] = made) -> None:
            barrier.wait()
            made.append(cls(1, note="n"))

        threads = [threading.Thread(target=construct) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made == [cls(1, note="n")] * 4


@pytest.mark.parametrize("base", [dataclasses.dataclass, ours.dataclass])
@BOTH
def test_a_dataclass_extends_another(dataclass: Any, base: Any):
    @base(frozen=True, slots=True)
    class Base:
        """A base."""

        a: int
        b: int = 2

    @dataclass(frozen=True, slots=True)
    class Longer(Base):
        """Has a field more."""

        c: int = 3

    assert repr(Longer(1)).endswith("Longer(a=1, b=2, c=3)")
    assert Longer(1) == Longer(1) != Base(1)
    assert Longer(1).__slots__ == ("c",)
    with pytest.raises(TypeError, match="cannot inherit non-frozen dataclass from a frozen one"):
        dataclass(type("Open", (Base,), {"__doc__": "Open."}))


@BOTH
def test_a_plain_class_extends_a_dataclass(dataclass: Any):
    @dataclass(frozen=True)
    class Base:
        """A base."""

        a: int

    class Plainer(Base):
        def __init__(self, a: int) -> None:
            super().__init__(a + 1)
            self.more = 3  # not a field, so the subclass may assign it

        @cached_property
        def double(self) -> int:
            return 2 * self.a

    made = Plainer(1)
    assert (made.a, made.more, made.double) == (2, 3, 4)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'a'"):
        made.a = 5
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'a'"):
        del made.a
    assert made != Base(2)


@BOTH
def test_a_class_keeps_its_own_methods(dataclass: Any):
    @dataclass(frozen=True, slots=True)
    class Own:
        """Has methods of its own."""

        a: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    assert (repr(Own(1)), Own(1) == Own(2), hash(Own(3))) == ("own", True, 7)


@BOTH
def test_fields_may_be_given_by_keyword_only(dataclass: Any):
    @dataclass(frozen=True)
    class Marked:
        """Has a marker."""

        a: int = 1
        _: dataclasses.KW_ONLY
        b: int

    @dataclass(frozen=True)
    class Single:
        """Has a single such field."""

        a: int = dataclasses.field(default=1, kw_only=True)
        b: int

    assert str(inspect.signature(Marked)) == "(a: 'int' = 1, *, b: 'int') -> None"
    assert str(inspect.signature(Single)) == "(b: 'int', *, a: 'int' = 1) -> None"


@BOTH
def test_a_field_may_be_left_out_of_the_hash(dataclass: Any):
    @dataclass(frozen=True, slots=True)
    class Named:
        """Has a name that is not hashed."""

        a: int
        name: str = dataclasses.field(default="", hash=False)

    assert hash(Named(1, "x")) == hash(Named(1, "y"))
    assert Named(1, "x") != Named(1, "y")


@BOTH
def test_post_init_and_init_variables_are_called(dataclass: Any):
    @dataclass(slots=True)
    class Checked:
        """Checks its field."""

        low: int

        def __post_init__(self) -> None:
            self.low += 1

    @dataclass
    class Scaled:
        """Has a parameter that is no field."""

        low: int
        scale: dataclasses.InitVar[int]
        high: int = dataclasses.field(init=False)

        def __post_init__(self, scale: int) -> None:
            self.high = self.low * scale

    assert (Checked(1).low, Scaled(2, 3).high) == (2, 6)


@BOTH
def test_generic_and_abstract_dataclasses(dataclass: Any):
    @dataclass(slots=True)
    class Box(Generic[Value]):
        """Holds a value."""

        value: Value

    class Sized(ABC):
        @abstractmethod
        def size(self) -> int: ...

    @dataclass(slots=True)
    class Unsized(Sized):
        """Lacks a method."""

        a: int

    assert Box[int](1) == Box(1)
    with pytest.raises(TypeError, match="abstract"):
        Unsized(1)


@BOTH
def test_recursive_values_have_a_repr(dataclass: Any):
    @dataclass
    class Node:
        """Points to a node."""

        next: Any = None

    node = Node()
    node.next = node
    assert repr(node).endswith("Node(next=...)")
    match node:
        case Node(following):
            assert following is node


@BOTH
@pytest.mark.parametrize("count", [0, 1])
def test_few_fields(dataclass: Any, count: int):
    body = {"__annotations__": dict.fromkeys("a"[:count], "float"), "__doc__": "Few."}
    few = dataclass(frozen=True, slots=True)(type("Few", (), {"__module__": __name__, **body}))
    nan = (float("nan"),)[:count]
    assert few(*nan) == few(*nan)  # compared as a tuple, by identity first
    assert hash(few(*nan)) == hash(nan)


@BOTH
@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            {"__annotations__": {"a": "int", "b": "int"}, "a": 1},
            "non-default argument 'b' follows default argument",
        ),
        ({"__annotations__": {"a": "list"}, "a": []}, "mutable default"),
    ],
)
def test_wrong_classes_are_refused_when_they_are_defined(
    dataclass: Any, body: dict[str, Any], told: str
):
    with pytest.raises((TypeError, ValueError), match=told):
        dataclass(type("Wrong", (), {"__module__": __name__, "__doc__": "Wrong.", **body}))


def test_no_module_uses_the_decorator_of_the_standard_library():
    listed = subprocess.run(
        ["git", "grep", "-lE", r"^from dataclasses import .*\bdataclass\b", "--", "*.py"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listed.returncode > 1:
        pytest.skip("not a checkout")
    modules = [name for name in listed.stdout.split() if "tests/" not in name]
    assert [name for name in modules if name.startswith(("agent/", "server/", "packages/"))] == []


def test_a_start_compiles_no_method_that_it_does_not_use():
    program = (
        "import plainloop.agent.service.service, plainloop.agent.store.records as records\n"
        "assert type(vars(records.Run)['__init__']).__name__ == 'UnreadInit'"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
