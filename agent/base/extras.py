"""Packages that only some installations have."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any

from ..errors import ConfigError


def load_extra(module: str, extra: str, of: str = "plainloop") -> Any:
    """Import a module of an optional package. extra: what brings it, of which distribution.

    Raises: ConfigError.
    """
    check_extra(module, extra, of)
    return importlib.import_module(module)


def check_extra(module: str, extra: str, of: str = "plainloop") -> None:
    """Raise ConfigError unless an optional package is installed; nothing is imported for it."""
    if not is_installed(module):
        hint = f"pip install '{of}[{extra}]'"
        raise ConfigError(f"the package {module.partition('.')[0]} is needed", hint=hint)


def is_installed(module: str) -> bool:
    """Whether the module can be found."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # nor is the package that it is in
        return False
