"""What the audit trail says of a move, and that it goes along."""

from __future__ import annotations

import json
from pathlib import Path

from plainloop.agent.store.admin.audit import Actor, Deed, record_audit
from plainloop.agent.store.store import Store
from plainloop_operations.moving.carrying import erase_tenant, export_tenant
from tests.cli.conftest import Command


async def test_moving_a_tenant_is_recorded_in_the_audit_trail(plainloop: Command, tmp_path: Path):
    await plainloop("tenant", "export", "local", str(tmp_path / "out"))
    await plainloop("tenant", "release", "local")
    entries = json.loads((await plainloop("audit", "--json")).out)
    assert [entry["action"] for entry in entries] == ["tenant.release", "tenant.export"]


async def test_a_moved_tenants_audit_trail_is_exported_and_erased(store: Store, tmp_path: Path):
    async with store.transaction("acme") as tx:
        await record_audit(tx, Actor("boss", "http"), Deed("key.revoke", "1"))
    manifest = await export_tenant(store, "acme", tmp_path, 60)
    counts = {item.table.name: item.content.rows for item in manifest.tables}
    assert counts["audit_entries"] == 1
    assert await erase_tenant(store.database, "acme") == 1
