"""Why model calls fail is for who runs the service, cause by cause; users get code and sentence."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from plainloop.agent.errors import ModelAuthError, ModelRequestError
from tests.server.conftest import Serve, Served, begin
from tests.server.test_tenants import load_everything

ASKED = "tell me a joke"
REASON = "anthropic: model claude-x of org 0123456789ab is not yours, said Zyzzyva"
OTHER = "anthropic: model claude-x of org ffff456789ab is not yours, said Zyzzyva"


async def fail(client: httpx2.AsyncClient) -> str:
    """The id of a run that fails."""
    path = f"/api/chat/conversations/{await begin(client)}/messages"
    answer = await client.post(
        path, json={"content": ASKED}, headers={"accept": "text/event-stream"}
    )
    assert "Zyzzyva" not in answer.text
    assert "event: error" in answer.text
    return answer.headers["x-run-id"]


async def list_causes(client: httpx2.AsyncClient, **query: str) -> list[dict[str, Any]]:
    answer = await client.get("/api/failures", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()["causes"]


@pytest.fixture
async def served(serve: Serve) -> Served:
    errors = ModelAuthError(REASON), ModelAuthError(OTHER), ModelRequestError("anthropic: no such")
    return await serve(*errors)


async def test_failure_reasons_are_shown_only_to_admins(served: Served) -> None:
    ann, boss = await served.client("ann"), await served.client("boss", is_admin=True)
    for client, is_told in ((ann, False), (boss, True)):
        run = f"/api/runs/{await fail(client)}"
        read, steps = (await client.get(run)).json(), (await client.get(f"{run}/steps")).text
        assert read["error_code"] == "MODEL_AUTH"
        assert "Zyzzyva" not in read["error_message"]
        assert (read["cause"] in (REASON, OTHER)) == is_told
        assert ("Zyzzyva" in steps) <= is_told


async def test_failed_runs_are_listed_by_cause_to_admins_of_their_tenant(served: Served) -> None:
    ann, bob = await served.client("ann"), await served.client("bob")
    boss = await served.client("boss", is_admin=True)
    runs = [await fail(client) for client in (ann, bob, ann)]
    auth, request = await list_causes(boss)
    assert (auth["code"], auth["runs"], auth["users"]) == ("MODEL_AUTH", 2, 2)
    assert auth["reason"] in (REASON, OTHER), "ids in a reason make no other cause"
    assert auth["run_ids"] == [runs[1], runs[0]]
    assert (request["code"], request["runs"], request["reason"]) == (
        "MODEL_REQUEST",
        1,
        "anthropic: no such",
    )
    assert await list_causes(boss, until="2020-01-01T00:00:00Z", since="2019-01-01") == []
    assert await list_causes(await served.client("boss", "other", is_admin=True)) == []
    assert (await ann.get("/api/failures")).status_code == 403


async def test_failure_reasons_are_erased_with_user_and_conversation(served: Served) -> None:
    ann, bob = await served.client("ann"), await served.client("bob")
    for client in (ann, bob):
        await fail(client)
    (conversation,) = (await bob.get("/api/chat/conversations")).json()["conversations"]
    assert (await ann.delete("/api/users/me")).status_code == 204
    erased = await bob.delete(f"/api/chat/conversations/{conversation['id']}")
    assert erased.status_code == 204
    assert b"Zyzzyva" not in await load_everything(served.service.store, "acme")
