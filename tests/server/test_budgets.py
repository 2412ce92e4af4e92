"""Budgets over HTTP: who sets them, who sees them, what a refused run is told."""

from __future__ import annotations

from typing import Any

import httpx2

from tests.machine.scripted import text, triage
from tests.server.conftest import Serve, Served, ask, begin


async def put(client: httpx2.AsyncClient, **body: Any) -> httpx2.Response:
    return await client.put("/api/budgets", json=body)


async def test_an_admin_can_set_change_and_remove_budgets(served: Served) -> None:
    boss = await served.client("boss", is_admin=True)
    made = await put(boss, scope="tenant", limit_usd="12.50")
    changed = await put(boss, scope="tenant", limit_usd="15", period="month")
    seen = (await boss.get("/api/budgets")).json()["budgets"]
    gone = await boss.delete(f"/api/budgets/{made.json()['budget_id']}")
    again = await boss.delete(f"/api/budgets/{made.json()['budget_id']}")

    assert made.status_code == changed.status_code == 200, made.text
    assert made.json() == changed.json()
    assert [(item["limit_usd"], item["period"], item["subject"]) for item in seen] == [
        ("15", "month", None)
    ]
    assert (gone.status_code, again.status_code) == (204, 404)
    assert (await boss.get("/api/budgets")).json() == {"budgets": []}


async def test_budgets_without_a_forecast_state_the_rest(served: Served) -> None:
    boss = await served.client("boss", is_admin=True)
    await put(boss, scope="tenant", limit_tokens=1_000_000)
    (whole,) = (await boss.get("/api/budgets")).json()["budgets"]
    (plain,) = (await boss.get("/api/budgets?forecast=false")).json()["budgets"]

    assert (whole["forecast_tokens"], plain["forecast_tokens"]) == (0, None)
    assert {**plain, "forecast_tokens": 0} == whole


async def test_a_user_sees_their_budgets_but_cannot_set_any(served: Served) -> None:
    boss, ann = await served.client("boss", is_admin=True), await served.client("ann")
    other = await served.client("boss", "umbrella", is_admin=True)
    for user in ("ann", "bob"):
        await put(boss, scope="user", user_id=user, limit_tokens=5)
    await put(boss, scope="tenant", limit_tokens=1_000_000)
    seen = (await ann.get("/api/budgets")).json()["budgets"]
    ours = (await boss.get("/api/budgets")).json()["budgets"]

    assert [(item["scope"], item["user_id"]) for item in seen] == [("user", "ann")]
    assert len(ours) == 3
    await put(boss, scope="tenant", limit_tokens=0)
    seen = (await ann.get("/api/budgets")).json()["budgets"]
    assert [item["scope"] for item in seen] == ["user", "tenant"], "it stops this user, too"
    assert (await put(ann, scope="tenant", limit_tokens=9)).status_code == 403
    assert (await ann.delete(f"/api/budgets/{ours[0]['budget_id']}")).status_code == 403
    assert (await other.delete(f"/api/budgets/{ours[0]['budget_id']}")).status_code == 404
    assert (await other.get("/api/budgets")).json() == {"budgets": []}


async def test_only_a_budget_of_scope_user_can_name_a_user(served: Served) -> None:
    boss = await served.client("boss", is_admin=True)
    for scope in ("tenant", "run"):
        refused = await put(boss, scope=scope, user_id="ann", limit_usd="5")
        assert refused.status_code == 400
        assert "only a budget with scope user" in refused.json()["error"]["message"]
    assert (await boss.get("/api/budgets")).json() == {"budgets": []}


async def test_a_budget_of_a_user_without_conversations_says_so(served: Served) -> None:
    boss, ann = await served.client("boss", is_admin=True), await served.client("ann")
    await begin(ann)
    known = await put(boss, scope="user", user_id="ann", limit_usd="5")
    unknown = await put(boss, scope="user", user_id="anne", limit_usd="5")

    assert known.json()["note"] is None
    assert "anne has no conversation yet" in unknown.json()["note"]
    listed = (await boss.get("/api/budgets")).json()["budgets"]
    notes = {item["user_id"]: item["note"] for item in listed}
    assert notes == {
        "ann": None,
        "anne": "anne has no conversation yet: is the name spelled correctly?",
    }
    assert (await put(boss, scope="tenant", limit_usd="5")).json()["note"] is None


async def test_a_run_without_budget_is_402_and_calls_no_model(serve: Serve) -> None:
    served = await serve(triage("general"), text("yes"))
    boss, ann = await served.client("boss", is_admin=True), await served.client("ann")
    await put(boss, scope="user", limit_tokens=10, period="day")
    conversation = await begin(ann)
    answer = await ann.post(
        f"/api/chat/conversations/{conversation}/messages",
        json={"content": "tell me a story about work"},
        headers={"accept": "application/json"},
    )
    error = answer.json()["error"]

    assert (answer.status_code, error["code"]) == (402, "BUDGET_EXCEEDED")
    assert "budget of each user per day: 10 tokens" in error["message"]
    assert "resets at" in error["message"]
    assert (await ann.get("/api/usage")).json()["usage"][0]["calls"] == 0
    await put(boss, scope="user", limit_tokens=1_000_000, period="day")
    await ask(ann, await begin(ann), "tell me a story about work")
    used = (await ann.get("/api/budgets")).json()["budgets"][0]
    assert (used["subject"], used["reserved_tokens"]) == ("ann", 0)
    assert used["used_tokens"] > 0
