"""Which conversations a deploy is judged by: all that have not ended, of the rest a fair draw."""

from __future__ import annotations

from typing import Any

from plainloop.agent.types import RunRequest
from plainloop_lab.store.deploys import list_judged_positions, list_judged_threads
from tests.machine.running import TENANT, USER, Machine

OTHER = "other"
CODE = "the code that serves"


async def talk(run: Machine, tenant_id: str, threads: int) -> None:
    for _ in range(threads):
        thread = await run.service.ensure_thread(tenant_id, USER, None, "any")
        start = run.service.make_start(thread, RunRequest("hello"))
        await run.store.begin_run(tenant_id, start, "elsewhere/1/1", 30)


async def write(run: Machine, sql: str, *arguments: Any) -> None:
    async with run.store.database.connection() as connection:
        await connection.execute(sql, *arguments)


async def test_deploy_judging_samples_every_tenant(machine: Any) -> None:
    run: Machine = await machine()
    await talk(run, TENANT, 5)
    await talk(run, OTHER, 1)
    await write(run, "update runs set status = 'succeeded', ended_at = now(), code = $1", CODE)
    drawn = await list_judged_threads(run.store, [CODE], 2)
    assert sorted(item.tenant_id for item in drawn) == [TENANT, OTHER]
    assert drawn == await list_judged_threads(run.store, [CODE], 2), "the same draw each time"


async def test_deploy_judging_samples_no_runs_of_older_code(machine: Any) -> None:
    run: Machine = await machine()
    await talk(run, TENANT, 1)
    await write(run, "update runs set status = 'succeeded', ended_at = now(), code = 'older'")
    assert await list_judged_threads(run.store, [CODE], 2) == []
    assert len(await list_judged_threads(run.store, None, 2)) == 1


async def test_deploy_judging_includes_every_waiting_run(machine: Any) -> None:
    run: Machine = await machine()
    await talk(run, TENANT, 3)
    await write(run, "update runs set status = 'waiting', ended_at = null, code = $1", CODE)
    found = await list_judged_threads(run.store, [CODE], 1)
    assert [item.is_open for item in found] == [True] * 3


async def test_deploy_judging_reads_no_turns_of_another_tenant(machine: Any) -> None:
    run: Machine = await machine()
    await talk(run, TENANT, 1)
    await write(run, "update runs set status = 'succeeded', ended_at = now(), code = $1", CODE)
    [drawn] = await list_judged_threads(run.store, [CODE], 1)
    assert await list_judged_positions(run.store, drawn) == {0}
    drawn.run_ids[:] = [str(run_id) for run_id in drawn.run_ids]
    stranger = type(drawn)(OTHER, drawn.thread_id, USER, drawn.run_ids, is_open=False)
    assert await list_judged_positions(run.store, stranger) == set()
