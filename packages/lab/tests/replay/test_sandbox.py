"""`--sandbox`: tools run for real on a copy of the tenant's rows, which is dropped."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg
import pytest

from packages.lab.tests.replay.test_live import (
    Candidate,
    answer,
    be_busy,
    call_tools,
    load_results,
    write_rooms,
)
from plainloop.agent.base.ids import make_id
from plainloop.agent.packs.loading import load_packs
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop_lab.live.plan import BASELINE, CANDIDATE, LanePlan, LivePlan
from plainloop_lab.live.tools import list_tables, open_sandbox
from plainloop_lab.service.worker import name_sandbox
from plainloop_lab.store.replays import Item, list_replays
from plainloop_lab.store.sandbox import drop_sandboxes, make_sandbox
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.fixtures import TESTS_PACK
from tests.wire_fixtures import StartWire

ADD = "add a job: Backend Engineer at Initech, remote"


async def count_sandboxes(store: Store) -> int:
    rows = await store.read("local").fetch(
        "select count(*) as n from pg_namespace where nspname like 'plainloop_sandbox%'"
    )
    return rows[0]["n"]


async def load_jobs(store: Store, tenant_id: str = "local") -> list[str]:
    rows = await store.read(tenant_id).fetch(
        "select company from tracker_jobs where tenant_id = $1 order by job_id", tenant_id
    )
    return [row["company"] for row in rows]


async def test_sandbox_writes_are_visible_there_and_never_reach_real_rows(
    plainloop: Command, wire_server: StartWire, store: Store
) -> None:
    await plainloop("ask", ADD)
    server = await wire_server(Candidate(write_then_list))
    environ = point_at("openai", server.openai_url)
    done = await plainloop("replay", "live", "--sandbox", **environ)
    assert done.code == 0, done
    assert "run on a copy of today's rows" in done.out
    assert await load_jobs(store) == ["Initech"]
    assert await count_sandboxes(store) == 0
    for lane in ("baseline", "candidate"):
        (item,) = await load_results(store, lane)
        (turn,) = (item.result or {})["turns"]
        assert [(use["name"], use["served"]) for use in turn["tools"]] == [
            ("create_job", "sandbox"),
            ("list_jobs", "sandbox"),
        ]
        assert "Evil" in turn["text"] and "Initech" in turn["text"]


def write_then_list(request: ChatRequest) -> LLMResponse:
    """Adds a job, then lists them, then says what the list was."""
    if request.json_schema is not None:
        return be_busy(request)
    last = request.messages[-1]
    if last["role"] != "tool":
        return call_tools(request, ("create_job", {"company": "Evil", "title": "Boss"}))
    (told,) = (part for part in last["parts"] if part["type"] == "tool_result")
    if told["name"] == "create_job":
        return call_tools(request, ("list_jobs", {}))
    return answer(str(told["result"]))


async def test_a_sandbox_has_only_the_tenants_rows_with_constraints(store: Store) -> None:
    for tenant_id in ("local", "other"):
        async with store.transaction(tenant_id) as tx:
            await tx.execute(
                "insert into tracker_jobs (tenant_id, job_id, user_id, company, title) "
                "values ($1, 1, 'local', $1, 'Cook')",
                tenant_id,
            )
    (pack,) = load_packs([TESTS_PACK])
    async with open_sandbox(store.database, "local", "t_", pack) as sandbox:
        assert [dict(row) for row in await sandbox.fetch("select company from tracker_jobs")] == [
            {"company": "local"}
        ]
        with pytest.raises(asyncpg.UniqueViolationError):
            await sandbox.execute(
                "insert into tracker_jobs (tenant_id, job_id, user_id, company, title) "
                "values ('local', 1, 'local', 'x', 'x')"
            )
        await sandbox.execute("delete from tracker_jobs")
        for table in ("threads", "llm_calls"):
            with pytest.raises(asyncpg.UndefinedTableError):
                await sandbox.execute(f"delete from {table}")
    assert (await load_jobs(store), await load_jobs(store, "other")) == (["local"], ["other"])
    assert await count_sandboxes(store) == 0


async def test_a_killed_processs_sandbox_is_replaced_and_dropped(store: Store) -> None:
    tables = list_tables(*load_packs([TESTS_PACK]))
    left = await make_sandbox(store.database, "local", "batch_candidate_1_", tables)
    await left.execute(
        "insert into tracker_contacts (tenant_id, contact_id, user_id, name) "
        "values ('local', 9, 'local', 'Ann')"
    )
    again = await make_sandbox(store.database, "local", "batch_candidate_1_", tables)
    assert await again.fetchval("select count(*) from tracker_contacts") == 0
    await make_sandbox(store.database, "local", "batch_baseline_2_", tables)
    await make_sandbox(store.database, "local", "another_1_", tables)
    await drop_sandboxes(store.database, "batch_")
    assert await count_sandboxes(store) == 1
    await drop_sandboxes(store.database, "another_")


async def test_a_cancelled_replays_sandboxes_are_dropped(
    plainloop: Command, wire_server: StartWire, store: Store
) -> None:
    """A killed process left one: after the cancel no other process works on the replay."""
    await plainloop("ask", ADD)
    server = await wire_server(Candidate(write_then_list))
    await plainloop("replay", "live", "--sandbox", **point_at("openai", server.openai_url))
    rows = store.read("local")
    await rows.execute("update replays set status = 'running', ended_at = null")
    info = (await list_replays(rows, "local", 1))[0]
    plan = LivePlan.from_json(info.candidate)
    item = Item(info.replay_id, CANDIDATE, 0, None, None, 1)
    tables = list_tables(*load_packs([TESTS_PACK]))
    await make_sandbox(store.database, "local", name_sandbox(item, plan), tables)

    for named in ("%", "", info.replay_id.replace("-", "_")):
        missed = await plainloop("replay", "cancel", named)
        assert (missed.code, "no replay has an id that starts with" in missed.err) == (3, True)
    assert await count_sandboxes(store) == 1
    done = await plainloop("replay", "cancel", info.replay_id[:9])
    assert (done.code, await count_sandboxes(store)) == (0, 0), done


async def test_sandboxes_keep_generated_numbers_and_foreign_keys(store: Store) -> None:
    async with store.database.connection() as connection:
        await connection.execute(
            "create table zoo_pens (tenant_id text, pen_id int generated always as identity, "
            "name text, shout text generated always as (upper(name)) stored, "
            "primary key (tenant_id, pen_id)); "
            "create table zoo_birds (tenant_id text, bird_id int primary key, pen_id int, "
            "foreign key (tenant_id, pen_id) references zoo_pens on delete cascade); "
            "insert into zoo_pens (tenant_id, name) values ('local', 'a'), ('other', 'b'); "
            "insert into zoo_birds values ('local', 7, 1)"
        )
    sandbox = await make_sandbox(store.database, "local", "zoo_", ["zoo_birds", "zoo_pens"])
    await sandbox.execute("insert into zoo_pens (tenant_id, name) values ('local', 'c')")
    pens = await sandbox.fetch("select pen_id, shout from zoo_pens order by pen_id")
    assert pens == [{"pen_id": 1, "shout": "A"}, {"pen_id": 2, "shout": "C"}]
    await sandbox.execute("delete from zoo_pens where pen_id = 1")
    assert await sandbox.fetchval("select count(*) from zoo_birds") == 0
    assert await sandbox.fetchrow("select 1 as one") == {"one": 1}
    async with store.database.connection() as connection:
        assert await connection.fetchval("select count(*) from zoo_birds") == 1
        await connection.execute("drop table zoo_birds, zoo_pens")
    await drop_sandboxes(store.database, "zoo_")


async def test_a_sandbox_for_a_file_is_refused(plainloop: Command, tmp_path: Path) -> None:
    done = await plainloop(*write_rooms(tmp_path), "--sandbox")
    assert (done.code, "--sandbox works only with stored threads" in done.err) == (2, True), done


async def test_conversations_10_and_100_have_sandboxes_of_their_own(store: Store) -> None:
    """Postgres cuts names off after 63 bytes: each would have dropped the other one's rows."""
    (pack,) = load_packs([TESTS_PACK])
    plan = LivePlan({BASELINE: LanePlan(), CANDIDATE: LanePlan()}, drift=1.0)
    replay_id = make_id()
    items = [
        Item(replay_id, lane, n, None, None, 1) for lane in plan.all_lanes for n in (10, 100, 10**6)
    ]
    async with AsyncExitStack() as stack:
        for item in items:
            opened = open_sandbox(store.database, "local", name_sandbox(item, plan), pack)
            await stack.enter_async_context(opened)
        assert await count_sandboxes(store) == len(items)
    assert await count_sandboxes(store) == 0
