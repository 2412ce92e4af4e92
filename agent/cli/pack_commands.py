"""Commands of packs and packages, imported when an unknown command is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import typer
from typer.main import get_command

from ..config.installed import load_entries
from ..config.pack_parts import list_installed, load_part
from ..config.settings import load_settings


def load_commands() -> dict[str, Any]:
    """Load the commands of installed packages and of the packs that are served, by name.

    Raises: ConfigError.
    """
    packs = dict.fromkeys((*list_installed(), *load_settings().agent.packs))
    parts = [(None, part) for part in load_entries("commands").values()]
    parts += [(f"Pack {pack}", load_part(pack, "commands")) for pack in packs]
    commands: dict[str, Any] = {}
    command: Any
    for panel, part in parts:
        brought: Mapping[str, Any] = part.COMMANDS if part else {}
        for name, item in brought.items():
            if isinstance(item, typer.Typer):
                command = _explain_itself(get_command(item))
            else:
                # No completion options: they would install completion for a program that does not
                # exist.
                app = typer.Typer(rich_markup_mode=None, add_completion=False)
                app.command()(item)
                command = get_command(app)
            known: Any = commands.get(name)
            if hasattr(known, "commands") and hasattr(command, "commands"):
                known.commands |= command.commands  # `import`: each brings what it can read
                continue
            commands[name] = command
            command.name = name
            command.rich_help_panel = command.rich_help_panel or panel
    return commands


def _explain_itself(command: Any) -> Any:
    """Make a group of commands, and those in it, print their help without a subcommand."""
    if hasattr(command, "commands"):
        command.no_args_is_help = not command.invoke_without_command
        for inner in command.commands.values():
            _explain_itself(inner)
    return command
