"""The commands of `plainloop learned`, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..terminal.launching import launch
from ..terminal.options import LOCAL, Json, Owner, Tenant

Pack = Annotated[str | None, typer.Option("--pack", help="of this pack only")]

learned = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@learned.command("list")
def list_learned(pack: Pack = None, as_json: Json = False, tenant: Tenant = LOCAL) -> None:
    """List the sentences to which triage's answer is known.

    Everybody's, and your own. With {jobs.company} a name of yours is meant. Those that are still
    "learning" answer after two users, or one three times, were told the same.
    """
    from .learned import print_learned

    launch(print_learned(Owner(tenant), pack, as_json=as_json))


@learned.command("forget")
def forget(
    templates: Annotated[
        list[str] | None, typer.Argument(metavar="ID…", help="as `explain` and `list` name them")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="all that is listed")] = False,
    pack: Pack = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Forget sentences: triage is asked again, and may be learned from anew.

    \b
    plainloop learned forget learned.36f78b9577
    plainloop learned forget --all --pack tracker
    """
    from .learned import forget_learned

    if every == bool(templates):
        raise typer.BadParameter("name what to forget, or say --all")
    launch(forget_learned(Owner(tenant), pack, templates or []))


@learned.command("export")
def export_learned(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="a file; without one to the terminal")
    ] = None,
    pack: Pack = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Write what is known as lines of JSON, without whose it was."""
    from .learned import write_learned

    launch(write_learned(Owner(tenant), pack, output))


@learned.command("import")
def import_learned(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="unset: learned.jsonl of each pack")
    ] = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Bring in what was exported, or what packs are shipped with.

    It answers everybody of the tenant at once, is held against triage like what was learned here,
    and a second time changes nothing.
    """
    from .learned import read_learned

    launch(read_learned(tenant, file))
