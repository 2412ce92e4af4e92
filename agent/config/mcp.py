"""`[mcp.<name>]`: tool servers that speak the Model Context Protocol, from the file or from a pack.

    [mcp.tickets]
    url = "https://tickets.example.com/mcp"
    headers = { Authorization = "Bearer ${TICKETS_TOKEN}" }
    tools = ["search", "create"]
    effects = { search = "read" }

Only the file has them, and packs: a list of tools is nothing for a variable.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, cast

import msgspec

from ..dataclasses import dataclass, field, fields
from ..errors import ConfigError
from .values import Seconds, interpolate, read_table

TABLE: Final = "mcp"
ALL_TOOLS: Final = "*"
# The name becomes part of its tools' names: vendors accept at most 64 such characters.
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,30}\Z")


@dataclass(frozen=True, slots=True)
class McpServer:
    """The settings of one tool server, and which of its tools are allowed.

    url or command: over HTTP, or as a process of ours that speaks over its stdin and stdout.
    tools: the allow-list; "*" lets all in, if they are few. effects: what each of them does; one
    that is not named has an effect outside, and a person is asked before each call, unless it is
    `unasked`. What a server says of its own tools changes none of it.
    """

    name: str
    tools: tuple[str, ...]
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])  # ${NAME} is a variable
    command: str | None = None
    args: tuple[str, ...] = ()
    env: tuple[str, ...] = ()  # variables that the process gets beside PATH and the language
    effects: Mapping[str, Literal["read", "external"]] = field(
        default_factory=dict[str, Literal["read", "external"]]
    )
    unasked: tuple[str, ...] = ()
    forms: bool = False  # it may ask the user to fill in a form in the middle of a call
    packs: tuple[str, ...] = ()  # that get its tools; none: the one that serves chat
    workers: tuple[str, ...] = ()  # of those packs; none: their default worker
    connect_timeout_s: Seconds = 10.0  # until its tools are known; our start waits so long
    idle_timeout_s: Seconds = 30.0  # of a call, without an answer or a word of progress
    timeout_s: Seconds = 120.0  # of a call
    is_from_pack: bool = False  # not named by the operator

    @property
    def where(self) -> str:
        """Return the tool server's address or program for display, without secrets."""
        # Keys often stand in the query of such an address.
        return self.command or (self.url or "").partition("?")[0]


_KEYS: Final = tuple(
    item.name for item in fields(McpServer) if item.name not in ("name", "is_from_pack")
)


def read_servers(document: Mapping[str, Any], env: Mapping[str, str]) -> dict[str, McpServer]:
    """Parse the settings file's `[mcp.…]` tables to tool servers by name. Raises: ConfigError."""
    rows = read_table(document.get(TABLE, {}), f"[{TABLE}]")
    return {name: _read_server(name, raw, env) for name, raw in rows.items()}


def _read_server(name: str, raw: Any, env: Mapping[str, str]) -> McpServer:
    where = f"[{TABLE}.{name}]"
    given = read_table(raw, where)
    for key in given:
        if key not in _KEYS:
            raise ConfigError(
                f"{where}: unknown key {key}", hint=f"Known keys: {', '.join(_KEYS)}."
            )
    headers: Any = given.get("headers")
    for value in cast("dict[str, Any]", headers).values() if isinstance(headers, dict) else ():
        interpolate(value, env, where)  # a missing variable is told now, a secret not kept here
    try:
        # `tools` is required, but an empty one gets the clearer error of `check_server`.
        server = msgspec.convert({"tools": (), **given, "name": name}, McpServer)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{where}: {error}") from None
    check_server(server)
    return server


def check_server(server: McpServer) -> None:
    """Raise ConfigError for a tool server's invalid name, missing address or wrong tools."""
    where = f"[{TABLE}.{server.name}]"
    if not _NAME.match(server.name):
        raise ConfigError(
            f"{where}: a server's name may contain only a-z, 0-9, _ and -",
            hint="Rename the server in plainloop.toml.",
        )
    if (server.url is None) == (server.command is None):
        raise ConfigError(
            f"{where} needs either `url` or `command`",
            hint="Set one of them: `url` for a server reached over HTTP, `command` for a server "
            "that plainloop starts.",
        )
    if not server.tools:
        raise ConfigError(
            f"{where}: `tools` allows no tool", hint='Set tools = ["name", …], or ["*"] for all.'
        )
    if ALL_TOOLS not in server.tools:
        for name in (*server.effects, *server.unasked):
            if name not in server.tools:
                raise ConfigError(
                    f"{where}: the tool {name!r} is not listed in `tools`",
                    hint="Add it to `tools`, or remove it from the other settings of this server.",
                )
