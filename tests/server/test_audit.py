"""The audit trail: what admins did stands there, with the deed, and nobody changes it."""

from __future__ import annotations

import csv
import io

import asyncpg
import httpx2
import pytest

from plainloop.agent.store.admin.audit import Actor, Deed, list_audit, record_audit
from plainloop.agent.store.store import Store
from tests.server.conftest import Served, begin

BUDGET = {"scope": "user", "user_id": "ann", "limit_tokens": 5}
TOLD = {"limit_tokens": 5, "limit_usd": None, "scope": "user", "period": "month", "is_hard": True}


async def act(boss: httpx2.AsyncClient) -> tuple[str, str]:
    """A budget and a key, made and taken away: their ids."""
    budget = (await boss.put("/api/budgets", json=BUDGET)).json()["budget_id"]
    key = (await boss.post("/api/keys", json={"name": "x", "user_id": "ann"})).json()["key_id"]
    await boss.delete(f"/api/budgets/{budget}")
    await boss.delete(f"/api/keys/{key}")
    return budget, key


async def test_admin_actions_are_audited_newest_first_and_exportable(served: Served):
    boss = await served.client("boss", is_admin=True)
    budget, key = await act(boss)
    entries = (await boss.get("/api/audit")).json()["entries"]
    told = [(e["action"], e["target"], e["about"], e["details"]) for e in entries]
    page = (
        await boss.get("/api/audit", params={"limit": 1, "before": entries[1]["entry_id"]})
    ).json()
    exported = await boss.get("/api/audit", params={"format": "csv"})
    rows = [*csv.DictReader(io.StringIO(exported.text))]

    assert told == [
        ("key.revoke", key, "ann", {}),
        ("budget.delete", budget, "ann", TOLD),
        ("key.create", key, "ann", {"scopes": ["read", "write"]}),
        ("budget.save", budget, "ann", TOLD),
    ]
    assert {(e["actor"], e["via"], e["key_id"]) for e in entries} == {("boss", "http", None)}
    assert page["entries"] == [entries[2]]
    assert [row["action"] for row in rows] == [e["action"] for e in entries]


@pytest.mark.parametrize(
    ("only", "actions"),
    [
        ({"actor": "BOS"}, ["key.revoke", "budget.delete", "key.create", "budget.save"]),
        ({"actor": "ann"}, []),
        ({"action": "key"}, ["key.revoke", "key.create"]),
        ({"action": "budget.save"}, ["budget.save"]),
        ({"action": "budget.sav"}, []),
        ({"text": "ANN"}, ["key.revoke", "budget.delete", "key.create", "budget.save"]),
        ({"text": "write"}, ["key.create"]),
        ({"text": "100%"}, []),
        ({"text": "ann", "action": "key", "actor": "boss"}, ["key.revoke", "key.create"]),
    ],
)
async def test_audit_entries_are_filtered_by_actor_action_and_text(
    served: Served, only: dict[str, str], actions: list[str]
):
    boss = await served.client("boss", is_admin=True)
    await act(boss)
    entries = (await boss.get("/api/audit", params=only)).json()["entries"]
    table = await boss.get("/api/audit", params={**only, "format": "csv"})

    assert [entry["action"] for entry in entries] == actions
    assert [row["action"] for row in csv.DictReader(io.StringIO(table.text))] == actions


async def test_refused_actions_are_not_audited(served: Served):
    boss = await served.client("boss", is_admin=True)
    await boss.delete("/api/budgets/0190a0b1-93c2-7e11-8a9b-3c5d7e9f0a1b")
    await boss.put("/api/budgets", json={"scope": "tenant"})
    assert (await boss.get("/api/audit")).json() == {"entries": []}


async def test_audit_entries_name_the_api_key(served: Served):
    boss = await served.client("boss", is_admin=True)
    made = (await boss.post("/api/keys", json={"name": "x", "scopes": ["admin"]})).json()
    headers = {"authorization": f"Bearer {made['key']}"}
    await boss.put("/api/budgets", json=BUDGET, headers=headers)
    [entry, _] = (await boss.get("/api/audit")).json()["entries"]
    assert (entry["action"], entry["actor"], entry["key_id"]) == (
        "budget.save",
        "boss",
        made["key_id"],
    )


async def test_the_audit_trail_is_visible_only_to_the_tenants_admins(served: Served):
    boss, ann = await served.client("boss", is_admin=True), await served.client("ann")
    other = await served.client("boss", "umbrella", is_admin=True)
    await act(boss)
    assert (await ann.get("/api/audit")).status_code == 403
    assert (await other.get("/api/audit")).json() == {"entries": []}


async def test_erasing_a_user_anonymises_their_audit_entries(served: Served):
    boss, ann = await served.client("boss", is_admin=True), await served.client("ann")
    await act(boss)
    await ann.post("/api/keys", json={"name": "own"})
    await begin(ann, "a talk")
    assert (await boss.delete("/api/users/ann")).status_code == 204
    entries = (await boss.get("/api/audit")).json()["entries"]

    assert [(e["action"], e["actor"], e["about"]) for e in entries] == [
        ("user.erase", "boss", ""),
        ("key.create", "", ""),
        ("key.revoke", "boss", ""),
        ("budget.delete", "boss", ""),
        ("key.create", "boss", ""),
        ("budget.save", "boss", ""),
    ]
    assert entries[0]["details"] == {"conversations": 1}
    assert (await boss.delete("/api/users/me")).status_code == 204
    entries = (await boss.get("/api/audit")).json()["entries"]
    assert {e["actor"] for e in entries} == {""}


CHANGES = (
    *("update audit_entries set action = 'budget.delete'", "delete from audit_entries"),
    *("update audit_entries set actor = 'x'", "update audit_entries set details = '{}'"),
)


async def test_the_database_refuses_changes_of_audit_entries(store: Store):
    deed = Deed("budget.save", "1", "ann", {"limit_tokens": 5})
    async with store.transaction("acme") as tx:
        await record_audit(tx, Actor("boss", "http"), deed)
    for change in CHANGES:
        statement = f"{change} where tenant_id = $1"
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="only added to"):
            async with store.transaction("acme") as tx:
                await tx.execute(statement, "acme")
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="only added to"):
            async with store.database.connection() as connection:
                await connection.execute("select set_config('app.tenant_id', 'acme', false)")
                await connection.execute(statement, "acme")
    assert len(await list_audit(store.read("acme"), None, None)) == 1
