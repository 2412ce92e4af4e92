"""Designs of the tests' own, beside the shipped ones; and the `machine` of tests/machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plainloop.agent import designs
from tests.machine.conftest import database_url, machine, machine_url

__all__ = ["add_design", "database_url", "machine", "machine_url"]

AddDesign = Callable[[str, str], None]


@pytest.fixture
def add_design(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AddDesign]:
    """`add_design(name, source)`: a package that is found as the shipped designs are."""
    added: list[str] = []
    monkeypatch.setattr(designs, "__path__", [*designs.__path__, str(tmp_path)])

    def add(name: str, source: str) -> None:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text(source, encoding="utf-8")
        added.append(name)

    yield add
    for name in added:
        sys.modules.pop(f"plainloop.agent.designs.{name}", None)
        if hasattr(designs, name):
            delattr(designs, name)
