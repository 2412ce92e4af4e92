"""`plainloop tenant`: a tenant moves from one database to another."""

from __future__ import annotations

from pathlib import Path

from plainloop.agent.cli.terminal import output
from plainloop.agent.store.admin.audit import Deed, name_account, record_audit
from plainloop.agent.store.store import Store

from ..moving import carrying, holding


async def export_tenant(store: Store, tenant_id: str, folder: Path, wait_s: float) -> None:
    async with store.transaction(tenant_id) as tx:  # before it is frozen: it moves along
        await record_audit(tx, name_account(), Deed("tenant.export"))
    with output.progress("exporting …"):
        manifest = await carrying.export_tenant(store, tenant_id, folder, wait_s)
    output.write_status(
        f"{tenant_id}: {manifest.rows:,} rows exported; writes for the tenant are now refused here"
    )


async def import_tenant(store: Store, folder: Path) -> None:
    manifest = carrying.read_manifest(folder)
    with output.progress("importing …"):
        is_new = await carrying.import_tenant(store, folder)
    told = "are here" if is_new else "were here already"
    output.write_status(f"{manifest.tenant_id}: {manifest.rows:,} rows {told}")


async def release_tenant(store: Store, tenant_id: str) -> None:
    await holding.release_tenant(store.database, tenant_id)
    async with store.transaction(tenant_id) as tx:
        await record_audit(tx, name_account(), Deed("tenant.release"))
    output.write_status(f"{tenant_id}: can be written to again")


async def erase_tenant(store: Store, tenant_id: str) -> None:
    with output.progress("erasing …"):
        count = await carrying.erase_tenant(store.database, tenant_id)
    output.write_status(
        f"{tenant_id}: {count:,} rows were deleted; further requests for it are refused"
    )
