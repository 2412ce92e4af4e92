"""The commands of `plainloop tenant`, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plainloop.agent.cli.terminal.launching import launch_with_store
from plainloop.agent.packs.commands import make_group

Name = Annotated[str, typer.Argument(metavar="TENANT", help="the tenant's id")]
Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="folder of the export")]

tenants = make_group("Move a tenant to another database.")


@tenants.command("export")
def export_tenant(
    tenant: Name,
    folder: Folder,
    wait_s: Annotated[
        float,
        typer.Option(
            "--wait", min=0, metavar="SECONDS", help="seconds to wait for running work to end"
        ),
    ] = 60,
) -> None:
    """Freeze a tenant and write all its data to a folder.

    The tenant's running work may finish, but no new work starts. Then all writes are refused.
    """
    from .tenant import export_tenant

    launch_with_store(export_tenant, tenant, folder, wait_s)


@tenants.command("import")
def import_tenant(folder: Folder) -> None:
    """Import an exported tenant.

    If the import fails, none of the data is stored. Importing the folder again changes nothing.
    """
    from .tenant import import_tenant

    launch_with_store(import_tenant, folder)


@tenants.command("release")
def release_tenant(tenant: Name) -> None:
    """Cancel the move of an exported tenant, and allow writes again."""
    from .tenant import release_tenant

    launch_with_store(release_tenant, tenant)


@tenants.command("erase")
def erase_tenant(
    tenant: Name,
    yes: Annotated[
        bool, typer.Option("--yes", help="I confirm that another database now serves the tenant")
    ] = False,
) -> None:
    """Delete the rows of an exported tenant that another database now serves."""
    from .tenant import erase_tenant

    if not yes:
        raise typer.BadParameter(
            "`tenant erase` deletes all rows of the tenant in this database: confirm with --yes"
        )
    launch_with_store(erase_tenant, tenant)
