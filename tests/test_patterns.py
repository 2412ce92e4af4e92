"""Every regular expression of the product costs linear time, or reads a text of bounded length."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from plainloop.agent.offline.reading import RULE_CHARS
from plainloop_careers.jobs import salaries

ROOT: Final = Path(__file__).parent.parent
METHODS: Final = {
    "search": "search",
    "match": "match",
    "fullmatch": "fullmatch",
    **dict.fromkeys(("finditer", "findall", "sub", "subn", "split"), "finditer"),
}
UNITS: Final = (
    *"aAé0 \t\n.,-_/\\\"'`()[]{}<>&=+*#@:;%|$“",
    *("a.", "a@", "a-", "a ", "A ", "1.", "1,", "1 ", ":/", '\\"', "a,", "Aa ", "a\n", "- "),
    *(
        "**",
        "<a ",
        "<h1>",
        "<think>",
        "[a](",
        "org-",
        "eyJ-",
        "\v",
        "a@b.",
        "aB3/",
        "QUJD+/",
        "\r\n",
    ),
)
SIZES: Final = (250, 1000, 4000, 16000)  # each four times the last
FLOOR_S: Final = 0.0003  # less is noise
GROWTH: Final = 7.0  # of the time when the text is four times as long; a square grows 16-fold

STOP_S: Final = 0.05  # nobody waits for four times the text then
BOUND_S: Final = 0.25  # of a bounded text

# What only ever reads a text of so many characters, which the code beside it sees to.
BOUNDED: Final[dict[str, int]] = {
    "agent/offline/brain/": RULE_CHARS,
    "packages/careers/plainloop_careers/jobs/salaries.py:_BETWEEN": salaries.REACH_CHARS,
    "packages/careers/plainloop_careers/jobs/salaries.py:_PERIOD_": salaries.REACH_CHARS,
}
# Patterns that a function puts together: what its variables may be.
# None: written by who runs the service in a file of theirs, of one word, or read from the constants
# that it makes.
BUILT: Final[dict[str, dict[str, Any] | None]] = {
    "packages/lab/plainloop_lab/decide/checks.py:judge_answer": None,
    "packages/lab/plainloop_lab/decide/outcomes.py:find_task": None,
    "packages/lab/plainloop_lab/decide/rules.py:_compile": None,
    "agent/intents/language.py:is_plural": None,  # of one word
    "agent/intents/language.py:list_forms": None,  # of one word
    "agent/intents/lexicon.py:_build_compounds": {"first": "data", "second": "base|bank"},
    "packages/wire/plainloop_wire/script.py:parse_script": None,
    "packages/wire/plainloop_wire/script.py:_is_match": None,
    "packages/careers/plainloop_careers/jobs/salaries.py:parse_currency": {
        "words": r"us\s?\$|dollars?"
    },
    "packages/careers/plainloop_careers/jobs/salaries.py:parse_period": {
        "units": "hours?",
        "period": "hour",
    },
    "packages/careers/plainloop_careers/letters/answers.py:_is_named": {"pattern": r"a\s+b"},
    "packages/careers/plainloop_careers/letters/wishes.py:_make_kind": None,
    "packages/careers/plainloop_careers/letters/grounding/deeds.py:_build_deed": {
        "deeds": "built",
        "gerunds": "leading",
    },
    "packages/careers/plainloop_careers/letters/grounding/degrees.py:check_degrees": {
        "pattern": "b",
        "level": "",
    },
    "packages/careers/plainloop_careers/letters/grounding/degrees.py:_find_title": {"pattern": "b"},
    "packages/careers/plainloop_careers/letters/grounding/languages.py:_read_level": {
        "words": "fluent|good"
    },
    "packages/careers/plainloop_careers/letters/grounding/languages.py:_find_claimed": None,
    "packages/careers/plainloop_careers/letters/grounding/numbers.py:_get_counted": {
        "nouns": "years|teams"
    },
    "packages/careers/plainloop_careers/letters/grounding/view.py:_build_other": {
        "names": "Acme|Acme Inc"
    },
    "packages/careers/plainloop_careers/offline/letters.py:_list_skill_sentences": {
        "s": "a b",
        "fold": str,
    },
    "packages/careers/plainloop_careers/offline/letters.py:_is_named": {"claim": "a b"},
    "agent/providers/defaults.py:quirks_for": None,
    "agent/providers/defaults.py:is_own_model": None,
    "agent/providers/defaults.py:choose_protocol": None,
    "agent/providers/provider_state.py:to_wire_id": None,
    "server/edges/mcp/resources.py:_to_pattern": {"path": "/api/runs/{run_id}/steps"},
    "server/pages/__init__.py:_build_policy": {"tag": "script"},
}


@dataclass(frozen=True, slots=True)
class Use:
    """A pattern, and how the product asks it."""

    where: str
    regex: re.Pattern[str]
    methods: frozenset[str]


def test_every_pattern_takes_linear_time_on_any_letters() -> None:
    told = [
        f"{use.where} {method} {unit!r}: {use.regex.pattern[:80]}"
        for use in list_uses()
        for method in sorted(use.methods)
        for unit in UNITS
        if grows(getattr(use.regex, method), unit, find_bound(use.where))
    ]
    assert not told, "\n".join(told)


def find_bound(where: str) -> int | None:
    return next((size for place, size in BOUNDED.items() if where.startswith(place)), None)


def grows(ask: Callable[[str], Any], unit: str, bound: int | None) -> bool:
    """Whether four times the text takes much more than four times as long."""
    if bound is not None:
        return measure(ask, build_text(unit, bound)) > BOUND_S
    last = measure(ask, build_text(unit, SIZES[0]))
    for size in SIZES[1:]:
        if last > STOP_S:
            return True
        text = build_text(unit, size)
        spent = measure(ask, text)
        is_slower = spent > max(last, FLOOR_S) * GROWTH
        # A busy machine slows single tries: what is slower is so each time.
        if (
            is_slower
            and measure(ask, text, 3) > max(measure(ask, text[: size // 4], 3), FLOOR_S) * GROWTH
        ):
            return True
        last = spent
    return False


def build_text(unit: str, size: int) -> str:
    return (unit * size)[:size] + "§"


def measure(ask: Callable[[str], Any], text: str, times: int = 1) -> float:
    """The CPU seconds of the fastest try."""
    spent: list[float] = []
    for _ in range(times):
        began = time.process_time()
        found = ask(text)
        if found is not None and not isinstance(found, re.Match):
            for _ in found:
                pass
        spent.append(time.process_time() - began)
    return min(spent)


def list_uses() -> list[Use]:
    """Raises: AssertionError for a pattern that this test cannot find without help."""
    known: dict[re.Pattern[str], tuple[str, set[str]]] = {}
    for module in import_modules():
        tree, path = parse(module), get_path(module)
        asked = list_asked(tree)
        for name, value in vars(module).items():
            for regex in iter_patterns(value, 0):
                where, methods = known.setdefault(regex, (f"{path}:{name}", set()))
                methods |= asked.get(name, set())
        for function, call in iter_calls(tree, "<module>"):
            where = f"{path}:{function}"
            for regex in evaluate(call, module, where):
                assert isinstance(call.func, ast.Attribute)
                _, methods = known.setdefault(regex, (where, set()))
                methods |= {METHODS[name] for name in (call.func.attr,) if name in METHODS}
    return [
        Use(where, regex, frozenset(methods) or frozenset({"finditer"}))
        for regex, (where, methods) in known.items()
        if isinstance(regex.pattern, str)
    ]


def import_modules() -> Iterator[ModuleType]:
    for room in ("plainloop.agent", "plainloop.server"):
        yield from import_all(room)


def import_all(name: str) -> Iterator[ModuleType]:
    module = importlib.import_module(name)
    yield module
    for inner in pkgutil.iter_modules(getattr(module, "__path__", ())):
        if inner.name != "__main__":
            yield from import_all(f"{name}.{inner.name}")


def get_path(module: ModuleType) -> str:
    return str(Path(str(module.__file__)).resolve().relative_to(ROOT))


@cache
def parse(module: ModuleType) -> ast.Module:
    return ast.parse(Path(str(module.__file__)).read_text())


def list_asked(tree: ast.Module) -> dict[str, set[str]]:
    """name: how the module asks a pattern of this name."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in METHODS:
                found.setdefault(node.value.id, set()).add(METHODS[node.attr])
    return found


def iter_patterns(value: Any, depth: int) -> Iterator[re.Pattern[str]]:
    """The patterns in a module's constant, however deep."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 6:
        inner: list[Any] = []
        if isinstance(value, dict):
            inner = [*value, *value.values()]
        elif isinstance(value, list | tuple | set | frozenset):
            inner = list(value)
        elif is_dataclass(value) and not isinstance(value, type):
            inner = [getattr(value, item.name, None) for item in fields(value)]
        for item in inner:
            yield from iter_patterns(item, depth + 1)


def iter_calls(node: ast.AST, function: str) -> Iterator[tuple[str, ast.Call]]:
    """(the function around it, a call of the module `re` with a pattern)."""
    for child in ast.iter_child_nodes(node):
        inside = (
            child.name if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else function
        )
        if (
            isinstance(child, ast.Call)
            and isinstance(child.func, ast.Attribute)
            and isinstance(child.func.value, ast.Name)
            and child.func.value.id == "re"
            and child.func.attr in {"compile", *METHODS}
        ):
            yield inside, child
        yield from iter_calls(child, inside)


def evaluate(call: ast.Call, module: ModuleType, where: str) -> Iterator[re.Pattern[str]]:
    assert isinstance(call.func, ast.Attribute)
    flags = next((item.value for item in call.keywords if item.arg == "flags"), None)
    at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(call.func.attr, 2)
    flags = flags or (call.args[at] if len(call.args) > at else ast.Constant(0))
    told = BUILT.get(where, {})
    if told is None:
        return
    try:
        texts, flag = (
            eval(compile(ast.unparse(item), where, "eval"), {**vars(module), **told})
            for item in (call.args[0], flags)
        )
    except NameError as error:
        # A module's own loops leave their patterns in its constants.
        is_built = not where.endswith(":<module>") and not find_bound(where)
        assert not is_built, f"{where} builds a pattern: add it to BUILT ({error})"
        return
    yield re.compile(texts, flag)
