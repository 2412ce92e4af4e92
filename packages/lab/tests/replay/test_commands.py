"""The commands of live replays stand in the service's own group, which says who brings them."""

from __future__ import annotations

from typer.main import get_command

from plainloop.agent.cli.brought import BROUGHT
from plainloop_lab.commands.commands import COMMANDS
from plainloop_lab.commands.replay_commands import replays


def test_whoever_lacks_the_lab_is_told_of_every_command_that_it_brings() -> None:
    inner = [f"replay {name}" for name in getattr(get_command(replays), "commands")]  # noqa: B009
    told = {name for name, package in BROUGHT.items() if package == "plainloop-lab"}

    assert told == {*COMMANDS, *inner, "demo"} - {"replay"}
