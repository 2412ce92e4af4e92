"""The commands that packs bring, found when one is asked for that is not ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import typer
from typer.main import get_command

from ..config.pack_parts import list_installed, load_part
from ..config.settings import load_settings


def load_commands() -> dict[str, Any]:
    """By name, of the packs that are installed or served. Raises: ConfigError."""
    commands: dict[str, Any] = {}
    for pack in dict.fromkeys((*list_installed(), *load_settings().agent.packs)):
        part = load_part(pack, "commands")
        brought: Mapping[str, Any] = part.COMMANDS if part else {}
        for name, item in brought.items():
            command = commands[name] = _to_command(item)
            command.name = name
            command.rich_help_panel = command.rich_help_panel or f"Pack {pack}"
    return commands


def _to_command(item: Any) -> Any:
    if isinstance(item, typer.Typer):
        return _explain_itself(get_command(item))
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command()(item)
    return get_command(app)


def _explain_itself(command: Any) -> Any:
    """Have a group, and those in it, print their help where nothing is asked of them."""
    if hasattr(command, "commands"):
        command.no_args_is_help = not command.invoke_without_command
        for inner in command.commands.values():
            _explain_itself(inner)
    return command
