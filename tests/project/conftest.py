"""A project as `plainloop new` writes it, and the command run in it."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from tests.cli.conftest import Command, plainloop

SAFE = (sys.executable, "-P", "-m", "plainloop")
__all__ = ["desk", "plainloop"]


@pytest.fixture
async def desk(plainloop: Command) -> Command:
    """The command in the folder of a new project `desk`, which is on no path."""
    done = await plainloop("new", "desk")
    assert done.code == 0, done.err
    environ = without_packs(plainloop.environ)
    # Not `python -m`, which puts the current folder first: as the installed command does it.
    return replace(plainloop, folder=plainloop.folder / "desk", program=SAFE, environ=environ)


def without_packs(environ: dict[str, str]) -> dict[str, str]:
    """The project says itself which pack is served."""
    return {name: value for name, value in environ.items() if name != "AGENT_PACKS"}
