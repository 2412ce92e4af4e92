"""Commands of a pack, as `--help` shows them.

A pack's module `commands` has `COMMANDS`, by name: Typer groups, or functions. Each takes a
`typer.Context`. A help page imports this module of every pack, so it holds names and options only:
what a command does is an `async def` that gets a `terminal.Terminal`, in a module that the command
imports when it runs, and hands to `launch`.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Concatenate, Final, ParamSpec

import typer

LOCAL: Final = "local"  # the tenant and the user of a service without authentication
Tenant = Annotated[str, typer.Option("--tenant", hidden=True)]

P = ParamSpec("P")


def launch(
    context: typer.Context,
    work: Callable[Concatenate[Any, P], Coroutine[Any, Any, None]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> None:
    """Run the coroutine of a pack's command; print an exception as one line.

    A signal cancels it.
    """
    terminal = context.obj.terminal
    terminal.run(work(terminal, *args, **kwargs))


def make_group(help_text: str) -> typer.Typer:
    """Create a command group without rich formatting, which costs each help page 0.1 s."""
    return typer.Typer(
        rich_markup_mode=None, no_args_is_help=True, add_completion=False, help=help_text
    )
