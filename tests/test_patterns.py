"""Every regular expression of the product costs linear time, or reads a text of bounded length."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from plainloop.agent.base.text.patterns import LazyPattern
from tests.linear import measure

ROOT: Final = Path(__file__).parent.parent
UNITS: Final = (
    *"aAé0 \t\n.,-_/\\\"'`()[]{}<>&=+*#@:;%|$“\v",
    *("a.", "a@", "a-", "a ", "A ", "1.", "1,", "1 ", ":/", '\\"', "a,", "Aa ", "a\n", "- "),
    *("**", "<a ", "<h1>", "<think>", "[a](", "](", "org-", "eyJ-", "a@b.", "aB3/", "QUJD+/"),
    "\r\n",
)
# Short steps first: what grows exponentially stops at one of them, and does not hang the test.
STEPS: Final = (*(int(16 * 1.25**step) for step in range(12)), 250)
STOP_S: Final = 0.05
SIZE: Final = 2000
FLOOR_S: Final = 0.0003  # less is noise
GROWTH: Final = 8.0  # of the time when the text is four times as long; a square grows 16-fold
TRIES: Final = 5  # a busy machine slows single ones, of either size
WORD: Final = "ab"  # in a pattern, for what is known only at run time
METHODS: Final = {
    **{name: name for name in ("search", "match", "fullmatch")},
    **dict.fromkeys(("finditer", "findall", "sub", "subn", "split"), "finditer"),
}
LAZILY: Final = "from plainloop.agent.base.text.patterns import compile_lazily"
FLAGS_AT: Final = {"compile": 1, "sub": 4, "subn": 4, "split": 3}


@dataclass(slots=True)
class Use:
    """A pattern: where it stands, and how it is asked."""

    where: str
    methods: set[str] = field(default_factory=set[str])


def test_every_pattern_takes_linear_time_on_any_letters() -> None:
    told = [
        f"{use.where} {method} {unit!r}: {regex.pattern[:80]!r}"
        for regex, use in list_uses(import_modules()).items()
        for method in sorted(use.methods or {"finditer"})
        for unit in UNITS
        if grows(regex, method, unit)
    ]
    assert not told, "\n".join(told)


@pytest.mark.parametrize(
    "source",
    [
        r"_LONG = re.compile(r'\w+_')",
        r"_LONG = compile_lazily(r'\w+_')",
        r"_TABLE = {'a': [re.compile(r'\w+_')]}",
        r"def read(text): return re.findall(r'\w+_', text)",
        r"def read(text, name): return re.search(rf'\w+_{name}', text)",
        r"_LONG = {'a': r'\w+_'}" + "\ndef read(text, key): return re.search(_LONG[key], text)",
        r"def read(text): return has(r'(\w+\s?)+$', text)"
        "\ndef has(pattern, text): return re.search(pattern, text)",
    ],
)
def test_non_linear_patterns_are_detected(source: str, tmp_path: Path) -> None:
    module = ModuleType("written")
    module.__file__ = str(tmp_path / "written.py")
    Path(module.__file__).write_text(f"import re\n{LAZILY}\n{source}\n")
    exec(Path(module.__file__).read_text(), vars(module))
    assert any(
        grows(regex, method, unit)
        for regex, use in list_uses([module]).items()
        for method in use.methods or {"finditer"}
        for unit in UNITS
    )


def grows(regex: re.Pattern[Any], method: str, unit: str) -> bool:
    """Whether four times the text takes much more than four times as long."""
    ask = getattr(regex, method)

    def find_all(text: str | bytes) -> None:
        found = ask(text)
        if found is not None and not isinstance(found, re.Match):
            for _ in found:
                pass

    def spend(size: int) -> float:
        text = (unit * size)[:size] + "§"
        return measure(find_all, text if isinstance(regex.pattern, str) else text.encode())

    for size in STEPS:
        if spend(size) > STOP_S and min(spend(size) for _ in range(TRIES)) > STOP_S:
            return True
    # A repetition of up to 500 letters looks like a square until the text is much longer than that.
    return all(takes_longer(spend, size) for size in (SIZE, 4 * SIZE))


def takes_longer(spend: Callable[[int], float], size: int) -> bool:
    """Whether a text of this size takes much more than four times as long as a quarter of it."""
    long = spend(size)
    if long < GROWTH * FLOOR_S or long < GROWTH * 0.75 * spend(size // 4):
        return False
    tries = [(spend(size), spend(size // 4)) for _ in range(TRIES)]
    return min(long for long, _ in tries) > GROWTH * max(min(short for _, short in tries), FLOOR_S)


def import_modules() -> Iterator[ModuleType]:
    rooms = [
        ("plainloop", ROOT / "agent"),
        ("plainloop", ROOT / "server"),
        ("", ROOT / "plainloop"),
    ]
    # Not where the service's tests run alone (scripts/test-service).
    beside = sorted(ROOT.glob("packages/*/plainloop_*"))
    rooms += [("", room) for room in beside if importlib.util.find_spec(room.name)]
    for within, room in rooms:
        for file in sorted(room.rglob("*.py")):
            if file.name != "__main__.py":
                names = file.relative_to(room.parent).with_suffix("").parts
                name = ".".join((within, *names)).strip(".").removesuffix(".__init__")
                yield importlib.import_module(name)


def list_uses(modules: Iterable[ModuleType]) -> dict[re.Pattern[Any], Use]:
    """The patterns in the modules' constants and in their calls of `re`.

    What a variable says in a pattern is one word here. Where a call's pattern is nothing but a
    variable, every string of its module that may be one is tried.
    """
    uses: dict[re.Pattern[Any], Use] = {}
    for module in modules:
        path = Path(str(module.__file__)).resolve()
        where = path.relative_to(ROOT).as_posix() if ROOT in path.parents else path.name
        source = path.read_text()
        constants = {
            name: [*iter_inside(value, re.Pattern)] for name, value in vars(module).items()
        }
        if not any(constants.values()) and not re.search(r"\bre\.", source):
            continue
        tree = ast.parse(source)
        asked = list_questions(tree)
        for name, regexes in constants.items():
            for regex in regexes:
                uses.setdefault(regex, Use(f"{where}:{name}")).methods |= asked[name]
        for name, call in iter_calls(tree):
            pattern = build_text(call.args[0], module)
            for text in list_strings(tree, module) if pattern == WORD else (pattern,):
                regex = re.compile(text, get_flags(name, call, module))
                use = uses.setdefault(regex, Use(f"{where}:{call.lineno}"))
                use.methods |= name_method(name)
    return {
        regex: use
        for regex, use in uses.items()
        if re.search(r"[*+{]", str(regex.pattern))  # what repeats nothing is linear
    }


def list_questions(tree: ast.Module) -> defaultdict[str, set[str]]:
    """name: how the module asks a pattern of this name."""
    asked: defaultdict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            asked[node.value.id] |= name_method(node.attr)
    return asked


def name_method(called: str) -> set[str]:
    return {METHODS[called]} if called in METHODS else set()


def iter_inside(value: Any, kind: type, depth: int = 0) -> Iterator[Any]:
    """What of this kind is in a module's constant, however deep."""
    inner: list[Any] = []
    if kind is re.Pattern and isinstance(value, LazyPattern):
        value = re.compile(*value.source)
    if isinstance(value, kind):
        yield value
    elif isinstance(value, dict):
        inner = [*value, *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        inner = list(value)
    elif is_dataclass(value) and not isinstance(value, type):
        inner = [getattr(value, item.name, None) for item in fields(value)]
    for item in inner if depth < 6 else ():
        yield from iter_inside(item, kind, depth + 1)


def iter_calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """(name, a call of this function of the module `re` with a pattern)."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name("re"), attr=name)):
                if name == "compile" or name in METHODS:
                    yield name, node


def build_text(node: ast.expr, module: ModuleType) -> Any:
    """The pattern that an expression makes."""
    if isinstance(node, ast.FormattedValue):
        return build_text(node.value, module)
    with suppress(NameError):
        return eval(ast.unparse(node), vars(module))
    match node:
        case ast.JoinedStr(parts):
            return "".join(str(build_text(part, module)) for part in parts)
        case ast.BinOp(left, ast.Add(), right):
            return build_text(left, module) + build_text(right, module)
        case ast.IfExp(_, one, other):
            return f"{build_text(one, module)}|{build_text(other, module)}"
        case ast.Call(ast.Attribute(ast.Constant(str(mark)), "join")):
            return f"{WORD}{mark}{WORD}"
        case _:
            return WORD


def get_flags(name: str, call: ast.Call, module: ModuleType) -> int:
    at = FLAGS_AT.get(name, 2)
    told = [item.value for item in call.keywords if item.arg == "flags"] or call.args[at : at + 1]
    with suppress(NameError):
        return eval(ast.unparse(told[0]), vars(module)) if told else 0
    return 0


def list_strings(tree: ast.Module, module: ModuleType) -> list[str]:
    """The module's strings that may be a pattern, but those of its calls that take one."""
    calls = [call for _, call in iter_calls(tree)]
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("compile_lazily")):
                calls.append(node)
    apart = {id(part) for call in calls for part in ast.walk(call.args[0])}
    apart |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = {
        build_text(node, module)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in apart
        # Of what stands anywhere nothing is called.
        if not any(isinstance(part, ast.Call) for part in ast.walk(node))
    }
    for value in vars(module).values():
        texts.update(iter_inside(value, str))
    return [text for text in texts if is_pattern(text)]


def is_pattern(text: Any) -> bool:
    if not isinstance(text, str) or not re.search(r"[])\w.][*+{]", text):
        return False
    try:
        re.compile(text)
    except (re.error, OverflowError):
        return False
    return True
