"""`kill -9` while a new replica is judged, of it, of the old one, of Postgres: what is served goes
on, nothing is lost, nothing is done twice.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
import psutil
import pytest

from packages.lab.tests.deploy.changing import WORKER, copy_served, copy_tree, edit
from plainloop.agent.store.embedded.server import start_embedded, stop_embedded
from tests.cli.conftest import Command, make_environ
from tests.server.events import Sse, parse_sse
from tests.server.test_serving import make_client, start_server

PATIENCE_S = 300.0
ENVIRON = {"AGENT_DEPLOY_JUDGE": "refuse", "AGENT_PROVIDER": "offline"}
HOLD = "hold"  # while a file of this name is there, workers stand still, replayed ones too
VIEW = "        view = trim_messages("
STANDS = (
    "        import asyncio, os\n"
    f"        while os.path.exists({HOLD!r}):\n            await asyncio.sleep(0.02)\n"
)
JUDGED = "select count(*) from replicas where not takes_runs"
HELD = "add a job: Cook at Cafe Held"


@dataclass
class Scene:
    """One replica that serves, a run of it that stands still, and a changed one that is judged."""

    command: Command
    changed: Command
    data_dir: Path
    hold: Path
    old: Any
    new: Any
    client: httpx2.AsyncClient
    waiting: tuple[str, str]  # the run that waits for a person, and its approval
    held: tuple[str, str]  # the conversation of the run that stands still, and the run
    holding: asyncio.Task[Any]

    async def connect(self) -> Any:
        return await asyncpg.connect(await asyncio.to_thread(start_embedded, self.data_dir))

    async def list_serving(self) -> int:
        connection = await self.connect()
        try:
            return await connection.fetchval("select count(*) from replicas where takes_runs")
        finally:
            await connection.close()

    async def check_done(self, client: httpx2.AsyncClient) -> None:
        """Both runs end at this replica, their effects are there once, and it serves more."""
        run_id, approval_id = self.waiting
        path = f"/api/runs/{run_id}/approvals/{approval_id}"
        allowed = await client.post(path, json={"approve": True})
        assert allowed.status_code == 200, allowed.text
        connection = await self.connect()
        try:
            async with asyncio.timeout(PATIENCE_S):
                while await connection.fetchval(
                    "select count(*) from runs where status in ('running', 'waiting', 'queued')"
                ):
                    await asyncio.sleep(0.05)
            assert (await say(client, "hello"))[-1].event == "done"
            runs = await connection.fetch("select status, count(*) as n from runs group by 1")
            jobs = await connection.fetch("select company from tracker_jobs")
            deleted = await connection.fetchval(
                "select count(*) from tool_calls where name = 'delete_job' and status = 'succeeded'"
            )
        finally:
            await connection.close()
        assert {row["status"]: row["n"] for row in runs} == {"succeeded": 4}
        assert [row["company"] for row in jobs] == ["Cafe Held"]
        assert deleted == 1


async def begin(client: httpx2.AsyncClient) -> str:
    return (await client.post("/api/chat/conversations", json={})).json()["id"]


async def say(client: httpx2.AsyncClient, words: str) -> list[Sse]:
    path = f"/api/chat/conversations/{await begin(client)}/messages"
    answer = await client.post(path, json={"content": words})
    assert answer.status_code == 200, answer.text
    return parse_sse(answer.text)


async def begin_judging(command: Command, data_dir: Path) -> Any:
    """Start the changed copy; it is judged, and does not come to an end."""
    process = await command.start("serve", "--port", "0", **ENVIRON)
    url = await asyncio.to_thread(start_embedded, data_dir)
    connection = await asyncpg.connect(url)
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not await connection.fetchval(
                "select count(*) from replicas where not takes_runs"
            ):
                assert process.returncode is None, (await process.stderr.read()).decode()
                await asyncio.sleep(0.05)
    finally:
        await connection.close()
    return process


async def wait_until_ready(process: Any) -> str:
    """The URL of the changed copy, once it was judged and serves."""
    async with asyncio.timeout(PATIENCE_S):
        line = (await process.stdout.readline()).decode()
    assert line.startswith("plainloop is ready on "), (line, (await process.stderr.read()).decode())
    return line.rpartition(" ")[2].strip()


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    tree = copy_served(tmp_path / "served")
    edit(tree / WORKER, VIEW, STANDS + VIEW)
    copy = copy_tree(tree, tmp_path / "changed")
    edit(copy / WORKER, VIEW, f"        # changed\n{VIEW}")
    environ = make_environ(tmp_path)
    data_dir = Path(environ["AGENT_DATA_DIR"])
    command = Command({**environ, "PYTHONPATH": str(tree)}, tmp_path)
    changed = Command({**environ, "PYTHONPATH": str(copy)}, tmp_path)
    hold = tmp_path / HOLD
    try:
        old, url = await start_server(command, **ENVIRON)
        async with make_client(url) as client:
            await say(client, "add a job: Cook at Cafe Uno")
            path = f"/api/chat/conversations/{await begin(client)}/messages"
            json_only = {"accept": "application/json"}
            asked = (
                await client.post(path, json={"content": "delete job 1"}, headers=json_only)
            ).json()
            hold.touch()
            conversation = await begin(client)
            path = f"/api/chat/conversations/{conversation}/messages"
            run_id = asyncio.get_running_loop().create_future()

            async def stand_still() -> str:
                text = ""
                try:
                    async with client.stream("POST", path, json={"content": HELD}) as answer:
                        run_id.set_result(answer.headers["x-run-id"])
                        async for piece in answer.aiter_text():
                            text += piece
                except httpx2.HTTPError:
                    pass
                return text

            holding = asyncio.create_task(stand_still())
            held = conversation, await run_id
            new = await begin_judging(changed, data_dir)
            waiting = asked["run_id"], asked["approvals"][0]["approval_id"]
            yield Scene(
                *(command, changed, data_dir, hold, old, new, client, waiting, held, holding)
            )
            await asyncio.wait_for(holding, PATIENCE_S)
    finally:
        for process in (*command.running, *changed.running):
            if process.returncode is None:
                process.kill()
                await process.wait()
        await asyncio.to_thread(stop_embedded, data_dir)


async def test_the_old_replica_keeps_serving_if_the_new_one_is_killed(scene: Scene):
    scene.new.kill()
    await scene.new.wait()
    assert await scene.list_serving() == 1
    scene.hold.unlink()
    again = await begin_again(scene)
    await scene.check_done(scene.client)
    assert parse_sse(await scene.holding)[-1].event == "done", "the stream of the old one went on"
    assert again


async def begin_again(scene: Scene) -> str:
    """The changed copy once more: it is judged anew, and ready."""
    process = await scene.changed.start("serve", "--port", "0", **ENVIRON)
    return await wait_until_ready(process)


async def test_a_new_replica_continues_the_runs_of_a_killed_old_one(scene: Scene):
    scene.old.kill()
    await scene.old.wait()
    scene.hold.unlink()
    async with make_client(await wait_until_ready(scene.new)) as client:
        conversation, run_id = scene.held
        path = f"/api/chat/conversations/{conversation}/stream"
        rest = await client.get(path, params={"run_id": run_id, "after": "0"})
        assert parse_sse(rest.text)[-1].event == "done"
        await scene.check_done(client)


async def test_deploy_judging_continues_after_a_postgres_crash(scene: Scene):
    kill_postgres(scene.data_dir)
    scene.hold.unlink()
    async with make_client(await wait_until_ready(scene.new)) as client:
        await scene.check_done(client)
    assert scene.old.returncode is None
    assert (await say(scene.client, "hello"))[-1].event == "done"


def kill_postgres(data_dir: Path) -> None:
    """All of its processes, at once."""
    pid_file = data_dir / "postgres" / "data" / "postmaster.pid"
    server = psutil.Process(int(pid_file.read_text().splitlines()[0]))
    for process in (server, *server.children(recursive=True)):
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
