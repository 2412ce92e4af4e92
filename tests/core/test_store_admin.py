"""API keys, the audit trail, erased users and helpers' runs, as the store keeps them."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import asyncpg
import pytest

from plainloop.agent.base.finishing import end_tasks
from plainloop.agent.base.ids import make_id
from plainloop.agent.errors import AuthError, ConflictError, InputError, NotFoundError
from plainloop.agent.store.admin.api_keys import (
    PREFIX,
    KeyBounds,
    NewKey,
    count_ending_keys,
    create_key,
    find_key,
    has_key,
    list_keys,
    revoke_key,
)
from plainloop.agent.store.admin.audit import (
    Actor,
    Deed,
    list_audit,
    name_account,
    record_audit,
    tell_saved,
)
from plainloop.agent.store.admin.tenant_secrets import join_secret, split_secret
from plainloop.agent.store.connecting.failures import make_store_error
from plainloop.agent.store.erasure import erase_user_rows
from plainloop.agent.store.helper_runs import find_caller, insert_helper, list_helpers
from plainloop.agent.store.records import Budget, RunEnd
from plainloop.agent.store.store import Store
from plainloop.agent.store.transactions import operate_alone
from tests.core.store_samples import (
    answer,
    begin_run,
    create_thread,
    erase_thread,
    make_call_start,
    make_settled,
    make_step,
    wait_for_lock,
)

BOUNDS = KeyBounds(most=2, longest_days=30.0)


async def create(store: Store, new: NewKey, bounds: KeyBounds = BOUNDS) -> tuple[str, str]:
    async with store.transaction("acme") as tx:
        return await create_key(tx, new, bounds)


async def test_an_api_key_authenticates_until_it_is_revoked(store: Store):
    key_id, key = await create(store, NewKey("ann", " script ", ["write"]))
    tenant_id, secret = split_secret(key.removeprefix(PREFIX))
    owner = await find_key(store.read("acme"), secret)
    (listed,) = await list_keys(store.read("acme"), "ann")
    is_valid = await has_key(store.read("acme"), key_id)
    async with store.transaction("acme") as tx:
        with pytest.raises(NotFoundError, match="no such key"):
            await revoke_key(tx, key_id, "bob")
        assert await revoke_key(tx, key_id, None) == "ann"

    assert (key.startswith("plk_"), tenant_id, is_valid) == (True, "acme", True)
    assert owner and (owner.key_id, owner.user_id) == (key_id, "ann")
    assert [*owner.scopes] == listed.scopes == ["read", "write"]
    assert (listed.name, listed.ending, listed.revoked_at) == ("script", secret[-4:], None)
    days = (listed.expires_at - datetime.now(UTC)) / timedelta(days=1)
    assert 29.9 < days <= 30 and listed.expires_at == owner.expires_at
    assert await find_key(store.read("acme"), secret) is None
    assert await find_key(store.read("umbrella"), secret) is None
    assert await has_key(store.read("acme"), key_id) is False


async def test_keys_are_listed_newest_first_of_one_user_or_of_all(store: Store):
    first, _ = await create(store, NewKey("ann", "one", valid_days=1))
    second, _ = await create(store, NewKey("bob", "two", ["admin"]))
    third, _ = await create(store, NewKey("ann", "three"))

    async def show(user_id: str | None, tenant_id: str = "acme") -> list[str]:
        return [item.key_id for item in await list_keys(store.read(tenant_id), user_id)]

    assert await show("ann") == [third, first]
    assert await show(None) == [third, second, first]
    assert await show(None, "umbrella") == []
    assert await count_ending_keys(operate_alone(store.database)) == 1


async def test_a_users_number_of_valid_keys_is_limited(store: Store):
    made = [await create(store, NewKey("ann", name)) for name in ("one", "two")]
    await create(store, NewKey("bob", "three"))
    with pytest.raises(ConflictError, match="already has 2 valid keys") as refused:
        await create(store, NewKey("ann", "four"))
    assert (refused.value.code, "api_keys_per_user" in (refused.value.hint or "")) == (
        "TOO_MANY_KEYS",
        True,
    )
    async with store.transaction("acme") as tx:
        await revoke_key(tx, made[0][0], "ann")
    await create(store, NewKey("ann", "four"))


async def test_simultaneous_requests_create_no_more_keys_than_allowed(store: Store):
    await create(store, NewKey("ann", "one"))
    async with store.transaction("acme") as tx:
        await create_key(tx, NewKey("ann", "two"), BOUNDS)
        third = asyncio.create_task(create(store, NewKey("ann", "three")))
        locked = asyncio.create_task(wait_for_lock(store))
        await asyncio.wait({third, locked}, return_when=asyncio.FIRST_COMPLETED)
    await end_tasks(locked)
    with pytest.raises(ConflictError, match="already has 2 valid keys"):
        await third


@pytest.mark.parametrize(
    ("new", "wrong"),
    [
        (NewKey("ann", "x", valid_days=31), "at most 30 days, not 31"),
        (NewKey("ann", "x", valid_days=0), "at most 30 days, not 0"),
        (NewKey("ann", "  "), "1 to 100 characters"),
        (NewKey("ann", "x" * 101), "1 to 100 characters"),
        (NewKey("ann", "two\nlines"), "1 to 100 characters"),
    ],
)
async def test_an_invalid_api_key_request_is_refused(store: Store, new: NewKey, wrong: str):
    with pytest.raises(InputError, match=wrong):
        await create(store, new)
    await create(store, NewKey("ann", "x" * 100, valid_days=30))


@pytest.mark.parametrize("shown", ["", ".secret", "YWNtZ.secret", "\u00e9.secret", "AA.secret"])
def test_a_secret_without_a_tenant_is_refused(shown: str):
    with pytest.raises(AuthError, match="the credential is not valid"):
        split_secret(shown)


async def test_audit_entries_are_listed_newest_first_in_pages(store: Store):
    boss, script = Actor("boss", "http", make_id()), Actor("root", "cli")
    deeds = [Deed("key.create", "k1", "ann", {"n": 1}), Deed("user.erase"), Deed("tenant.export")]
    async with store.transaction("acme") as tx:
        for actor, deed in zip((boss, script, boss), deeds, strict=True):
            await record_audit(tx, actor, deed)
    db = store.read("acme")
    third, second, first = await list_audit(db, None, None)

    assert (first.actor, first.via, first.key_id) == ("boss", "http", boss.key_id)
    assert (first.action, first.target, first.about, first.details) == (
        "key.create",
        "k1",
        "ann",
        {"n": 1},
    )
    assert (second.actor, second.via, second.action, second.details) == (
        "root",
        "cli",
        "user.erase",
        {},
    )
    assert await list_audit(db, 1, None) == [third]
    assert await list_audit(db, None, third.entry_id) == [second, first]
    assert await list_audit(store.read("umbrella"), None, None) == []
    with pytest.raises(NotFoundError):
        await list_audit(db, None, "no id")


def test_a_saved_budget_is_returned_with_limits_and_zone():
    plain = Budget("user", "day", 5, None, user_id="ann")
    zoned = Budget("tenant", "month", None, Decimal("1E+1"), is_hard=False, zone="Europe/Berlin")
    kind = {"scope": "user", "period": "day", "is_hard": True}
    assert tell_saved("b1", plain) == Deed(
        "budget.save", "b1", "ann", {**kind, "limit_tokens": 5, "limit_usd": None}
    )
    told = {"scope": "tenant", "period": "month", "is_hard": False, "limit_tokens": None}
    assert tell_saved("b2", zoned).details == {**told, "limit_usd": "10", "zone": "Europe/Berlin"}
    assert tell_saved("b2", zoned).about == ""


def test_commands_are_audited_under_the_operating_system_account(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LOGNAME", "ann")
    assert name_account() == Actor("ann", "cli")


async def count(store: Store, table: str, tenant_id: str = "acme") -> int:
    return await store.read(tenant_id).fetchval(
        f"select count(*) from {table} where tenant_id = $1", tenant_id
    )


async def test_an_erased_user_leaves_anonymous_usage_and_audit_entries(store: Store):
    threads = [await create_thread(store), await create_thread(store)]
    theirs, beyond = (
        await create_thread(store, user_id="bob"),
        await create_thread(store, "umbrella"),
    )
    digest = await store.save_prompt_text("acme", "system", "About Ann.")
    for thread, tenant_id in ((threads[0], "acme"), (theirs, "acme"), (beyond, "umbrella")):
        run = await begin_run(store, thread, tenant_id=tenant_id)
        hashed = digest if thread is threads[0] else None
        await store.record_call_start(start := make_call_start(run, system_hash=hashed))
        calls = (make_settled(start),)
        await store.record_steps(run, [make_step(calls=calls, end=RunEnd("succeeded"))])
    await create(store, NewKey("ann", "hers"))
    await create(store, NewKey("bob", "his"))
    async with store.transaction("acme") as tx:
        await record_audit(tx, Actor("ann", "http"), Deed("key.create", "k1", "ann"))
        await record_audit(tx, Actor("ann", "cli"), Deed("key.create", "k2", "bob"))
        erased = await erase_user_rows(tx, "ann")

    assert sorted(erased) == sorted(thread.thread_id for thread in threads)
    assert await store.list_threads("acme", "ann", limit=9) == []
    assert len(await store.list_threads("acme", "bob", limit=9)) == 1
    assert len(await store.list_threads("umbrella", "ann", limit=9)) == 1
    assert [key.name for key in await list_keys(store.read("acme"), None)] == ["his"]
    sql = "select user_id from llm_calls where tenant_id = $1 order by call_id"
    rows: Any = await store.read("acme").fetch(sql, "acme")
    assert ["ann" in str(row["user_id"]) for row in rows] == [False, False]
    assert await count(store, "prompt_texts") == 0
    last, first = await list_audit(store.read("acme"), None, None)
    assert [(it.actor, it.about) for it in (first, last)] == [("", ""), ("ann", "bob")]


async def test_a_run_lists_its_helpers_and_a_helper_its_caller(store: Store):
    caller = await begin_run(store, await create_thread(store))
    helper = await begin_run(
        store, await store.create_thread("acme", "ann", pack="x", kind="helper")
    )
    async with store.transaction("acme") as tx:
        await insert_helper(tx, caller, "c1", "baker", 1, begun=helper)
        await insert_helper(tx, caller, "c2", "cook", 1, refused="too deep")
    await answer(store, helper)
    async with store.transaction("acme") as tx:
        first, second = await list_helpers(tx, caller.run_id)
        found = await find_caller(tx, helper.run_id)
        assert await find_caller(tx, caller.run_id) is None
    async with store.transaction("umbrella") as tx:
        assert await list_helpers(tx, caller.run_id) == []

    if first.tool_call_id == "c2":
        first, second = second, first
    assert (first.worker, first.depth, first.refused) == ("baker", 1, None)
    assert (first.run_id, first.thread_id) == (helper.run_id, helper.thread_id)
    assert (first.status, first.ended_at is None) == ("succeeded", False)
    assert (second.tool_call_id, second.worker, second.refused) == ("c2", "cook", "too deep")
    assert (second.run_id, second.thread_id, second.status) == (None, None, None)
    assert found and (found["caller_run_id"], found["tool_call_id"], found["worker"]) == (
        caller.run_id,
        "c1",
        "baker",
    )


async def test_a_threads_helpers_are_erased_with_it(store: Store):
    caller = await begin_run(store, await create_thread(store))
    helper = await begin_run(
        store, await store.create_thread("acme", "ann", pack="x", kind="helper")
    )
    async with store.transaction("acme") as tx:
        await insert_helper(tx, caller, "c1", "baker", 1, begun=helper)
        await insert_helper(tx, caller, "c2", "cook", 1, refused="too deep")
    for run in (helper, caller):
        await answer(store, run)
    await erase_thread(store, "acme", "ann", caller.thread_id)
    assert (await count(store, "threads"), await count(store, "helper_runs")) == (0, 0)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (
            asyncpg.DiskFullError("could not extend /data/base/1: full"),
            "STORE_FULL",
            "the database's disk is full",
        ),
        (
            OSError("refused\nby the host"),
            "STORE_UNAVAILABLE",
            "the database cannot be used: refused",
        ),
        (TimeoutError(), "STORE_UNAVAILABLE", "the database cannot be used: TimeoutError"),
    ],
)
def test_an_unusable_database_is_logged_in_one_line(error: Exception, code: str, message: str):
    told = make_store_error(error)
    assert (told.code, told.message) == (code, message)
    assert ("DATABASE_URL" in (told.hint or "")) is (code == "STORE_UNAVAILABLE")


@pytest.mark.parametrize("tenant_id", ["a", "ab", "acme", "]]", "täglich", "x" * 50, "5uW5uW"])
def test_joining_and_splitting_a_credential_restores_tenant_and_secret(tenant_id: str):
    for secret in ("s3cret", "with.dots", ""):
        assert split_secret(join_secret(tenant_id, secret)) == (tenant_id, secret)


def test_the_error_of_a_malformed_credential_reveals_no_reason():
    for shown in ("", ".secret", "####.x", "_w.x", "Cg.x"):
        with pytest.raises(AuthError) as refused:
            split_secret(shown)
        assert refused.value.message == "the credential is not valid"
