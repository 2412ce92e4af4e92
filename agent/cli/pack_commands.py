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
            commands[name] = _to_command(item)
            commands[name].name = name
    return commands


def _to_command(item: Any) -> Any:
    if isinstance(item, typer.Typer):
        return get_command(item)
    app = typer.Typer(rich_markup_mode=None)
    app.command()(item)
    return get_command(app)
