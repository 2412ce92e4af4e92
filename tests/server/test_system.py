"""The service looked at: its replicas, what waits in it, and whether all is in place."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2

from plainloop.server.settings import AuthSettings
from tests.server.conftest import Serve, Served, ask, begin, until
from tests.server.events import post
from tests.server.held import Held, begin_held

PATH = "/api/system"
OTHERS = """
insert into replicas (owner, is_draining, seen_at, started_at) values
    ('web-1.eu.b0.1/7/1', false, now(), now() - interval '3 hours'),
    ('web-2.eu.b0.1/8/1', true, now(), now() - interval '2 hours'),
    ('web-3.eu.b0.1/9/1', false, now() - interval '10 minutes', now() - interval '1 hour'),
    ('web-4.eu.b0.1/9/1', false, now() - interval '2 hours', now() - interval '3 hours'),
    ('web-5.eu.b0.1/9/1', true, now() - interval '3 minutes', now() - interval '3 hours')
"""


async def load(client: httpx2.AsyncClient) -> Any:
    answer = await client.get(PATH)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def load_own(client: httpx2.AsyncClient) -> Any:
    (own,) = [item for item in (await load(client))["replicas"] if item["is_this"]]
    return own


async def run_sql(served: Served, sql: str) -> None:
    async with served.service.store.database.operate() as tx:
        await tx.execute(sql)


async def test_the_system_page_lists_replicas_with_age_and_draining(served: Served):
    boss = await served.client("boss", is_admin=True)
    await boss.get("/readyz")
    await run_sql(served, OTHERS)

    replicas = (await load(boss))["replicas"]

    assert [(item["host"], item["pid"], item["status"]) for item in replicas[:3]] == [
        ("web-1.eu", "7", "ready"),
        ("web-2.eu", "8", "draining"),
        ("web-3.eu", "9", "silent"),
    ]
    (own,) = replicas[3:]
    assert (own["owner"], own["status"], own["is_this"]) == (served.service.owner, "ready", True)
    assert own["started_at"] <= own["seen_at"]


async def test_system_counts_cover_only_the_own_tenant(serve: Serve):
    run = await begin_held(serve)
    served, conversation = run.served, run.path.rpartition("/")[2]
    boss = await served.client("boss", is_admin=True)
    body = {"content": "and another one", "when_busy": "enqueue"}
    second = asyncio.create_task(run.ann.post(f"{run.path}/messages", json=body))

    async def is_queued() -> bool:
        return (await load(boss))["queue"]["queued"] == 1

    await until(is_queued)
    found, own = await load(boss), await load_own(boss)
    elsewhere = await served.client("chief", "umbrella", is_admin=True)
    stranger, of_stranger = await load(elsewhere), await load_own(elsewhere)
    details = [(await run.ann.get(f"/api/runs/{it['run_id']}")).json() for it in found["runs"]]
    await run.ann.post(f"{run.path}/cancel")
    run.held.open.set()
    await asyncio.gather(run.stream.read_all(), second)

    queue = found["queue"]
    assert (queue["running"], queue["queued"], queue["waiting"]) == (1, 1, 0)
    assert queue["oldest_running_at"] <= queue["oldest_queued_at"]
    assert queue["oldest_waiting_at"] is None
    shown = [(run["status"], run["user_id"], run["conversation_id"]) for run in found["runs"]]
    assert shown == [("running", "ann", conversation), ("queued", "ann", conversation)]
    assert [run["owner"] for run in found["runs"]] == [served.service.owner, None]
    assert [bool(detail["question"]) for detail in details] == [True, False]
    assert (own["runs"], of_stranger["runs"]) == (1, 0)
    assert stranger["runs"] == []
    assert (stranger["queue"]["running"], stranger["queue"]["oldest_queued_at"]) == (0, None)


async def test_locally_queued_runs_are_counted_separately(serve: Serve):
    held = Held()
    served = await serve(*held.script, runs_at_once=1)
    ann, boss = await served.client(), await served.client("boss", is_admin=True)
    told = [asyncio.create_task(post(ann, await begin(ann), "tell me a story")) for _ in range(2)]

    async def is_full() -> bool:
        return (await load(boss))["queue"]["without_place"] == 1

    await until(is_full)
    queue = (await load(boss))["queue"]
    held.open.set()
    for task in told:
        task.cancel()
    await asyncio.gather(*told, return_exceptions=True)

    assert queue["running"] == 2


async def test_processes_that_run_but_do_not_serve_are_listed(served: Served):
    ann, boss = await served.client(), await served.client("boss", is_admin=True)
    waiting = await begin(ann)
    await ask(ann, waiting, "add a job: Cook at Cafe Uno")
    await ask(ann, waiting, "delete job 1")
    await run_sql(
        served,
        "update runs set status = 'running', owner = 'desk.b0.1/5/1',"
        " lease_until = now() + interval '1 hour' where status = 'waiting'",
    )

    (command,) = [item for item in (await load(boss))["replicas"] if item["status"] == "command"]

    assert (command["host"], command["pid"], command["runs"]) == ("desk", "5", 1)


async def test_a_draining_replica_is_listed_until_it_ends(serve: Serve):
    run = await begin_held(serve, drain_s=60.0, recovery_s=3600.0)
    boss = await (await serve(recovery_s=3600.0)).client("boss", is_admin=True)
    run.served.replica.stop()

    async def is_draining() -> bool:
        return (await load_own(boss))["status"] == "draining"

    async def is_gone() -> bool:
        return (await load_own(boss))["started_at"] is None

    await until(is_draining)
    run.held.open.set()
    await until(is_gone)


async def test_an_admin_can_run_the_doctor_without_seeing_secrets(served: Served):
    boss = await served.client("boss", is_admin=True)

    answer = await boss.get(f"{PATH}/doctor")

    found = answer.json()["findings"]
    assert {"python", "packages", "settings", "data", "database", "schema", "design", "models"} <= {
        item["what"] for item in found
    }
    assert [item for item in found if item["level"] == "fail"] == []
    assert all(item["what"] for item in found)
    secret = served.settings.get_table(AuthSettings).jwt_secret
    assert secret is not None
    assert secret.reveal() not in answer.text
    assert "postgresql://" not in answer.text
