"""A digest of a function and of all the own code that it uses: another one is another behaviour.

Comments, docstrings, formatting, names of locals and of helpers, and where a helper stands, do not
change it. It is made of what Python compiled, so only digests of the same version compare.
"""

from __future__ import annotations

import dis
import hashlib
import inspect
import os
import re
import sys
import sysconfig
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final, Literal, cast
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

from ..base.text.patterns import LazyPattern
from ..config.pack_parts import is_ours
from ..dataclasses import UnreadInit

PYTHON: Final = "{}.{}".format(*sys.version_info)
ENGINE: Final = __name__.removesuffix(".packs.code_digest")
_DECORATOR: Final = UnreadInit.__module__
_PLACES: Final = tuple(
    sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")
)
_INSTALLED: Final = ("site-packages", "dist-packages")
_FILE_NAME: Final = re.compile(r"[\w./-]{1,80}\.[a-z]{1,6}")
_FILE_BYTES: Final = 1_000_000
_WEAK: Final = (WeakKeyDictionary, WeakSet, WeakValueDictionary)
_PLAIN: Final = (str, bytes, int, float, complex, bool, type(None), type(...))
# Of a class or a module: what is told of it, not what it does.
_TEXT_FIELDS: Final = frozenset(
    "__annotations__ __dict__ __doc__ __firstlineno__ __module__ __qualname__ __weakref__ __slots__"
    " __static_attributes__ __dataclass_fields__ __dataclass_params__ __match_args__ __signature__"
    " __parameters__ __orig_bases__ __hash__ __abstractmethods__ _abc_impl"
    " __annotate_func__".split()
)
Kind = Literal["code", "constant", "name", "plain"]
_CACHE: Final = bytes([dis.opmap["CACHE"]])
# They do nothing, or depend on jump distances and the interpreter's own data.
_SKIPPED: Final = frozenset(dis.opmap[name] for name in ("EXTENDED_ARG", "NOP", "CACHE", "RESUME"))
_CONSTANTS: Final = frozenset(dis.hasconst)
_NAMED: Final = frozenset(dis.hasname)
_JUMPS: Final = frozenset((*dis.hasjrel, *dis.hasjabs))
_BACKWARD: Final = frozenset(op for op in _JUMPS if "BACKWARD" in dis.opname[op])
# The lowest bits of an argument tell more than the name (tests/runs/test_code_names.py compares
# with `dis`, so a Python that differs fails there).
_SHIFTS: Final = dict.fromkeys([dis.opmap["LOAD_GLOBAL"]], 1)
if sys.version_info >= (3, 12):
    _SHIFTS.update({dis.opmap["LOAD_ATTR"]: 1, dis.opmap["LOAD_SUPER_ATTR"]: 2})


def digest_functions(functions: Collection[object], roots: Collection[str]) -> str:
    """Return a digest of functions and all code that they use.
    Code counts if its module is below `roots` or belongs to the project.
    """
    walk = _Walk(roots)
    for function in functions:
        walk.write(walk.name(function))
    while walk.waiting:
        # In the order in which they were named: the numbers are part of what is digested.
        walk.describe(walk.waiting.pop(0))
    return walk.digest()


def digest_modules(names: Collection[str]) -> str:
    """Return a digest of whole modules of the engine, given by name.
    Quicker than by functions; adding a docstring where there was none changes the digest.
    """
    walk = _Walk(())
    for name in names:
        spec = find_spec(f"{ENGINE}.{name}")
        loader: Any = spec.loader if spec else None
        if loader is None:
            raise LookupError(f"the engine has no module {name}: correct code_parts.py")
        walk.write(name)
        walk.write_compiled(loader.get_code(f"{ENGINE}.{name}"))
    return walk.digest()


def digest_text(text: str) -> str:
    """Return a text's hash (BLAKE2b, 64 bits, as hex), to compare code and settings."""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def get_root(function: object) -> str:
    """Return the top package of the function's module; "" if unknown."""
    module: str = getattr(function, "__module__", None) or ""
    return module.partition(".")[0]


class _Walk:
    """Writes functions and all code that they use, each once, to a digest."""

    def __init__(self, roots: Collection[str]) -> None:
        self._roots = {root for root in roots if root not in ("", ENGINE.partition(".")[0])}
        self._places: dict[int, int] = {}
        self._kept: list[object] = []  # so that an id stays its object's
        self._written: list[str | tuple[str, ...]] = []
        self._keywords: set[str] = set()
        self.waiting: list[Any] = []

    def write(self, text: str) -> None:
        self._written.append(text)

    def digest(self) -> str:
        """Return the digest of the code that was written to this walk so far.
        A parameter's name counts only if some call uses it as a keyword.
        """
        known = self._keywords
        texts = (
            item if isinstance(item, str) else repr([n if n in known else "" for n in item])
            for item in self._written
        )
        return digest_text("\n".join(texts))

    def name(self, value: object) -> str:
        """Return a value's text for the digest; the pack's own functions are numbered."""
        if isinstance(value, _PLAIN):
            return name_plain(value)
        if isinstance(value, ModuleType):
            own = self._is_own(value.__name__)
            return "module" if own else f"{value.__name__} {getattr(value, '__version__', '')}"
        if isinstance(value, (FunctionType, type)):
            if _is_generated(value):
                return "generated"
            own = self._is_own(value.__module__ or "")
            return self._place(value) if own else f"{value.__module__}.{value.__qualname__}"
        if isinstance(value, CodeType):
            return "code"
        return self.name_object(value)

    def name_object(self, value: Any) -> str:
        """Return the text that represents an object in the digest, by its content or class."""
        if isinstance(value, MethodType):
            return f"{self.name(value.__func__)} of {self.name(value.__self__)}"
        if isinstance(value, partial):
            whole = cast("partial[Any]", value)
            return self.name([whole.func, list(whole.args), dict(whole.keywords)])
        if isinstance(value, (staticmethod, classmethod)):
            return self.name(cast(Any, value).__func__)
        if isinstance(value, property):
            return self.name([value.fget, value.fset])
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(map(self.name, cast("list[Any]", value))) + "]"
        if isinstance(value, (set, frozenset)):
            # Sorted: hashes of texts are seeded anew in each process, and with them a set's order.
            return "{" + ", ".join(sorted(map(self.name, cast("set[Any]", value)))) + "}"
        if isinstance(value, _WEAK):
            return type(cast(Any, value)).__name__  # filled as the process runs, by its loops
        if isinstance(value, Mapping):
            items = sorted((self.name(k), v) for k, v in cast("Mapping[Any, Any]", value).items())
            return "{" + ", ".join(f"{key}: {self.name(item)}" for key, item in items) + "}"
        if isinstance(value, Path):
            return f"path {value.name} {_digest_file(value)}"
        if isinstance(value, re.Pattern):
            pattern = cast("re.Pattern[Any]", value)
            return f"{pattern.pattern!r} {pattern.flags}"
        if isinstance(value, LazyPattern):  # as if it were compiled, whether or not it is
            text, flags = value.source
            return f"{text!r} {int(flags | re.UNICODE)}"
        if isinstance(value, Enum):
            return f"{self.name(type(value))}.{value.name}"
        wrapped: Any = _read(value, "__wrapped__") or _read(value, "func")
        if wrapped is not None and callable(wrapped):  # kept results, a property kept
            return self.name(wrapped)
        names = list_fields(value)
        if names and id(value) not in self._places:
            self._places[id(value)] = len(self._kept)
            self._kept.append(value)
            attributes = ", ".join(f"{n}={self.name(_read(value, n))}" for n in names)
            return f"{type(value).__qualname__}({attributes})"
        if type(value).__module__ in ("decimal", "datetime", "uuid", "fractions"):
            return repr(value)
        return self.name(cast(object, type(value)))  # a lock, a client, a cache: its class

    def _place(self, value: FunctionType | type) -> str:
        """Return the number of an own function or class; queue it when it is new."""
        if id(value) not in self._places:
            self._places[id(value)] = len(self._kept)
            self._kept.append(value)
            self.waiting.append(value)
        return f"#{self._places[id(value)]}"

    def _is_own(self, module: str) -> bool:
        """Whether the module is digested: the pack's or project's, never the engine's."""
        top = module.partition(".")[0]
        if module.startswith(ENGINE) or top == ENGINE.partition(".")[0]:
            return False
        return top in self._roots or is_ours(top) or is_loose(top)

    def describe(self, value: FunctionType | type) -> None:
        """Write a function or class to the digest."""
        self.write(f"#{self._places[id(value)]}")
        if isinstance(value, type):
            self.describe_class(value)
            return
        self.write(self.name([value.__defaults__, value.__kwdefaults__]))
        # A closure's cells are part of it: a decorator's function, an extension's before.
        cells = cast("tuple[Any, ...]", value.__closure__ or ())
        self.write(self.name([_open_cell(cell) for cell in cells]))
        self.write_code(value.__code__, value.__globals__)

    def describe_class(self, value: type) -> None:
        """Write a class to the digest: its bases, fields and members."""
        self.write(self.name([base for base in value.__bases__ if base is not object]))
        annotations = inspect.get_annotations(value)
        self.write(repr([(name, str(kind)) for name, kind in annotations.items()]))
        for name, item in sorted(value.__dict__.items()):
            is_slot = type(item).__name__ in ("member_descriptor", "getset_descriptor")
            if name in _TEXT_FIELDS or is_slot or _is_generated(item):
                continue
            self.write(f"{name} {self.name(item)}")

    def write_code(self, code: CodeType, known: Mapping[str, Any] | None) -> None:
        """Write a function's instructions to the digest.
        known: values of its global names; None: use the names.
        """
        self.write(f"{code.co_argcount} {code.co_posonlyargcount} {code.co_kwonlyargcount}")
        # VARARGS, VARKEYWORDS, GENERATOR, COROUTINE, ITERABLE_COROUTINE, ASYNC_GENERATOR. The other
        # flags say where a function stands, and whether it has a docstring.
        self.write(str(code.co_flags & 0x3AC))  # varargs, generators, coroutines
        self._written.append(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
        held: Any = None  # the own module of which the next instruction takes something
        for opname, kind, value in read_steps(code):
            if kind == "code":
                self.write(opname)
                self.write_code(value, known)
            elif kind == "constant":
                self.write(f"{opname} {self.name_constant(value, known)}")
            elif kind == "name":
                looked_up, is_known = look_up(value, opname, held, known)
                held = looked_up if isinstance(looked_up, ModuleType) and is_known else None
                self.write(f"{opname} {self.name(looked_up) if is_known else value}")
                continue
            else:
                self.write(f"{opname} {value}")
            held = None

    def write_compiled(self, code: CodeType) -> None:
        """Write a module's compiled code to the digest, without docstring and line numbers."""
        self.write(repr((code.co_code, code.co_names, code.co_flags, code.co_argcount)))
        is_function = bool(code.co_flags & inspect.CO_OPTIMIZED) and code.co_name[:1] != "<"
        begin = 1 if is_function or code.co_name == "<module>" else 0
        for place, value in enumerate(code.co_consts[begin:]):
            if isinstance(value, CodeType):
                self.write_compiled(value)
            elif place != 1 or "__doc__" not in code.co_names:  # a class's own
                self.write(self.name(value))

    def name_constant(self, value: Any, known: Mapping[str, Any] | None) -> str:
        """Return the text that represents a constant in the digest.

        A file's name is followed by a hash of the file's content.
        """
        if isinstance(value, tuple):
            items = cast("tuple[Any, ...]", value)
            self._keywords.update(item for item in items if isinstance(item, str))
            return self.name(items)
        if isinstance(value, str) and known is not None and _FILE_NAME.fullmatch(value):
            beside = Path(str(known.get("__file__", ""))).parent / value
            return f"{value!r} {_digest_file(beside)}"
        return self.name(value)


def name_plain(value: object) -> str:
    """Return the text of a plain value in the digest; of an absolute path only the last part."""
    # Not `Path.exists`: it raises for a name of more than 255 bytes, as a text that begins with a
    # slash may be (test_a_packs_long_text_that_begins_with_a_slash_has_a_digest).
    if isinstance(value, str) and value.startswith("/") and os.path.exists(value):  # noqa: PTH110
        return f"path {Path(value).name}"
    return repr(value)


@lru_cache(maxsize=4096)  # parts have helpers in common
def read_steps(code: CodeType) -> list[tuple[str, Kind, Any]]:
    """List the instructions of a function as (name, kind, operand), for the digest.

    Targets of jumps are named by number, locals by position.
    """
    steps = list(_read_instructions(code))
    names = [
        code.co_names[arg >> _SHIFTS.get(op, 0)] if op in _NAMED else "" for _, op, arg, _ in steps
    ]
    places = {step[0]: n for n, step in enumerate(steps)}
    listed: list[tuple[str, Kind, Any]] = []
    for n, (_, op, arg, target) in enumerate(steps):
        opname = dis.opname[op]
        if target is not None:
            listed.append((opname, "plain", _find_place(places, target)))
        elif op in _NAMED:
            listed.append((opname, "name", names[n]))
        elif op not in _CONSTANTS:
            listed.append((opname, "plain", arg))
        elif isinstance(value := code.co_consts[arg], CodeType):
            listed.append((opname, "code", value))
        else:
            is_text = n + 1 < len(steps) and names[n + 1] in _TEXT_FIELDS
            listed.append((opname, "constant", None if is_text else value))
    for start, end, target in list_handlers(code):
        handled = [_find_place(places, offset) for offset in (start, end, target)]
        listed.append(("handles", "plain", handled))
    return listed


def _read_instructions(code: CodeType) -> Iterator[tuple[int, int, int, int | None]]:
    """Yield (offset, operation, argument, target of a jump) of each instruction that counts.
    `dis.get_instructions` also works out lines and columns, which takes four times as long.
    """
    raw, higher = code.co_code, 0
    for at in range(0, len(raw), 2):
        op, arg = raw[at], raw[at + 1] | higher
        higher = arg << 8 if op == dis.EXTENDED_ARG else 0
        if op in _JUMPS:
            after = next(n for n in range(at + 2, len(raw) + 2, 2) if raw[n : n + 1] != _CACHE)
            yield at, op, arg, after + (-2 if op in _BACKWARD else 2) * arg
        elif op not in _SKIPPED:
            yield at, op, arg, None


def _find_place(places: Mapping[int, int], offset: int) -> int:
    """Find the number of the instruction at this offset, or of the next one that counts."""
    later = (place for at, place in places.items() if at >= offset)
    return places[offset] if offset in places else next(later, -1)


def look_up(name: str, opname: str, held: Any, known: Mapping[str, Any] | None) -> tuple[Any, bool]:
    """Look up the value that a bytecode instruction loads by name; return (value, is_known)."""
    if known is None:
        return None, False
    if opname in ("LOAD_GLOBAL", "LOAD_NAME") and name in known:
        return known[name], True
    if held is not None and opname in ("LOAD_ATTR", "LOAD_METHOD") and hasattr(held, name):
        return getattr(held, name), True
    return None, False


def list_handlers(code: CodeType) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, target) of each entry of the code's exception table."""
    parse: Callable[[CodeType], list[Any]] | None = getattr(dis, "_parse_exception_table", None)
    for entry in parse(code) if parse else ():
        yield entry.start, entry.end, entry.target


def _open_cell(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet: a function that names itself
        return None


def list_fields(value: Any) -> list[str]:
    """List the field names of a dataclass or msgspec Struct; [] for other objects."""
    if is_dataclass(value):
        return [item.name for item in fields(value)]
    return [*getattr(value.__class__, "__struct_fields__", ())]


def _read(value: object, name: str) -> Any:
    """Return an attribute of any object; None if it has none or refuses to return it.
    A proxy of a web framework raises outside of its request, and with the digest every run would
    fail (test_a_packs_object_that_refuses_to_be_read_has_a_digest).
    """
    try:
        return getattr(value, name, None)
    except Exception:  # noqa: BLE001 - other people's code
        return None


def _is_generated(value: object) -> bool:
    """Whether a class decorator generated the function, whose fields are digested anyway."""
    if isinstance(value, FunctionType):
        return value.__code__.co_filename.startswith("<") or value.__module__ == _DECORATOR
    return isinstance(value, UnreadInit)


def is_loose(top: str) -> bool:
    """Whether a top-level module belongs to the project: neither standard library nor installed."""
    module = sys.modules.get(top)
    if module is None or top in sys.builtin_module_names:
        return False
    file: str = getattr(module, "__file__", None) or ""
    places = [*(getattr(module, "__path__", None) or ())] or [file]
    installed = (place for place in places for one in _INSTALLED if one in place)
    inside = (place for place in places for one in _PLACES if one and place.startswith(one))
    return any(places) and not any(installed) and not any(inside)


def _digest_file(path: Path) -> str:
    """Digest a file of at most _FILE_BYTES; "" if it is larger or cannot be read."""
    try:
        if path.is_file() and path.stat().st_size <= _FILE_BYTES:
            return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
    except OSError:
        pass
    return ""
