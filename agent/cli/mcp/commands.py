"""`plainloop mcp …`: the commands and their options."""

from __future__ import annotations

from typing import Annotated

import typer

from ..terminal.launching import launch

mcps = typer.Typer(rich_markup_mode=None, invoke_without_command=True)


@mcps.callback()
def mcp(context: typer.Context) -> None:
    """Speak MCP over stdin and stdout.

    This command is for clients that start their MCP servers themselves. `plainloop serve` offers
    the same tools at /mcp. docs/mcp.md describes both, and how to use tools of other servers.

    \b
    plainloop mcp
    plainloop mcp servers
    """
    if context.invoked_subcommand is None:
        from ...config.installed import load_hook
        from ...errors import ConfigError

        if (serve_stdio := load_hook("stdio")) is None:
            raise ConfigError(
                "no installed package speaks MCP", hint="Install plainloop-frontends."
            )
        launch(serve_stdio())


@mcps.command()
def servers() -> None:
    """List the configured tool servers and their problems."""
    from .servers import print_servers

    launch(print_servers())


@mcps.command()
def accept(
    server: Annotated[
        str, typer.Argument(metavar="SERVER", help="the server's name in the settings")
    ],
) -> None:
    """Accept the current descriptions of a server's tools.

    If a tool's description has changed since it was accepted, every call of the tool needs an
    approval until you accept the new description.
    """
    from .servers import accept_server

    launch(accept_server(server))
