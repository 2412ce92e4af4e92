"""The examples in docstrings are true, and their first sentences stand alone."""

from __future__ import annotations

import ast
import doctest
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_layers import parse_file

ROOT = Path(__file__).parents[1]
HOMES = {"agent": "plainloop.agent", "server": "plainloop.server", "scripts": "scripts"} | {
    str(path.relative_to(ROOT)): path.name for path in ROOT.glob("packages/*/plainloop_*")
}
MODULES = sorted(
    ".".join((name, *path.relative_to(ROOT / top).with_suffix("").parts))
    for top, name in HOMES.items()
    for path in (ROOT / top).rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_are_true(name: str):
    found = doctest.testmod(importlib.import_module(name))

    assert found.attempted > 0
    assert found.failed == 0


# A sentence that begins so is a part of one, and says nothing without the code below it. `limit: …`
# explains a parameter before anybody knows what of.
FRAGMENT = re.compile(
    r"(As|At|Before|Between|By|Else|For|From|If|In|It|Its|Likewise|None|Not|Of|On|Only|Such|That"
    r"|The same|Their|There|They|Those|To|Until|What|When|Where|Which|While|Who|Whose|Why|With"
    r"|Without)\b|[a-z_]+(, [a-z_]+)*( None)?: "
)
ROOMS = sorted(
    {path.parent for top in HOMES if top != "scripts" for path in (ROOT / top).rglob("*.py")}
)


def _list_public(tree: ast.Module | ast.ClassDef, within: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and the docstring of each public class, function and method."""
    for node in tree.body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        # What a tool says of itself is a prompt, written for the model.
        is_tool = any(re.match(r"tool\b", ast.unparse(item)) for item in node.decorator_list)
        is_private = node.name.startswith("_") and not node.name.startswith("__")
        if not is_private and not is_tool:
            yield within + node.name, ast.get_docstring(node) or ""
            if isinstance(node, ast.ClassDef):
                yield from _list_public(node, f"{node.name}.")


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_the_first_sentence_of_a_docstring_stands_alone(room: Path):
    fragments = [
        f"{path.name} {name}: {said.splitlines()[0]}"
        for path in sorted(room.glob("*.py"))
        for name, said in _list_public(parse_file(path))
        if FRAGMENT.match(said)
    ]

    assert fragments == []
