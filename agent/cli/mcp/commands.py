"""`plainloop mcp …`: the commands and their options."""

from __future__ import annotations

from typing import Annotated

import typer

from ..terminal.launching import launch

mcps = typer.Typer(rich_markup_mode=None, invoke_without_command=True)


@mcps.callback()
def mcp(context: typer.Context) -> None:
    """Speak MCP over stdin and stdout.

    For a client that starts its servers itself. The same tools are at /mcp of `plainloop serve`.
    docs/mcp.md shows both, and how tools of other people's servers come in.

    \b
    plainloop mcp
    plainloop mcp servers
    """
    if context.invoked_subcommand is None:
        from .serving import serve_stdio

        launch(serve_stdio())


@mcps.command()
def servers() -> None:
    """List the tool servers of the settings and packs, and what is wrong with them."""
    from .servers import print_servers

    launch(print_servers())


@mcps.command()
def accept(
    server: Annotated[str, typer.Argument(metavar="SERVER", help="its name in the settings")],
) -> None:
    """Agree to a server's tools as they are now.

    A tool that says something else of itself than when it was let in asks before every call, until
    this is done.
    """
    from .servers import accept_server

    launch(accept_server(server))
