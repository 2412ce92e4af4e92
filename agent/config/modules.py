"""Imports packs and designs by name: shipped ones, or any module of the user's."""

from __future__ import annotations

import difflib
import importlib
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

from ..errors import ConfigError


def load_module(kind: str, name: str, known: Mapping[str, str]) -> ModuleType:
    """Import a pack or design by short name or module path. kind: "pack" or "design".

    Raises: ConfigError for an unknown name, which names the nearest, and for a module that cannot
    be imported, which says where.
    """
    module = known.get(name, name)
    # These have their short names only: two names for one module are two kinds of stored runs.
    if not is_module_name(name) or any(is_within(name, home) for home in known.values()):
        raise make_unknown(kind, name, [*known])
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        # The module exists, but an import in it fails: another error than a mistyped name
        # (tests/project/test_typos.py).
        if not is_missing(module, error):
            raise make_broken(kind, name, error, module.split(".")[0]) from error
        if "." in name:
            told = f"the {kind} {name!r} cannot be imported: {error.msg}"
            raise ConfigError(
                told, hint="The module's top folder must be in the current folder or on PYTHONPATH."
            ) from error
        raise make_unknown(kind, name, [*known]) from error
    except Exception as error:
        # The edge to other people's code: whatever its import raises is told in one line.
        raise make_broken(kind, name, error, module.split(".")[0]) from error


def is_module_name(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


def is_within(module: str, package: str) -> bool:
    """Whether a module is this package or lies within it.

    >>> is_within("desk.tools", "desk"), is_within("desktop", "desk")
    (True, False)
    """
    return f"{module}.".startswith(f"{package}.")


def is_missing(module: str, error: ModuleNotFoundError) -> bool:
    """Whether the import failed because this module, or a parent of it, does not exist."""
    return error.name is not None and f"{module}.".startswith(f"{error.name}.")


def make_unknown(kind: str, name: str, known: Sequence[str]) -> ConfigError:
    near = difflib.get_close_matches(name, known, 1)
    meant = f"did you mean {near[0]!r}?" if near else f"known {kind}s: {', '.join(known)}"
    hint = f"{meant}; your own module must be in the current folder or on PYTHONPATH"
    return ConfigError(f"unknown {kind} {name!r}", hint=hint)


def make_broken(kind: str, name: str, error: Exception, package: str) -> ConfigError:
    """Build the error for a pack, design or other module that cannot be imported.
    package: searched for the place.
    """
    told = f"the {kind} {name!r} cannot be imported: {type(error).__name__}: {error}"
    return ConfigError(told, hint=f"see {find_place(error, package) or name}")


def find_place(error: BaseException, package: str) -> str | None:
    """Find the innermost line of the package in the traceback, as `folder/file.py:12`."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_shorten(error.filename)}:{error.lineno}"
    lines = [
        f"{_shorten(frame.f_code.co_filename)}:{line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if f"{frame.f_globals.get('__name__', '')}.".startswith(f"{package}.")
    ]
    return lines[-1] if lines else None


def _shorten(path: str) -> str:
    """
    >>> _shorten("/somewhere/desk/__init__.py")
    'desk/__init__.py'
    """
    return "/".join(Path(path).parts[-2:])
