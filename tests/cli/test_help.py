"""The list of commands as a newcomer reads it."""

from __future__ import annotations

from typer.main import get_command

from plainloop.agent.cli.app import ORDER, app


def test_every_command_has_its_place_in_the_list():
    command = get_command(app)
    assert getattr(command, "list_commands")(None) == list(ORDER)  # noqa: B009
