"""Webhooks: each message arrives, signed, in order within its run, and never inside.

AGENT_TEST_WEBHOOKS=10000: so many messages go to the receiver that fails and is killed.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import os
import random
from collections import defaultdict
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from plainloop.agent.base.ids import make_id
from plainloop.agent.errors import NotFoundError
from plainloop.agent.store.store import Store
from plainloop_operations.webhooks.delivering import WebhookHost
from plainloop_operations.webhooks.rows import (
    claim_deliveries,
    create_webhook,
    delete_old_deliveries,
    disable_webhook,
    enable_webhook,
    list_deliveries,
    list_webhooks,
    settle_delivery,
)
from plainloop_wire.serving import serve_wire
from tests.machine.scripted import text
from tests.outbound.test_guard import HOSTILE, RELATIVE
from tests.server.conftest import Serve, Served, ask, begin, until
from tests.server.test_approvals import SCRIPT, ask_to_delete

MESSAGES = int(os.environ.get("AGENT_TEST_WEBHOOKS", "60"))
ALL = ["run.ended", "approval.pending", "budget.reached", "rollout.ended", "replay.ended"]


class Receiver:
    """Another program: keeps what it accepted, answers as `answer` says."""

    def __init__(self) -> None:
        self.secrets: list[bytes] = []
        self.accepted: list[tuple[str, dict[str, Any]]] = []  # (message id, body)
        self.asked = 0
        self.answer: Callable[[], int] = lambda: 200
        self._stack = AsyncExitStack()
        self.port = 0

    async def start(self) -> None:
        app = Starlette(routes=[Route("/hook", self._take, methods=["POST"])])
        url = await self._stack.enter_async_context(serve_wire(app, self.port))
        self.port = int(url.rpartition(":")[2])

    async def stop(self) -> None:
        await self._stack.aclose()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    async def _take(self, request: Request) -> Response:
        body = await request.body()
        message_id, sent_at = (request.headers[f"webhook-{name}"] for name in ("id", "timestamp"))
        signed = f"{message_id}.{sent_at}.".encode() + body
        good = [
            "v1," + base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()
            for secret in self.secrets
        ]
        assert request.headers["webhook-signature"] in good
        self.asked += 1
        code = self.answer()
        if code == 200:
            self.accepted.append((message_id, json.loads(body)))
        return PlainTextResponse(f"said {code}", code)

    def list_told(self) -> list[tuple[str, str]]:
        return [(body["type"], body["data"].get("status", "")) for _, body in self.accepted]


@pytest.fixture
async def receiver() -> Any:
    one = Receiver()
    await one.start()
    yield one
    await one.stop()


def read_secret(shown: str) -> bytes:
    return base64.b64decode(shown.removeprefix("whsec_"))


async def serve_hooks(serve: Serve, receiver: Receiver, *script: Any, **limits: Any) -> Served:
    limits = {"webhook_retry_s": 0.02, "recovery_s": 0.1, **limits}
    return await serve(*script, outbound_allow=(f"127.0.0.1:{receiver.port}",), **limits)


async def add_hook(client: Any, receiver: Receiver, **body: Any) -> str:
    made = await client.post("/api/webhooks", json={"url": receiver.url, "events": ALL, **body})
    assert made.status_code == 201, made.text
    receiver.secrets.append(read_secret(made.json()["secret"]))
    return made.json()["webhook_id"]


async def change(store: Store, run_id: str, status: str, *, asks: bool = False) -> None:
    """What the triggers of runs and approvals write."""
    async with store.transaction("acme") as tx:
        await tx.execute(
            "insert into changes (tenant_id, user_id, thread_id, run_id, approval_id, status)"
            " values ($1, 'ann', $2, $2, $3, $4)",
            *("acme", run_id, run_id if asks else None, status),
        )


async def test_webhooks_send_waiting_and_ended_in_order_and_signed(
    serve: Serve, receiver: Receiver
):
    served = await serve_hooks(serve, receiver, *SCRIPT, text("so be it"))
    ann = await served.client()
    hook = await add_hook(ann, receiver)
    _, conversation, waiting = await ask_to_delete(served)
    [asked] = waiting["approvals"]
    decision = f"/api/runs/{waiting['run_id']}/approvals/{asked['approval_id']}"
    assert (await ann.post(decision, json={"approve": False})).status_code == 200

    await until(lambda: len(receiver.accepted) == 3)
    of_run = [body for _, body in receiver.accepted if body["data"]["run_id"] == waiting["run_id"]]
    listed = (await ann.get(f"/api/webhooks/{hook}/deliveries")).json()["deliveries"]

    assert [(body["type"], body["data"]["status"]) for body in of_run] == [
        ("approval.pending", "pending"),
        ("run.ended", "succeeded"),
    ]
    assert of_run[0]["data"]["approval_id"] == asked["approval_id"]
    assert of_run[1]["data"] == {
        "user_id": "ann",
        "conversation_id": conversation,
        "run_id": waiting["run_id"],
        "approval_id": None,
        "status": "succeeded",
        "error_code": None,
    }
    assert [(item["status"], item["answer"]) for item in listed] == [(200, "said 200")] * 3
    assert {f"msg_{item['message_id']}" for item in listed} == {key for key, _ in receiver.accepted}


async def test_a_failure_after_its_webhook_was_disabled_is_not_due_again(store: Store):
    async with store.transaction("acme") as tx:
        made, _ = await create_webhook(tx, None, "https://example.com/hook", ["run.ended"], 10)
    for _ in range(2):
        await change(store, make_id(), "failed")
    first, second = await claim_deliveries(store, 2, lease_s=60)
    db = store.read("acme")
    await settle_delivery(db, first, 500, "no", 0.0)
    await disable_webhook(db, made, "no")
    await settle_delivery(db, second, 500, "no", 0.0)

    assert not await db.fetchval("select plainloop_has_webhooks()")
    [listed] = await list_webhooks(db, None)
    assert listed.waiting == 2
    async with store.transaction("acme") as tx:
        await enable_webhook(tx, made, None)
    assert await db.fetchval("select plainloop_has_webhooks()")


async def test_webhooks_receive_only_their_owners_runs(serve: Serve, receiver: Receiver):
    served = await serve_hooks(serve, receiver)
    ann, bob = await served.client("ann"), await served.client("bob")
    other = await served.client("boss", "umbrella", is_admin=True)
    boss = await served.client("boss", is_admin=True)
    hook = await add_hook(bob, receiver)
    await add_hook(other, receiver, everybody=True)
    everybody = await add_hook(boss, receiver, everybody=True)
    assert (
        await ann.post(
            "/api/webhooks", json={"url": "https://x.example", "events": ALL, "everybody": True}
        )
    ).status_code == 403
    await ask(ann, await begin(ann), "how many jobs have I applied to?")

    await until(lambda: receiver.accepted != [])
    rows = await served.service.store.read("acme").fetch(
        "select webhook_id from webhook_deliveries"
    )
    assert [row["webhook_id"] for row in rows] == [everybody]
    assert len(receiver.accepted) == 1
    for stranger in (ann, other):
        assert (await stranger.delete(f"/api/webhooks/{hook}")).status_code == 404
        assert (await stranger.post(f"/api/webhooks/{hook}/enable")).status_code == 404
        seen = await stranger.get(f"/api/webhooks/{everybody}/deliveries")
        assert seen.status_code == 404
    assert [item["user_id"] for item in (await bob.get("/api/webhooks")).json()["webhooks"]] == [
        "bob"
    ]
    assert len((await boss.get("/api/webhooks")).json()["webhooks"]) == 2
    assert (await boss.delete(f"/api/webhooks/{everybody}")).status_code == 204
    left = "select count(*) from webhook_deliveries"
    assert await served.service.store.read("acme").fetchval(left) == 0


async def test_webhooks_reach_a_receiver_that_fails_and_is_killed(serve: Serve, receiver: Receiver):
    """Two replicas send; of each run three messages, which arrive in their order."""
    # A message in 256 fails eight times, and the eighth pause is 7,200 times the first.
    limits = {"webhook_attempts": 1000, "webhook_retry_s": 0.0002}
    served = await serve_hooks(serve, receiver, **limits)
    await serve_hooks(serve, receiver, **limits)
    store = served.service.store
    await add_hook(await served.client(), receiver)
    dice = random.Random(7)
    receiver.answer = lambda: dice.choice((200, 500))
    runs = [make_id() for _ in range(MESSAGES // 3)]

    async def happen(run_id: str) -> None:
        await change(store, run_id, "pending", asks=True)
        await change(store, run_id, "running")  # of which nobody is told
        await change(store, run_id, "pending", asks=True)
        await change(store, run_id, "succeeded")

    for at in range(0, len(runs), 20):
        await asyncio.gather(*map(happen, runs[at : at + 20]))
        if at % 200 == 0:  # killed, and away for a while
            await receiver.stop()
            asked = receiver.asked
            await receiver.start()
            assert receiver.asked == asked

    await until(lambda: len({key for key, _ in receiver.accepted}) == 3 * len(runs), 60 + MESSAGES)
    told: dict[str, list[str]] = defaultdict(list)
    seen: set[str] = set()
    for key, body in receiver.accepted:
        if key not in seen:  # a repetition is told by its id
            seen.add(key)
            told[body["data"]["run_id"]].append(body["data"]["status"])
    assert [told[run_id] for run_id in runs] == [["pending", "pending", "succeeded"]] * len(runs)


async def test_a_killed_delivery_is_repeated_with_the_same_id(store: Store, receiver: Receiver):
    async with store.transaction("acme") as tx:
        hook, _ = await create_webhook(tx, "ann", receiver.url, ["run.ended"], 5)
    run_id = make_id()
    await change(store, run_id, "failed")
    await change(store, run_id, "succeeded")  # of the same run: it waits for the first
    [lost] = await claim_deliveries(store, 20, 0.0)  # by a process that is gone at once
    [again] = await claim_deliveries(store, 20, 600.0)
    assert await claim_deliveries(store, 20, 600.0) == []
    await settle_delivery(store.read("acme"), lost, 200, "late", None)  # its word counts no more
    assert (await list_webhooks(store.read("acme"), "ann"))[0].waiting == 2
    await settle_delivery(store.read("acme"), again, 200, "", None)
    [follower] = await claim_deliveries(store, 20, 600.0)

    assert (again.message_id, again.attempts) == (lost.message_id, 2)
    assert follower.data["status"] == "succeeded"
    assert len(await list_deliveries(store.read("acme"), hook, "ann", 9)) == 2
    with pytest.raises(NotFoundError):
        await list_deliveries(store.read("umbrella"), hook, "ann", 9)


@pytest.mark.parametrize(("code", "attempts"), [(500, 3), (302, 3), (410, 1)])
async def test_a_failing_webhook_is_disabled_and_continues_when_enabled(
    serve: Serve, receiver: Receiver, code: int, attempts: int
):
    served = await serve_hooks(serve, receiver, webhook_attempts=3)
    ann = await served.client()
    hook = await add_hook(ann, receiver)
    receiver.answer = lambda: code
    await change(served.service.store, make_id(), "failed")

    async def load() -> dict[str, Any]:
        return (await ann.get("/api/webhooks")).json()["webhooks"][0]

    async def is_disabled() -> bool:
        return (await load())["disabled_at"] is not None

    await until(is_disabled)
    state = await load()
    doctor = await (await served.client("boss", is_admin=True)).get("/api/system/doctor")
    assert (receiver.asked, state["waiting"]) == (attempts, 1)
    if code != 302:  # a redirect is no answer
        assert state["disabled_reason"].endswith(f"said {code}")
    assert "1 webhook disabled" in doctor.text
    await change(served.service.store, make_id(), "succeeded")  # meanwhile nothing is kept for it
    receiver.answer = lambda: 200
    assert (await ann.post(f"/api/webhooks/{hook}/enable")).status_code == 204

    await until(lambda: receiver.list_told() == [("run.ended", "failed")])

    async def is_settled() -> bool:
        return (await load())["waiting"] == 0

    await until(is_settled)


async def test_webhooks_reach_no_internal_address_in_any_notation(serve: Serve, receiver: Receiver):
    """Written into the table, past every check of the API; and over the API, which refuses some."""
    served = await serve(webhook_retry_s=600.0, recovery_s=0.1, webhooks_per_user=1000)
    store, ann = served.service.store, await served.client()
    forms = [*HOSTILE, *RELATIVE, receiver.url, receiver.url.replace("127.0.0.1", "localhost")]
    inside = [
        form.replace("/", f":{receiver.port}/", 3).replace(f":{receiver.port}/", "/", 2)
        for form in HOSTILE
        if form.count("/") >= 3
    ]
    forms += inside
    async with store.transaction("acme") as tx:
        for form in forms:
            await create_webhook(tx, "ann", form, ["run.ended"], 1000)
    await change(store, make_id(), "failed")

    async def is_tried() -> bool:
        sql = "select count(*) from webhook_deliveries where answer is null"
        return await store.read("acme").fetchval(sql) == 0

    await until(is_tried)
    rows = await store.read("acme").fetch("select status, answer from webhook_deliveries")
    assert len(rows) == len(forms) >= 200
    assert {row["status"] for row in rows} == {None}
    assert receiver.asked == 0
    for form in ("http://hooks.example/x", "file:///etc/passwd", "https://ann:pw@x.example/", "x"):
        refused = await ann.post("/api/webhooks", json={"url": form, "events": ["run.ended"]})
        assert refused.status_code == 400, form


async def test_webhooks_refuse_a_name_that_later_resolves_internally(
    serve: Serve, receiver: Receiver
):
    served = await serve(webhook_retry_s=600.0, recovery_s=0.1)
    for host in served.replica.hosts:
        await host.drain()
    store = served.service.store
    async with store.transaction("acme") as tx:
        url = f"http://rebound.example:{receiver.port}/hook"
        hook, _ = await create_webhook(tx, "ann", url, ["run.ended"], 5)
    answers = iter([["93.184.216.34"], ["127.0.0.1"], ["127.0.0.1", "93.184.216.34"]])
    looked: list[str] = []

    async def resolve(host: str, port: int) -> list[str]:
        looked.append(host)
        return next(answers, ["127.0.0.1"])

    host = WebhookHost(served.service, resolve)
    await host.start()
    for n in range(3):
        await change(store, make_id(), "failed")

        async def is_tried(n: int = n) -> bool:
            found = await list_deliveries(store.read("acme"), hook, "ann", 9)
            return sum(item.answer is not None for item in found) == n + 1

        await until(is_tried)
    await host.drain()
    assert looked == ["rebound.example"] * 3
    assert receiver.asked == 0


async def test_webhooks_send_events_of_budgets_replays_and_rollouts(store: Store):
    async with store.transaction("acme") as tx:
        await create_webhook(tx, None, "https://hooks.example", ALL, 5)  # type: ignore[arg-type]
        await create_webhook(tx, "bob", "https://hooks.example", ALL, 5)  # type: ignore[arg-type]
        one, t = make_id(), "acme"
        await tx.execute(
            "insert into budget_counters (tenant_id, budget_id, subject, period_start, used_tokens,"
            " used_usd, reserved_tokens, reserved_usd) values ($1, $2, '', now(), 1, 1, 0, 0)",
            *(t, one),
        )
        await tx.execute("update budget_counters set told_at = now() where tenant_id = $1", t)
        await tx.execute(
            "insert into rollouts (tenant_id, rollout_id, kind, user_id, share, salt, candidate)"
            " values ($1, $2, 'canary', 'ann', 0.5, 'x', '{}')",
            *(t, one),
        )
        await tx.execute("update rollouts set status = 'returned' where tenant_id = $1", t)
        await tx.execute(
            "insert into replays (tenant_id, replay_id, user_id, mode, status, source, candidate)"
            " values ($1, $2, 'ann', 'live', 'running', '{}', '{}')",
            *(t, one),
        )
        sql = "update replays set status = 'succeeded', ended_at = now() where tenant_id = $1"
        await tx.execute(sql, t)
    found = await claim_deliveries(store, 20, 600.0)
    assert sorted((item.event, item.data.get("status")) for item in found) == [
        ("budget.reached", None),
        ("replay.ended", "succeeded"),
        ("rollout.ended", "returned"),
    ]


async def test_an_erased_users_webhooks_and_deliveries_are_deleted(
    serve: Serve, receiver: Receiver
):
    served = await serve_hooks(serve, receiver)
    store = served.service.store
    ann, boss = await served.client(), await served.client("boss", is_admin=True)
    await add_hook(ann, receiver)
    await add_hook(boss, receiver, everybody=True)
    await change(store, make_id(), "failed")

    await until(lambda: len(receiver.accepted) == 2)
    count = "select count(*) from webhook_deliveries"
    async with store.transaction("acme") as tx:
        await tx.execute(
            "insert into webhook_deliveries (tenant_id, webhook_id, event, data, due_at,"
            " delivered_at) select tenant_id, webhook_id, 'run.ended', '1', null,"
            " now() - interval '8 days' from webhooks"
        )
    assert await store.read("acme").fetchval(count) == 4
    await delete_old_deliveries(store)
    assert await store.read("acme").fetchval(count) == 2
    assert (await ann.delete("/api/users/me")).status_code == 204
    assert await store.read("acme").fetchval(count) == 0
    [left] = (await boss.get("/api/webhooks")).json()["webhooks"]
    assert left["user_id"] is None
