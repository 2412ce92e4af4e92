"""The command without a database: what decides from files needs none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command, make_environ
from tests.crash.conftest import open_scene as open_scene
from tests.crash.conftest import scene as scene


@pytest.fixture
def plainloop(tmp_path: Path) -> Command:
    return Command(make_environ(tmp_path), tmp_path)
