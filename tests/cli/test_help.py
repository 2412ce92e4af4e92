"""The list of commands as a newcomer reads it."""

from __future__ import annotations

from typer.main import get_command

from plainloop.agent.cli.app import ORDER, app


def test_every_command_has_its_place_in_the_list():
    command = get_command(app)
    listed = getattr(command, "list_commands")(None)  # noqa: B009
    place = ORDER.index("")  # of what the packs bring

    assert [name for name in listed if name in ORDER] == [name for name in ORDER if name]
    assert listed[:place] == list(ORDER[:place])
