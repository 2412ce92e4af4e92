"""What is installed beside the service, by group: packs, extensions of packs, commands, hosts,
engines, protocols, hooks, migrations (a folder each), findings for `plainloop doctor`, settings.

The service imports none of them by name. Any distribution may bring some; ours: `packages/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, Literal

from .modules import make_broken

Group = Literal[
    "packs",
    "extensions",
    "commands",
    "hosts",
    "engines",
    "protocols",
    "hooks",
    "migrations",
    "findings",
    "settings",
]

# What a group was called before; such entries are read until 0.4.
_FORMER: Final = {"protocols": ("plainloop.edges",)}


@cache
def find_entries(group: Group) -> Mapping[str, EntryPoint]:
    """Map the names in a group of entry points to the entry points, without importing them."""
    groups = [f"plainloop.{group}", *_FORMER.get(group, ())]
    found = {item.name: item for name in groups for item in _read_all().select(group=name)}
    return dict(sorted(found.items()))


@cache
def _read_all() -> Any:  # once: it takes 10 ms to look through all that is installed
    return entry_points()


def load_entries(group: Group) -> dict[str, Any]:
    """Import the objects of a group's entry points; return them by name.

    Raises: ConfigError for one that cannot be imported.
    """
    return {name: load_entry(group, name) for name in find_entries(group)}


def load_hook(
    name: Literal[
        "answering",
        "contracts",
        "export",
        "gate",
        "months",
        "rates",
        "rules",
        "starting",
        "stdio",
        "task",
    ],
) -> Any:
    """Load what an installed package provides in place of a part of the service.

    None if no package does.

    Raises: ConfigError for one that cannot be imported.
    """
    return load_entry("hooks", name) if name in find_entries("hooks") else None


def load_entry(group: Group, name: str) -> Any:
    entry = find_entries(group)[name]
    try:
        return entry.load()
    except Exception as error:
        # The edge to other people's code: whatever its import raises is told in one line.
        raise make_broken(group.removesuffix("s"), name, error, entry.module) from error
