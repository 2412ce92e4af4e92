"""Single statements of a tenant: by the database, by its read replica, and what the store makes
of an answer that was lost on the way back.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import pytest

from plainloop.agent.base.ids import make_id
from plainloop.agent.errors import ConflictError, StoreError
from plainloop.agent.store import outages
from plainloop.agent.store import store as store_module
from plainloop.agent.store.leases import make_owner
from plainloop.agent.store.records import RunEnd, RunStart
from plainloop.agent.store.store import Store
from plainloop.agent.store.transactions import Autocommit, Lag, Reader, ReplicaReader
from tests.core.store_samples import begin_run, create_thread, get_texts, make_step, make_text

Read = Callable[[Any, str], Awaitable[Any]]
TITLES = "select title from threads where tenant_id = $1"
READS: dict[str, tuple[Read, Any]] = {
    "fetch": (lambda db, tenant_id: db.fetch(TITLES, tenant_id), [{"title": "of umbrella"}]),
    "fetchrow": (lambda db, tenant_id: db.fetchrow(TITLES, tenant_id), {"title": "of umbrella"}),
    "fetchval": (lambda db, tenant_id: db.fetchval(TITLES, tenant_id), "of umbrella"),
}


async def make_thread(store: Store, tenant_id: str) -> str:
    title = f"of {tenant_id}"
    return (await store.create_thread(tenant_id, "ann", pack="tracker", title=title)).thread_id


def read_umbrellas(store: Store, own_tenant: str = "acme") -> ReplicaReader:
    """What is read is another tenant's: so it is seen whether the replica was asked."""
    return ReplicaReader(store.read("umbrella"), store.read(own_tenant), Lag(1.0))


@pytest.mark.parametrize("way", READS)
async def test_a_read_replica_answers_every_kind_of_read(way: str, store: Store):
    for tenant_id in ("acme", "umbrella"):
        await make_thread(store, tenant_id)
    read, answer = READS[way]
    assert await read(read_umbrellas(store), "umbrella") == answer
    assert not await read(read_umbrellas(store), "acme"), "no row of another tenant"


async def test_a_read_replica_runs_functions_and_the_primary_runs_writes(store: Store):
    ids = {tenant_id: await make_thread(store, tenant_id) for tenant_id in ("acme", "umbrella")}
    reader = read_umbrellas(store)

    async def load(tenant_id: str) -> list[str]:
        key = {"user_id": "ann", "thread_id": ids[tenant_id]}
        return [row["title"] for row in await reader.call("plainloop_load_thread", **key)]

    assert [await load("umbrella"), await load("acme")] == [["of umbrella"], []]
    sql = "update threads set title = $2 where thread_id = any($1)"
    assert await reader.execute(sql, [*ids.values()], "new") == 1
    assert reader.tenant_id == "acme"
    assert await store.read("acme").fetchval(TITLES, "acme") == "new"
    assert await store.read("umbrella").fetchval(TITLES, "umbrella") == "of umbrella"


async def test_without_a_read_replica_late_reads_use_the_primary(store: Store):
    assert not await read_umbrellas(store).has_everything()
    assert not await store.has_reached(await store.read_position())
    assert await store.measure_lag() is None
    assert type(store.read_late("acme")) is type(await store.read_settled("acme")) is Autocommit


async def test_an_unreachable_read_replica_does_not_count_as_caught_up(store: Store):
    class Away:
        tenant_id = "acme"

        async def fetchval(self, sql: str, *args: Any) -> Any:
            raise StoreError("gone")

    away: Any = Away()
    assert not await ReplicaReader(away, store.read("acme"), Lag(1.0)).has_everything()
    assert not await ReplicaReader(store.read("acme"), away, Lag(1.0)).has_everything()


async def test_a_reader_runs_every_statement_in_its_own_transaction(store: Store):
    thread_id = await make_thread(store, "acme")
    own: Any = Reader("acme", lambda: store.transaction("acme"))
    other: Any = Reader("umbrella", lambda: store.transaction("umbrella"))
    key = {"user_id": "ann", "thread_id": thread_id}
    sql = "update threads set title = title where thread_id = $1"
    for reader, count in ((own, 1), (other, 0)):
        assert len(await reader.call("plainloop_load_thread", **key)) == count
        assert len(await reader.fetch(TITLES, "acme")) == count
        assert ((await reader.fetchrow(TITLES, "acme")) is not None) == bool(count)
        assert ((await reader.fetchval(TITLES, "acme")) is not None) == bool(count)
        assert await reader.execute(sql, thread_id) == count


Call = Callable[..., Awaitable[Any]]


@pytest.fixture
def lose_answers(store: Store, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """The next calls of a function are made, and their answer is lost; `made` False: the
    connection was cut before.
    """
    monkeypatch.setattr(outages, "PAUSES_S", (0.0, 0.0))
    monkeypatch.setattr(store_module, "PAUSES_S", (0.0,))
    real: Call = store.database.call

    def prepare(function: str, *fates: bool) -> list[str]:
        left, lost = [*fates], list[str]()

        async def call(name: str, values: Any, given: Any, **more: Any) -> Any:
            if name != function or not left:
                return await real(name, values, given, **more)
            lost.append(name)
            if left.pop(0):
                await real(name, values, given, **more)
            raise StoreError("the connection was cut")

        monkeypatch.setattr(store.database, "call", call)
        return lost

    return prepare


async def test_a_thread_with_a_chosen_id_is_created_once_despite_lost_answers(
    store: Store, lose_answers: Callable[..., list[str]]
):
    lost = lose_answers("plainloop_create_thread", True, True, False)
    thread_id = make_id()
    with pytest.raises(StoreError, match="the connection was cut"):
        await store.create_thread("acme", "ann", pack="tracker", thread_id=thread_id)
    assert (await store.load_thread("acme", "ann", thread_id)).thread_id == thread_id
    for _ in range(2):  # of its own id: a thread more is nobody's harm
        assert (await store.create_thread("acme", "ann", pack="tracker")).thread_id != thread_id
    assert lost == ["plainloop_create_thread"] * 3
    assert await store.read("acme").fetchval("select count(*) from threads") == 4


@pytest.mark.parametrize("was_made", [True, False])
async def test_a_run_is_begun_once_if_the_databases_answer_was_lost(
    was_made: bool, store: Store, lose_answers: Callable[..., list[str]]
):
    thread, owner = await create_thread(store), make_owner()
    lost = lose_answers("plainloop_begin_run", was_made)
    run = await begin_run(store, thread, "hello", owner=owner)
    assert lost == ["plainloop_begin_run"]
    assert (run.owner, run.fence, run.input_position) == (owner, 1, 0)
    assert get_texts(await store.load_messages("acme", thread.thread_id)) == ["hello"]
    loaded = await store.load_run("acme", "ann", run.run_id)
    assert (loaded.status, loaded.run_id) == ("running", run.run_id)


async def test_a_run_repeated_after_a_lost_answer_names_the_active_run(
    store: Store, lose_answers: Callable[..., list[str]]
):
    thread = await create_thread(store)
    first = await begin_run(store, thread, "first")
    lose_answers("plainloop_begin_run", False)
    start = RunStart("ann", thread.thread_id, make_text("user", "second"), "default", "tracker")
    with pytest.raises(ConflictError) as busy:
        await store.begin_run("acme", start, make_owner(), 30.0)
    assert (busy.value.code, first.run_id in busy.value.message) == ("THREAD_BUSY", True)
    assert get_texts(await store.load_messages("acme", thread.thread_id)) == ["first"]


@pytest.mark.parametrize("was_made", [True, False])
async def test_a_step_is_stored_once_if_its_commits_answer_was_lost(
    was_made: bool, store: Store, lose_answers: Callable[..., list[str]]
):
    thread = await create_thread(store)
    run = await begin_run(store, thread, "hello")
    lost = lose_answers("plainloop_record_steps", was_made)
    said: Any = {"messages": [make_text("assistant", "done")]}
    await store.record_steps(run, [make_step(update=said, end=RunEnd("succeeded"))])
    assert lost == ["plainloop_record_steps"]
    assert get_texts(await store.load_messages("acme", thread.thread_id)) == ["hello", "done"]
    assert [step.n for step in await store.load_steps("acme", run.run_id)] == [0]


async def test_a_step_transaction_with_a_lost_commit_is_not_repeated(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(store_module, "PAUSES_S", (0.0,))
    thread = await create_thread(store)
    run = await begin_run(store, thread, "hello")
    for is_stored in (False, True):
        tx: Any = await store.open_step_transaction(run)
        real: Call = tx.call_last

        async def call_last(
            function: str, *values: Any, real: Call = real, tx: Any = tx, made: bool = is_stored
        ) -> None:
            await (real(function, *values) if made else tx.rollback())
            raise StoreError("the connection was cut")

        tx.call_last = call_last
        step = [make_step(update={"messages": [make_text("assistant", "done")]})]
        if is_stored:
            await store.record_steps(run, step, tx)
        else:
            with pytest.raises(StoreError, match="was cut"):
                await store.record_steps(run, step, tx)
        stored = get_texts(await store.load_messages("acme", thread.thread_id))
        assert stored == (["hello", "done"] if is_stored else ["hello"])


async def test_a_database_call_is_repeated_after_a_deadlock(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    pool: Any = store.database._pool  # type: ignore[reportPrivateUsage]
    acquire, tried = pool.acquire, list[str]()

    class Deadlocked:
        def __init__(self, connection: Any) -> None:
            self.connection = connection

        async def fetch(self, sql: str, *args: Any, **more: Any) -> Any:
            tried.append(sql)
            if len(tried) < 3:
                raise asyncpg.DeadlockDetectedError("deadlock detected")
            return await self.connection.fetch(sql, *args, **more)

    async def acquire_one(lane: Any) -> Any:
        return Deadlocked(await acquire(lane))

    release = pool.release
    monkeypatch.setattr(pool, "acquire", acquire_one)
    monkeypatch.setattr(pool, "release", lambda item: release(item.connection))
    made = await store.create_thread("acme", "ann", pack="tracker")
    assert tried == ["select * from plainloop_create_thread($1)"] * 3
    monkeypatch.undo()
    assert await store.load_thread("acme", "ann", made.thread_id) == made


async def test_a_prompt_text_is_stored_again_after_its_erasure(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(store_module, "MAX_KNOWN_PROMPTS", 2)
    saved: list[str] = []
    real: Call = store.database.call

    async def call(name: str, values: Any, given: Any, **more: Any) -> Any:
        if name == "plainloop_save_prompt_text":
            saved.append(given["text"])
        return await real(name, values, given, **more)

    monkeypatch.setattr(store.database, "call", call)
    for text in ("a", "a", "b", "a", "c", "a"):  # at the third one all are forgotten
        await store.save_prompt_text("acme", "system", text)
    assert saved == ["a", "b", "c", "a"]
    store.forget_prompts()
    await store.save_prompt_text("acme", "system", "a")
    assert saved == ["a", "b", "c", "a", "a"]
