"""The service knows which package brings a command that is not installed."""

from __future__ import annotations

from plainloop.agent.cli.brought import BROUGHT
from plainloop_lab.commands.commands import COMMANDS


def test_without_plainloop_lab_its_commands_name_the_package() -> None:
    told = {name for name, package in BROUGHT.items() if package == "plainloop-lab"}

    assert told == {*COMMANDS, "demo"}
