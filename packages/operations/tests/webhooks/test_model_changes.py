"""Models that change: an admin's webhook is told once, and a schedule begins the rehearsal."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from packages.operations.tests.webhooks.test_webhooks import Receiver, add_hook
from plainloop.agent.providers.endings import get_today
from plainloop.server.settings import AuthSettings
from plainloop_operations.webhooks.delivering import WebhookHost
from tests.server.conftest import Serve, Served, ask, begin, until
from tests.usage.ledger import add_calls
from tests.usage.price_list import list_model

ENDS = """
[[endings]]
provider = "offline"
models = ["offline-rules"]
ends = 2027-01-14
successor = "offline-rules-2"
"""
DUE = "update schedules set next_at = now() - interval '1 second' where tenant_id = 'acme'"


@pytest.fixture
async def receiver() -> Any:
    one = Receiver()
    await one.start()
    yield one
    await one.stop()


async def serve_ends(serve: Serve, tmp_path: Path, receiver: Receiver) -> Served:
    (tmp_path / "endings.toml").write_text(ENDS)
    allowed = (f"127.0.0.1:{receiver.port}",)
    limits = {"recovery_s": 0.1, "webhook_retry_s": 0.02}
    ends = tmp_path / "endings.toml"
    served = await serve(outbound_allow=allowed, endings_file=ends, **limits)
    ann = await served.client("ann")
    await ask(ann, await begin(ann), "add a job: Cook at Cafe Uno")
    return served


async def test_the_model_ending_webhook_is_sent_once_with_its_share_of_calls(
    serve: Serve, receiver: Receiver, tmp_path: Path
):
    served = await serve_ends(serve, tmp_path, receiver)
    boss, ann = await served.client("boss", is_admin=True), await served.client("ann")
    own = {"url": receiver.url, "events": ["model.ending"]}
    assert (await ann.post("/api/webhooks", json=own)).status_code == 400
    await add_hook(boss, receiver, events=["model.ending"], everybody=True)
    host = next(item for item in served.replica.hosts if isinstance(item, WebhookHost))
    for _ in range(2):
        await host.tell_model_changes()
    served.service.watcher.poke("webhooks")
    await until(lambda: bool(receiver.accepted))

    [(_, told)] = receiver.accepted
    assert (told["type"], told["data"]) == (
        "model.ending",
        {
            "provider": "offline",
            "models": ["offline-rules"],
            "ends": "2027-01-14",
            "successor": "offline-rules-2",
            "share": 1.0,
        },
    )
    store = served.service.store
    for tenant, count in (("acme", 1), ("other", 0)):
        [row] = await store.read(tenant).fetch("select count(*) as told from webhook_deliveries")
        assert row["told"] == count, "nothing is told twice, and no other tenant"


async def test_price_changes_and_reroutes_are_sent_once_each(serve: Serve, receiver: Receiver):
    allowed = (f"127.0.0.1:{receiver.port}",)
    served = await serve(outbound_allow=allowed, recovery_s=0.1, webhook_retry_s=0.02)
    boss, ann = await served.client("boss", is_admin=True), await served.client("ann")
    own = {"url": receiver.url, "events": ["model.changed"]}
    refused = await ann.post("/api/webhooks", json=own)
    assert "the event model.changed concerns the whole tenant" in refused.json()["error"]["message"]
    await add_hook(boss, receiver, events=["model.changed"], everybody=True)
    host = next(item for item in served.replica.hosts if isinstance(item, WebhookHost))
    store, start = served.service.store, get_today() + timedelta(days=30)
    await add_calls(store, "claude-haiku-4-5")
    await host.tell_model_changes()
    [row] = await store.read("acme").fetch("select count(*) as told from webhook_deliveries")
    assert row["told"] == 0, "nothing changes"

    asked, answered = "claude-opus-4-5", "claude-haiku-4-5"
    await add_calls(store, asked, answered=answered)
    with list_model("anthropic", "told-5", (None, 0, 0), (start, 1, 4)):
        await add_calls(store, "told-5")
        await add_calls(store, "told-5", tenant="other")
        for _ in range(2):
            await host.tell_model_changes()
    served.service.watcher.poke("webhooks")
    await until(lambda: len(receiver.accepted) >= 2)

    told = [message for _, message in receiver.accepted]
    assert {message["type"] for message in told} == {"model.changed"}
    facts = [
        (item["kind"], item["models"], item["date"], item["to"], item["new_price"])
        for item in (message["data"] for message in told)
    ]
    assert sorted(facts, key=str) == [
        ("price", ["told-5"], start.isoformat(), None, {"input": "1", "output": "4"}),
        ("reroute", [asked], get_today().isoformat(), answered, {"input": "1", "output": "5"}),
    ]
    for tenant, count in (("acme", 2), ("other", 0)):
        [row] = await store.read(tenant).fetch("select count(*) as told from webhook_deliveries")
        assert row["told"] == count, "nothing is told twice, and no other tenant"


async def test_a_schedule_rehearses_the_successor_once_within_its_limit(
    serve: Serve, receiver: Receiver, tmp_path: Path
):
    served = await serve_ends(serve, tmp_path, receiver)
    boss, ann = await served.client("boss", is_admin=True), await served.client("ann")
    task = {"advise": {"max_cost_usd": 2, "successor": True, "user_id": "*"}}
    body = {"name": "rehearse", "cron": "0 6 1 * *", "task": task}
    assert (await ann.post("/api/schedules", json=body)).status_code == 403
    for wrong in ({"advise": {"max_cost_usd": 0}}, {"sing": {}}, {"advise": {"limit": 1}}):
        refused = await boss.post("/api/schedules", json={**body, "task": wrong})
        assert refused.status_code == 400, refused.text
    made = await boss.post("/api/schedules", json=body)
    assert made.status_code == 201, made.text
    path = f"/api/schedules/{made.json()['schedule_id']}/history"

    async def count_history(count: int) -> bool:
        await served.service.store.read("acme").execute(DUE)
        served.service.watcher.poke("schedules")
        return len((await boss.get(path)).json()["history"]) >= count

    await until(lambda: count_history(1))

    async def is_over() -> bool:
        found = (await boss.get("/api/advice")).json()["advice"]
        return [item["status"] for item in found] == ["succeeded"]

    await until(is_over)
    await until(lambda: count_history(2))
    history = (await boss.get(path)).json()["history"]
    assert (history[-1]["status"], history[-1]["reason"]) == ("begun", None)
    assert {item["reason"] for item in history[:-1]} <= {"ALREADY_REHEARSED", "STILL_RUNNING"}
    [advice] = (await boss.get("/api/advice")).json()["advice"]
    assert (advice["successor"], advice["max_cost_usd"]) == (True, 2)
    assert (await ann.get("/api/advice")).json() == {"advice": []}


@pytest.mark.parametrize("chosen", [{"successor": True}, {"judge": "openai:gpt-dear"}])
async def test_scheduled_advice_uses_only_models_that_admins_may_choose(
    serve: Serve, receiver: Receiver, tmp_path: Path, chosen: dict[str, Any]
):
    served = await serve_ends(serve, tmp_path, receiver)
    settings = served.service.settings.change(AuthSettings, admin_models=("offline:other",))
    served.service.settings = replace(settings, _environ={"OPENAI_API_KEY": "sk-operator"})
    boss = await served.client("boss", is_admin=True)
    task = {"advise": {"max_cost_usd": 2, "user_id": "*", **chosen}}
    made = await boss.post("/api/schedules", json={"name": "n", "cron": "0 6 1 * *", "task": task})
    assert made.status_code == 201, made.text
    await served.service.store.read("acme").execute(DUE)
    served.service.watcher.poke("schedules")

    async def is_over() -> bool:
        found = (await boss.get("/api/advice")).json()["advice"]
        return [item["ended_at"] is not None for item in found] == [True]

    await until(is_over)
    [advice] = (await boss.get("/api/advice")).json()["advice"]
    assert advice["status"] == "failed"
    assert "is not an allowed model" in advice["error"]
    assert (await boss.get("/api/replays")).json() == {"replays": []}, "nothing was bought"
