"""The commands of `plainloop learned`, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..terminal.launching import launch, launch_with_store
from ..terminal.options import Json, Owner, grouped

Pack = Annotated[str | None, typer.Option("--pack", help="only this pack's")]

learned = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@learned.command("list")
@grouped
def list_learned(owner: Owner, pack: Pack = None, as_json: Json = False) -> None:
    """List the sentences to which triage's answer is known.

    Everybody's, and your own. With {jobs.company} a name of yours is meant. Those that are still
    "learning" answer after two users, or one three times, were told the same.
    """
    from .learned import print_learned

    launch_with_store(print_learned, owner, pack, as_json=as_json)


@learned.command("forget")
@grouped
def forget(
    owner: Owner,
    templates: Annotated[
        list[str] | None, typer.Argument(metavar="ID…", help="as `explain` and `list` name them")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="everything that `list` shows")] = False,
    pack: Pack = None,
) -> None:
    """Forget sentences: triage is asked again, and may be learned from anew.

    \b
    plainloop learned forget learned.36f78b9577
    plainloop learned forget --all --pack tracker
    """
    from .learned import forget_learned

    if every == bool(templates):
        raise typer.BadParameter("name what to forget, or say --all")
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
    """Write what is known as lines of JSON, without whose it was."""
    from .learned import write_learned

    launch_with_store(write_learned, owner, pack, output)


@learned.command("import")
@grouped
def import_learned(
    owner: Owner,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="default: learned.jsonl of each pack")
    ] = None,
) -> None:
    """Bring in what was exported, or what packs are shipped with.

    It answers everybody of the tenant at once, is held against triage like what was learned here,
    and a second time changes nothing.
    """
    from .learned import read_learned

    launch(read_learned(owner.tenant_id, file))
