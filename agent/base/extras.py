"""Packages that only some installations have."""

from __future__ import annotations

import importlib
from typing import Any

from ..errors import ConfigError


def load_extra(module: str, extra: str) -> Any:
    """A module of an optional package. extra: what brings it. Raises: ConfigError."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        hint = f"pip install 'plainloop[{extra}]'"
        raise ConfigError(f"the package {module.partition('.')[0]} is needed", hint=hint) from error
