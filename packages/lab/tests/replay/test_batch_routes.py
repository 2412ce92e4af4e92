"""Replays by batch API over HTTP."""

from __future__ import annotations

from dataclasses import replace

import httpx2

from packages.lab.tests.replay.test_batch_api import MODELS, check_bought_once
from packages.lab.tests.replay.test_live import Candidate, be_curious
from packages.lab.tests.replay.test_routes import find_host
from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop_lab.settings import ReplayLimits
from plainloop_wire.faults import parse_faults
from tests.server.conftest import ann as ann
from tests.server.conftest import serve as serve
from tests.server.conftest import served as served
from tests.server.conftest import serving, until
from tests.server.replays import TALK, finish, post
from tests.wire_fixtures import StartWire, WireServer


def point_at(server: WireServer, settings: Settings) -> Settings:
    limits = ReplayLimits(batch_poll_s=0.1, batch_wait_s=0.1)
    return replace(
        settings,
        provider="anthropic",
        model=MODELS["anthropic"],
        api_key=Secret("any"),
        api_base=server.base_url,
        tables={**settings.tables, ReplayLimits: limits},
    )


async def test_the_service_runs_a_replay_through_the_batch_api(
    settings: Settings, wire_server: StartWire
) -> None:
    server = await wire_server(Candidate(be_curious))
    talks = [{**TALK, "conversation_id": f"r{n}"} for n in range(3)]
    async with serving(point_at(server, settings)) as replica:
        client = await replica.client()
        made = await post(client, conversations=talks, baseline=False, batch_api=True)
        found = await finish(client, made["id"])
    assert found["replay"]["items"] == {"succeeded": 3}
    assert found["report"]["ledger"]["batched"] == found["report"]["ledger"]["calls"] == 12
    check_bought_once(server, 3)


async def test_a_provider_without_a_batch_api_is_refused_over_http(ann: httpx2.AsyncClient) -> None:
    answer = await ann.post(
        "/api/replays", json={"conversations": [TALK], "batch_api": True, "baseline": False}
    )
    assert answer.status_code == 400
    assert "offline has no batch API" in answer.json()["error"]["message"]


async def test_cancelling_over_http_cancels_a_batch_that_no_process_drives(
    settings: Settings, wire_server: StartWire
) -> None:
    """Nobody sees the cancel later: a cancelled replay has ended."""
    server = await wire_server(Candidate(be_curious), faults=parse_faults({"batch_ms": 1e7}))
    async with serving(point_at(server, settings)) as replica:
        client, db = await replica.client(), replica.service.store.read("local")
        made = await post(client, conversations=[TALK], baseline=False, batch_api=True)

        async def is_submitted() -> bool:
            return await db.fetch("select status from replay_batches") == [{"status": "open"}]

        await until(is_submitted)
        await find_host(replica).drain()
        answer = await client.post(f"/api/replays/{made['id']}/cancel")
    (batch,) = server.wire.batches.values()
    assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
    assert [line.result for line in batch.lines] == ["canceled"]
