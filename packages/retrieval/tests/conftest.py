"""The command, in a folder of its own, with a pack that has documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

ROOT = str(Path(__file__).parents[3])


@pytest.fixture
def environ(plainloop: Command) -> dict[str, str]:
    """The variables with which the command serves that pack."""
    path = f"{plainloop.environ['PYTHONPATH']}:{ROOT}"
    return {"AGENT_PACKS": "packages.retrieval.tests.answering", "PYTHONPATH": path}
