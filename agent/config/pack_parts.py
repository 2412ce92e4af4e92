"""Where packs are found by their names, and the parts of one that are read before it is loaded.

A pack may have a module `settings` with `TABLES`, the settings that it brings, and a module
`commands` with `COMMANDS`. They are imported without the pack's tools, prompts and tables.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Final

from ..errors import ConfigError
from .installed import find_entries
from .modules import is_missing, is_module_name, make_broken

OURS: Final = "plainloop_"  # how the packages of this repository begin


def list_installed() -> list[str]:
    """List the names of the installed packs, sorted, without importing them."""
    return [*find_entries("packs")]


def list_extensions() -> list[str]:
    """List the module names of the installed extensions of packs, without importing them."""
    return [entry.module for entry in find_entries("extensions").values()]


def get_modules() -> dict[str, str]:
    """Return the modules of installed packs by pack name."""
    return {name: entry.module for name, entry in find_entries("packs").items()}


def to_module_name(name: str) -> str:
    """Return the module of the installed pack with this name; other names are modules already."""
    return get_modules().get(name, name)


def find_code(name: str) -> Path | None:
    """Find a pack's folder or single file; None if it does not exist."""
    module = to_module_name(name)
    try:
        # Locate the pack without importing it, which would run its code and may fail.
        spec = importlib.util.find_spec(module) if is_module_name(module) else None
    except ImportError:  # of a folder above it
        return None
    places = spec.submodule_search_locations if spec else None
    if places:
        return Path(next(iter(places)))
    return Path(spec.origin) if spec and spec.has_location and spec.origin else None


def is_ours(module: str) -> bool:
    """Whether the module belongs to a package of this repository."""
    return module.startswith(OURS)


def load_part(name: str, part: str) -> ModuleType | None:
    """Import the module `part` of a pack; None if the pack or the part does not exist.

    Raises: ConfigError for one that cannot be imported.
    """
    module = f"{to_module_name(name)}.{part}"
    if not is_module_name(module):
        return None
    try:
        # Checked first: a missing `settings.py` is normal, an ImportError inside of it is an error.
        if importlib.util.find_spec(module) is None:
            return None
        return importlib.import_module(module)
    except Exception as error:
        # The edge to other people's code. Who loads the pack tells that it is not there.
        if isinstance(error, ModuleNotFoundError) and is_missing(module, error):
            return None
        raise make_broken("pack", name, error, module.split(".")[0]) from error


def load_tables(names: Iterable[str]) -> dict[str, list[type]]:
    """Map each settings table to the dataclasses that these packs declare for the table.

    Raises: ConfigError for a table that two packs bring.
    """
    tables: dict[str, list[type]] = {}
    for name in dict.fromkeys(names):
        # Any package's name may stand there, and its module `settings` be no pack's.
        brought: Mapping[str, type] = getattr(load_part(name, "settings"), "TABLES", {})
        for table, owner in brought.items():
            if table and table in tables:
                raise ConfigError(
                    f"the pack {name!r} defines the settings table [{table}], which already exists",
                    hint="Rename the table in the pack's settings.py.",
                )
            tables.setdefault(table, []).append(owner)
    return tables
