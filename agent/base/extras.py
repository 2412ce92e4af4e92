"""Packages that only some installations have."""

from __future__ import annotations

import importlib
from typing import Any

from ..errors import ConfigError


def load_extra(module: str, extra: str, of: str = "plainloop") -> Any:
    """Import a module of an optional package. extra: what brings it, of which distribution.

    Raises: ConfigError.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        hint = f"pip install '{of}[{extra}]'"
        raise ConfigError(f"the package {module.partition('.')[0]} is needed", hint=hint) from error
