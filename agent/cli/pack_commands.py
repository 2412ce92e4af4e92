"""`plainloop onboard` and `plainloop knowledge …`: options only; what they do is in modules."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Annotated, Any

import typer

LOCAL = "local"

knowledge = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

Tenant = Annotated[str, typer.Option("--tenant", hidden=True)]
Files = Annotated[
    list[str], typer.Argument(metavar="FILE…", help="Markdown, text, PDF or Word; - reads stdin")
]
Names = Annotated[list[str], typer.Argument(metavar="NAME…", help="as `knowledge list` shows it")]


def onboard(
    context: typer.Context,
    new: Annotated[bool, typer.Option("--new", help="hold another interview")] = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Hold the onboarding interview.

    \b
    plainloop onboard
    AGENT_ONBOARDING=staff_onboarding plainloop onboard --new

    The agent speaks first and goes on where the last interview ended; each answer is kept at
    once. Ask "what is missing?" at any time. In a pipe each line is an answer.
    """
    from agent.cli.onboard import onboard
    from agent.cli.opening import Owner

    raise typer.Exit(onboard(Owner(tenant), begin_new=new, debug=context.obj.debug))


@knowledge.command("add")
def add(files: Files, tenant: Tenant = LOCAL) -> None:
    """Add documents; one of the same name is replaced."""
    from agent.cli.knowledge import add
    from agent.cli.opening import Owner

    _launch(add(Owner(tenant), files))


@knowledge.command("list")
def list_all(tenant: Tenant = LOCAL) -> None:
    """List the documents."""
    from agent.cli.knowledge import list_all
    from agent.cli.opening import Owner

    _launch(list_all(Owner(tenant)))


@knowledge.command("remove")
def remove(names: Names, tenant: Tenant = LOCAL) -> None:
    """Remove documents."""
    from agent.cli.knowledge import remove
    from agent.cli.opening import Owner

    _launch(remove(Owner(tenant), names))


def _launch(work: Coroutine[Any, Any, int | None]) -> None:
    from agent.cli.running import run_async

    raise typer.Exit(run_async(work) or 0)
