"""The command, in a folder of its own, with a pack that has documents."""

from __future__ import annotations

import pytest

from tests.cli.conftest import plainloop as plainloop


@pytest.fixture
def environ() -> dict[str, str]:
    """The variables with which the command serves that pack."""
    return {"AGENT_PACKS": "packages.retrieval.tests.answering"}
