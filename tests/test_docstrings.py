"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

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
def test_what_a_docstring_shows_is_what_happens(name: str):
    found = doctest.testmod(importlib.import_module(name))

    assert found.attempted > 0
    assert found.failed == 0
