"""The fixtures of server and command, with this pack served instead of the tests' own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plainloop.agent.config.settings import Settings
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as served_command
from tests.server.conftest import ann, serve, served

__all__ = ["ann", "serve", "served", "served_command"]

PACKS = ("careers",)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, agent=replace(settings.agent, packs=PACKS))


@pytest.fixture
def plainloop(served_command: Command) -> Command:
    served_command.environ["AGENT_PACKS"] = ",".join((*PACKS, "staff_onboarding"))
    return served_command
