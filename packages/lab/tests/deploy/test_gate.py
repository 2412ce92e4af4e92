"""A starting replica whose code does otherwise than what serves is not ready, and says why."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest

from plainloop.agent.config.pack_parts import find_code
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.spec import Pack
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.service import Service
from plainloop.agent.store.connecting.settings import DeploySettings
from plainloop.agent.store.store import Store
from plainloop.server.serving import Replica
from plainloop.server.settings import ServerSettings
from plainloop_lab.deploy.findings import check_deploys
from plainloop_lab.deploy.fingerprint import make_fingerprint
from plainloop_lab.deploy.gate import JudgingGate
from plainloop_lab.replay.report.digests import digest_files
from plainloop_lab.store.deploys import Deployed, list_deployed, record_code
from plainloop_wire.serving import open_listener
from tests.fixtures import change_table
from tests.machine.scripted import text
from tests.server.conftest import HEADERS, Serve, begin, until
from tests.server.test_approvals import SCRIPT, ask_to_delete

OLD = "the code that serves"
ELSEWHERE = "elsewhere/1/1"  # a process of another machine: nobody here knows that it is dead
HEAD = "tracker/default request crm_worker"


async def record_old(store: Store) -> None:
    """One of another code serves, and began all that is there."""
    await record_code(store, Deployed(ELSEWHERE, OLD, [OLD], takes_runs=True, verdict=None))
    async with store.database.connection() as connection:
        await connection.execute("update runs set code = $1", OLD)


def change_prompt(pack: Pack) -> Pack:
    told = (replace(worker, prompt=f"{worker.prompt} Be brief.") for worker in pack.workers)
    return replace(pack, workers=tuple(told))


@dataclass
class Starting:
    client: httpx2.AsyncClient
    replica: Replica
    store: Store
    service: Service

    async def look(self) -> tuple[int, Any]:
        """What /readyz says once the judgement is over."""

        async def is_judged() -> bool:
            return (await self.client.get("/readyz")).json()["status"] != "judging"

        await until(is_judged)
        answer = await self.client.get("/readyz")
        return answer.status_code, answer.json()


@asynccontextmanager
async def starting(
    settings: Settings, change: Any = lambda pack: pack, **deploy: Any
) -> AsyncIterator[Starting]:
    """A replica with a changed pack that is judged, while one of another code serves."""
    deploy = {"judge": "refuse", **deploy}
    chosen = replace(change_table(settings, "deploy", **deploy), provider="offline")
    async with open_service(chosen) as service:
        service.packs = tuple(change(pack) for pack in service.packs)
        await record_old(service.store)
        replica = Replica(service, open_listener("127.0.0.1", 0))
        running = asyncio.create_task(replica.serve())
        try:
            async with httpx2.AsyncClient(
                base_url=replica.url, timeout=60, trust_env=False
            ) as client:
                yield Starting(client, replica, service.store, service)
        finally:
            replica.stop()
            await running


@pytest.fixture
async def talked(serve: Serve, settings: Settings) -> Settings:
    """Settings of a service where two things were said, the second of which waits for a person."""
    served = await serve(*SCRIPT, text("so be it"))
    await ask_to_delete(served)
    return settings


async def test_a_run_stores_the_code_version_that_began_it(serve: Serve, settings: Settings):
    served = await serve(*SCRIPT)
    await ask_to_delete(served)
    async with served.service.store.database.connection() as connection:
        codes = await connection.fetch("select code from runs")
    assert [row["code"] for row in codes] == [served.service.code] * 2
    assert served.service.code is not None


async def test_a_replica_with_equal_code_becomes_ready_to_resume_older_runs(talked: Settings):
    async with starting(talked) as started:
        assert await started.look() == (200, {"status": "ready"})
        gate = started.replica.gate
        assert isinstance(gate, JudgingGate)
        verdict = gate.verdict
        assert verdict is not None
        assert (verdict.conversations, verdict.turns, verdict.differences) == (1, 2, [])

        async def has_told() -> bool:  # a moment after it is ready
            [told] = await list_deployed(started.store, but=ELSEWHERE)
            return set(told.repeats) == {OLD, told.code}

        await until(has_told)


async def test_a_replica_with_differing_code_serves_only_if_no_other_does(talked: Settings):
    async with starting(talked, change_prompt) as started:
        status, body = await started.look()
        assert (status, body) == (503, {"status": "refused", "differences": [HEAD]})
        refused = await started.client.post(
            f"/api/chat/conversations/{await begin(started.client)}/messages",
            json={"content": "hello"},
            headers=HEADERS,
        )
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "NOT_READY")
        [found] = await check_deploys(started.store)
        assert (found.level, found.text.endswith(HEAD)) == ("fail", True)
        [told] = await list_deployed(started.store, but=ELSEWHERE)
        assert not told.takes_runs
        assert "note that job" not in f"{body} {told.verdict}"
    chosen = replace(talked.change(DeploySettings, judge="refuse"), provider="offline")
    async with open_service(chosen) as service:
        async with service.store.database.connection() as connection:
            await connection.execute("delete from replicas")
        replica = Replica(service, open_listener("127.0.0.1", 0))
        await replica.gate.prepare()
        assert replica.gate.is_ready, "where nobody serves the first one is"


async def test_in_warn_mode_a_replica_with_differing_code_serves_and_logs(
    talked: Settings, caplog: pytest.LogCaptureFixture
):
    async with starting(talked, change_prompt, judge="warn") as started:
        assert await started.look() == (200, {"status": "ready"})
    assert "deploy_differs" in caplog.text


@pytest.mark.parametrize(("days", "status"), [(1, 200), (-1, 503)])
async def test_an_allowed_difference_is_accepted_until_its_last_day(
    talked: Settings, tmp_path: Path, days: int, status: int
):
    until_day = datetime.now(UTC).date() + timedelta(days=days)
    file = tmp_path / "allowed.toml"
    file.write_text(
        f'[[allow]]\npattern = "*/default request crm_worker"\nreason = "brief"\n'
        f"until = {until_day}\n"
    )
    async with starting(talked, change_prompt, allowed=file) as started:
        assert (await started.look())[0] == status


async def decide(started: Starting) -> str:
    """Allow what waits, as its user does at the new replica; returns the run's id."""
    async with started.store.database.connection() as connection:
        row = await connection.fetchrow("select run_id, approval_id from approvals")
    assert row is not None
    of = ("acme", "ann", row["run_id"], row["approval_id"])
    await started.replica.runs.decide_approval(*of, approve=True, decided_by="ann")
    return row["run_id"]


async def load_end(started: Starting, run_id: str) -> tuple[str, str | None, bool]:
    async with started.store.database.connection() as connection:
        sql = "select status, error_code, owner is not null from runs where run_id = $1"
        row = await connection.fetchrow(sql, run_id)
    assert row is not None
    return tuple(row)


async def test_a_run_that_new_code_would_break_waits_for_older_replicas(talked: Settings):
    async with starting(talked, change_prompt, judge="warn", left_s=3600.0) as started:
        assert (await started.look())[0] == 200
        run_id = await decide(started)
        queue = started.store.queue
        ours = started.service.owner
        assert await queue.claim_lost_runs(ours, 30.0, left_s=3600.0) == []
        assert (await load_end(started, run_id))[::2] == ("waiting", False)
        async with started.store.database.connection() as connection:
            await connection.execute("delete from replicas where owner = $1", ELSEWHERE)

        async def has_ended() -> bool:
            return (await load_end(started, run_id))[0] not in ("waiting", "running")

        await until(has_ended)


@pytest.mark.parametrize(("change", "breaks"), [(change_prompt, True), (lambda pack: pack, False)])
async def test_in_end_mode_only_runs_that_new_code_would_break_are_ended(
    talked: Settings, change: Any, breaks: bool
):
    chosen = {"judge": "warn", "broken": "end", "left_s": 0.001}
    async with starting(talked, change, **chosen) as started:
        assert (await started.look())[0] == 200
        run_id = await decide(started)

        async def has_ended() -> bool:
            return (await load_end(started, run_id))[0] not in ("waiting", "running")

        await until(has_ended)
        assert ((await load_end(started, run_id))[1] == "CODE_CHANGED") is breaks


@dataclass(frozen=True)
class OwnTable:
    """Settings that a pack brings."""

    word: str = "please"


async def test_a_code_fingerprint_covers_engine_packs_and_their_tables(
    settings: Settings, tmp_path: Path
):
    elsewhere = settings.change(ServerSettings, port=1, host="0.0.0.0")
    shorter = replace(settings, limits=replace(settings.limits, window_tokens=999))
    assert make_fingerprint(settings) == make_fingerprint(elsewhere)
    made = [make_fingerprint(settings), make_fingerprint(shorter)]
    for word in ("please", "now"):
        made.append(make_fingerprint(replace(settings, tables={OwnTable: OwnTable(word)})))
    table = tmp_path / "routes.json"
    for text_of_it in ("{}", "[]"):
        table.write_text(text_of_it)
        made.append(make_fingerprint(replace(settings, route_table=table)))
    assert len(set(made)) == 6


@pytest.mark.parametrize("name", ["rules.txt", "deep/words.json", "__init__.py"])
def test_a_code_fingerprint_covers_a_packs_files_of_any_kind(name: str, tmp_path: Path):
    made: list[str] = []
    for version in ("one", "two"):
        pack = tmp_path / version
        (pack / name).parent.mkdir(parents=True)
        (pack / name).write_text(f"# {version}")
        made.append(digest_files((pack,)))
    assert made[0] != made[1]


def test_a_code_fingerprint_covers_a_pack_that_is_one_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "single_pack.py").write_text("a = 1")
    assert find_code("single_pack") == tmp_path / "single_pack.py"
    before = digest_files((tmp_path / "single_pack.py",))
    digest_files.cache_clear()
    (tmp_path / "single_pack.py").write_text("a = 2")
    assert digest_files((tmp_path / "single_pack.py",)) != before
