"""The commands of `plainloop learned`, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plainloop.agent.cli.terminal.launching import launch, launch_with_store
from plainloop.agent.cli.terminal.options import Json, Owner, grouped
from plainloop.agent.packs.commands import make_group

Pack = Annotated[str | None, typer.Option("--pack", help="only this pack's sentences")]

learned = make_group("Manage the sentences that triage has learned to answer.")


@learned.command("list")
@grouped
def list_learned(owner: Owner, pack: Pack = None, as_json: Json = False) -> None:
    """List the sentences for which triage has learned an answer.

    Shows your sentences and those of all users. {jobs.company} stands for a name in your data. A
    sentence is "learning" until two users, or one user three times, got the same answer from
    triage.
    """
    from .learned import print_learned

    launch_with_store(print_learned, owner, pack, as_json=as_json)


@learned.command("forget")
@grouped
def forget(
    owner: Owner,
    templates: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID…", help="rule names, as `explain` and `list` show them"),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="forget everything that `list` shows")
    ] = False,
    pack: Pack = None,
) -> None:
    """Forget learned sentences, so that triage calls the model again.

    \b
    plainloop learned forget learned.36f78b9577
    plainloop learned forget --all --pack tracker
    """
    from .learned import forget_learned

    if every == bool(templates):
        raise typer.BadParameter("name the sentences to forget, or use --all")
    launch_with_store(forget_learned, owner, pack, templates or [])


@learned.command("export")
@grouped
def export_learned(
    owner: Owner,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="file to write; default: stdout")
    ] = None,
    pack: Pack = None,
) -> None:
    """Export learned sentences as lines of JSON, without their users."""
    from .learned import write_learned

    launch_with_store(write_learned, owner, pack, output)


@learned.command("import")
@grouped
def import_learned(
    owner: Owner,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="file to read; default: learned.jsonl of each pack"),
    ] = None,
) -> None:
    """Import exported sentences, or those that ship with packs.

    Imported sentences apply to all users of the tenant at once. Triage checks them like sentences
    learned here. Importing a file again changes nothing.
    """
    from .learned import read_learned

    launch(read_learned(owner.tenant_id, file))
