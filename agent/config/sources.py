"""Reads settings from the environment and the settings file, and checks their names."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from types import NoneType
from typing import Any, cast, get_args, get_type_hints

from ..dataclasses import dataclass, fields
from ..errors import ConfigError
from .values import Source, interpolate, parse_value

DEFAULT_FILE = "plainloop.toml"
CONFIG_VARIABLE = "AGENT_CONFIG"
# Sizes of the long test runs; the service has no use for them but must not refuse them.
TEST_ONLY_VARIABLES = frozenset({"AGENT_CRASH_SEEDS", "AGENT_FUZZ_EXAMPLES"})
_TYPO, _LIKE = 0.8, 0.6  # difflib's ratio of a name and its misspelling, of two that are alike
_ROLE_TABLE = re.compile(r"agents\.[^.]+$")


@dataclass(frozen=True, slots=True)
class KnownSetting:
    """A known setting: key, variable, type and default, derived from a dataclass field."""

    key: str  # "limits.lease_s", as in plainloop.toml
    env: str  # "AGENT_LIMITS_LEASE_S"
    kind: Any  # the field's type without None: how `parse_value` reads it
    default: Any
    help_text: str
    owner: type  # the dataclass

    @property
    def name(self) -> str:
        """Return the field's name: the last part of the key."""
        return self.key.rpartition(".")[2]


@lru_cache(maxsize=128)  # types are resolved anew for each look, which settings take many of
def list_rows(prefix: str, owner: type) -> tuple[KnownSetting, ...]:
    """List the settings that a dataclass declares. prefix: "limits.", or "" at the top."""
    hints = get_type_hints(owner, include_extras=True)
    return tuple(
        KnownSetting(
            key=prefix + item.name,
            env=item.metadata["env"] or "AGENT_" + (prefix + item.name).replace(".", "_").upper(),
            kind=_drop_none(hints[item.name]),
            default=item.default,
            help_text=item.metadata["help"],
            owner=owner,
        )
        for item in fields(owner)
        if "help" in item.metadata
    )


def _drop_none(hint: Any) -> Any:
    kinds = get_args(hint)
    return next(kind for kind in kinds if kind is not NoneType) if NoneType in kinds else hint


def drop_empty(environ: Mapping[str, str | None]) -> dict[str, str]:
    """Copy the variables without the empty ones, which count as unset."""
    # Compose files and CI pass `NAME=` for what is not set
    # (test_the_environment_wins_over_the_file_and_an_empty_variable_does_not).
    return {name: value for name, value in environ.items() if value and value.strip()}


def find_file(env: Mapping[str, str], config_path: Path | None) -> Path | None:
    """Return the path of the settings file, or None if there is none.

    Raises: ConfigError for a `~name` of no user.
    """
    if config_path is not None:
        return config_path
    if CONFIG_VARIABLE in env:
        try:
            return Path(env[CONFIG_VARIABLE]).expanduser()
        except RuntimeError:  # raised by pathlib if it does not find the home
            raise ConfigError(
                f"{CONFIG_VARIABLE}: {env[CONFIG_VARIABLE]} is in the home of an unknown user",
                hint="Write the whole path.",
            ) from None
    path = Path(DEFAULT_FILE)
    return path if path.exists() else None


def load_file(path: Path) -> dict[str, Any]:
    """Load a TOML file. Raises: ConfigError when it cannot be read or is not TOML."""
    try:
        # TOML is UTF-8 by its specification; without a name, Windows would read its own encoding.
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be read: {error.strerror or error}",
            hint="Check the path in AGENT_CONFIG and the file's permissions.",
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{path}: not valid TOML: {error}",
            hint="Correct the file at that place; text needs quotes.",
        ) from error


def reject_unknown_variables(env: Mapping[str, str], rows: list[KnownSetting]) -> None:
    """Raise ConfigError for `AGENT_…` variables that are no setting."""
    known = {row.env for row in rows} | {CONFIG_VARIABLE}
    for name in sorted(env):
        # Only our prefix: others chose the names DATABASE_URL and those of providers' keys.
        if name.startswith("AGENT_") and name not in known | TEST_ONLY_VARIABLES:
            raise ConfigError(f"unknown environment variable {name}", hint=_suggest(name, known))


def reject_unknown_keys(
    path: Path, document: Mapping[str, Any], rows: list[KnownSetting], tables: Collection[str]
) -> None:
    """Raise ConfigError for keys of the settings file that are no setting."""
    known = {row.key for row in rows}
    for key in _list_leaves(document, tables):
        if key in known:
            continue
        if key in tables or key == "agents" or _ROLE_TABLE.match(key):
            near = key.replace("agents.", "agent.", 1)
            hint = f"Did you mean {near}? [agents.…] is for roles." if near in known else None
            raise ConfigError(f"{path.name}: {key} must be a table", hint=hint)
        names = known if "." in key else known | {*tables, "agents"}
        raise ConfigError(f"{path.name}: unknown key {key}", hint=_suggest(key, names))


def _suggest(name: str, known: set[str]) -> str:
    # Compare names without the shared prefix, which would make all of them look alike.
    bare = _drop_prefix(name)  # DATABASE_URL is everybody's
    nearest = bare if bare in known else _find_nearest(bare, {_drop_prefix(k): k for k in known})
    guess = f"Did you mean {nearest}? " if nearest else ""
    return f"{guess}.env.example lists every name."


def _find_nearest(name: str, known: Mapping[str, str]) -> str | None:
    """Return the known name that was probably meant; None if none is similar.

    First a name of which only the table is missing ("PORT"), then one spelt nearly the same, then
    one with the same last word, then any similar one. known: names by their form without prefix.
    """
    words = _split_name(name)
    choices = (
        (0, [other for other in known if _split_name(other)[-len(words) :] == words]),
        (_TYPO, known),
        (0, [other for other in known if _split_name(other)[-1] == words[-1]]),
        (_LIKE, known),
    )
    found = (get_close_matches(name, sorted(some), n=1, cutoff=least) for least, some in choices)
    return next((known[near[0]] for near in found if near), None)


def _split_name(name: str) -> list[str]:
    return re.split(r"[_.]", name.lower())


def _drop_prefix(name: str) -> str:
    return name.removeprefix("AGENT_")


def _list_leaves(
    document: Mapping[str, Any], tables: Collection[str], prefix: str = ""
) -> list[str]:
    leaves: list[str] = []
    for name, value in document.items():
        key = prefix + name
        is_table = key in tables or key == "agents" or prefix == "agents."
        if is_table and isinstance(value, dict):
            leaves += _list_leaves(cast("dict[str, Any]", value), tables, f"{key}.")
        else:
            leaves.append(key)
    return leaves


def get_table(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a table of the settings file; {} if it is missing or no table.

    `reject_unknown_keys` checks the type.
    """
    table = document.get(name, {})
    return cast("dict[str, Any]", table) if isinstance(table, dict) else {}


def read_setting(
    row: KnownSetting, env: Mapping[str, str], path: Path | None, document: Mapping[str, Any]
) -> tuple[Any, Source]:
    """Read one setting's value and where that came from.

    An environment variable wins over the settings file, the file over the default.
    """
    if row.env in env:
        raw = env[row.env]
        value = parse_value(row.kind, raw, where=row.env, is_text=True, folder=Path())
        return value, "environment"
    *tables, name = row.key.split(".")
    for table in tables:
        document = get_table(document, table)
    raw = document.get(name)
    if path is None or raw is None or raw == "":
        return row.default, "default"
    where = f"{path.name}: {row.key}"
    # Interpolate only values in effect: a missing variable in a line that the environment replaces
    # is no error (test_a_setting_replaced_by_the_environment_is_not_validated).
    raw, is_text = interpolate(raw, env, where)
    value = parse_value(row.kind, raw, where=where, is_text=is_text, folder=path.parent)
    return value, "file"
