"""`plainloop doctor thread`: the command and its options."""

from __future__ import annotations

from typing import Annotated

import typer

from plainloop.agent.cli.terminal.launching import launch_with_store
from plainloop.agent.cli.terminal.options import Owner, grouped
from plainloop.agent.packs.commands import make_group

doctors = make_group("Check the installation and explain how to fix problems.")


@doctors.callback()
def doctor() -> None:
    """Keep the group a group while it has one command."""


@doctors.command("thread")
@grouped
def doctor_thread(
    owner: Owner,
    thread: Annotated[
        str,
        typer.Argument(metavar="THREAD", help="the thread's id, the start of its id, or `last`"),
    ],
    fix: Annotated[
        bool, typer.Option("--fix", help="save the repaired conversation as a new thread")
    ] = False,
) -> None:
    """Check a stored conversation.

    Finds what a provider would refuse: tool calls without a result, results without a call, empty
    messages. Each model call gets a repaired copy of the history anyway; --fix saves the repaired
    history as a new thread. The exit code is 1 when problems are found and --fix is not used.
    """
    from .doctor_thread import doctor_thread

    launch_with_store(doctor_thread, owner, thread, fix=fix)
