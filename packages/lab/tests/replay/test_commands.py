"""The service knows which package brings a command that is not installed."""

from __future__ import annotations

from plainloop.agent.cli.brought import BROUGHT
from plainloop_lab.commands.commands import COMMANDS


def test_whoever_lacks_the_lab_is_told_of_every_command_that_it_brings() -> None:
    told = {name for name, package in BROUGHT.items() if package == "plainloop-lab"}

    assert told == {*COMMANDS, "demo"}
