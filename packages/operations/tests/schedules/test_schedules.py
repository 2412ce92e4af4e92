"""Schedules: one run for each due time, over any number of replicas, whichever of them dies.

AGENT_TEST_SCHEDULES=10000: so many are due over three replicas (two by default); one of them is
killed for each eighth of them (once by default).
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

import httpx2
import pytest

from plainloop.agent.store.connecting.settings import UsageSettings
from plainloop.agent.store.store import Store
from plainloop.agent.usage.retention import delete_old_rows
from plainloop_operations.schedules import beginning
from plainloop_operations.schedules.rows import hold_due
from tests.cli.conftest import make_environ
from tests.server.conftest import Serve, Served, until
from tests.server.test_erasure import find_marked

SCHEDULES = int(os.environ.get("AGENT_TEST_SCHEDULES", "32"))
IS_WHOLE = "AGENT_TEST_SCHEDULES" in os.environ
KILLS, REPLICAS = (8, 3) if IS_WHOLE else (1, 2)
YEARLY = {"name": "mail", "cron": "0 0 1 1 *", "message": "how many jobs have I applied to?"}
DUE = "update schedules set next_at = now() - make_interval(secs => $2) where tenant_id = $1"


async def make(client: httpx2.AsyncClient, **body: Any) -> str:
    made = await client.post("/api/schedules", json={**YEARLY, **body})
    assert made.status_code == 201, made.text
    return made.json()["schedule_id"]


async def make_due(store: Store, late_s: float = 1.0) -> None:
    async with store.transaction("acme") as tx:
        await tx.execute(DUE, "acme", late_s)


async def read_history(client: httpx2.AsyncClient, schedule_id: str) -> list[dict[str, Any]]:
    return (await client.get(f"/api/schedules/{schedule_id}/history")).json()["history"]


async def wait_for_history(client: httpx2.AsyncClient, schedule_id: str, count: int) -> Any:
    async def is_there() -> bool:
        return len(await read_history(client, schedule_id)) >= count

    await until(is_there)
    return (await read_history(client, schedule_id))[0]


@pytest.fixture
async def served(serve: Serve) -> Served:
    return await serve(recovery_s=0.1)


async def test_a_due_schedule_sends_its_message_to_its_own_conversation(served: Served):
    ann, store = await served.client(), served.service.store
    schedule = await make(ann, time_zone="Europe/Berlin")
    [listed] = (await ann.get("/api/schedules")).json()["schedules"]
    await make_due(store)
    begun = await wait_for_history(ann, schedule, 1)
    path = f"/api/chat/conversations/{begun['conversation_id']}"

    async def is_answered() -> bool:
        run = await ann.get(f"/api/runs/{begun['run_id']}")
        return run.json()["status"] == "succeeded"

    await until(is_answered)
    read = (await ann.get(path)).json()
    [after] = (await ann.get("/api/schedules")).json()["schedules"]

    assert listed["next_at"].endswith("-12-31T23:00:00Z")  # midnight in Berlin
    assert (begun["status"], begun["reason"]) == ("begun", None)
    assert read["conversation"]["title"] == "mail"
    assert [message["role"] for message in read["messages"]] == ["user", "assistant"]
    assert after["next_at"] == listed["next_at"]  # of the same year again


async def test_schedules_are_invisible_to_other_users_and_tenants(served: Served):
    ann, boss = await served.client(), await served.client("boss", is_admin=True)
    schedule = await make(ann)
    for user, tenant, is_admin in (("bob", "acme", False), ("boss", "umbrella", True)):
        stranger = await served.client(user, tenant, is_admin=is_admin)
        assert (await stranger.get("/api/schedules")).json() == {"schedules": []}
        for method, path in (
            ("POST", "/pause"),
            ("POST", "/resume"),
            ("DELETE", ""),
            ("GET", "/history"),
        ):
            answer = await stranger.request(method, f"/api/schedules/{schedule}{path}")
            assert answer.status_code == 404, path
    assert len((await boss.get("/api/schedules")).json()["schedules"]) == 1
    assert (await boss.delete(f"/api/schedules/{schedule}")).status_code == 204
    assert (await ann.get("/api/schedules")).json() == {"schedules": []}


@pytest.mark.parametrize(("missed", "status"), [("run", "begun"), ("skip", "missed")])
async def test_missed_schedule_times_run_later_only_if_configured(
    served: Served, missed: str, status: str
):
    ann = await served.client()
    schedule = await make(ann, missed=missed)
    await make_due(served.service.store, 7200.0)
    assert (await wait_for_history(ann, schedule, 1))["status"] == status
    await make_due(served.service.store)  # on time

    async def is_begun() -> bool:
        history = await read_history(ann, schedule)
        return len(history) == 2 and history[0]["status"] in ("begun", "missed")

    await until(is_begun)


async def test_a_due_time_is_recorded_once_by_a_replica_whose_clock_is_behind(
    served: Served, monkeypatch: pytest.MonkeyPatch
):
    class Behind(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Behind:
            return cls.fromtimestamp(datetime.now(tz).timestamp() - 60, tz)

    monkeypatch.setattr(beginning, "datetime", Behind)  # the database says what is due
    ann, store = await served.client(), served.service.store
    schedule = await make(ann, cron="* * * * *")
    async with store.transaction("acme") as tx:
        await tx.execute("update schedules set next_at = date_trunc('minute', now())")
    begun = await wait_for_history(ann, schedule, 1)
    [after] = (await ann.get("/api/schedules")).json()["schedules"]
    assert after["next_at"] > begun["due_at"]


async def test_a_schedule_is_skipped_while_its_last_run_is_active(served: Served):
    ann, store = await served.client(), served.service.store
    schedule = await make(ann)
    await make_due(store)
    begun = await wait_for_history(ann, schedule, 1)

    async def is_ended() -> bool:  # else its own end would come after the update below
        run = await ann.get(f"/api/runs/{begun['run_id']}")
        return run.json()["status"] == "succeeded"

    await until(is_ended)
    async with store.transaction("acme") as tx:  # a person has not decided yet
        sql = "update runs set status = 'waiting', lease_until = 'infinity', ended_at = null"
        await tx.execute(f"{sql} where tenant_id = $1 and run_id = $2", "acme", begun["run_id"])
    await make_due(store)
    passed = await wait_for_history(ann, schedule, 2)
    assert (passed["status"], passed["reason"]) == ("missed", "STILL_RUNNING")


async def test_schedule_times_missed_during_a_pause_are_dropped(served: Served):
    ann = await served.client()
    schedule = await make(ann)
    assert (await ann.post(f"/api/schedules/{schedule}/pause")).status_code == 204
    [paused] = (await ann.get("/api/schedules")).json()["schedules"]
    assert (await ann.post(f"/api/schedules/{schedule}/resume")).status_code == 204
    [resumed] = (await ann.get("/api/schedules")).json()["schedules"]
    boss = await served.client("boss", is_admin=True)
    audit = (await boss.get("/api/audit")).json()["entries"]

    assert (paused["next_at"], paused["paused_at"] is None) == (None, False)
    assert (resumed["next_at"] is None, resumed["paused_at"]) == (False, None)
    assert [entry["action"] for entry in audit] == [
        *("schedule.resume", "schedule.pause", "schedule.create")
    ]
    assert await read_history(ann, schedule) == []


async def test_invalid_and_too_many_schedules_are_refused(serve: Serve):
    served = await serve(schedules_per_user=2, message_chars=50)
    ann = await served.client()
    for body in ({"cron": "* * *"}, {"time_zone": "Mars/Base"}, {"message": "x" * 51}):
        assert (await ann.post("/api/schedules", json={**YEARLY, **body})).status_code == 400
    made = await asyncio.gather(*(ann.post("/api/schedules", json=YEARLY) for _ in range(5)))
    assert sorted(answer.status_code for answer in made) == [201, 201, 409, 409, 409]


async def test_a_schedule_locked_by_another_process_is_skipped(store: Store):
    async with store.transaction("acme") as tx:
        await tx.execute(
            "insert into schedules (tenant_id, schedule_id, user_id, name, cron, time_zone,"
            " message, missed, next_at) values ($1, gen_random_uuid(), 'ann', 'x', '* * * * *',"
            " 'UTC', 'hello', 'run', now())",
            "acme",
        )
        one = await tx.fetchval("select schedule_id from schedules where tenant_id = $1", "acme")
    async with store.transaction("acme") as first:
        assert await hold_due(first, one) is not None
        async with store.transaction("acme") as second:
            assert await hold_due(second, one) is None
    async with store.transaction("umbrella") as other:
        assert await hold_due(other, one) is None


async def test_an_erased_user_leaves_no_schedule(served: Served):
    ann = await served.client()
    await make(ann, name="xylophonist at noon")
    await make_due(served.service.store)
    await delete_old_rows(served.service.store, served.settings.get_table(UsageSettings))
    assert "schedules" in await find_marked(served)
    assert (await ann.delete("/api/users/me")).status_code == 204
    assert await find_marked(served) == []


async def start_replica(environ: dict[str, str], folder: Path) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "plainloop", "serve", "--port", "0"),
        cwd=folder,
        env=environ,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout
    assert re.search(rb"ready on", await process.stdout.readline())
    return process


async def test_each_due_schedule_time_starts_one_run_despite_killed_replicas(
    store: Store, database_url: str, tmp_path: Path
):
    environ = make_environ(tmp_path) | {"DATABASE_URL": database_url}
    async with store.transaction("acme") as tx:
        await tx.execute(
            "insert into schedules (tenant_id, schedule_id, user_id, name, cron, time_zone,"
            " message, missed, next_at) select $1, gen_random_uuid(), 'user ' || n, 'x',"
            " '0 0 1 1 *', 'UTC', 'how many jobs have I applied to?', 'run', 'infinity'"
            " from generate_series(1, $2::int) as n",
            *("acme", SCHEDULES),
        )

    async def count(sql: str) -> int:
        return await store.read("acme").fetchval(f"select count({sql}")

    replicas = [await start_replica(environ, tmp_path) for _ in range(REPLICAS)]
    try:
        for n in range(KILLS):
            part = SCHEDULES // KILLS
            async with store.transaction("acme") as tx:
                await tx.execute(
                    "update schedules set next_at = now() where tenant_id = $1 and schedule_id in ("
                    " select schedule_id from schedules where next_at = 'infinity' limit $2)",
                    *("acme", part),
                )

            async def is_begun(least: int = n * part + part // 3) -> bool:
                return await count("*) from schedule_runs") >= least

            await until(is_begun, 120 + SCHEDULES)
            dead = replicas.pop(0)
            dead.send_signal(signal.SIGKILL)
            await dead.wait()
            replicas.append(await start_replica(environ, tmp_path))

        async def is_all() -> bool:
            return await count("*) from schedule_runs") == part * KILLS

        await until(is_all, 120 + SCHEDULES)
        assert await count("*) from schedule_runs where status = 'begun'") == part * KILLS
        assert await count("distinct run_id) from schedule_runs") == part * KILLS
        assert await count("*) from runs") == await count("*) from threads") == part * KILLS
        assert await count("*) from schedules where next_at is null or next_at <= now()") == 0
    finally:
        for process in replicas:
            process.kill()
            await process.wait()
