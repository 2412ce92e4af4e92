"""`/api/advice`: planned, begun, searched by the service, read as a page and as files."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx2
import msgspec
import pytest

from packages.lab.tests.replay.test_live import Candidate as Answering
from packages.lab.tests.test_advise import CHEAP, ENDINGS, JOBS, TALKS, serve
from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.errors import TooManyRequests
from plainloop.server.settings import AuthSettings
from plainloop_lab.advise import preparing
from plainloop_lab.advise.search import count_needed
from plainloop_lab.advise.wanted import Wanted
from plainloop_lab.decide.rules import read_rules
from plainloop_lab.service.advice_host import MOST_ADVICES
from plainloop_lab.service.advising import begin_advice
from plainloop_lab.store import advices as store_advices
from tests.fixtures import change_table
from tests.server.conftest import SECRET, Served, ask, begin, serving, until
from tests.wire_fixtures import StartWire

CHOSEN = [f"{CHEAP}@none", "gpt-6.1-terra@max"]
BODY = {"max_cost_usd": 3, "margin": "25pp", "candidates": CHOSEN, "workers": ["crm_worker"]}


@pytest.fixture
async def talked(
    settings: Settings, wire_server: StartWire, tmp_path: Path
) -> AsyncIterator[Served]:
    """A service that has answered TALKS conversations of ann's, with a model behind a wire."""
    server = await wire_server(Answering(serve))
    (tmp_path / "endings.toml").write_text(ENDINGS)
    chosen = replace(
        settings,
        provider="openai",
        api_key=Secret("sk-test"),
        api_base=server.openai_url,
        endings_file=tmp_path / "endings.toml",
    )
    chosen = chosen.change(AuthSettings, jwt_secret=Secret(SECRET))
    async with serving(change_table(chosen, "limits", drain_s=1.0, runs_at_once=8)) as served:
        ann = await served.client("ann")
        for n in range(TALKS):
            await ask(ann, await begin(ann), f"add a job: {JOBS[n % 10]} {n} at Initech")
        yield served


async def finish(client: httpx2.AsyncClient, advice_id: str) -> Any:
    """The advice's detail once it has ended."""
    found: dict[str, Any] = {}

    async def is_over() -> bool:
        found.update((await client.get(f"/api/advice/{advice_id}")).json())
        return found["advice"]["ended_at"] is not None

    await until(is_over, 120)
    return found


async def test_the_advice_api_plans_starts_follows_and_downloads(
    talked: Served, tmp_path: Path
) -> None:
    ann = await talked.client("ann")
    plan = (await ann.post("/api/advice/plan", json=BODY)).json()
    [worker] = plan["workers"]
    assert (worker["worker"], worker["today"]) == ("crm_worker", "openai:gpt-6.1-terra")
    assert (worker["candidates"], [*worker["refused"]]) == (CHOSEN[:1], CHOSEN[1:])
    assert plan["estimate_usd"] > 0 and plan["max_cost_usd"] == 3
    assert worker["saves_usd"] > 0
    many = await ann.post("/api/advice/plan", json={**BODY, "sample": 1_001})
    assert many.status_code == 422 and "1000" in many.json()["error"]["message"], many.text
    assert (await ann.get("/api/replays")).json() == {"replays": []}, "a plan buys nothing"

    begun = await ann.post("/api/advice", json=BODY)
    assert begun.status_code == 202, begun.text
    assert begun.json()["plan"] == plan
    advice_id = begun.json()["advice"]["id"]
    early = await ann.get(f"/api/advice/{advice_id}?format=rules")
    assert early.status_code in (200, 409)
    found = await finish(ann, advice_id)
    assert found["advice"]["status"] == "succeeded", found["advice"]
    assert found["advice"]["headline"].startswith("Switch crm_worker: saves about $")
    assert found["settings"] == f'[agents.crm_worker]\nmodel = "{CHEAP}"\neffort = "none"'
    assert [(item["worker"], item["state"]) for item in found["watched"]] == [
        ("crm_worker", "not switched")
    ]
    assert 0 < found["spent_usd"] <= 3
    assert found["money"][0].startswith("today's cost a month: $")
    assert "time of a turn: p50 " in found["money"][-1]
    replays = (await ann.get("/api/replays")).json()["replays"]
    assert {item["id"] for item in replays} == {step["replay_id"] for step in found["steps"]}
    # Told apart in a list, as experiments of this advice.
    assert {item["advice_id"] for item in replays} == {advice_id}
    names = [item["name"] for item in replays]
    assert len({*names}) == len(names), names
    drawn = worker["conversations"]
    first = next(item for item in replays if ", conversations 1 to " in item["name"])
    end = first["conversations"]
    assert first["name"].endswith(f" against today, conversations 1 to {end} of {drawn}")
    listed = (await ann.get("/api/advice")).json()["advice"]
    assert [item["id"] for item in listed] == [advice_id]

    rules = tmp_path / "rules.toml"
    rules.write_bytes((await ann.get(f"/api/advice/{advice_id}?format=rules")).content)
    assert [(rule.measure, rule.margin) for rule in read_rules(rules).rule] == [
        ("failed", "25pp"),
        ("same_arguments", "25pp"),
    ]
    junit = await ann.get(f"/api/advice/{advice_id}?format=junit")
    assert ElementTree.fromstring(junit.content)[0].get("tests") == "1"
    told = (await ann.get(f"/api/advice/{advice_id}?format=markdown")).text
    assert told.startswith(f"## {found['advice']['headline']}")


async def test_other_users_cannot_see_a_rehearsal_of_a_successor_model(talked: Served) -> None:
    ann, bob = await talked.client("ann"), await talked.client("bob")
    boss = await talked.client("boss", is_admin=True)
    stranger = await talked.client("ann", tenant="other", is_admin=True)
    body = {"max_cost_usd": 3, "margin": "25pp", "successor": True}
    refused = await ann.post("/api/advice", json={**body, "user_id": "*"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "ACCESS_DENIED")
    none = await bob.post("/api/advice", json=body)
    assert none.status_code == 404, "no worker answered bob"
    begun = await boss.post("/api/advice", json={**body, "user_id": "*"})
    assert begun.status_code == 202, begun.text
    advice_id = begun.json()["advice"]["id"]
    for other in (ann, bob, stranger):
        assert (await other.get(f"/api/advice/{advice_id}")).status_code == 404
        assert (await other.post(f"/api/advice/{advice_id}/cancel")).status_code == 404
        assert (await other.get("/api/advice")).json() == {"advice": []}
    found = await finish(boss, advice_id)
    [row] = found["result"]["workers"]
    assert (row["candidate"], row["kind"]) == ("openai:gpt-6-luna", "switch")


async def test_the_needed_conversations_are_not_counted_in_the_event_loop(
    talked: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes a tenth of a second or two, at each look at advice that somebody follows."""
    threads: list[threading.Thread] = []

    def count(*told: Any) -> int | None:
        threads.append(threading.current_thread())
        return count_needed(*told)

    monkeypatch.setattr(preparing, "count_needed", count)
    ann = await talked.client("ann")
    body = {**BODY, "workers": ["crm_worker", "triage"], "candidates": [f"{CHEAP}@none"]}
    assert (await ann.post("/api/advice/plan", json=body)).status_code == 200
    advice_id = (await ann.post("/api/advice", json=body)).json()["advice"]["id"]
    assert (await ann.get(f"/api/advice/{advice_id}")).status_code == 200
    assert threads and threading.main_thread() not in threads


async def test_users_get_only_the_models_that_the_operator_allows_them(talked: Served) -> None:
    ann = await talked.client("ann")
    body = {**BODY, "candidates": ["gemini:gemini-3-pro-preview"]}
    refused = await ann.post("/api/advice/plan", json=body)
    assert refused.status_code == 400
    assert re.search("no candidate model to try .*gemini", refused.json()["error"]["message"])
    dear = await ann.post("/api/advice/plan", json={**BODY, "judge": "openai:gpt-dear"})
    assert (dear.status_code, dear.json()["error"]["code"]) == (403, "MODEL_NOT_ALLOWED")
    unlimited = await ann.post("/api/advice", json={**BODY, "max_cost_usd": 0})
    assert unlimited.json()["error"]["message"] == "max_cost_usd must be above 0"


async def test_cancelled_advice_buys_nothing_and_open_advice_is_limited(talked: Served) -> None:
    ann = await talked.client("ann")
    begun = await ann.post("/api/advice", json=BODY)
    advice_id = begun.json()["advice"]["id"]
    cancelled = await ann.post(f"/api/advice/{advice_id}/cancel")
    assert cancelled.json()["advice"]["status"] == "cancelled", cancelled.text
    again = await ann.post(f"/api/advice/{advice_id}/cancel")
    assert again.status_code == 409
    replays = (await ann.get("/api/replays")).json()["replays"]
    assert {item["status"] for item in replays} <= {"cancelled", "succeeded"}

    store = talked.service.store
    async with store.transaction("acme") as tx:
        request = {"max_cost_usd": 1, "workers": ["nobody"]}
        for _ in range(MOST_ADVICES):
            await store_advices.insert_advice(tx, "eve", request, None, MOST_ADVICES)
        with pytest.raises(Exception, match="already has 2 unfinished"):
            await store_advices.insert_advice(tx, "eve", request, None, MOST_ADVICES)
    eve = await talked.client("eve")

    async def have_failed() -> bool:
        told = (await eve.get("/api/advice")).json()["advice"]
        return [item["error"] for item in told] == [
            "no worker 'nobody' answered in the last 30 days"
        ] * 2

    await until(have_failed)


async def test_advice_begun_at_the_same_time_never_exceeds_the_limit(talked: Served) -> None:
    store, wanted = talked.service.store, Wanted(1, workers=("nobody",))
    async with store.transaction("acme") as tx:
        await store_advices.insert_advice(tx, "eve", msgspec.to_builtins(wanted), None, 1)
        second = asyncio.create_task(begin_advice(store, "acme", "eve", wanted, None, 1))

        async def is_waiting() -> bool:
            count = "select count(*) from pg_locks where locktype = 'advisory' and not granted"
            return second.done() or await tx.fetchval(count) > 0

        await until(is_waiting)
    with pytest.raises(TooManyRequests):
        await second


async def test_another_process_continues_advice_without_buying_twice(talked: Served) -> None:
    """The owner is gone in the middle: the search begins again, over the steps that are there."""
    ann, store = await talked.client("ann"), talked.service.store
    first = await finish(ann, (await ann.post("/api/advice", json=BODY)).json()["advice"]["id"])
    advice_id, rows = first["advice"]["id"], store.read("acme")
    await rows.execute(
        "update advices set status = 'running', result = null, ended_at = null, "
        "owner = 'gone/1/1', lease_until = now() where tenant_id = $1",
        "acme",
    )
    second = await finish(ann, advice_id)
    assert (second["steps"], second["spent_usd"]) == (first["steps"], first["spent_usd"])
    assert second["result"] == first["result"]
