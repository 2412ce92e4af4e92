"""`plainloop tenant`: a tenant moves from one database to another."""

from __future__ import annotations

from pathlib import Path

from ...config.settings import load_settings
from ...moving import carrying, holding
from ..terminal import output
from ..terminal.opening import open_store


async def export_tenant(tenant_id: str, folder: Path, wait_s: float) -> None:
    async with open_store(load_settings()) as store:
        with output.progress("exporting …"):
            manifest = await carrying.export_tenant(store, tenant_id, folder, wait_s)
    output.write_status(f"{tenant_id}: {manifest.rows:,} rows; nothing of it is written here now")


async def import_tenant(folder: Path) -> None:
    manifest = carrying.read_manifest(folder)
    async with open_store(load_settings()) as store:
        with output.progress("importing …"):
            is_new = await carrying.import_tenant(store, folder)
    told = "are here" if is_new else "were here already"
    output.write_status(f"{manifest.tenant_id}: {manifest.rows:,} rows {told}")


async def release_tenant(tenant_id: str) -> None:
    async with open_store(load_settings()) as store:
        await holding.release_tenant(store.database, tenant_id)
    output.write_status(f"{tenant_id}: may be written to")


async def erase_tenant(tenant_id: str) -> None:
    async with open_store(load_settings()) as store:
        with output.progress("erasing …"):
            count = await carrying.erase_tenant(store.database, tenant_id)
    output.write_status(f"{tenant_id}: {count:,} rows are gone; whoever still comes is refused")
