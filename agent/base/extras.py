"""Imports of optional packages, with an error that says how to install them."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any

from ..errors import ConfigError


def load_extra(module: str, extra: str, of: str = "plainloop") -> Any:
    """Import and return a module that an optional extra of the package installs.
    extra: the extra that installs it, of the distribution `of`.

    Raises: ConfigError naming the extra to install.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise _make_missing(module, extra, of) from error


def check_extra(module: str, extra: str, of: str = "plainloop") -> None:
    """Raise ConfigError unless an optional package is installed, without importing it."""
    if not is_installed(module):
        raise _make_missing(module, extra, of)


def is_installed(module: str) -> bool:
    """Whether a module is installed, without importing it."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # nor is the package that it is in
        return False


def _make_missing(module: str, extra: str, of: str) -> ConfigError:
    hint = f"pip install '{of}[{extra}]'"
    return ConfigError(f"the Python package {module.partition('.')[0]} is not installed", hint=hint)
