"""The list of all settings, and reading them: `plainloop.toml`, `.env` and the environment.

The environment wins over `.env`, which wins over the file. An empty variable counts as unset. A
name that is not on the list is an error that suggests the nearest known name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from ..errors import ConfigError
from .installed import load_entries
from .mcp import TABLE as MCP
from .mcp import read_servers
from .pack_parts import list_extensions, list_installed, load_tables
from .prices import TABLE as PRICES
from .prices import read_prices
from .rates import TABLE as RATES
from .rates import read_rates
from .sources import (
    KnownSetting,
    drop_empty,
    find_file,
    get_table,
    list_rows,
    load_file,
    read_setting,
    reject_unknown_keys,
    reject_unknown_variables,
)
from .tables import AgentSettings, Limits, RoleSettings, Settings
from .values import Secret, Source, setting

__all__ = ["Limits", "RoleSettings", "Secret", "Settings", "load_settings", "setting"]

DOTENV: Final = ".env"
# Modules of the service that declare settings, from the root of the installed package.
DECLARING: Final = (
    "agent.base.messages.settings",
    "agent.providers.settings",
    "agent.store.connecting.settings",
    "agent.service.settings",
    "server.settings",
)
_ROLE_NAME: Final = re.compile(r"[a-z][a-z0-9_]*\Z")
_ROLE_VARIABLE: Final = re.compile(
    rf"AGENT_AGENTS_([A-Z][A-Z0-9_]*)_(?:{'|'.join(RoleSettings.__dataclass_fields__).upper()})$"
)


def list_known_settings(
    role_names: tuple[str, ...] = (), packs: tuple[str, ...] = ()
) -> list[KnownSetting]:
    """List all known settings: the service's, installed packages' and those of packs.

    role_names: those of `[agents.<name>]`, each with its own settings.

    Raises: ConfigError for a setting or a table that is declared twice.
    """
    # By name, since the layers above may not be imported from here (tests/test_layers.py).
    root = __name__.removesuffix(".agent.config.settings")
    modules: list[Any] = [import_module(f"{root}.{name}") for name in DECLARING]
    modules += load_entries("settings").values()
    own: list[tuple[str, type]] = [("agent", AgentSettings), ("limits", Limits)]
    own += [item for module in modules for item in module.TABLES.items()]
    tables = [*dict.fromkeys(table for table, _ in own)]
    own.sort(key=lambda item: tables.index(item[0]))
    brought = load_tables((*list_installed(), *packs, *list_extensions()))
    if taken := brought.keys() & {*tables}:
        raise ConfigError(
            f"a pack defines the settings table [{min(taken)}], which the service itself uses",
            hint="Rename the table in the pack's settings.py.",
        )
    own += [(table, owner) for table, owners in brought.items() for owner in owners]
    rows = [*list_rows("", Settings)]
    for name in role_names:
        rows += list_rows(f"agents.{name}.", RoleSettings)
    for table, owner in own:
        rows += list_rows(f"{table}." if table else "", owner)
    return rows


def load_settings(
    environ: Mapping[str, str] | None = None, config_path: Path | None = None
) -> Settings:
    """Load and check all settings. Environment variables override the settings file.

    environ: None for the environment, over `.env` in the current folder. The file is `config_path`,
    else `AGENT_CONFIG`, else `./plainloop.toml` when it exists.

    Raises: ConfigError for an unknown name, a value of the wrong type, a file that cannot be read.
    """
    env = drop_empty(_load_environ() if environ is None else environ)
    path = find_file(env, config_path)
    document = {} if path is None else load_file(path)
    role_names = _list_role_names(env, document)
    # Read before all others: the packs that it names declare settings of their own.
    agent = {
        row.name: read_setting(row, env, path, document)[0]
        for row in list_rows("agent.", AgentSettings)
    }
    named = (*agent["packs"], *filter(None, [agent["onboarding"]]))
    rows = list_known_settings(role_names, named)
    # Before the other values are read: a mistyped name is reported as such, not as a default that
    # surprises.
    reject_unknown_variables(env, rows)
    if path is not None:
        own = (PRICES, MCP, RATES)
        settable = {name: value for name, value in document.items() if name not in own}
        tables = {row.key.rpartition(".")[0] for row in rows} - {""}
        reject_unknown_keys(path, settable, rows, tables)

    values: dict[type, dict[str, Any]] = {row.owner: {} for row in rows}
    roles: dict[str, dict[str, Any]] = {name: {} for name in role_names}
    sources: dict[str, Source] = {}
    for row in rows:
        value, source = read_setting(row, env, path, document)
        if source != "default":
            of_role = row.owner is RoleSettings
            taken = roles[row.key.split(".")[1]] if of_role else values[row.owner]
            taken[row.name], sources[row.key] = value, source
    # Not a field's default: reading the installed packages takes time and differs by environment.
    values[AgentSettings].setdefault("packs", tuple(list_installed()))
    top = values.pop(Settings)
    top["data_dir"] = top.get("data_dir") or _get_data_dir()
    tables = {owner: owner(**given) for owner, given in values.items() if owner is not RoleSettings}
    return Settings(
        **top,
        agent=tables.pop(AgentSettings),
        limits=tables.pop(Limits),
        agents=MappingProxyType({name: RoleSettings(**given) for name, given in roles.items()}),
        # Views that cannot be written: `Settings` is frozen, and shared by all tasks
        # (test_settings_cannot_be_changed).
        prices=MappingProxyType(read_prices(document, path)),
        mcp=MappingProxyType(read_servers(document, env)),
        rates=MappingProxyType(read_rates(document, path)),
        config_path=path,
        tables=MappingProxyType(tables),
        sources=MappingProxyType(sources),
        _environ=MappingProxyType(env),
    )


def _load_environ() -> dict[str, str | None]:
    """Return the environment variables, with those of `.env` that are not set.

    Raises: ConfigError for a `.env` that cannot be read.
    """
    # Imported only where there is such a file: most services have none, and each command reads
    # settings.
    if not Path(DOTENV).is_file():
        return dict(os.environ)
    from dotenv import dotenv_values

    try:
        return {**dotenv_values(DOTENV), **os.environ}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{DOTENV}: cannot be read: {error}",
            hint="Save the file as UTF-8, and check its permissions.",
        ) from error


def _list_role_names(env: Mapping[str, str], document: Mapping[str, Any]) -> tuple[str, ...]:
    in_file = get_table(document, "agents")
    for name in in_file:
        if not _ROLE_NAME.match(name):
            raise ConfigError(
                f'[agents."{name}"]: a name may contain only a-z, 0-9 and _',
                hint="Rename the table after a role or a worker.",
            )
    in_env = (match.group(1).lower() for name in env if (match := _ROLE_VARIABLE.match(name)))
    return tuple(sorted({*in_file, *in_env}))


def _get_data_dir() -> Path:
    # Imported here, since `data_dir` is set in most services.
    from platformdirs import user_data_path

    return user_data_path("plainloop", appauthor=False)


def get_owner(settings: Settings, row: KnownSetting) -> Any:
    """Return the loaded settings object that holds this setting's value as a field."""
    if row.owner is RoleSettings:
        return settings.agents[row.key.split(".")[1]]
    own = {Settings: settings, AgentSettings: settings.agent, Limits: settings.limits}
    return own.get(row.owner) or settings.tables[row.owner]
